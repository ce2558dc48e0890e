/** The settings of this service that /docs shows; replaces `{name}` in the API document by them. */
import { ByteSize, Duration, Effect } from "effect"
import type { Settings } from "../config/Config.ts"
import { durationText } from "../values/DurationText.ts"
import * as RetryPolicy from "../values/RetryPolicy.ts"
import { signatureHeaders, signingKey } from "../webhooks/deliveries/Signature.ts"
import { evaluatedEvent, signing } from "./Examples.ts"

const maxListedDelays = 8

const enumeration = (words: ReadonlyArray<string>): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`

/** "2, 4, 8, 16 and 32 minutes" */
const delayText = (delays: ReadonlyArray<Duration.Duration>): string => {
  const words = delays.map(durationText)
  const units = new Set(words.map((each) => each.replace(/^\d+ (\w+?)s?$/, "$1")))
  const [unit] = units
  return words.length > 1 && units.size === 1
    ? `${enumeration(words.map((each) => each.split(" ")[0] ?? ""))} ${unit}s`
    : enumeration(words)
}

const retriesText = (delays: ReadonlyArray<Duration.Duration>): string => {
  if (delays.length === 0) return "There are no retries."
  const maxDelay = delays.reduce(Duration.max, Duration.zero)
  const rest = delays.length > maxListedDelays ? `, and so on, at most ${durationText(maxDelay)} apart` : ""
  const total = delays.length + 1
  const when = delayText(delays.slice(0, maxListedDelays))
  return `There are up to ${total} attempts: retries follow ${when} after the previous attempt${rest} (plus up to 10 %).`
}

const exampleSignatures = signatureHeaders({
  eventId: evaluatedEvent.event_id,
  timestamp: signing.timestamp,
  body: Buffer.from(JSON.stringify(evaluatedEvent)),
  keys: [signingKey(signing.secret)],
})

export const placeholders = Effect.fnUntraced(function* (config: Settings): Effect.fn.Return<Record<string, string>> {
  const delays = yield* RetryPolicy.delays(yield* RetryPolicy.policy("webhook", config.webhookRetry))
  return {
    api_url: config.apiUrl,
    held_events_interval: durationText(config.heldEventsInterval),
    invitation_expires: durationText(config.invitationExpires),
    invite_max_candidates: config.inviteMaxCandidates.toLocaleString("en"),
    max_body: ByteSize.format(config.maxBody),
    rate_limit: config.rateLimit === 0 ? "none" : `${config.rateLimit} a minute`,
    request_log_days: String(config.requestLogDays),
    webhook_deactivate_after: String(config.webhookDeactivateAfter),
    webhook_probe_first: durationText(config.webhookProbeFirst),
    webhook_probe_for: durationText(config.webhookProbeFor),
    webhook_retention: durationText(config.webhookRetention),
    webhook_retry_cap: durationText(config.webhookRetry.cap),
    webhook_retry_times: retriesText(delays),
    webhook_signature: exampleSignatures["webhook-signature"] ?? "",
    x_webhook_signature: exampleSignatures["x-webhook-signature"] ?? "",
    webhook_secret_overlap: durationText(config.webhookSecretOverlap),
    webhook_timeout: durationText(config.webhookTimeout),
  }
})

/** Leaves other names in braces, as in paths. */
export const fillPlaceholders = (json: string, values: Record<string, string>): string =>
  json.replaceAll(/\{([a-z_]+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    return value === undefined ? whole : JSON.stringify(value).slice(1, -1)
  })
