/** The command `queue`. */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { onFreshDatabase } from "./onFreshDatabase.ts"

/** Two organizations with three emails that wait for a retry, and one that is due. */
const emails = `
  insert into email (id, organization_id, kind, recipient, due_at, attempts, error)
  select gen_random_uuid(), o.id, 'receipt', 'ada@example.com', now() + n * interval '1 hour', least(n, 1),
    case when n > 0 then '451 ada@example.com: later' end
  from organization o, generate_series(0, 3) n order by o.id, n returning id`

const failure = `
  create function fail_email() returns trigger language plpgsql as $$ begin
    new.due_at := now() + interval '1 minute'; new.attempts := old.attempts + 1; return new; end $$`

const failing = `
  create trigger failing before update of due_at on email for each row when (old.attempts < 5) execute function fail_email()`

describe("queue commands", () => {
  it.live("show, try, cancel and stop what the service does in the background", () =>
    Effect.gen(function* () {
      const { environment, json, refused } = yield* onFreshDatabase
      yield* json("organization", "create", "--name", "Acme")
      yield* json("organization", "create", "--name", "Other")
      const query = (text: string) =>
        Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe<Record<string, string>>(text).unprepared).pipe(
          Effect.provide(PgClient.layer({ url: Redacted.make(environment.DATABASE_URL) }), { local: true }),
        )
      const ids = (yield* query(emails)).map(({ id }) => id ?? "")
      const counts = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
        const found = JSON.stringify((yield* json("queue", "list", ...args))["queues"])
        const row: ReadonlyArray<Record<string, unknown>> = JSON.parse(found)
        const { due, failed, waiting } = row.find(({ queue }) => queue === "email") ?? {}
        return [due, waiting, failed]
      })
      assert.deepStrictEqual(yield* counts(), [2, 6, 0])
      assert.deepStrictEqual(yield* counts("--organization", "1"), [1, 3, 0])
      const listed = JSON.stringify(yield* json("queue", "jobs", "email", "--organization", "1"))
      assert.include(listed, "451 …: later")
      assert.notInclude(listed, "ada@example.com")
      assert.deepStrictEqual(yield* json("queue", "retry", "email", "--job", ids[1] ?? ""), {
        queue: "email",
        count: 1,
      })
      assert.deepStrictEqual(yield* json("queue", "retry", "email", "--all", "--organization", "1"), {
        queue: "email",
        count: 2,
      })
      assert.deepStrictEqual(yield* counts(), [5, 3, 0])
      // as a worker does whose attempts fail at once
      yield* query(failure)
      yield* query(failing)
      assert.deepStrictEqual(yield* json("queue", "retry", "email", "--all"), { queue: "email", count: 3 })
      assert.deepStrictEqual(yield* counts(), [5, 3, 0])
      yield* query("drop trigger failing on email")
      assert.deepStrictEqual(yield* json("queue", "cancel", "email", "--all"), { queue: "email", count: 8 })
      assert.deepStrictEqual(yield* json("queue", "cancel", "email", "--all"), { queue: "email", count: 0 })
      assert.strictEqual(yield* refused("queue", "cancel", "email"), "give --job, or --all")
      assert.match(yield* refused("queue", "jobs", "mail"), /must be one of webhook_delivery, email/)
      for (const command of [["list"], ["jobs", "cv"], ["retry", "cv", "--all"]])
        assert.strictEqual(
          yield* refused("queue", ...command, "--organization", "9"),
          "there is no such organization",
          command.join(" "),
        )
      assert.deepStrictEqual(yield* json("queue", "pause", "cv", "--reason", "Trouble"), { queue: "cv", paused: true })
      assert.strictEqual(yield* refused("queue", "pause", "cv"), "the queue is paused already")
      assert.deepStrictEqual((yield* query("select queue, reason from queue_pause"))[0], {
        queue: "cv",
        reason: "Trouble",
      })
      assert.deepStrictEqual(yield* json("queue", "resume", "cv"), { queue: "cv", paused: false })
      assert.strictEqual(yield* refused("queue", "resume", "cv"), "the queue is not paused")
      assert.deepStrictEqual(yield* json("queue", "steps"), { steps: [] })
      assert.deepStrictEqual(yield* json("queue", "processes"), { processes: [] })
      const log = yield* query(
        "select organization_id::text as id, action, detail ->> 'count' as count from audit_log where action like '%_jobs' order by id, audit_log.id",
      )
      assert.deepStrictEqual(log, [
        { id: "1", action: "organization.try_jobs", count: "1" },
        { id: "1", action: "organization.try_jobs", count: "2" },
        { id: "1", action: "organization.cancel_jobs", count: "4" },
        { id: "2", action: "organization.try_jobs", count: "3" },
        { id: "2", action: "organization.cancel_jobs", count: "4" },
      ])
    }),
  )
})
