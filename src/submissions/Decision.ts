/** A member's decision about a submission (docs/api.md). It sends nothing to the candidate. */
import { Schema } from "effect"
import { textErrors } from "../values/Fields.ts"
import type { FieldError } from "../values/Problem.ts"
import { Timestamp } from "../values/Timestamp.ts"
import { DecisionAuthor, decisionReason } from "../webhooks/events/WebhookEvent.ts"

export const Decision = Schema.Literals(["advance", "hold", "reject"]).annotate({ identifier: "Decision" })
export type Decision = typeof Decision.Type

export const SubmissionDecision = Schema.Struct({
  decision: Schema.NullOr(Decision).annotate({ description: "null: undecided" }),
  reason: decisionReason,
  decided_by: Schema.NullOr(DecisionAuthor).annotate({
    description: "The member, or the API key, that made or cleared the decision; null: there never was one",
  }),
  decided_at: Schema.NullOr(Timestamp).annotate({ description: "When the decision was last made or cleared" }),
}).annotate({ identifier: "SubmissionDecision" })
export type SubmissionDecision = typeof SubmissionDecision.Type

/** In code points. */
export const maxDecisionReason = 2000

export const decisionErrors = (reason: string): ReadonlyArray<FieldError> =>
  textErrors("#/reason", reason, { most: maxDecisionReason })
