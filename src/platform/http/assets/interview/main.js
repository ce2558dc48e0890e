/** The script of the candidate's pages. The pages work without it. */
import { id, showAnswered, showCount } from "./answer.js"
import { countDown } from "./clock.js"
import { offerCorrection } from "./correction.js"
import { restoreDraft, sendDrafts } from "./drafts.js"
import { showUnsent } from "./late.js"
import { channel, find, form, running } from "./page.js"
import { guardNavigation, whenReachable } from "./reach.js"
import { offerRecording } from "./recorder.js"
import { autosave } from "./saving.js"
import { state } from "./service.js"
import { handleSubmit, submitOnce, upload } from "./steps.js"
import { offerTrial } from "./trial.js"
import { refresh } from "./windows.js"

const initiate = (address) => {
  const acts = ["pointerdown", "keydown"]
  const report = () => {
    for (const act of acts) removeEventListener(act, report)
    fetch(address, { method: "POST", keepalive: true }).catch(() => {})
  }
  for (const act of acts) addEventListener(act, report, { passive: true })
}

// a page from the back/forward cache may be outdated
addEventListener("pageshow", ({ persisted }) => persisted && whenReachable(() => location.reload()))

const invited = find("[data-initiate]")
if (invited) initiate(invited.dataset.initiate)

const unsent = find("[data-forget]")
if (unsent) showUnsent(unsent)

// the service submits within seconds; the receipt has the same address
const waiting = find("[data-wait]")
if (waiting)
  setInterval(async () => {
    const now = await state(waiting.dataset.wait).catch(() => undefined)
    if (now !== undefined && now.state !== "time_over") location.reload()
  }, 2_000)

guardNavigation()

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
offerRecording()
offerTrial()
if (form) {
  showAnswered()
  showCount()
  autosave()
  restoreDraft()
  offerCorrection()
  handleSubmit()
  const file = find(".upload [type=file]", form)
  if (file) upload(file)
}
