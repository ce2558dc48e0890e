/** Offers a choice between the saved answer, in the form, and an unsent one. */
import { id, options, showAnswer, text } from "./answer.js"
import { draftKey, find, question, storage, words } from "./page.js"

export const createElement = (tag, attributes, ...content) => {
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

/** The answer is read-only until the choice: an edit before it would belong to neither version. */
const setReadOnly = (isReadOnly) => {
  if (text) text.readOnly = isReadOnly
  const choices = find(".choices", question)
  if (choices) choices.inert = isReadOnly
}

export const offer = (value, use) => {
  setReadOnly(true)
  const choice = (name, choose) => {
    const button = createElement("button", { className: "secondary", type: "button" }, words(name))
    button.addEventListener("click", () => {
      box.remove()
      setReadOnly(false)
      choose()
    })
    return button
  }
  const take = choice("useUnsent", () => {
    showAnswer(value)
    use()
  })
  const drop = choice("keepSaved", () => storage.remove(draftKey(id)))
  const box = createElement(
    "div",
    { className: "unsent" },
    createElement("p", { className: "note" }, words("unsent")),
    createElement("div", { className: "written", dir: "auto" }, textOf(value)),
    createElement("p", { className: "actions" }, take, " ", drop),
  )
  find(".unsent", question)?.remove()
  question.append(box)
}
