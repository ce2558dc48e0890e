/**
 * What the service reads in the `attributes` of a question, which may hold anything: other names, and values of other types, are
 * kept and have no effect.
 */
import { Equal, Schema } from "effect"
import type { Question } from "./InterviewSet.ts"

export interface QuestionRules {
  /** A candidate cannot submit without an answer, unless the time is over. */
  readonly isRequired: boolean
  /** Ids of options. A submission in which one was chosen is marked; nothing else follows. */
  readonly knockOut: ReadonlyArray<string>
  /** Shown to candidates; not a limit. */
  readonly minutes: number | null
}

export const maxMinutes = 600

const Minutes = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxMinutes }))
const isMinutes = Schema.is(Minutes)
const isIds = Schema.is(Schema.Array(Schema.Union([Schema.String, Schema.Number])))

export const rulesOf = ({ attributes }: Pick<Question, "attributes">): QuestionRules => {
  const knockOut = attributes?.["knock_out"]
  const minutes = attributes?.["suggested_minutes"]
  return {
    isRequired: attributes?.["required"] === true,
    knockOut: isIds(knockOut) ? knockOut.map(String) : [],
    minutes: isMinutes(minutes) ? minutes : null,
  }
}

/** The attributes with these rules; those that say the same already stay as they are. */
export const withRules = (attributes: Question["attributes"], rules: QuestionRules): Question["attributes"] => {
  const before = rulesOf({ attributes })
  const values = {
    required: [before.isRequired, rules.isRequired, rules.isRequired || undefined],
    knock_out: [before.knockOut, rules.knockOut, rules.knockOut.length === 0 ? undefined : rules.knockOut],
    suggested_minutes: [before.minutes, rules.minutes, rules.minutes ?? undefined],
  } as const
  const changed = Object.entries(values).filter(([, [was, is]]) => !Equal.equals(was, is))
  if (changed.length === 0) return attributes
  const kept = Object.entries(attributes ?? {}).filter(([name]) => !changed.some(([one]) => one === name))
  const added = changed.flatMap(([name, [, , value]]) => (value === undefined ? [] : [[name, value] as const]))
  const all = Object.fromEntries([...kept, ...added])
  return Object.keys(all).length === 0 ? null : all
}
