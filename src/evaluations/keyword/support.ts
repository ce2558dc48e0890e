/** How well a candidate's sentences support the words of one part of a requirement, apart from facts. */
import type { Demand } from "./demand.ts"
import { entryOf } from "./lexicon/index.ts"
import type { Match } from "./match.ts"
import { bySentence, type Sentence } from "./sentences.ts"
import { likeness, sameFrom } from "./signals.ts"

/** A sentence that shares less than this part of `Demand.enough` has nothing to do with it. */
const relevantFrom = 0.18
/** Without any of the names that a demand asks for it has to share this much, or less where another has a name. */
const relevantWithoutName = 0.35
const relevantBesideName = 0.12
/** Words beside the demand's own that make a sentence say something, not only name it; fewer do in a long one. */
const substanceFrom = 3
const substanceFromLong = 2
const longFrom = 5
const mostSupporting = 12
const mostCompared = 200

/** What a sentence is worth: named only, a small deed, a deed. */
export const named = 0.3
const small = 0.5
const done = 1

/** One deed proves less than three; `strict` where the demand is the whole requirement. */
const depths = { strict: [1, 0.72, 0.85, 1], mild: [1, 0.85, 0.95, 1] } as const

/** A sentence that supports a demand, with its part of `Demand.enough` and what it is worth. */
export interface Supporting {
  readonly sentence: Sentence
  readonly groups: ReadonlyArray<number>
  readonly part: number
  readonly worth: number
}

/** `value` is between 0 and 1; `found` are the groups that were supported. */
export interface Support {
  readonly value: number
  readonly supporting: ReadonlyArray<Supporting>
  readonly found: ReadonlySet<number>
  readonly denied: ReadonlyArray<Sentence>
}

const weightOf = ({ enough, groups }: Demand, indices: ReadonlyArray<number>): number =>
  indices.reduce((sum, index) => sum + (groups[index]?.weight ?? 0), 0) / (enough || 1)

const isSame = (one: Sentence, other: Sentence): boolean => {
  let shared = 0
  for (const key of one.own) if (other.own.has(key)) shared += 1
  return likeness(shared, one.own.size, other.own.size) >= sameFrom
}

/** Spring implies Java: to name it beside Java says no more than to name it. */
const isKindOf = (key: string, keys: ReadonlySet<string>): boolean =>
  key.startsWith("=") && entryOf(key.slice(1))?.broader.some((name) => keys.has(`=${name}`)) === true

const worthOf = (keys: ReadonlySet<string>, { facts, isDated, isDeed, isList, isWeak, own }: Sentence): number => {
  if (isList && !isDated) return named
  let others = 0
  for (const key of own) if (!keys.has(key) && !isKindOf(key, keys)) others += 1
  const isSubstantial = others >= (own.size >= longFrom ? substanceFromLong : substanceFrom)
  const isClaim = facts.claims.length > 0 || facts.team !== null
  if (isSubstantial || isClaim || (others > 0 && (isDeed || isDated))) return isWeak ? small : done
  return named
}

/** A weak word counts only beside a strong one, but where a demand has no strong ones. */
const counted = ({ groups }: Demand, indices: ReadonlyArray<number>): ReadonlyArray<number> => {
  if (indices.some((index) => groups[index]?.isWeak === false)) return indices
  return groups.every(({ isWeak }) => isWeak) && indices.length >= Math.min(2, groups.length) ? indices : []
}

/** Known names, but for verbs of any trade. */
const isNameOf = ({ groups }: Demand, index: number): boolean => {
  const group = groups[index]
  return group !== undefined && !group.isWeak && group.keys.some((key) => key.startsWith("="))
}

const round = (value: number): number => Math.round(value * 1000) / 1000

/** The support of one demand from the sentences that name something of it. */
export const supportOf = (demand: Demand, matches: ReadonlyArray<Match>, isWhole: boolean): Support => {
  const keys = new Set(demand.groups.flatMap((group) => group.keys))
  const hasNames = demand.groups.some((_, index) => isNameOf(demand, index))
  const denied = matches.filter(
    ({ affirmed, said, sentence }) => sentence.ignored === null && counted(demand, said).length > affirmed.length,
  )
  const deniedGroups = new Set(
    denied.flatMap(({ affirmed, said }) => said.filter((group) => !affirmed.includes(group))),
  )
  const candidates = matches
    .filter(({ sentence }) => sentence.ignored === null)
    .map(({ affirmed, sentence }): Supporting => {
      const groups = counted(demand, affirmed)
      const worth = worthOf(keys, sentence)
      // who lists what is denied in words is believed in words
      const kept = worth === named ? groups.filter((group) => !deniedGroups.has(group)) : groups
      return { sentence, groups: kept, part: weightOf(demand, kept), worth }
    })
    .filter(({ part }) => part >= relevantBesideName)
  const isNamed = ({ groups, part }: Supporting) =>
    part >= relevantFrom && (!hasNames || groups.some((group) => isNameOf(demand, group)))
  const isAnchored = hasNames && candidates.some(isNamed)
  const relevant = candidates
    .flatMap((one): ReadonlyArray<Supporting> => {
      if (isNamed(one) || one.part >= relevantWithoutName) return [one]
      return isAnchored ? [{ ...one, worth: Math.min(one.worth, small) }] : []
    })
    .toSorted(
      (one, other) => other.worth * other.part - one.worth * one.part || bySentence(one.sentence, other.sentence),
    )
  const supporting: Array<Supporting> = []
  for (const candidate of relevant.slice(0, mostCompared)) {
    if (supporting.length === mostSupporting) break
    if (!supporting.some(({ sentence }) => isSame(sentence, candidate.sentence))) supporting.push(candidate)
  }
  const best = new Map<number, number>()
  for (const { groups, worth } of supporting) {
    for (const group of groups) best.set(group, Math.max(best.get(group) ?? 0, worth))
  }
  let sum = 0
  for (const [group, worth] of best) sum += (demand.groups[group]?.weight ?? 0) * worth
  const deeds = supporting.filter(({ worth }) => worth === done).length
  const covered = Math.min(1, sum / (demand.enough || 1))
  const depth = depths[isWhole ? "strict" : "mild"][Math.min(deeds, 3)] ?? 1
  const value = supporting.some(({ worth }) => worth > named) ? covered * depth : Math.min(named, covered)
  return {
    value: round(value),
    supporting,
    found: new Set(best.keys()),
    denied: denied.map(({ sentence }) => sentence),
  }
}
