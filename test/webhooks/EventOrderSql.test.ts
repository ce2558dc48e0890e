/** Reads events after a cursor while others write, on real connections (src/webhooks/events/EventOrderSql.ts). */
import { randomUUID } from "node:crypto"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Random, Redacted } from "effect"
import { inject } from "vitest"
import { OrganizationRepository } from "../../src/accounts/OrganizationRepository.ts"
import { migrate } from "../../src/migrate.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { EventId, type OrganizationId } from "../../src/values/Ids.ts"
import { EventRepository, type EventRow } from "../../src/webhooks/events/EventRepository.ts"
import { atDatabase } from "../support/databases.ts"
import * as TestApp from "../support/TestApp.ts"

const provide = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.provide(Effect.scoped(test), TestApp.base(), { local: true })

const organization = Effect.flatMap(OrganizationRepository, ({ create }) => create("Acme", []))

/** Publishes an event for each name, in one statement. */
const publish = Effect.fnUntraced(function* (organizationId: OrganizationId, ...names: ReadonlyArray<string>) {
  yield* (yield* EventRepository).publish(
    names.map((name) => ({
      id: EventId.make(randomUUID()),
      organizationId,
      eventType: "interview.status.update",
      status: "started",
      submissionId: null,
      body: JSON.stringify({ data: { name } }),
    })),
  )
})

const nameOf = ({ envelope }: EventRow) => String(envelope.data["name"])

const read = Effect.fnUntraced(function* (id: OrganizationId, after?: EventRow, limit = 1000) {
  return yield* (yield* EventRepository).read(id, { after, limit })
})
const names = (id: OrganizationId) => Effect.map(read(id), (rows) => rows.map(nameOf))

/** Reads from the beginning until there are `count` events: transactions of other tests hold events back. */
const all = (id: OrganizationId, count: number) =>
  names(id).pipe(Effect.repeat({ until: (found) => found.length >= count, times: 10_000 }))

/** Runs work in a transaction on its own connection, and keeps it open until `end`. */
const begin = Effect.fnUntraced(function* <R>(work: Effect.Effect<unknown, never, R>) {
  const { transaction } = yield* Database
  const worked = yield* Deferred.make<void>()
  const last = yield* Deferred.make<Effect.Effect<void, "rolled back">>()
  const fiber = yield* transaction(
    Effect.gen(function* () {
      yield* Deferred.into(Effect.asVoid(work), worked)
      yield* yield* Deferred.await(last)
    }),
  ).pipe(Effect.forkScoped)
  yield* Deferred.await(worked)
  const end = (effect: Effect.Effect<void, "rolled back">) =>
    Effect.andThen(Deferred.succeed(last, effect), Fiber.await(fiber))
  return { end, commit: end(Effect.void), rollback: end(Effect.fail("rolled back")) }
})

describe("events of transactions that overlap", () => {
  it.effect("are all read: the event published first and committed last is read first", () =>
    Effect.gen(function* () {
      const id = yield* organization
      const a = yield* begin(publish(id, "a1", "a2"))
      const b = yield* begin(publish(id, "b"))
      assert.isTrue(Exit.isSuccess(yield* b.commit))
      assert.deepStrictEqual(yield* names(id), [])
      assert.isTrue(Exit.isSuccess(yield* a.commit))
      assert.deepStrictEqual(yield* all(id, 3), ["a1", "a2", "b"])
    }).pipe(provide),
  )

  it.effect("do not wait for a transaction that was rolled back", () =>
    Effect.gen(function* () {
      const id = yield* organization
      const a = yield* begin(publish(id, "a"))
      const b = yield* begin(publish(id, "b"))
      yield* b.commit
      assert.isTrue(Exit.isFailure(yield* a.rollback))
      assert.deepStrictEqual(yield* all(id, 1), ["b"])
    }).pipe(provide),
  )

  it.effect("have the order in which one waited for the other, not the order of their first writes", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const id = yield* organization
      const context = yield* Effect.context<EventRepository>()
      const early = yield* begin(Effect.orDie(sql`select pg_current_xact_id()::text`))
      const late = yield* begin(publish(id, "started"))
      yield* late.commit
      yield* early.end(publish(id, "completed").pipe(Effect.provide(context)))
      assert.deepStrictEqual(yield* all(id, 2), ["started", "completed"])
    }).pipe(provide),
  )

  it.effect("have the order of publishing within a transaction", () =>
    Effect.gen(function* () {
      const { transaction } = yield* Database
      const id = yield* organization
      yield* transaction(
        Effect.gen(function* () {
          yield* publish(id, "1", "2")
          yield* publish(yield* organization, "of another organization")
          yield* publish(id, "3")
        }),
      )
      assert.deepStrictEqual(yield* all(id, 3), ["1", "2", "3"])
    }).pipe(provide),
  )
})

describe("an open transaction", () => {
  /** A statement, its database, and whether it holds back events that are published meanwhile. */
  const cases = [
    [
      "that wrote in this database holds back events published after it",
      "select pg_current_xact_id()::text",
      true,
      true,
    ],
    ["that locked a row in this database holds events back", "select id from language for update", true, true],
    [
      "that wrote in another database of the server holds events back",
      "select pg_current_xact_id()::text",
      false,
      true,
    ],
    ["that reads in this database does not hold events back", "select count(*) from webhook_event", true, false],
    [
      "that reads in another database of the server does not hold events back",
      "select count(*) from pg_class",
      false,
      false,
    ],
  ] as const

  it.effect.each(cases)("%s", ([, statement, isHere, holdsBack]) =>
    Effect.gen(function* () {
      const id = yield* organization
      const { config } = (yield* Database).client
      const url = isHere ? config.url : Redacted.make(inject("postgres").url)
      yield* Effect.gen(function* () {
        const other = yield* PgClient.PgClient
        const meanwhile = Effect.gen(function* () {
          yield* other`set transaction isolation level repeatable read`
          yield* other.unsafe(statement)
          yield* publish(id, "a")
          assert.deepStrictEqual(holdsBack ? yield* names(id) : yield* all(id, 1), holdsBack ? [] : ["a"])
        })
        yield* other.withTransaction(meanwhile)
      }).pipe(Effect.provide(PgClient.layer({ url, maxConnections: 1 }), { local: true }))
      assert.deepStrictEqual(yield* all(id, 1), ["a"])
    }).pipe(provide),
  )
})

describe("a reader that follows several writers", () => {
  it.effect.each(["one", "two", "three"])(
    "reads each committed event once and in order, page by page, and misses none (seed %s)",
    (seed) =>
      Effect.gen(function* () {
        const { sql, transaction } = yield* Database
        const id = yield* organization
        const between = Random.nextIntBetween
        /** Waits for this many round trips. */
        const pause = Effect.gen(function* () {
          yield* Effect.replicateEffect(sql`select 1`, yield* between(0, 4), { discard: true })
          yield* Effect.replicateEffect(Effect.yieldNow, yield* between(0, 20), { discard: true })
        })
        let clock = 0
        let count = 0
        /** Of each committed event: the times before its publication and after its commit. */
        const committed = new Map<string, { readonly published: number; readonly known: number }>()

        const write = Effect.gen(function* () {
          const published: Array<{ readonly name: string; readonly at: number }> = []
          const exit = yield* Effect.exit(
            transaction(
              Effect.gen(function* () {
                if (yield* Random.nextBoolean) yield* sql`select pg_current_xact_id()::text`
                yield* pause
                const statements = yield* between(1, 3)
                for (let statement = 0; statement < statements; statement++) {
                  const at = ++clock
                  const events = Array.from({ length: yield* between(1, 4) }, () => ({ name: String(++count), at }))
                  yield* publish(id, ...events.map(({ name }) => name))
                  published.push(...events)
                  yield* pause
                }
                if ((yield* between(1, 4)) === 1) return yield* Effect.fail("rolled back")
              }),
            ),
          )
          const known = ++clock
          if (Exit.isSuccess(exit)) for (const { name, at } of published) committed.set(name, { published: at, known })
        })

        const found: Array<EventRow> = []
        const next = Effect.gen(function* () {
          const page = yield* read(id, found.at(-1), 3)
          found.push(...page)
          return page.length
        })
        const reader = yield* next.pipe(Effect.forever, Effect.forkScoped)
        yield* Effect.all(
          Array.from({ length: 3 }, () => Effect.replicateEffect(write, 40, { discard: true })),
          { concurrency: "unbounded" },
        )
        yield* Fiber.interrupt(reader)
        const inOneGo = yield* all(id, committed.size)
        yield* next.pipe(Effect.repeat({ until: (size) => size === 0 }))

        const order = found.map(nameOf)
        assert.deepStrictEqual(order, inOneGo)
        assert.deepStrictEqual(order.toSorted(), [...committed.keys()].toSorted())
        const moments = order.flatMap((name) => committed.get(name) ?? [])
        const tooEarly = moments.filter(({ known }, index) =>
          moments.slice(0, index).some(({ published }) => published > known),
        )
        assert.deepStrictEqual(tooEarly, [])
      }).pipe(Random.withSeed(seed), provide),
  )
})

describe("a server that was started again", () => {
  const far = 10n ** 12n

  /** Simulates another start of the server. */
  const restarted = Effect.gen(function* () {
    const { sql } = yield* Database
    yield* sql`update event_order set server_started_at = server_started_at - interval '1 second'`
  })
  /** Simulates a restore on a server with lower transaction numbers: raises all stored numbers far above the server's. */
  const restored = Effect.gen(function* () {
    const { sql } = yield* Database
    yield* restarted
    yield* sql`update webhook_event set xid = (xid::text::bigint + ${far.toString()}::bigint)::text::xid8`
  })
  /** The cursor of a reader before such a restore. */
  const ahead = (row: EventRow | undefined, by = far): EventRow | undefined =>
    row && { ...row, xid: String(BigInt(row.xid) + by) }

  const start = Effect.gen(function* () {
    const { sql } = yield* Database
    const [row] = yield* sql<{ name: string }>`select current_database() as name`
    const { name } = yield* Effect.fromNullishOr(row)
    yield* migrate({ url: Redacted.make(atDatabase(inject("postgres").url, name)) })
  }).pipe(Effect.provide(NodeServices.layer))

  const microseconds = Effect.gen(function* () {
    const { sql } = yield* Database
    const [row] = yield* sql<{ now: string }>`
      select (extract(epoch from clock_timestamp()) * 1000000)::bigint::text as now`
    return BigInt(row?.now ?? 0)
  })

  const offset = Effect.gen(function* () {
    const { sql } = yield* Database
    const [row] = yield* sql<{ offset: string }>`select xid_offset::text as offset from event_order`
    return BigInt(row?.offset ?? -1)
  })

  /** Publishes and loses an event; returns the cursor of a reader that has read it and a thousand more. */
  const lost = Effect.fnUntraced(function* (id: OrganizationId) {
    const { sql } = yield* Database
    const before = (yield* read(id)).length
    yield* publish(id, "lost")
    yield* all(id, before + 1)
    const row = (yield* read(id)).at(-1)
    yield* sql`delete from webhook_event where seq = ${row?.seq ?? null}::bigint`
    return ahead(row, 1000n)
  })

  it.effect("lets a reader with an old cursor read the rest and new events in order", () =>
    Effect.gen(function* () {
      const id = yield* organization
      yield* publish(id, "1", "2", "3")
      yield* all(id, 3)
      const [, second] = yield* read(id)
      yield* restored
      yield* start
      yield* publish(id, "4")
      yield* publish(id, "5")
      assert.deepStrictEqual(yield* all(id, 5), ["1", "2", "3", "4", "5"])
      assert.deepStrictEqual((yield* read(id, ahead(second))).map(nameOf), ["3", "4", "5"])
    }).pipe(provide),
  )

  it.effect("publishes after the cursors of lost events when pods start", () =>
    Effect.gen(function* () {
      const id = yield* organization
      yield* publish(id, "kept")
      const cursor = yield* lost(id)
      yield* restored
      yield* start
      yield* publish(id, "new")
      yield* all(id, 2)
      assert.deepStrictEqual((yield* read(id, ahead(cursor))).map(nameOf), ["new"])
    }).pipe(provide),
  )

  it.effect("publishes after the cursors of lost events without a start of pods, also several times", () =>
    Effect.gen(function* () {
      const id = yield* organization
      yield* publish(id, "0")
      for (const name of ["1", "2", "3"]) {
        const cursor = yield* lost(id)
        yield* restarted
        yield* publish(id, name)
        yield* all(id, Number(name) + 1)
        assert.deepStrictEqual((yield* read(id, cursor)).map(nameOf), [name])
      }
      assert.deepStrictEqual(yield* names(id), ["0", "1", "2", "3"])
    }).pipe(provide),
  )

  it.effect("publishes after the cursors of lost events if its clock is behind stored numbers", () =>
    Effect.gen(function* () {
      const id = yield* organization
      yield* publish(id, "1")
      for (const name of ["2", "3", "4"]) {
        const cursor = yield* lost(id)
        yield* restored
        yield* publish(id, name)
        yield* all(id, Number(name))
        assert.deepStrictEqual((yield* read(id, ahead(cursor))).map(nameOf), [name])
      }
      assert.deepStrictEqual(yield* names(id), ["1", "2", "3", "4"])
    }).pipe(provide),
  )

  it.effect("keeps numbers below the clock, so that numbers on another server come after those of a lost one", () =>
    Effect.gen(function* () {
      const id = yield* organization
      for (const name of ["1", "2", "3"]) {
        yield* restarted
        const before = yield* microseconds
        yield* publish(id, name)
        yield* all(id, Number(name))
        const number = BigInt((yield* read(id)).at(-1)?.xid ?? 0)
        assert.isTrue(before < number && number < (yield* microseconds), `${before} ${number}`)
      }
    }).pipe(provide),
  )

  it.effect(
    "raises the offset once: pods that start later, and events of other organizations, leave it unchanged",
    () =>
      Effect.gen(function* () {
        const before = yield* offset
        yield* start
        const id = yield* organization
        yield* publish(id, "1")
        yield* publish(yield* organization, "of another organization")
        yield* start
        assert.strictEqual(yield* offset, before)
      }).pipe(provide),
  )

  it.effect("lets the second of two first publishers wait for the first, and orders both", () =>
    Effect.gen(function* () {
      const id = yield* organization
      for (const [end, expected] of [
        ["commit", ["a", "b"]],
        ["rollback", ["a", "b", "b"]],
      ] as const) {
        const cursor = yield* lost(id)
        yield* restarted
        let raised = 0n
        const first = publish(id, "a").pipe(
          Effect.andThen(offset),
          Effect.tap((its) =>
            Effect.sync(() => {
              raised = its
            }),
          ),
        )
        const a = yield* begin(Effect.orDie(first))
        const b = yield* Effect.forkScoped(publish(id, "b"))
        yield* waitingFor("event_order", 1)
        assert.deepStrictEqual(yield* read(id, cursor), [])
        yield* a[end]
        yield* Fiber.join(b)
        assert.deepStrictEqual(yield* all(id, expected.length), [...expected])
        // a second raise would let readers pass events that are published with the first one
        assert.strictEqual((yield* offset) === raised, end === "commit")
        assert.deepStrictEqual((yield* read(id, cursor)).map(nameOf), end === "commit" ? ["a", "b"] : ["b"])
      }
    }).pipe(provide),
  )

  /** Waits until `count` connections wait for a lock of the table, or of one of its rows. */
  const waitingFor = Effect.fnUntraced(function* (table: string, count: number) {
    const { sql } = yield* Database
    yield* sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity a
      where datname = current_database() and wait_event_type = 'Lock' and exists (
        select from pg_locks l where l.pid = a.pid and relation = ${table}::regclass)`.pipe(
      Effect.repeat({ until: ([row]) => row?.count === count, times: 10_000 }),
    )
  })

  it.effect("raises the offset once when pods start together; events published meanwhile come after", () =>
    Effect.gen(function* () {
      const id = yield* organization
      yield* publish(id, "old")
      const cursor = yield* lost(id)
      yield* restarted
      const before = yield* offset

      // locks the row until all pods wait for it
      const { sql } = yield* Database
      const early = yield* begin(Effect.orDie(sql`select from event_order for update`))
      const pods = yield* Effect.forkScoped(Effect.all([start, start, start], { concurrency: "unbounded" }))
      yield* waitingFor("event_order", 3)
      const publishing = yield* Effect.forkScoped(publish(id, "new"))
      yield* waitingFor("event_order", 4)
      yield* early.commit
      yield* Fiber.join(pods)
      yield* Fiber.join(publishing)

      const raised = yield* offset
      assert.isAbove(Number(raised - before), 0)
      yield* start
      assert.strictEqual(yield* offset, raised)
      assert.deepStrictEqual(yield* all(id, 2), ["old", "new"])
      assert.deepStrictEqual((yield* read(id, cursor)).map(nameOf), ["new"])
    }).pipe(provide),
  )
})
