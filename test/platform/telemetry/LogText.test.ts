/** Log lines contain what an operator needs, and no secrets or personal data. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Logger } from "effect"
import { Organizations } from "../../../src/accounts/Organizations.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import { withoutSecrets } from "../../../src/platform/telemetry/LogText.ts"
import { jsonLine } from "../../../src/platform/telemetry/Observability.ts"
import * as Pod from "../../support/Pod.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"

const lineOf = Effect.fnUntraced(function* (write: Effect.Effect<unknown>) {
  const lines: Array<string> = []
  const sink = Logger.map(jsonLine, (line) => void lines.push(line))
  yield* Effect.provide(write, Logger.layer([sink]), { local: true })
  return lines.join("\n")
})

const token = "AQEnJ2ZsYXNoIQAAAAAAAAAAAAAx7vJ0c3RfdGFnMTIz4"

describe("a log line", () => {
  it.each([
    ["no mailbox ada@example.com here", "no mailbox (address) here"],
    ["<Ada.L+x@xn--bcher-kva.example>", "<(address)>"],
    ["key iv_live_ab12cd34.c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0 refused", "key iv_live_ab12cd34.**** refused"],
    [`GET /i/${token}/answers`, "GET /i/(secret)/answers"],
    ["postgres://app:hunter2@db.internal:5432/app", "postgres://db.internal:5432/app"],
    ["webhook_delivery_history_organization_id_fkey", "webhook_delivery_history_organization_id_fkey"],
    ["019aa0aa-7cb1-7e6b-8f8e-0e1b6a3a7c11", "019aa0aa-7cb1-7e6b-8f8e-0e1b6a3a7c11"],
    [
      "at file:///srv/app/src/service/SubmissionRecords.ts:27:26",
      "at file:///srv/app/src/service/SubmissionRecords.ts:27:26",
    ],
  ])("%s", (text, expected) => {
    assert.strictEqual(withoutSecrets(text), expected)
  })

  it.effect("has a text as its message, and the fields beside it", () =>
    Effect.gen(function* () {
      const line = yield* lineOf(
        Effect.annotateLogs(Effect.logWarning("refused", { reason: "busy" }, "twice"), "request_id", "one"),
      )
      assert.deepInclude(JSON.parse(line), {
        level: "WARN",
        message: "refused",
        reason: "busy",
        value: "twice",
        request_id: "one",
      })
      assert.notProperty(JSON.parse(line), "annotations")
    }),
  )

  it.effect("contains the database's reason without the values", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      yield* sql`create table person (email text unique, born int)`
      yield* sql`insert into person values ('ada@example.com', 1815)`
      const failing = (statement: Effect.Effect<unknown, unknown>) =>
        lineOf(Effect.catchCause(Effect.orDie(statement), (cause) => Effect.logError("it failed", cause)))
      const twice = yield* failing(sql`insert into person values (${"ada@example.com"}, 1)`)
      assert.include(twice, "person_email_key")
      assert.notInclude(twice, "ada@example.com")
      const unreadable = yield* failing(sql`select ${"Ada Lovelace"}::text::uuid`)
      assert.include(unreadable, "invalid input syntax for type uuid")
      assert.notInclude(unreadable, "Lovelace")
    }).pipe(Effect.provide(TestDatabase.layer)),
  )

  it.effect("keeps values at any depth, and interruptors", () =>
    Effect.gen(function* () {
      const line = yield* lineOf(
        Effect.logWarning("about", { mail: "019aa0aa", reasons: [{ said: "550 <ada@example.com> unknown" }] }),
      )
      assert.include(line, "019aa0aa")
      assert.include(line, "550 <(address)> unknown")
      class Mail {
        readonly to = "ada@example.com"
        readonly id = "m-1"
      }
      const deep = { a: { b: { c: { d: { e: { f: "ada@example.com" } } } } } }
      const others = yield* lineOf(Effect.logWarning("others", new Mail(), deep, { at: new Date(0) }))
      assert.notInclude(others, "ada@example.com")
      assert.include(others, "m-1")
      assert.include(others, "1970-01-01T00:00:00.000Z")
      const error = new Error("outer", { cause: new Error('at "Ada Lovelace"') })
      const defect = yield* lineOf(Effect.logError("defect", { id: "x" }, error))
      assert.include(defect, "outer")
      assert.notInclude(defect, "Lovelace")
      assert.include(yield* lineOf(Effect.logError("gone", Cause.interrupt(1))), "gone")
    }),
  )

  it.effect("has the ids of its trace, if any", () =>
    Effect.gen(function* () {
      const write = Effect.withSpan(Effect.logInfo("done"), "step")
      assert.match(yield* lineOf(write), /"trace_id":"[0-9a-f]{32}","span_id":"[0-9a-f]{16}"/)
      assert.notInclude(yield* lineOf(Effect.withTracerEnabled(write, false)), '_id":"noop')
    }),
  )

  it.live("that contains personal data of the database fails its test", () =>
    Effect.gen(function* () {
      const writing = (line: (name: string) => string) =>
        Effect.gen(function* () {
          const { sql } = yield* Database
          const id = yield* (yield* Organizations).create("Acme")
          yield* sql`insert into candidate (id, organization_id, name)
            values (gen_random_uuid(), ${id}::int, 'Ada Lovelace King')`
          yield* Effect.logInfo(line("Ada Lovelace King"))
        }).pipe(Effect.provide(Pod.layer(), { local: true }), Effect.exit)
      const exit = yield* writing((name) => `invited ${name}`)
      assert.isTrue(Exit.isFailure(exit) && Cause.pretty(exit.cause).includes("logs hold what they must not"))
      assert.isTrue(Exit.isSuccess(yield* writing(() => "invited somebody")))
    }),
  )
})
