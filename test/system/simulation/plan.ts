/**
 * What happens in one simulation: receivers, processes, faults, and what people do, with times. What is left to chance,
 * such as latencies and answers, comes from `noise`. A plan that fails is made smaller, until every part of it matters.
 */
import { Arbitrary, Schema } from "effect"

/**
 * How an endpoint's receiver behaves: acknowledges · fails · fails every other time · fails for the first half hour ·
 * takes up to 12 seconds, of which 10 are waited for.
 */
export const Receiver = Schema.Literals(["up", "down", "flaky", "away", "slow"])
export type Receiver = typeof Receiver.Type

const events = Schema.Literals([1, 1, 2, 3, 8])
const index = Schema.Literals([0, 1, 2])
const skew = Schema.Literals([0, 0, 5, -5])

const Action = Schema.Union([
  Schema.TaggedStruct("Publish", { events }),
  Schema.TaggedStruct("Publish", { events }),
  /** The process ends at once, whatever it is doing. */
  Schema.TaggedStruct("Kill", { pod: index }),
  /** The process is asked to end. */
  Schema.TaggedStruct("Drain", { pod: index }),
  /** One more process, whose clock is so many minutes off. */
  Schema.TaggedStruct("Start", { skew }),
  /** The process stands still, and its requests with it: for so many seconds. */
  Schema.TaggedStruct("Freeze", { pod: index, seconds: Schema.Literals([12, 70, 200]) }),
  /** The database is away for so many seconds. */
  Schema.TaggedStruct("Outage", { seconds: Schema.Literals([1, 30, 130]) }),
  Schema.TaggedStruct("Disable", { endpoint: index }),
  /** And what is parked is sent. */
  Schema.TaggedStruct("Enable", { endpoint: index }),
  Schema.TaggedStruct("Resend", { delivery: Schema.Literals([0, 1, 2, 3, 4, 5, 6, 7]) }),
  Schema.TaggedStruct("ResendFailed", { endpoint: index }),
])
export type Action = typeof Action.Type

const rate = Schema.Literals([0, 0, 0.1, 0.4])

const Plan = Schema.Struct({
  noise: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 31 - 1 })),
  receivers: Schema.NonEmptyArray(Receiver).check(Schema.isMaxLength(3)),
  /** Minutes that each process's clock is off. */
  pods: Schema.NonEmptyArray(skew).check(Schema.isMaxLength(3)),
  /** WEBHOOK_CONCURRENCY · WEBHOOK_ENDPOINT_CONCURRENCY */
  concurrency: Schema.Literals([100, 5, 2]),
  places: Schema.Literals([50, 10, 2, 1]),
  /** Whether the rates below count. */
  isFaulty: Schema.Boolean,
  /** How often a step fails: `…Answer` after it was done, all others before. */
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
    /** A statement takes seconds. */
    slow: rate,
  }),
  /** Published at the beginning. */
  events,
  steps: Schema.Array(
    Schema.Struct({
      /** Seconds after the one before, more or less. */
      after: Schema.Literals([0, 0.02, 1, 7, 45, 70, 130, 600, 1800]),
      action: Action,
    }),
  ).check(Schema.isMaxLength(8)),
})
export type Plan = typeof Plan.Type
export type Fault = keyof Plan["rates"]

export const plans: Arbitrary.Arbitrary<Plan> = Arbitrary.schema(Plan)
