/**
 * What an evaluator is not told: who the candidate is, and how to reach them (contract, Evaluation). Every character of
 * it is covered by one other, so that what an evaluator quotes is found again at the same place of the candidate's own
 * text. Pure.
 *
 * It covers what is known of the candidate and what has the form of an address, a telephone number or a profile's link.
 * Other people's names, and what gives somebody away in other words, it does not know.
 */
import type { EvaluationInput, EvaluationResult, EvaluationSource } from "./Evaluation.ts"

/** What is known of a candidate. */
export interface Person {
  readonly name: string | null
  readonly firstname: string | null
  readonly lastname: string | null
}

const cover = (found: string): string => "█".repeat(found.length)

const contacts: ReadonlyArray<RegExp> = [
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63})+/gu,
  /(?:https?:\/\/)?(?:[a-z]{2,3}\.)?(?:linkedin\.com|xing\.com|facebook\.com|instagram\.com)\/[^\s<>"]+/giu,
  // with a country's or a trunk code: the years of a CV have none
  /(?<![\p{L}\p{N}.])(?:\+|00|\(?0)[1-9]\d{0,3}\)?(?:[ ./()-]{0,2}\d){5,12}(?![\p{L}\p{N}])/gu,
  // as in North America
  /(?<![\p{L}\p{N}.])\(?[2-9]\d{2}\)?[ .-][2-9]\d{2}[ .-]\d{4}(?![\p{L}\p{N}])/gu,
]

/** Of a name that goes on and on, what is looked for. */
const mostParts = 20

/** Letters, digits, and what joins them: nothing that means something in a pattern. */
const wordsOf = (text: string): ReadonlyArray<string> => text.match(/[\p{L}\p{M}\p{N}'’-]+/gu) ?? []

/** Scripts that put no blank between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase()

/** A name's parts as people write them: as given, Capital and CAPITALS, but not will for Will. */
const nameIn = ({ firstname, lastname, name }: Person, asked: ReadonlySet<string>): RegExp | undefined => {
  const parts = [name, firstname, lastname]
    .flatMap((part) => wordsOf(part ?? ""))
    // a part that the interview itself speaks of is a word here, not a name: Swift, Ruby
    .filter((part) => part.length > 1 && /\p{L}/u.test(part) && !asked.has(part.toLowerCase()))
    .slice(0, mostParts)
  const forms = new Set(parts.flatMap((part) => [part, capital(part), part.toUpperCase()]))
  if (forms.size === 0) return undefined
  const alternatives = [...forms]
    .sort((one, other) => other.length - one.length)
    .map((form) => (unspaced.test(form) ? form : `(?<![\\p{L}\\p{N}])${form}(?![\\p{L}\\p{N}])`))
  return new RegExp(alternatives.join("|"), "gu")
}

/** The input with the candidate's name and contacts covered in every text of theirs. */
export const anonymous = (input: EvaluationInput, person: Person): EvaluationInput => {
  const { interview_title, position, requirements, sources } = input
  const asked = [
    interview_title,
    position,
    ...requirements.flatMap(({ content, hint, title }) => [title, content, hint]),
    ...sources.map(({ question }) => question),
  ].flatMap((text) => wordsOf(text ?? "").map((word) => word.toLowerCase()))
  const name = nameIn(person, new Set(asked))
  const covers = name === undefined ? contacts : [...contacts, name]
  const covered = (text: string) => covers.reduce((rest, pattern) => rest.replace(pattern, cover), text)
  return { ...input, sources: sources.map((source) => ({ ...source, text: covered(source.text) })) }
}

/**
 * The result with its quotes as the candidate wrote them, those in its sentences (“so”) too; `told` is what the evaluator
 * saw of `input`.
 */
export const inOwnWords = (
  result: EvaluationResult,
  input: EvaluationInput,
  told: EvaluationInput,
): EvaluationResult => {
  const own = (quote: string, isOf: (source: EvaluationSource) => boolean): string => {
    if (!quote.includes(cover("x"))) return quote
    for (const [i, source] of told.sources.entries()) {
      const at = isOf(source) ? source.text.indexOf(quote) : -1
      const found = at < 0 ? undefined : input.sources[i]?.text.slice(at, at + quote.length)
      if (found !== undefined) return found
    }
    return quote
  }
  const sentence = (text: string) => text.replace(/“([^”]*)”/g, (_, quote: string) => `“${own(quote, () => true)}”`)
  return {
    ...result,
    summary: sentence(result.summary),
    strengths: result.strengths.map(sentence),
    gaps: result.gaps.map(sentence),
    recommendations: result.recommendations.map(sentence),
    criteria: result.criteria.map((criterion) => ({
      ...criterion,
      evidence: criterion.evidence.map((one) => ({
        ...one,
        quote: own(one.quote, ({ question_id, source }) => source === one.source && question_id === one.question_id),
      })),
    })),
  }
}
