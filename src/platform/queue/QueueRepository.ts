/** Releases claimed rows of the job tables, and starts them alone; QueueSql.ts explains the columns. */
import { Context, Duration, Effect, Layer } from "effect"
import { Database, recordset } from "../database/Database.ts"
import { QueueNotifier } from "./QueueNotifier.ts"
import { type Claimed, idType, maxUnended, type QueueTable, uncounted } from "./QueueSql.ts"

/** Whether the released claim counts as a started attempt. */
export type ReleaseAs = "unclaimed" | "started"

const counted = `alone = null, unended_attempts = case when alone is null then unended_attempts else ${maxUnended} end`

export class QueueRepository extends Context.Service<QueueRepository>()(
  "interview-invitations/platform/queue/QueueRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      const { wake } = yield* QueueNotifier

      /** Makes rows that the claims still hold due after a delay. */
      const release = Effect.fnUntraced(function* (
        table: QueueTable,
        claims: ReadonlyArray<Pick<Claimed, "id" | "claim_id">>,
        after: Duration.Duration,
        as: ReleaseAs,
      ) {
        yield* sql`
          update ${sql(table)} q set claim_id = null,
            due_at = ${yield* now} + ${Duration.toMillis(after)}::float8 * interval '1 millisecond',
            ${sql.literal(as === "unclaimed" ? uncounted : counted)}
          from ${recordset(
            sql,
            claims.map(({ claim_id, id }) => ({ id, claim_id })),
            "id text, claim_id uuid",
          )}
          where q.id = r.id::${idType(sql, table)} and q.claim_id = r.claim_id and q.due_at is not null`
        if (Duration.isZero(after)) yield* wake(table)
      })

      /**
       * Counts an attempt that starts alone, and renews the lease, because the job may have waited for most of it. False:
       * another claim holds the row.
       */
      const startAlone = Effect.fnUntraced(function* (
        table: QueueTable,
        { claim_id, id }: Pick<Claimed, "id" | "claim_id">,
        lease: Duration.Duration,
      ) {
        const started = yield* sql`
          update ${sql(table)} set unended_attempts = unended_attempts + 1, alone = 'started',
            leased_until = ${yield* now} + ${Duration.toMillis(lease)}::float8 * interval '1 millisecond'
          where id = ${id}::${idType(sql, table)} and claim_id = ${claim_id}::uuid and due_at is not null
          returning id`
        return started.length > 0
      })

      return { release, startAlone }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
