/** Fingerprints of the keys used with the database, and all secrets that are encrypted under SECRET_KEY. */
import { Context, Effect, Layer } from "effect"
import { Database, recordset } from "../database/Database.ts"

/** Of a webhook endpoint, a connection to a hiring system, a member or a key of the record (`id`). `previous_secret` is null when it no longer signs. */
export interface EncryptedSecrets {
  readonly table: "webhook_endpoint" | "ats_connection" | "second_factor" | "record_key"
  readonly id: string
  readonly secret: Uint8Array
  readonly previous_secret: Uint8Array | null
  /** Encrypted static headers; null: none. */
  readonly headers: Uint8Array | null
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64")

export class SecretKeyRepository extends Context.Service<SecretKeyRepository>()(
  "interview-invitations/platform/crypto/SecretKeyRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql, transaction } = yield* Database
      return {
        /** Oldest first. */
        recorded: sql<{ fingerprint: Uint8Array }>`
          select fingerprint from secret_key order by first_used_at, fingerprint`.pipe(
          Effect.map((rows) => rows.map(({ fingerprint }) => fingerprint)),
        ),
        add: (fingerprints: ReadonlyArray<Uint8Array>) => sql`
            insert into secret_key (fingerprint) select unnest(${[...fingerprints]}::bytea[]) on conflict do nothing`,
        keepOnly: (fingerprint: Uint8Array) => sql`delete from secret_key where fingerprint <> ${fingerprint}`,
        alone: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
          transaction(Effect.andThen(sql`lock table secret_key in share row exclusive mode`, effect)),
        /** Locks the rows until the end of the transaction. */
        encrypted: Effect.gen(function* () {
          const endpoints = yield* sql<EncryptedSecrets>`
            select 'webhook_endpoint' as table, id, secret, headers,
              case when previous_secret_until > ${yield* now} then previous_secret end as previous_secret
            from webhook_endpoint where deleted_at is null order by id for no key update`
          const connections = yield* sql<EncryptedSecrets>`
            select 'ats_connection' as table, id, credentials as secret, null::bytea as headers, null::bytea as previous_secret
            from ats_connection order by id for no key update`
          const factors = yield* sql<EncryptedSecrets>`
            select 'second_factor' as table, member_id as id, secret, null::bytea as headers, null::bytea as previous_secret
            from second_factor order by member_id for no key update`
          const keys = yield* sql<EncryptedSecrets>`
            select 'record_key' as table, id, private_key as secret, null::bytea as headers, null::bytea as previous_secret
            from record_key where retired_at is null order by id for no key update`
          return [...endpoints, ...connections, ...factors, ...keys]
        }),
        replace: Effect.fnUntraced(function* (secrets: ReadonlyArray<EncryptedSecrets>) {
          const rows = secrets.map(({ headers, id, previous_secret, secret, table }) => ({
            table,
            id,
            secret: base64(secret),
            previous_secret: previous_secret === null ? null : base64(previous_secret),
            headers: headers === null ? null : base64(headers),
          }))
          yield* sql`
            update webhook_endpoint e
            set secret = decode(r.secret, 'base64'), previous_secret = decode(r.previous_secret, 'base64'),
              headers = decode(r.headers, 'base64')
            from ${recordset(sql, rows, "id uuid, secret text, previous_secret text, headers text")}
            where e.id = r.id`
          yield* sql`
            update ats_connection c set credentials = decode(r.secret, 'base64')
            from ${recordset(sql, rows, '"table" text, id uuid, secret text')} where r.table = 'ats_connection' and c.id = r.id`
          yield* sql`
            update second_factor f set secret = decode(r.secret, 'base64')
            from ${recordset(sql, rows, '"table" text, id uuid, secret text')}
            where r.table = 'second_factor' and f.member_id = r.id`
          yield* sql`
            update record_key k set private_key = decode(r.secret, 'base64')
            from ${recordset(sql, rows, '"table" text, id uuid, secret text')}
            where r.table = 'record_key' and k.id = r.id and k.retired_at is null`
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
