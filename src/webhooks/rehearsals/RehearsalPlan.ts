/** What each step of a rehearsal sends, and which step follows. */
import { createHash } from "node:crypto"
import { defaultTolerance } from "../../sdk/WebhookSignature.ts"
import { EventId, type OrganizationId, type RehearsalId } from "../../values/Ids.ts"
import { formatSecret, type SigningKey, signatureHeaders, signingKey } from "../deliveries/Signature.ts"
import * as WebhookEvent from "../events/WebhookEvent.ts"
import * as WebhookSample from "../events/WebhookSample.ts"
import { type RehearsalStep, type StepName, stepNames } from "./Rehearsal.ts"

/** `late`: events of an hour ago, as after a long outage. */
const lateBy = 3_600_000
/** Between two events in their wrong order. */
const apart = 60_000

/** The age of a signature that receivers have to refuse, in seconds. */
export const oldAge = 2 * defaultTolerance

/** Events that are sent at once. */
export const maxBurst = 30

/**
 * Of an endpoint with `max_per_minute`, as many as the service itself would send at once (deliveries/EndpointRateSql.ts).
 */
export const burstOf = (maxPerMinute: number | null): number =>
  maxPerMinute === null ? maxBurst : Math.min(maxBurst, 1 + Math.floor(maxPerMinute / 60))

/** `accepted`: the receiver has to answer 2xx; `refused`: 4xx. */
type Expectation = "accepted" | "refused"

const expectations = {
  valid: "accepted",
  duplicate: "accepted",
  order: "accepted",
  late: "accepted",
  unknown_field: "accepted",
  unknown_event: "accepted",
  two_signatures: "accepted",
  wrong_signature: "refused",
  changed_body: "refused",
  old_signature: "refused",
  missing_signature: "refused",
  burst: "accepted",
  retry: "accepted",
} as const satisfies Readonly<Record<StepName, Expectation>>

/** Steps that the receiver has to refuse. */
export type RefusedStep = {
  [Name in StepName]: (typeof expectations)[Name] extends "refused" ? Name : never
}[StepName]

export const isToRefuse = (name: StepName): name is RefusedStep => expectations[name] === "refused"

export type SignatureKind = "valid" | "second" | "other_secret" | "changed_body" | "old" | "missing"

export interface PlannedRequest {
  readonly body: string
  readonly eventId: EventId
  readonly signature: SignatureKind
}

export interface RehearsalContext {
  readonly id: RehearsalId
  readonly organizationId: OrganizationId
  /** Of the endpoint. */
  readonly events: ReadonlyArray<string>
  readonly maxPerMinute: number | null
  readonly createdAt: Date
  readonly appUrl: string
}

/** The same for the same name within a rehearsal, so that a process that takes it over sends the same events. UUID version 8 (RFC 9562). */
const eventIdOf = (rehearsal: RehearsalId, event: string): EventId => {
  const hex = createHash("sha256").update(`${rehearsal} ${event}`).digest("hex")
  return EventId.make(
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
  )
}

/** Sub-events that the endpoint receives. */
const namesFor = (events: ReadonlyArray<string>): ReadonlyArray<string> =>
  WebhookSample.sampleNames.filter((name) => events.some((event) => name === event || name.startsWith(`${event}.`)))

const interviewNames = ["interview.status.update.started", "interview.status.update.completed"] as const

/** Two sub-events of the endpoint that follow each other; the same one twice if it receives only one. */
const successiveNames = (events: ReadonlyArray<string>): readonly [earlier: string, later: string] | undefined => {
  const names = namesFor(events)
  if (interviewNames.every((name) => names.includes(name))) return interviewNames
  const [earlier, later = earlier] = names
  return earlier === undefined || later === undefined ? undefined : [earlier, later]
}

const bodyOf = (
  { appUrl, createdAt, events, id, organizationId }: RehearsalContext,
  event: string,
  { ago = 0, name }: { readonly ago?: number; readonly name?: string | undefined } = {},
): Pick<PlannedRequest, "eventId" | "body"> => {
  const eventId = eventIdOf(id, event)
  const sample = name === undefined ? undefined : WebhookSample.sample(name, appUrl)
  const { body } = WebhookEvent.make({
    id: eventId,
    organizationId,
    at: new Date(createdAt.getTime() - ago),
    subject: WebhookSample.subject,
    event: sample ?? WebhookSample.sampleFor(events, appUrl),
    isTest: true,
  })
  return { eventId, body }
}

/** Fields that no version of the payload has. */
const addedField = { added_later: { example: true } }

const withUnknownFields = (body: string): string => {
  const { data, ...envelope } = JSON.parse(body)
  return JSON.stringify({ ...envelope, data: { ...data, ...addedField }, ...addedField })
}

const withUnknownType = (body: string): string => {
  const { data, ...envelope } = JSON.parse(body)
  const { submission_id, candidate_id, timestamp } = data
  return JSON.stringify({
    ...envelope,
    event_type: "rehearsal.unknown.update",
    data: { submission_id, candidate_id, status: "unknown", timestamp },
  })
}

/** The requests of a step, in their order; those of `burst` are sent at once. `retry` sends a request of another step again. */
export const requestsOf = (
  name: Exclude<StepName, "retry">,
  context: RehearsalContext,
): ReadonlyArray<PlannedRequest> => {
  const valid = (event: string, options: Parameters<typeof bodyOf>[2] = {}): PlannedRequest => ({
    ...bodyOf(context, event, options),
    signature: "valid",
  })
  switch (name) {
    case "valid":
    case "duplicate":
      return [valid("valid")]
    case "order": {
      const [earlier, later] = successiveNames(context.events) ?? []
      return [valid("later", { name: later, ago: apart }), valid("earlier", { name: earlier, ago: 2 * apart })]
    }
    case "late":
      return [valid("late", { ago: lateBy })]
    case "unknown_field": {
      const request = valid("unknown_field")
      return [{ ...request, body: withUnknownFields(request.body) }]
    }
    case "unknown_event": {
      const request = valid("unknown_event")
      return [{ ...request, body: withUnknownType(request.body) }]
    }
    case "two_signatures":
      return [{ ...valid(name), signature: "second" }]
    case "wrong_signature":
      return [{ ...valid(name), signature: "other_secret" }]
    case "changed_body":
      return [{ ...valid(name), signature: "changed_body" }]
    case "old_signature":
      return [{ ...valid(name), signature: "old" }]
    case "missing_signature":
      return [{ ...valid(name), signature: "missing" }]
    case "burst":
      return Array.from({ length: burstOf(context.maxPerMinute) }, (_, index) => valid(`burst ${index}`))
  }
}

/** Another attempt may succeed: there was no answer, or one that asks for later or reports a failure of the receiver. */
const isTemporary = ({ status }: { readonly status: number | null }): boolean =>
  status === null || status === 408 || status === 429 || status >= 500

/** Steps whose events a receiver has to accept: one that it does not know may fail each time. */
const isRequired = (name: StepName): boolean => !isToRefuse(name) && name !== "unknown_event"

/** An event that should have been accepted, and that the service would send again. */
export const failedRequest = (steps: ReadonlyArray<RehearsalStep>): PlannedRequest | undefined => {
  const required = steps.filter(({ name }) => stepNames.some((step) => step === name && isRequired(step)))
  const failed = required.flatMap(({ exchanges }) => exchanges).find(isTemporary)
  return failed && { eventId: failed.event_id, body: failed.body, signature: "valid" }
}

const find = (steps: ReadonlyArray<RehearsalStep>, name: StepName) => steps.find((step) => step.name === name)

/**
 * The next step; undefined: all have a result. A first event that fails in a way that another attempt may mend is sent again
 * before anything else.
 */
export const nextStep = (steps: ReadonlyArray<RehearsalStep>): StepName | undefined => {
  const [first] = steps
  const isRetried = first?.result === "failed" && first.exchanges.some(isTemporary)
  if (isRetried && find(steps, "retry") === undefined) return "retry"
  return stepNames.find((name) => find(steps, name) === undefined)
}

/** No event is accepted: a refusal shows nothing about signatures, and a failure nothing about its step. */
export const isPointless = (steps: ReadonlyArray<RehearsalStep>): boolean =>
  find(steps, "valid")?.result === "failed" && find(steps, "retry")?.result !== "passed"

/** A secret that the receiver does not have. */
const otherKey = (id: RehearsalId): SigningKey =>
  signingKey(formatSecret(createHash("sha256").update(`rehearsal ${id}`).digest()))

/** The bytes to send, and the headers of the signature. `at`: seconds since 1970. */
export const signed = (
  { body, eventId, signature }: PlannedRequest,
  {
    at,
    keys,
    rehearsal,
  }: { readonly at: number; readonly keys: ReadonlyArray<SigningKey>; readonly rehearsal: RehearsalId },
): { readonly body: string; readonly headers: Readonly<Record<string, string>> } => {
  const other = () => otherKey(rehearsal)
  const headersOf = (by: ReadonlyArray<SigningKey>, timestamp: number) =>
    signatureHeaders({ eventId, timestamp, body: Buffer.from(body), keys: by })
  switch (signature) {
    case "valid":
      return { body, headers: headersOf(keys, at) }
    case "second":
      return { body, headers: headersOf([other(), ...keys], at) }
    case "other_secret":
      return { body, headers: headersOf([other()], at) }
    case "changed_body":
      return {
        body: JSON.stringify({ ...JSON.parse(body), changed: "after it was signed" }),
        headers: headersOf(keys, at),
      }
    case "old":
      return { body, headers: headersOf(keys, at - oldAge) }
    case "missing": {
      const { "x-webhook-signature": _, "webhook-signature": __, ...rest } = headersOf(keys, at)
      return { body, headers: rest }
    }
  }
}
