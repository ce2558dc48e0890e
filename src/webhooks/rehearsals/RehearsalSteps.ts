/**
 * The steps of a rehearsal (docs/rehearsals.md): of each, what it sends, what the receiver has to do, and what the receiver's
 * engineers read.
 */
import { Struct } from "effect"
import { defaultTolerance } from "../../sdk/WebhookSignature.ts"
import type { EventId } from "../../values/Ids.ts"

/** `late`: events of an hour ago, as after a long outage. */
const lateBy = 3_600_000
/** Between two events in their wrong order. */
const apart = 60_000

/** The age of a signature that receivers have to refuse, in seconds. */
export const oldAge = 2 * defaultTolerance

type SignatureKind = "valid" | "second" | "other_secret" | "changed_body" | "old" | "missing"

export interface PlannedRequest {
  readonly body: string
  readonly eventId: EventId
  readonly signature: SignatureKind
}

/** What requests are made of. */
export interface StepSamples {
  /** With a valid signature. Within a rehearsal, the same `label` has the same event id. `ago`: age of the event in ms. */
  readonly event: (
    label: string,
    options?: { readonly ago?: number; readonly name?: string | undefined },
  ) => PlannedRequest
  /** Two sub-events of the endpoint that follow each other, if it has any. */
  readonly successive: readonly [earlier: string | undefined, later: string | undefined]
  /** Events that are sent at once. */
  readonly burst: number
}

interface StepTexts {
  /** What the receiver has to do. */
  readonly title: string
  /** The path of the guide about it. */
  readonly documentation: string
}

/** The receiver has to answer 2xx. */
export interface AcceptedStep extends StepTexts {
  readonly expects: "accepted"
  /** Another status fails; false: it is a warning. */
  readonly isRequired: boolean
  /** In their order. Null: sends a request of another step again. */
  readonly requests: ((samples: StepSamples) => ReadonlyArray<PlannedRequest>) | null
  /** What a receiver that accepts other events does wrong; null: its answer shows it. */
  readonly advice: string | null
}

/** The receiver has to answer 4xx. */
export interface RefusedStep extends StepTexts {
  readonly expects: "refused"
  readonly requests: (samples: StepSamples) => ReadonlyArray<PlannedRequest>
  /** What a receiver with another answer accepts, and what to change in it. */
  readonly accepted: string
  readonly advice: string
}

type StepDefinition = AcceptedStep | RefusedStep

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

/** In the order in which they are sent, except that `retry` comes early when the first event is not accepted. */
const steps = {
  valid: {
    title: "Accepts an event",
    documentation: "/docs/webhooks",
    expects: "accepted",
    isRequired: true,
    requests: ({ event }) => [event("valid")],
    advice: null,
  },
  duplicate: {
    title: "Accepts the same event again",
    documentation: "/docs/webhooks",
    expects: "accepted",
    isRequired: true,
    requests: ({ event }) => [event("valid")],
    advice:
      "Answer 2xx to an event_id that is stored already, and ignore the event: otherwise the service sends it again and again.",
  },
  order: {
    title: "Accepts events out of order",
    documentation: "/docs/webhooks#what-each-event-means",
    expects: "accepted",
    isRequired: true,
    requests: ({ event, successive: [earlier, later] }) => [
      event("later", { name: later, ago: apart }),
      event("earlier", { name: earlier, ago: 2 * apart }),
    ],
    advice: "Accept events in any order: sort by timestamp, and ignore an event that is older than what is stored.",
  },
  late: {
    title: "Accepts an event of an hour ago",
    documentation: "/docs/webhooks#common-mistakes",
    expects: "accepted",
    isRequired: true,
    requests: ({ event }) => [event("late", { ago: lateBy })],
    advice:
      "Compare the time t of X-Webhook-Signature with the clock, not the timestamp of the body: a retried event is older than its signature.",
  },
  unknown_field: {
    title: "Accepts unknown fields",
    documentation: "/docs/webhooks#the-envelope",
    expects: "accepted",
    isRequired: true,
    requests: ({ event }) => {
      const request = event("unknown_field")
      return [{ ...request, body: withUnknownFields(request.body) }]
    },
    advice: "Ignore fields that the receiver does not know: payloads gain fields without notice.",
  },
  unknown_event: {
    title: "Accepts an unknown event",
    documentation: "/docs/webhooks#the-envelope",
    expects: "accepted",
    // an endpoint gets only events to which it subscribes
    isRequired: false,
    requests: ({ event }) => {
      const request = event("unknown_event")
      return [{ ...request, body: withUnknownType(request.body) }]
    },
    advice:
      "Answer 2xx to an event_type that the receiver does not know, and ignore the event. The service sends only events to which the webhook subscribes, but a member can subscribe it to more.",
  },
  two_signatures: {
    title: "Accepts two signatures",
    documentation: "/docs/webhook-endpoints#replacing-the-secret",
    expects: "accepted",
    isRequired: true,
    requests: ({ event }) => [{ ...event("two_signatures"), signature: "second" }],
    advice:
      "Compare with each v1 (and each signature in webhook-signature), not only with the first: while a secret is replaced, two are sent.",
  },
  wrong_signature: {
    title: "Refuses the signature of another secret",
    documentation: "/docs/webhooks#verifying-webhooks",
    expects: "refused",
    requests: ({ event }) => [{ ...event("wrong_signature"), signature: "other_secret" }],
    accepted: "an event that is signed with another secret",
    advice:
      "Verify the signature before the answer: compute the HMAC-SHA256 of t, a full stop and the raw body with the webhook’s secret, compare it with each v1, and answer 401 if none is equal. Do so with test events, too.",
  },
  changed_body: {
    title: "Refuses a body that was changed",
    documentation: "/docs/webhooks#verifying-webhooks",
    expects: "refused",
    requests: ({ event }) => [{ ...event("changed_body"), signature: "changed_body" }],
    accepted: "an event whose body was changed after it was signed",
    advice:
      "Compute the HMAC-SHA256 over the bytes of the body that arrived, all of them, not over a part or over values of it, and answer 401 if no v1 is equal.",
  },
  old_signature: {
    title: "Refuses an old signature",
    documentation: "/docs/webhooks#verifying-webhooks",
    expects: "refused",
    requests: ({ event }) => [{ ...event("old_signature"), signature: "old" }],
    accepted: `an event that was signed ${oldAge / 60} minutes ago`,
    advice:
      "Refuse a time t of X-Webhook-Signature that is more than five minutes from the receiver’s clock, with 401: otherwise a recorded request can be sent again later. t is a number of seconds; the timestamp of the body is a text.",
  },
  missing_signature: {
    title: "Refuses an event without a signature",
    documentation: "/docs/webhooks#verifying-webhooks",
    expects: "refused",
    requests: ({ event }) => [{ ...event("missing_signature"), signature: "missing" }],
    accepted: "an event without a signature",
    advice: "Answer 401 to requests without X-Webhook-Signature: a sender without the secret can send those.",
  },
  burst: {
    title: "Accepts many events at once",
    documentation: "/docs/webhook-endpoints#headers-rate-and-choice",
    expects: "accepted",
    isRequired: true,
    requests: ({ burst, event }) => Array.from({ length: burst }, (_, index) => event(`burst ${index}`)),
    advice: null,
  },
  retry: {
    title: "Accepts the second attempt",
    documentation: "/docs/webhooks#retries",
    expects: "accepted",
    isRequired: true,
    requests: null,
    advice: null,
  },
} satisfies Readonly<Record<string, StepDefinition>>

export type StepName = keyof typeof steps
export const stepNames = Struct.keys(steps)

export const definitionOf = (name: StepName): StepDefinition => steps[name]
