/** What a candidate writes after the erasure of the personal data is not stored, over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { EvaluationQueue } from "../../src/evaluations/EvaluationQueue.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { People } from "../../src/privacy/People.ts"
import { CandidateId } from "../../src/values/Ids.ts"
import { Server } from "../support/Api.ts"
import { get, post, settings } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const pages = Server.layer.pipe(Layer.provide(App.serve(App.pages)), Layer.provideMerge(Pod.layer({ settings })))

const evaluate = Effect.flatMap(EvaluationQueue, ({ queue }) => runOnce(queue))
const secret = "I am Ada Lovelace."

/** Two candidates: one has not begun, one has a result. */
const furnished = Effect.gen(function* () {
  yield* TestClock.setTime(Date.UTC(2026, 0, 1))
  const owned = yield* Scenario.organization()
  const { sql } = yield* Database
  yield* sql`update organization set result_page = 'evaluation' where id = ${owned.id}::int`
  const waiting = yield* Scenario.invited(owned)
  const done = yield* Scenario.invited(owned, "bob@example.com")
  yield* Scenario.completed(done)
  yield* evaluate
  const erase = Effect.fnUntraced(function* () {
    for (const { subject } of [waiting, done])
      yield* (yield* People).erase(operator(owned.id), CandidateId.make(subject.candidate_id))
  })
  const stored = Effect.map(
    sql<{ text: string | null }>`
      select text from person_review where organization_id = ${owned.id}::int
      union all select text from candidate_remark where organization_id = ${owned.id}::int
      union all select text from accommodation where organization_id = ${owned.id}::int
      union all select decline_reason from submission where organization_id = ${owned.id}::int`,
    (rows) => rows.flatMap(({ text }) => (text === null || text === "" ? [] : [text])),
  )
  return { erase, stored, waiting: `/i/${waiting.token}`, done: `/i/${done.token}` }
})

const writes = ({ done, waiting }: { readonly done: string; readonly waiting: string }) => [
  post(`${done}/person`, "", { do: "ask", text: secret }),
  post(`${done}/result`, "", { kind: "remark", text: secret }),
  post(`${waiting}/accommodation`, "", { needs: "other", text: secret }),
  post(`${waiting}/decline`, "", { reason: secret }),
]

layer(pages)("an erased candidate", (it) => {
  it.effect("leaves no text behind, and asks no member", () =>
    Effect.gen(function* () {
      const { erase, stored, ...links } = yield* furnished
      yield* erase()
      const form = yield* get(`${links.done}/person`, "")
      assert.strictEqual(form.location, links.done, "no form whose text would be refused")
      assert.notInclude((yield* get(links.done, "")).text, "/person")
      const statuses = yield* Effect.forEach(writes(links), (write) => Effect.map(write, ({ status }) => status))
      assert.deepStrictEqual(yield* stored, [])
      assert.deepStrictEqual(statuses.slice(0, 3), [409, 409, 409])
    }),
  )

  it.effect("who writes during the erasure leaves none either", () =>
    Effect.gen(function* () {
      const { erase, stored, ...links } = yield* furnished
      yield* Effect.all([erase(), ...writes(links)], { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* stored, [])
    }),
  )

  it.effect("writes all of it before", () =>
    Effect.gen(function* () {
      const { stored, ...links } = yield* furnished
      yield* Effect.all(writes(links))
      assert.deepStrictEqual(yield* stored, [secret, secret, secret, secret])
    }),
  )
})
