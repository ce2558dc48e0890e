/** Counts down the seconds that the service reported. */
import { saveAll } from "./correction.js"
import { sendDrafts } from "./drafts.js"
import { counted, find, say, words } from "./page.js"
import { stopRecording } from "./recorder.js"
import { ended, leave, work } from "./saving.js"
import { secondsLeft, setSecondsLeft, state } from "./service.js"
import { refresh } from "./windows.js"

/** Saves, then submits. Returns false if the service does not answer; the page then stays open, with the typed text. */
const finish = async () => {
  stopRecording()
  const isSaved = await saveAll()
  if (work.leaving) return true
  const now = await state().catch(() => undefined)
  if (work.leaving || work.isSubmitting || now?.state === "running") return true
  if (isSaved) say(words("over"))
  if (now === undefined) return false
  const isStored = isSaved || (await saveAll())
  if (work.leaving) return true
  if (!isStored) return ended()
  work.isSubmitting = true
  await Promise.all([sendDrafts(), stopRecording()])
  leave()
  find("#finish").submit()
  return true
}

export const countDown = (clock) => {
  const given = Number(clock.dataset.secondsLeft)
  // the service computed this after the request began
  const [navigation] = performance.getEntriesByType("navigation")
  setSecondsLeft(given, navigation?.requestStart ?? performance.now())
  const figure = find("[data-clock]", clock)
  const warning = find("[data-warning]")
  const warningsBelow = (left) =>
    [
      { seconds: 60, text: words("oneMinute") },
      { seconds: 300, text: counted("minutes", 5) },
      { seconds: 600, text: counted("minutes", 10) },
    ].filter(({ seconds }) => seconds < left)
  let warnings = warningsBelow(given)
  let before = given
  find("[data-clock-label]", clock).textContent = words("left")
  let lastGap = Date.now() - performance.now()
  let isEnding = false
  const tick = async () => {
    const left = secondsLeft()
    const [hours, minutes, seconds] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60]
    const two = (count) => String(count).padStart(2, "0")
    figure.textContent = hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`
    clock.toggleAttribute("data-late", left <= 300)
    // more time was given
    if (left > before + 30) {
      warnings = warningsBelow(left)
      warning.textContent = counted("minutes", Math.floor(left / 60))
    }
    before = left
    const due = warnings.findIndex((one) => left <= one.seconds)
    if (due >= 0) warning.textContent = warnings.splice(due)[0].text
    // the monotonic clock may have stopped while the device slept
    const gap = Date.now() - performance.now()
    if (Math.abs(gap - lastGap) > 2_000) refresh()
    lastGap = gap
    if (left > 0 || isEnding || work.leaving) return
    isEnding = true
    if (!(await finish())) await new Promise((resolve) => setTimeout(resolve, 5_000))
    isEnding = false
  }
  setInterval(tick, 1000)
  // more time may be given meanwhile
  setInterval(() => document.hidden || work.leaving || isEnding || state().catch(() => undefined), 20_000)
  tick()
}
