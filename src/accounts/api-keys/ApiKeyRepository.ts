/** Stores API keys, with the hash of each secret. */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { Database, first } from "../../platform/database/Database.ts"
import { iso } from "../../platform/database/Paging.ts"
import type { ApiKeyId, OrganizationId } from "../../values/Ids.ts"
import type { Scope } from "../Permissions.ts"
import type { ApiKey, ApiKeyStatus, Mode, UpdateApiKey } from "./ApiKey.ts"

export type ApiKeyRow = Omit<ApiKey, "value"> & { readonly prefix: string }

export interface PresentedRow {
  readonly id: ApiKeyId
  readonly organization_id: OrganizationId
  readonly secret_hash: Uint8Array
  readonly scopes: ReadonlyArray<Scope>
  readonly status: ApiKeyStatus
  readonly expired: boolean
  /** Milliseconds until it expires; null: never. */
  readonly expires_in: number | null
  /** `last_used_at` is older than a minute. */
  readonly needs_touch: boolean
}

export interface NewApiKey {
  readonly id: ApiKeyId
  readonly organization_id: OrganizationId
  readonly prefix: string
  readonly secret_hash: Uint8Array
  readonly name: string | null
  readonly description: string | null
  readonly scopes: ReadonlyArray<Scope>
  readonly expires_at: Date | null
}

const maxListed = 1000

export class ApiKeyRepository extends Context.Service<ApiKeyRepository>()(
  "interview-invitations/accounts/api-keys/ApiKeyRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      const expired = (at: Statement.Fragment) => sql`coalesce(expires_at <= ${at}, false) as expired`
      const shown = Effect.map(
        now,
        (at) => sql`
          id, name, description, prefix, scopes, status, ${expired(at)}, ${iso(sql, "expires_at")} as expires_at,
          ${iso(sql, "last_used_at")} as last_used_at, ${iso(sql, "created_at")} as created_at`,
      )
      return {
        /** Of new keys of the organization. */
        modeOf: Effect.fnUntraced(function* (organization: OrganizationId) {
          const rows = yield* sql`select from organization where id = ${organization}::int and test_of is not null`
          return (rows.length > 0 ? "test" : "live") satisfies Mode
        }),
        /** False when the id exists. */
        insert: Effect.fnUntraced(function* (key: NewApiKey) {
          const rows = yield* sql`
            insert into api_key (id, organization_id, prefix, secret_hash, name, description, scopes, expires_at, created_at)
            values (${key.id}::uuid, ${key.organization_id}::int, ${key.prefix}, ${key.secret_hash}, ${key.name},
                    ${key.description}, ${[...key.scopes]}::text[], ${key.expires_at}::timestamptz, ${yield* now})
            on conflict (id) do nothing returning id`
          return rows.length > 0
        }),
        findByPrefix: Effect.fnUntraced(function* (prefix: string) {
          const at = yield* now
          return first(
            yield* sql<PresentedRow>`
              select id, organization_id, secret_hash, scopes, status, ${expired(at)},
                     (extract(epoch from expires_at - ${at}) * 1000)::float8 as expires_in,
                     coalesce(last_used_at < ${at} - interval '1 minute', true) as needs_touch,
                     (select refusal from absent_organization a where a.id = api_key.organization_id)
              from api_key where prefix = ${prefix}`,
          )
        }),
        touch: Effect.fnUntraced(function* (id: ApiKeyId) {
          const at = yield* now
          yield* sql`
            update api_key set last_used_at = ${at}
            where id = ${id}::uuid and (last_used_at is null or last_used_at < ${at} - interval '1 minute')`
        }),
        organizationOf: Effect.fnUntraced(function* (id: ApiKeyId) {
          return first(
            yield* sql<{ organization_id: OrganizationId }>`select organization_id from api_key where id = ${id}::uuid`,
          )?.organization_id
        }),
        /** Newest first, at most 1,000. */
        list: Effect.fnUntraced(function* (organization: OrganizationId) {
          return yield* sql<ApiKeyRow>`
            select ${yield* shown} from api_key where organization_id = ${organization}::int
            order by api_key.created_at desc, id desc limit ${maxListed}::int`
        }),
        find: Effect.fnUntraced(function* (organization: OrganizationId, id: ApiKeyId) {
          return first(
            yield* sql<ApiKeyRow>`
              select ${yield* shown} from api_key where id = ${id}::uuid and organization_id = ${organization}::int`,
          )
        }),
        update: Effect.fnUntraced(function* (organization: OrganizationId, id: ApiKeyId, change: UpdateApiKey) {
          return first(
            yield* sql<ApiKeyRow>`
              with changed as (
                update api_key set
                  name = case when ${"name" in change}::bool then ${change.name ?? null} else name end,
                  description = case when ${"description" in change}::bool then ${change.description ?? null} else description end,
                  scopes = coalesce(${change.scopes === undefined ? null : [...change.scopes]}::text[], scopes),
                  status = coalesce(${change.status ?? null}, status)
                where id = ${id}::uuid and organization_id = ${organization}::int returning *
              )
              select ${yield* shown} from changed`,
          )
        }),
        remove: Effect.fnUntraced(function* (organization: OrganizationId, id: ApiKeyId) {
          const rows = yield* sql`
            delete from api_key where id = ${id}::uuid and organization_id = ${organization}::int returning id`
          return rows.length > 0
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
