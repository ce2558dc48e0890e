/** Tests the Ashby connector against a simulator over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { operator } from "../../src/accounts/Viewer.ts"
import { HiringSystemConnections } from "../../src/ats/HiringSystemConnections.ts"
import { InterviewSets } from "../../src/interview-sets/InterviewSets.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { QuestionId } from "../../src/values/Ids.ts"
import * as Scenario from "../support/Scenario.ts"
import { conformance } from "./conformance.ts"
import * as Simulator from "./Simulator.ts"
import { ashby, greenhouse } from "./systems.ts"

const cancel = (play: Simulator.Play, submission: string) =>
  Effect.map(
    Simulator.call(play, "POST", "assessment.cancel", { json: { assessment_id: submission } }),
    ({ status }) => status,
  )

const statusOf = Effect.fnUntraced(function* (submission: string) {
  const { sql } = yield* Database
  const [row] = yield* sql<{ status: string }>`select status from submission where id = ${submission}::uuid`
  return row?.status
})

layer(Simulator.layer())("Ashby", (it) => {
  conformance(it, ashby)

  it.effect("cancels an order before and after the start, but not after the submission", () =>
    Effect.gen(function* () {
      const { connection, set } = yield* Simulator.start(ashby)
      const interviews = yield* Interviews
      const place = (number: number) =>
        Simulator.placed(connection, { set: set.id, number, email: `person${number}@example.com` })
      const [first, second, third] = [yield* place(1), yield* place(2), yield* place(3)]
      yield* interviews.start(yield* Simulator.tokenOf(second.submission))
      const token = yield* Simulator.tokenOf(third.submission)
      yield* interviews.start(token)
      const question = QuestionId.make(set.iai_questions[0]?.id ?? "")
      yield* interviews.finish(token, [{ question_id: question, content: Scenario.answer, option_ids: [] }])
      const statuses = yield* Effect.forEach([first, second, third], ({ submission }) => cancel(connection, submission))
      assert.deepStrictEqual(statuses, [200, 200, 422])
      assert.deepStrictEqual(yield* Effect.forEach([first, second, third], ({ submission }) => statusOf(submission)), [
        "withdrawn",
        "withdrawn",
        "completed",
      ])
      assert.strictEqual(yield* cancel(connection, set.id), 404)
      assert.strictEqual(yield* cancel(connection, "17"), 404)
      assert.strictEqual((yield* Simulator.call(connection, "POST", "assessment.cancel", { json: [] })).status, 400)
    }),
  )

  it.effect("keeps an interview while another connection has an open order for it", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* Simulator.start(ashby)
      const second = yield* Simulator.connect(id, ashby, "another account")
      const other = yield* Simulator.connect(id, greenhouse)
      const { submission } = yield* Simulator.placed(connection, { set: set.id })
      assert.strictEqual((yield* Simulator.placed(second, { set: set.id })).submission, submission)
      const ofOther = yield* Simulator.placed(other, { set: set.id })
      assert.strictEqual(ofOther.submission, submission)
      assert.deepStrictEqual(
        [yield* Simulator.count("submission", id), yield* Simulator.count("ats_order", id)],
        [1, 3],
      )
      assert.strictEqual(yield* cancel(connection, submission), 200)
      assert.strictEqual(yield* statusOf(submission), "need_interview")
      yield* (yield* Interviews).start(yield* Simulator.tokenOf(submission))
      yield* Simulator.report
      const { received } = yield* Simulator.Simulator
      const authorizations = received.map(({ headers }) => headers.authorization).toSorted()
      assert.deepStrictEqual(
        authorizations,
        [Simulator.basic(second.vendor["api_key"] ?? ""), Simulator.basic(other.key)].toSorted(),
      )
      assert.strictEqual(yield* cancel(second, submission), 200)
      assert.strictEqual(yield* statusOf(submission), "started")
    }),
  )

  it.effect("gives two applications of one candidate two assessments, and cancels only the named one", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* Simulator.start(ashby)
      const [first, second] = [
        yield* Simulator.placed(connection, { set: set.id, number: 1 }),
        yield* Simulator.placed(connection, { set: set.id, number: 2 }),
      ]
      assert.strictEqual(first.submission, second.submission)
      assert.notStrictEqual(first.given, second.given)
      yield* (yield* Interviews).start(yield* Simulator.tokenOf(first.submission))
      yield* Simulator.report
      for (const one of [first, second]) {
        assert.strictEqual((yield* Simulator.told(connection, one)).state, "Started")
        assert.lengthOf(yield* Simulator.reportsOf(connection, one), 1)
      }
      const answer = yield* Simulator.call(connection, "POST", "assessment.cancel", {
        json: { assessment_id: second.given },
      })
      assert.deepStrictEqual(answer.body, { success: true, results: { assessment_id: second.given } })
      assert.strictEqual(yield* statusOf(first.submission), "started")
      // a repeated cancellation changes nothing
      assert.strictEqual(yield* cancel(connection, second.given), 200)
      assert.strictEqual(yield* statusOf(first.submission), "started")
      const again = yield* Simulator.placed(connection, { set: set.id, number: 2 })
      assert.strictEqual(new Set([first.given, second.given, again.given]).size, 3)
      assert.strictEqual(yield* cancel(connection, again.given), 200)
      assert.strictEqual(yield* cancel(connection, first.given), 200)
      assert.strictEqual(yield* statusOf(first.submission), "withdrawn")
      assert.strictEqual(yield* Simulator.count("ats_order", id), 3)
    }),
  )

  it.effect("gives concurrent applications of one candidate their own assessments, and cancels them concurrently", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* Simulator.start(ashby)
      const numbers = [1, 2, 3, 4, 5, 6]
      const answers = yield* Effect.forEach(numbers, (number) => Simulator.order(connection, { set: set.id, number }), {
        concurrency: "unbounded",
      })
      const ids = answers.map(({ body }) => /"assessment_id":"([^"]+)"/.exec(JSON.stringify(body))?.[1] ?? "")
      assert.strictEqual(new Set(ids).size, 6)
      assert.deepStrictEqual([yield* Simulator.count("submission", id), yield* Simulator.count("email", id)], [1, 1])
      const { submission } = yield* Simulator.placed(connection, { set: set.id, number: 1 })
      assert.include(ids, submission)
      const cancelled = yield* Effect.forEach(ids, (one) => cancel(connection, one), { concurrency: "unbounded" })
      assert.deepStrictEqual(new Set(cancelled), new Set([200]))
      assert.strictEqual(yield* statusOf(submission), "withdrawn")
    }),
  )

  it.effect("lists descriptions, and tests the API key with apiKey.info", () =>
    Effect.gen(function* () {
      const { connection, id } = yield* Simulator.start(ashby)
      const { answer, received } = yield* Simulator.Simulator
      yield* (yield* InterviewSets).create(operator(id), { title: "Designer", description: "Ten questions" })
      const { body } = yield* Simulator.probe(connection)
      assert.include(JSON.stringify(body), '"name":"Designer","description":"Ten questions"')
      const test = (yield* HiringSystemConnections).test(operator(id), connection.id)
      assert.deepStrictEqual(yield* test, { status: 200, error: null })
      assert.deepStrictEqual(
        received.map(({ body, method, path }) => [method, path, body]),
        [["POST", "/apiKey.info", "{}"]],
      )
      Object.assign(answer, { status: 403, body: () => ({ success: false, errors: ["missing_endpoint_permission"] }) })
      const error =
        "Ashby answered 403: the credentials of this connection are not allowed to do this: missing_endpoint_permission"
      assert.deepInclude(yield* test, { status: 403, error })
    }),
  )

  it.effect("retries a report that Ashby refuses with 200", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* Simulator.start(ashby)
      const { submission } = yield* Simulator.placed(connection, { set: set.id })
      yield* (yield* Interviews).start(yield* Simulator.tokenOf(submission))
      const { answer } = yield* Simulator.Simulator
      answer.body = () => ({ success: false, errors: ["assessment_not_found"] })
      yield* Simulator.report
      assert.deepStrictEqual(yield* Simulator.queued(id), [
        { state: "queued", attempts: 1, last_error: "Ashby refused the request: assessment_not_found", is_due: true },
      ])
    }),
  )
})
