/** Stores responses by Idempotency-Key for a day. */
import { createHash } from "node:crypto"
import { Context, Effect, Layer } from "effect"
import type { ApiKeyId, OrganizationId } from "../../values/Ids.ts"
import { Database, first } from "../database/Database.ts"
import type { PersonalTable } from "../database/PersonalData.ts"

export interface KeyUse {
  readonly organizationId: OrganizationId
  readonly apiKeyId: ApiKeyId
  readonly key: string
}

export interface FirstAnswer {
  readonly request_hash: Uint8Array
  readonly status: number
  /** Empty when it is encrypted. */
  readonly body: string
  readonly encrypted_body: Uint8Array | null
  /** A person of the request was erased since: the response is gone. */
  readonly is_erased: boolean
}

const retention = "interval '24 hours'"

/** Erasing a person replaces a key and its response. With a space, so that no request has such a key. */
const erasedKeyPrefix = "erased "

/** As `personalKeys` stores the keys of erased persons. */
const erasedKeyOf = (key: string) => `${erasedKeyPrefix}${createHash("sha256").update(key).digest("hex")}`

/** A hash of the key stays, so that a repeated request is recognized and sends no invitation. */
export const personalKeys: ReadonlyArray<PersonalTable> = [
  {
    table: "idempotency_key",
    key: ["api_key_id", "key"],
    rows: `t.created_at <= p.at - ${retention}`,
  },
  {
    table: "idempotency_key",
    kept: ["encrypted_body", "request_hash"],
    key: ["api_key_id", "key"],
    rows: `not starts_with(t.key, '${erasedKeyPrefix}') and exists (
        select from unnest(p.submissions::text[] || p.invitations::text[] || p.addresses || p.candidate::text) n
        where position(lower(n) in lower(t.key || ' ' || t.body)) > 0)`,
    set: { body: "''" },
    compute: { key: `'${erasedKeyPrefix}' || encode(sha256(convert_to(t.key, 'UTF8')), 'hex')` },
  },
]

export class IdempotencyKeyRepository extends Context.Service<IdempotencyKeyRepository>()(
  "interview-invitations/platform/http/IdempotencyKeyRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      return {
        /** Locks the key and the API key. False: another transaction has the lock; undefined: the API key was deleted. */
        lock: Effect.fnUntraced(function* ({ apiKeyId, key, organizationId }: KeyUse) {
          const rows = yield* sql<{ locked: boolean }>`
            select pg_try_advisory_xact_lock(hashtextextended(${`${apiKeyId} ${key}`}, 0)) as locked
            from api_key where id = ${apiKeyId}::uuid and organization_id = ${organizationId}::int for key share`
          return first(rows)?.locked
        }),
        find: Effect.fnUntraced(function* ({ apiKeyId, key, organizationId }: KeyUse) {
          return first(
            yield* sql<FirstAnswer>`
              select request_hash, status, body, encrypted_body, starts_with(key, ${erasedKeyPrefix}) as is_erased
              from idempotency_key
              where api_key_id = ${apiKeyId}::uuid and key = any(${[key, erasedKeyOf(key)]}::text[])
                and organization_id = ${organizationId}::int
                and created_at > ${yield* now} - ${sql.literal(retention)}`,
          )
        }),
        insert: Effect.fnUntraced(function* (
          { apiKeyId, key, organizationId }: KeyUse,
          answer: Omit<FirstAnswer, "is_erased">,
        ) {
          yield* sql`
            insert into idempotency_key (organization_id, api_key_id, key, request_hash, status, body, encrypted_body, created_at)
            values (${organizationId}::int, ${apiKeyId}::uuid, ${key}, ${answer.request_hash}, ${answer.status}::int,
                    ${answer.body}, ${answer.encrypted_body}::bytea, ${yield* now})
            on conflict (api_key_id, key) do update set request_hash = excluded.request_hash, status = excluded.status,
              body = excluded.body, encrypted_body = excluded.encrypted_body, created_at = excluded.created_at`
        }),
        forget: Effect.fnUntraced(function* (limit: number) {
          const rows = yield* sql`
            delete from idempotency_key where ctid = any(array(
              select ctid from idempotency_key where created_at <= ${yield* now} - ${sql.literal(retention)}
                and organization_id <> all(array(select id from suspended_organization))
              order by created_at limit ${limit}::int for update skip locked))
            returning 1`
          return rows.length
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
