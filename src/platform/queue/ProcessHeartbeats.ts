/**
 * Notices processes that have ended, so that others take over their claims within 10 seconds, before the leases end.
 *
 * Each process with workers has a row and counts its `beats` up every second. Another process considers it ended when
 * the count has not changed for `silence`, during which it could read the rows itself. So no process is ended by a clock,
 * or by an outage of the database that all processes notice. A process that was only paused finds its row ended and
 * registers again; its settlements of claims that others have taken are ignored (QueueSql.ts). A process also registers
 * again when its count is not higher than after its last round: the server has lost its last commits. Results of jobs may be
 * among them, so other processes must perform these jobs again.
 *
 * Rows instead of a lock of a session: behind a pooler in transaction mode, such as PgBouncer, a session belongs to no
 * process.
 */
import { hostname } from "node:os"
import { Clock, Context, Duration, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { version } from "../../config/Version.ts"
import { Share } from "../database/Connections.ts"
import { Database, first } from "../database/Database.ts"
import { IsRepeatedWrite } from "../database/RefusedWrites.ts"
import * as Periodic from "./Periodic.ts"
import { QueueNotifier } from "./QueueNotifier.ts"
import { type Claimer, leasesOnly, queueTables } from "./QueueSql.ts"

const beatInterval = Duration.seconds(1)
/** Together with the interval and a claim: less than 10 seconds. */
const silence = Duration.seconds(5)
/** After a longer pause between its own readings, a process waits `silence` again. */
const maxGap = Duration.seconds(3)
/** A connection that hangs is given up, so that the next step uses another. */
const maxStep = Duration.seconds(2)
/** Longer than any lease: a webhook's is at most 31 minutes. */
const kept = Duration.hours(1)

interface Row {
  readonly id: number
  /** A bigint as text. */
  readonly beats: string
  readonly is_ended: boolean
  readonly is_own: boolean
}

/** Without a process, a row of nulls says which queues are paused. */
interface ReadRow extends Omit<Row, "id"> {
  readonly id: number | null
  readonly paused: ReadonlyArray<string>
}

interface Seen {
  readonly beats: string
  readonly since: bigint
}

const beat = Effect.fnUntraced(function* (id: number | null) {
  const { sql } = yield* Database
  const rows = yield* sql<ReadRow>`
    with own as (
      update worker_process set beats = beats + 1 where id = ${id}::int and ended_at is null returning id, beats
    )
    select p.id, coalesce(own.beats, p.beats, 0)::text as beats, p.ended_at is not null as is_ended,
      own.id is not null as is_own, q.paused
    from (select array(select queue from queue_pause order by queue) as paused) q
      left join worker_process p on true left join own on own.id = p.id`
  return {
    rows: rows.flatMap((row): ReadonlyArray<Row> => (row.id === null ? [] : [{ ...row, id: row.id }])),
    paused: first(rows)?.paused ?? [],
  }
})

const register = Effect.gen(function* () {
  const { sql } = yield* Database
  const rows = yield* sql<{ id: number }>`
    insert into worker_process (host, version) values (${hostname()}, ${version}) returning id`
  return first(rows)?.id ?? null
})

/** Not those that have beaten meanwhile. */
const end = Effect.fnUntraced(function* (rows: ReadonlyArray<Pick<Row, "id" | "beats">>) {
  const { now, sql } = yield* Database
  const ids = rows.map(({ id }) => String(id))
  const counts = rows.map(({ beats }) => beats)
  const ended = yield* sql<{ id: number }>`
    update worker_process p set ended_at = ${yield* now}
    from unnest(${ids}::int[], ${counts}::bigint[]) as r(id, beats)
    where p.id = r.id and p.beats = r.beats and p.ended_at is null
    returning p.id`
  return ended.map(({ id }) => id)
})

const forgetEnded = Effect.gen(function* () {
  const { now, sql } = yield* Database
  yield* sql`
    delete from worker_process
    where ended_at < ${yield* now} - ${Duration.toMillis(kept)}::float8 * interval '1 millisecond'`
})

const endOwn = Effect.fnUntraced(function* (id: number | null) {
  const { now, sql } = yield* Database
  yield* sql`update worker_process set ended_at = ${yield* now} where id = ${id}::int and ended_at is null`
})

/** What the layer runs at intervals, for tests. */
export const make = Effect.gen(function* () {
  const queueNotifier = yield* QueueNotifier
  let claimer: Claimer = leasesOnly
  const seen = new Map<number, Seen>()
  const former = new Set<number>()
  let readAt: bigint | undefined
  let lastBeats = -1n

  /** Rows of living processes that have been silent for too long. */
  const silentOf = (living: ReadonlyArray<Row>, at: bigint): ReadonlyArray<Row> => {
    if (readAt === undefined || at - readAt > Duration.toNanosUnsafe(maxGap)) seen.clear()
    readAt = at
    for (const id of seen.keys()) if (!living.some((row) => row.id === id)) seen.delete(id)
    return living.filter(({ beats, id }) => {
      const before = seen.get(id)
      if (before?.beats === beats) return at - before.since >= Duration.toNanosUnsafe(silence)
      seen.set(id, { beats, since: at })
      return false
    })
  }

  const round = Effect.gen(function* () {
    const { id } = claimer
    const { paused, rows } = yield* Effect.provideService(beat(id), IsRepeatedWrite, true)
    const beats = BigInt(rows.find(({ is_own }) => is_own)?.beats ?? -1)
    const isRegistered = beats > lastBeats
    lastBeats = isRegistered ? beats : -1n
    if (!isRegistered && id !== null) {
      former.add(id)
      const cause = beats === -1n ? "it was paused" : "the database lost its last commits"
      yield* Effect.logWarning(`others take over the jobs of this process: ${cause}`)
    }
    const others = rows.filter((row) => !row.is_ended && row.id !== id)
    const silent = silentOf(others, yield* Clock.monotonicTimeNanos)
    const gone = silent.length === 0 ? [] : yield* end(silent)
    if (gone.length > 0) {
      yield* Effect.logWarning("processes ended without a shutdown; others take over their jobs", { processes: gone })
    }
    // not the former ids of this process, which may still perform what it claimed
    const ended = [...rows.flatMap((row) => (row.is_ended ? [row.id] : [])), ...gone].filter((one) => !former.has(one))
    const isNew = ended.some((one) => !claimer.ended.includes(one))
    const isResumed = (claimer.paused ?? []).some((queue) => !paused.includes(queue))
    claimer = { id: isRegistered ? id : yield* Effect.provideService(register, IsRepeatedWrite, true), ended, paused }
    if (isNew || isResumed) yield* Effect.forEach(queueTables, queueNotifier.wake, { discard: true })
  })

  return { claimer: () => claimer, round, forget: forgetEnded, leave: Effect.suspend(() => endOwn(claimer.id)) }
})

export class ProcessHeartbeats extends Context.Service<ProcessHeartbeats>()(
  "interview-invitations/platform/queue/ProcessHeartbeats",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const { claimer, forget, leave, round } = yield* make
      const step = (effect: Effect.Effect<unknown, SqlError, Database>) =>
        effect.pipe(
          Effect.provideService(Database, database),
          // a connection of the pool is kept for it, also while requests wait for one
          Effect.provideService(Share, () => "worker_process"),
          Effect.timeout(maxStep),
          Effect.orDie,
          Effect.as(0),
        )
      // before the first claim; when it fails, claims have leases only
      yield* Effect.ignoreCause(step(round))
      yield* Effect.addFinalizer(() => Effect.ignoreCause(step(leave)))
      yield* Periodic.run("reading which processes live", beatInterval, step(round))
      yield* Periodic.run("deleting rows of ended processes", Duration.minutes(10), step(forget))
      return { claimer }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
