/** Webhook endpoints. */
import { Context, Effect, Layer } from "effect"
import type { EndpointId, OrganizationId } from "../domain/Ids.ts"
import { Database, first } from "./Database.ts"

export interface EndpointRow {
  readonly id: EndpointId
  readonly organization_id: OrganizationId
  readonly name: string
  readonly url: string
  readonly description: string | null
  readonly events: ReadonlyArray<string>
  /** Encrypted. */
  readonly secret: Uint8Array
  readonly previous_secret: Uint8Array | null
  readonly previous_secret_until: Date | null
  readonly status: "active" | "inactive"
  readonly consecutive_failures: number
  readonly last_success_at: Date | null
  readonly deactivated_at: Date | null
  readonly created_at: Date
}

export type NewEndpoint = Pick<
  EndpointRow,
  "id" | "organization_id" | "name" | "url" | "description" | "events" | "secret"
>

export class Endpoints extends Context.Service<
  Endpoints,
  {
    readonly insert: (endpoint: NewEndpoint) => Effect.Effect<void>
    readonly find: (organization: OrganizationId, id: EndpointId) => Effect.Effect<EndpointRow | undefined>
    /** The organization of an endpoint: for commands, which name an endpoint and nothing else. */
    readonly organizationOf: (id: EndpointId) => Effect.Effect<OrganizationId | undefined>
    readonly findByName: (organization: OrganizationId, name: string) => Effect.Effect<EndpointRow | undefined>
    readonly updateUrl: (organization: OrganizationId, id: EndpointId, url: string) => Effect.Effect<void>
    /** Active again, counter at zero; false when there is no such endpoint. Parked deliveries stay parked. */
    readonly enable: (organization: OrganizationId, id: EndpointId) => Effect.Effect<boolean>
    readonly remove: (organization: OrganizationId, id: EndpointId) => Effect.Effect<boolean>
  }
>()("interview-invitations/repository/Endpoints") {
  static readonly layer = Layer.effect(
    Endpoints,
    Effect.gen(function* () {
      const { now, sql } = yield* Database
      return Endpoints.of({
        insert: Effect.fnUntraced(function* (endpoint) {
          yield* sql`
            insert into webhook_endpoint (id, organization_id, name, url, description, events, secret, created_at)
            values (${endpoint.id}::uuid, ${endpoint.organization_id}::int, ${endpoint.name}, ${endpoint.url},
                    ${endpoint.description}, ${[...endpoint.events]}::text[], ${endpoint.secret}, ${yield* now})`
        }, Effect.orDie),
        find: Effect.fnUntraced(function* (organization, id) {
          return first(
            yield* sql<EndpointRow>`
              select * from webhook_endpoint where id = ${id}::uuid and organization_id = ${organization}::int`,
          )
        }, Effect.orDie),
        organizationOf: Effect.fnUntraced(function* (id) {
          return first(
            yield* sql<{ organization_id: OrganizationId }>`
              select organization_id from webhook_endpoint where id = ${id}::uuid`,
          )?.organization_id
        }, Effect.orDie),
        findByName: Effect.fnUntraced(function* (organization, name) {
          return first(
            yield* sql<EndpointRow>`
              select * from webhook_endpoint where organization_id = ${organization}::int and name = ${name}
              order by created_at limit 1`,
          )
        }, Effect.orDie),
        updateUrl: Effect.fnUntraced(function* (organization, id, url) {
          yield* sql`
            update webhook_endpoint set url = ${url} where id = ${id}::uuid and organization_id = ${organization}::int`
        }, Effect.orDie),
        enable: Effect.fnUntraced(function* (organization, id) {
          const rows = yield* sql`
            update webhook_endpoint set status = 'active', consecutive_failures = 0, deactivated_at = null
            where id = ${id}::uuid and organization_id = ${organization}::int returning id`
          return rows.length > 0
        }, Effect.orDie),
        remove: Effect.fnUntraced(function* (organization, id) {
          const rows = yield* sql`
            delete from webhook_endpoint where id = ${id}::uuid and organization_id = ${organization}::int returning id`
          return rows.length > 0
        }, Effect.orDie),
      })
    }),
  )
}
