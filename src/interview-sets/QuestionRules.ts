/**
 * What the service reads in the `attributes` of a question, which may hold anything: other names are kept and have no effect.
 * Those of spoken answers must have values of the right type; the others have no effect with another one.
 */
import { Equal, Schema, SchemaIssue } from "effect"
import type { FieldErrorCode } from "../values/Problem.ts"
import type { Question } from "./InterviewSet.ts"

/** How candidates can answer a question of type text. */
export const answerKinds = ["text", "audio", "video"] as const
export type AnswerKind = (typeof answerKinds)[number]

export interface QuestionRules {
  /** A candidate cannot submit without an answer, unless the time is over. */
  readonly isRequired: boolean
  /** Ids of options. A submission in which one was chosen is marked; nothing else follows. */
  readonly knockOut: ReadonlyArray<string>
  /** Shown to candidates; not a limit. */
  readonly minutes: number | null
  readonly answerWith: ReadonlyArray<AnswerKind>
  /** Typing is not offered, unless it was granted to the candidate (interviews/Accommodations.ts). */
  readonly isSpeakingOnly: boolean
  /** Of a spoken answer. */
  readonly maxSeconds: number
  /** Recordings of one answer, the last of which counts; 0: any number. */
  readonly takes: number
  /** How long the candidate sees the question before a recording begins; 0: as long as the candidate wants. */
  readonly preparationSeconds: number
}

export const maxMinutes = 600

/** Seconds, and numbers of recordings. */
export const spokenLimits = {
  max_seconds: { least: 10, most: 600, usual: 180 },
  takes: { least: 0, most: 5, usual: 0 },
  preparation_seconds: { least: 0, most: 600, usual: 0 },
} as const
type SpokenNumber = keyof typeof spokenLimits

const within = (minimum: number, maximum: number) => Schema.is(Schema.Int.check(Schema.isBetween({ minimum, maximum })))
const isMinutes = within(1, maxMinutes)
const isSpokenNumber = {
  max_seconds: within(spokenLimits.max_seconds.least, spokenLimits.max_seconds.most),
  takes: within(spokenLimits.takes.least, spokenLimits.takes.most),
  preparation_seconds: within(spokenLimits.preparation_seconds.least, spokenLimits.preparation_seconds.most),
} satisfies Record<SpokenNumber, unknown>
const isIds = Schema.is(Schema.Array(Schema.Union([Schema.String, Schema.Number])))
const isKind = Schema.is(Schema.Literals(answerKinds))
const isKinds = Schema.is(Schema.Array(Schema.Literals(answerKinds)).check(Schema.isMinLength(1)))

export const rulesOf = ({ attributes }: Pick<Question, "attributes">): QuestionRules => {
  const knockOut = attributes?.["knock_out"]
  const minutes = attributes?.["suggested_minutes"]
  const answerWith = attributes?.["answer_with"]
  const spoken = (name: SpokenNumber): number => {
    const value = attributes?.[name]
    return isSpokenNumber[name](value) ? value : spokenLimits[name].usual
  }
  return {
    isRequired: attributes?.["required"] === true,
    knockOut: isIds(knockOut) ? knockOut.map(String) : [],
    minutes: isMinutes(minutes) ? minutes : null,
    answerWith: isKinds(answerWith) ? answerKinds.filter((kind) => answerWith.includes(kind)) : ["text"],
    isSpeakingOnly: attributes?.["speaking_only"] === true && isKinds(answerWith) && !answerWith.includes("text"),
    maxSeconds: spoken("max_seconds"),
    takes: spoken("takes"),
    preparationSeconds: spoken("preparation_seconds"),
  }
}

/** How the candidate may speak instead of typing; empty: not at all. */
export const spokenKinds = ({ answerWith }: QuestionRules): ReadonlyArray<"audio" | "video"> =>
  answerWith.filter((kind) => kind !== "text")

const wrong = (path: ReadonlyArray<PropertyKey>, code: FieldErrorCode, message: string): Schema.FilterIssue => ({
  path,
  issue: new SchemaIssue.InvalidValue({ code, message }),
})

const kindIssues = (value: unknown, path: ReadonlyArray<PropertyKey>): ReadonlyArray<Schema.FilterIssue> => {
  if (!Array.isArray(value) || value.length === 0)
    return [wrong(path, "wrong_type", `must be an array of ${answerKinds.join(", ")}`)]
  return value.flatMap((kind: unknown, index) => {
    if (!isKind(kind)) return [wrong([...path, index], "invalid", `must be ${answerKinds.join(", ")}`)]
    return value.indexOf(kind) < index ? [wrong([...path, index], "duplicate", "must be unique")] : []
  })
}

/** The errors of the attributes of spoken answers, of a question of this type. */
export const spokenIssues = (
  type: string,
  attributes: Question["attributes"] | undefined,
): ReadonlyArray<Schema.FilterIssue> => {
  const given = (name: string): unknown => attributes?.[name] ?? undefined
  const kinds = given("answer_with")
  const path = ["attributes", "answer_with"]
  const issues = kinds === undefined ? [] : [...kindIssues(kinds, path)]
  if (issues.length === 0 && isKinds(kinds) && kinds.some((kind) => kind !== "text") && type !== "text")
    issues.push(wrong(path, "invalid", "only questions of type text can be answered by audio or video"))
  const only = given("speaking_only")
  if (only !== undefined && typeof only !== "boolean")
    issues.push(wrong(["attributes", "speaking_only"], "wrong_type", "must be true or false"))
  if (only === true && (!isKinds(kinds) || kinds.includes("text")))
    issues.push(
      wrong(["attributes", "speaking_only"], "invalid", "needs an answer_with of audio or video without text"),
    )
  for (const [name, { least, most }] of Object.entries(spokenLimits)) {
    const value = given(name)
    if (value !== undefined && !within(least, most)(value))
      issues.push(wrong(["attributes", name], "out_of_range", `must be a whole number from ${least} to ${most}`))
  }
  return issues
}

/** The attributes with these rules; those that say the same already stay as they are. */
export const withRules = (attributes: Question["attributes"], rules: QuestionRules): Question["attributes"] => {
  const before = rulesOf({ attributes })
  const isSpoken = spokenKinds(rules).length > 0
  const spoken = (value: number, usual: number) => (isSpoken && value !== usual ? value : undefined)
  const values = {
    required: [before.isRequired, rules.isRequired, rules.isRequired || undefined],
    knock_out: [before.knockOut, rules.knockOut, rules.knockOut.length === 0 ? undefined : rules.knockOut],
    suggested_minutes: [before.minutes, rules.minutes, rules.minutes ?? undefined],
    answer_with: [before.answerWith, rules.answerWith, isSpoken ? rules.answerWith : undefined],
    speaking_only: [before.isSpeakingOnly, rules.isSpeakingOnly, rules.isSpeakingOnly || undefined],
    max_seconds: [before.maxSeconds, rules.maxSeconds, spoken(rules.maxSeconds, spokenLimits.max_seconds.usual)],
    takes: [before.takes, rules.takes, spoken(rules.takes, spokenLimits.takes.usual)],
    preparation_seconds: [
      before.preparationSeconds,
      rules.preparationSeconds,
      spoken(rules.preparationSeconds, spokenLimits.preparation_seconds.usual),
    ],
  } as const
  const changed = Object.entries(values).filter(([, [was, is]]) => !Equal.equals(was, is))
  if (changed.length === 0) return attributes
  const kept = Object.entries(attributes ?? {}).filter(([name]) => !changed.some(([one]) => one === name))
  const added = changed.flatMap(([name, [, , value]]) => (value === undefined ? [] : [[name, value] as const]))
  const all = Object.fromEntries([...kept, ...added])
  return Object.keys(all).length === 0 ? null : all
}
