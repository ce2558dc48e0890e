/** The voluntary questions about self-identification: their lists, what an organization asks, what a candidate answers. */
import { lineErrors, storable, textErrors } from "../values/Fields.ts"
import { type FieldError, fieldError } from "../values/Problem.ts"

/** Component 1 of the EEO-1 report asks for one of two sexes; `another` is here so that each candidate finds an answer. */
export const sexCategories = ["female", "male", "another"] as const

/** Component 1 of the EEO-1 report (29 CFR 1602.7), as in 6 RCNY § 5-301. Those after the first are not Hispanic or Latino. */
export const ethnicityCategories = [
  "hispanic",
  "white",
  "black",
  "pacific_islander",
  "asian",
  "native_american",
  "two_or_more",
] as const

export const selfIdentificationLists = ["sex", "ethnicity", "own"] as const
export type SelfIdentificationList = (typeof selfIdentificationLists)[number]

/** What an organization asks. */
export interface SelfIdentificationForm {
  readonly asks: ReadonlyArray<SelfIdentificationList>
  /** The organization's words above the questions; empty: none. */
  readonly text: string
  readonly own_question: string
  readonly own_categories: ReadonlyArray<string>
}

/** What a candidate answered; null: not said. */
export type SelfIdentification = { readonly [List in SelfIdentificationList]: string | null }

/** `ownCategories`: the number; the others in code points. */
export const selfIdentificationLimits = { text: 1_000, question: 200, category: 80, ownCategories: 20 } as const

/** One category a line. */
export const readCategories = (text: string): ReadonlyArray<string> =>
  storable(text)
    .normalize("NFC")
    .split(/\r?\n/)
    .map((line) => line.replaceAll(/\s+/g, " ").trim())
    .filter((line) => line !== "")

const categoryErrors = (categories: ReadonlyArray<string>, isAsked: boolean): ReadonlyArray<FieldError> => {
  const pointer = "#/own_categories"
  const { category, ownCategories } = selfIdentificationLimits
  const least = isAsked ? 2 : 0
  if (categories.length < least) return [fieldError(pointer, "too_few", "must have at least 2 lines")]
  if (categories.length > ownCategories)
    return [fieldError(pointer, "too_many", `must have at most ${ownCategories} lines`)]
  if (new Set(categories.map((name) => name.toLowerCase())).size < categories.length)
    return [fieldError(pointer, "duplicate", "must not have a line twice")]
  return categories.flatMap((name) => lineErrors(pointer, name, { isRequired: true, most: category })).slice(0, 1)
}

export const selfIdentificationErrors = ({
  asks,
  own_categories,
  own_question,
  text,
}: SelfIdentificationForm): ReadonlyArray<FieldError> => {
  const isAsked = asks.includes("own")
  return [
    ...textErrors("#/text", text, { most: selfIdentificationLimits.text }),
    ...lineErrors("#/own_question", own_question, { isRequired: isAsked, most: selfIdentificationLimits.question }),
    ...categoryErrors(own_categories, isAsked),
  ]
}

/** The categories that a form offers, of the lists that it asks. */
export const categoriesOf = (
  { asks, own_categories }: SelfIdentificationForm,
  list: SelfIdentificationList,
): ReadonlyArray<string> => {
  if (!asks.includes(list)) return []
  return { sex: sexCategories, ethnicity: ethnicityCategories, own: own_categories }[list]
}

/** Null: not said, or not one of the list's categories, as from a form that was changed by hand. */
const chosenCategory = (categories: ReadonlyArray<string>, text: string): string | null =>
  categories.find((category) => category === text) ?? null

/** Undefined: the candidate said nothing. */
export const readSelfIdentification = (
  form: SelfIdentificationForm,
  typed: (list: SelfIdentificationList) => string,
): SelfIdentification | undefined => {
  const of = (list: SelfIdentificationList) => chosenCategory(categoriesOf(form, list), typed(list))
  const answer = { sex: of("sex"), ethnicity: of("ethnicity"), own: of("own") }
  return Object.values(answer).every((one) => one === null) ? undefined : answer
}
