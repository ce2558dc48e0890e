/** Records a spoken answer with the microphone or the camera. */
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

const box = question && find("[data-recorder]", question)
const spokenWords = (key, values = {}) =>
  JSON.parse(box.dataset.words)[key].replace(/\{(\w+)\}/g, (_, name) => values[name])

const types = {
  audio: ["audio/webm;codecs=opus", "audio/mp4", "audio/ogg;codecs=opus"],
  video: ["video/webm;codecs=vp8,opus", "video/mp4"],
}
/** Bits per second: speech is understood with these, and a minute of video has 5 MB. */
const rates = { audioBitsPerSecond: 40_000, videoBitsPerSecond: 600_000 }
const wanted = {
  audio: { audio: true },
  video: {
    audio: true,
    video: { width: { ideal: 640 }, height: { ideal: 480 }, frameRate: { max: 24 }, facingMode: "user" },
  },
}
/** Milliseconds: what a window that closes may lose. */
const pieceTime = 4_000

/** The recording that runs; undefined: none. */
let current

const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`

const errors = {
  NotAllowedError: "denied",
  SecurityError: "denied",
  NotFoundError: "noDevice",
  OverconstrainedError: "noDevice",
  NotReadableError: "busy",
  AbortError: "busy",
  NotSupportedError: "unsupported",
}

const fail = (key) => {
  const alert = find("[data-recorder-error]", box)
  alert.textContent = spokenWords(key)
  alert.hidden = false
  showRecorder(false)
}

const showRecorder = (isActive) => {
  find("[data-recording]", box).hidden = !isActive
  find("[data-record-actions]", box).hidden = isActive
  const chooser = find("[data-chooser]", box)
  if (chooser) chooser.hidden = isActive
  box.toggleAttribute("data-active", isActive)
}

const showStatus = (text) => {
  find("[data-recorder-status]", box).textContent = text
}

/** Shows the loudness, so that a candidate sees that the microphone works. */
const meter = (stream) => {
  const bar = find("[data-level]", box)
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  context.createMediaStreamSource(stream).connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples)
    bar.value = Math.min(1, 4 * Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length))
  }, 100)
  return () => {
    clearInterval(timer)
    context.close().catch(() => {})
  }
}

const waitFor = (seconds, onSecond, stop) =>
  new Promise((resolve) => {
    const end = performance.now() + seconds * 1000
    const tick = () => {
      const left = Math.ceil((end - performance.now()) / 1000)
      onSecond(Math.max(0, left))
      if (left <= 0) finished()
    }
    const timer = setInterval(tick, 250)
    const finished = () => {
      clearInterval(timer)
      resolve()
    }
    stop(finished)
    tick()
  })

/** The page shows the recording from now on. */
const reload = () => location.replace(`${location.pathname}${find("[name=from]", form) ? "?review&saved" : "?saved"}`)

const record = async (kind) => {
  find("[data-recorder-error]", box).hidden = true
  if (!window.isSecureContext) return fail("insecure")
  const type = "MediaRecorder" in window && types[kind].find((one) => MediaRecorder.isTypeSupported(one))
  if (!type || !navigator.mediaDevices?.getUserMedia) return fail("unsupported")
  let stream
  try {
    stream = await navigator.mediaDevices.getUserMedia(wanted[kind])
  } catch (error) {
    return fail(errors[error.name] ?? "noDevice")
  }
  const release = meter(stream)
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
  stopButton.focus()
  const preparation = Number(box.dataset.preparation)
  if (preparation > 0) {
    stopButton.textContent = spokenWords("startNow")
    await waitFor(
      preparation,
      (seconds) => (left.textContent = spokenWords("prepare", { seconds })),
      (finished) => {
        stopButton.onclick = finished
      },
    )
  }
  stopButton.textContent = spokenWords("stop")
  const recording = await beginRecording(question.dataset.question, kind, find("[name=attempt]").value).catch(
    () => undefined,
  )
  if (recording?.id === undefined) {
    close()
    return fail(recording?.refused?.status === 409 ? "noTakes" : "refused")
  }
  await exclusively(recording.id, async () => {
    const recorder = new MediaRecorder(stream, { mimeType: type, ...rates })
    // pieces are kept in the order in which they come
    let kept = Promise.resolve()
    recorder.ondataavailable = ({ data }) => {
      if (data.size === 0) return
      kept = kept.then(() => keepPieces(recording, data))
      kept.then(() => sendRecording(recording.id))
    }
    const stopped = new Promise((resolve) => {
      recorder.onstop = resolve
    })
    let lost = false
    for (const track of stream.getTracks())
      track.onended = () => {
        lost = true
        if (recorder.state !== "inactive") recorder.stop()
      }
    recorder.start(pieceTime)
    const flush = () => document.hidden && recorder.state === "recording" && recorder.requestData()
    document.addEventListener("visibilitychange", flush)
    let end
    current = { stop: () => end?.(), done: undefined }
    const task = (async () => {
      await Promise.race([
        waitFor(
          Number(box.dataset.maxSeconds),
          (seconds) => {
            const text = spokenWords("recording", { left: clock(seconds) })
            if (left.textContent !== text) left.textContent = text
          },
          (finished) => {
            end = finished
            stopButton.onclick = finished
          },
        ),
        stopped,
      ])
      end()
      if (recorder.state !== "inactive") recorder.stop()
      await stopped
      await kept
      document.removeEventListener("visibilitychange", flush)
      close()
      showStatus(spokenWords("sending"))
      const isAnswer = await finishRecording(recording)
      if (!isAnswer) {
        showStatus("")
        return fail("refused")
      }
      if (lost) showStatus(spokenWords("stopped"))
      return true
    })()
    current.done = task
    if ((await task) === true && !isLeaving) reload()
  })
}

let isLeaving = false

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
  watchSending((state) => box && showStatus(state === "sending" && isRecording() ? "" : spokenWords(state)))
  // a recording that was interrupted is an answer now
  if ((await resumeRecordings()) > 0 && running) location.replace(`${location.pathname}?saved`)
  if (!box) return
  showRecorder(false)
  for (const button of box.querySelectorAll("[data-record]")) button.onclick = () => record(button.dataset.record)
  addEventListener("beforeunload", (event) => isRecording() && !isLeaving && event.preventDefault())
}
