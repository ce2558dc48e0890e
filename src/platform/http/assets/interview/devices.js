/** The microphone and the camera: which ones, whether they can be used, and how loud it is. */
import { find, inWindow } from "./page.js"

const types = {
  audio: ["audio/webm;codecs=opus", "audio/mp4", "audio/ogg;codecs=opus"],
  video: ["video/webm;codecs=vp8,opus", "video/mp4"],
}
/** Bits per second: speech is understood with these, and a minute of video has 5 MB. */
const rates = { audioBitsPerSecond: 40_000, videoBitsPerSecond: 600_000 }

const inputs = { microphone: "audioinput", camera: "videoinput" }
/** The devices that the candidate chose, until the window is closed. */
const chosen = "interview.devices"
const choiceOf = (input) => {
  const id = inWindow.get(chosen)?.[input]
  return id === undefined ? {} : { deviceId: { exact: id } }
}
const wanted = (kind) => ({
  audio: { ...choiceOf("microphone") },
  ...(kind === "video" && {
    video: {
      width: { ideal: 640 },
      height: { ideal: 480 },
      frameRate: { max: 24 },
      facingMode: "user",
      ...choiceOf("camera"),
    },
  }),
})

const errors = {
  NotAllowedError: "denied",
  SecurityError: "denied",
  NotFoundError: "noDevice",
  OverconstrainedError: "noDevice",
  NotReadableError: "busy",
  AbortError: "busy",
  NotSupportedError: "unsupported",
}

const spokenCatalogue = JSON.parse(find("[data-spoken-words]")?.dataset.spokenWords ?? "{}")
export const spokenWords = (key, values = {}) => spokenCatalogue[key].replace(/\{(\w+)\}/g, (_, name) => values[name])

/** "1:05" */
export const recordedClock = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`

const typeOf = (kind) =>
  "MediaRecorder" in window ? types[kind].find((one) => MediaRecorder.isTypeSupported(one)) : undefined

/** Returns the stream, or the key of the words that say why there is none. */
export const openDevices = async (kind) => {
  if (!window.isSecureContext) return { fault: "insecure" }
  if (!typeOf(kind) || !navigator.mediaDevices?.getUserMedia) return { fault: "unsupported" }
  try {
    return { stream: await navigator.mediaDevices.getUserMedia(wanted(kind)) }
  } catch (error) {
    // the chosen device is no longer there
    if (error.name === "OverconstrainedError" && inWindow.get(chosen) !== undefined) {
      inWindow.remove(chosen)
      return openDevices(kind)
    }
    return { fault: errors[error.name] ?? "noDevice" }
  }
}

export const recorderOf = (stream, kind) => new MediaRecorder(stream, { mimeType: typeOf(kind), ...rates })

/** Offers the microphones and cameras where there are several. `onChoice` runs when another one is chosen. */
export const offerDevices = async (kind, stream, root, onChoice) => {
  const devices = await navigator.mediaDevices.enumerateDevices()
  for (const [input, type] of Object.entries(inputs)) {
    const field = find(`[data-device="${input}"]`, root)
    if (!field) continue
    const own = devices.filter((device) => device.kind === type && device.label !== "")
    field.hidden = own.length < 2 || (input === "camera" && kind !== "video")
    const select = find("select", field)
    const used = stream.getTracks().find((track) => track.kind === (input === "camera" ? "video" : "audio"))
    select.replaceChildren(
      ...own.map(({ deviceId, label }) => {
        const isUsed = deviceId === used?.getSettings().deviceId
        return new Option(label, deviceId, isUsed, isUsed)
      }),
    )
    select.onchange = () => {
      inWindow.set(chosen, { ...inWindow.get(chosen), [input]: select.value })
      onChoice()
    }
  }
}

/** Of the loudness, from 0 to 1. */
const audible = 0.05
/** Milliseconds of silence until it is said. */
const silence = 3_000

/** Shows the loudness as a bar and in words. Returns how to end that. */
export const showLoudness = (stream, root) => {
  const bar = find("[data-level]", root)
  const said = find("[data-said-level]", root)
  said.textContent = ""
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  context.createMediaStreamSource(stream).connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  let heardAt = performance.now()
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples)
    bar.value = Math.min(1, 4 * Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length))
    const isHeard = bar.value >= audible
    if (isHeard) heardAt = performance.now()
    const isQuiet = performance.now() - heardAt > silence
    // screen readers announce each write
    const text = isQuiet ? spokenWords("quiet") : isHeard ? spokenWords("heard") : said.textContent
    if (said.textContent !== text) said.textContent = text
  }, 100)
  return () => {
    clearInterval(timer)
    context.close().catch(() => {})
  }
}

/** Calls `onSecond` with the seconds left until they are over. `stop` gets how to end it before. */
export const waitFor = (seconds, onSecond, stop) =>
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

/**
 * Records until `seconds` are over, the page's button is pressed or the recorder stops by itself, and shows the time left.
 * Returns how to end it before, and its end. Throws when the devices are gone.
 */
export const recordFor = (recorder, seconds, root, pieceTime) => {
  const left = find("[data-left]", root)
  const button = find("[data-stop]", root)
  const stopped = new Promise((resolve) => {
    recorder.onstop = resolve
  })
  recorder.start(pieceTime)
  let stop
  const over = waitFor(
    seconds,
    (now) => {
      const text = spokenWords("recording", { left: recordedClock(now) })
      if (left.textContent !== text) left.textContent = text
    },
    (finished) => {
      stop = finished
      button.onclick = finished
    },
  )
  const recorded = Promise.race([over, stopped]).then(() => {
    stop()
    if (recorder.state !== "inactive") recorder.stop()
    return stopped
  })
  return { stop, recorded }
}
