/**
 * Decides whether a quote is relevant to a requirement. Honest quotes are often paraphrases, so a few words shared with the
 * quoted sentences or their neighbours are enough. The numbers were measured on labelled interviews.
 */
import type { EvaluationInput, EvaluationRequirement } from "../Evaluation.ts"
import { type Language, languageOf } from "../keyword/Language.ts"
import { isSoftWanted, wantedIn } from "../keyword/RequirementPart.ts"
import { namesOf } from "../keyword/Sentence.ts"
import { isFactual } from "../keyword/Statement.ts"
import { contentOf, wordsOf } from "../keyword/Text.ts"
import { type Passages, type Quoted, shownOf } from "./Passages.ts"
import { askedOf, partsOf, questionOf } from "./Prompt.ts"

/** Minimum share of the requirement's words in the sentences; `enoughWords` words are always enough. */
const minShare = 0.05
const enoughWords = 2
/** Minimum share of the requirement's words in a question; then its answer need not repeat them. */
const minQuestionShare = 0.15
/** Below this number of words, a paraphrase often shares none, so words anywhere in the text or a figure are enough. */
const shortBelow = 5

const figure = /\d/
const asksFigure = /\d|(?<!\p{L})(?:years?|months?|jahren?|monaten?|ans|années?|mois|años?|anos?|mes(?:es)?)(?!\p{L})/iu

/** `keys`: stems, and lexicon names after a "=". */
interface Text {
  readonly text: string
  readonly keys: ReadonlySet<string>
}

const textOf = (text: string, language: Language): Text => {
  const words = wordsOf(text)
  const names = [...namesOf(words)].map((name) => `=${name}`)
  return { text, keys: new Set([...contentOf(words, language), ...names]) }
}

/** `whole` and `question` are the same objects for all quotes of one source, so they can be cache keys. */
interface Place {
  readonly context: Text
  readonly whole: Text
  readonly question: Text
}

type Test = (place: Place) => boolean

const testOf = (requirement: EvaluationRequirement, language: Language): Test => {
  const { content, hint, title } = partsOf(requirement)
  const text = [title, content, hint].join("\n")
  const wanted = wantedIn(text, language)
  if (isSoftWanted(wanted)) return () => true
  const names = new Set(namesOf(wordsOf(text)))
  const sharedBy = ({ keys }: Text): number => wanted.filter((unit) => unit.keys.some((key) => keys.has(key))).length
  const needed = Math.min(minShare * wanted.length, enoughWords)
  const holds = (one: Text): boolean => sharedBy(one) >= needed || [...names].some((name) => one.keys.has(`=${name}`))
  const isShort = wanted.length < shortBelow
  const isFigureEnough = isShort || asksFigure.test(text)
  const known = new Map<Text, boolean>()
  const isAbout = (whole: Text, question: Text): boolean => {
    const before = known.get(whole)
    if (before !== undefined) return before
    const found = sharedBy(question) >= minQuestionShare * wanted.length || (isShort && holds(whole))
    known.set(whole, found)
    return found
  }
  return ({ context, question, whole }) =>
    holds(context) || (isFigureEnough && figure.test(context.text)) || isAbout(whole, question)
}

export type Relevance = (requirementId: string, quoted: Quoted) => boolean

/**
 * Also true if words cannot decide: between two languages, for general qualities such as teamwork, and for answers to
 * factual questions ("What is a stack?"), which rarely use the words of the expected answer.
 */
export const relevanceOf = (input: EvaluationInput, { passages }: Passages): Relevance => {
  const requirements = askedOf(input).map(({ requirement }) => requirement)
  const parts = requirements.flatMap((requirement) => Object.values(partsOf(requirement)))
  const language = languageOf(parts.join("\n"), input.language)
  if (language === null) return () => true
  const tests = new Map(requirements.map((requirement) => [requirement.id, testOf(requirement, language)]))
  const comparable = new Map(
    passages.flatMap((passage) => {
      const shown = shownOf(passage)
      const written = languageOf(shown, language)
      if (isFactual(passage.question) || written === null) return []
      return [
        [
          passage,
          { written, whole: textOf(shown, language), question: textOf(questionOf(passage), language) },
        ] as const,
      ]
    }),
  )
  return (requirementId, { context, passage }) => {
    const source = comparable.get(passage)
    const test = tests.get(requirementId)
    if (source === undefined || test === undefined || languageOf(context, source.written) !== language) return true
    return test({ ...source, context: textOf(context, language) })
  }
}
