/**
 * The plan of one simulation: receivers, processes, faults, and timed actions. Latencies and responses are drawn from
 * `noise`.
 */
import { Arbitrary, Schema } from "effect"

/**
 * A receiver's behaviour: acknowledges · fails · acknowledges half of the requests · fails for the first half hour ·
 * takes up to 12 s, beyond the timeout of 10 s.
 */
export const Receiver = Schema.Literals(["up", "down", "flaky", "away", "slow"])
export type Receiver = typeof Receiver.Type

const events = Schema.Literals([1, 1, 2, 3, 8])
const index = Schema.Literals([0, 1, 2])
const skew = Schema.Literals([0, 0, 5, -5])

const Action = Schema.Union([
  Schema.TaggedStruct("Publish", { events }),
  Schema.TaggedStruct("Publish", { events }),
  Schema.TaggedStruct("Kill", { pod: index }),
  Schema.TaggedStruct("Drain", { pod: index }),
  /** Starts a process whose clock is `skew` minutes off. */
  Schema.TaggedStruct("Start", { skew }),
  /** Suspends a process and its requests. */
  Schema.TaggedStruct("Freeze", { pod: index, seconds: Schema.Literals([12, 70, 200]) }),
  Schema.TaggedStruct("Outage", { seconds: Schema.Literals([1, 30, 130]) }),
  Schema.TaggedStruct("Disable", { endpoint: index }),
  /** Also sends parked deliveries. */
  Schema.TaggedStruct("Enable", { endpoint: index }),
  Schema.TaggedStruct("Resend", { delivery: Schema.Literals([0, 1, 2, 3, 4, 5, 6, 7]) }),
  Schema.TaggedStruct("ResendFailed", { endpoint: index }),
])
export type Action = typeof Action.Type

const rate = Schema.Literals([0, 0, 0.1, 0.4])

const Plan = Schema.Struct({
  noise: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 31 - 1 })),
  receivers: Schema.NonEmptyArray(Receiver).check(Schema.isMaxLength(3)),
  /** Clock error of each process, in minutes. */
  pods: Schema.NonEmptyArray(skew).check(Schema.isMaxLength(3)),
  /** WEBHOOK_CONCURRENCY · WEBHOOK_ENDPOINT_CONCURRENCY */
  concurrency: Schema.Literals([100, 5, 2]),
  places: Schema.Literals([50, 10, 2, 1]),
  isFaulty: Schema.Boolean,
  rates: Schema.Struct({
    claim: rate,
    claimAnswer: rate,
    settle: rate,
    settleAnswer: rate,
    park: rate,
    release: rate,
    mail: rate,
    request: rate,
    /** A wake-up is lost. */
    hint: rate,
    slow: rate,
  }),
  /** Number of events published at the start. */
  events,
  steps: Schema.Array(
    Schema.Struct({
      /** Seconds after the previous step, ±10 %. */
      after: Schema.Literals([0, 0.02, 1, 7, 45, 70, 130, 600, 1800]),
      action: Action,
    }),
  ).check(Schema.isMaxLength(8)),
})
export type Plan = typeof Plan.Type
export type Fault = keyof Plan["rates"]

export const plans: Arbitrary.Arbitrary<Plan> = Arbitrary.schema(Plan)
