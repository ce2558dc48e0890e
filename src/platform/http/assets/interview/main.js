/**
 * The script of the candidate's pages: reports the first human action, saves answers while typing, keeps unsent text,
 * shows changes of other windows, uploads with progress, and counts down. Without it, everything works by buttons.
 */
import { id, showAnswered, showCount } from "./answer.js"
import { countDown } from "./clock.js"
import { resume, sendDrafts } from "./drafts.js"
import { showLate } from "./late.js"
import { channel, find, form, running } from "./page.js"
import { guard, whenReachable } from "./reach.js"
import { autosave } from "./saving.js"
import { state } from "./service.js"
import { goOn, submitOnce, upload } from "./steps.js"
import { refresh } from "./windows.js"

const initiate = (address) => {
  const acts = ["pointerdown", "keydown"]
  const told = () => {
    for (const act of acts) removeEventListener(act, told)
    fetch(address, { method: "POST", keepalive: true }).catch(() => {})
  }
  for (const act of acts) addEventListener(act, told, { passive: true })
}

// A page from the browser's cache may be outdated: it saves nothing and follows no links.
addEventListener("pageshow", ({ persisted }) => persisted && whenReachable(() => location.reload()))

const invited = find("[data-initiate]")
if (invited) initiate(invited.dataset.initiate)

const over = find("[data-forget]")
if (over) showLate(over)

// the service submits within seconds; the receipt has the same URL
const waiting = find("[data-wait]")
if (waiting)
  setInterval(async () => {
    const now = await state(waiting.dataset.wait).catch(() => undefined)
    if (now !== undefined && now.state !== "time_over") location.reload()
  }, 2_000)

guard()

if (running) {
  document.documentElement.dataset.scripted = ""
  channel?.addEventListener(
    "message",
    ({ data }) => data.draft === running.dataset.draft && data.id === id && refresh(),
  )
  document.addEventListener("visibilitychange", () => document.hidden || refresh())
  addEventListener("focus", refresh)
  submitOnce(find("#finish"))
  const clock = find("[data-seconds-left]")
  if (clock) countDown(clock)
  addEventListener("online", refresh)
  addEventListener("online", sendDrafts)
  sendDrafts()
}
if (form) {
  showAnswered()
  showCount()
  autosave()
  resume()
  goOn()
  const file = find("[type=file]", form)
  if (file) upload(file)
}
