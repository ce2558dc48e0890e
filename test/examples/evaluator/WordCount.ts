/** Rates a requirement by how many of its words the candidate uses. An example of the interface, not a good evaluator. */
import { Effect, Layer } from "effect"
import type { Evaluation } from "interview-invitations/domain"
import { Evaluator } from "interview-invitations/port/Evaluator"

const wordsOf = (text: string) => new Set(text.toLowerCase().match(/\p{L}{4,}/gu) ?? [])

/** Finds instructions to the evaluator, which count for nothing. */
const isOrder = (sentence: string) =>
  /\b(?:rate|evaluate|give|score)\b.*\b(?:me|candidate|applicant)\b/is.test(sentence)

const levelOf = (share: number) => {
  if (share === 0) return "none"
  return share < 0.2 ? "weak" : share < 0.4 ? "partial" : share < 0.8 ? "strong" : "full"
}

const rate = (
  { content, id, title }: Evaluation.EvaluationRequirement,
  sources: ReadonlyArray<Evaluation.EvaluationSource>,
): Evaluation.Rating => {
  const wanted = wordsOf(`${title} ${content}`)
  const found = new Set<string>()
  const evidence = sources.flatMap(({ question_id, source, text }) =>
    (text.match(/[^.!?\n]+[.!?]*/g) ?? []).flatMap((sentence) => {
      const hits = isOrder(sentence) ? [] : [...wordsOf(sentence)].filter((word) => wanted.has(word))
      for (const hit of hits) found.add(hit)
      return hits.length < 2 ? [] : [{ quote: sentence.trim(), source, question_id }]
    }),
  )
  const share = evidence.length === 0 ? 0 : found.size / wanted.size
  return {
    requirement_id: id,
    level: levelOf(share),
    rationale: `Uses ${found.size} of ${wanted.size} words.`,
    evidence: evidence.map((each) => ({ ...each, quote: each.quote.slice(0, 300) })),
  }
}

export const layer = Layer.succeed(
  Evaluator,
  Evaluator.of({
    evaluate: ({ requirements, sources }) => {
      const isBlank = sources.every(({ text }) => !/\p{L}/u.test(text))
      return Effect.succeed({
        evaluator: "word count 1",
        model: null,
        raw: null,
        summary: isBlank ? "There is no text." : "Words were counted.",
        strengths: [],
        gaps: [],
        recommendations: [],
        ratings: requirements.map((requirement) =>
          isBlank
            ? { requirement_id: requirement.id, cannot_evaluate: "There is no text." }
            : rate(requirement, sources),
        ),
      })
    },
  }),
)
