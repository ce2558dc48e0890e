/** Rates how well sentences support the words of a requirement's part. */

import { entryOf } from "./lexicon/Lexicon.ts"
import { likeness, sameFrom } from "./Repetition.ts"
import type { Profile, RequirementPart } from "./RequirementPart.ts"
import { bySentence, type Sentence } from "./Sentence.ts"

/** `said` and `affirmed` are indices of groups. */
export interface Match {
  readonly sentence: Sentence
  readonly said: ReadonlyArray<number>
  readonly affirmed: ReadonlyArray<number>
}

interface Place {
  readonly part: RequirementPart
  readonly group: number
}

const placesOf = (profiles: ReadonlyArray<Profile>): ReadonlyMap<string, ReadonlyArray<Place>> => {
  const places = new Map<string, Array<Place>>()
  for (const part of profiles.flatMap(({ parts }) => parts)) {
    for (const [group, { keys }] of part.groups.entries()) {
      for (const key of keys) {
        const known = places.get(key)
        if (known === undefined) places.set(key, [{ part, group }])
        else known.push({ part, group })
      }
    }
  }
  return places
}

export const matchesOf = (
  profiles: ReadonlyArray<Profile>,
  sentences: ReadonlyArray<Sentence>,
): ReadonlyMap<RequirementPart, ReadonlyArray<Match>> => {
  const places = placesOf(profiles)
  const matches = new Map<RequirementPart, Array<Match>>()
  for (const sentence of sentences) {
    const found = new Map<RequirementPart, { said: Set<number>; affirmed: Set<number> }>()
    for (const key of sentence.said) {
      for (const { part, group } of places.get(key) ?? []) {
        const one = found.get(part) ?? { said: new Set(), affirmed: new Set() }
        one.said.add(group)
        if (sentence.affirmed.has(key)) one.affirmed.add(group)
        found.set(part, one)
      }
    }
    for (const [part, { affirmed, said }] of found) {
      const match = { sentence, said: [...said], affirmed: [...affirmed] }
      const known = matches.get(part)
      if (known === undefined) matches.set(part, [match])
      else known.push(match)
    }
  }
  return matches
}

/** Share of `RequirementPart.enough` below which a sentence is irrelevant. */
const relevantFrom = 0.18
/** The same for a sentence without any of the part's names, and beside one with a name. */
const relevantWithoutName = 0.35
const relevantBesideName = 0.12
/** The number of other words from which a sentence is substantial. */
const substanceFrom = 3
const substanceFromLong = 2
const longFrom = 5
const maxSupporting = 12
const maxCompared = 200

/** Worth of a sentence that only names the words, tells a small deed, tells a deed. */
export const named = 0.25
const small = 0.5
const done = 1

/** Factor by number of deeds; `strict` where the part is the whole requirement. */
const depths = { strict: [1, 0.72, 0.85, 1], mild: [1, 0.85, 0.95, 1] } as const

/** `share` is of `RequirementPart.enough`. */
export interface Supporting {
  readonly sentence: Sentence
  readonly groups: ReadonlyArray<number>
  readonly share: number
  readonly worth: number
}

/** `value` is from 0 to 1. */
export interface Support {
  readonly value: number
  readonly supporting: ReadonlyArray<Supporting>
  readonly found: ReadonlySet<number>
  readonly denied: ReadonlyArray<Sentence>
}

const weightOf = ({ enough, groups }: RequirementPart, indices: ReadonlyArray<number>): number =>
  indices.reduce((sum, index) => sum + (groups[index]?.weight ?? 0), 0) / (enough || 1)

export const isSame = (one: Sentence, other: Sentence): boolean => {
  let shared = 0
  for (const key of one.own) if (other.own.has(key)) shared += 1
  return likeness(shared, one.own.size, other.own.size) >= sameFrom
}

/** Spring implies Java, so naming both is no more than naming one. */
const isKindOf = (key: string, keys: ReadonlySet<string>): boolean =>
  key.startsWith("=") && entryOf(key.slice(1))?.broader.some((name) => keys.has(`=${name}`)) === true

export const worthOf = (
  keys: ReadonlySet<string>,
  { facts, isDated, isDeed, isList, isWeak, own }: Sentence,
): number => {
  if (isList && !isDated) return named
  let others = 0
  for (const key of own) if (!keys.has(key) && !isKindOf(key, keys)) others += 1
  const isSubstantial = others >= (own.size >= longFrom ? substanceFromLong : substanceFrom)
  const isClaim = facts.claims.length > 0 || facts.team !== null
  if (isSubstantial || isClaim || (others > 0 && (isDeed || isDated))) return isWeak ? small : done
  return named
}

/** Weak groups count beside a strong one, or by two where all are weak. */
const counted = ({ groups }: RequirementPart, indices: ReadonlyArray<number>): ReadonlyArray<number> => {
  if (indices.some((index) => groups[index]?.isWeak === false)) return indices
  return groups.every(({ isWeak }) => isWeak) && indices.length >= Math.min(2, groups.length) ? indices : []
}

const isNameOf = ({ groups }: RequirementPart, index: number): boolean => {
  const group = groups[index]
  return group !== undefined && !group.isWeak && group.keys.some((key) => key.startsWith("="))
}

const round = (value: number): number => Math.round(value * 1000) / 1000

export const supportOf = (part: RequirementPart, matches: ReadonlyArray<Match>, isWhole: boolean): Support => {
  const keys = new Set(part.groups.flatMap((group) => group.keys))
  const hasNames = part.groups.some((_, index) => isNameOf(part, index))
  const denied = matches.filter(
    ({ affirmed, said, sentence }) => sentence.ignored === null && counted(part, said).length > affirmed.length,
  )
  const deniedGroups = new Set(
    denied.flatMap(({ affirmed, said }) => said.filter((group) => !affirmed.includes(group))),
  )
  const candidates = matches
    .filter(({ sentence }) => sentence.ignored === null)
    .map(({ affirmed, sentence }): Supporting => {
      const groups = counted(part, affirmed)
      const worth = worthOf(keys, sentence)
      // a denial in a sentence outweighs the same word in a list
      const kept = worth === named ? groups.filter((group) => !deniedGroups.has(group)) : groups
      return { sentence, groups: kept, share: weightOf(part, kept), worth }
    })
    .filter(({ share }) => share >= relevantBesideName)
  const isNamed = ({ groups, share }: Supporting) =>
    share >= relevantFrom && (!hasNames || groups.some((group) => isNameOf(part, group)))
  const isAnchored = hasNames && candidates.some(isNamed)
  const relevant = candidates
    .flatMap((one): ReadonlyArray<Supporting> => {
      if (isNamed(one) || one.share >= relevantWithoutName) return [one]
      return isAnchored ? [{ ...one, worth: Math.min(one.worth, small) }] : []
    })
    .toSorted(
      (one, other) => other.worth * other.share - one.worth * one.share || bySentence(one.sentence, other.sentence),
    )
  const supporting: Array<Supporting> = []
  for (const candidate of relevant.slice(0, maxCompared)) {
    if (supporting.length === maxSupporting) break
    if (!supporting.some(({ sentence }) => isSame(sentence, candidate.sentence))) supporting.push(candidate)
  }
  const best = new Map<number, number>()
  for (const { groups, worth } of supporting) {
    for (const group of groups) best.set(group, Math.max(best.get(group) ?? 0, worth))
  }
  let sum = 0
  for (const [group, worth] of best) sum += (part.groups[group]?.weight ?? 0) * worth
  const deeds = supporting.filter(({ worth }) => worth === done).length
  const covered = Math.min(1, sum / (part.enough || 1))
  const depth = depths[isWhole ? "strict" : "mild"][Math.min(deeds, 3)] ?? 1
  const value = supporting.some(({ worth }) => worth > named) ? covered * depth : Math.min(named, covered)
  return {
    value: round(value),
    supporting,
    found: new Set(best.keys()),
    denied: denied.map(({ sentence }) => sentence),
  }
}
