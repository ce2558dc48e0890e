/** Records a spoken answer with the microphone or the camera. */
import { openDevices, recordedClock, recorderOf, recordFor, showLoudness, spokenWords, waitFor } from "./devices.js"
import { find, form, question, running } from "./page.js"
import {
  beginRecording,
  exclusively,
  finishRecording,
  keepPieces,
  resumeRecordings,
  sendRecording,
  watchSending,
} from "./pieces.js"
import { state } from "./service.js"

const box = question && find("[data-recorder]", question)

/** Milliseconds: what a window that closes may lose. */
const pieceTime = 4_000

/** The recording that runs; undefined: none. */
let current
let isLeaving = false

const fail = (key) => {
  const alert = find("[data-recorder-error]", box)
  alert.textContent = spokenWords(key)
  alert.hidden = false
  showRecorder(false)
}

/** While it records, the page shows only that. */
const showRecorder = (isActive) => {
  find("[data-recording]", box).hidden = !isActive
  const actions = find("[data-record-actions]", box)
  if (actions) actions.hidden = isActive
  box.toggleAttribute("data-active", isActive)
}

/** Whether the interview ended while this page was open. */
const hasEnded = async () => {
  const now = await state().catch(() => undefined)
  return now !== undefined && now.state !== "running"
}

/** The recording that was stopped and is sent, and is not the answer yet; undefined: none. */
let sent

/** `left`: pieces that the service does not have. */
const showSending = (key, left) => {
  const status = find("[data-recorder-status]", box)
  const text = key === undefined || (key === "sending" && isRecording()) ? "" : spokenWords(key)
  // screen readers announce each write
  if (status.textContent !== text) status.textContent = text
  find("[data-sending]", box).dataset.sending = key ?? ""
  const bar = find("[data-sent]", box)
  bar.hidden = sent === undefined || key === "waiting"
  // the piece on its way counts half, and the end of the recording is the last step
  if (sent) bar.value = Math.max(0, sent.count - left + 0.5) / (sent.count + 1)
}

/** While a stopped recording is sent, the page shows only that, so that it is not recorded again. */
const beginSending = (recording, length = "") => {
  sent = recording
  box.toggleAttribute("data-sent-only", true)
  find("[data-sent-length]", box).textContent = length
  showSending("sending", recording.count)
}

const endSending = () => {
  sent = undefined
  box.toggleAttribute("data-sent-only", false)
  showSending(undefined)
}

/** The page shows the recording from now on. */
const reload = () => location.replace(`${location.pathname}${find("[name=from]", form) ? "?review&saved" : "?saved"}`)

const shownConsent = box && find('[name^="consent."]', box)

/** Another text about recordings is in force than this page showed. */
const showConsent = ({ consent, text }) => {
  const shown = find("[data-consent]", box)
  shown.textContent = text
  shownConsent.value = consent
  const fold = shown.closest("details")
  if (fold) fold.open = true
  shown.focus()
}

/** The key of the words for a recording that the service did not begin. */
const refusalOf = async (answer) => {
  if (answer?.status !== 409) return "refused"
  // a state: the interview is not running
  const { reason, state: ended, ...news } = await answer.json().catch(() => ({}))
  if (reason === "consent") {
    showConsent(news)
    return "consentChanged"
  }
  if (reason === "takes") return "noTakes"
  return reason === "closed" || ended !== undefined ? "closed" : "refused"
}

const record = async (kind) => {
  find("[data-recorder-error]", box).hidden = true
  const { fault, stream } = await openDevices(kind)
  if (fault) return fail(fault)
  const release = showLoudness(stream, box)
  const preview = find("[data-preview]", box)
  const stopButton = find("[data-stop]", box)
  const left = find("[data-left]", box)
  const close = () => {
    release()
    for (const track of stream.getTracks()) track.stop()
    preview.srcObject = null
    current = undefined
    showRecorder(false)
  }
  preview.hidden = kind !== "video"
  preview.srcObject = stream
  preview.play?.().catch(() => {})
  showRecorder(true)
  stopButton.focus({ preventScroll: true })
  find("[data-recording]", box).scrollIntoView({ block: "nearest" })
  const preparation = Number(box.dataset.preparation)
  if (preparation > 0) {
    stopButton.textContent = spokenWords("startNow")
    box.toggleAttribute("data-preparing", true)
    await waitFor(
      preparation,
      (seconds) => {
        const text = spokenWords("prepare", { left: recordedClock(seconds) })
        if (left.textContent !== text) left.textContent = text
      },
      (finished) => {
        stopButton.onclick = finished
      },
    )
    box.toggleAttribute("data-preparing", false)
  }
  stopButton.textContent = spokenWords("stop")
  const recording = await beginRecording({
    question: question.dataset.question,
    kind,
    attempt: find("[name=attempt]").value,
    consent: shownConsent.value,
  }).catch(() => undefined)
  if (recording?.id === undefined) {
    close()
    return fail(await refusalOf(recording?.refused))
  }
  await exclusively(recording.id, async () => {
    const recorder = recorderOf(stream, kind)
    // pieces are kept in the order in which they come
    let kept = Promise.resolve()
    recorder.ondataavailable = ({ data }) => {
      if (data.size === 0) return
      kept = kept.then(() => keepPieces(recording, data))
      kept.then(() => sendRecording(recording.id))
    }
    let lost = false
    for (const track of stream.getTracks())
      track.onended = () => {
        lost = true
        if (recorder.state !== "inactive") recorder.stop()
      }
    const startedAt = performance.now()
    let run
    try {
      run = recordFor(recorder, Number(box.dataset.maxSeconds), box, pieceTime)
    } catch {
      close()
      await finishRecording(recording)
      return fail("noDevice")
    }
    const flush = () => document.hidden && recorder.state === "recording" && recorder.requestData()
    document.addEventListener("visibilitychange", flush)
    current = { stop: run.stop, done: undefined }
    const task = (async () => {
      await run.recorded
      await kept
      document.removeEventListener("visibilitychange", flush)
      close()
      beginSending(recording, recordedClock(Math.round((performance.now() - startedAt) / 1000)))
      const isAnswer = await finishRecording(recording)
      if (!isAnswer) {
        endSending()
        return fail((await hasEnded()) ? "closed" : "refused")
      }
      if (lost) showSending("stopped", 0)
      return true
    })()
    current.done = task
    if ((await task) === true && !isLeaving) reload()
  })
}

/** Ends a running recording and waits until the service has it. The page goes on elsewhere afterwards. */
export const stopRecording = async () => {
  if (current === undefined) return
  isLeaving = true
  const { done } = current
  current.stop()
  await done
}

/** Whether leaving the page would end a recording. */
export const isRecording = () => current !== undefined

export const offerRecording = async () => {
  watchSending((key, left) => box && showSending(key, left))
  const resumed = await resumeRecordings((recording) => {
    if (box && recording.question === question.dataset.question) beginSending(recording)
  })
  // a recording that was interrupted is an answer now
  if (resumed > 0 && running) location.replace(`${location.pathname}?saved`)
  if (!box) return
  endSending()
  showRecorder(false)
  // without the script, the field is open
  const typed = find("[data-fold]", box)
  if (typed) typed.open = find("textarea", typed).value.trim() !== ""
  for (const button of box.querySelectorAll("[data-record]")) button.onclick = () => record(button.dataset.record)
  addEventListener("beforeunload", (event) => isRecording() && !isLeaving && event.preventDefault())
}
