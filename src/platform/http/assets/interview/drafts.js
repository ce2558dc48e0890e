/** Drafts: unsent answers on the device, until they are saved or dropped. */
import { fingerprint, forget, id, isSame, isTyped, showAnswer, valueNow } from "./answer.js"
import { correctionDrafts, sendCorrection } from "./correction.js"
import { createElement, offer } from "./offer.js"
import { draftKey, find, form, running, say, storage, words } from "./page.js"
import { changed, save, work } from "./saving.js"
import { send, state, withFingerprint } from "./service.js"

/** Whether another window or device has saved since the draft; this device's saves without a response do not count. */
const isOutdated = ({ revision, sent = [] }, saved) =>
  (saved?.revision ?? 0) > revision && !sent.includes(fingerprint(saved))

export const restoreDraft = () => {
  const draft = storage.get(draftKey(id))
  const value = valueNow()
  if (isTyped()) {
    changed()
    if (draft !== undefined && !isSame(draft.value, value)) offer(draft.value, changed)
    return
  }
  if (draft === undefined) return
  const saved = { revision: work.revision, ...value }
  if (isSame(draft.value, saved)) return storage.remove(draftKey(id))
  if (isOutdated(draft, saved)) return offer(draft.value, changed)
  showAnswer(draft.value)
  work.isChanged = true
  save()
}

/** Drafts of the other questions; on the review page, of all. */
const drafts = () => storage.all(draftKey("")).filter(([other]) => other !== id)

/** Returns whether it saved the draft. */
const sendDraft = async (other, draft, saved) => {
  const isSaved = isSame(draft.value, saved)
  if (!isSaved) {
    if (isOutdated(draft, saved)) return false
    const sent = withFingerprint(draft.sent ?? [], draft.value)
    storage.set(draftKey(other), { ...draft, sent })
    const { answer } = await send(other, { ...draft, sent })
    if (!answer.ok) return false
  }
  forget(other, draft.value)
  return !isSaved
}

const show = (left, isReached) => {
  for (const note of document.querySelectorAll("[data-unsent]")) note.remove()
  for (const [other] of left) {
    const { href } = find(`[data-link="${other}"]`)
    const link = createElement("a", { href: `${href}?review` }, find(`[data-link="${other}"] .name`).textContent)
    const note = createElement("p", { className: "note" }, `${words("unsent")} `, link)
    note.dataset.unsent = ""
    find(`[data-answer="${other}"]`).append(note)
  }
  if (left.length > 0) say(words(isReached ? "undecided" : "again"), true)
}

const sendAll = async () => {
  const waiting = drafts()
  const corrections = correctionDrafts()
  if (waiting.length + corrections.length === 0) return true
  const now = await state().catch(() => undefined)
  // the attempt is over; the next page shows it
  if (now && (now.draft !== running.dataset.draft || !["running", "time_over"].includes(now.state))) return true
  let hasSaved = false
  if (now) {
    for (const [other, draft] of waiting) {
      if (await sendDraft(other, draft, now.answers[other]).catch(() => false)) hasSaved = true
    }
    for (const [other, draft] of corrections) {
      if (await sendCorrection(other, draft).catch(() => false)) hasSaved = true
    }
  }
  if (hasSaved && !form && !work.isSubmitting) {
    work.isReloading = true
    location.reload()
  }
  const left = [...drafts(), ...correctionDrafts()]
  if (!form) show(left, now !== undefined)
  return left.length === 0
}

let sending

/** Sends the drafts. Returns whether none is left. Concurrent calls share one run. */
export const sendDrafts = () => {
  sending ??= sendAll().finally(() => {
    sending = undefined
  })
  return sending
}
