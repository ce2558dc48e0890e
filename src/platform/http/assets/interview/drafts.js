/**
 * Drafts that earlier pages could not send. They stay on this device until they arrive or the candidate discards them.
 */
import { forget, id, isSame, printOf, put, valueNow } from "./answer.js"
import { make, offer } from "./offer.js"
import { draftKey, find, form, running, say, storage, words } from "./page.js"
import { changed, save, work } from "./saving.js"
import { noted, send, state } from "./service.js"

/** True when another device has saved since. Texts sent from here without an acknowledgement do not count. */
const isOutdated = ({ revision, sent = [] }, saved) =>
  (saved?.revision ?? 0) > revision && !sent.includes(printOf(saved))

/** Restores the draft of this page's question. */
export const resume = () => {
  const draft = storage.get(draftKey(id))
  if (draft === undefined) return
  const saved = { revision: work.revision, ...valueNow() }
  if (isSame(draft.value, saved)) return storage.remove(draftKey(id))
  if (isOutdated(draft, saved)) return offer(draft.value, changed)
  put(draft.value)
  work.isChanged = true
  save()
}

/** The drafts of other questions; on the review page, of all questions. */
const drafts = () => storage.all(draftKey("")).filter(([other]) => other !== id)

/** Sends a draft; returns true when it arrived. */
const bring = async (other, draft, saved) => {
  const isThere = isSame(draft.value, saved)
  if (!isThere) {
    if (isOutdated(draft, saved)) return false
    const sent = noted(draft.sent ?? [], draft.value)
    storage.set(draftKey(other), { ...draft, sent })
    const { answer } = await send(other, { ...draft, sent })
    if (!answer.ok) return false
  }
  forget(other, draft.value)
  return !isThere
}

/** Lists unsent drafts on the review page, with links. */
const show = (left, isReached) => {
  for (const note of document.querySelectorAll("[data-unsent]")) note.remove()
  for (const [other] of left) {
    const { href } = find(`[data-link="${other}"]`)
    const link = make("a", { href: `${href}?review` }, find(`[data-link="${other}"] .name`).textContent)
    const note = make("p", { className: "note" }, `${words("unsent")} `, link)
    note.dataset.unsent = ""
    find(`[data-answer="${other}"]`).append(note)
  }
  if (left.length > 0) say(words(isReached ? "undecided" : "again"), true)
}

const sendAll = async () => {
  const waiting = drafts()
  if (waiting.length === 0) return true
  const now = await state().catch(() => undefined)
  // the next page shows the state of the interview
  if (now && (now.draft !== running.dataset.draft || !["running", "time_over"].includes(now.state))) return true
  let brought = false
  if (now) {
    for (const [other, draft] of waiting) {
      if (await bring(other, draft, now.answers[other]).catch(() => false)) brought = true
    }
  }
  // the review page shows arrived drafts
  if (brought && !form && !work.isSubmitting) {
    work.isReloading = true
    location.reload()
  }
  const left = drafts()
  if (!form) show(left, now !== undefined)
  return left.length === 0
}

let sending

/** Sends all drafts; returns true when none is left. Concurrent calls share one run. */
export const sendDrafts = () => {
  sending ??= sendAll().finally(() => {
    sending = undefined
  })
  return sending
}
