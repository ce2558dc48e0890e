/** An organization is moved to another cell with all rows, each once, or not at all. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Redacted, Stream } from "effect"
import { blobStoreOf } from "../../../src/Adapters.ts"
import { Organizations } from "../../../src/accounts/Organizations.ts"
import { operator } from "../../../src/accounts/Viewer.ts"
import * as Tables from "../../../src/cells/MoveTablesSql.ts"
import { type BlobKey, BlobStore } from "../../../src/files/BlobStore.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import type { OrganizationId } from "../../../src/values/Ids.ts"
import { Events } from "../../../src/webhooks/events/Events.ts"
import { type EventsPage, type EventsRequest, eventPositionOf } from "../../../src/webhooks/events/WebhookEvent.ts"
import { s3Server } from "../../port/s3Server.ts"
import * as cli from "../../support/cli.ts"
import { execute, textsOf } from "../../support/databases.ts"
import { furnished } from "../../support/Furnished.ts"
import * as Scenario from "../../support/Scenario.ts"
import { rowsOf } from "../../support/Tables.ts"
import { freshDatabase } from "../../support/TestDatabase.ts"
import { isThorough } from "../../support/thorough.ts"
import { until } from "../faults/stage.ts"
import {
  beginMove,
  cells,
  cellsOnTwoServers,
  cellsWithSchemas,
  copyOf,
  environment,
  inCell,
  moveCommand,
  moved,
  refused,
  started,
  timeout,
} from "./stage.ts"

/** With rows of tables that have no organization. */
const furnish = Effect.gen(function* () {
  const { ids, organization } = yield* furnished((what) => `Our ${what} in words`)
  const { client: sql } = yield* Database
  yield* sql`insert into webhook_endpoint_hour (endpoint_id, hour) values (${ids.endpoint}::uuid, now())`
  yield* sql`insert into webhook_endpoint_hour (endpoint_id, hour, delivered) values (${ids.endpoint}::uuid, now(), 1)`
  return organization
})

/** Jobs that have not ended. */
const jobs = `select kind || ' ' || id || ' ' || due_at || ' ' || coalesce(claim_id::text, '') from (
  select 'email' as kind, id::text, due_at, claim_id from email union all
  select 'delivery', id::text, due_at, claim_id from webhook_delivery union all
  select 'cv', id::text, due_at, claim_id from cv union all
  select 'evaluation', id::text, due_at, claim_id from evaluation union all
  select 'report', id::text, due_at, claim_id from ats_report) j where due_at is not null order by 1`

/** What a move creates besides rows. */
const remains = `
  select pubname::text as name from pg_publication union all select subname from pg_subscription
  union all select slot_name from pg_replication_slots union all select tgname from pg_trigger where tgname like 'a_moving%'
  union all select relname from pg_class where relreplident in ('f', 'i') and relnamespace = 'public'::regnamespace
  union all select relname from pg_class where relname like 'a_moving%'
  union all select 'move of ' || organization_id || ' ' || state || case when ended_at is null then ' (open)' else '' end
  from organization_move
  union all select table_name from organization_move_change`

/** Puts an email in flight, so that the move waits for it. */
const claimEmail = (organization: OrganizationId, schema = "public") => `
  update ${schema}.email set claim_id = gen_random_uuid(), leased_until = now() + interval '1 hour'
  where id = (select id from ${schema}.email where organization_id = ${organization} and due_at is not null limit 1)`

const releaseEmail = (schema = "public") =>
  `update ${schema}.email set claim_id = null, leased_until = null where claim_id is not null`

const stateOf = (url: string, schema = "public") =>
  Effect.map(textsOf(url, `select state from ${schema}.organization_move`), ([state]) => state)

const withoutLeases = (rows: ReadonlyArray<string>) => rows.map((row) => row.replace(/"leased_until": [^,]*, /, ""))

const states = (...urls: ReadonlyArray<string>) => Effect.forEach(urls, (url) => stateOf(url))

/** As replication writes, and as a restore removes rows. */
const withoutTriggers = (url: string, statement: string) =>
  execute(url, `do $$ begin set local session_replication_role = replica; ${statement}; end $$`)

/** The state between the switch of the source and that of the target. */
const reopen = Effect.fnUntraced(function* (source: string, target: string) {
  yield* execute(source, "update organization_move set ended_at = null")
  yield* execute(target, "update organization_move set state = 'arriving', arrived_at = null, ended_at = null")
})

/** Kills the command while it waits for the email in flight and has held the other jobs. */
const killedWhileDraining = Effect.fnUntraced(function* (source: string, target: string, organization: OrganizationId) {
  yield* execute(source, claimEmail(organization))
  const command = yield* beginMove(source, target, organization)
  yield* until(
    "other jobs are held",
    Effect.map(
      textsOf(source, jobs),
      (rows) => rows.length > 1 && rows.filter((row) => !row.includes(" 9999-12-31")).length === 1,
    ),
  )
  command.kill("SIGKILL")
  yield* command.ended
  assert.strictEqual(yield* stateOf(source), "draining")
})

describe("organization move", () => {
  it.live(
    "moves all rows of the organization and none of another, and deletes them with --finish",
    () =>
      Effect.gen(function* () {
        const { source, target } = yield* cells
        yield* started(target)
        const { other, organization } = yield* inCell(source)(
          Effect.gen(function* () {
            const organization = yield* furnish
            const { id } = yield* Scenario.organization({}, "Other")
            return { organization, other: id }
          }),
        )
        const before = yield* inCell(source)(rowsOf(organization))
        for (const table of ["organization", "webhook_endpoint_hour"]) {
          assert.isNotEmpty(before.filter((row) => row.startsWith(`${table} `)))
        }
        const due = yield* textsOf(source, jobs)
        assert.isNotEmpty(due)
        const ofOther = yield* inCell(source)(rowsOf(other))
        const { rows } = yield* moved(source, target, organization)
        assert.isAtLeast(Number(rows), before.filter((row) => !/^webhook_(throttle|endpoint_hour) /.test(row)).length)
        assert.deepStrictEqual(yield* inCell(target)(rowsOf(organization)), before)
        assert.deepStrictEqual(yield* textsOf(target, jobs), due)
        assert.deepStrictEqual(yield* inCell(target)(rowsOf(other)), [])
        assert.deepStrictEqual(yield* textsOf(target, remains), [`move of ${organization} arrived`])
        yield* moved(source, target, organization, "--finish")
        assert.deepStrictEqual(yield* inCell(source)(rowsOf(organization)), [])
        assert.deepStrictEqual(yield* inCell(source)(rowsOf(other)), ofOther)
        assert.deepStrictEqual(yield* textsOf(source, remains), [`move of ${organization} moved`])
        // and back again
        yield* started(source)
        yield* moved(target, source, organization)
        assert.deepStrictEqual(yield* inCell(source)(rowsOf(organization)), before)
        assert.deepStrictEqual(yield* textsOf(source, jobs), due)
      }).pipe(Effect.scoped),
    timeout,
  )

  it.live(
    "is undone after a kill and after a row differed: the source has all rows and jobs as before, the target has none",
    () =>
      Effect.gen(function* () {
        const { source, target } = yield* cells
        yield* started(target)
        const organization = yield* inCell(source)(furnish)
        const before = yield* inCell(source)(rowsOf(organization))
        const due = yield* textsOf(source, jobs)
        yield* killedWhileDraining(source, target, organization)
        assert.isNotEmpty(yield* inCell(target)(rowsOf(organization)))
        yield* execute(source, releaseEmail())
        // a row that differs from the source's
        yield* withoutTriggers(target, "update review set note = 'Other'")
        assert.match(
          yield* refused(source, target, organization),
          /^error: rows differ in the target: 1, such as review [0-9a-f-]{36}\. Undo the move with --undo, and start again\n$/m,
        )
        // the source performs its jobs again, although the move is still open
        assert.strictEqual(yield* stateOf(source), "copying")
        assert.deepStrictEqual(yield* textsOf(source, jobs), due)
        yield* moved(source, target, organization, "--undo")
        assert.deepStrictEqual(yield* textsOf(source, jobs), due)
        assert.deepStrictEqual(withoutLeases(yield* inCell(source)(rowsOf(organization))), withoutLeases(before))
        assert.deepStrictEqual(yield* inCell(target)(rowsOf(organization)), [])
        assert.deepStrictEqual([...(yield* textsOf(source, remains)), ...(yield* textsOf(target, remains))], [])
        // nothing prevents another move
        yield* moved(source, target, organization)
        assert.deepStrictEqual(yield* textsOf(target, jobs), due)
      }).pipe(Effect.scoped),
    timeout,
  )

  it.live.skipIf(!isThorough)(
    "is continued after the command was killed, also between the switch of the source and that of the target",
    () =>
      Effect.gen(function* () {
        const { source, target } = yield* cells
        yield* started(target)
        const organization = yield* inCell(source)(furnish)
        const due = yield* textsOf(source, jobs)
        yield* killedWhileDraining(source, target, organization)
        // changed after the rows were compared; every table can be updated while it is published
        yield* inCell(source)(
          Effect.gen(function* () {
            const { client: sql } = yield* Database
            for (const { name, owner } of (yield* Tables.tables(sql)).filter(({ owner }) => owner !== "id")) {
              yield* sql`update ${sql(name)} set ${sql(owner)} = ${sql(owner)} where ${sql(owner)} = ${organization}::int`
            }
            yield* sql`update organization set name = name where id = ${organization}::int`
            yield* sql`update candidate set name = 'Changed' where organization_id = ${organization}::int`
          }),
        )
        yield* execute(source, releaseEmail())
        yield* moved(source, target, organization)
        const after = yield* inCell(target)(rowsOf(organization))
        assert.isNotEmpty(after.filter((row) => row.includes("Changed")))
        assert.deepStrictEqual(yield* textsOf(target, jobs), due)

        // killed after the switch of the source
        yield* reopen(source, target)
        yield* moved(source, target, organization)
        assert.deepStrictEqual(yield* states(source, target), ["moved", "arrived"])
        assert.deepStrictEqual(yield* inCell(target)(rowsOf(organization)), after)

        // and after a restore of the target to a moment when it had not all rows
        yield* reopen(source, target)
        yield* withoutTriggers(target, "delete from review")
        assert.match(
          yield* refused(source, target, organization),
          /^error: rows differ in the target: \d+, such as review /m,
        )
        assert.deepStrictEqual(yield* states(source, target), ["moved", "arriving"])
        assert.match(
          yield* refused(source, target, organization, "--finish"),
          /was not moved from this source to this target/,
        )
        yield* moved(source, target, organization, "--undo")
        assert.deepStrictEqual([...(yield* textsOf(source, remains)), ...(yield* textsOf(target, remains))], [])
        assert.deepStrictEqual(yield* inCell(target)(rowsOf(organization)), [])
        assert.deepStrictEqual(withoutLeases(yield* inCell(source)(rowsOf(organization))), withoutLeases(after))
        assert.deepStrictEqual(yield* textsOf(source, jobs), due)
      }).pipe(Effect.scoped),
    timeout,
  )

  it.live(
    "refuses an organization with a test space, and a test space, until test-mode delete",
    () =>
      Effect.gen(function* () {
        const { source, target } = yield* cells
        yield* started(target)
        const begun = Effect.gen(function* () {
          const { id } = yield* Scenario.organization()
          return [id, yield* (yield* Organizations).openTestSpace(operator(id))] as const
        })
        const [live, space] = yield* inCell(source)(begun)
        const before = yield* inCell(source)(rowsOf(live))
        assert.match(
          yield* refused(source, target, live),
          new RegExp(`has the test space ${space}, which is not moved: delete it first with test-mode delete`),
        )
        assert.match(yield* refused(source, target, space), new RegExp(`is the test space of organization ${live}`))
        assert.deepStrictEqual(yield* inCell(source)(rowsOf(live)), before)
        const deletion = yield* cli.run(environment(source), "test-mode", "delete", "--organization", String(live))
        assert.strictEqual(deletion.code, 0, deletion.stderr)
        yield* moved(source, target, live)
        assert.deepStrictEqual(yield* states(source, target), ["moved", "arrived"])
      }).pipe(Effect.scoped),
    timeout,
  )

  it.live.skipIf(!isThorough)(
    "moves one organization after another, with one command at a time",
    () =>
      Effect.gen(function* () {
        const { source, target } = yield* cells
        yield* started(target)
        const [first, second] = yield* inCell(source)(
          Effect.all([furnish, Effect.flatMap(Scenario.organization({}, "Second"), Scenario.invited)]),
        ).pipe(Effect.map(([a, b]) => [a, b.organization] as const))
        yield* moved(source, target, first)
        yield* execute(source, claimEmail(second))
        const command = yield* beginMove(source, target, second)
        const isDraining = Effect.map(
          textsOf(source, "select state from organization_move where state = 'draining'"),
          (found) => found.length > 0,
        )
        yield* until("the move of the second waits for its email", isDraining)
        const running = /^error: another organization move is running for one of the cells: wait until it has ended/
        assert.match(yield* refused(source, target, second), running)
        assert.match(yield* refused(source, target, second, "--undo"), running)
        assert.match(yield* refused(source, target, first, "--finish"), running)
        // its connection with the lock is lost
        yield* execute(
          source,
          `select pg_terminate_backend(l.pid) from pg_locks l join pg_database d on d.oid = l.database
           where locktype = 'advisory' and datname = current_database()`,
        )
        assert.match((yield* command.ended).stderr, /^error: the move stopped: /m)
        assert.isFalse(yield* isDraining)
        // while writes of the second are refused
        yield* execute(
          source,
          "update organization_move set state = 'paused', paused_until = now() + interval '1 minute' where state = 'copying'",
        )
        const write = execute(source, `update candidate set name = 'Lost' where organization_id = ${second}`)
        assert.isTrue(Exit.isFailure(yield* Effect.exit(write)))
        yield* execute(source, "update organization_move set state = 'copying' where state = 'paused'")
        // the rows of the first can be deleted, and those of other organizations written
        yield* moved(source, target, first, "--finish")
        assert.deepStrictEqual(yield* inCell(source)(rowsOf(first)), [])
        yield* execute(source, "update candidate set name = 'Changed'")
        yield* execute(source, releaseEmail())
        yield* moved(source, target, second)
        assert.deepStrictEqual(yield* textsOf(target, `select name from candidate where organization_id = ${second}`), [
          "Changed",
        ])
        yield* moved(source, target, second, "--finish")
        assert.deepStrictEqual(yield* textsOf(source, remains), [`move of ${first} moved`, `move of ${second} moved`])
      }).pipe(Effect.scoped),
    timeout,
  )

  it.live.skipIf(!isThorough)(
    "keeps what the target accepted when the source is restored, and returns to the source when the target is restored",
    () =>
      Effect.gen(function* () {
        const { source, target } = yield* cells
        yield* started(target)
        const organization = yield* inCell(source)(furnish)
        const due = yield* textsOf(source, jobs)
        const [sourceBefore, targetBefore] = [yield* copyOf(source), yield* copyOf(target)]
        yield* moved(source, target, organization)
        yield* execute(target, "update candidate set name = 'Accepted'")
        const after = yield* inCell(target)(rowsOf(organization))
        const older =
          /^error: the target has organization \d+ already, and the source has an older copy.* --discard-source\n$/

        // the target moved it on, and the source is as before the move
        yield* execute(target, "update organization_move set state = 'moved', other_cell = 2")
        assert.match(
          yield* refused(sourceBefore, target, organization),
          /moved it to cell 2: the source has an older copy\. Set MOVE_TARGET_URL to the database of that cell, .* --discard-source/,
        )
        yield* execute(target, "update organization_move set state = 'arrived', other_cell = 0")

        // the source as before the move
        assert.match(yield* refused(sourceBefore, target, organization), older)
        yield* moved(sourceBefore, target, organization, "--discard-source")
        assert.deepStrictEqual(
          (yield* textsOf(sourceBefore, jobs)).filter((job) => !job.includes(" 9999-12-31")),
          [],
        )
        const write = execute(sourceBefore, "update candidate set name = 'Lost'")
        assert.isTrue(Exit.isFailure(yield* Effect.exit(write)))
        yield* moved(sourceBefore, target, organization, "--finish")
        assert.deepStrictEqual(yield* inCell(sourceBefore)(rowsOf(organization)), [])
        assert.deepStrictEqual(yield* textsOf(sourceBefore, remains), [`move of ${organization} moved`])

        // the source without the commit of the switch
        yield* execute(source, "update organization_move set state = 'draining', moved_at = null, ended_at = null")
        assert.match(yield* refused(source, target, organization), older)
        assert.match(yield* refused(source, target, organization, "--undo"), older)
        yield* moved(source, target, organization, "--discard-source")
        assert.deepStrictEqual(yield* states(source, target), ["moved", "arrived"])
        assert.match(
          yield* refused(source, target, organization, "--discard-source"),
          /the source does not use its rows .* delete them with --finish/,
        )
        assert.deepStrictEqual(yield* inCell(target)(rowsOf(organization)), after)

        // the target as before the move
        assert.match(
          yield* refused(source, targetBefore, organization),
          /was moved to cell 1, and this target does not have it\. If that cell was restored .* --undo/,
        )
        yield* execute(
          targetBefore,
          `insert into organization (id, name) overriding system value values (${organization}, 'Own')`,
        )
        assert.match(
          yield* refused(source, targetBefore, organization, "--undo"),
          /has an organization \d+ of its own: Own/,
        )
        yield* execute(targetBefore, "delete from organization")
        yield* moved(source, targetBefore, organization, "--undo")
        assert.deepStrictEqual(yield* textsOf(source, jobs), due)
        assert.deepStrictEqual(yield* textsOf(source, remains), [])
        yield* execute(source, "update candidate set name = 'Written'")
      }).pipe(Effect.scoped),
    timeout,
  )

  it.live.skipIf(!isThorough)(
    "says which value the target cannot apply, and releases the source's jobs; copies the rows again when the slot is lost",
    () =>
      Effect.gen(function* () {
        const { source, target } = yield* cells
        yield* started(target)
        yield* execute(target, "alter system set wal_retrieve_retry_interval = '200ms'")
        yield* execute(target, "select pg_reload_conf()")
        const organization = yield* inCell(source)(furnish)
        const due = yield* textsOf(source, jobs)
        const { id: other } = yield* inCell(target)(Scenario.organization({}, "Other"))
        yield* execute(source, claimEmail(organization))
        const command = yield* beginMove(source, target, organization)
        yield* until(
          "the move waits for the email",
          Effect.map(stateOf(source), (state) => state === "draining"),
        )
        const member = (of: number) =>
          `insert into member (id, organization_id, email, role) values (gen_random_uuid(), ${of}, 'ada@example.org', 'owner')`
        yield* execute(target, member(other))
        yield* execute(source, member(organization))
        yield* execute(source, "create table work as select repeat('x', 100) from generate_series(1, 20000)")
        yield* execute(source, releaseEmail())
        const { code, stderr } = yield* command.ended
        assert.strictEqual(code, 1)
        assert.match(
          stderr,
          /^error: the target cannot apply the rows: other organizations there have member ada@example.org\. /m,
        )
        assert.deepStrictEqual(yield* textsOf(source, jobs), due)
        yield* execute(target, "delete from member where email = 'ada@example.org'")
        // as after a failover of the source, which loses the slot
        yield* execute(target, `alter subscription organization_move_${organization} disable`)
        yield* until(
          "the slot is free",
          Effect.map(
            textsOf(source, "select slot_name::text from pg_replication_slots where active"),
            (slots) => slots.length === 0,
          ),
        )
        yield* execute(source, "select pg_drop_replication_slot(slot_name) from pg_replication_slots")
        yield* inCell(source)(
          Effect.flatMap(
            Database,
            ({ sql }) => sql`update candidate set name = 'Changed' where organization_id = ${organization}::int`,
          ),
        )
        yield* moved(source, target, organization)
        assert.deepStrictEqual(yield* textsOf(target, "select distinct name from candidate"), ["Changed"])
      }).pipe(Effect.scoped),
    timeout,
  )

  it.live(
    "keeps cursors of events valid, and finds all events since a time",
    () =>
      Effect.gen(function* () {
        const { source, target } = yield* cells
        yield* started(target)
        // numbers of the source above those of the target
        yield* execute(source, "update event_order set xid_offset = 1000000000000")
        const read = (organization: OrganizationId, request: Partial<EventsRequest>) =>
          Effect.flatMap(Events, (events) =>
            events.read(operator(organization), { limit: 100, after: undefined, ...request }),
          )
        const ids = ({ results }: EventsPage) => results.map(({ event_id }) => event_id)
        const since = new Date(Date.now() - 60_000)
        const moving = yield* inCell(source)(
          Effect.gen(function* () {
            const candidate = yield* Scenario.invited(yield* Scenario.organization())
            yield* Scenario.publish(candidate, 3)
            const all = yield* read(candidate.organization, {})
            const end = yield* read(candidate.organization, { start: "now" })
            return { candidate, all: ids(all), cursor: all.next_cursor, end: end.next_cursor }
          }),
        )
        const organization = moving.candidate.organization
        const resident = yield* inCell(target)(
          Effect.gen(function* () {
            const candidate = yield* Scenario.invited(yield* Scenario.organization())
            return { candidate, early: yield* Scenario.publish(candidate, 2) }
          }),
        )
        yield* moved(source, target, organization)
        yield* inCell(target)(
          Effect.gen(function* () {
            const later = yield* Scenario.publish(moving.candidate, 2)
            const late = yield* Scenario.publish(resident.candidate, 2)
            const parse = (cursor: string) => ({ after: eventPositionOf(cursor) })
            assert.deepStrictEqual(ids(yield* read(organization, parse(moving.cursor))), later)
            assert.deepStrictEqual(ids(yield* read(organization, parse(moving.end))), later)
            assert.deepStrictEqual(ids(yield* read(organization, { start: since })), [...moving.all, ...later])
            assert.deepStrictEqual(ids(yield* read(resident.candidate.organization, { start: since })), [
              ...resident.early,
              ...late,
            ])
          }),
        )
      }).pipe(Effect.scoped),
    timeout,
  )

  it.live(
    "is refused with a message that says what to do, and changes nothing",
    () =>
      Effect.gen(function* () {
        const { source, target } = yield* cells
        const organization = yield* inCell(source)(furnish)
        assert.match(yield* refused(source, target, 99), /^error: the source has no organization 99\n$/)
        assert.match(yield* refused(source, target, organization, "--undo"), /is not being moved/)
        assert.match(yield* refused(source, target, organization, "--finish"), /was not moved from this source/)
        assert.match(yield* refused(source, target, organization, "--finish", "--undo"), /exclude each other/)
        assert.match(
          yield* refused(source, target, organization),
          /does not have the source's SECRET_KEY: start its pods/,
        )
        yield* started(target)
        assert.match(yield* refused(source, source, organization), /are the same database: set MOVE_TARGET_URL/)
        const [address] = yield* textsOf(
          source,
          `select email from member where organization_id = ${organization} limit 1`,
        )
        const password = Redacted.make("a long password, with spaces")
        yield* inCell(target)(
          Effect.flatMap(Organizations, (organizations) =>
            Effect.flatMap(organizations.create("Other"), (other) =>
              organizations.addMember(other, { email: address ?? "", password, role: "owner" }),
            ),
          ),
        )
        assert.match(
          yield* refused(source, target, organization),
          /other organizations of the target have member m\d+@example.com/,
        )
        yield* execute(target, "update cell set number = 0")
        yield* execute(target, "delete from schema_migrations where migration_id = 11")
        const both = yield* refused(source, target, organization)
        // each in a line
        assert.match(both, /^[^\n]*both have the cell number 0[^\n]*\n[^\n]*have different migrations/)
        assert.match(
          yield* refused(source, yield* cli.emptyDatabase, organization),
          /^error: the target has no tables of this service in the schema public: run migrate there\./,
        )
        const plain = yield* freshDatabase
        assert.match(
          yield* refused(plain, target, yield* inCell(plain)(Effect.map(Scenario.organization(), ({ id }) => id))),
          /the source has wal_level = replica: set wal_level = logical there and restart Postgres/,
        )
        assert.deepStrictEqual([...(yield* textsOf(source, remains)), ...(yield* textsOf(target, remains))], [])
      }).pipe(Effect.scoped),
    timeout,
  )

  it.live.skipIf(!isThorough)(
    "moves between two servers; files stay in the bucket, and the target serves them",
    () =>
      Effect.gen(function* () {
        const { source, target } = yield* cellsOnTwoServers
        const { bucket, endpoint, keys } = yield* s3Server
        const ports = {
          blobStore: blobStoreOf({ store: "s3", s3: { bucket, endpoint, region: "us-east-1", prefix: "" } }),
        }
        /** The contents of the answers that are in the bucket. */
        const files = Effect.gen(function* () {
          const { client: sql } = yield* Database
          const store = yield* BlobStore
          const blobs = yield* sql<BlobKey>`
            select b.id, b.organization_id as organization from blob b join answer a on a.blob_id = b.id where b.store = 's3'`
          return yield* Effect.forEach(blobs, (blob) => Stream.mkString(Stream.decodeText(store.get(blob))))
        })
        yield* inCell(target, ports)(Effect.void)
        const { content, organization } = yield* inCell(
          source,
          ports,
        )(
          Effect.gen(function* () {
            const organization = yield* furnish
            return { organization, content: yield* files }
          }),
        )
        assert.deepStrictEqual(content, ["%PDF-1.7\n%%EOF\n"])
        const stored = yield* keys
        const unreachable = { MOVE_SOURCE_URL: "postgres://app@127.0.0.1:1/app" }
        const stopped = yield* cli.run(...moveCommand(unreachable, source, target, organization))
        assert.match(
          stopped.stderr,
          /^error: the move stopped: .*could not connect.*Run the command again to continue/m,
        )
        const { password } = new URL(source)
        yield* execute(source, `create role mover login replication password '${password}'`)
        yield* execute(source, "grant select on all tables in schema public to mover")
        // two servers, of which one does not answer, and a role that may only replicate and read
        const address = Object.assign(new URL(source), { username: "mover" }).href
        const reachable = { MOVE_SOURCE_URL: address.replace("127.0.0.1", "127.0.0.1:1,localhost") }
        const continued = yield* cli.run(...moveCommand(reachable, source, target, organization))
        assert.strictEqual(continued.code, 0, continued.stderr)
        yield* moved(source, target, organization, "--finish")
        assert.deepStrictEqual(yield* inCell(source)(rowsOf(organization)), [])
        assert.deepStrictEqual(yield* keys, stored)
        assert.deepStrictEqual(yield* inCell(target, ports)(files), content)
      }).pipe(Effect.scoped),
    timeout,
  )

  it.live.skipIf(!isThorough)(
    "is independent of a move in another schema of the same database, also of an organization with the same number",
    () =>
      Effect.gen(function* () {
        const { source, target } = yield* cellsWithSchemas("one", "two")
        const furnishIn = Effect.fnUntraced(function* (schema: string) {
          yield* inCell(target, {}, schema)(Effect.void)
          const { organization } = yield* inCell(
            source,
            {},
            schema,
          )(Effect.flatMap(Scenario.organization(), Scenario.invited))
          return organization
        })
        const organization = yield* furnishIn("one")
        assert.strictEqual(yield* furnishIn("two"), organization)
        const command = (schema: string) => moveCommand({ DATABASE_SCHEMA: schema }, source, target, organization)
        yield* execute(source, claimEmail(organization, "one"))
        const first = yield* cli.begin(...command("one"))
        yield* until(
          "the first move waits for the email",
          Effect.map(stateOf(source, "one"), (state) => state === "draining"),
        )
        const second = yield* cli.run(...command("two"))
        assert.strictEqual(second.code, 0, second.stderr)
        assert.strictEqual(yield* stateOf(source, "one"), "draining")
        yield* execute(source, releaseEmail("one"))
        const ended = yield* first.ended
        assert.strictEqual(ended.code, 0, ended.stderr)
        const invitations = (schema: string) => textsOf(target, `select count(*)::text from ${schema}.invitation`)
        assert.deepStrictEqual([yield* invitations("one"), yield* invitations("two")], [["1"], ["1"]])
      }).pipe(Effect.scoped),
    timeout,
  )
})
