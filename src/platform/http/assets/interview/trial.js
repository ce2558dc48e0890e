/** Tries the microphone and the camera before the interview begins. Nothing of it is sent or stored. */
import { offerDevices, openDevices, recorderOf, recordFor, showLoudness, spokenWords } from "./devices.js"
import { find } from "./page.js"

const trial = find("[data-trial]")
const practiceSeconds = 10

/** Ends what is open; undefined: nothing is. */
let endTrial

const failTrial = (key) => {
  const alert = find("[data-trial-error]", trial)
  alert.textContent = spokenWords(key)
  alert.hidden = false
}

const showTrial = (isOpen) => {
  find("[data-trial-box]", trial).hidden = !isOpen
  find("[data-trial-start]", trial).hidden = isOpen
}

/** Replaces what was recorded before by this recording; undefined: by nothing. */
const showPractice = (kind, recorded) => {
  const place = find("[data-played]", trial)
  const before = find("audio, video", place)
  if (before) {
    URL.revokeObjectURL(before.src)
    before.remove()
  }
  place.hidden = recorded === undefined
  find("[data-preview]", trial).hidden = kind !== "video" || recorded !== undefined
  if (recorded === undefined) return
  const player = document.createElement(kind)
  Object.assign(player, {
    className: "recorded",
    controls: true,
    playsInline: true,
    src: URL.createObjectURL(recorded),
  })
  player.setAttribute("aria-label", spokenWords("practised"))
  place.append(player)
  player.play().catch(() => {})
}

const practise = async (stream, kind) => {
  const start = find("[data-practise]", trial)
  const stop = find("[data-stop]", trial)
  const left = find("[data-left]", trial)
  showPractice(kind)
  const recorder = recorderOf(stream, kind)
  const pieces = []
  recorder.ondataavailable = ({ data }) => pieces.push(data)
  const { recorded } = recordFor(recorder, practiceSeconds, trial)
  trial.setAttribute("data-active", "")
  stop.hidden = false
  start.hidden = true
  stop.focus({ preventScroll: true })
  find(".recording", trial).scrollIntoView({ block: "nearest" })
  await recorded
  trial.removeAttribute("data-active")
  stop.hidden = true
  start.hidden = false
  left.textContent = ""
  // the trial was ended meanwhile
  if (!stream.active) return
  start.focus()
  showPractice(kind, new Blob(pieces, { type: recorder.mimeType }))
}

const openTrial = async (kind) => {
  find("[data-trial-error]", trial).hidden = true
  endTrial?.()
  const { fault, stream } = await openDevices(kind)
  if (fault) return failTrial(fault)
  showTrial(true)
  showPractice(kind)
  const preview = find("[data-preview]", trial)
  preview.srcObject = kind === "video" ? stream : null
  preview.play?.().catch(() => {})
  const release = showLoudness(stream, trial)
  endTrial = () => {
    endTrial = undefined
    release()
    for (const track of stream.getTracks()) {
      track.onended = null
      track.stop()
    }
    showPractice(kind)
    preview.srcObject = null
    showTrial(false)
  }
  for (const track of stream.getTracks())
    track.onended = () => {
      endTrial?.()
      failTrial("noDevice")
    }
  find("[data-practise]", trial).onclick = () => practise(stream, kind)
  find("[data-practise]", trial).focus({ preventScroll: true })
  find("[data-end-trial]", trial).onclick = () => {
    endTrial?.()
    find("[data-try]", trial).focus()
  }
  await offerDevices(kind, stream, trial, () => openTrial(kind))
  trial.scrollIntoView({ block: "nearest" })
}

export const offerTrial = () => {
  if (!trial) return
  trial.hidden = false
  for (const button of trial.querySelectorAll("[data-try]")) button.onclick = () => openTrial(button.dataset.try)
}
