/** How a delivery and its attempts are, in words. */

import { countText, cut, sinceText } from "../../accounts/pages/WorkspacePage.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import type { Attempt } from "../Delivery.ts"
import type { DeliveryRow } from "../DeliveryHistoryRepository.ts"

export const stateNames: Readonly<Record<DeliveryRow["state"], string>> = {
  queued: "Waiting",
  parked: "Parked",
  delivered: "Delivered",
  failed: "Failed",
}

const classes: Readonly<Record<DeliveryRow["state"], string>> = {
  queued: "",
  parked: "off",
  delivered: "on",
  failed: "bad",
}

export const stateTag = ({ attempts, state }: Pick<DeliveryRow, "attempts" | "state">): Html => {
  const isRetried = state === "queued" && attempts > 0
  return html`<span class="tag ${isRetried ? "off" : classes[state]}">${isRetried ? "Failing" : stateNames[state]}</span>`
}

/** What comes next, or why nothing does. */
export const nextText = ({ attempts, due_at, resent_at, state }: DeliveryRow, now: Date): Html | null => {
  if (state === "queued" && due_at !== null) {
    const which = attempts === 0 ? "first" : "next"
    return due_at > now
      ? html`${which} attempt ${sinceText(due_at, now)}, at ${moment(due_at, "time")}`
      : html`${which} attempt is due now`
  }
  if (state === "parked") return html`sent when the webhook is active again and somebody asks for it`
  return resent_at === null ? null : html`sent again ${moment(resent_at, "short")}`
}

/** The last attempt, in a few words. */
export const outcome = ({ attempt_log, attempts }: DeliveryRow): string => {
  const last = attempt_log.at(-1)
  if (last === undefined) return "not tried yet"
  const said = last.error === null ? `answered ${last.status}` : cut(last.error, 120)
  return `${countText(attempts, "attempt", "attempts")} · ${said}`
}

const hints: ReadonlyArray<readonly [RegExp | ((status: number) => boolean), string]> = [
  [
    (status) => status === 401 || status === 403,
    "It did not trust the request. Does it verify with this webhook's secret, over the raw body, before anything parses it?",
  ],
  [(status) => status === 404 || status === 410, "Nothing takes webhooks at this address. Is the path right?"],
  [(status) => status === 405, "It takes no POST at this address."],
  [
    (status) => status === 400 || status === 422,
    "It could not make sense of the body. It may not know an event or a field that was added.",
  ],
  [(status) => status === 413, "It refuses bodies of this size."],
  [(status) => status === 429, "It was asked too often. Deliveries wait longer with each attempt."],
  [(status) => status >= 300 && status < 400, "Enter the address that it points to, if it is yours."],
  [(status) => status >= 500, "Something failed at the receiver. Its own log knows what."],
  [/seconds|in time/i, "Answer first with 2xx, and do the work afterwards."],
  [/certificate|secure connection|TLS/i, "Have a look at the receiver's certificate and its chain."],
  [/resolve|name/i, "Is the host name right, and public?"],
  [/refused: nobody listens/i, "Is the receiver running, and reachable from the internet?"],
]

/** What to look at after a failure. */
export const advice = ({ error, status }: Attempt): string | undefined =>
  error === null
    ? undefined
    : hints.find(([matches]) =>
        typeof matches === "function" ? status !== null && matches(status) : status === null && matches.test(error),
      )?.[1]

/** The bytes that stand in the page for a character of text. */
const sizeOf = (char: string): number => ({ "&": 5, "<": 4, ">": 4, '"': 6, "'": 5 })[char] ?? Buffer.byteLength(char)

/** As much of a text as takes so many bytes on a page, and whether that is all. */
export const excerpt = (text: string, most: number): { readonly shown: string; readonly isAll: boolean } => {
  let size = 0
  let shown = ""
  for (const char of text) {
    size += sizeOf(char)
    if (size > most) return { shown, isAll: false }
    shown += char
  }
  return { shown, isAll: true }
}
