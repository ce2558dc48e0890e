/** Shows two versions of an answer: the saved one in the form, and the other one to choose. */
import { id, options, put, text } from "./answer.js"
import { draftKey, find, question, storage, words } from "./page.js"

export const make = (tag, attributes, ...content) => {
  const element = Object.assign(document.createElement(tag), attributes)
  element.append(...content)
  return element
}

const textOf = ({ content, option_ids }) =>
  content ??
  options
    .filter(({ value }) => option_ids.includes(value))
    .map((option) => option.closest("label").innerText)
    .join("\n")

/** Makes the fields read-only until the candidate has chosen a version: edits would belong to neither version. */
const hold = (isHeld) => {
  if (text) text.readOnly = isHeld
  const choices = find(".choices", question)
  if (choices) choices.inert = isHeld
}

/** `use` is called when the other version is in the form. */
export const offer = (value, use) => {
  hold(true)
  const choice = (name, choose) => {
    const button = make("button", { className: "secondary", type: "button" }, words(name))
    button.addEventListener("click", () => {
      box.remove()
      hold(false)
      choose()
    })
    return button
  }
  const take = choice("useUnsent", () => {
    put(value)
    use()
  })
  const drop = choice("keepSaved", () => storage.remove(draftKey(id)))
  const box = make(
    "div",
    { className: "unsent" },
    make("p", { className: "note" }, words("unsent")),
    make("div", { className: "written", dir: "auto" }, textOf(value)),
    make("p", { className: "actions" }, take, " ", drop),
  )
  find(".unsent", question)?.remove()
  question.append(box)
}
