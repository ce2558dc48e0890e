/** Counts sign-in attempts across all pods. */
import { Context, Duration, Effect, Layer } from "effect"
import { Database, first, later } from "../../platform/database/Database.ts"

export interface AttemptLimit {
  readonly key: Uint8Array
  readonly max: number
}

export class SignInAttemptRepository extends Context.Service<SignInAttemptRepository>()(
  "interview-invitations/accounts/sign-in/SignInAttemptRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      return {
        /**
         * Counts an attempt under each key, in order, until a limit refuses it. A period starts with its first attempt.
         * Returns milliseconds to wait; undefined: allowed.
         */
        count: Effect.fnUntraced(function* (limits: ReadonlyArray<AttemptLimit>, period: Duration.Duration) {
          const at = yield* now
          const length = Duration.toSeconds(period)
          const until = sql`${at} + ${length}::float8 * interval '1 second'`
          const isOver = sql`t.expires_at <= ${later(sql, sql`excluded.expires_at`, sql`${-length}::float8 * interval '1 second'`)}`
          const one = ({ key, max }: AttemptLimit, before: string | undefined) => sql`
            insert into sign_in_attempt as t (key, attempts, expires_at)
            select ${key}::bytea, 1, ${until} ${before === undefined ? sql`` : sql`from ${sql(before)} where admitted`}
            on conflict (key) do update set
              attempts = case when ${isOver} then 1 else least(t.attempts, ${max}::int) + 1 end,
              expires_at = case when ${isOver} then excluded.expires_at else t.expires_at end
            returning attempts <= ${max}::int as admitted, expires_at`
          // each reads the one before, so rows are locked in the order of the limits, which prevents deadlocks
          const counts = limits.map(
            (limit, i) => sql`${sql(`c${i}`)} as (${one(limit, i === 0 ? undefined : `c${i - 1}`)})`,
          )
          const all = sql.literal(limits.map((_, i) => `select * from c${i}`).join(" union all "))
          const refused = first(
            yield* sql<{ wait: number }>`
              with ${sql.csv(counts)}
              select extract(epoch from expires_at - ${at})::float8 * 1000 as wait from (${all}) r where not admitted`,
          )
          return refused?.wait
        }),
        uncount: Effect.fnUntraced(function* (keys: ReadonlyArray<Uint8Array>) {
          for (const key of keys) {
            yield* sql`update sign_in_attempt set attempts = greatest(attempts - 1, 0) where key = ${key}::bytea`
          }
        }),
        reset: Effect.fnUntraced(function* (key: Uint8Array) {
          yield* sql`delete from sign_in_attempt where key = ${key}::bytea`
        }),
        forget: Effect.gen(function* () {
          const gone = yield* sql`
            delete from sign_in_attempt where key = any(array(
              select key from sign_in_attempt where expires_at <= ${yield* now} limit 1000 for update skip locked))
            returning 1`
          return gone.length
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
