/** Requests to the service: the state of the interview, and saving an answer. */
import { printOf } from "./answer.js"
import { find, running } from "./page.js"

/** The end of the time on the monotonic clock, which does not follow changes of the device's clock. */
let end

/** Sets the end from the remaining seconds, which the service computed after `since` on that clock. */
export const anchor = (seconds, since) => {
  end = since + seconds * 1000
}
export const secondsLeft = () => Math.max(0, Math.ceil((end - performance.now()) / 1000))

/** The current state of the interview. */
export const state = async (address = running.dataset.state) => {
  const asked = performance.now()
  const answer = await fetch(address, { headers: { accept: "application/json" } })
  if (!answer.ok) return
  const now = await answer.json()
  if (now.seconds_left !== null) anchor(now.seconds_left, asked)
  return now
}

const post = (question, revision, { content, option_ids }) => {
  const fields = new URLSearchParams({ question, attempt: find("[name=attempt]").value })
  fields.set(`revision.${question}`, revision)
  if (content !== null) fields.set(`answer.${question}`, content)
  else for (const option of ["", ...option_ids]) fields.append(`option.${question}`, option)
  return fetch(running.dataset.save, {
    method: "POST",
    body: fields,
    headers: { accept: "application/json" },
    // lets the request finish when the page closes; browsers allow this for 64 KiB
    keepalive: String(fields).length < 60_000,
  })
}

/** Adds an answer's fingerprint to the sent ones. */
export const noted = (sent, value) => [...new Set([...sent, printOf(value)])]

/**
 * Saves an answer on top of a revision. When the service has a newer revision that was sent from here, retries on top
 * of it. Returns the response, and another device's newer answer if any.
 */
export const send = async (question, { revision, sent, value }) => {
  const answer = await post(question, revision, value)
  if (answer.status !== 412) return { answer }
  const [newer] = (await answer.json()).newer
  if (!sent.includes(printOf(newer))) return { answer, newer }
  return send(question, { revision: newer.revision, sent, value })
}
