/** Webhook endpoints: where an organization wants its events (spec, Webhook endpoint). */
import { Context, Effect, Layer, Redacted, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { Config } from "../Config.ts"
import { EndpointId, type OrganizationId } from "../domain/Ids.ts"
import { checkUrl } from "../domain/OutboundAddress.ts"
import { type Fault, Invalid, NotFound } from "../domain/Problem.ts"
import { formatSecret } from "../domain/Signature.ts"
import { eventTypes, subscriptions } from "../domain/WebhookEvent.ts"
import { type EndpointRow, Endpoints as Repository } from "../repository/Endpoints.ts"
import { ids } from "./Ids.ts"
import { Vault } from "./Vault.ts"

export interface NewEndpoint {
  readonly name: string
  readonly url: string
  readonly description?: string | undefined
  /** Parents and sub-events; none: everything. */
  readonly events: ReadonlyArray<string>
}

/** An endpoint as people see it: everything but its secret. */
export type EndpointView = Omit<EndpointRow, "secret" | "previous_secret" | "organization_id">

export class Endpoints extends Context.Service<
  Endpoints,
  {
    /** Makes an endpoint with a fresh secret. */
    readonly create: (
      organization: OrganizationId,
      endpoint: NewEndpoint,
    ) => Effect.Effect<{ readonly id: EndpointId; readonly secret: Redacted.Redacted }, Invalid>
    readonly show: (organization: OrganizationId, id: EndpointId) => Effect.Effect<EndpointView, NotFound>
    readonly findByName: (organization: OrganizationId, name: string) => Effect.Effect<EndpointView | undefined>
    /** The displayed secret, `whsec_…`. */
    readonly secret: (organization: OrganizationId, id: EndpointId) => Effect.Effect<Redacted.Redacted, NotFound>
    readonly move: (organization: OrganizationId, id: EndpointId, url: string) => Effect.Effect<void, Invalid>
    readonly enable: (organization: OrganizationId, id: EndpointId) => Effect.Effect<void, NotFound>
    readonly remove: (organization: OrganizationId, id: EndpointId) => Effect.Effect<void, NotFound>
    /** Opens a secret as it is stored; for the delivery worker, which reads it with the delivery. */
    readonly openSecret: (id: EndpointId, sealed: Uint8Array) => Effect.Effect<string>
  }
>()("interview-invitations/service/Endpoints") {
  static readonly layer = Layer.effect(
    Endpoints,
    Effect.gen(function* () {
      const { outboundAllow } = yield* Config
      const newId = yield* ids
      const random = yield* SecureRandom.SecureRandom
      const repository = yield* Repository
      const vault = yield* Vault

      const urlFaults = (url: string): ReadonlyArray<Fault> =>
        Result.match(checkUrl(url, outboundAllow), {
          onSuccess: () => [],
          onFailure: ({ reason }) => [{ pointer: "#/url", code: "refused_url", message: reason }],
        })
      const context = (id: EndpointId) => `webhook_endpoint ${id}`
      const openSecret = (id: EndpointId, sealed: Uint8Array) =>
        Effect.map(vault.decrypt(sealed, context(id)), (bytes) => formatSecret(bytes))
      const find = Effect.fn("Endpoints.find")(function* (organization: OrganizationId, id: EndpointId) {
        const row = yield* repository.find(organization, id)
        return row === undefined ? yield* new NotFound({ record: "webhook endpoint" }) : row
      })
      const found = (yes: boolean) => (yes ? Effect.void : Effect.fail(new NotFound({ record: "webhook endpoint" })))
      const view = ({ organization_id: _, previous_secret: __, secret: ___, ...rest }: EndpointRow): EndpointView =>
        rest

      return Endpoints.of({
        create: Effect.fn("Endpoints.create")(function* (organization, endpoint) {
          const errors = [
            ...(endpoint.name.trim() === "" ? [{ pointer: "#/name", code: "required", message: "is required" }] : []),
            ...urlFaults(endpoint.url),
            ...endpoint.events
              .filter((name) => !subscriptions.includes(name))
              .map((name) => ({
                pointer: "#/events",
                code: "unknown_event",
                message: `${name} is not an event; there are: ${subscriptions.join(", ")}`,
              })),
          ]
          if (errors.length > 0) return yield* new Invalid({ errors })
          const id = yield* newId(EndpointId)
          const bytes = yield* random.randomBytes(32)
          yield* repository.insert({
            id,
            organization_id: organization,
            name: endpoint.name,
            url: endpoint.url,
            description: endpoint.description ?? null,
            events: endpoint.events.length === 0 ? eventTypes : [...new Set(endpoint.events)],
            secret: yield* vault.encrypt(bytes, context(id)),
          })
          return { id, secret: Redacted.make(formatSecret(bytes)) }
        }),
        show: (organization, id) => Effect.map(find(organization, id), view),
        findByName: Effect.fn("Endpoints.findByName")(function* (organization, name) {
          const row = yield* repository.findByName(organization, name)
          return row === undefined ? undefined : view(row)
        }),
        secret: Effect.fn("Endpoints.secret")(function* (organization, id) {
          const { secret } = yield* find(organization, id)
          return Redacted.make(yield* openSecret(id, secret))
        }),
        move: Effect.fn("Endpoints.move")(function* (organization, id, url) {
          const errors = urlFaults(url)
          if (errors.length > 0) return yield* new Invalid({ errors })
          yield* repository.updateUrl(organization, id, url)
        }),
        enable: Effect.fn("Endpoints.enable")((organization, id) =>
          Effect.flatMap(repository.enable(organization, id), found),
        ),
        remove: Effect.fn("Endpoints.remove")((organization, id) =>
          Effect.flatMap(repository.remove(organization, id), found),
        ),
        openSecret,
      })
    }),
  )
}
