/** From a requirement's parts and the candidate's sentences to a level, with quotes and the reasons in words. */
import type { Rating } from "../Evaluation.ts"
import type { Level } from "../Score.ts"
import { type Comparison, comparisonsOf, withYears } from "./compare.ts"
import type { Demand, Profile } from "./demand.ts"
import type { Match } from "./match.ts"
import { bySentence, type Sentence } from "./sentences.ts"
import { type Support, supportOf } from "./support.ts"

/** The value that a level takes, best first. */
const levels: ReadonlyArray<readonly [Level, number]> = [
  ["full", 0.86],
  ["strong", 0.58],
  ["partial", 0.33],
  ["weak", 0.07],
]

/** A chance word or two are nothing yet in a requirement of many parts. */
const weakFromInParts = 0.15

const quotes = 3

/** All that the parts of a requirement are rated from. */
export interface Material {
  readonly matches: ReadonlyMap<Demand, ReadonlyArray<Match>>
  readonly sentences: ReadonlyArray<Sentence>
  readonly written: ReadonlyMap<string, Sentence>
}

interface Rated {
  readonly demand: Demand
  readonly value: number
  readonly support: Support
  readonly comparisons: ReadonlyArray<Comparison>
}

/** The weight of the words beside facts: little where the fact is all that is asked, none for a degree's field. */
const wordsWeight = ({ groups, months, rank, team }: Demand): number => {
  if (groups.length === 0 && months === null) return 0
  if (months !== null || team !== null) return 1
  return rank === null ? 0.35 : 0
}

/** What experience in the field is worth where it may stand for a degree. */
const equivalent = 0.6

const rateDemand = (demand: Demand, { matches, sentences, written }: Material, isWhole: boolean): Rated => {
  const support = supportOf(demand, matches.get(demand) ?? [], isWhole)
  const facts = comparisonsOf(demand, sentences, written)
  const years = demand.months === null ? null : withYears(demand, support.value, support.supporting, sentences)
  const base = years?.value ?? support.value
  const ownWeight = facts.length === 0 ? 1 : wordsWeight(demand)
  const weight = facts.reduce((sum, one) => sum + one.weight, ownWeight)
  const mean = facts.reduce((sum, one) => sum + one.weight * one.value, ownWeight * base) / weight
  const most = Math.min(1, ...facts.map((one) => one.most ?? 1))
  const met = Math.min(most, facts.length > 0 && facts.every((one) => one.value === 0) ? mean / 2 : mean)
  const value = demand.isEquivalent ? Math.max(met, equivalent * support.value) : met
  return { demand, value, support, comparisons: years === null ? facts : [...facts, years] }
}

const few = (labels: ReadonlyArray<string>): string => labels.slice(0, 6).join(", ")

const labelsOf = (rated: ReadonlyArray<Rated>, isFound: boolean): ReadonlyArray<string> => {
  const groups = rated.flatMap(({ demand, support }) =>
    demand.groups.filter((_, index) => support.found.has(index) === isFound),
  )
  const sorted = groups.toSorted((one, other) => other.weight - one.weight)
  return [...new Set(sorted.map(({ label }) => label))]
}

const sentencesOf = (rated: ReadonlyArray<Rated>): ReadonlyArray<Sentence> => {
  const values = new Map<Sentence, number>()
  const add = (sentence: Sentence, value: number) => values.set(sentence, Math.max(values.get(sentence) ?? 0, value))
  for (const { comparisons, demand, support } of rated) {
    for (const { part, sentence, worth } of support.supporting) add(sentence, part * worth * demand.weight)
    for (const { sentences, value } of comparisons) {
      for (const sentence of sentences.slice(0, quotes)) add(sentence, (0.3 + value) * demand.weight)
    }
  }
  return [...values]
    .toSorted(([one, value], [other, otherValue]) => otherValue - value || bySentence(one, other))
    .map(([sentence]) => sentence)
}

const reasons = (rated: ReadonlyArray<Rated>, matches: ReadonlyMap<Demand, ReadonlyArray<Match>>) => {
  const ignored = new Set(
    rated.flatMap(({ demand }) => (matches.get(demand) ?? []).map(({ sentence }) => sentence.ignored)),
  )
  return [
    rated.some(({ support }) => support.denied.length > 0)
      ? "What the candidate denies or only wishes to learn was not counted."
      : "",
    ignored.has("repeated") ? "Text that repeats the requirement or the question was not counted." : "",
    ignored.has("addressed") ? "Text addressed to the evaluator was not counted." : "",
  ]
}

/** What the rating of one requirement rests on, for the stored raw output. Values are between 0 and 1. */
export interface Finding {
  readonly rating: Rating
  readonly value: number
  readonly parts: ReadonlyArray<number>
  readonly sentences: number
}

const round = (value: number): number => Math.round(value * 1000) / 1000

/** Rates one requirement. */
export const rate = (profile: Profile, material: Material): Finding => {
  const requirement_id = profile.id
  const isWhole = profile.demands.length === 1
  const rated = profile.demands.map((demand) => rateDemand(demand, material, isWhole))
  const weight = rated.reduce((sum, { demand }) => sum + demand.weight, 0)
  if (weight === 0) {
    const rating = { requirement_id, cannot_evaluate: "The requirement has no words to look for." }
    return { rating, value: 0, parts: [], sentences: 0 }
  }
  const value = round(rated.reduce((sum, one) => sum + one.demand.weight * one.value, 0) / weight)
  const supporting = sentencesOf(rated)
  const isChance = !isWhole && value < weakFromInParts
  const level = supporting.length === 0 || isChance ? "none" : (levels.find(([, from]) => value >= from)?.[0] ?? "none")
  const found = labelsOf(rated, true)
  const missing = labelsOf(rated, false)
  const isNamed = rated.every(({ support }) => support.supporting.every(({ worth }) => worth < 0.5))
  const denied = rated.flatMap(({ support }) => support.denied)
  const shown = supporting.length > 0 ? supporting : denied.toSorted(bySentence)
  const count = supporting.length
  const rationale = [
    count === 0 && missing.length > 0 ? `Nothing that counts was found on: ${few(missing)}.` : "",
    found.length > 0 ? `${count} ${count === 1 ? "sentence" : "sentences"} on: ${few(found)}.` : "",
    count > 0 && missing.length > 0 && level !== "full" ? `Not found: ${few(missing)}.` : "",
    found.length > 0 && isNamed ? "Named only, without saying what was done." : "",
    ...rated.flatMap(({ comparisons }) => comparisons.map(({ note }) => note)).slice(0, 8),
    ...reasons(rated, material.matches),
  ].filter((part) => part !== "")
  const evidence = shown.slice(0, quotes).map((sentence) => sentence.evidence)
  const rating = { requirement_id, level, rationale: [...new Set(rationale)].join(" "), evidence } as const
  return { rating, value, parts: rated.map((one) => round(one.value)), sentences: count }
}
