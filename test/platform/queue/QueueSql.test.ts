import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { Database } from "../../../src/platform/database/Database.ts"
import { QueueRepository } from "../../../src/platform/queue/QueueRepository.ts"
import * as Queue from "../../../src/platform/queue/QueueSql.ts"
import { treatmentOf } from "../../../src/platform/queue/WorkQueue.ts"
import { ClaimId } from "../../../src/values/Ids.ts"
import * as Pod from "../../support/Pod.ts"
import * as Scenario from "../../support/Scenario.ts"

const start = Date.UTC(2026, 0, 1)
const lease = Duration.minutes(1)
const claimId = (n: number) => ClaimId.make(`00000000-0000-4000-8000-${String(n).padStart(12, "0")}`)
const [mine, theirs] = [claimId(1), claimId(2)]

interface Row extends Omit<Queue.Claimed, "claim_id"> {
  readonly claim_id: ClaimId | null
  readonly state: string
  readonly due_at: Date | null
}

const rowsEqual = (actual: ReadonlyArray<Row>, ...expected: ReadonlyArray<Row>) =>
  assert.deepStrictEqual(actual, expected)

/** The differences of the tables: final states, and columns of a new row. */
const tables = [
  {
    table: "webhook_delivery",
    end: "parked",
    set: "attempt_log = q.attempt_log",
    columns: "organization_id, endpoint_id, event_id, created_at, due_at",
    values: "organization_id, endpoint_id, event_id, created_at, due_at",
  },
  {
    table: "email",
    end: "failed",
    set: "error = null",
    columns: "id, organization_id, kind, recipient, created_at, due_at",
    values: "gen_random_uuid(), organization_id, 'invitation', 'a@example.com', created_at, due_at",
  },
  {
    table: "evaluation",
    end: "done",
    set: "result = coalesce(q.result, '{}'), evaluated_at = coalesce(q.evaluated_at, to_timestamp(0))",
    columns: "id, organization_id, submission_id, evaluation_type, attempt, created_at, due_at",
    values: `gen_random_uuid(), organization_id, (select id from submission), 'interview', 1, created_at, due_at`,
  },
] as const
type Table = (typeof tables)[number]

/** The statements of one table, and helpers. */
const queue = Effect.fnUntraced(function* ({ columns, set, table, values }: Table) {
  const { now, sql } = yield* Database
  const { release, startAlone } = yield* QueueRepository
  const shown = sql.literal("id::text as id, claim_id, attempts, unended_attempts, alone, state, due_at")
  return {
    claim: (claim: Partial<Queue.Claim> = {}) =>
      Effect.flatMap(
        now,
        (at) => sql<Row & Queue.Claimed>`
          with c as (${Queue.claimRows(sql, table, { limit: 100, lease, claimId: mine, claimer: Queue.leasesOnly, ...claim }, at)})
          select ${shown} from c order by c.id`,
      ),
    settle: (...settlements: ReadonlyArray<Queue.Settlement>) =>
      Effect.flatMap(
        now,
        (at) => sql<Row>`
          with s as (${Queue.settleRows(sql, table, settlements, at, { columns: "none text", set: sql.literal(set) })})
          select ${shown} from s`,
      ),
    release: (...claims: ReadonlyArray<Queue.Claimed>) => release(table, claims, Duration.zero, "unclaimed"),
    releaseFor: (after: Duration.Duration, ...claims: ReadonlyArray<Queue.Claimed>) =>
      release(table, claims, after, "unclaimed"),
    releaseStarted: (...claims: ReadonlyArray<Queue.Claimed>) => release(table, claims, Duration.zero, "started"),
    startAlone: (claim: Queue.Claimed) => startAlone(table, claim, lease),
    rows: sql<Row>`select ${shown} from ${sql(table)} t order by t.id`,
    dueAt: (id: string | undefined, seconds: number) =>
      sql`update ${sql(table)} set due_at = ${new Date(start + seconds * 1000)}::timestamptz where id::text = ${id ?? ""}`,
    fill: (count: number) =>
      sql`insert into ${sql(table)} (${sql.literal(columns)})
        select ${sql.literal(values)} from webhook_delivery, generate_series(1, ${count}::int)`,
    analyze: sql`vacuum analyze ${sql(table)}`,
  }
})

const idsOf = (rows: ReadonlyArray<Row>) => rows.map(({ id }) => id)

describe.each(tables)("the queue $table", (table) => {
  /** Runs the body with this number of due rows in the table. */
  const withRows = <A, E>(
    count: number,
    body: (q: Effect.Success<ReturnType<typeof queue>>) => Effect.Effect<A, E, Database>,
  ) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const { sql } = yield* Database
      const organization = yield* Scenario.organization()
      yield* Scenario.endpoint(organization.id)
      yield* Scenario.publish(yield* Scenario.invited(organization))
      yield* sql`delete from email`
      const q = yield* queue(table)
      // the published delivery is the template of the other rows
      yield* q.fill(table.table === "webhook_delivery" ? count - 1 : count)
      return yield* body(q)
    }).pipe(Pod.provide())

  it.effect("gives each row to one of many concurrent claims, and to none while the lease holds", () =>
    withRows(500, (q) =>
      Effect.gen(function* () {
        const rounds = yield* Effect.forEach(
          Array.from({ length: 40 }, (_, n) => claimId(n + 10)),
          (claimId) => Effect.map(q.claim({ claimId, limit: 20 }), (rows) => ({ claimId, rows })),
          { concurrency: "unbounded" },
        )
        for (const { claimId, rows } of rounds) {
          assert.isAtMost(rows.length, 20)
          for (const row of rows) assert.strictEqual(row.claim_id, claimId)
        }
        const rest = yield* q.claim({ limit: 1000 })
        const claimed = [...rounds.flatMap(({ rows }) => idsOf(rows)), ...idsOf(rest)]
        assert.strictEqual(claimed.length, 500)
        assert.strictEqual(new Set(claimed).size, 500)
        yield* TestClock.adjust(Duration.subtract(lease, Duration.millis(1)))
        assert.deepStrictEqual(yield* q.claim({ limit: 1000 }), [])
      }),
    ),
  )

  it.effect("claims due rows, the longest due first", () =>
    withRows(5, (q) =>
      Effect.gen(function* () {
        const [a, b, c, d, e] = idsOf(yield* q.rows)
        yield* Effect.forEach([a, b, c, d, e], (id, i) => q.dueAt(id, [3, 1, 2, 60, 0][i] ?? 0))
        assert.deepStrictEqual(idsOf(yield* q.claim()), [e])
        yield* TestClock.adjust("2 seconds")
        assert.deepStrictEqual(idsOf(yield* q.claim({ limit: 1 })), [b])
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(idsOf(yield* q.claim({ limit: 1 })), [c])
        assert.deepStrictEqual(idsOf(yield* q.claim()), [a])
        const waiting = (yield* q.rows).filter(({ claim_id }) => claim_id === null)
        assert.deepStrictEqual(idsOf(waiting), [d])
      }),
    ),
  )

  it.effect("falls due again when the lease ends; the old worker's settlement and release change nothing", () =>
    withRows(1, (q) =>
      Effect.gen(function* () {
        const [old] = yield* q.claim()
        if (old === undefined) return assert.fail("a row is due")
        yield* TestClock.adjust(lease)
        const fresh = { ...old, unended_attempts: 2, claim_id: theirs }
        rowsEqual(yield* q.claim({ claimId: theirs }), fresh)
        const end = { id: old.id, state: table.end, delay: undefined }
        rowsEqual(yield* q.settle({ ...end, claim_id: old.claim_id }))
        yield* q.release(old)
        rowsEqual(yield* q.rows, fresh)
        const ended = { claim_id: null, attempts: 1, unended_attempts: 0, alone: null, state: table.end, due_at: null }
        rowsEqual(yield* q.settle({ ...end, claim_id: theirs }), { id: old.id, ...ended })
        rowsEqual(yield* q.settle({ ...end, claim_id: theirs }))
        yield* TestClock.adjust("365 days")
        rowsEqual(yield* q.claim())
      }),
    ),
  )

  it.effect("is free when the process that claimed it has ended; its settlement changes nothing", () =>
    withRows(2, (q) =>
      Effect.gen(function* () {
        const { sql } = yield* Database
        for (let i = 0; i < 2; i++) yield* sql`insert into worker_process default values`
        const [first, second] = yield* q.claim({ claimer: { id: 1, ended: [] }, limit: 1 })
        assert.isUndefined(second)
        if (first === undefined) return assert.fail("a row is due")
        assert.lengthOf(yield* q.claim({ claimer: { id: 2, ended: [3] } }), 1)
        assert.deepStrictEqual(yield* q.claim({ claimer: { id: 2, ended: [3] } }), [])
        const taken = yield* q.claim({ claimId: theirs, claimer: { id: 2, ended: [3, 1] } })
        assert.deepStrictEqual(idsOf(taken), [first.id])
        assert.strictEqual(taken[0]?.unended_attempts, 2)
        rowsEqual(yield* q.settle({ id: first.id, claim_id: first.claim_id, state: table.end, delay: undefined }))
        assert.deepStrictEqual(
          (yield* q.rows).filter(({ claim_id }) => claim_id === theirs).map(({ id }) => id),
          [first.id],
        )
      }),
    ),
  )

  it.effect("claimed by a process that does not know yet that it was ended, is free when the lease ends", () =>
    withRows(1, (q) =>
      Effect.gen(function* () {
        const { sql } = yield* Database
        yield* sql`insert into worker_process (ended_at) values (now())`
        assert.lengthOf(yield* q.claim({ claimer: { id: 1, ended: [] } }), 1)
        assert.deepStrictEqual(yield* q.claim({ claimer: { id: null, ended: [1] } }), [])
        yield* TestClock.adjust(lease)
        assert.lengthOf(yield* q.claim({ claimer: { id: null, ended: [1] } }), 1)
      }),
    ),
  )

  it.effect("makes a released row due after the delay, without counting an attempt", () =>
    withRows(1, (q) =>
      Effect.gen(function* () {
        const [a] = yield* q.claim()
        if (a === undefined) return assert.fail("a row is due")
        yield* q.releaseFor(Duration.seconds(10), a)
        yield* TestClock.adjust("9 seconds")
        assert.deepStrictEqual(yield* q.claim(), [])
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(
          (yield* q.claim()).map(({ attempts, id }) => [id, attempts]),
          [[a.id, a.attempts]],
        )
      }),
    ),
  )

  it.effect(
    "counts started attempts that do not end: the first two when claimed, the next three when they start alone",
    () =>
      withRows(1, (q) =>
        Effect.gen(function* () {
          const claimed = Effect.gen(function* () {
            const [row] = yield* q.claim()
            return yield* Effect.fromNullishOr(row)
          })
          const isStored = (unended_attempts: number, alone: Queue.Claimed["alone"]) =>
            Effect.map(q.rows, ([row]) => assert.deepInclude(row, { unended_attempts, alone }))
          const first = yield* claimed
          yield* isStored(1, null)
          yield* q.release(first)
          yield* isStored(0, null)
          yield* q.releaseStarted(yield* claimed)
          yield* isStored(1, null)
          yield* claimed
          yield* isStored(2, null)
          // not started: the third attempt does not count, whether the process ends or releases it
          for (const _ of ["after the second", "after the third"]) {
            yield* TestClock.adjust(lease)
            yield* claimed
            yield* isStored(2, "waiting")
          }
          yield* q.release(first)
          yield* isStored(2, null)
          const alone = { ...(yield* claimed), claim_id: theirs }
          assert.isFalse(yield* q.startAlone(alone))
          assert.isTrue(yield* q.startAlone({ ...alone, claim_id: mine }))
          yield* isStored(3, "started")
          yield* TestClock.adjust(lease)
          const waiting = yield* claimed
          yield* isStored(3, "waiting")
          // a release subtracts only its own attempt, started or not
          yield* q.release(waiting)
          yield* isStored(3, null)
          const again = yield* claimed
          assert.isTrue(yield* q.startAlone(again))
          yield* isStored(4, "started")
          yield* q.release(again)
          yield* isStored(3, null)
          for (const unended of [3, 4]) {
            const next = yield* claimed
            yield* isStored(unended, "waiting")
            assert.isTrue(yield* q.startAlone(next))
            yield* TestClock.adjust(lease)
          }
          yield* isStored(Queue.maxUnended, "started")
          assert.strictEqual(treatmentOf(yield* claimed), "abandon")
          yield* isStored(Queue.maxUnended, null)
        }),
      ),
  )

  it.effect("renews the lease of a row that starts alone after waiting for most of it", () =>
    withRows(1, (q) =>
      Effect.gen(function* () {
        const claimed = Effect.flatMap(q.claim(), ([row]) => Effect.fromNullishOr(row))
        for (let attempt = 1; attempt <= Queue.maxBesideOthers; attempt++) yield* q.releaseStarted(yield* claimed)
        const alone = yield* claimed
        yield* TestClock.adjust(Duration.subtract(lease, Duration.millis(1)))
        assert.isTrue(yield* q.startAlone(alone))
        yield* TestClock.adjust(Duration.subtract(lease, Duration.millis(1)))
        assert.deepStrictEqual(yield* q.claim(), [])
        yield* TestClock.adjust(1)
        assert.lengthOf(yield* q.claim(), 1)
      }),
    ),
  )

  it.effect("abandons a row whose job died while it was performed alone", () =>
    withRows(1, (q) =>
      Effect.gen(function* () {
        const claimed = Effect.flatMap(q.claim(), ([row]) => Effect.fromNullishOr(row))
        for (let attempt = 1; attempt <= Queue.maxBesideOthers; attempt++) yield* q.releaseStarted(yield* claimed)
        const alone = yield* claimed
        assert.strictEqual(treatmentOf(alone), "performAlone")
        assert.isTrue(yield* q.startAlone(alone))
        yield* q.releaseStarted(alone)
        assert.strictEqual(treatmentOf(yield* claimed), "abandon")
      }),
    ),
  )

  it.effect("makes a row released without a delay due at once, without counting an attempt", () =>
    withRows(2, (q) =>
      Effect.gen(function* () {
        const [a, b] = yield* q.claim()
        if (a === undefined || b === undefined) return assert.fail("two rows are due")
        yield* TestClock.adjust("5 seconds")
        yield* q.release(a)
        rowsEqual(yield* q.rows, { ...a, unended_attempts: 0, claim_id: null, due_at: new Date(start + 5000) }, b)
        assert.deepStrictEqual(idsOf(yield* q.claim({ claimId: theirs })), [a.id])
      }),
    ),
  )

  it.effect("counts an attempt of a row settled as queued, due after the delay, or at once without one", () =>
    withRows(3, (q) =>
      Effect.gen(function* () {
        const [a, b, c] = yield* q.claim()
        if (a === undefined || b === undefined || c === undefined) return assert.fail("three rows are due")
        yield* TestClock.adjust("1 second")
        const again = (row: Queue.Claimed, delay: Duration.Duration | undefined) => ({ ...row, state: "queued", delay })
        yield* q.settle(again(a, Duration.minutes(2)), again(b, undefined), { ...c, state: table.end, delay: lease })
        const rows = yield* q.rows
        assert.deepStrictEqual(
          rows.map(({ attempts, claim_id, due_at, state }) => [state, attempts, claim_id, due_at?.getTime()]),
          [
            ["queued", 1, null, start + 121_000],
            ["queued", 1, null, start + 1000],
            [table.end, 1, null, undefined],
          ],
        )
        assert.deepStrictEqual(idsOf(yield* q.claim()), [b.id])
        yield* TestClock.adjust(119_999)
        assert.deepStrictEqual(idsOf(yield* q.claim({ claimId: theirs })), [b.id])
        yield* TestClock.adjust(1)
        assert.deepStrictEqual(idsOf(yield* q.claim()), [a.id])
      }),
    ),
  )

  // the planner's estimate for a queue that was nearly empty when its statistics were taken
  it.effect("keeps its limit when the planner estimates one row", () =>
    withRows(1, (q) =>
      Effect.gen(function* () {
        yield* q.analyze
        yield* q.fill(40)
        assert.strictEqual((yield* q.claim({ limit: 3 })).length, 3)
      }),
    ),
  )
})

it.effect("a claim of deliveries changes no index: every row is updated in its page", () =>
  Effect.gen(function* () {
    const { sql, transaction } = yield* Database
    const organization = yield* Scenario.organization()
    yield* Scenario.endpoint(organization.id)
    yield* Scenario.publish(yield* Scenario.invited(organization))
    const [deliveries] = tables
    const q = yield* queue(deliveries)
    yield* q.fill(999)
    const updated = yield* transaction(
      Effect.gen(function* () {
        yield* q.claim({ limit: 1000 })
        return yield* sql<{ all: number; inPlace: number }>`
          select pg_stat_get_xact_tuples_updated('webhook_delivery'::regclass)::int as "all",
            pg_stat_get_xact_tuples_hot_updated('webhook_delivery'::regclass)::int as "inPlace"`
      }),
    )
    assert.deepStrictEqual(updated, [{ all: 1000, inPlace: 1000 }])
  }).pipe(Pod.provide()),
)
