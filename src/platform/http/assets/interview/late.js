/** After the end, moves unsent drafts from the device to this window and shows them. */
import { isSame } from "./answer.js"
import { createElement } from "./offer.js"
import { find, inWindow, storage } from "./page.js"
import { state } from "./service.js"

export const showUnsent = async (section) => {
  const all = `interview.${section.dataset.forget}.`
  for (const [key, { value }] of storage.all(all)) {
    // for reloads: main.js reloads when the receipt is ready
    if (value.content?.trim()) inWindow.set(all + key, value)
    storage.remove(all + key)
  }
  const attempt = `${all}${section.dataset.attempt}.`
  const waiting = inWindow.all(attempt)
  if (waiting.length === 0) return
  const now = await state(section.dataset.state).catch(() => undefined)
  for (const [question, value] of waiting) {
    // the answer was saved; only the response was lost
    if (now?.answers[question] && isSame(value, now.answers[question])) {
      inWindow.remove(attempt + question)
      continue
    }
    const title = find(`[data-answer="${question}"] h3`)?.textContent
    if (title) section.append(createElement("h3", { dir: "auto" }, title))
    section.append(createElement("div", { className: "written", dir: "auto" }, value.content))
    section.hidden = false
  }
}
