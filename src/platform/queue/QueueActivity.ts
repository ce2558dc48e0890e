/** Counts what this process performs, and remembers the last runs of its steps, for all processes to read (sql/01_platform.sql). */
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { withoutAddresses } from "../../values/EmailAddress.ts"
import { Database } from "../database/Database.ts"
import { QueueActivityRepository, type StepRun } from "./QueueActivityRepository.ts"
import type { QueueTable } from "./QueueSql.ts"

/** Characters of an error that are kept. */
const maxError = 300
/** Of the counts. */
const kept = Duration.days(8)

export class QueueActivity extends Context.Service<QueueActivity>()(
  "interview-invitations/platform/queue/QueueActivity",
  {
    make: Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const { time } = yield* Database
      const repository = yield* QueueActivityRepository
      const attempts = new Map<string, { readonly queue: QueueTable; readonly outcome: string; count: number }>()
      const steps = new Map<string, StepRun>()
      const changed = new Set<string>()

      const attempt = (queue: QueueTable, outcome: string) => {
        const key = `${queue} ${outcome}`
        const known = attempts.get(key)
        if (known === undefined) attempts.set(key, { queue, outcome, count: 1 })
        else known.count++
      }

      const change = (name: string, interval: Duration.Duration, run: Partial<StepRun>) => {
        const before = steps.get(name)
        const nothing = { ran_at: null, took_ms: null, done: null, failed_at: null, error: null }
        steps.set(name, { ...nothing, ...before, ...run, name, seconds: Math.round(Duration.toSeconds(interval)) })
        changed.add(name)
      }

      const now = () => new Date(clock.currentTimeMillisUnsafe())

      /** `tookMillis` and the number of rows of a run that ended well. */
      const ran = (name: string, interval: Duration.Duration, tookMillis: number, done: number) =>
        change(name, interval, { ran_at: now(), took_ms: Math.round(tookMillis), done })

      const failed = (name: string, interval: Duration.Duration, error: string) =>
        change(name, interval, { failed_at: now(), error: withoutAddresses(error.slice(0, maxError)) })

      /** What could not be stored is stored with the next call. */
      const flush = Effect.gen(function* () {
        const at = yield* time
        const counted = [...attempts.values()].filter(({ count }) => count > 0).map((one) => ({ ...one }))
        const runs = [...changed].flatMap((name) => steps.get(name) ?? [])
        yield* repository.store(counted, runs, new Date(at.getTime() - Duration.toMillis(kept)))
        for (const { count, outcome, queue } of counted) {
          const one = attempts.get(`${queue} ${outcome}`)
          if (one !== undefined) one.count -= count
        }
        for (const run of runs) if (steps.get(run.name) === run) changed.delete(run.name)
        return 0
      })

      return { attempt, ran, failed, flush }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
