/** Copies the rows of an organization to the target by logical replication, then their changes, and ends the replication. */
import { Effect, Schedule } from "effect"
import type { OrganizationId } from "../values/Ids.ts"
import * as Checks from "./MoveChecksSql.ts"
import { MoveDatabases, MoveRefused, nameOf, requireState } from "./MoveDatabases.ts"
import { areAlike, differentMigrations, factsOf } from "./MovePreconditions.ts"
import * as Replication from "./MoveReplicationSql.ts"
import * as Rows from "./MoveRowsSql.ts"
import * as State from "./MoveStateSql.ts"
import * as Tables from "./MoveTablesSql.ts"
import * as Triggers from "./MoveTriggersSql.ts"

/** Creates what replication needs in both cells, and waits until all rows are copied. */
export const copy = Effect.fn("MoveCopy.copy")(function* (
  organization: OrganizationId,
  fromCell: number,
  toCell: number,
) {
  const { source, sourceUrl, target } = yield* MoveDatabases
  yield* requireState(State.begin(target, organization, "arriving", fromCell))
  yield* requireState(State.begin(source, organization, "copying", toCell))
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

export const releaseJobs = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { source } = yield* MoveDatabases
  yield* Triggers.dropHolds(source, organization)
  yield* Triggers.releaseJobs(source, organization)
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

/** Bytes left to replicate at the end of a step; the target applies so few in a fraction of a second. */
export const smallLag = 262_144

export const waitForLag = Effect.fnUntraced(function* (organization: OrganizationId, maxBytes: number) {
  const { source } = yield* MoveDatabases
  const name = yield* nameOf(organization)
  const errors = yield* watchErrors(organization)
  const position = yield* Replication.currentPosition(source)
  const lag = yield* Replication.lag(source, name, position).pipe(
    Effect.repeat({
      until: (bytes) => bytes === undefined || bytes <= maxBytes,
      schedule: Schedule.spaced("20 millis"),
    }),
    Effect.raceFirst(
      Effect.repeat(errors, Schedule.forever.pipe(Schedule.addDelay(() => Effect.succeed("500 millis")))),
    ),
  )
  if (lag === undefined) {
    return yield* new MoveRefused({
      message:
        "the replication slot in the source is gone, as after a failover: run the command again, which copies the rows again",
    })
  }
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

/**
 * Removes what replication needed, so that the move is no longer open. The source's guards stay: they refuse writes until its rows
 * are deleted.
 */
export const endReplication = Effect.fnUntraced(function* (organization: OrganizationId) {
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
