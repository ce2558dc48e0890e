/** Saves the corrected transcript of a spoken answer while the candidate types, and keeps it on the device until then. */
import { fingerprint, id } from "./answer.js"
import { offerVersion } from "./offer.js"
import { correctionKey, find, locale, question, running, say, storage, words } from "./page.js"
import { ended, save, work } from "./saving.js"
import { secondsLeft } from "./service.js"

const corrected = question && find("[data-transcript]", question)
const known = corrected && find("[data-known]", question)

/** As the service compares texts. */
const plainText = (value) => value.replaceAll("\r\n", "\n").replaceAll("\0", "").trim()
const markOf = (value) => fingerprint({ content: plainText(value), option_ids: [] })

const correction = {
  /** What the service has. */
  saved: corrected?.defaultValue,
  /** Fingerprints of texts sent without a response. */
  sent: [],
  failures: 0,
  /** The service rejects the text, such as one that is too long. */
  isRefused: false,
  saving: undefined,
  timer: undefined,
}

const isCorrected = () => plainText(corrected.value) !== plainText(correction.saved)

const storeCorrection = () =>
  storage.set(correctionKey(id), {
    recording: corrected.dataset.transcript,
    known: known.value,
    text: corrected.value,
    sent: correction.sent,
  })

/**
 * Sends a correction. If the service has a text that this device sent, sends again on top of it. Returns the response and, if
 * another window or device has saved, its text and version.
 */
const postCorrection = async ({ known: version, recording, sent, text }) => {
  const body = new URLSearchParams({ attempt: find("[name=attempt]").value, transcript: text, known: version })
  const answer = await fetch(`${running.dataset.home}/recordings/${recording}/transcript`, {
    method: "POST",
    headers: { accept: "application/json" },
    body,
    // the request outlives the page; browsers allow 64 KiB
    keepalive: String(body).length < 60_000,
  })
  if (answer.status !== 412) return { answer }
  const newer = await answer.json()
  if (!sent.includes(markOf(newer.text))) return { answer, newer }
  return postCorrection({ known: newer.known, recording, sent, text })
}

const saveCorrectionIn = (millis) => {
  clearTimeout(correction.timer)
  correction.timer = setTimeout(saveCorrection, millis)
}

const correctionChanged = () => {
  correction.isRefused = false
  storeCorrection()
  saveCorrectionIn(800)
}

/** The field shows what is saved; the candidate chooses. */
const offerUnsent = (text) => {
  const place = corrected.closest("details")
  place.open = true
  corrected.readOnly = true
  const choose = (act) => () => {
    corrected.readOnly = false
    act()
  }
  const take = () => {
    corrected.value = text
    correctionChanged()
  }
  offerVersion(
    place,
    text,
    choose(take),
    choose(() => storage.remove(correctionKey(id))),
  )
}

const showNewer = (newer) => {
  const text = corrected.value
  storeCorrection()
  Object.assign(correction, { saved: newer.text, sent: [], failures: 0 })
  known.value = newer.known
  corrected.value = newer.text
  say(words("elsewhere"))
  offerUnsent(text)
  return false
}

/** Another window or device has replaced or removed the recording. */
const showReplaced = () => {
  const text = corrected.value
  correction.saved = text
  corrected.readOnly = true
  say(words("elsewhere"), true)
  offerVersion(question, text, undefined, () => storage.remove(correctionKey(id)))
  return false
}

const isRejected = ({ status }) => status === 413 || status === 422

/** Saves until the service has what the field contains. */
const saveAllTyped = async () => {
  while (isCorrected()) {
    const { dataset, value: text } = corrected
    // store it before the request, because the response may be lost
    correction.sent = [...new Set([...correction.sent, markOf(text)])]
    storeCorrection()
    try {
      const { sent } = correction
      const { answer, newer } = await postCorrection({ recording: dataset.transcript, known: known.value, sent, text })
      if (work.leaving) return true
      if (newer) return showNewer(newer)
      if (answer.status === 404) return showReplaced()
      if (answer.status === 409) {
        ended()
        return false
      }
      if (isRejected(answer)) {
        correction.isRefused = true
        say((await answer.json().catch(() => ({}))).error ?? words("again"), true)
        return false
      }
      if (!answer.ok) throw new Error(String(answer.status))
      known.value = (await answer.json()).known
      Object.assign(correction, { saved: text, sent: [], failures: 0 })
    } catch {
      correction.failures += 1
      say(words(secondsLeft() === 0 ? "overUnsent" : "again"), true)
      saveCorrectionIn(Math.min(30_000, 1_500 * 2 ** correction.failures))
      return false
    }
    if (isCorrected()) storeCorrection()
    else {
      // another window may keep another text
      if (storage.get(correctionKey(id))?.text === corrected.value) storage.remove(correctionKey(id))
      const time = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" }).format(new Date())
      say(words("saved", { time }))
    }
  }
  return true
}

/** Returns whether the service has the transcript as it is corrected. Concurrent calls share one run. */
export const saveCorrection = async () => {
  if (!corrected || work.leaving) return true
  clearTimeout(correction.timer)
  correction.saving ??= saveAllTyped().finally(() => {
    correction.saving = undefined
  })
  return correction.saving
}

/** Saves the answer and the correction. Returns whether both are saved. */
export const saveAll = async () => {
  const isDone = await saveCorrection()
  return (await save()) && isDone
}

/** Of other questions; on the review page, of all. */
export const correctionDrafts = () => storage.all(correctionKey("")).filter(([other]) => other !== id)

/** Returns whether it saved the draft. */
export const sendCorrection = async (other, draft) => {
  const sent = [...new Set([...draft.sent, markOf(draft.text)])]
  storage.set(correctionKey(other), { ...draft, sent })
  const { answer } = await postCorrection({ ...draft, sent })
  if (answer.ok) storage.remove(correctionKey(other))
  return answer.ok
}

const restoreCorrection = () => {
  const draft = storage.get(correctionKey(id))
  if (draft === undefined) return isCorrected() && correctionChanged()
  const drop = () => storage.remove(correctionKey(id))
  if (plainText(draft.text) === plainText(correction.saved)) return drop()
  if (draft.recording !== corrected.dataset.transcript) return offerVersion(question, draft.text, undefined, drop)
  if (draft.known !== known.value && !draft.sent.includes(markOf(correction.saved))) return offerUnsent(draft.text)
  corrected.value = draft.text
  corrected.closest("details").open = true
  saveCorrection()
}

export const offerCorrection = () => {
  if (!corrected) {
    const draft = question && storage.get(correctionKey(id))
    if (draft) offerVersion(question, draft.text, undefined, () => storage.remove(correctionKey(id)))
    return
  }
  restoreCorrection()
  corrected.addEventListener("input", correctionChanged)
  corrected.addEventListener("change", saveCorrection)
  addEventListener("online", saveCorrection)
  addEventListener("pagehide", saveCorrection)
  document.addEventListener("visibilitychange", () => document.hidden && saveCorrection())
  addEventListener("beforeunload", (event) => {
    if (work.leaving || !isCorrected()) return
    saveCorrection()
    // the browser asks only when the device cannot store the draft
    if (storage.get(correctionKey(id)) === undefined) event.preventDefault()
  })
}
