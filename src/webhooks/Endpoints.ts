/** Webhook endpoints (docs/webhooks.md). */
import { Clock, Context, Duration, Effect, Layer, Redacted, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { changesOf, noting } from "../accounts/AuditLog.ts"
import { AuditLogRepository } from "../accounts/AuditLogRepository.ts"
import type { Actor } from "../accounts/Viewer.ts"
import { Config } from "../config/Config.ts"
import { SecretBox, UnreadableSecret } from "../platform/crypto/SecretBox.ts"
import { SecretKeyRepository } from "../platform/crypto/SecretKeyRepository.ts"
import { endpointContext, lacksRecordedKey } from "../platform/crypto/SecretKeys.ts"
import { Database, inTransaction } from "../platform/database/Database.ts"
import { Ids, newId } from "../platform/NewIds.ts"
import { type Methods, methods } from "../platform/UseCases.ts"
import { EndpointId, type OrganizationId } from "../values/Ids.ts"
import { checkUrl } from "../values/OutboundAddress.ts"
import { type PageRequest, pageOf } from "../values/Page.ts"
import { Conflict, Invalid, invalid, NotFound } from "../values/Problem.ts"
import { DeliveryRepository } from "./DeliveryRepository.ts"
import { type EndpointChange, endpointErrors, type NewEndpoint } from "./Endpoint.ts"
import { EndpointRepository, type EndpointRow } from "./EndpointRepository.ts"
import { formatSecret } from "./Signature.ts"
import { defaultEventTypes } from "./WebhookEvent.ts"

export type EndpointView = Omit<EndpointRow, "secret" | "previous_secret" | "organization_id">

const maxEndpoints = 100

const unknown = new NotFound({ record: "webhook endpoint" })

const validated = Effect.fnUntraced(function* (change: EndpointChange) {
  const { outboundAllow } = yield* Config
  const errors = endpointErrors(change, outboundAllow)
  if (errors.length > 0) return yield* new Invalid({ errors })
  const { description, events, name, url } = change
  const normalized = (url: string) =>
    Result.match(checkUrl(url, outboundAllow), { onSuccess: ({ href }) => href, onFailure: () => url })
  return {
    ...(name === undefined ? {} : { name }),
    ...(url === undefined ? {} : { url: normalized(url) }),
    ...(description === undefined ? {} : { description: description.trim() === "" ? null : description }),
    ...(events === undefined ? {} : { events: events.length === 0 ? defaultEventTypes : [...new Set(events)] }),
  }
})

const note = noting("webhook_endpoint")

/** Paths and queries can hold secrets. */
const audited = ({ description, events, name, url }: Pick<EndpointRow, "name" | "description" | "events" | "url">) => ({
  name,
  description,
  events,
  host: URL.canParse(url) ? new URL(url).host : "",
})

const viewOf = ({ organization_id: _, previous_secret: __, secret: ___, ...rest }: EndpointRow): EndpointView => rest

const find = Effect.fn("Endpoints.find")(function* (organization: OrganizationId, id: EndpointId) {
  const row = yield* (yield* EndpointRepository).find(organization, id)
  return row ?? (yield* unknown)
})

const requireFound = (isFound: boolean) => (isFound ? Effect.void : Effect.fail(unknown))

const newSecret = Effect.fnUntraced(function* (id: EndpointId) {
  const bytes = yield* (yield* SecureRandom.SecureRandom).randomBytes(32)
  const encrypted = yield* (yield* SecretBox).encrypt(bytes, endpointContext(id))
  return { encrypted, displayed: Redacted.make(formatSecret(bytes)) }
})

/** `options.id`: the id of the form; a form sent twice fails with already_made. */
const create = Effect.fn("Endpoints.create")(function* (
  organization: OrganizationId,
  endpoint: NewEndpoint,
  options: { readonly by?: Actor; readonly id?: EndpointId } = {},
) {
  const fields = { description: null, ...(yield* validated(endpoint)) }
  const id = options.id ?? (yield* newId(EndpointId))
  const { displayed, encrypted } = yield* newSecret(id)
  const row = { ...endpoint, ...fields, id, organization_id: organization, secret: encrypted }
  switch (yield* (yield* EndpointRepository).insert(row, maxEndpoints)) {
    case "known":
      return yield* invalid("#/id", "already_made", "was already created by this form")
    case "too_many": {
      const message = `would be more than the ${maxEndpoints} endpoints of an organization: delete one first`
      return yield* invalid("#/url", "too_many", message)
    }
  }
  const { events, host, name } = audited(row)
  yield* note(organization, options.by, "create", id, { name, host, events })
  return { id, secret: displayed }
}, inTransaction)

const show = (organization: OrganizationId, id: EndpointId) => Effect.map(find(organization, id), viewOf)

const findByName = Effect.fn("Endpoints.findByName")(function* (organization: OrganizationId, name: string) {
  const row = yield* (yield* EndpointRepository).findByName(organization, name)
  return row === undefined ? undefined : viewOf(row)
})

const list = (organization: OrganizationId) =>
  Effect.flatMap(EndpointRepository, (repository) =>
    Effect.map(repository.list(organization), (rows) => rows.map(viewOf)),
  )

/** A page (values/Page.ts), newest first. */
const listPage = Effect.fn("Endpoints.listPage")(function* (organization: OrganizationId, page: PageRequest) {
  const rows = yield* (yield* EndpointRepository).listPage(organization, page)
  return pageOf("webhook-endpoints", rows, page.limit, ({ position: _, ...row }) => viewOf(row))
})

const update = Effect.fn("Endpoints.update")(function* (
  organization: OrganizationId,
  id: EndpointId,
  change: EndpointChange,
  by?: Actor,
) {
  const fields = yield* validated(change)
  const before = yield* find(organization, id)
  const row = yield* (yield* EndpointRepository).update(organization, id, fields)
  if (row === undefined) return yield* unknown
  const changes = changesOf(audited(before), audited(row), ["name", "host", "description", "events"])
  const detail = { ...changes, ...(before.url === row.url ? {} : { url_changed: true }) }
  if (Object.keys(detail).length > 0) yield* note(organization, by, "update", row.id, detail)
  return viewOf(row)
}, inTransaction)

const parked = (organization: OrganizationId, id: EndpointId) =>
  Effect.flatMap(DeliveryRepository, (deliveries) => deliveries.countParked(organization, id))

const enable = Effect.fn("Endpoints.enable")(function* (organization: OrganizationId, id: EndpointId, by?: Actor) {
  yield* requireFound(yield* (yield* EndpointRepository).enable(organization, id))
  yield* note(organization, by, "enable", id)
}, inTransaction)

const switchOff = Effect.fnUntraced(function* (organization: OrganizationId, id: EndpointId, by: Actor | undefined) {
  yield* requireFound(yield* (yield* EndpointRepository).disable(organization, id))
  yield* note(organization, by, "disable", id)
}, inTransaction)

/** Deliveries of later events are parked when they are claimed. */
const disable = Effect.fn("Endpoints.disable")(function* (organization: OrganizationId, id: EndpointId, by?: Actor) {
  yield* switchOff(organization, id, by)
  const deliveries = yield* DeliveryRepository
  yield* Effect.repeat(deliveries.parkWaiting([id]), { while: (isMore) => isMore })
})

const openSecret = (id: EndpointId, encrypted: Uint8Array) =>
  Effect.flatMap(SecretBox, (box) =>
    Effect.flatMap(box.open(encrypted, endpointContext(id)), (bytes) =>
      bytes === undefined ? Effect.fail(new UnreadableSecret()) : Effect.succeed(formatSecret(bytes)),
    ),
  )

const secret = Effect.fn("Endpoints.secret")(function* (organization: OrganizationId, id: EndpointId) {
  const row = yield* find(organization, id)
  return Redacted.make(yield* openSecret(row.id, row.secret))
})

/** The old secret also signs for WEBHOOK_SECRET_OVERLAP, unless no key decrypts it. Conflict while an older one signs. */
const regenerateSecret = Effect.fn("Endpoints.regenerateSecret")(function* (
  organization: OrganizationId,
  given: EndpointId,
  by?: Actor,
) {
  const { webhookSecretOverlap } = yield* Config
  // `given` may be in upper case; secrets are encrypted for the stored id
  const { id, secret } = yield* find(organization, given)
  const before = yield* Effect.option(openSecret(id, secret))
  const overlap = before._tag === "None" ? Duration.zero : webhookSecretOverlap
  const { displayed, encrypted } = yield* newSecret(id)
  if (!(yield* (yield* EndpointRepository).replaceSecret(organization, id, encrypted, overlap))) {
    const until = (yield* find(organization, id)).previous_secret_until?.toISOString()
    return yield* new Conflict({
      reason: `the secret before this one signs until ${until}: replace the secret after that, or first remove the old secret under Settings → Webhooks or with the command webhook remove-old-secret`,
    })
  }
  yield* note(organization, by, "regenerate_secret", id)
  return displayed
}, inTransaction)

const removePreviousSecret = Effect.fn("Endpoints.removePreviousSecret")(function* (
  organization: OrganizationId,
  id: EndpointId,
  by?: Actor,
) {
  const { previous_secret_until: until } = yield* find(organization, id)
  const signed = until !== null && until.getTime() > (yield* Clock.currentTimeMillis)
  yield* requireFound(yield* (yield* EndpointRepository).removePreviousSecret(organization, id))
  if (signed) yield* note(organization, by, "remove_old_secret", id)
  return signed
}, inTransaction)

/** Returns the stored id, in lower case. */
const remove = Effect.fn("Endpoints.remove")(function* (organization: OrganizationId, given: EndpointId, by?: Actor) {
  const row = yield* find(organization, given)
  const { host, name } = audited(row)
  yield* requireFound(yield* (yield* EndpointRepository).remove(organization, row.id))
  yield* note(organization, by, "delete", row.id, { name, host })
  return row.id
}, inTransaction)

/** False: another process has a key that this one lacks. `logged`: endpoints of earlier warnings. */
const deactivateUnreadable = (logged: Set<EndpointId>) =>
  Effect.fn("Endpoints.deactivateUnreadable")(function* (ids: ReadonlyArray<EndpointId>) {
    if (yield* lacksRecordedKey) {
      const endpoints = ids.filter((id) => !logged.has(id))
      for (const id of endpoints) logged.add(id)
      if (endpoints.length > 0) {
        yield* Effect.logWarning(
          "SECRET_KEY of this process lacks a key that other processes have, so it leaves these webhooks to them: set the same SECRET_KEY everywhere",
          { endpoints },
        )
      }
      return false
    }
    // returns only those that were active, so one process logs each
    const deactivated = yield* (yield* EndpointRepository).deactivate(ids, new UnreadableSecret().message)
    yield* Effect.forEach(
      deactivated,
      (endpoint) =>
        Effect.logError("webhook endpoint deactivated: no key of SECRET_KEY decrypts its secret", { endpoint }),
      { discard: true },
    )
    return true
  })

const useCases = () => ({
  ...{ create, show, findByName, list, listPage, update, remove, parked, enable, disable },
  ...{ secret, openSecret, regenerateSecret, removePreviousSecret },
  deactivateUnreadable: deactivateUnreadable(new Set()),
})

export class Endpoints extends Context.Service<Endpoints, Methods<ReturnType<typeof useCases>>>()(
  "interview-invitations/webhooks/Endpoints",
) {
  static readonly layer = Layer.effect(
    Endpoints,
    Effect.suspend(() =>
      methods(
        [
          ...([AuditLogRepository, Config, Database, DeliveryRepository, EndpointRepository, Ids] as const),
          ...([SecretBox, SecretKeyRepository, SecureRandom.SecureRandom] as const),
        ],
        useCases(),
      ),
    ),
  ).pipe(Layer.provide(Ids.layer))
}
