/** The lists of voluntary self-identification. */

/** Component 1 of the EEO-1 report asks for one of two sexes; the others are here so that each candidate finds an answer. */
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

export type SexCategory = (typeof sexCategories)[number]
export type EthnicityCategory = (typeof ethnicityCategories)[number]

export const selfIdentificationLists = ["sex", "ethnicity", "own"] as const
export type SelfIdentificationList = (typeof selfIdentificationLists)[number]

/** Of an organization's own list. */
export const maxOwnCategories = 20

/** Of a category's name, in code points. */
export const maxCategoryLength = 80

export type OwnListError = "one" | "too_many" | "too_long" | "repeated"

/** One category a line. Empty: the organization asks no list of its own. */
export const ownCategoriesOf = (
  text: string,
): { readonly categories: ReadonlyArray<string> } | { readonly error: OwnListError } => {
  const categories = text
    .toWellFormed()
    .replaceAll("\0", "")
    .normalize("NFC")
    .split(/\r?\n/)
    .map((line) => line.replaceAll(/\s+/g, " ").trim())
    .filter((line) => line !== "")
  if (categories.length === 1) return { error: "one" }
  if (categories.length > maxOwnCategories) return { error: "too_many" }
  if (categories.some((name) => [...name].length > maxCategoryLength)) return { error: "too_long" }
  if (new Set(categories.map((name) => name.toLowerCase())).size < categories.length) return { error: "repeated" }
  return { categories }
}

/** Null: not said, or not one of the list's categories, as from a form that was changed by hand. */
export const chosenCategory = <Category extends string>(
  categories: ReadonlyArray<Category>,
  text: string,
): Category | null => categories.find((category) => category === text) ?? null
