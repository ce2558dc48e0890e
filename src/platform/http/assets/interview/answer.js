/** The answer in the page's form. */
import { draftKey, find, locale, question, storage, words } from "./page.js"

export const id = question?.dataset.question
/** Null where typing is not offered. A spoken answer has a second field, for its transcript. */
export const text = question && find(`[name="answer.${id}"]`, question)
export const options = question ? [...question.querySelectorAll("input[type=radio], input[type=checkbox]")] : []

export const valueNow = () => ({
  content: text?.value ?? null,
  option_ids: options.filter(({ checked }) => checked).map(({ value }) => value),
})

/** Whether the candidate changed the answer before this script ran. */
export const isTyped = () =>
  (text !== null && text.value !== text.defaultValue) ||
  options.some(({ checked, defaultChecked }) => checked !== defaultChecked)

const plain = (answer) =>
  JSON.stringify([
    (answer?.content ?? "").replaceAll("\r\n", "\n").trim(),
    [...(answer?.option_ids ?? [])].sort().join("\n"),
  ])
export const isSame = (one, other) => plain(one) === plain(other)

/** Hash of an answer. The device keeps the hashes of answers whose save got no response. */
export const fingerprint = (answer) => {
  const hashed = plain(answer)
  let hash = 0
  for (let at = 0; at < hashed.length; at++) hash = (Math.imul(hash, 31) + hashed.charCodeAt(at)) | 0
  return `${hashed.length}.${hash}`
}

/** Removes the question's draft unless another window has changed it. */
export const forget = (questionId, value) => {
  if (isSame(storage.get(draftKey(questionId))?.value, value)) storage.remove(draftKey(questionId))
}

export const showAnswer = ({ content, option_ids }) => {
  if (text) text.value = content ?? ""
  for (const option of options) option.checked = option_ids.includes(option.value)
  showAnswered()
  showCount()
}

export const showAnswered = () => {
  const { content, option_ids } = valueNow()
  const answered = Boolean(content?.trim()) || option_ids.length > 0 || find("[data-file], .kept", question) !== null
  question.toggleAttribute("data-answered", answered)
  const link = find(`[data-link="${id}"]`)
  link.toggleAttribute("data-answered", answered)
  find("[data-said]", link).textContent = answered ? `, ${words("answered")}` : ""
  const [done, all] = [document.querySelectorAll("[data-link][data-answered]").length, find(".panel progress").max]
  const total = document.querySelectorAll("[data-link]").length
  find("[data-progress]").textContent = words("progress", { count: done, total })
  find(".panel progress").value = Math.min(done, all)
}

export const showCount = () => {
  if (!text) return
  find("[data-count]", question).textContent = words("count", {
    count: text.value.length.toLocaleString(locale),
    most: text.maxLength.toLocaleString(locale),
  })
  if (CSS.supports("field-sizing", "content")) return
  text.style.height = "auto"
  text.style.height = `${text.scrollHeight + 2}px`
}
