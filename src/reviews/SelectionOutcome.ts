/** The outcome of a form about selected submissions, shown on the list after the redirect. */
import { Duration, Schema } from "effect"
import { countText } from "../accounts/pages/WorkspacePage.ts"
import { Decision } from "../submissions/Decision.ts"
import { decidedNames } from "../submissions/pages/SubmissionLabels.ts"
import { SubmissionId } from "../values/Ids.ts"
import { candidatesText } from "./pages/SelectionPage.ts"

/** Without personal data. */
export const Result = Schema.Struct({
  decision: Schema.NullOr(Decision),
  /** Of a move: the stage's name. */
  stage: Schema.optionalKey(Schema.String),
  /** Of tags: the tag's name. */
  tag: Schema.optionalKey(Schema.String),
  done: Schema.Array(Schema.Struct({ submission: SubmissionId, changes: Schema.Int })),
  refused: Schema.Array(Schema.Struct({ submission: SubmissionId, reason: Schema.String })),
  /** Emails to candidates that wait, with the words for when they leave. */
  letters: Schema.optionalKey(Schema.Struct({ count: Schema.Int, leaves: Schema.String })),
})
export type Result = typeof Result.Type

const kindOf = (name: "decide" | "undo" | "write" | "unwrite" | "resend" | "assign" | "move" | "tag" | "untag") => ({
  name: `submission.${name}`,
  answer: Result,
  kept: Duration.hours(1),
})
export const kinds = {
  decided: kindOf("decide"),
  undone: kindOf("undo"),
  written: kindOf("write"),
  unwritten: kindOf("unwrite"),
  resent: kindOf("resend"),
  assigned: kindOf("assign"),
  moved: kindOf("move"),
  tagged: kindOf("tag"),
  untagged: kindOf("untag"),
}
export type Kind = keyof typeof kinds
export const isKind = (text: string | undefined): text is Kind => text !== undefined && Object.hasOwn(kinds, text)

export const doneText = (kind: Kind, { decision, done, letters, stage = "", tag = "" }: Result): string | null => {
  if (done.length === 0) return null
  const count = candidatesText(done.length)
  if (kind === "undone") return `The last decision about ${count} was undone.`
  if (kind === "written")
    return `${countText(done.length, "email leaves", "emails leave")} ${letters?.leaves.toLowerCase() ?? "soon"}, unless you undo ${done.length === 1 ? "it" : "them"}.`
  if (kind === "unwritten")
    return `${countText(done.length, "email was", "emails were")} undone and ${done.length === 1 ? "is" : "are"} not sent.`
  if (kind === "assigned") return `Colleagues were asked to review ${count}.`
  if (kind === "moved") return `Moved ${count} to “${stage}”.`
  if (kind === "tagged") return `Added the tag “${tag}” to ${count}.`
  if (kind === "untagged") return `Removed the tag “${tag}” from ${count}.`
  if (kind === "resent")
    return `The invitation of ${count} is being sent again with the same link${done.length === 1 ? "" : "s"}.`
  if (decision === null) return `The decision about ${count} was cleared.`
  const emails =
    letters === undefined
      ? ""
      : ` ${countText(letters.count, "email leaves", "emails leave")} ${letters.leaves.toLowerCase()}, unless you undo the decision.`
  return `${decidedNames[decision]}: ${count}.${emails}`
}

export const resultOf = (
  results: ReadonlyArray<{ readonly submission: SubmissionId; readonly reason: string | undefined }>,
): Result => ({
  decision: null,
  done: results.flatMap(({ reason, submission }) => (reason === undefined ? [{ submission, changes: 0 }] : [])),
  refused: results.flatMap(({ reason, submission }) => (reason === undefined ? [] : [{ submission, reason }])),
})
