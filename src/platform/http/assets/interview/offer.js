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

/** Shows an unsent version in `place`. The buttons remove it; `take` undefined: it can only be read and removed. */
export const offerVersion = (place, content, take, drop) => {
  const button = (name, choose) => {
    const made = createElement("button", { className: "secondary", type: "button" }, words(name))
    made.addEventListener("click", () => {
      box.remove()
      choose()
    })
    return made
  }
  const buttons = [...(take ? [button("useUnsent", take), " "] : []), button("keepSaved", drop)]
  const box = createElement(
    "div",
    { className: "unsent" },
    createElement("p", { className: "note" }, words("unsent")),
    createElement("div", { className: "written", dir: "auto" }, content),
    createElement("p", { className: "actions" }, ...buttons),
  )
  find(":scope > .unsent", place)?.remove()
  place.append(box)
}

export const offer = (value, use) => {
  setReadOnly(true)
  offerVersion(
    question,
    textOf(value),
    () => {
      setReadOnly(false)
      showAnswer(value)
      use()
    },
    () => {
      setReadOnly(false)
      storage.remove(draftKey(id))
    },
  )
}
