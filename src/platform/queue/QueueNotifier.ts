/**
 * Wakes idle workers: of this pod directly, of others by NOTIFY. Workers also poll, so a lost notification only delays.
 */
import { Context, Duration, Effect, Latch, Layer, Queue, Schedule } from "effect"
import { Database } from "../database/Database.ts"
import * as FailureLog from "./FailureLog.ts"
import { type QueueTable, queueTables } from "./QueueSql.ts"

/** One NOTIFY for each table in this time: its lock serializes commits. With one in each insert, 6,100 events/s fall to 3,000. */
const notifyInterval = Duration.millis(5)

export class QueueNotifier extends Context.Service<QueueNotifier>()(
  "interview-invitations/platform/queue/QueueNotifier",
  {
    make: Effect.gen(function* () {
      const { client, nameInSchema } = yield* Database
      // `notify_of_due` in sql/01_platform.sql has the same name of the channel
      const channel = nameInSchema("interview_invitations_due")
      const latches = new Map(queueTables.map((table) => [table as string, Latch.makeUnsafe(false)]))
      const open = (table: string) => Effect.sync(() => void latches.get(table)?.openUnsafe())
      const dirty = new Set<QueueTable>()
      const flush = Latch.makeUnsafe(false)

      // nothing is lost when one of them fails, but each job may then wait for a poll
      const notifyFailures = FailureLog.make("queues: notifying other processes")
      const listenFailures = FailureLog.make("queues: listening to other processes")

      yield* Effect.gen(function* () {
        yield* flush.await
        flush.closeUnsafe()
        const batch = [...dirty]
        dirty.clear()
        yield* Effect.forEach(
          batch,
          (table) =>
            client
              .notify(channel, table)
              .pipe(Effect.andThen(notifyFailures.worked), Effect.catchCause(notifyFailures.report)),
          { discard: true },
        )
        yield* Effect.sleep(notifyInterval)
      }).pipe(Effect.forever, Effect.forkScoped)

      yield* Effect.scoped(
        Effect.gen(function* () {
          const notifications = yield* client.listen(channel)
          yield* listenFailures.worked
          // rows may have been queued before LISTEN
          yield* Effect.forEach(queueTables, open)
          yield* Effect.forever(Effect.flatMap(Queue.take(notifications), ({ payload }) => open(payload)))
        }),
      ).pipe(Effect.catchCause(listenFailures.report), Effect.repeat(Schedule.spaced("1 second")), Effect.forkScoped)

      return {
        /** After the commit of the current transaction, or at once without one. */
        wake: (table: QueueTable) =>
          client.afterCommit(
            Effect.sync(() => {
              latches.get(table)?.openUnsafe()
              dirty.add(table)
              flush.openUnsafe()
            }),
          ),
        /** Waits at most `max`; not at all when the table was woken since the last call. */
        wait: (table: QueueTable, max: Duration.Duration) =>
          Effect.suspend(() => {
            const latch = latches.get(table)
            if (latch === undefined) return Effect.sleep(max)
            return latch.await.pipe(
              Effect.timeoutOption(max),
              Effect.andThen(Effect.sync(() => void latch.closeUnsafe())),
            )
          }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
