/** Counts down what the service gave. */
import { find, say, words } from "./page.js"
import { leave, save, work } from "./saving.js"

/** Saves and submits, unless there is no network. */
const finish = async () => {
  await save()
  if (work.leaving || !navigator.onLine) return
  leave()
  find("#finish").submit()
}

export const countDown = (clock) => {
  const given = Number(clock.dataset.secondsLeft)
  const end = Date.now() + given * 1000
  const figure = find("[data-clock]", clock)
  const warning = find("[data-warning]")
  const warnings = [
    { seconds: 60, text: words("oneMinute") },
    { seconds: 300, text: words("minutes", { minutes: 5 }) },
    { seconds: 600, text: words("minutes", { minutes: 10 }) },
  ].filter(({ seconds }) => seconds < given)
  find("[data-clock-label]", clock).textContent = words("left")
  const tick = async () => {
    const left = Math.max(0, Math.ceil((end - Date.now()) / 1000))
    const [hours, minutes, seconds] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60]
    const two = (count) => String(count).padStart(2, "0")
    figure.textContent = hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`
    clock.toggleAttribute("data-late", left <= 300)
    const due = warnings.findIndex((one) => left <= one.seconds)
    // the shortest that is due is said, the longer ones are over with it
    if (due >= 0) warning.textContent = warnings.splice(due)[0].text
    if (left > 0) return
    clearInterval(ticking)
    if (work.leaving) return
    say(words("over"))
    await finish()
    // without a network the page stays, and with it what was typed
    if (!work.leaving) addEventListener("online", finish)
  }
  const ticking = setInterval(tick, 1000)
  tick()
}
