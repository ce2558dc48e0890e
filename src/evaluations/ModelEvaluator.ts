/**
 * Evaluates with a language model over OpenAI's chat-completions API, in three readings (model/Consensus.ts).
 *
 * A reading takes at most three requests, plus one for each refused option. In the queue's eleven attempts, an
 * evaluation costs at most 99 requests: 33 if no answer comes in time, 9 if all answers are unusable.
 */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Data, Duration, Effect, Layer, Result } from "effect"
import type { AiError, LanguageModel } from "effect/ai"
import { SecureRandom } from "effect/crypto"
import { operatorClient } from "../platform/outbound/OperatorClient.ts"
import type { OutboundProxy } from "../values/OutboundProxy.ts"
import {
  criteriaOf,
  type EvaluationInput,
  type EvaluatorOutput,
  evaluationWarning,
  isReadable,
  narrate,
  type Rating,
} from "./Evaluation.ts"
import { Evaluator, EvaluatorUnavailable } from "./Evaluator.ts"
import { models } from "./model/ChatCompletions.ts"
import { consensus, isComplete, minReadings, readingOf } from "./model/Consensus.ts"
import { Answer, bounded } from "./model/ModelOutput.ts"
import { isRepeatable, isTransient, reasonOf, retries, type Server, timeoutReason } from "./model/ModelServer.ts"
import { isShown, maxTextLength, type Passages, passagesOf } from "./model/Passages.ts"
import { askedOf, candidateMessage, systemMessage } from "./model/Prompt.ts"
import { relevanceOf } from "./model/Relevance.ts"

export interface ModelOptions extends Server {
  readonly proxy?: OutboundProxy | undefined
  /** Limit of one request; 4 minutes by default. */
  readonly timeout?: Duration.Duration
  /** Delay before the first retry; 1 second by default. It doubles for the next. */
  readonly firstRetry?: Duration.Duration
}

/** Stored with each evaluation. Increase it, also in docs/model-card.md, when the same answers would be rated differently. */
export const version = "model/2"

/** One reading each. */
const seeds = [1, 2, 3]

/** Limit of one reading with its retries; below the lease (EvaluationQueue.ts). */
const maxReadingTime = Duration.minutes(8)

/** The answer leaves out requirements. The last attempt's answer is used even if it does. */
class Incomplete extends Data.TaggedError("Incomplete")<{ readonly outcome: Outcome }> {}

type Outcome =
  | {
      readonly _tag: "Read"
      readonly answer: Answer
      readonly model: string | null
      readonly tokens: { readonly input: number | null; readonly output: number | null }
    }
  | { readonly _tag: "Declined"; readonly reason: string }
  | { readonly _tag: "Failed"; readonly reason: string; readonly retryable: boolean }

const outcomeOf = (error: AiError.AiError): Effect.Effect<Outcome, EvaluatorUnavailable> => {
  const reason = reasonOf("MODEL", error)
  if (error.reason._tag === "ContentPolicyError") return Effect.succeed({ _tag: "Declined", reason })
  if (isTransient(error)) return Effect.succeed({ _tag: "Failed", reason, retryable: true })
  if (isRepeatable(error)) return Effect.succeed({ _tag: "Failed", reason, retryable: false })
  return Effect.fail(new EvaluatorUnavailable({ reason, retryable: false }))
}

const cut = `Only ${maxTextLength} characters of all texts together were read: the ends of the longest texts were not.`

const remarks = ({ addressed, isCut }: Passages): ReadonlyArray<string> => [
  ...(isCut ? [cut] : []),
  ...(addressed.length > 0 ? [`Passages addressed to the evaluator were not counted: ${addressed.length}.`] : []),
]

type RatingBody = Rating extends infer One ? (One extends Rating ? Omit<One, "requirement_id"> : never) : never

type Conclusion = Pick<EvaluatorOutput, "ratings" | "summary" | "strengths" | "gaps" | "recommendations" | "warnings">

const sameForAll = (input: EvaluationInput, body: RatingBody): Conclusion => {
  const ratings = input.requirements.map(({ id }): Rating => ({ requirement_id: id, ...body }))
  return { ratings, ...narrate(criteriaOf(input, ratings)) }
}

/** By code, the ids of the requirements that the model rates. */
const codesOf = (input: EvaluationInput): ReadonlyMap<string, string> =>
  new Map(askedOf(input).map(({ code, requirement }) => [code, requirement.id]))

const conclude = (
  input: EvaluationInput,
  passages: Passages,
  outcomes: ReadonlyArray<Outcome>,
): Result.Result<Conclusion, EvaluatorUnavailable> => {
  const codes = codesOf(input)
  const answers = outcomes.flatMap((outcome) => (outcome._tag === "Read" ? [outcome.answer] : []))
  if (answers.length >= minReadings) {
    const isRelevant = relevanceOf(input, passages)
    const readings = answers.map((answer) => readingOf(answer, codes, passages, isRelevant))
    return Result.succeed(consensus(input, new Set(codes.values()), readings, passages))
  }
  if (outcomes.filter(({ _tag }) => _tag === "Declined").length >= minReadings) {
    return Result.succeed(sameForAll(input, { cannot_evaluate: "The model declined to rate this text." }))
  }
  const failed = outcomes.filter((outcome) => outcome._tag === "Failed")
  const reasons = new Set(outcomes.flatMap((outcome) => (outcome._tag === "Read" ? [] : [outcome.reason])))
  const isHopeless = failed.filter((outcome) => !outcome.retryable).length >= minReadings
  const retryable = !isHopeless && failed.some((outcome) => outcome.retryable)
  return Result.fail(new EvaluatorUnavailable({ reason: [...reasons].join("; "), retryable }))
}

interface Reader {
  readonly random: SecureRandom.SecureRandom["Service"]
  readonly schedule: ReturnType<typeof retries>
  readonly timeout: Duration.Duration
}

const ask = Effect.fnUntraced(function* (
  { random }: Reader,
  model: LanguageModel.LanguageModel,
  input: EvaluationInput,
  passages: Passages,
) {
  const boundary = Buffer.from(yield* Effect.orDie(random.randomBytes(16))).toString("hex")
  const { content, usage, value } = yield* model.generateObject({
    objectName: "evaluation",
    schema: Answer,
    prompt: [
      { role: "system", content: systemMessage(input, boundary) },
      { role: "user", content: [{ type: "text", text: candidateMessage(passages, boundary) }] },
    ],
  })
  const metadata = content.find((part) => part.type === "response-metadata")
  const outcome: Outcome = {
    _tag: "Read",
    answer: bounded(value),
    model: metadata?.modelId ?? null,
    tokens: { input: usage.inputTokens.total ?? null, output: usage.outputTokens.total ?? null },
  }
  return isComplete(outcome.answer, codesOf(input)) ? outcome : yield* new Incomplete({ outcome })
})

const timedOut = (waited: Duration.Duration): Outcome => ({
  _tag: "Failed",
  reason: timeoutReason("MODEL", waited),
  retryable: true,
})

const read = (reader: Reader, model: LanguageModel.LanguageModel, input: EvaluationInput, passages: Passages) =>
  ask(reader, model, input, passages).pipe(
    Effect.timeout(reader.timeout),
    Effect.retry(reader.schedule),
    Effect.catchTag("TimeoutError", () => Effect.succeed(timedOut(reader.timeout))),
    Effect.catchTag("Incomplete", ({ outcome }) => Effect.succeed(outcome)),
    Effect.catchTag("AiError", outcomeOf),
    Effect.timeoutOrElse({ duration: maxReadingTime, orElse: () => Effect.succeed(timedOut(maxReadingTime)) }),
  )

const evaluate = Effect.fn("ModelEvaluator.evaluate")(function* (
  reader: Reader,
  seeded: ReadonlyArray<LanguageModel.LanguageModel>,
  name: string,
  input: EvaluationInput,
) {
  const common = { evaluator: version, model: name, raw: null }
  if (input.requirements.length === 0 || !isReadable(input.sources)) {
    return { ...common, ...sameForAll(input, { cannot_evaluate: "There is no text to read." }) }
  }
  const passages = passagesOf(input.sources)
  const { addressed, isCut } = passages
  if (!isShown(passages)) {
    const rationale = "No credit: all of the text is addressed to the evaluator."
    return { ...common, ...sameForAll(input, { level: "none", rationale, evidence: [] }), raw: { addressed, isCut } }
  }
  const outcomes = yield* Effect.forEach(seeded, (model) => read(reader, model, input, passages), {
    concurrency: seeds.length,
  })
  const { summary, warnings = [], ...concluded } = yield* Effect.fromResult(conclude(input, passages, outcomes))
  return {
    ...common,
    ...concluded,
    summary: [summary, ...remarks(passages)].join(" "),
    raw: { addressed, isCut, readings: outcomes },
    warnings: [...(isCut ? [evaluationWarning("part_not_read", cut)] : []), ...warnings],
  }
})

export const make = Effect.fnUntraced(function* ({
  firstRetry = Duration.seconds(1),
  timeout = Duration.minutes(4),
  ...server
}: ModelOptions) {
  const reader = {
    random: yield* SecureRandom.SecureRandom,
    schedule: retries(firstRetry, (error) => error instanceof Incomplete),
    timeout,
  }
  const seeded = yield* models(server, seeds)
  return Evaluator.of({
    evaluate: (input) => evaluate(reader, seeded, server.name, input),
    requests: seeds.length,
    description: { evaluator: version, model: server.name, host: new URL(server.url).host },
  })
})

export const layer = (options: ModelOptions) =>
  Layer.effect(Evaluator, make(options)).pipe(Layer.provide([operatorClient(options.proxy), NodeCrypto.layer]))
