/** Saves the corrected transcript of a spoken answer while the candidate goes on; its button works without the script. */
import { find, question, say, words } from "./page.js"
import { work } from "./saving.js"

const corrected = question && find("[name=transcript]", question)
const isCorrected = () => corrected.value !== corrected.defaultValue

let correcting

const sendCorrection = async () => {
  const { form, value } = corrected
  const body = new URLSearchParams(new FormData(form))
  const answer = await fetch(form.action, {
    method: "POST",
    headers: { accept: "application/json" },
    body,
    keepalive: String(body).length < 60_000,
  }).catch(() => undefined)
  if (answer?.ok) corrected.defaultValue = value
  else say(words("again"), true)
  return answer?.ok === true
}

/** Returns whether the service has the transcript as it is corrected. */
export const saveCorrection = async () => {
  if (!corrected || !isCorrected()) return true
  correcting ??= sendCorrection().finally(() => {
    correcting = undefined
  })
  return correcting
}

export const offerCorrection = () => {
  if (!corrected) return
  corrected.addEventListener("change", saveCorrection)
  corrected.form.addEventListener("submit", () => {
    corrected.defaultValue = corrected.value
  })
  addEventListener("beforeunload", (event) => isCorrected() && !work.leaving && event.preventDefault())
}
