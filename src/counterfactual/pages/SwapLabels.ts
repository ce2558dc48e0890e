/** Words of counterfactual audits: swaps, totals, and the method, on pages, in files and of the command. */
import { ageShifts } from "../AgeSwap.ts"
import { meanOf, type SwapTotals } from "../CounterfactualAudit.ts"
import { nameOfSwap, type SwapKind, swapKinds, swaps } from "../Swap.ts"

export const kindLabels: Readonly<Record<SwapKind, string>> = {
  name: "Names",
  gender: "Pronouns and gendered words",
  place: "Places",
  age: "Years of birth and education",
  school: "Schools",
}

const swapLabels: Readonly<Record<string, string>> = {
  female: "Words for women",
  male: "Words for men",
  south: "Places in Africa, Asia and South America",
  north: "Places in Europe, North America and Australia",
  older: `${ageShifts.older} years older`,
  younger: `${ageShifts.younger} years younger`,
  known: "Well-known universities",
  unknown: "Little-known universities",
}

export const swapLabel = (id: string): string => nameOfSwap(id) ?? swapLabels[id] ?? id

export const kindOf = (id: string): SwapKind => swaps.find((one) => one.id === id)?.kind ?? "name"

export const kindsText = (kinds: ReadonlyArray<SwapKind>): string =>
  kinds.length === swapKinds.length ? "All" : kinds.map((kind) => kindLabels[kind]).join(", ")

export const scoreText = (value: number | null): string => (value === null ? "not rated" : value.toFixed(1))

/** "+0.02"; "0" only if nothing moved. */
export const meanText = (totals: Pick<SwapTotals, "scored" | "sum">): string => {
  const mean = meanOf(totals)
  if (mean === null) return "–"
  if (mean === 0) return "0"
  return `${mean > 0 ? "+" : "−"}${Math.abs(mean) < 0.005 ? "0.00…" : Math.abs(mean).toFixed(2)}`
}

export const largestText = ({ changed, largest }: Pick<SwapTotals, "changed" | "largest">): string =>
  changed === 0 ? "–" : largest === 0 ? "rated or not" : largest.toFixed(1)

export const figureLabels = {
  tested: "Tested",
  changed: "Score moved",
  asked: "Moved as asked",
  largest: "Largest move",
  mean: "Mean move of the score",
} as const

/** How the numbers are made, one sentence or two each. */
export const methodTexts: ReadonlyArray<string> = [
  "Each submission is evaluated with its own texts, and again with the texts of a candidate who differs in one hint: another name; words for people of the other sex; other places; other years of birth and education; other schools. Everything else in the texts stays as it is. The texts are changed before the candidate's name is redacted, as if the other candidate had written them.",
  "A swap is tested on the submissions whose texts it changes; all swaps of a kind together count a submission once for each of them. “Score moved” counts those in which a requirement got another score. “Largest move” is the largest difference of a requirement's score, out of 10; “Mean move of the score” is the mean difference of the whole score, with its sign.",
  "“Moved as asked” counts submissions in which only requirements moved that themselves name what was swapped: a place, a school, years, a word for people of one sex, or a word of a name. They are expected to move, and count in no other column.",
  "Each submission's own texts are evaluated twice. Where the two differ, a score counts as moved only outside of both.",
  "Not swapped: names of others than the candidate, nationalities and languages, years of work, places and schools that are not in the lists of the service, and words for people that are not in its lists. A hint that is not swapped is not tested.",
]

export const legalNote =
  "A counterfactual audit shows whether the software reacts to a hint. It says nothing about people's decisions, and is neither an independent bias audit nor legal advice."
