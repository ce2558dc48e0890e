import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Exit } from "effect"
import * as ChildComputation from "../../../src/evaluations/computation/ChildComputation.ts"
import { Computation } from "../../../src/evaluations/computation/Computation.ts"
import type { EvaluationInput } from "../../../src/evaluations/Evaluation.ts"
import { Overloaded } from "../../../src/values/Problem.ts"
import * as InProcess from "../../support/Computation.ts"

const person = { name: "Ada Lovelace", firstname: null, lastname: null, phone: null }

const inputOf = (text: string): EvaluationInput => ({
  interview_title: "Backend Engineer",
  position: null,
  language: "en",
  requirements: [{ id: "r", title: "PostgreSQL", content: "Runs PostgreSQL", hint: null, cfg_importance_id: 273 }],
  sources: [{ source: "answer", question_id: "q", question: "What did you do?", text }],
})

const small = inputOf("I am Ada Lovelace. I ran PostgreSQL clusters for 5 years.")
/** Takes seconds of CPU time, and more memory than 64 MB. */
const large = inputOf(
  Array.from({ length: 100_000 }, (_, i) => `I ran cluster ${i} of Ada Lovelace on PostgreSQL ${i * 7}.`).join(" "),
)

/** Runs all computations of one evaluation. All embeddings are equal. */
const evaluated = Effect.fnUntraced(function* (input: EvaluationInput) {
  const { run } = yield* Computation
  const { input: redacted, isReadable } = yield* run("redact", { input, person })
  const texts = yield* run("textsToCompare", { input: redacted, today: 24_000 })
  const vectors = new Map([...texts.requirements, ...texts.sentences].map((text) => [text, Float32Array.of(1, 2)]))
  const embeddings = { model: "same", vectors }
  const output = yield* run("rateByKeywords", { input: redacted, today: 24_000, embeddings })
  return { isReadable, redacted, texts, ...(yield* run("conclude", { input, redacted, output })) }
})

const on = (limits: Partial<ChildComputation.ComputationLimits>) =>
  Effect.provide(ChildComputation.layer({ ...ChildComputation.computationLimits, ...limits }))

const reasonOf = (input: EvaluationInput) =>
  Effect.flatMap(Computation, ({ run }) =>
    Effect.map(Effect.flip(run("redact", { input, person })), ({ reason }) => reason),
  )

describe("ChildComputation", () => {
  it.live("returns the output of the functions", () =>
    Effect.gen(function* () {
      const inChild = yield* evaluated(small).pipe(on({}))
      assert.deepStrictEqual(inChild, yield* Effect.provide(evaluated(small), InProcess.inProcess))
      assert.include(inChild.redacted.sources[0]?.text, "I am ███ ████████.")
      assert.strictEqual(inChild.result.score_status, "scored")
      assert.deepInclude(inChild, { evaluator: "keyword/10+embeddings", model: "same" })
      assert.isNotEmpty(inChild.texts.sentences)
    }),
  )

  it.live("fails only the computation that takes longer than the limit", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* reasonOf(large), "The evaluation takes more than 0.02 seconds.")
    }).pipe(on({ timeout: Duration.millis(20), children: 1 })),
  )

  it.live("fails only the computation that needs more memory than the limit", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* reasonOf(large), "The evaluation needs more than 32 MB of memory.")
      assert.strictEqual((yield* evaluated(small)).result.score_status, "scored")
    }).pipe(on({ heapMegabytes: 32, children: 1 })),
  )

  it.live("ends an interrupted computation and frees its child process slot", () =>
    Effect.gen(function* () {
      const cut = yield* Effect.timeoutOption(evaluated(large), "20 millis")
      assert.strictEqual(cut._tag, "None")
      assert.strictEqual((yield* evaluated(small)).result.score_status, "scored")
    }).pipe(on({ children: 1 })),
  )

  it.live("dies with Overloaded when no process starts", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(evaluated(small))
      assert.isTrue(
        Exit.isFailure(exit) &&
          exit.cause.reasons.every((one) => one._tag === "Die" && one.defect instanceof Overloaded),
      )
    }).pipe(on({ heapMegabytes: 1 })),
  )
})
