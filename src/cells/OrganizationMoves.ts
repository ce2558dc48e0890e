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
import { Effect } from "effect"
import { defaultSchema } from "../platform/database/Database.ts"
import type { OrganizationId } from "../values/Ids.ts"
import * as Checks from "./MoveChecksSql.ts"
import { copy, endReplication, releaseJobs } from "./MoveCopy.ts"
import { MoveDatabases, MoveRefused, nameOf, refuse, requireState } from "./MoveDatabases.ts"
import { check, copyProblem, factsOf, othersProblem, placeProblem, sides } from "./MovePreconditions.ts"
import * as Replication from "./MoveReplicationSql.ts"
import * as Rows from "./MoveRowsSql.ts"
import * as State from "./MoveStateSql.ts"
import { arriveLate, drain, giveUp, holdJobs, raiseEventOrder, switchOver, verify } from "./MoveSwitch.ts"
import * as Tables from "./MoveTablesSql.ts"
import * as Triggers from "./MoveTriggersSql.ts"

export interface Moved {
  readonly rows: number
  /** Rows that were compared while writes were refused. */
  readonly comparedAgain: number
  /** How long writes were refused, in milliseconds. */
  readonly pausedMs: number
}

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

/** Moves the organization, or continues its move. Returns undefined if an earlier call has switched already. */
export const move = Effect.fn("OrganizationMoves.move")(function* (organization: OrganizationId) {
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
export const undo = Effect.fn("OrganizationMoves.undo")(function* (organization: OrganizationId) {
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
  } else if (State.isBegun(from)) {
    // first, so that the source works again
    if (from?.state !== "copying") yield* requireState(State.setState(source, organization, "copying"))
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
export const finish = Effect.fn("OrganizationMoves.finish")(function* (organization: OrganizationId) {
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
export const discardSource = Effect.fn("OrganizationMoves.discardSource")(function* (organization: OrganizationId) {
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
  if (State.isBegun(from)) yield* Replication.extendIdentities(source, tables)
  yield* Effect.onError(holdJobs(organization), () => Effect.ignore(releaseJobs(organization)))
  yield* Triggers.addGuards(source, tables, organization)
  yield* State.discard(source, organization, toCell)
  // a move that had begun at the moment of the restore
  if (State.isBegun(from)) return yield* endReplication(organization)
  yield* Triggers.dropHolds(source, organization)
  yield* State.end(source, organization)
}, exclusively)
