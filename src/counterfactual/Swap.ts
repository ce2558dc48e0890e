/**
 * Swaps: changes of a candidate's texts and name that hint at sex, origin or age, and must not change a score
 * (docs/counterfactual-audit.md). A swap is the same each time, and leaves everything else as it was.
 */
import type { EvaluationInput, EvaluationRequirement } from "../evaluations/Evaluation.ts"
import { languageOf } from "../evaluations/keyword/Language.ts"
import type { Person } from "../evaluations/Redaction.ts"
import { ageReplacements, asksForYears } from "./AgeSwap.ts"
import { genderReplacements, namesSex } from "./GenderSwap.ts"
import { hasName, type NewName, nameReplacements, renamed } from "./NameSwap.ts"
import { namesPlace, placeReplacements } from "./PlaceSwap.ts"
import { applied, type ChangedSentence, changedSentences, inOrder, type Replacement, tokensOf } from "./Replacement.ts"
import { namesSchool, schoolReplacements } from "./SchoolSwap.ts"

export const swapKinds = ["name", "gender", "place", "age", "school"] as const
export type SwapKind = (typeof swapKinds)[number]

/**
 * Names of other candidates: a woman and a man of each group. In the United States census of 2010, most people with the
 * family names Krueger, Washington, Hernandez and Nguyen are of one group; Yılmaz is a frequent name of Turkey.
 */
const names: Readonly<Record<string, NewName>> = {
  emily_krueger: { given: "Emily", family: "Krueger" },
  jake_krueger: { given: "Jake", family: "Krueger" },
  lakisha_washington: { given: "Lakisha", family: "Washington" },
  jamal_washington: { given: "Jamal", family: "Washington" },
  guadalupe_hernandez: { given: "Guadalupe", family: "Hernandez" },
  jorge_hernandez: { given: "Jorge", family: "Hernandez" },
  fatma_yilmaz: { given: "Fatma", family: "Yılmaz" },
  mehmet_yilmaz: { given: "Mehmet", family: "Yılmaz" },
  linh_nguyen: { given: "Linh", family: "Nguyen" },
  minh_nguyen: { given: "Minh", family: "Nguyen" },
}

/** "Emily Krueger"; undefined for a swap of another kind. */
export const nameOfSwap = (id: string): string | undefined => {
  const name = names[id]
  return name === undefined ? undefined : `${name.given} ${name.family}`
}

interface SwappedText {
  readonly input: EvaluationInput
  readonly text: string
}

/** What the rules of a variant need. */
interface Material {
  readonly texts: ReadonlyArray<SwappedText>
  readonly person: Person
  readonly thisYear: number
  /** Words of the candidate's name, in lower case. */
  readonly named: ReadonlySet<string>
}

export interface Swap {
  readonly id: string
  readonly kind: SwapKind
}

interface Variant extends Swap {
  /** The replacements of each text. */
  readonly find: (material: Material) => ReadonlyArray<ReadonlyArray<Replacement>>
  readonly person?: (person: Person) => Person
  /** Whether a requirement asks for what is swapped, so that its score may move. */
  readonly isAsked: (text: string, input: EvaluationInput, person: Person) => boolean
}

const requirementTexts = (requirements: ReadonlyArray<EvaluationRequirement>): ReadonlyArray<string | null> =>
  requirements.flatMap(({ content, hint, title }) => [title, content, hint])

const languageIn = ({ input, text }: SwappedText) => languageOf(text, input.language)

const nameVariants = Object.entries(names).map(
  ([id, name]): Variant => ({
    id,
    kind: "name",
    find: ({ person, texts }) =>
      texts.map(({ input, text }) => {
        const { interview_title, position, requirements, sources } = input
        const kept = [
          interview_title,
          position,
          ...requirementTexts(requirements),
          ...sources.map((one) => one.question),
        ]
        return nameReplacements(person, name, kept)(text)
      }),
    person: (person) => renamed(person, name),
    isAsked: (text, _, person) => hasName(text, person, name),
  }),
)

const variantList: ReadonlyArray<Variant> = [
  ...nameVariants,
  ...(["female", "male"] as const).map(
    (sex): Variant => ({
      id: sex,
      kind: "gender",
      find: ({ named, texts }) =>
        texts.map((one) => {
          const language = languageIn(one)
          return language === null ? [] : genderReplacements(one.text, language, sex, named)
        }),
      isAsked: (text, input) => namesSex(text, languageOf(text, input.language) ?? "en"),
    }),
  ),
  ...(["south", "north"] as const).map(
    (region): Variant => ({
      id: region,
      kind: "place",
      find: ({ named, texts }) =>
        placeReplacements(
          texts.map((one) => ({ text: one.text, language: languageIn(one) ?? "en" })),
          region,
          named,
        ),
      isAsked: namesPlace,
    }),
  ),
  ...(["older", "younger"] as const).map(
    (direction): Variant => ({
      id: direction,
      kind: "age",
      find: ({ texts, thisYear }) =>
        ageReplacements(
          texts.map(({ text }) => text),
          direction,
          thisYear,
        ),
      isAsked: asksForYears,
    }),
  ),
  ...(["known", "unknown"] as const).map(
    (renown): Variant => ({
      id: renown,
      kind: "school",
      find: ({ texts }) =>
        schoolReplacements(
          texts.map(({ text }) => text),
          renown,
        ),
      isAsked: namesSchool,
    }),
  ),
]

/** In the order of reports. */
export const swaps: ReadonlyArray<Swap> = variantList.map(({ id, kind }) => ({ id, kind }))

const byId = new Map(variantList.map((variant) => [variant.id, variant]))

/** What is evaluated of a candidate at once: a CV or an interview. */
export interface SwapPart {
  readonly input: EvaluationInput
  readonly person: Person
}

export interface Swapped {
  readonly parts: ReadonlyArray<SwapPart>
  /** Some of the sentences that were changed. */
  readonly sentences: ReadonlyArray<ChangedSentence>
}

/** Sentences that are shown of one submission. */
const maxSentences = 12

/** Undefined: the texts have nothing that this swap changes. `id` is of `swaps`. Not redacted: names are replaced, too. */
export const swapped = (id: string, parts: ReadonlyArray<SwapPart>, thisYear: number): Swapped | undefined => {
  const variant = byId.get(id)
  const [first] = parts
  if (variant === undefined || first === undefined) return undefined
  const texts = parts.flatMap(({ input }) => input.sources.map(({ text }) => ({ input, text })))
  const { firstname, lastname, name } = first.person
  const named = new Set(tokensOf([name, firstname, lastname].join(" ")).map(({ lower }) => lower))
  const found = variant.find({ texts, person: first.person, thisYear, named }).map(inOrder)
  const changed = texts.map(({ text }, at) => applied(text, found[at] ?? []))
  if (texts.every(({ text }, at) => changed[at] === text)) return undefined
  const rest = changed.values()
  return {
    parts: parts.map(({ input, person }) => ({
      person: variant.person?.(person) ?? person,
      input: {
        ...input,
        sources: input.sources.map((source) => ({ ...source, text: rest.next().value ?? source.text })),
      },
    })),
    sentences: texts
      .flatMap(({ text }, i) => changedSentences(text, found[i] ?? [], maxSentences))
      .filter(({ after, before }) => before !== after)
      .slice(0, maxSentences),
  }
}

/** The ids of the requirements that ask for what the swap changes: their scores may move. */
export const askedBy = (id: string, { input, person }: SwapPart): ReadonlySet<string> => {
  const variant = byId.get(id)
  const asking = input.requirements.filter(({ content, hint, title }) =>
    variant?.isAsked([title, content, hint].join("\n"), input, person),
  )
  return new Set(asking.map((requirement) => requirement.id))
}
