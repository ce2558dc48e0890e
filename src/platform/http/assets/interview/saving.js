/** Saves while typing, and keeps unsent answers on the device. */
import { forget, id, isSame, options, showAnswer, showAnswered, showCount, text, valueNow } from "./answer.js"
import { offer } from "./offer.js"
import { channel, draftKey, find, form, locale, question, running, say, storage, words } from "./page.js"
import { secondsLeft, send, withFingerprint } from "./service.js"

export const work = {
  revision: Number(question?.dataset.revision ?? 0),
  /** Fingerprints of answers sent on this revision without a response. */
  sent: (question && storage.get(draftKey(id))?.sent) ?? [],
  isChanged: false,
  /** The service rejects the answer, such as one that is too long. */
  isRefused: false,
  saving: undefined,
  leaving: false,
  /** Submit was pressed, or the time is over. */
  isSubmitting: false,
  /** The review page reloads to show drafts that were just saved. */
  isReloading: false,
  destination: undefined,
  failures: 0,
}

let timer

export const leave = () => {
  work.leaving = true
  clearTimeout(timer)
}

export const ended = () => {
  leave()
  location.assign(`${running.dataset.home}?late`)
}

const saveIn = (millis) => {
  clearTimeout(timer)
  timer = setTimeout(save, millis)
}

const storeDraft = () => storage.set(draftKey(id), { revision: work.revision, value: valueNow(), sent: work.sent })

const showConflict = (newer) => {
  const value = valueNow()
  storeDraft()
  Object.assign(work, { revision: newer.revision, sent: [], isChanged: false, failures: 0 })
  showAnswer(newer)
  say(words("elsewhere"))
  offer(value, changed)
  return false
}

const attempt = async () => {
  work.isChanged = false
  const value = valueNow()
  // store it before the request, because the response may be lost
  work.sent = withFingerprint(work.sent, value)
  storeDraft()
  try {
    const { revision, sent } = work
    const { answer, newer } = await send(id, { revision, value, sent })
    if (work.leaving) return true
    if (newer && !isSame(value, newer)) return showConflict(newer)
    if (answer.status === 404 || answer.status === 409) return void ended()
    if (answer.status === 413 || answer.status === 422) {
      work.isRefused = true
      say((await answer.json().catch(() => ({}))).error ?? words("again"), true)
      return false
    }
    if (!answer.ok && !newer) throw new Error(String(answer.status))
    const { saved } = newer ? { saved: [{ question_id: id, revision: newer.revision }] } : await answer.json()
    work.revision = saved.find((one) => one.question_id === id)?.revision ?? work.revision
    work.failures = 0
    // earlier requests cannot replace this revision
    work.sent = []
    if (work.isChanged) storeDraft()
    else forget(id, value)
    channel?.postMessage({ draft: running.dataset.draft, id, revision: work.revision })
    const time = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" }).format(new Date())
    if (!work.isChanged) say(words("saved", { time }))
    return true
  } catch {
    work.isChanged = true
    work.failures += 1
    say(words(secondsLeft() === 0 ? "overUnsent" : "again"), true)
    return false
  }
}

/** Returns whether everything is saved. */
export const save = async () => {
  if (work.leaving || !question) return true
  while (work.saving) await work.saving
  if (!work.isChanged) return work.failures === 0 && !work.isRefused
  work.saving = attempt()
  const done = await work.saving
  work.saving = undefined
  if (work.isChanged && !work.leaving) saveIn(work.failures === 0 ? 800 : Math.min(30_000, 1_500 * 2 ** work.failures))
  return done && !work.isChanged
}

export const changed = () => {
  work.isChanged = true
  work.isRefused = false
  storeDraft()
  showAnswered()
  showCount()
  if (work.failures === 0) saveIn(800)
}

export const autosave = () => {
  const isFile = find(".upload", question) !== null
  if (!location.search.includes("saved")) say(isFile ? words("choosing") : words("typing"))
  if (text === null && options.length === 0) return
  // a correction of the transcript is saved by itself
  const isAnswer = (field) => field.closest("[data-question]") !== null && !field.matches("[data-transcript]")
  form.addEventListener("input", ({ target }) => isAnswer(target) && changed())
  form.addEventListener("change", save)
  addEventListener("online", save)
  addEventListener("pagehide", () => {
    save()
    leave()
  })
  document.addEventListener("visibilitychange", () => document.hidden && save())
  addEventListener("beforeunload", (event) => {
    if (work.leaving || (!work.isChanged && !work.saving)) return
    save()
    // the browser asks only when the device cannot store the draft
    if (work.failures > 0 && storage.all(draftKey(id)).length === 0) event.preventDefault()
  })
}
