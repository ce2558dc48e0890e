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
 * Each step can be repeated: after a kill, the command begins at step 1, without copying rows twice. When the command fails in
 * step 3 or 4, it releases the jobs. Until the target is `arrived`, `undo` deletes the target's rows. Both databases store the
 * state, because either may be restored or lost. A move is open until replication has ended; a cell has at most one open move,
 * and one command at a time.
 */
import { Context, Duration, Effect, Pull, Schedule, Schema, Stream } from "effect"
import type { Client } from "../platform/database/CommandClient.ts"
import { defaultSchema, nameIn } from "../platform/database/Database.ts"
import { isLocked } from "../platform/database/Migrations.ts"
import { monotonicMillis } from "../platform/Monotonic.ts"
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

const placeProblem = (cell: string, { hasTables, schema }: Checks.Place, wanted: string) =>
  hasTables && schema === wanted
    ? undefined
    : `the ${cell} has no tables of this service in the schema ${wanted}: run migrate there. Both cells need the same DATABASE_SCHEMA`

/** Runs one command at a time in each cell. */
const exclusively = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { schema = defaultSchema, source, target } = yield* MoveDatabases
      const [from, to] = yield* Effect.all([Checks.placeOf(source), Checks.placeOf(target)])
      yield* refuse([
        from.database === to.database
          ? "source and target are the same database: set MOVE_TARGET_URL to the database of the other cell"
          : undefined,
        placeProblem("source", from, schema),
        placeProblem("target", to, schema),
      ])
      const locks = [yield* State.lock(source), yield* State.lock(target)]
      const held = locks.filter((lock) => lock !== undefined)
      if (held.length < locks.length) {
        return yield* new MoveRefused({
          message: "another organization move is running for one of the cells: wait until it has ended, then try again",
        })
      }
      // stops the command when a lock is lost; a proxy may close idle connections
      const keepLocks = Effect.forever(Effect.delay(Effect.all(held, { discard: true }), "5 seconds"))
      return yield* Effect.raceFirst(command, keepLocks)
    }),
  )

/** The moves of the organization in both cells. An open move is of these two cells, except in a restored source (`isStale`). */
const sides = Effect.fnUntraced(function* (organization: OrganizationId, isStale = false) {
  const { source, target } = yield* MoveDatabases
  const [from, to] = yield* Effect.all([State.moveOf(source, organization), State.moveOf(target, organization)])
  const [fromCell, toCell] = yield* Effect.all([Checks.cellOf(source), Checks.cellOf(target)])
  const isOther = (move: State.Move | undefined, cell: number) =>
    move !== undefined && !move.hasEnded && move.otherCell !== null && move.otherCell !== cell
  yield* refuse([
    !isStale && isOther(from, toCell)
      ? `the source moves organization ${organization} to or from cell ${from?.otherCell}: finish or undo that first`
      : undefined,
    isOther(to, fromCell)
      ? `the target moves organization ${organization} to or from cell ${to?.otherCell}: finish or undo that first`
      : undefined,
  ])
  return { from, to, fromCell, toCell }
})

/** Fails with all problems, each in a line. */
const refuse = (problems: ReadonlyArray<string | undefined>) => {
  const found = problems.filter((problem) => problem !== undefined)
  return found.length === 0 ? Effect.void : Effect.fail(new MoveRefused({ message: found.join("\n") }))
}

const changed = new MoveRefused({
  message: "another command has changed the state of the move meanwhile: run organization move again",
})

const require = <E, R>(isDone: Effect.Effect<boolean, E, R>) =>
  Effect.flatMap(isDone, (done) => (done ? Effect.void : Effect.fail(changed)))

const othersProblem = (cell: string, { open }: Checks.CellFacts) =>
  open.length === 0
    ? undefined
    : `in the ${cell}, the move of organization ${open.join(", ")} is open: finish or undo that first`

const isInTarget = (organization: OrganizationId) =>
  `the target has organization ${organization} already, and the source has an older copy, as after a restore of the source: give that up with organization move --organization ${organization} --discard-source`

/** The source has an old copy of an organization that it moved: it was restored to a moment before. */
const copyProblem = (organization: OrganizationId, from: State.Move | undefined, to: State.Move | undefined) => {
  if (to?.state === "arrived") return isInTarget(organization)
  return to?.state === "moved" && from?.hasArrived !== true
    ? `the target had organization ${organization} after the source and moved it to cell ${to.otherCell}: the source has an older copy. Set MOVE_TARGET_URL to the database of that cell, and give the copy up with --discard-source`
    : undefined
}

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
  facts.may_subscribe
    ? undefined
    : `the role of the target may not create subscriptions: use an administrator in MOVE_TARGET_URL${facts.version >= 160_000 ? ", or run grant pg_create_subscription to …" : ""}`,
  facts.foreign_tables.length === 0
    ? undefined
    : "the role of the target does not own the tables: use their owner or an administrator in MOVE_TARGET_URL",
  facts.workers >= 3 ? undefined : `the target has max_logical_replication_workers = ${facts.workers} and needs 3`,
  facts.version >= 150_000 ? undefined : "the target needs Postgres 15 or newer",
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
const check = Effect.fn("OrganizationMoves.check")(function* (
  organization: OrganizationId,
  state: State.Move | undefined,
  targetState: State.Move | undefined,
) {
  const { source, target } = yield* MoveDatabases
  const from = yield* factsOf(source, organization)
  const to = yield* factsOf(target, organization)
  const isNew = !isBegun(state)
  if (from.organization === null) {
    return yield* new MoveRefused({ message: `the source has no organization ${organization}` })
  }
  yield* refuse([copyProblem(organization, state, targetState)])
  const problems = [
    ...sourceProblems(from, to, isNew),
    ...targetProblems(to, from),
    othersProblem("source", from),
    othersProblem("target", to),
  ]
  for (const [cell, sql] of [
    ["source", source],
    ["target", target],
  ] as const) {
    if (!(yield* Checks.mayReplaceTriggers(sql))) {
      problems.push(`the role of the ${cell} may not set session_replication_role: use an administrator's role`)
    }
  }
  if (isNew) {
    if (state?.hasEnded === false) {
      problems.push(
        `the move of organization ${organization} to the source has not ended: first run it again, with the two databases exchanged`,
      )
    }
    if (from.identities.length > 0) {
      problems.push(
        `tables of the source have a replica identity for another purpose (${from.identities.join(", ")}): a move would reset it`,
      )
    }
    if (to.organization !== null && targetState?.state !== "arriving") {
      problems.push(`the target has an organization ${organization} already: ${to.organization}`)
    }
  }
  const same = yield* Checks.collisions(source, target, organization)
  if (same.length > 0)
    problems.push(`other organizations of the target have ${same.join(", ")}: remove or rename them in one cell`)
  yield* refuse(problems)
  if (from.files_in_s3 > 0) {
    yield* Effect.logWarning("files are in the bucket: pods of the target need the source's S3 settings", {
      files: from.files_in_s3,
    })
  }
})

/** Whether a move from this cell has begun. */
const isBegun = (move: State.Move | undefined) =>
  move !== undefined && move.state !== "arrived" && move.state !== "arriving"

/** Creates what replication needs in both cells, and waits until all rows are copied. */
const copy = Effect.fn("OrganizationMoves.copy")(function* (
  organization: OrganizationId,
  fromCell: number,
  toCell: number,
) {
  const { source, sourceUrl, target } = yield* MoveDatabases
  yield* require(State.begin(target, organization, "arriving", fromCell))
  yield* require(State.begin(source, organization, "copying", toCell))
  if (!areAlike(yield* factsOf(source, organization), yield* factsOf(target, organization))) {
    return yield* new MoveRefused({ message: `${differentMigrations}, after --undo` })
  }
  const name = yield* nameOf(organization)
  const tables = yield* Tables.tables(source)
  // before any update of published tables
  yield* Replication.extendIdentities(source, tables)
  yield* releaseJobs(organization)
  yield* Triggers.addGuards(target, tables, organization)
  yield* Triggers.addHolds(target, "target", organization)
  yield* Rows.copyPartitions(source, target)
  const isResumed = yield* Replication.resume(source, target, name)
  if (!isResumed) yield* Replication.unsubscribe(source, target, name)
  yield* Replication.publish(source, name, tables, organization)
  if (!isResumed) {
    // rows of a move that was partly undone, or whose replication was lost
    yield* Rows.deleteRows(target, tables, organization)
    yield* Replication.subscribe(target, name, sourceUrl)
  }
  yield* waitUntilCopied(organization)
  yield* Rows.analyze(target, tables)
})

const releaseJobs = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { source } = yield* MoveDatabases
  yield* Triggers.dropHolds(source, organization)
  yield* Triggers.releaseJobs(source, organization)
})

/** Errors since the start: replication repeats a lasting error, and a lost connection is one error. */
const maxErrors = 3

/** Checks, two a second, after which a target that receives nothing is given up. */
const maxSilent = 120

/** Returns a check that fails when the target has failed to apply rows several times since then, or receives none for long. */
const watchErrors = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { source, target } = yield* MoveDatabases
  const name = yield* nameOf(organization)
  const before = yield* Replication.copyProgress(target, name)
  let silent = 0
  return Effect.gen(function* () {
    silent = (yield* Replication.isReceiving(source, name)) ? 0 : silent + 1
    if (silent > maxSilent) {
      return yield* new MoveRefused({
        message:
          "the target has not been connected to the source for a minute: see the log of its server. Correct the cause and run the command again, or undo the move with --undo",
      })
    }
    const { errors } = yield* Replication.copyProgress(target, name)
    if (errors < before.errors + maxErrors) return
    const same = yield* Checks.collisions(source, target, organization)
    const reason = same.length === 0 ? "see the log of its server" : `other organizations there have ${same.join(", ")}`
    return yield* new MoveRefused({
      message: `the target cannot apply the rows: ${reason}. Correct the cause and run the command again, or undo the move with --undo`,
    })
  })
})

const waitUntilCopied = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { target } = yield* MoveDatabases
  const errors = yield* watchErrors(organization)
  let shown = -1
  yield* Replication.copyProgress(target, yield* nameOf(organization)).pipe(
    Effect.tap(
      Effect.fnUntraced(function* ({ copied, tables }) {
        if (copied !== shown) yield* Effect.logInfo("copying", { tables, copied })
        shown = copied
        yield* errors
      }),
    ),
    Effect.repeat({ until: ({ copied, tables }) => copied === tables, schedule: Schedule.spaced("500 millis") }),
  )
})

const waitForLag = Effect.fnUntraced(function* (organization: OrganizationId, maxBytes: number) {
  const { source } = yield* MoveDatabases
  const name = yield* nameOf(organization)
  const errors = yield* watchErrors(organization)
  const position = yield* Replication.currentPosition(source)
  const bytes = yield* Replication.lag(source, name, position).pipe(
    Effect.repeat({
      until: (bytes) => bytes === undefined || bytes <= maxBytes,
      schedule: Schedule.spaced("20 millis"),
    }),
    Effect.raceFirst(
      Effect.repeat(errors, Schedule.forever.pipe(Schedule.addDelay(() => Effect.succeed("500 millis")))),
    ),
  )
  if (bytes === undefined) {
    return yield* new MoveRefused({
      message:
        "the replication slot in the source is gone, as after a failover: run the command again, which copies the rows again",
    })
  }
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

const differProblem = (keys: ReadonlyArray<string>, advice: string) =>
  new MoveRefused({
    message: `rows differ in the target: ${keys.length}, such as ${keys.slice(0, 3).join(", ")}. ${advice}`,
  })

/** Compares all rows of both cells. */
const compare = Effect.fn("OrganizationMoves.compare")(function* (organization: OrganizationId) {
  const { source, target } = yield* MoveDatabases
  const differing = new Map<string, ReadonlyArray<string>>()
  let rows = 0
  for (const table of yield* Tables.tables(source)) {
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

/** Compares all rows. Rows that changed meanwhile may differ; they are compared again. */
const verify = Effect.fn("OrganizationMoves.verify")(function* (organization: OrganizationId) {
  const { source } = yield* MoveDatabases
  yield* require(State.setState(source, organization, "verifying"))
  yield* State.clearChanges(source)
  yield* Triggers.addGuards(source, yield* Tables.tables(source), organization)
  yield* waitForLag(organization, smallLag)
  return yield* compare(organization)
})

/** Holds the source's jobs, and waits for those in flight. */
const holdJobs = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { source } = yield* MoveDatabases
  yield* Triggers.addHolds(source, "source", organization)
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
})

const raiseEventOrder = Effect.fnUntraced(
  function* (sql: Client, above: Client) {
    yield* EventOrder.raiseEventOrder(sql, yield* EventOrder.nextEventNumber(above))
  },
  Effect.catchIf(isLocked, () => Effect.fail(orderIsLocked)),
)

const orderIsLocked = new MoveRefused({
  message:
    "another transaction has locked the table event_order for long, such as a pg_dump of the cell: run the command again when that has ended",
})

const drain = Effect.fn("OrganizationMoves.drain")(function* (organization: OrganizationId) {
  const { source, target } = yield* MoveDatabases
  yield* require(State.setState(source, organization, "draining"))
  yield* raiseEventOrder(target, source)
  yield* holdJobs(organization)
  yield* waitForLag(organization, smallLag)
})

/** Makes the source work as before the step `draining`, unless the switch has happened. */
const giveUp = Effect.fnUntraced(
  function* (organization: OrganizationId) {
    const { source } = yield* MoveDatabases
    if (yield* State.setState(source, organization, "copying")) yield* releaseJobs(organization)
  },
  Effect.catch(({ message }) =>
    Effect.logError("the organization's jobs are still held: run the command again, or undo the move", { message }),
  ),
)

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
  if (found.length > 0) return yield* differProblem(found, "Undo the move with --undo, and start again")
  yield* raiseEventOrder(target, source)
  return compared
})

/** Refuses writes, compares again and switches. Fails when this takes too long. */
const switchOver = Effect.fn("OrganizationMoves.switchOver")(function* (organization: OrganizationId, differing: Keys) {
  const { source } = yield* MoveDatabases
  yield* require(State.pause(source, organization, pauseExpiry).pipe(Effect.retry({ while: isLocked, times: 10 })))
  const began = yield* monotonicMillis
  const comparedAgain = yield* Effect.timeoutOrElse(takeOver(organization, differing), {
    duration: Duration.seconds(maxPause),
    orElse: () => Effect.fail(tooLate),
  })
  // the source first, so that both never have the organization at the same time
  const hasLeft = yield* Effect.uninterruptible(
    Effect.tap(State.leave(source, organization), (left) => (left ? arrive(organization) : Effect.void)),
  )
  if (!hasLeft) return yield* tooLate
  yield* Effect.logInfo("switched: route the organization's requests to the target")
  return { comparedAgain, pausedMs: (yield* monotonicMillis) - began }
})

const tooLate = new MoveRefused({
  message: `the target did not catch up within ${maxPause} seconds; writes are accepted again. Run the command again at a quieter time, or undo the move with --undo`,
})

const arrive = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { target } = yield* MoveDatabases
  yield* require(State.setState(target, organization, "arrived"))
  yield* Triggers.releaseJobs(target, organization)
})

/**
 * Continues a move that ended between the switch of the source and that of the target. The target may have been restored to an
 * earlier moment since, so all rows are compared; the source refuses writes.
 */
const arriveLate = Effect.fn("OrganizationMoves.arriveLate")(function* (organization: OrganizationId) {
  const { source, target } = yield* MoveDatabases
  const isResumed = yield* Replication.resume(source, target, yield* nameOf(organization))
  if (isResumed) yield* waitForLag(organization, 0)
  const { differing } = yield* compare(organization)
  const tables = yield* Rows.copyEndpointRows(source, target, organization)
  const found = [...[...differing].flatMap(([table, keys]) => keys.map((key) => `${table} ${key}`)), ...tables]
  if (found.length > 0) {
    return yield* differProblem(found, "Undo the move with --undo: then the source has the organization again")
  }
  yield* raiseEventOrder(target, source)
  yield* arrive(organization)
})

/**
 * Removes what replication needed, so that the move is no longer open. The source's guards stay: they refuse writes until its rows
 * are deleted.
 */
const endReplication = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { source, target } = yield* MoveDatabases
  const tables = yield* Tables.tables(source)
  const name = yield* nameOf(organization)
  yield* Replication.unsubscribe(source, target, name)
  // after its end, replica identities and changes may be of another move
  if ((yield* State.moveOf(source, organization))?.hasEnded !== true) {
    yield* Replication.unpublish(source, name)
    yield* Replication.resetIdentities(source, tables)
    yield* Triggers.dropHolds(source, organization)
    yield* State.clearChanges(source)
  }
  yield* Triggers.dropHolds(target, organization)
  yield* Triggers.dropGuards(target, tables, organization)
  yield* State.end(target, organization)
  yield* State.end(source, organization)
})

/** Moves the organization, or continues its move. Returns undefined if an earlier call has switched already. */
const move = Effect.fn("OrganizationMoves.move")(function* (organization: OrganizationId) {
  const { target } = yield* MoveDatabases
  const { from, fromCell, to, toCell } = yield* sides(organization)
  if (from?.state === "moved") {
    if (to?.state === "arriving") yield* arriveLate(organization)
    else if (to?.state !== "arrived") return yield* notHere(organization, from)
    if (!to.hasEnded) yield* Triggers.releaseJobs(target, organization)
    yield* endReplication(organization)
    return undefined
  }
  yield* check(organization, from, to)
  yield* copy(organization, fromCell, toCell)
  const { differing, rows } = yield* verify(organization)
  const switched = yield* Effect.andThen(drain(organization), switchOver(organization, differing)).pipe(
    Effect.onError(() => giveUp(organization)),
  )
  yield* endReplication(organization)
  return { rows, ...switched } satisfies Moved
}, exclusively)

const notHere = (organization: OrganizationId, { otherCell }: State.Move) =>
  new MoveRefused({
    message: `organization ${organization} was moved to cell ${otherCell}, and this target does not have it. If that cell was restored to a moment before, the source can have the organization again: run the command with --undo`,
  })

/**
 * Gives the move up: the source works as before, and the target has no row of the organization. What stays there: empty partitions
 * of finished deliveries, and the raised order of events. After the switch, only while the target has not `arrived`, because it
 * has accepted no writes then, or has lost them in a restore. Returns the number of deleted rows.
 */
const undo = Effect.fn("OrganizationMoves.undo")(function* (organization: OrganizationId) {
  const { source, target } = yield* MoveDatabases
  const { from, fromCell, to, toCell } = yield* sides(organization)
  const facts = yield* factsOf(source, organization)
  if (to?.state === "arrived" && from?.state === "moved") {
    return yield* new MoveRefused({
      message: `organization ${organization} was moved already: move it back with the two databases exchanged, after --finish`,
    })
  }
  yield* refuse([
    facts.organization === null || from?.state === "moved" || (to?.state === "moved" && to.otherCell === fromCell)
      ? undefined
      : copyProblem(organization, from, to),
  ])
  const tables = yield* Tables.tables(source)
  if (from?.state === "moved") {
    if (from.otherCell !== toCell || to?.state === "moved") return yield* notHere(organization, from)
    const { organization: name } = yield* factsOf(target, organization)
    yield* refuse([
      to === undefined && name !== null
        ? `the target has an organization ${organization} of its own: ${name}`
        : undefined,
      facts.organization === null ? `the source has no organization ${organization}: --finish deleted it` : undefined,
      othersProblem("source", facts),
    ])
    // readers may have cursors of the target from before its restore
    yield* raiseEventOrder(source, target)
    yield* State.comeBack(source, organization)
  } else if (isBegun(from)) {
    // first, so that the source works again
    if (from?.state !== "copying") yield* require(State.setState(source, organization, "copying"))
  } else if (to?.state !== "arriving") {
    return yield* new MoveRefused({ message: `organization ${organization} is not being moved` })
  }
  if (yield* Replication.isPublished(source, yield* nameOf(organization))) {
    yield* Replication.extendIdentities(source, tables)
  }
  yield* releaseJobs(organization)
  yield* Triggers.dropGuards(source, tables, organization)
  yield* endReplication(organization)
  const rows = yield* Rows.deleteRows(target, tables, organization)
  yield* State.forget(target, organization)
  yield* State.forget(source, organization)
  return rows
}, exclusively)

/**
 * Deletes the rows of the source after the switch, and returns their number. What stays: the row in `organization_move`, and files in
 * a bucket, which the target serves.
 */
const finish = Effect.fn("OrganizationMoves.finish")(function* (organization: OrganizationId) {
  const { source, target } = yield* MoveDatabases
  const { from, to } = yield* sides(organization)
  if (from?.state !== "moved" || to?.state !== "arrived") {
    return yield* new MoveRefused({
      message: `organization ${organization} was not moved from this source to this target`,
    })
  }
  if ((yield* factsOf(target, organization)).organization === null) {
    return yield* new MoveRefused({ message: `the target has no organization ${organization}: the source's rows stay` })
  }
  if (!to.hasEnded) yield* Triggers.releaseJobs(target, organization)
  yield* endReplication(organization)
  const tables = yield* Tables.tables(source)
  const rows = yield* Rows.deleteRows(source, tables, organization)
  yield* Triggers.dropGuards(source, tables, organization)
  return rows
}, exclusively)

/**
 * After a restore of the source to a moment before the switch, both cells have the organization. Makes the source `moved` again:
 * it refuses requests and performs no jobs, and `finish` deletes its rows. What it accepted since the restore is given up.
 */
const discardSource = Effect.fn("OrganizationMoves.discardSource")(function* (organization: OrganizationId) {
  const { source, target } = yield* MoveDatabases
  const { from, to, toCell } = yield* sides(organization, true)
  const facts = yield* factsOf(source, organization)
  const targetFacts = yield* factsOf(target, organization)
  yield* refuse([
    from?.state === "moved"
      ? `the source does not use its rows of organization ${organization}: delete them with --finish`
      : undefined,
    to?.state === "arrived" && targetFacts.organization !== null
      ? undefined
      : `the target does not have organization ${organization}: set MOVE_TARGET_URL to the database of the cell that has it`,
    facts.organization === null ? `the source has no organization ${organization}` : undefined,
    othersProblem("source", facts),
  ])
  const tables = yield* Tables.tables(source)
  if (isBegun(from)) yield* Replication.extendIdentities(source, tables)
  yield* Effect.onError(holdJobs(organization), () => Effect.ignore(releaseJobs(organization)))
  yield* Triggers.addGuards(source, tables, organization)
  yield* State.discard(source, organization, toCell)
  // a move that had begun at the moment of the restore
  if (isBegun(from)) return yield* endReplication(organization)
  yield* Triggers.dropHolds(source, organization)
  yield* State.end(source, organization)
}, exclusively)

export const OrganizationMoves = { move, undo, finish, discardSource }
