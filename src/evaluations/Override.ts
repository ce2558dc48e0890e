/** An override: a recruiter's score with its reason (docs/evaluation.md). */
import { Schema } from "effect"
import { outOf10, textErrors } from "../values/Fields.ts"
import { MemberId } from "../values/Ids.ts"
import { type FieldError, fieldError } from "../values/Problem.ts"
import { Timestamp } from "../values/Timestamp.ts"

export const Override = Schema.Struct({
  score: outOf10.annotate({
    description: "Out of 10, at most one decimal",
  }),
  reason: Schema.String.annotate({ description: "Why, in the person's words" }),
  member: Schema.Struct({
    id: MemberId,
    name: Schema.String.annotate({ description: "The person's name, else the address they sign in with" }),
  }).annotate({ description: "Whose score it is" }),
  at: Timestamp,
}).annotate({ identifier: "Override" })
export type Override = typeof Override.Type

/** In code points, trimmed. */
export const reasonLength = { least: 10, most: 2000 } as const

const isScore = (score: number): boolean => score >= 0 && score <= 10 && Math.round(score * 10) / 10 === score

export const overrideErrors = (score: number, reason: string): ReadonlyArray<FieldError> => [
  ...(isScore(score) ? [] : [fieldError("#/score", "out_of_range", "must be from 0 to 10, with at most one decimal")]),
  ...textErrors("#/reason", reason, reasonLength),
]
