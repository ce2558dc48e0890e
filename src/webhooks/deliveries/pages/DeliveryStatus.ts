/** Components for deliveries, attempts and responses. */
import { countText, cut, sinceText } from "../../../accounts/pages/WorkspacePage.ts"
import { displayName } from "../../../candidates/Candidate.ts"
import { type Html, html } from "../../../platform/http/Html.ts"
import { moment } from "../../../platform/http/PageParts.ts"
import type { EndpointView } from "../../endpoints/Endpoints.ts"
import { formatted, jsonBlock } from "../../events/pages/JsonBlock.ts"
import type { Attempt } from "../Delivery.ts"
import type { DeliveryRow } from "../DeliveryRepository.ts"

export const stateNames: Readonly<Record<DeliveryRow["state"], string>> = {
  queued: "Waiting",
  parked: "Paused",
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

export const nextText = (
  { attempts, due_at, resent_at, state }: DeliveryRow,
  { max_per_minute, next_probe_at }: Pick<EndpointView, "max_per_minute" | "next_probe_at">,
  now: Date,
): Html | null => {
  if (state === "queued" && due_at !== null) {
    const which = attempts === 0 ? "first" : "next"
    if (due_at > now) return html`${which} attempt ${sinceText(due_at, now)}, at ${moment(due_at, "time")}`
    return max_per_minute === null
      ? html`${which} attempt is due now`
      : html`${which} attempt is sent when the limit of ${countText(max_per_minute, "attempt", "attempts")} per minute allows it`
  }
  if (state === "parked") {
    return next_probe_at === null ? html`paused until you send it` : html`paused until the webhook works again`
  }
  return resent_at === null ? null : html`sent again ${moment(resent_at, "short")}`
}

export const outcomeText = ({ attempt_log, attempts }: DeliveryRow): string => {
  const last = attempt_log.at(-1)
  if (last === undefined) return "no attempts yet"
  const result = last.error === null ? `answered ${last.status}` : cut(last.error, 120)
  return `${countText(attempts, "attempt", "attempts")} · ${result} · ${last.duration_ms} ms`
}

/** The candidate's name or address. */
const candidateText = ({ candidate }: Pick<DeliveryRow, "candidate">): string => {
  if (candidate === null) return "Submission"
  const name = displayName({ ...candidate, email: null }) || candidate.email
  return cut(name || (candidate.is_erased ? "Erased person" : "Candidate without a name"), 60)
}

/** Links to the submission; null when the event was deleted. */
export const candidateLink = (delivery: Pick<DeliveryRow, "candidate" | "submission_id">): Html | null =>
  delivery.submission_id === null || delivery.candidate === null
    ? null
    : html`<a class="whose" href="/submissions/${delivery.submission_id}"><bdi>${candidateText(delivery)}</bdi></a>`

const hints: ReadonlyArray<readonly [RegExp | ((status: number) => boolean), string]> = [
  [
    (status) => status === 401 || status === 403,
    "The receiver rejected the signature. Check that it verifies with this webhook's secret, over the raw body before parsing.",
  ],
  [(status) => status === 404 || status === 410, "The address does not accept webhooks. Check the path."],
  [(status) => status === 405, "The address does not accept POST requests."],
  [
    (status) => status === 400 || status === 422,
    "The receiver did not accept the body. It may not know an event or a field that was added.",
  ],
  [(status) => status === 413, "The receiver does not accept bodies of this size."],
  [(status) => status === 429, "The receiver limits the rate of requests. The delay grows with each attempt."],
  [(status) => status >= 300 && status < 400, "If that address is yours, enter it as the webhook's address."],
  [(status) => status >= 500, "The receiver failed. Check its log."],
  [/seconds|in time/i, "Answer with 2xx first, then process the event."],
  [/certificate|secure connection|TLS/i, "Check the receiver's certificate and its chain."],
  [/resolve|name/i, "Check that the host name is right and public."],
  [/connection was refused/i, "Check that the receiver is running and reachable from the internet."],
]

const advice = ({ error, status }: Attempt): string | undefined =>
  error === null
    ? undefined
    : hints.find(([matches]) =>
        typeof matches === "function" ? status !== null && matches(status) : status === null && matches.test(error),
      )?.[1]

/** Bytes in escaped HTML. */
const sizeOf = (char: string): number => ({ "&": 5, "<": 4, ">": 4, '"': 6, "'": 5 })[char] ?? Buffer.byteLength(char)

/** `max`: bytes in escaped HTML. */
export const excerpt = (text: string, max: number): { readonly shown: string; readonly isAll: boolean } => {
  let size = 0
  let shown = ""
  for (const char of text) {
    size += sizeOf(char)
    if (size > max) return { shown, isAll: false }
    shown += char
  }
  return { shown, isAll: true }
}

/** `max`: bytes of the page; `rest` links to the whole response. */
export const answerBlock = ({ answer }: Attempt, max: number, rest: Html | null, id = "response"): Html | null => {
  if (answer === null) return null
  if (answer === "") return html`<p class="note">The response had no body.</p>`
  const pretty = formatted(answer)
  if (pretty !== undefined && excerpt(answer + pretty, max).isAll) {
    return jsonBlock({ id, label: "Response", text: answer, rawLabel: "Response as received" })
  }
  const { isAll, shown } = excerpt(answer, max)
  return html`<p class="label">Response</p><pre class="block" tabindex="0" aria-label="Response">${shown}</pre>${
    isAll ? null : html`<p class="note">Shortened.${rest === null ? null : html` ${rest}`}</p>`
  }`
}

export const errorNote = (attempt: Attempt): Html => {
  const hint = advice(attempt)
  return html`${attempt.error === null ? null : html`<p class="error">${cut(attempt.error, 400)}.</p>`}
${hint === undefined ? null : html`<p>${hint}</p>`}`
}

export const answerTag = ({ error, status }: Attempt): Html =>
  html`<span class="tag ${error === null ? "on" : "bad"}">${status ?? "No response"}</span>`
