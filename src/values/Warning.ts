/** Warnings of requests that were performed although a part of them was not understood, or not needed (docs/api.md). */
import { Schema } from "effect"
import { extensibleEnum } from "./ExtensibleEnum.ts"

/** Codes of warnings in API responses; /openapi.json and the guide list them. */
export const warningCodes = ["unknown_field", "unknown_parameter", "duplicate_person", "notice_period"] as const

export const Warning = Schema.Struct({
  pointer: Schema.String.annotate({
    description: "Where in the request: `#/candidates/1/phone`, or `#/` and the name of a query parameter",
  }),
  code: extensibleEnum(warningCodes).annotate({
    description: "The kind of warning, for programs. More codes may be added",
  }),
  message: Schema.String.annotate({ description: "What was ignored or changed, for people" }),
}).annotate({ identifier: "Warning" })
export type Warning = typeof Warning.Type

export const warning = (pointer: string, code: (typeof warningCodes)[number], message: string): Warning => ({
  pointer,
  code,
  message,
})

/** Beside `results` in a response: absent without warnings. */
export const optionalWarnings = (warnings: ReadonlyArray<Warning>): { readonly warnings?: ReadonlyArray<Warning> } =>
  warnings.length === 0 ? {} : { warnings }

/** Codes of warnings that a rating may be unreliable. More may be added. */
export const evaluationWarningCodes = [
  "short_answer",
  "short_cv",
  "language_not_supported",
  "other_language",
  "part_not_read",
  "read_by_ocr",
  "few_rated",
  "one_part_scored",
  "readings_disagree",
] as const

export const EvaluationWarning = Schema.Struct({
  code: extensibleEnum(evaluationWarningCodes).annotate({
    description: "The kind of warning, for programs. More codes may be added",
  }),
  message: Schema.String.annotate({ description: "The reason, for people" }),
}).annotate({ identifier: "EvaluationWarning" })
export type EvaluationWarning = typeof EvaluationWarning.Type

export const evaluationWarning = (
  code: (typeof evaluationWarningCodes)[number],
  message: string,
): EvaluationWarning => ({ code, message })

/** Absent without warnings. */
export const evaluationWarnings = Schema.optionalKey(Schema.Array(EvaluationWarning)).annotateKey({
  description: "Why the rating may be unreliable; absent without a reason",
})
