/** What the script asks of the service: where the interview stands, and to keep an answer. */
import { printOf } from "./answer.js"
import { find, running } from "./page.js"

/** When the time is over, on a clock that goes on evenly, whatever is done to the device's own. */
let end

/** The service gave so many seconds, at some moment after `since` on that clock. */
export const anchor = (seconds, since) => {
  end = since + seconds * 1000
}
export const secondsLeft = () => Math.max(0, Math.ceil((end - performance.now()) / 1000))

/** Where the interview stands by now. */
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
    // lets it finish when the page goes away; browsers allow that for 64 KiB
    keepalive: String(fields).length < 60_000,
  })
}

/** What has left by now, with this answer. */
export const noted = (sent, value) => [...new Set([...sent, printOf(value)])]

/**
 * Sends an answer that was written on top of a revision. Where the service has a newer one that left from here too, this
 * goes on top of it. Gives the response, and with it what somebody else has written since.
 */
export const send = async (question, { revision, sent, value }) => {
  const answer = await post(question, revision, value)
  if (answer.status !== 412) return { answer }
  const [newer] = (await answer.json()).newer
  if (!sent.includes(printOf(newer))) return { answer, newer }
  return send(question, { revision: newer.revision, sent, value })
}
