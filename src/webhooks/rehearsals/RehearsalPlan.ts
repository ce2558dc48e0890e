/** The requests of a rehearsal's steps with their signatures, and which step follows. */
import { createHash } from "node:crypto"
import { EventId, type OrganizationId, type RehearsalId } from "../../values/Ids.ts"
import { formatSecret, type SigningKey, signatureHeaders, signingKey } from "../deliveries/Signature.ts"
import * as WebhookEvent from "../events/WebhookEvent.ts"
import * as WebhookSample from "../events/WebhookSample.ts"
import type { RehearsalStep } from "./Rehearsal.ts"
import {
  definitionOf,
  oldAge,
  type PlannedRequest,
  type StepName,
  type StepSamples,
  stepNames,
} from "./RehearsalSteps.ts"

/** Events that are sent at once. */
export const maxBurst = 30

/**
 * Of an endpoint with `max_per_minute`, as many as the service itself would send at once (deliveries/EndpointRateSql.ts).
 */
export const burstOf = (maxPerMinute: number | null): number =>
  maxPerMinute === null ? maxBurst : Math.min(maxBurst, 1 + Math.floor(maxPerMinute / 60))

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
const successiveNames = (events: ReadonlyArray<string>): StepSamples["successive"] => {
  const names = namesFor(events)
  if (interviewNames.every((name) => names.includes(name))) return interviewNames
  const [earlier, later = earlier] = names
  return [earlier, later]
}

/** What the requests of steps are made of. */
export const samplesOf = ({
  appUrl,
  createdAt,
  events,
  id,
  maxPerMinute,
  organizationId,
}: RehearsalContext): StepSamples => ({
  event: (label, { ago = 0, name } = {}) => {
    const eventId = eventIdOf(id, label)
    const sample = name === undefined ? undefined : WebhookSample.sample(name, appUrl)
    const { body } = WebhookEvent.make({
      id: eventId,
      organizationId,
      at: new Date(createdAt.getTime() - ago),
      subject: WebhookSample.subject,
      event: sample ?? WebhookSample.sampleFor(events, appUrl),
      isTest: true,
    })
    return { eventId, body, signature: "valid" }
  },
  successive: successiveNames(events),
  burst: burstOf(maxPerMinute),
})

/** Another attempt may succeed: there was no answer, or one that asks for later or reports a failure of the receiver. */
const isTemporary = ({ status }: { readonly status: number | null }): boolean =>
  status === null || status === 408 || status === 429 || status >= 500

/** Steps whose events a receiver has to accept: one that it does not know may fail each time. */
const isRequired = (name: StepName): boolean => {
  const definition = definitionOf(name)
  return definition.expects === "accepted" && definition.isRequired
}

/** The first event that should have been accepted, and that the service would send again. */
export const failedRequests = (steps: ReadonlyArray<RehearsalStep>): ReadonlyArray<PlannedRequest> => {
  const required = steps.filter(({ name }) => stepNames.some((step) => step === name && isRequired(step)))
  const failed = required.flatMap(({ exchanges }) => exchanges).find(isTemporary)
  return failed === undefined ? [] : [{ eventId: failed.event_id, body: failed.body, signature: "valid" }]
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
