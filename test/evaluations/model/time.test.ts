/** Retries and timeouts, on the test's clock. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Exit } from "effect"
import type { EvaluationInput } from "../../../src/evaluations/Evaluation.ts"
import { make } from "../../../src/evaluations/ModelEvaluator.ts"
import { type ClockedServer, failure, runOnClock } from "../../port/clockedServer.ts"

const input: EvaluationInput = {
  interview_title: "Backend engineer",
  position: null,
  language: null,
  requirements: [{ id: "id", title: "PostgreSQL", content: null, hint: null, cfg_importance_id: null }],
  sources: [{ source: "cv", question_id: null, question: null, text: "I ran PostgreSQL." }],
}

const answer = {
  ratings: [{ requirement: "r1", quotes: ["I ran PostgreSQL."], rationale: "So it says.", level: "strong" }],
  summary: "Good.",
  strengths: [],
  gaps: [],
  recommendations: [],
}
const good = Effect.sync(() => Response.json({ choices: [{ message: { content: JSON.stringify(answer) } }] }))

const run = (server: ClockedServer) =>
  runOnClock(
    server,
    Effect.flatMap(make({ url: "http://model.test", key: undefined, name: "m" }), ({ evaluate }) =>
      evaluate(input),
    ).pipe(Effect.provide(NodeCrypto.layer)),
  )

describe("ModelEvaluator", () => {
  it.effect("retries a server error after about 1 and 2 seconds, then fails", () =>
    Effect.gen(function* () {
      const { asked, ended } = yield* run(() => failure(500))
      assert.lengthOf(asked, 9)
      assert.deepStrictEqual(asked.slice(0, 3), [0, 0, 0])
      for (const at of asked.slice(3, 6)) assert.isTrue(at >= 0.8 && at <= 2, String(at))
      for (const at of asked.slice(6)) assert.isTrue(at >= 2.4 && at <= 5, String(at))
      assert.isTrue(Exit.isFailure(ended))
    }),
  )

  it.effect.each([
    ["30", 30],
    ["Thu, 01 Jan 2026 00:00:45 GMT", 45],
  ] as const)("retries after the time in Retry-After: %s", ([header, seconds]) =>
    Effect.gen(function* () {
      const { asked, ended } = yield* run((count) => (count <= 3 ? failure(429, { "retry-after": header }) : good))
      assert.lengthOf(asked, 6)
      for (const at of asked.slice(3)) assert.isTrue(at >= seconds && at <= seconds + 1, String(at))
      assert.isTrue(Exit.isSuccess(ended))
    }),
  )

  it.effect("does not wait for a Retry-After above a minute", () =>
    Effect.gen(function* () {
      const { asked, seconds } = yield* run(() => failure(429, { "retry-after": "61" }))
      assert.lengthOf(asked, 3)
      assert.isAtMost(seconds, 1)
    }),
  )

  it.effect("ends a request without an answer after four minutes", () =>
    Effect.gen(function* () {
      const { asked, ended, seconds } = yield* run(() => Effect.never)
      assert.lengthOf(asked, 3)
      assert.isTrue(Exit.isFailure(ended))
      assert.isTrue(seconds >= 240 && seconds <= 242, String(seconds))
    }),
  )

  it.effect("uses two readings when the third one fails", () =>
    Effect.gen(function* () {
      const { ended } = yield* run((count) => (count === 1 ? Effect.never : good))
      assert.isTrue(Exit.isSuccess(ended))
    }),
  )

  it.effect("ends within eight minutes with any server", () =>
    Effect.gen(function* () {
      const { asked, seconds } = yield* run(() => Effect.delay(failure(500), "230 seconds"))
      assert.lengthOf(asked, 9)
      assert.isAtLeast(seconds, 8 * 60)
      assert.isAtMost(seconds, 8 * 60 + 1)
      assert.isBelow(seconds, Duration.toSeconds("10 minutes"))
    }),
  )
})
