/** Holds the jobs of an organization, compares the rows of both cells and makes the target the cell that has it. */
import { Duration, Effect, Schedule } from "effect"
import { untilTrustEnds } from "../accounts/api-keys/AcceptedKeys.ts"
import type { Client } from "../platform/database/CommandClient.ts"
import { isLocked } from "../platform/database/Migrations.ts"
import { monotonicMillis } from "../platform/Monotonic.ts"
import type { OrganizationId } from "../values/Ids.ts"
import { compare, differences, differProblem, type Keys } from "./MoveComparison.ts"
import { releaseJobs, smallLag, waitForLag } from "./MoveCopy.ts"
import { MoveDatabases, MoveRefused, nameOf, requireState } from "./MoveDatabases.ts"
import * as EventOrder from "./MoveEventOrderSql.ts"
import * as Replication from "./MoveReplicationSql.ts"
import * as Rows from "./MoveRowsSql.ts"
import * as State from "./MoveStateSql.ts"
import * as Tables from "./MoveTablesSql.ts"
import * as Triggers from "./MoveTriggersSql.ts"

/** Compares all rows. Rows that changed meanwhile may differ; they are compared again. */
export const verify = Effect.fn("MoveSwitch.verify")(function* (organization: OrganizationId) {
  const { source } = yield* MoveDatabases
  yield* requireState(State.setState(source, organization, "verifying"))
  yield* State.clearChanges(source)
  yield* Triggers.addGuards(source, yield* Tables.tables(source), organization)
  yield* waitForLag(organization, smallLag)
  return yield* compare(organization)
})

export const drain = Effect.fn("MoveSwitch.drain")(function* (organization: OrganizationId) {
  const { source, target } = yield* MoveDatabases
  yield* requireState(State.setState(source, organization, "draining"))
  yield* raiseEventOrder(target, source)
  yield* holdJobs(organization)
  yield* waitForLag(organization, smallLag)
})

/** Minutes that jobs in flight may take: evaluations by a model take some. */
const maxDrain = 15

/** Holds the source's jobs, and waits for those in flight. */
export const holdJobs = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { source } = yield* MoveDatabases
  yield* Triggers.addHolds(source, "source", organization)
  yield* Triggers.holdJobs(source, organization).pipe(
    Effect.repeat({ until: (inFlight) => inFlight === 0, schedule: Schedule.spaced("100 millis") }),
    Effect.timeoutOrElse({
      duration: Duration.minutes(maxDrain),
      orElse: () =>
        new MoveRefused({
          message: `jobs have been in flight for ${maxDrain} minutes: run the command again to wait longer, or undo the move with --undo`,
        }),
    }),
  )
})

export const raiseEventOrder = Effect.fnUntraced(
  function* (sql: Client, above: Client) {
    yield* EventOrder.raiseEventOrder(sql, yield* EventOrder.nextEventNumber(above))
  },
  Effect.catchIf(isLocked, () => Effect.fail(orderIsLocked)),
)

const orderIsLocked = new MoveRefused({
  message:
    "another transaction has locked the table event_order for long, such as a pg_dump of the cell: run the command again when that has ended",
})

/** Seconds for which writes are refused at most. Then the command fails, and the source accepts writes again. */
const maxPause = 5

/**
 * Seconds. Then the database accepts writes again, although the command was killed. Longer than `maxPause`, so that the switch of a
 * command that needed all of that is still within it.
 */
const pauseExpiry = 10

/** Refuses writes, compares again and switches. Fails when this takes too long. */
export const switchOver = Effect.fn("MoveSwitch.switchOver")(function* (organization: OrganizationId, differing: Keys) {
  const { source } = yield* MoveDatabases
  yield* requireState(State.pause(source, organization, pauseExpiry).pipe(Effect.retry({ while: isLocked, times: 10 })))
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
  const pausedMs = (yield* monotonicMillis) - began
  // until then, processes of the source may read for API keys that they accepted before
  yield* untilTrustEnds
  yield* Effect.logInfo("switched: route the organization's requests to the target")
  return { comparedAgain, pausedMs }
})

const tooLate = new MoveRefused({
  message: `the target did not catch up within ${maxPause} seconds; writes are accepted again. Run the command again at a quieter time, or undo the move with --undo`,
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

const arrive = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { target } = yield* MoveDatabases
  yield* requireState(State.setState(target, organization, "arrived"))
  yield* Triggers.releaseJobs(target, organization)
})

/**
 * Continues a move that ended between the switch of the source and that of the target. The target may have been restored to an
 * earlier moment since, so all rows are compared; the source refuses writes.
 */
export const arriveLate = Effect.fn("MoveSwitch.arriveLate")(function* (organization: OrganizationId) {
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

/** Makes the source work as before the step `draining`, unless the switch has happened. */
export const giveUp = Effect.fnUntraced(
  function* (organization: OrganizationId) {
    const { source } = yield* MoveDatabases
    if (yield* State.setState(source, organization, "copying")) yield* releaseJobs(organization)
  },
  Effect.catch(({ message }) =>
    Effect.logError("the organization's jobs are still held: run the command again, or undo the move", { message }),
  ),
)
