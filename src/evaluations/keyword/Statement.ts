/** Compares answers with what a requirement states: "A mortgage is a loan secured by a house." */
import type { Language } from "./Language.ts"
import type { Word } from "./Text.ts"
import { wordsOf } from "./Text.ts"
import { stemIn, stopWords } from "./WordLists.ts"

/** English question words count anywhere in a sentence, other words at its beginning or after a comma. */
const asksFact =
  /(?<!\p{L})(?:what|where|when|which|why|who|how)(?!\p{L})[^?.]*\?|(?:^|[.!?)\]:;,"] ?)¿?(?:and |und |et |y |e |briefly |please )?(?:what|why|how|describe|define|explain|identify|name|list|state|was|wo|wann|welche[rsn]?|warum|wer|wie|beschreiben|erkl(?:ä|a)ren|nennen|qu(?:e|el|elle|els|elles|'est-ce)|comment|pourquoi|o(?:ù|u)|d(?:é|e)finissez|expliquez|qu(?:é|e|al|ais)|cu(?:á|a)l|c(?:ó|o)mo|d(?:ó|o)nde|por|onde)(?!\p{L})/iu
const asksPerson =
  /(?<!\p{L})(?:your|yours|yourself|(?<!can |could )you|you['’]\p{L}+|tell (?:us|me)|sie|ihr\p{L}*|du|dein\p{L}*|vous|votre|vos|tu|ton|usted\p{L}*|su|sus|tus|voc(?:ê|e)|sua?s?)(?!\p{L})/iu

/** "Describe a project that went wrong" names no person, but asks for a story. */
const asksExperience =
  /(?<!\p{L})(?:project|experience|career|candidate|applicant|hire|achievement|strengths?|weakness(?:es)?|situation|challenges?|challenging|difficult|hardest|proud\p{L}*|conflict|motivation|motivat\p{L}+|so far|a time|last (?:job|role)|previous|projekt\p{L}*|erfahrung\p{L}*|bewerb\p{L}+|schwierig\p{L}*|stärken|schwächen|projets?|exp(?:é|e)riences?|difficiles?|candidats?|proyectos?|experiencias?|dif(?:í|i)cil\p{L}*|candidat[oa]s?|projetos?|experi(?:ê|e)ncias?)(?!\p{L})/iu

/** "How do you know?" and "Explain your answer." ask for no experience. */
const impersonal =
  /(?<!\p{L})(?:(?:do|would|could|can|will|should|might) you (?:think|know|expect|tell|see|observe|agree|define|explain|describe|call|get|need|find|use|mean)|(?:tells?|told|helps?|helped|shows?|gives?) (?:you|us)|(?:how|why|what|which|that) you (?:chose|choose|got|get|knew|found|expect|mean|do not)|your (?:own )?(?:answer|answers|choice|choices|reason|reasons|reasoning|evidence|explanation|thinking|words|rule|prediction|conclusion)|you (?:can|could|would|will|think|know|see|observe))(?!\p{L})/giu

/**
 * What a question asks for. `fact`: "What is a mortgage?"; a requirement can state the answer. `story`: "Tell us about
 * a project." `either`: "How did you separate the salt?"; only the requirement tells which.
 */
export type Asked = "fact" | "either" | "story"

/** One sentence that asks for a fact is enough, wherever it stands. */
export const askedBy = (question: string | null): Asked => {
  if (question === null || !asksFact.test(question) || asksExperience.test(question)) return "story"
  return asksPerson.test(question.replaceAll(impersonal, "")) ? "either" : "fact"
}

export const isFactual = (question: string | null): question is string => askedBy(question) === "fact"

/** True for "The bulb is in a closed path", false for "Has led a team". */
export const isStatement = (text: string): boolean =>
  !/^(?:is|are|has|have|can|will|could|ist|kann|wird|est|peut|es|puede|tem|pode)(?!\p{L})/iu.test(text) &&
  /^(?:the|an?|if|when|because|it|they|there|yes|no)(?! (?:candidate|applicant|ability))(?!\p{L})|(?<!\p{L})(?:is|are|was|were|will|would|can|could|do|does|has|have|because|if|when|it|they|ist|sind|war|wird|werden|kann|weil|wenn|est|sont|peut|si|son|puede|porque|são|pode)(?!\p{L})/iu.test(
    text,
  )

/** By stem, whether it is a stop word. */
export type Stated = ReadonlyMap<string, boolean>

export const statedOf = (words: ReadonlyArray<Word>, language: Language): Stated =>
  new Map(words.map(({ folded }) => [stemIn(folded, language), stopWords.has(folded)]))

/** The words of an answer. */
export interface Statement {
  /** Stems of the question, which earn less. */
  readonly given: ReadonlySet<string>
  readonly said: ReadonlySet<string>
  /** Has no words but those of the question and stop words. */
  readonly isEcho: boolean
  readonly length: number
}

const stemsOf = (words: ReadonlyArray<Word>, language: Language): ReadonlySet<string> =>
  new Set(words.map(({ folded }) => stemIn(folded, language)))

export const statementOf = (question: string, words: ReadonlyArray<Word>, language: Language): Statement => {
  const given = stemsOf(wordsOf(question), language)
  const content = words.filter(({ folded }) => !stopWords.has(folded))
  return {
    given,
    said: stemsOf(words, language),
    isEcho: [...stemsOf(content, language)].every((stem) => given.has(stem)),
    length: words.length,
  }
}

const inQuestion = 0.35
const ofStopWords = 0.15
/** Of the value of an answer that only repeats the question's words, if the requirement has others. */
const worthEcho = 0.85
/** Above this number of words per wanted word, the value falls, so that answers cannot list every word. */
const maxWordiness = 30

/**
 * How much of the stated answer the candidate's answer contains, from 0 to 1. Words of the question and stop words weigh
 * less.
 */
export const agreementOf = (stated: Stated, { given, isEcho, length, said }: Statement): number => {
  let all = 0
  let found = 0
  let own = 0
  for (const [stem, isStopWord] of stated) {
    const weight = isStopWord ? ofStopWords : given.has(stem) ? inQuestion : 1
    all += weight
    if (weight === 1) own += 1
    if (said.has(stem)) found += weight
  }
  if (all === 0) return 0
  const brevity = Math.min(1, (maxWordiness * stated.size) / length)
  return Math.sqrt(found / all) * brevity * (isEcho && own > 0 ? worthEcho : 1)
}
