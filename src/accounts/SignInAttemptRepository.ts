/** Attempts to sign in, counted in the database: all pods count together. */
import { Context, Duration, Effect, Layer } from "effect"
import { Database, first } from "../platform/database/Database.ts"

/** A count: what it is of, and how far it may go in one period. */
export interface Limit {
  readonly key: Uint8Array
  readonly most: number
}

export class SignInAttemptRepository extends Context.Service<
  SignInAttemptRepository,
  {
    /**
     * Counts one attempt under each key, in this order, as long as none is over its limit: what one refuses the next ones
     * never see. A period begins with its first attempt and ends by itself; what is refused does not prolong it.
     * Undefined: the attempt may be made. Else the milliseconds until the count that refused it begins anew.
     */
    readonly count: (limits: ReadonlyArray<Limit>, period: Duration.Duration) => Effect.Effect<number | undefined>
    /** Takes back one attempt under each key that is left, and forgets `proven`. */
    readonly takeBack: (proven: Uint8Array, others: ReadonlyArray<Uint8Array>) => Effect.Effect<void>
    /** Takes back one attempt under each key. */
    readonly giveBack: (keys: ReadonlyArray<Uint8Array>) => Effect.Effect<void>
    /** Deletes some counts that are over; returns how many. */
    readonly forget: Effect.Effect<number>
  }
>()("interview-invitations/accounts/SignInAttemptRepository") {
  static readonly layer = Layer.effect(
    SignInAttemptRepository,
    Effect.gen(function* () {
      const { now, sql } = yield* Database
      const giveBack = Effect.fnUntraced(function* (keys: ReadonlyArray<Uint8Array>) {
        for (const key of keys) {
          yield* sql`update sign_in_attempt set attempts = greatest(attempts - 1, 0) where key = ${key}::bytea`
        }
      }, Effect.orDie)
      return SignInAttemptRepository.of({
        giveBack,
        count: Effect.fnUntraced(function* (limits, period) {
          const at = yield* now
          const until = sql`${at} + ${Duration.toSeconds(period)}::float8 * interval '1 second'`
          const one = ({ key, most }: Limit, before: string | undefined) => sql`
            insert into sign_in_attempt as t (key, attempts, expires_at)
            select ${key}::bytea, 1, ${until} ${before === undefined ? sql`` : sql`from ${sql(before)} where admitted`}
            on conflict (key) do update set
              attempts = case when t.expires_at <= ${at} then 1 else least(t.attempts, ${most}::int) + 1 end,
              expires_at = case when t.expires_at <= ${at} then excluded.expires_at else t.expires_at end
            returning attempts <= ${most}::int as admitted, expires_at`
          // each reads the one before it, so rows are locked in the order of the limits: two attempts never wait in a ring
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
        }, Effect.orDie),
        takeBack: Effect.fnUntraced(function* (proven, others) {
          yield* sql`delete from sign_in_attempt where key = ${proven}::bytea`
          yield* giveBack(others)
        }, Effect.orDie),
        forget: Effect.gen(function* () {
          const gone = yield* sql`
            delete from sign_in_attempt where key = any(array(
              select key from sign_in_attempt where expires_at <= ${yield* now} limit 1000 for update skip locked))
            returning 1`
          return gone.length
        }).pipe(Effect.orDie),
      })
    }),
  )
}
