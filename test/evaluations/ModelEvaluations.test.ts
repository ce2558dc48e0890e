/** Evaluations by a model, from the candidate's answer to the event. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Context, Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { EvaluationQueue, retries } from "../../src/evaluations/EvaluationQueue.ts"
import { Evaluator } from "../../src/evaluations/Evaluator.ts"
import { layer } from "../../src/evaluations/ModelEvaluator.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import * as RetryPolicy from "../../src/values/RetryPolicy.ts"
import { chatServer, failing, says } from "../port/chatServer.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import * as TestApp from "../support/TestApp.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const round = Effect.flatMap(EvaluationQueue, ({ queue }) => runOnce(queue))
const events = Scenario.dataOf("interview.evaluation.update")
const stored = Effect.gen(function* () {
  const { sql } = yield* Database
  return yield* sql`select state, attempts, evaluator, model, error, input, raw from evaluation`
})

describe("a model", () => {
  it.live("that is set in the settings scores an interview", () =>
    Effect.gen(function* () {
      const { asked, url } = yield* chatServer
      const settings = { EVALUATOR: "model", MODEL_URL: url, MODEL_NAME: "some-model", MODEL_KEY: "sk-hunter2" }
      const adapters = App.adapters.pipe(
        Layer.provide(App.repositories),
        Layer.provide(TestApp.config(settings)),
        Layer.provide(TestDatabase.layer),
        Layer.provide(NodeServices.layer),
      )
      const { evaluate } = Context.get(yield* Layer.build(adapters), Evaluator)
      yield* Effect.gen(function* () {
        const requirement = { title: "PostgreSQL", content: "Ran a billing system", cfg_importance_id: 273 }
        const candidate = yield* Scenario.invited(yield* Scenario.organization({ iai_requirements: [requirement] }))
        yield* Scenario.completed(candidate, `${Scenario.answer} — Ada, ada@example.com`)
        assert.strictEqual(yield* round, 1)
        const [event] = yield* events
        assert.deepInclude(event, { evaluation_score: 7.5, score_status: "scored" })
        const [row] = yield* stored
        assert.deepInclude(row, { state: "done", evaluator: "model/2", model: "some-model", error: null })
        assert.lengthOf(asked, 3)
        for (const { body } of asked) assert.notMatch(JSON.stringify(body), /\bada\b/i)
        assert.notInclude(JSON.stringify(row), "hunter2")
      }).pipe(Pod.provide({ evaluate }))
    }).pipe(Effect.scoped),
  )

  it.effect("that is unavailable until the last retry leaves the interview not_scored", () =>
    Effect.gen(function* () {
      const { asked, script, url } = yield* chatServer
      script.reply = () => failing(503)
      const options = { url, key: undefined, name: "some-model", firstRetry: Duration.zero }
      const { evaluate } = Context.get(yield* Layer.build(layer(options)), Evaluator)
      yield* Effect.gen(function* () {
        yield* Scenario.completed(yield* Scenario.invited(yield* Scenario.organization()))
        const delays = yield* RetryPolicy.delays(RetryPolicy.schedule(retries))
        yield* round
        for (const delay of delays) {
          assert.deepStrictEqual(yield* events, [])
          yield* TestClock.adjust(Duration.times(delay, 1.1))
          assert.strictEqual(yield* round, 1)
        }
        const [event] = yield* events
        assert.deepInclude(event, { evaluation_score: null, score_status: "not_scored" })
        const [row] = yield* stored
        assert.deepInclude(row, { state: "done", attempts: 11, error: "The model's server: it answered 503" })
        // 3 readings, 3 requests each, 11 attempts of the queue
        assert.lengthOf(asked, 99)
      }).pipe(Pod.provide({ evaluate }))
    }).pipe(Effect.scoped),
  )

  it.effect.each([
    ["refuses the key", () => failing(401)],
    ["writes nothing usable", () => says("I would hire them.")],
  ] as const)("that %s is not retried by the queue", ([, reply]) =>
    Effect.gen(function* () {
      const { asked, script, url } = yield* chatServer
      script.reply = reply
      const options = { url, key: undefined, name: "some-model", firstRetry: Duration.zero }
      const { evaluate } = Context.get(yield* Layer.build(layer(options)), Evaluator)
      yield* Effect.gen(function* () {
        yield* Scenario.completed(yield* Scenario.invited(yield* Scenario.organization()))
        yield* round
        const [event] = yield* events
        assert.deepInclude(event, { evaluation_score: null, score_status: "not_scored" })
        assert.isAtMost(asked.length, 9)
        yield* TestClock.adjust("1 day")
        assert.strictEqual(yield* round, 0)
      }).pipe(Pod.provide({ evaluate }))
    }).pipe(Effect.scoped),
  )
})
