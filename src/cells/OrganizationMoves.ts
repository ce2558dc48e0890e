/**
 * Moves an organization from one cell to another while it stays in use (docs/scale.md).
 *
 * 1. `copying`: logical replication copies all rows to the target, and then their changes. The target holds the jobs.
 * 2. `verifying`: triggers in the source record the keys of changed rows. The rows of both cells are compared.
 * 3. `draining`: the source holds the organization's jobs; the command waits for those in flight.
 * 4. `paused`: the source refuses writes with 503. When the target has applied all changes, the rows that changed since step 2,
 *    and those that differed, are compared again.
 * 5. `moved`: the target is `arrived`, and its jobs are due again. The source answers 503 until the proxy sends requests to the
 *    target.
 *
 * Each step can be repeated: after a kill, the command begins at step 1, without copying rows twice. Before step 5, `undo`
 * deletes the target's rows. Both databases store the state, because either may be restored or lost.
 */
import { Clock, Context, Duration, Effect, Pull, Schedule, Schema, Stream } from "effect"
import type { Client } from "../platform/database/CommandClient.ts"
import { nameIn } from "../platform/database/Database.ts"
import { isLocked } from "../platform/database/Migrations.ts"
import type { OrganizationId } from "../values/Ids.ts"
import * as Checks from "./MoveChecksSql.ts"
import * as EventOrder from "./MoveEventOrderSql.ts"
import * as Replication from "./MoveReplicationSql.ts"
import * as Rows from "./MoveRowsSql.ts"
import * as State from "./MoveStateSql.ts"
import * as Tables from "./MoveTablesSql.ts"
import * as Triggers from "./MoveTriggersSql.ts"

/** The databases of the two cells. `schema`: of both. `sourceUrl`: the source's address for the target's server. */
export class MoveDatabases extends Context.Service<
  MoveDatabases,
  {
    readonly source: Client
    readonly target: Client
    readonly schema: string | undefined
    readonly sourceUrl: string
  }
>()("interview-invitations/cells/OrganizationMoves/MoveDatabases") {}

/** The message says what to do. */
export class MoveRefused extends Schema.TaggedError<MoveRefused>()("MoveRefused", { message: Schema.String }) {}

export interface Moved {
  readonly rows: number
  /** Rows that were compared while writes were refused. */
  readonly comparedAgain: number
  /** How long writes were refused, in milliseconds. */
  readonly pausedMs: number
}

/** Rows of a table. If more differ, replication has failed: changes of the last seconds are fewer. */
const maxDiffering = 100_000

/** Minutes that jobs in flight may take: evaluations by a model take some. */
const maxDrain = 15

/** Seconds for which writes are refused at most. Then the command fails, and the source accepts writes again. */
const maxPause = 5

/**
 * Seconds. Then the database accepts writes again, although the command was killed. Longer than `maxPause`, so that the switch of a
 * command that needed all of that is still within it.
 */
const pauseExpiry = 10

/** Bytes left to replicate at the end of a step; the target applies so few in a fraction of a second. */
const smallLag = 262_144

const pollEvery = "100 millis"

/** Of publication, slot and subscription. */
const nameOf = (organization: OrganizationId) =>
  Effect.map(MoveDatabases, ({ schema }) => nameIn(schema, `organization_move_${organization}`))

const sides = (organization: OrganizationId) =>
  Effect.flatMap(MoveDatabases, ({ source, target }) =>
    Effect.all({ from: State.stateOf(source, organization), to: State.stateOf(target, organization) }),
  )

const sourceProblems = (
  facts: Checks.CellFacts,
  to: Checks.CellFacts,
  isNew: boolean,
): ReadonlyArray<string | undefined> => [
  facts.wal_level === "logical"
    ? undefined
    : `the source has wal_level = ${facts.wal_level}: set wal_level = logical there and restart Postgres`,
  facts.may_replicate
    ? undefined
    : "the role of the source may not replicate: run alter role … replication, or use an administrator's role in DATABASE_URL",
  facts.may_create
    ? undefined
    : "the role of the source may not create a publication: run grant create on database … to …",
  facts.foreign_tables.length === 0
    ? undefined
    : "the role of the source does not own the tables: use their owner or an administrator in DATABASE_URL",
  !isNew || facts.free_slots >= 3
    ? undefined
    : `the source has ${facts.free_slots} free replication slots and needs 3: raise max_replication_slots`,
  !isNew || facts.free_senders >= 3
    ? undefined
    : `the source has ${facts.free_senders} free WAL senders and needs 3: raise max_wal_senders`,
  facts.version >= 150_000 ? undefined : "the source needs Postgres 15 or newer",
  to.secret_keys.length > 0 && facts.secret_keys.every((key) => to.secret_keys.includes(key))
    ? undefined
    : "the target does not have the source's SECRET_KEY: start its pods with SECRET_KEY=<its own>,<the source's>",
]

const targetProblems = (facts: Checks.CellFacts, from: Checks.CellFacts): ReadonlyArray<string | undefined> => [
  facts.database === from.database
    ? "source and target are the same database: set MOVE_TARGET_URL to the database of the other cell"
    : undefined,
  facts.may_subscribe
    ? undefined
    : "the role of the target may not create subscriptions: use an administrator in MOVE_TARGET_URL, or run grant pg_create_subscription to …",
  facts.foreign_tables.length === 0
    ? undefined
    : "the role of the target does not own the tables: use their owner or an administrator in MOVE_TARGET_URL",
  facts.workers >= 3 ? undefined : `the target has max_logical_replication_workers = ${facts.workers} and needs 3`,
  facts.version >= 150_000 ? undefined : "the target needs Postgres 15 or newer",
  facts.schema === from.schema
    ? undefined
    : `the tables are in the schema ${from.schema} of the source and ${facts.schema} of the target: replication needs the same DATABASE_SCHEMA`,
  facts.cell === from.cell
    ? `source and target both have the cell number ${facts.cell}: their ids may collide. Give each new cell its number with cell set-number before its first organization`
    : undefined,
  areAlike(facts, from) ? undefined : differentMigrations,
]

const areAlike = (facts: Checks.CellFacts, other: Checks.CellFacts) =>
  facts.migrations.join() === other.migrations.join()

const differentMigrations = "source and target have different migrations: run the same version of the service on both"

const factsOf = Effect.fnUntraced(function* (sql: Client, organization: OrganizationId) {
  const facts = yield* Checks.factsOf(sql, organization)
  return facts ?? (yield* new MoveRefused({ message: "the role of the database is not in pg_roles" }))
})

/** Reports all problems at once. */
const check = Effect.fn("OrganizationMoves.check")(function* (organization: OrganizationId) {
  const { source, target } = yield* MoveDatabases
  const from = yield* factsOf(source, organization)
  const to = yield* factsOf(target, organization)
  const { from: state, to: targetState } = yield* sides(organization)
  const isNew = state === undefined || state === "arrived"
  if (from.organization === null) {
    return yield* new MoveRefused({ message: `the source has no organization ${organization}` })
  }
  const problems = [...sourceProblems(from, to, isNew), ...targetProblems(to, from)]
  for (const [cell, sql, { open }] of [
    ["source", source, from],
    ["target", target, to],
  ] as const) {
    if (open.length > 0)
      problems.push(`in the ${cell}, organization ${open.join(", ")} is being moved: finish or undo that first`)
    if (!(yield* Checks.mayReplaceTriggers(sql))) {
      problems.push(`the role of the ${cell} may not set session_replication_role: use an administrator's role`)
    }
  }
  if (isNew) {
    if (from.identities.length > 0) {
      problems.push(
        `tables of the source have a replica identity for another purpose (${from.identities.join(", ")}): a move would reset it`,
      )
    }
    if (to.organization !== null && targetState !== "arriving") {
      problems.push(`the target has an organization ${organization} already: ${to.organization}`)
    }
  }
  if (from.database !== to.database) {
    const same = yield* Checks.collisions(source, target, organization)
    if (same.length > 0)
      problems.push(`other organizations of the target have ${same.join(", ")}: remove or rename them in one cell`)
  }
  const found = problems.filter((problem) => problem !== undefined)
  if (found.length > 0) return yield* new MoveRefused({ message: found.join("\n") })
  if (from.files_in_s3 > 0) {
    yield* Effect.logWarning("files are in the bucket: pods of the target need the source's S3 settings", {
      files: from.files_in_s3,
    })
  }
})

/** Creates what replication needs in both cells, and waits until all rows are copied. */
const copy = Effect.fn("OrganizationMoves.copy")(function* (organization: OrganizationId) {
  const { source, sourceUrl, target } = yield* MoveDatabases
  yield* State.begin(target, organization, "arriving")
  yield* State.begin(source, organization, "copying")
  if (!areAlike(yield* factsOf(source, organization), yield* factsOf(target, organization))) {
    return yield* new MoveRefused({ message: `${differentMigrations}, after --undo` })
  }
  const name = yield* nameOf(organization)
  const tables = yield* Tables.tables(source)
  yield* Triggers.dropHolds(source)
  yield* Triggers.releaseJobs(source, organization)
  yield* Triggers.addGuards(target, tables, organization)
  yield* Triggers.addHolds(target, "target", organization)
  yield* Rows.copyPartitions(source, target)
  yield* Replication.extendIdentities(source, tables)
  yield* Replication.publish(source, name, tables, organization)
  if (!(yield* Replication.isSubscribed(target, name))) {
    // rows of a move that was partly undone
    yield* Rows.deleteRows(target, tables, organization)
    yield* Replication.subscribe(target, name, sourceUrl)
  }
  yield* waitUntilCopied(organization)
  yield* Rows.analyze(target, tables)
})

/** Errors since the start: replication repeats a lasting error, and a lost connection is one error. */
const maxErrors = 3

const waitUntilCopied = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { source, target } = yield* MoveDatabases
  const name = yield* nameOf(organization)
  const before = yield* Replication.copyProgress(target, name)
  let shown = -1
  yield* Replication.copyProgress(target, name).pipe(
    Effect.tap(
      Effect.fnUntraced(function* ({ copied, errors, tables }) {
        if (copied !== shown) yield* Effect.logInfo("copying", { tables, copied })
        shown = copied
        if (errors < before.errors + maxErrors) return
        const same = yield* Checks.collisions(source, target, organization)
        const reason =
          same.length === 0 ? "see the log of its server" : `other organizations there have ${same.join(", ")}`
        return yield* new MoveRefused({
          message: `the target cannot apply the rows: ${reason}. Correct the cause and run the command again, or undo the move with --undo`,
        })
      }),
    ),
    Effect.repeat({ until: ({ copied, tables }) => copied === tables, schedule: Schedule.spaced("500 millis") }),
  )
})

const waitForLag = Effect.fnUntraced(function* (organization: OrganizationId, maxBytes: number) {
  const { source } = yield* MoveDatabases
  const position = yield* Replication.currentPosition(source)
  yield* Replication.lag(source, yield* nameOf(organization), position).pipe(
    Effect.repeat({ until: (bytes) => bytes <= maxBytes, schedule: Schedule.spaced("20 millis") }),
  )
})

/** Pulls the arrays of a stream, and empty arrays after its end. */
const arraysOf = <A, E, R>(stream: Stream.Stream<A, E, R>) =>
  Effect.map(Stream.toPull(stream), (pull) =>
    Pull.catchDone(pull as Pull.Pull<ReadonlyArray<A>, E, unknown, R>, () => Effect.succeed<ReadonlyArray<A>>([])),
  )

const isBefore = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0

/** Merges two streams in the order of keys; returns the number of rows in the first and the keys of rows that differ. */
const compareStreams = Effect.fnUntraced(function* <E, R>(
  left: Stream.Stream<Rows.RowHash, E, R>,
  right: Stream.Stream<Rows.RowHash, E, R>,
) {
  const pulls = [yield* arraysOf(left), yield* arraysOf(right)] as const
  const read = (side: 0 | 1) => Effect.map(pulls[side], (rows) => ({ rows, at: 0 }))
  let [a, b] = [yield* read(0), yield* read(1)]
  let rows = 0
  const differing: Array<string> = []
  for (;;) {
    if (a.at === a.rows.length && a.rows.length > 0) a = yield* read(0)
    if (b.at === b.rows.length && b.rows.length > 0) b = yield* read(1)
    const [one, other] = [a.rows[a.at], b.rows[b.at]]
    if (one === undefined && other === undefined) return { rows, differing }
    const isLeft = one !== undefined && (other === undefined || one.key === other.key || isBefore(one.key, other.key))
    const isRight = other !== undefined && (one === undefined || one.key === other.key || !isLeft)
    if (isLeft) {
      a.at += 1
      rows += 1
    }
    if (isRight) b.at += 1
    if (one !== undefined && other !== undefined && isLeft && isRight && one.hash === other.hash) continue
    differing.push(isLeft ? one.key : (other?.key ?? ""))
  }
}, Effect.scoped)

type Keys = ReadonlyMap<string, ReadonlyArray<string>>

/** Compares all rows. Rows that changed meanwhile may differ; they are compared again. */
const verify = Effect.fn("OrganizationMoves.verify")(function* (organization: OrganizationId) {
  const { source, target } = yield* MoveDatabases
  const tables = yield* Tables.tables(source)
  yield* State.setState(source, organization, "verifying")
  yield* State.clearChanges(source)
  yield* Triggers.addGuards(source, tables, organization)
  yield* waitForLag(organization, smallLag)
  const differing = new Map<string, ReadonlyArray<string>>()
  let rows = 0
  for (const table of tables) {
    const compared = yield* compareStreams(
      Rows.hashes(source, table, organization),
      Rows.hashes(target, table, organization),
    )
    rows += compared.rows
    differing.set(table.name, compared.differing)
    if (compared.differing.length > maxDiffering) {
      return yield* new MoveRefused({
        message: `rows of ${table.name} differ in the target: ${compared.differing.length}. Undo the move with --undo, and start again`,
      })
    }
  }
  yield* Effect.logInfo("compared", { rows })
  return { rows, differing: differing as Keys }
})

/** Holds the source's jobs, and waits for those in flight. */
const drain = Effect.fn("OrganizationMoves.drain")(function* (organization: OrganizationId) {
  const { source, target } = yield* MoveDatabases
  yield* State.setState(source, organization, "draining")
  yield* Triggers.addHolds(source, "source", organization)
  yield* EventOrder.raiseEventOrder(target, yield* EventOrder.nextEventNumber(source))
  yield* Triggers.holdJobs(source, organization).pipe(
    Effect.repeat({ until: (inFlight) => inFlight === 0, schedule: Schedule.spaced(pollEvery) }),
    Effect.timeoutOrElse({
      duration: Duration.minutes(maxDrain),
      orElse: () =>
        new MoveRefused({
          message: `jobs have been in flight for ${maxDrain} minutes: run the command again to wait longer, or undo the move with --undo`,
        }),
    }),
  )
  yield* waitForLag(organization, smallLag)
})

/** Keys compared in one statement. */
const batch = 10_000

/** Compares the rows with these keys again. Returns their number and those that differ, such as "submission 0198…". */
const differences = Effect.fnUntraced(function* (organization: OrganizationId, suspects: ReadonlyArray<Keys>) {
  const { source, target } = yield* MoveDatabases
  const found: Array<string> = []
  let compared = 0
  for (const table of yield* Tables.tables(source)) {
    const keys = [...new Set(suspects.flatMap((of) => of.get(table.name) ?? []))]
    compared += keys.length
    for (let i = 0; i < keys.length; i += batch) {
      const some = keys.slice(i, i + batch)
      const [own, copied] = yield* Effect.all(
        [source, target].map((sql) => Rows.hashesOf(sql, table, organization, some)),
        { concurrency: 2 },
      )
      const hashes = new Map((copied ?? []).map(({ hash, key }) => [key, hash]))
      const ofSource = new Map((own ?? []).map(({ hash, key }) => [key, hash]))
      found.push(...some.filter((key) => hashes.get(key) !== ofSource.get(key)).map((key) => `${table.name} ${key}`))
    }
  }
  return { compared, found }
})

const takeOver = Effect.fnUntraced(function* (organization: OrganizationId, differing: Keys) {
  const { source, target } = yield* MoveDatabases
  yield* waitForLag(organization, 0)
  const tables = yield* Rows.copyEndpointRows(source, target, organization)
  const { compared, found: rows } = yield* differences(organization, [differing, yield* State.changes(source)])
  const found = [...rows, ...tables]
  if (found.length > 0) {
    return yield* new MoveRefused({
      message: `rows differ in the target: ${found.length}, such as ${found.slice(0, 3).join(", ")}. Undo the move with --undo, and start again`,
    })
  }
  yield* EventOrder.raiseEventOrder(target, yield* EventOrder.nextEventNumber(source))
  return compared
})

/** Refuses writes, compares again and switches. Goes back to `draining` when this fails, is interrupted, or takes too long. */
const switchOver = Effect.fn("OrganizationMoves.switchOver")(function* (organization: OrganizationId, differing: Keys) {
  const { source } = yield* MoveDatabases
  yield* State.pause(source, organization, pauseExpiry).pipe(Effect.retry({ while: isLocked, times: 10 }))
  const began = yield* Clock.currentTimeMillis
  return yield* Effect.gen(function* () {
    const comparedAgain = yield* Effect.timeoutOrElse(takeOver(organization, differing), {
      duration: Duration.seconds(maxPause),
      orElse: () => Effect.fail(tooLate),
    })
    // the source first, so that both never have the organization at the same time
    const hasLeft = yield* Effect.uninterruptible(
      Effect.tap(State.leave(source, organization), (left) => (left ? arrive(organization) : Effect.void)),
    )
    if (!hasLeft) return yield* tooLate
    return { comparedAgain, pausedMs: (yield* Clock.currentTimeMillis) - began }
  }).pipe(
    Effect.onExit((exit) => (exit._tag === "Success" ? Effect.void : Effect.orDie(State.resume(source, organization)))),
  )
})

const tooLate = new MoveRefused({
  message: `the target did not catch up within ${maxPause} seconds; writes are accepted again. Run the command again at a quieter time, or undo the move with --undo`,
})

const arrive = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { target } = yield* MoveDatabases
  yield* State.setState(target, organization, "arrived")
  yield* Triggers.releaseJobs(target, organization)
})

/** Removes what replication needed. The source's triggers stay: they refuse writes until its rows are deleted. */
const endReplication = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { source, target } = yield* MoveDatabases
  const tables = yield* Tables.tables(source)
  const name = yield* nameOf(organization)
  yield* Replication.unsubscribe(target, name)
  yield* Replication.unpublish(source, name)
  yield* Replication.resetIdentities(source, tables)
  yield* Triggers.dropHolds(source)
  yield* State.clearChanges(source)
  yield* Triggers.dropHolds(target)
  yield* Triggers.dropGuards(target, tables)
})

/** Moves the organization, or continues its move. Returns undefined if an earlier call has switched already. */
const move = Effect.fn("OrganizationMoves.move")(function* (organization: OrganizationId) {
  const { from, to } = yield* sides(organization)
  if (from === "moved") {
    if (to !== "arriving" && to !== "arrived") {
      return yield* new MoveRefused({
        message: `organization ${organization} was moved to another cell than this target`,
      })
    }
    if (to === "arriving") yield* arrive(organization)
    yield* endReplication(organization)
    return undefined
  }
  yield* check(organization)
  yield* copy(organization)
  const { differing, rows } = yield* verify(organization)
  yield* drain(organization)
  const switched = yield* switchOver(organization, differing)
  yield* endReplication(organization)
  return { rows, ...switched } satisfies Moved
})

/**
 * Gives the move up: the source works as before, and the target has no row of the organization. What stays there: empty partitions
 * of finished deliveries, and the raised order of events. Returns the number of deleted rows.
 */
const undo = Effect.fn("OrganizationMoves.undo")(function* (organization: OrganizationId) {
  const { source, target } = yield* MoveDatabases
  const { from, to } = yield* sides(organization)
  if (from === "moved") {
    return yield* new MoveRefused({
      message: `organization ${organization} was moved already: move it back with the two databases exchanged, after --finish`,
    })
  }
  if (to === "arrived" || (to !== "arriving" && (from === undefined || from === "arrived"))) {
    return yield* new MoveRefused({ message: `organization ${organization} is not being moved` })
  }
  const tables = yield* Tables.tables(source)
  // first, so that the source works again
  yield* State.setState(source, organization, "copying")
  yield* Triggers.dropHolds(source)
  yield* Triggers.releaseJobs(source, organization)
  yield* Triggers.dropGuards(source, tables)
  yield* endReplication(organization)
  const rows = yield* Rows.deleteRows(target, tables, organization)
  yield* State.forget(target, organization)
  yield* State.forget(source, organization)
  return rows
})

/**
 * Deletes the rows of the source after the switch, and returns their number. What stays: the row in `organization_move`, and files in
 * a bucket, which the target serves.
 */
const finish = Effect.fn("OrganizationMoves.finish")(function* (organization: OrganizationId) {
  const { source, target } = yield* MoveDatabases
  const { from, to } = yield* sides(organization)
  if (from !== "moved" || to !== "arrived") {
    return yield* new MoveRefused({
      message: `organization ${organization} was not moved from this source to this target`,
    })
  }
  if ((yield* factsOf(target, organization)).organization === null) {
    return yield* new MoveRefused({ message: `the target has no organization ${organization}: the source's rows stay` })
  }
  yield* endReplication(organization)
  const tables = yield* Tables.tables(source)
  const rows = yield* Rows.deleteRows(source, tables, organization)
  yield* Triggers.dropGuards(source, tables)
  return rows
})

export const OrganizationMoves = { move, undo, finish }
