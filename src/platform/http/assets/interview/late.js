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
  const corrections = `correction.${section.dataset.forget}.`
  for (const [key, { text }] of storage.all(corrections)) {
    if (text.trim()) inWindow.set(`${all}${key}.transcript`, { content: text, option_ids: [] })
    storage.remove(corrections + key)
  }
  const attempt = `${all}${section.dataset.attempt}.`
  const waiting = inWindow.all(attempt)
  if (waiting.length === 0) return
  const now = await state(section.dataset.state).catch(() => undefined)
  for (const [key, value] of waiting) {
    const [question, part] = key.split(".")
    const saved = now?.answers[question]
    const isStored = saved && isSame(value, part ? { content: saved.transcript } : saved)
    // it was saved; only the response was lost
    if (isStored) {
      inWindow.remove(attempt + key)
      continue
    }
    const title = find(`[data-answer="${question}"] h3`)?.textContent
    if (title) section.append(createElement("h3", { dir: "auto" }, title))
    section.append(createElement("div", { className: "written", dir: "auto" }, value.content))
    section.hidden = false
  }
}
