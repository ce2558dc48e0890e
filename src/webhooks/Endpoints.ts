/** Webhook endpoints: where an organization wants its events (spec, Webhook endpoint). */
import { Clock, Context, Duration, Effect, Layer, Redacted, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { changesOf, notes } from "../accounts/AuditLog.ts"
import { AuditLogRepository } from "../accounts/AuditLogRepository.ts"
import { Config } from "../config/Config.ts"
import { SecretBox, UnreadableSecret } from "../platform/crypto/SecretBox.ts"
import { SecretKeyRepository } from "../platform/crypto/SecretKeyRepository.ts"
import { endpointContext, lacksRecordedKey } from "../platform/crypto/SecretKeys.ts"
import { Database } from "../platform/database/Database.ts"
import { ids } from "../platform/NewIds.ts"
import { EndpointId, type MemberId, type OrganizationId } from "../values/Ids.ts"
import { checkUrl } from "../values/OutboundAddress.ts"
import { Conflict, type FieldError, Invalid, invalid, NotFound } from "../values/Problem.ts"
import { DeliveryRepository } from "./DeliveryRepository.ts"
import { EndpointRepository, type EndpointRow } from "./EndpointRepository.ts"
import { unknownEvent } from "./EventName.ts"
import { formatSecret } from "./Signature.ts"
import { eventTypes, subscriptions } from "./WebhookEvent.ts"

export interface NewEndpoint {
  readonly name: string
  /** Where events go: public, https (values/OutboundAddress.ts). */
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
    /**
     * Makes an endpoint with a fresh secret; its URL is kept in one spelling (checkUrl). `id`: one that a form was given, so
     * that a form which is sent twice makes one endpoint; Invalid with the code already_made says that it did.
     *
     * This and every other change is noted in the audit log; `by` is the member who makes it, and a command is nobody.
     */
    readonly create: (
      organization: OrganizationId,
      endpoint: NewEndpoint,
      made?: { readonly by?: MemberId; readonly id?: EndpointId },
    ) => Effect.Effect<{ readonly id: EndpointId; readonly secret: Redacted.Redacted }, Invalid>
    readonly show: (organization: OrganizationId, id: EndpointId) => Effect.Effect<EndpointView, NotFound>
    readonly findByName: (organization: OrganizationId, name: string) => Effect.Effect<EndpointView | undefined>
    /** The displayed secret, `whsec_…`. */
    readonly secret: (
      organization: OrganizationId,
      id: EndpointId,
    ) => Effect.Effect<Redacted.Redacted, NotFound | UnreadableSecret>
    readonly list: (organization: OrganizationId) => Effect.Effect<ReadonlyArray<EndpointView>>
    /** Attempts under way still go where the endpoint was; later ones go where it is now. */
    readonly update: (
      organization: OrganizationId,
      id: EndpointId,
      change: EndpointChange,
      by?: MemberId,
    ) => Effect.Effect<EndpointView, Invalid | NotFound>
    /** Active, with its counter at zero. What is parked stays so (DeliveryLog.sendParked). */
    readonly enable: (organization: OrganizationId, id: EndpointId, by?: MemberId) => Effect.Effect<void, NotFound>
    /** Nothing is sent any more; what waits, and what happens meanwhile, is parked. */
    readonly disable: (organization: OrganizationId, id: EndpointId, by?: MemberId) => Effect.Effect<void, NotFound>
    /** How many deliveries are parked for it: what waited or happened while it was inactive. */
    readonly parked: (organization: OrganizationId, id: EndpointId) => Effect.Effect<number>
    /**
     * A new secret, which signs at once. The old one signs beside it for WEBHOOK_SECRET_OVERLAP, or until it is removed;
     * there is no third one: until then the secret can not be regenerated again. An old secret that no key decrypts does not sign.
     */
    readonly regenerateSecret: (
      organization: OrganizationId,
      id: EndpointId,
      by?: MemberId,
    ) => Effect.Effect<Redacted.Redacted, NotFound | Conflict>
    /** The receiver knows the new secret: the old one signs no more. Whether there was one that did. */
    readonly removePreviousSecret: (
      organization: OrganizationId,
      id: EndpointId,
      by?: MemberId,
    ) => Effect.Effect<boolean, NotFound>
    readonly remove: (organization: OrganizationId, id: EndpointId, by?: MemberId) => Effect.Effect<void, NotFound>
    /** Opens a secret as it is stored; for the delivery worker, which reads it with the delivery. */
    readonly openSecret: (id: EndpointId, sealed: Uint8Array) => Effect.Effect<string, UnreadableSecret>
    /**
     * Deactivates endpoints whose secret the delivery worker could not decrypt, and returns true. Returns false when another
     * process has a key that this one lacks: the deliveries are left to that process. Logs each endpoint once.
     */
    readonly deactivateUnreadable: (ids: ReadonlyArray<EndpointId>) => Effect.Effect<boolean>
  }
>()("interview-invitations/webhooks/Endpoints") {
  static readonly layer = Layer.effect(
    Endpoints,
    Effect.gen(function* () {
      const { outboundAllow, webhookSecretOverlap } = yield* Config
      const { transaction } = yield* Database
      const deliveries = yield* DeliveryRepository
      const secretKeys = yield* SecretKeyRepository
      const newId = yield* ids
      const note = notes(yield* AuditLogRepository, "webhook_endpoint")
      const random = yield* SecureRandom.SecureRandom
      const repository = yield* EndpointRepository
      const vault = yield* SecretBox

      const faultsOf = ({ description, events, name, url }: EndpointChange): ReadonlyArray<FieldError> => [
        ...(name === undefined ? [] : nameFaults(name)),
        ...(url === undefined
          ? []
          : Result.match(checkUrl(url, outboundAllow), {
              onSuccess: () => [],
              onFailure: ({ reason }) => [{ pointer: "#/url", code: "refused_url", message: reason }],
            })),
        ...(description === undefined ? [] : textFaults("#/description", description, most.description)),
        ...(events ?? [])
          .filter((event) => !subscriptions.includes(event))
          .map((event) => unknownEvent("#/events", event, subscriptions)),
      ]
      /** As it is requested; only of a URL that was checked. */
      const oneSpelling = (url: string) =>
        Result.match(checkUrl(url, outboundAllow), { onSuccess: ({ href }) => href, onFailure: () => url })
      const check = (endpoint: EndpointChange) => {
        const errors = faultsOf(endpoint)
        return errors.length === 0 ? Effect.void : Effect.fail(new Invalid({ errors }))
      }
      const wanted = (events: ReadonlyArray<string>) => (events.length === 0 ? eventTypes : [...new Set(events)])
      const present = (description: string) => (description.trim() === "" ? null : description)
      const openSecret = (id: EndpointId, sealed: Uint8Array) =>
        Effect.flatMap(vault.open(sealed, endpointContext(id)), (bytes) =>
          bytes === undefined ? Effect.fail(new UnreadableSecret()) : Effect.succeed(formatSecret(bytes)),
        )
      /** Endpoints that were logged as left to another process. */
      const leftToOthers = new Set<EndpointId>()
      const isOverlapping = ({ previous_secret_until }: EndpointRow) =>
        Effect.map(
          Clock.currentTimeMillis,
          (now) => previous_secret_until !== null && previous_secret_until.getTime() > now,
        )
      const find = Effect.fn("Endpoints.find")(function* (organization: OrganizationId, id: EndpointId) {
        const row = yield* repository.find(organization, id)
        return row === undefined ? yield* new NotFound({ record: "webhook endpoint" }) : row
      })
      const found = (yes: boolean) => (yes ? Effect.void : Effect.fail(new NotFound({ record: "webhook endpoint" })))
      const view = ({ organization_id: _, previous_secret: __, secret: ___, ...rest }: EndpointRow): EndpointView =>
        rest

      return Endpoints.of({
        create: Effect.fn("Endpoints.create")(function* (organization, endpoint, { by, id: given } = {}) {
          yield* check(endpoint)
          const id = given ?? (yield* newId(EndpointId))
          const bytes = yield* random.randomBytes(32)
          const row = {
            id,
            organization_id: organization,
            name: endpoint.name,
            url: oneSpelling(endpoint.url),
            description: present(endpoint.description ?? ""),
            events: wanted(endpoint.events),
            secret: yield* vault.encrypt(bytes, endpointContext(id)),
          }
          switch (yield* repository.insert(row, most.endpoints)) {
            case "known":
              return yield* invalid("#/id", "already_made", "was made by this form already")
            case "too_many": {
              const message = `would be more than the ${most.endpoints} endpoints of an organization: delete one first`
              return yield* invalid("#/url", "too_many", message)
            }
          }
          const { events, host, name } = noted(row)
          yield* note(organization, by, "create", id, { name, host, events })
          return { id, secret: Redacted.make(formatSecret(bytes)) }
        }, transaction),
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
        update: Effect.fn("Endpoints.update")(function* (organization, id, change, by) {
          yield* check(change)
          const before = yield* find(organization, id)
          const row = yield* repository.update(organization, id, {
            ...(change.name === undefined ? {} : { name: change.name }),
            ...(change.url === undefined ? {} : { url: oneSpelling(change.url) }),
            ...(change.description === undefined ? {} : { description: present(change.description) }),
            ...(change.events === undefined ? {} : { events: wanted(change.events) }),
          })
          if (row === undefined) return yield* new NotFound({ record: "webhook endpoint" })
          const changes = changesOf(noted(before), noted(row), ["name", "host", "description", "events"])
          const moved = before.url === row.url ? {} : { url_changed: true }
          const detail = { ...changes, ...moved }
          if (Object.keys(detail).length > 0) yield* note(organization, by, "update", id, detail)
          return view(row)
        }, transaction),
        parked: repository.parked,
        enable: Effect.fn("Endpoints.enable")(function* (organization, id, by) {
          yield* Effect.flatMap(repository.enable(organization, id), found)
          yield* note(organization, by, "enable", id)
        }, transaction),
        disable: Effect.fn("Endpoints.disable")(function* (organization, id, by) {
          yield* transaction(
            Effect.andThen(
              Effect.flatMap(repository.disable(organization, id), found),
              note(organization, by, "disable", id),
            ),
          )
          yield* Effect.repeat(deliveries.parkWaiting([id]), { while: (isMore) => isMore })
        }),
        regenerateSecret: Effect.fn("Endpoints.regenerateSecret")(function* (organization, id, by) {
          const before = yield* vault.open((yield* find(organization, id)).secret, endpointContext(id))
          const overlap = before === undefined ? Duration.zero : webhookSecretOverlap
          const bytes = yield* random.randomBytes(32)
          const sealed = yield* vault.encrypt(bytes, endpointContext(id))
          if (!(yield* repository.replaceSecret(organization, id, sealed, overlap))) {
            const until = (yield* find(organization, id)).previous_secret_until?.toISOString()
            const reason = `the secret before this one signs until ${until}: remove the old secret first`
            return yield* new Conflict({ reason })
          }
          yield* note(organization, by, "regenerate_secret", id)
          return Redacted.make(formatSecret(bytes))
        }, transaction),
        removePreviousSecret: Effect.fn("Endpoints.removePreviousSecret")(function* (organization, id, by) {
          const signed = yield* isOverlapping(yield* find(organization, id))
          yield* Effect.flatMap(repository.removePreviousSecret(organization, id), found)
          if (signed) yield* note(organization, by, "remove_old_secret", id)
          return signed
        }, transaction),
        remove: Effect.fn("Endpoints.remove")(function* (organization, id, by) {
          const { host, name } = noted(yield* find(organization, id))
          yield* Effect.flatMap(repository.remove(organization, id), found)
          yield* note(organization, by, "delete", id, { name, host })
        }, transaction),
        openSecret,
        deactivateUnreadable: Effect.fn("Endpoints.deactivateUnreadable")(function* (ids) {
          const isElsewhere = yield* lacksRecordedKey.pipe(
            Effect.provideService(SecretKeyRepository, secretKeys),
            Effect.provideService(SecretBox, vault),
          )
          if (isElsewhere) {
            const untold = ids.filter((id) => !leftToOthers.has(id))
            for (const id of untold) leftToOthers.add(id)
            if (untold.length > 0) {
              yield* Effect.logWarning(
                "SECRET_KEY of this process lacks a key that other processes have: these webhooks are left to those processes",
                { endpoints: untold },
              )
            }
            return false
          }
          // returns only endpoints that were active, so one process alone logs each
          const deactivated = yield* repository.deactivate(ids, new UnreadableSecret().message)
          yield* Effect.forEach(
            deactivated,
            (endpoint) =>
              Effect.logError("webhook endpoint deactivated: no key of SECRET_KEY decrypts its secret", { endpoint }),
            { discard: true },
          )
          return true
        }),
      })
    }),
  )
}

/** What the audit log is told of an endpoint: of its URL the host, because paths and queries of such URLs hold secrets. */
const noted = ({ description, events, name, url }: Pick<EndpointRow, "name" | "description" | "events" | "url">) => ({
  name,
  description,
  events,
  host: URL.canParse(url) ? new URL(url).host : "",
})

/** Faults of text that people read and that mails and logs quote: how long it is, and what moves a terminal's cursor. */
const textFaults = (pointer: string, text: string, most: number): ReadonlyArray<FieldError> => [
  ...([...text].length > most ? [{ pointer, code: "too_long", message: `must have at most ${most} characters` }] : []),
  ...(/\p{Cc}/u.test(text) || !text.isWellFormed()
    ? [{ pointer, code: "unstorable_text", message: "must not contain control characters" }]
    : []),
]

const nameFaults = (name: string): ReadonlyArray<FieldError> =>
  name.trim() === ""
    ? [{ pointer: "#/name", code: "required", message: "must not be blank" }]
    : textFaults("#/name", name, most.name)
