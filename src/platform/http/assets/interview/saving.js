/** Saves answers while typing, and keeps unsent text. */
import { forget, id, isSame, options, put, showAnswered, showCount, text, valueNow } from "./answer.js"
import { offer } from "./offer.js"
import { channel, draftKey, form, locale, question, running, say, storage, words } from "./page.js"
import { noted, secondsLeft, send } from "./service.js"

export const work = {
  /** The number of times the service has stored this answer. */
  revision: Number(question?.dataset.revision ?? 0),
  /**
   * Fingerprints of texts sent on top of that revision without an acknowledgement, from this page or an earlier one.
   */
  sent: (question && storage.get(draftKey(id))?.sent) ?? [],
  isChanged: false,
  /** The service rejects the answer. */
  isRefused: false,
  /** The current request. */
  saving: undefined,
  /** The page is being left. */
  leaving: false,
  /** The candidate has submitted, or the time is over. */
  isSubmitting: false,
  /** The review page is about to reload. */
  isReloading: false,
  /** The URL to open once everything is saved. */
  destination: undefined,
  failures: 0,
}

let timer

export const leave = () => {
  work.leaving = true
  clearTimeout(timer)
}

/** Opens the page of an interview that has ended. Unsent text is not part of the interview; that page says so. */
export const ended = () => {
  leave()
  location.assign(`${running.dataset.home}?late`)
}

const later = (millis) => {
  clearTimeout(timer)
  timer = setTimeout(save, millis)
}

const keep = () => storage.set(draftKey(id), { revision: work.revision, value: valueNow(), sent: work.sent })

/** Shows the different version that another device or window saved, and offers a choice. */
const giveWay = (newer) => {
  const value = valueNow()
  keep()
  Object.assign(work, { revision: newer.revision, sent: [], isChanged: false, failures: 0 })
  put(newer)
  say(words("elsewhere"))
  offer(value, changed)
  return false
}

const attempt = async () => {
  work.isChanged = false
  const value = valueNow()
  // noted before sending, because the acknowledgement may be lost
  work.sent = noted(work.sent, value)
  keep()
  try {
    const { revision, sent } = work
    const { answer, newer } = await send(id, { revision, value, sent })
    if (work.leaving) return true
    if (newer && !isSame(value, newer)) return giveWay(newer)
    if (answer.status === 404 || answer.status === 409) return void ended()
    if (answer.status === 413 || answer.status === 422) {
      work.isRefused = true
      say((await answer.json().catch(() => ({}))).fault ?? words("again"), true)
      return false
    }
    if (!answer.ok && !newer) throw new Error(String(answer.status))
    const { saved } = newer ? { saved: [{ question_id: id, revision: newer.revision }] } : await answer.json()
    work.revision = saved.find((one) => one.question_id === id)?.revision ?? work.revision
    work.failures = 0
    // requests sent before can no longer arrive
    work.sent = []
    if (work.isChanged) keep()
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

/** Sends changes; returns true when everything is saved. */
export const save = async () => {
  if (work.leaving || !question) return true
  // several waiting calls continue one at a time
  while (work.saving) await work.saving
  if (!work.isChanged) return work.failures === 0 && !work.isRefused
  work.saving = attempt()
  const done = await work.saving
  work.saving = undefined
  if (work.isChanged && !work.leaving) later(work.failures === 0 ? 800 : Math.min(30_000, 1_500 * 2 ** work.failures))
  return done && !work.isChanged
}

export const changed = () => {
  work.isChanged = true
  work.isRefused = false
  keep()
  showAnswered()
  showCount()
  if (work.failures === 0) later(800)
}

export const autosave = () => {
  const isFile = text === null && options.length === 0
  if (!location.search.includes("saved")) say(isFile ? words("choosing") : words("typing"))
  if (isFile) return
  form.addEventListener("input", ({ target }) => target.closest("[data-question]") && changed())
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
    // the text is stored on this device; if storage fails, leaving would lose it
    if (work.failures > 0 && storage.all(draftKey(id)).length === 0) event.preventDefault()
  })
}
