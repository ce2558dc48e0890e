import { Context, Duration, Effect, Layer } from "effect"
import { Database, first } from "../../platform/database/Database.ts"
import { type Positioned, paging } from "../../platform/database/Paging.ts"
import type { PageRequest } from "../../values/Cursor.ts"
import type { EndpointId, OrganizationId } from "../../values/Ids.ts"
import type { EndpointFormat } from "../chat/ChatMessage.ts"
import type { EndpointStatus, InactiveReason } from "./Endpoint.ts"

export interface EndpointRow {
  readonly id: EndpointId
  readonly organization_id: OrganizationId
  readonly name: string
  /** Of a channel, without its secret path. */
  readonly url: string
  readonly format: EndpointFormat
  readonly description: string | null
  readonly events: ReadonlyArray<string>
  /** Encrypted. */
  readonly secret: Uint8Array
  readonly previous_secret: Uint8Array | null
  readonly previous_secret_until: Date | null
  /** Earlier deliveries were signed with another secret. */
  readonly secret_since: Date
  readonly status: EndpointStatus
  readonly consecutive_failures: number
  readonly last_success_at: Date | null
  readonly last_failure_at: Date | null
  readonly last_error: string | null
  readonly deactivated_at: Date | null
  /** Null: active, or deactivated by a version that did not record it. */
  readonly inactive_reason: InactiveReason | null
  /** Null: no probe follows. */
  readonly next_probe_at: Date | null
  readonly failed_probes: number
  readonly probe_delivery_id: string | null
  /** From when the next parked deliveries are sent; null: none are to be sent. */
  readonly resume_at: Date | null
  readonly created_at: Date
  readonly header_names: ReadonlyArray<string>
  /** Encrypted (StaticHeaders.ts); null without any. */
  readonly headers: Uint8Array | null
  /** Null: no limit. */
  readonly max_per_minute: number | null
  readonly interview_set_ids: ReadonlyArray<string>
  readonly project_ids: ReadonlyArray<string>
}

type Options = Pick<EndpointRow, "header_names" | "headers" | "max_per_minute" | "interview_set_ids" | "project_ids">

export type NewEndpoint = Pick<
  EndpointRow,
  "id" | "organization_id" | "name" | "url" | "description" | "events" | "secret"
> &
  /** `format`: `event` without it. */
  Partial<Options & Pick<EndpointRow, "format">>

type ChangedColumns = Partial<Pick<EndpointRow, "name" | "url" | "secret" | "description" | "events"> & Options>

export class EndpointRepository extends Context.Service<EndpointRepository>()(
  "interview-invitations/webhooks/endpoints/EndpointRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql, transaction } = yield* Database
      const one = (organization: OrganizationId, id: EndpointId) =>
        sql`where id = ${id}::uuid and organization_id = ${organization}::int and deleted_at is null`
      return {
        /** `known`: the id exists. */
        insert: Effect.fnUntraced(function* (endpoint: NewEndpoint, max: number) {
          const at = yield* now
          // locks the organization, so that concurrent inserts count each other
          yield* sql`select id from organization where id = ${endpoint.organization_id}::int for no key update`
          const known = yield* sql`select id from webhook_endpoint where id = ${endpoint.id}::uuid`
          if (known.length > 0) return "known"
          const rows = yield* sql`
            with counted as materialized (
              select count(*) as n from webhook_endpoint
              where organization_id = ${endpoint.organization_id}::int and deleted_at is null
            )
            insert into webhook_endpoint (id, organization_id, name, url, format, description, events, secret, secret_since, created_at,
              header_names, headers, max_per_minute, interview_set_ids, project_ids)
            select ${endpoint.id}::uuid, ${endpoint.organization_id}::int, ${endpoint.name}, ${endpoint.url},
              ${endpoint.format ?? "event"},
              ${endpoint.description}, ${[...endpoint.events]}::text[], ${endpoint.secret}, ${at}, ${at},
              ${[...(endpoint.header_names ?? [])]}::text[], ${endpoint.headers ?? null}::bytea,
              ${endpoint.max_per_minute ?? null}::int, ${[...(endpoint.interview_set_ids ?? [])]}::uuid[],
              ${[...(endpoint.project_ids ?? [])]}::uuid[]
            from counted where n < ${max}::int
            on conflict (id) do nothing returning id`
          return rows.length > 0 ? "made" : "too_many"
        }, transaction),
        find: Effect.fnUntraced(function* (organization: OrganizationId, id: EndpointId) {
          return first(yield* sql<EndpointRow>`select * from webhook_endpoint ${one(organization, id)}`)
        }),
        /** Locks the row until the end of the transaction. */
        findLocked: Effect.fnUntraced(function* (organization: OrganizationId, id: EndpointId) {
          return first(
            yield* sql<EndpointRow>`select * from webhook_endpoint ${one(organization, id)} for no key update`,
          )
        }),
        organizationOf: Effect.fnUntraced(function* (id: EndpointId) {
          return first(
            yield* sql<{ organization_id: OrganizationId }>`
              select organization_id from webhook_endpoint where id = ${id}::uuid and deleted_at is null`,
          )?.organization_id
        }),
        findByName: Effect.fnUntraced(function* (organization: OrganizationId, name: string) {
          return first(
            yield* sql<EndpointRow>`
              select * from webhook_endpoint
              where organization_id = ${organization}::int and name = ${name} and deleted_at is null
              order by created_at limit 1`,
          )
        }),
        list: Effect.fnUntraced(function* (organization: OrganizationId) {
          return yield* sql<EndpointRow>`
            select * from webhook_endpoint where organization_id = ${organization}::int and deleted_at is null
            order by created_at, id`
        }),
        /** A page (values/Cursor.ts), newest first, without channels. */
        listPage: Effect.fnUntraced(function* (organization: OrganizationId, page: PageRequest) {
          const { behind, newestFirst, position } = paging(sql, "e", page)
          return yield* sql<Positioned<EndpointRow>>`
            select e.*, ${position} from webhook_endpoint e
            where e.organization_id = ${organization}::int and e.format = 'event' and e.deleted_at is null and ${behind} ${newestFirst}`
        }),
        update: Effect.fnUntraced(function* (organization: OrganizationId, id: EndpointId, change: ChangedColumns) {
          const {
            description,
            events,
            header_names,
            headers,
            interview_set_ids,
            max_per_minute,
            name,
            project_ids,
            secret,
            url,
          } = change
          const array = (values: ReadonlyArray<string> | undefined) => (values === undefined ? null : [...values])
          return first(
            yield* sql<EndpointRow>`
              update webhook_endpoint set name = coalesce(${name ?? null}::text, name), url = coalesce(${url ?? null}::text, url),
                secret = coalesce(${secret ?? null}::bytea, secret),
                events = coalesce(${array(events)}::text[], events),
                header_names = coalesce(${array(header_names)}::text[], header_names),
                headers = case when ${headers === undefined}::bool then headers else ${headers ?? null}::bytea end,
                max_per_minute = case when ${max_per_minute === undefined}::bool then max_per_minute
                  else ${max_per_minute ?? null}::int end,
                interview_set_ids = coalesce(${array(interview_set_ids)}::uuid[], interview_set_ids),
                project_ids = coalesce(${array(project_ids)}::uuid[], project_ids),
                description = case when ${description === undefined}::bool then description else ${description ?? null}::text end
              ${one(organization, id)} returning *`,
          )
        }),
        /** Also resets the failure counter. */
        enable: Effect.fnUntraced(function* (organization: OrganizationId, id: EndpointId) {
          const rows = yield* sql`
            update webhook_endpoint set status = 'active', consecutive_failures = 0, deactivated_at = null,
              inactive_reason = null, next_probe_at = null, failed_probes = 0
            ${one(organization, id)} returning id`
          return rows.length > 0
        }),
        disable: Effect.fnUntraced(function* (organization: OrganizationId, id: EndpointId) {
          const rows = yield* sql`
            update webhook_endpoint set status = 'inactive', inactive_reason = 'manual', deactivated_at = null,
              next_probe_at = null, resume_at = null
            ${one(organization, id)} returning id`
          return rows.length > 0
        }),
        /** Returns the ones that were active. */
        deactivate: Effect.fnUntraced(function* (ids: ReadonlyArray<EndpointId>, error: string) {
          const at = yield* now
          const rows = yield* sql<{ id: EndpointId }>`
            update webhook_endpoint set status = 'inactive', deactivated_at = ${at}, last_failure_at = ${at},
              last_error = ${error}, inactive_reason = 'unreadable_secret', next_probe_at = null, resume_at = null
            where id = any(${[...ids]}::uuid[]) and status = 'active' returning id`
          return rows.map(({ id }) => id)
        }),
        /** False: no such endpoint, or an older secret still signs. */
        replaceSecret: Effect.fnUntraced(function* (
          organization: OrganizationId,
          id: EndpointId,
          secret: Uint8Array,
          overlap: Duration.Duration,
        ) {
          const at = yield* now
          const rows = yield* sql`
            update webhook_endpoint set previous_secret = secret, secret = ${secret}, secret_since = ${at},
              previous_secret_until = ${at} + ${Duration.toMillis(overlap)}::float8 * interval '1 millisecond'
            ${one(organization, id)} and (previous_secret_until is null or previous_secret_until <= ${at}) returning id`
          return rows.length > 0
        }),
        removePreviousSecret: Effect.fnUntraced(function* (organization: OrganizationId, id: EndpointId) {
          const rows = yield* sql`
            update webhook_endpoint set previous_secret = null, previous_secret_until = null ${one(organization, id)}
            returning id`
          return rows.length > 0
        }),
        remove: Effect.fnUntraced(function* (organization: OrganizationId, id: EndpointId) {
          const rows = yield* sql`
            update webhook_endpoint set deleted_at = ${yield* now}, status = 'inactive' ${one(organization, id)} returning id`
          return rows.length > 0
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
