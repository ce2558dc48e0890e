/** The candidate's sentences with all that is asked of them, read once for every requirement. */
import type { EvaluationInput, Evidence } from "../../domain/Evaluation.ts"
import { withoutCovers } from "../../domain/Redaction.ts"
import { affirmedWords, isAddressed, repetitionOf, type Saying, sayingOf } from "./signals.ts"
import { sentencesOf, textLimit, type Word, wordsOf } from "./text.ts"
import { stopWords } from "./words.ts"

/**
 * One distinct sentence; `order` sorts it by its text, then by its source. `said` are its stems, `affirmed` those that it does not deny. `ignored` says why it earns
 * nothing at all. `isList` marks a bare enumeration, such as a line of skills.
 */
export interface Sentence {
  readonly evidence: Evidence
  readonly order: string
  readonly said: ReadonlySet<string>
  readonly affirmed: ReadonlySet<string>
  readonly isList: boolean
  readonly ignored: "repeated" | "addressed" | null
}

/** A bare line of at most this many words names a skill in a CV, and is not taken for a copy of the requirement. */
const mentionWords = 3

const isEnumeration = (text: string, words: number): boolean => (text.match(/[,;|/·•]/g)?.length ?? 0) * 2 >= words

/** Mostly words of the requirements with hardly a function word between them: a heap of key words, no sentence. */
const isHeap = (words: ReadonlyArray<Word>, content: ReadonlyArray<string>, wanted: ReadonlySet<string>): boolean =>
  content.length > mentionWords &&
  content.filter((stem) => wanted.has(stem)).length >= 0.7 * content.length &&
  words.filter(({ folded }) => stopWords.has(folded)).length * 6 <= words.length

/** By text, then by source: an order that does not depend on the order in which the sources came. */
export const bySentence = (one: Sentence, other: Sentence): number =>
  one.order < other.order ? -1 : one.order > other.order ? 1 : 0

/** The distinct sentences of the requirements and questions. */
const referencesOf = ({ requirements, sources }: EvaluationInput): ReadonlyArray<Saying> => {
  const parts = requirements.flatMap(({ title, content, hint }) => [title, content, hint])
  const texts = new Set([...parts, ...sources.map(({ question }) => question)])
  const sentences = new Set([...texts].flatMap((text) => sentencesOf(text ?? "")))
  return [...sentences].map((sentence) => sayingOf(wordsOf(sentence)))
}

/** The distinct sentences with content of all sources, up to `textLimit`, in a stable order. */
export const readSentences = (input: EvaluationInput): ReadonlyArray<Sentence> => {
  const references = referencesOf(input)
  const isRepetition = repetitionOf(references)
  const wanted = new Set(references.flatMap(({ content }) => content))
  const found: Array<Sentence> = []
  let room = textLimit
  for (const { source, question_id, text } of input.sources) {
    for (const quote of sentencesOf(text.slice(0, room))) {
      const words = wordsOf(withoutCovers(quote))
      const said = sayingOf(words)
      if (said.content.length === 0) continue
      const isMention = source === "cv" && said.content.length <= mentionWords
      const kept = affirmedWords(words)
      const affirmed = kept === words ? said : sayingOf(kept)
      found.push({
        evidence: { quote, source, question_id },
        order: JSON.stringify([quote, source, question_id]),
        said: new Set(said.content),
        affirmed: new Set(affirmed.content),
        isList: isEnumeration(quote, words.length) || isHeap(words, said.content, wanted),
        ignored: isAddressed(words) ? "addressed" : !isMention && isRepetition(affirmed) ? "repeated" : null,
      })
    }
    room = Math.max(0, room - text.length)
  }
  const distinct = new Map<string, Sentence>()
  for (const sentence of found.toSorted(bySentence)) {
    const key = [...[...sentence.said].toSorted(), sentence.affirmed.size, sentence.ignored].join(" ")
    if (!distinct.has(key)) distinct.set(key, sentence)
  }
  return [...distinct.values()]
}
