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
  /** Where events go: public, https (domain/OutboundAddress.ts). */
  readonly url: string
  readonly description?: string | undefined
  /** Parents and sub-events; none: everything. */
  readonly events: ReadonlyArray<string>
}

/** What is left out stays as it is; an empty description is none. */
export type EndpointChange = Partial<NewEndpoint>

/** Characters, and endpoints of an organization: each event is queued once for each of them. */
const most = { name: 200, description: 2000, endpoints: 100 }

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
    readonly list: (organization: OrganizationId) => Effect.Effect<ReadonlyArray<EndpointView>>
    /** Attempts under way still go where the endpoint was; later ones go where it is now. */
    readonly update: (
      organization: OrganizationId,
      id: EndpointId,
      change: EndpointChange,
    ) => Effect.Effect<EndpointView, Invalid | NotFound>
    /** Active, with its counter at zero. What is parked stays so (DeliveryLog.sendParked). */
    readonly enable: (organization: OrganizationId, id: EndpointId) => Effect.Effect<void, NotFound>
    /** Nothing is sent any more; what waits, and what happens meanwhile, is parked. */
    readonly disable: (organization: OrganizationId, id: EndpointId) => Effect.Effect<void, NotFound>
    /** A new secret, which signs at once. The old one signs beside it for WEBHOOK_SECRET_OVERLAP, or until it is removed. */
    readonly regenerateSecret: (
      organization: OrganizationId,
      id: EndpointId,
    ) => Effect.Effect<Redacted.Redacted, NotFound>
    /** The receiver knows the new secret: the old one signs no more. */
    readonly removePreviousSecret: (organization: OrganizationId, id: EndpointId) => Effect.Effect<void, NotFound>
    readonly remove: (organization: OrganizationId, id: EndpointId) => Effect.Effect<void, NotFound>
    /** Opens a secret as it is stored; for the delivery worker, which reads it with the delivery. */
    readonly openSecret: (id: EndpointId, sealed: Uint8Array) => Effect.Effect<string>
  }
>()("interview-invitations/service/Endpoints") {
  static readonly layer = Layer.effect(
    Endpoints,
    Effect.gen(function* () {
      const { outboundAllow, webhookSecretOverlap } = yield* Config
      const newId = yield* ids
      const random = yield* SecureRandom.SecureRandom
      const repository = yield* Repository
      const vault = yield* Vault

      const faultsOf = ({ description, events, name, url }: EndpointChange): ReadonlyArray<Fault> => [
        ...(name === undefined ? [] : nameFaults(name)),
        ...(url === undefined
          ? []
          : Result.match(checkUrl(url, outboundAllow), {
              onSuccess: () => [],
              onFailure: ({ reason }) => [{ pointer: "#/url", code: "refused_url", message: reason }],
            })),
        ...(description !== undefined && [...description].length > most.description
          ? [
              {
                pointer: "#/description",
                code: "too_long",
                message: `must have at most ${most.description} characters`,
              },
            ]
          : []),
        ...(events ?? [])
          .filter((event) => !subscriptions.includes(event))
          .map((event) => ({
            pointer: "#/events",
            code: "unknown_event",
            message: `${event} is not an event; there are: ${subscriptions.join(", ")}`,
          })),
      ]
      const check = (endpoint: EndpointChange) => {
        const errors = faultsOf(endpoint)
        return errors.length === 0 ? Effect.void : Effect.fail(new Invalid({ errors }))
      }
      const wanted = (events: ReadonlyArray<string>) => (events.length === 0 ? eventTypes : [...new Set(events)])
      const present = (description: string) => (description.trim() === "" ? null : description)
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
          yield* check(endpoint)
          if ((yield* repository.list(organization)).length >= most.endpoints) {
            const message = `would be more than the ${most.endpoints} endpoints of an organization: delete one first`
            return yield* new Invalid({ errors: [{ pointer: "#/url", code: "too_many", message }] })
          }
          const id = yield* newId(EndpointId)
          const bytes = yield* random.randomBytes(32)
          yield* repository.insert({
            id,
            organization_id: organization,
            name: endpoint.name,
            url: endpoint.url,
            description: present(endpoint.description ?? ""),
            events: wanted(endpoint.events),
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
        list: (organization) => Effect.map(repository.list(organization), (rows) => rows.map(view)),
        update: Effect.fn("Endpoints.update")(function* (organization, id, change) {
          yield* check(change)
          const row = yield* repository.update(organization, id, {
            ...(change.name === undefined ? {} : { name: change.name }),
            ...(change.url === undefined ? {} : { url: change.url }),
            ...(change.description === undefined ? {} : { description: present(change.description) }),
            ...(change.events === undefined ? {} : { events: wanted(change.events) }),
          })
          return row === undefined ? yield* new NotFound({ record: "webhook endpoint" }) : view(row)
        }),
        enable: Effect.fn("Endpoints.enable")((organization, id) =>
          Effect.flatMap(repository.enable(organization, id), found),
        ),
        disable: Effect.fn("Endpoints.disable")((organization, id) =>
          Effect.flatMap(repository.disable(organization, id), found),
        ),
        regenerateSecret: Effect.fn("Endpoints.regenerateSecret")(function* (organization, id) {
          const bytes = yield* random.randomBytes(32)
          const sealed = yield* vault.encrypt(bytes, context(id))
          yield* Effect.flatMap(repository.replaceSecret(organization, id, sealed, webhookSecretOverlap), found)
          return Redacted.make(formatSecret(bytes))
        }),
        removePreviousSecret: Effect.fn("Endpoints.removePreviousSecret")((organization, id) =>
          Effect.flatMap(repository.removePreviousSecret(organization, id), found),
        ),
        remove: Effect.fn("Endpoints.remove")((organization, id) =>
          Effect.flatMap(repository.remove(organization, id), found),
        ),
        openSecret,
      })
    }),
  )
}

const nameFaults = (name: string): ReadonlyArray<Fault> => {
  if (name.trim() === "") return [{ pointer: "#/name", code: "required", message: "is required" }]
  if ([...name].length <= most.name) return []
  return [{ pointer: "#/name", code: "too_long", message: `must have at most ${most.name} characters` }]
}
