/**
 * The default evaluator: words counted on this machine, no network, no model, the same answer for the same text.
 *
 * A requirement is looked for by the words of its title, content and hint, the rare ones weighing more. A sentence of
 * the candidate supports it by sharing enough of them. The level follows from how much of the requirement the sentences
 * cover and from how many distinct ones say something beside it. No credit is given to what is denied or only wished
 * for, to text that repeats the requirement or the question, to text addressed to the evaluator, nor twice to the same.
 *
 * It compares words and understands nothing: a paraphrase in other words is missed, and a fluent lie is believed. Its
 * stop words, stems, denials and praise are English; in other languages words match only as they are written.
 *
 * Time is near linear in the text. Measured with eight requirements: a CV of 6,000 characters takes 5 ms, the longest
 * text that is read, 200,000 characters, 100 ms.
 */
import { Effect, Layer } from "effect"
import { criteriaOf, type EvaluationInput, type EvaluatorOutput, isReadable, narrate } from "../domain/Evaluation.ts"
import { Evaluator } from "../port/Evaluator.ts"
import { profilesOf } from "./keyword/profile.ts"
import { matchesOf, rate } from "./keyword/rate.ts"
import { readSentences } from "./keyword/sentences.ts"
import { textLimit } from "./keyword/text.ts"

/** Stored with each evaluation; the number changes whenever the same text would be rated differently. */
const version = "keyword/1"

const remarks = ({ language, sources }: EvaluationInput): ReadonlyArray<string> => [
  ...(language === null || /^en\b/i.test(language)
    ? []
    : [`Words were compared as written; only English is analysed.`]),
  ...(sources.reduce((length, { text }) => length + text.length, 0) > textLimit
    ? [`Only the first ${textLimit} characters were read.`]
    : []),
]

const evaluate = (input: EvaluationInput): EvaluatorOutput => {
  const profiles = profilesOf(input.requirements)
  const sentences = readSentences(input)
  const matches = matchesOf(profiles, sentences)
  const findings = profiles.map((profile, index) => rate(profile, matches[index] ?? []))
  const ratings = isReadable(input.sources)
    ? findings.map(({ rating }) => rating)
    : profiles.map(({ id }) => ({ requirement_id: id, cannot_evaluate: "There is no text to read." }))
  const narrative = narrate(criteriaOf(input, ratings))
  return {
    ...narrative,
    summary: [narrative.summary, ...remarks(input)].join(" "),
    evaluator: version,
    model: null,
    ratings,
    raw: {
      sentences: sentences.length,
      requirements: findings.map(({ rating, ...counts }) => ({ requirement_id: rating.requirement_id, ...counts })),
    },
  }
}

/** The keyword evaluator behind the Evaluator port. It is never unavailable. */
export const layer: Layer.Layer<Evaluator> = Layer.succeed(
  Evaluator,
  Evaluator.of({ evaluate: Effect.fn("KeywordEvaluator.evaluate")((input) => Effect.sync(() => evaluate(input))) }),
)
