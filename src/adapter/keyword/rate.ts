/** From a requirement's profile and the candidate's sentences to a level, with quotes and the reasons in words. */
import type { Rating } from "../../domain/Evaluation.ts"
import type { Level } from "../../domain/Score.ts"
import type { Profile } from "./profile.ts"
import { bySentence, type Sentence } from "./sentences.ts"
import { likeness, sameFrom } from "./signals.ts"

/** A sentence that shares less than this part of `Profile.enough` with a requirement has nothing to do with it. */
const relevantFrom = 0.15
/** Words beside the requirement's own that make a sentence say something, not only name it; fewer do in a long one. */
const substanceFrom = 3
const substanceFromLong = 2
const longFrom = 5
const mostSupporting = 12
const quotes = 3

/** Coverage and the number of sentences with substance that a level takes, best first. */
const levels: ReadonlyArray<{ readonly level: Level; readonly coverage: number; readonly substantial: number }> = [
  { level: "full", coverage: 0.6, substantial: 3 },
  { level: "strong", coverage: 0.42, substantial: 2 },
  { level: "partial", coverage: 0.25, substantial: 1 },
  { level: "weak", coverage: 0, substantial: 0 },
]

/** A sentence that has to do with a requirement, and how much: as a part of `Profile.enough`. */
export interface Match {
  readonly sentence: Sentence
  readonly affirmed: number
  readonly said: number
}

const weightOf = (profile: Profile, stems: ReadonlySet<string>): number => {
  let weight = 0
  for (const stem of stems) weight += profile.terms.get(stem)?.weight ?? 0
  return weight / profile.enough
}

/** The relevant sentences of each profile, in the profiles' order. A sentence is weighed only where a word of it occurs. */
export const matchesOf = (
  profiles: ReadonlyArray<Profile>,
  sentences: ReadonlyArray<Sentence>,
): ReadonlyArray<ReadonlyArray<Match>> => {
  const holders = new Map<string, Array<number>>()
  for (const [index, { terms }] of profiles.entries()) {
    for (const stem of terms.keys()) {
      const known = holders.get(stem)
      if (known === undefined) holders.set(stem, [index])
      else known.push(index)
    }
  }
  const matches = profiles.map((): Array<Match> => [])
  for (const sentence of sentences) {
    const touched = new Set([...sentence.said].flatMap((stem) => holders.get(stem) ?? []))
    for (const index of touched) {
      const profile = profiles[index]
      if (profile === undefined) continue
      const said = weightOf(profile, sentence.said)
      if (said >= relevantFrom) matches[index]?.push({ sentence, said, affirmed: weightOf(profile, sentence.affirmed) })
    }
  }
  return matches
}

const isSame = (one: Sentence, other: Sentence): boolean => {
  let shared = 0
  for (const stem of one.said) if (other.said.has(stem)) shared += 1
  return likeness(shared, one.said.size, other.said.size) >= sameFrom
}

const hasSubstance = (profile: Profile, { affirmed, isList }: Sentence): boolean => {
  if (isList) return false
  let others = 0
  for (const stem of affirmed) if (!profile.terms.has(stem)) others += 1
  return others >= (affirmed.size >= longFrom ? substanceFromLong : substanceFrom)
}

/** The best supporting sentences, those with substance first, none nearly the same as another. */
const supporting = (profile: Profile, matches: ReadonlyArray<Match>) => {
  const candidates = matches
    .filter(({ sentence, affirmed }) => sentence.ignored === null && affirmed >= relevantFrom)
    .map(({ sentence, affirmed }) => ({ sentence, affirmed, substantial: hasSubstance(profile, sentence) }))
    .toSorted(
      (one, other) =>
        Number(other.substantial) - Number(one.substantial) ||
        other.affirmed - one.affirmed ||
        bySentence(one.sentence, other.sentence),
    )
  const chosen: typeof candidates = []
  for (const candidate of candidates) {
    if (chosen.length === mostSupporting) break
    if (!chosen.some(({ sentence }) => isSame(sentence, candidate.sentence))) chosen.push(candidate)
  }
  return chosen
}

const reasons = (matches: ReadonlyArray<Match>): ReadonlyArray<string> => {
  const has = (test: (match: Match) => boolean) => matches.some(test)
  const left = [
    has(({ affirmed, said }) => affirmed < said)
      ? "What the candidate denies or only wishes to learn was not counted."
      : "",
    has(({ sentence }) => sentence.ignored === "repeated")
      ? "Text that repeats the requirement or the question was not counted."
      : "",
    has(({ sentence }) => sentence.ignored === "addressed") ? "Text addressed to the evaluator was not counted." : "",
  ]
  return left.filter((reason) => reason !== "")
}

const few = (labels: ReadonlyArray<string>): string => labels.slice(0, 6).join(", ")

/** What the rating of one requirement rests on, for the stored raw output. `coverage` is between 0 and 1. */
export interface Finding {
  readonly rating: Rating
  readonly coverage: number
  readonly sentences: number
  readonly substantial: number
}

/** Rates one requirement from its relevant sentences. */
export const rate = (profile: Profile, matches: ReadonlyArray<Match>): Finding => {
  const requirement_id = profile.id
  if (profile.terms.size === 0) {
    const rating = { requirement_id, cannot_evaluate: "The requirement has no words to look for." }
    return { rating, coverage: 0, sentences: 0, substantial: 0 }
  }
  const chosen = supporting(profile, matches)
  const affirmed = new Set(chosen.flatMap(({ sentence }) => [...sentence.affirmed]))
  const coverage = Math.round(Math.min(1, weightOf(profile, affirmed)) * 1000) / 1000
  const substantial = chosen.filter((one) => one.substantial).length
  const found = [...profile.terms].filter(([stem]) => affirmed.has(stem)).map(([, { label }]) => label)
  const missing = [...profile.terms].filter(([stem]) => !affirmed.has(stem)).map(([, { label }]) => label)
  const level =
    chosen.length === 0
      ? "none"
      : (levels.find((one) => coverage >= one.coverage && substantial >= one.substantial)?.level ?? "weak")
  const denied = matches.filter(({ sentence, affirmed, said }) => sentence.ignored === null && affirmed < said)
  const shown = chosen.length > 0 ? chosen : denied
  const rationale = [
    chosen.length === 0 ? `No sentence supports this. Looked for: ${few(missing)}.` : "",
    chosen.length > 0 ? `${chosen.length} ${chosen.length === 1 ? "sentence" : "sentences"} on: ${few(found)}.` : "",
    chosen.length > 0 && missing.length > 0 ? `Not found: ${few(missing)}.` : "",
    chosen.length > 0 && substantial === 0 ? "Named only, without saying what was done." : "",
    ...reasons(matches),
  ].filter((part) => part !== "")
  const evidence = shown.slice(0, quotes).map(({ sentence }) => sentence.evidence)
  const rating = { requirement_id, level, rationale: rationale.join(" "), evidence }
  return { rating, coverage, sentences: chosen.length, substantial }
}
