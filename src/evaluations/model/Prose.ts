/**
 * Drops sentences with unsupported quotations, figures or names from the model's prose. Quotations must be in the
 * candidate's text or the interview set; figures and names, in the evidence or the set.
 */
import type { EvaluationInput, Evidence, Narrative } from "../Evaluation.ts"
import { namesOf } from "../keyword/Sentence.ts"
import { mentionsIn, sentencesOf, type Word, wordsOf } from "../keyword/Text.ts"
import { stem } from "../keyword/WordLists.ts"
import { isWritten, type Passages, readable, verbatim } from "./Passages.ts"
import { askedOf, partsOf, questionOf } from "./Prompt.ts"

const quotations = /"([^"]*)"|(?<![\p{L}\p{N}])'(.+?)'(?![\p{L}\p{N}])/gu

/** After these, a capital letter may only mark the beginning of a sentence or list. */
const opening = /^\s*$|[.:!?;–—(]\s*$|\s-\s*$/u

/** Capitalized words that name no product, place or person. */
const ordinary = new Set(["i", "cv"])

const keysOf = (text: string): ReadonlyArray<string> => {
  const words = wordsOf(text)
  return [...words.flatMap(({ folded }) => [folded, stem(folded)]), ...[...namesOf(words)].map((name) => `=${name}`)]
}

export type Prose = (text: string) => string

export const proseOf = (input: EvaluationInput, passages: Passages, evidence: ReadonlyArray<Evidence>): Prose => {
  const { interview_title, position, sources } = input
  const asked = askedOf(input).flatMap(({ requirement }) => Object.values(partsOf(requirement)))
  const set = [interview_title, position, ...asked, ...sources.map(questionOf)].map((part) => part ?? "")
  const known = new Set([...set, ...evidence.map(({ quote }) => quote)].flatMap(keysOf))
  const setText = readable(set.join("\n"))

  const isFounded = (text: string): boolean => {
    const { plain } = readable(text)
    for (const [, double, single] of plain.matchAll(quotations)) {
      const quote = double ?? single ?? ""
      if (!isWritten(passages, quote) && verbatim(setText, quote) === undefined) return false
    }
    const rest = plain.replaceAll(quotations, "…")
    if (rest.includes('"')) return false
    const words = wordsOf(rest)
    const mentions = mentionsIn(words)
    const namesAt = (at: number) =>
      mentions.flatMap(({ from, name, to }) => (from <= at && at < to ? [`=${name}`] : []))
    const isClaim = ({ at, folded, raw }: Word, index: number): boolean => {
      if (ordinary.has(folded)) return false
      if (/\p{N}|.\p{Lu}/u.test(raw)) return true
      return /^\p{Lu}/u.test(raw) && (namesAt(index).length > 0 || !opening.test(rest.slice(Math.max(0, at - 3), at)))
    }
    const isKnown = ({ folded }: Word, index: number): boolean =>
      [folded, stem(folded), ...namesAt(index)].some((key) => known.has(key))
    return words.every((word, index) => !isClaim(word, index) || isKnown(word, index))
  }

  return (text) => (isFounded(text) ? text : sentencesOf(text).filter(isFounded).join(" "))
}

export const supportedNarrative = (
  { gaps, recommendations, strengths, summary }: Narrative,
  prose: Prose,
): Narrative => {
  const kept = (texts: ReadonlyArray<string>) => texts.map(prose).filter((text) => text !== "")
  return {
    summary: prose(summary),
    strengths: kept(strengths),
    gaps: kept(gaps),
    recommendations: kept(recommendations),
  }
}
