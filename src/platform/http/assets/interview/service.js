/** Requests: the state of the interview, saving an answer. */
import { fingerprint } from "./answer.js"
import { find, running } from "./page.js"

/** Milliseconds on the monotonic clock. */
let end

/** `since`: when the request began, in milliseconds on the monotonic clock. */
export const setSecondsLeft = (seconds, since) => {
  end = since + seconds * 1000
}
export const secondsLeft = () => Math.max(0, Math.ceil((end - performance.now()) / 1000))

export const state = async (address = running.dataset.state) => {
  const startedAt = performance.now()
  const answer = await fetch(address, { headers: { accept: "application/json" } })
  if (!answer.ok) return
  const now = await answer.json()
  if (now.seconds_left !== null) setSecondsLeft(now.seconds_left, startedAt)
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
    // the request outlives the page; browsers allow 64 KiB
    keepalive: String(fields).length < 60_000,
  })
}

export const withFingerprint = (sent, value) => [...new Set([...sent, fingerprint(value)])]

/**
 * Saves an answer. If the service has a newer revision that this device sent, saves again on top of it. Returns the
 * response and, if another window or device has saved, its newer revision.
 */
export const send = async (question, { revision, sent, value }) => {
  const answer = await post(question, revision, value)
  if (answer.status !== 412) return { answer }
  const [newer] = (await answer.json()).newer
  if (!sent.includes(fingerprint(newer))) return { answer, newer }
  return send(question, { revision: newer.revision, sent, value })
}
