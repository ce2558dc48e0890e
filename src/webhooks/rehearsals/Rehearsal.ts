/**
 * A rehearsal: signed samples that are sent to an endpoint, and how its receiver answered (docs/rehearsals.md). RehearsalSteps.ts
 * has the steps, RehearsalPlan.ts says which one follows and signs its requests, RehearsalGrade.ts what the answers mean.
 *
 * ```
 * running ──→ done        all steps have a result
 *    ├──────→ cancelled   by a person
 *    └──────→ stopped     it could not go on: the endpoint was changed or deleted, or this service failed
 * ```
 */
import { Schema } from "effect"
import { extensibleEnum } from "../../values/ExtensibleEnum.ts"
import { integer } from "../../values/Fields.ts"
import { EndpointId, EventId, RehearsalId } from "../../values/Ids.ts"
import { Timestamp } from "../../values/Timestamp.ts"
import { stepNames } from "./RehearsalSteps.ts"

/** Of an endpoint; a new one deletes the oldest. */
export const maxRehearsals = 20

/** In minutes. An endpoint begins at most `maxRehearsals` in this time: its address may be of others, who did not ask for them. */
export const rehearsalWindow = 10

export const RehearsalState = Schema.Literals(["running", "done", "cancelled", "stopped"])
export type RehearsalState = typeof RehearsalState.Type

export const StepResult = Schema.Literals(["passed", "warning", "failed", "skipped"])
export type StepResult = typeof StepResult.Type

/** Characters of a response that are kept. */
export const maxBody = 1_000

export const RehearsalExchange = Schema.Struct({
  at: Timestamp.annotate({ description: "When it was sent" }),
  event_id: EventId,
  headers: Schema.Record(Schema.String, Schema.String).annotate({
    description: "Headers that were sent; the values of the endpoint's own headers are ****",
  }),
  body: Schema.String.annotate({ description: "The body that was sent" }),
  status: Schema.NullOr(integer(100, 999)).annotate({ description: "Status of the response; null without a response" }),
  duration_ms: integer(0),
  error: Schema.NullOr(Schema.String).annotate({ description: "Why there was no response; otherwise null" }),
  answer: Schema.NullOr(Schema.String).annotate({
    description: "The first 1,000 characters of the response's body; null without a response",
  }),
}).annotate({ identifier: "WebhookRehearsalExchange" })
export type RehearsalExchange = typeof RehearsalExchange.Type

export const RehearsalStep = Schema.Struct({
  name: extensibleEnum(stepNames).annotate({ description: "What the receiver has to do" }),
  title: Schema.String.annotate({ description: "The same, for people" }),
  result: StepResult.annotate({
    description: "warning: it works, but something should be changed; skipped: not sent, or it shows nothing",
  }),
  finding: Schema.String.annotate({ description: "What happened" }),
  advice: Schema.NullOr(Schema.String).annotate({ description: "What to change in the receiver; null: nothing" }),
  documentation: Schema.String.annotate({
    description: "Path of the guide about it, such as /docs/webhooks#verifying-webhooks",
  }),
  requests: integer(0).annotate({ description: "How many were sent" }),
  p95_ms: Schema.NullOr(integer(0)).annotate({
    description: "Of a burst: 95 % of the responses came within so many milliseconds; otherwise null",
  }),
  exchanges: Schema.Array(RehearsalExchange).annotate({
    description: "What was sent and answered; of a burst, the first that failed or else the slowest",
  }),
}).annotate({ identifier: "WebhookRehearsalStep" })
export type RehearsalStep = typeof RehearsalStep.Type

const summary = {
  id: RehearsalId,
  endpoint_id: EndpointId,
  url: Schema.String.annotate({ format: "uri", description: "Where it was sent" }),
  state: RehearsalState.annotate({
    description: "done: all steps have a result; stopped: it could not go on, as `reason` says",
  }),
  reason: Schema.NullOr(Schema.String).annotate({ description: "Why it was stopped; otherwise null" }),
  counts: Schema.Struct({
    passed: integer(0),
    warning: integer(0),
    failed: integer(0),
    skipped: integer(0),
  }).annotate({ identifier: "WebhookRehearsalCounts", description: "Steps by result, so far" }),
  total_steps: integer(0).annotate({ description: "Steps of a whole rehearsal" }),
  created_at: Timestamp,
  ended_at: Schema.NullOr(Timestamp).annotate({ description: "null while it is running" }),
}

export const RehearsalSummary = Schema.Struct(summary).annotate({ identifier: "WebhookRehearsalSummary" })
export type RehearsalSummary = typeof RehearsalSummary.Type

export const RehearsalDetail = Schema.Struct({
  ...summary,
  steps: Schema.Array(RehearsalStep).annotate({ description: "Those that have ended" }),
}).annotate({ identifier: "WebhookRehearsal" })
export type RehearsalDetail = typeof RehearsalDetail.Type

export const countOf = (steps: ReadonlyArray<Pick<RehearsalStep, "result">>, result: StepResult): number =>
  steps.filter((step) => step.result === result).length
