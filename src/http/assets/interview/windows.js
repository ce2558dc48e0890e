/** Other windows and devices: what they have changed, and what an earlier page could not send. */
import { id, isSame, put, valueNow } from "./answer.js"
import { draftKey, find, form, question, running, say, storage, words } from "./page.js"
import { changed, ended, fieldsOf, leave, post, save, work } from "./saving.js"

/** Where the interview stands by now. */
export const state = async (address = running.dataset.state) => {
  const answer = await fetch(address, { headers: { accept: "application/json" } })
  return answer.ok ? answer.json() : undefined
}

/** Shows what another window has done meanwhile. */
export const refresh = async () => {
  const now = await state().catch(() => undefined)
  if (now === undefined || work.leaving) return
  if (now.state !== "running" || now.draft !== running.dataset.draft) {
    if (work.isChanged) return ended()
    leave()
    return location.assign(running.dataset.home)
  }
  const saved = now.answers[id]
  if (!question || saved === undefined || saved.revision <= work.revision || work.saving) return
  const isOther = !isSame(valueNow(), saved)
  if (isOther && work.isChanged) return say(words("conflict"), true)
  work.revision = saved.revision
  if ((saved.file !== null) !== (find("[data-file]", question) !== null)) return location.reload()
  if (!isOther) return
  put(saved)
  say(words("elsewhere"))
}

/** Sends what an earlier page could not, unless something newer was saved since. */
export const sendDrafts = async () => {
  const drafts = storage.all(draftKey(""))
  if (drafts.length === 0) return
  const now = await state()
  if (now?.state !== "running") return
  for (const [other, { revision: known, value }] of drafts) {
    const saved = now.answers[other]
    if (isSame(value, saved)) storage.remove(draftKey(other))
    else if (other === id && work.isChanged) continue
    else if ((saved?.revision ?? 0) > known) {
      if (other === id) offer(value)
    } else if (other === id) {
      put(value)
      work.isChanged = true
      await save()
    } else {
      const answer = await post(fieldsOf(other, value))
      if (answer.ok) storage.remove(draftKey(other))
      if (answer.ok && !form) location.reload()
    }
  }
}

const offer = (value) => {
  const line = document.createElement("p")
  const button = document.createElement("button")
  line.className = "note"
  button.className = "secondary"
  button.type = "button"
  button.textContent = words("useUnsent")
  line.append(`${words("unsent")} `, button)
  question.append(line)
  button.addEventListener("click", () => {
    put(value)
    line.remove()
    changed()
  })
}
