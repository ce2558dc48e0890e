/**
 * Deletes drafts from the device when the interview is over. Text that was never sent is shown once more, in this
 * window.
 */
import { isSame } from "./answer.js"
import { make } from "./offer.js"
import { find, inWindow, storage } from "./page.js"
import { state } from "./service.js"

/** `over` is the part of the page that shows the text; hidden when there is none. */
export const showLate = async (over) => {
  const all = `interview.${over.dataset.forget}.`
  for (const [key, { value }] of storage.all(all)) {
    // kept for a reload: the page reloads once by itself when the receipt is there
    if (value.content?.trim()) inWindow.set(all + key, value)
    storage.remove(all + key)
  }
  const attempt = `${all}${over.dataset.attempt}.`
  const waiting = inWindow.all(attempt)
  if (waiting.length === 0) return
  const now = await state(over.dataset.state).catch(() => undefined)
  for (const [question, value] of waiting) {
    // it arrived, only the acknowledgement was lost
    if (now?.answers[question] && isSame(value, now.answers[question])) {
      inWindow.remove(attempt + question)
      continue
    }
    const title = find(`[data-answer="${question}"] h3`)?.textContent
    if (title) over.append(make("h3", { dir: "auto" }, title))
    over.append(make("div", { className: "written", dir: "auto" }, value.content))
    over.hidden = false
  }
}
