/** Webhook endpoints (docs/webhooks.md). */
import { Clock, Context, Duration, Effect, Layer, Redacted, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuditLog, changesOf } from "../../accounts/AuditLog.ts"
import type { Viewer } from "../../accounts/Viewer.ts"
import { Config } from "../../config/Config.ts"
import { SecretBox, UnreadableSecret } from "../../platform/crypto/SecretBox.ts"
import { SecretKeyRepository } from "../../platform/crypto/SecretKeyRepository.ts"
import { endpointContext, headersContext, lacksRecordedKey } from "../../platform/crypto/SecretKeys.ts"
import { Database } from "../../platform/database/Database.ts"
import { Ids } from "../../platform/NewIds.ts"
import { EndpointId, type OrganizationId } from "../../values/Ids.ts"
import { checkUrl } from "../../values/OutboundAddress.ts"
import { type PageRequest, pageOf } from "../../values/Page.ts"
import { Conflict, fieldError, Invalid, invalid, NotFound } from "../../values/Problem.ts"
import { DeliveryRepository } from "../deliveries/DeliveryRepository.ts"
import { DeliverySettlementRepository } from "../deliveries/DeliverySettlementRepository.ts"
import { formatSecret } from "../deliveries/Signature.ts"
import { defaultEventTypes } from "../events/WebhookEvent.ts"
import { type CreateEndpoint, type EndpointChange, endpointErrors } from "./Endpoint.ts"
import { type Choices, EndpointFilterRepository } from "./EndpointFilterRepository.ts"
import { EndpointRepository, type EndpointRow } from "./EndpointRepository.ts"
import {
  changedHeaders,
  decodeHeaders,
  encodeHeaders,
  type HeaderChange,
  maskedValue,
  needsStored,
} from "./StaticHeaders.ts"

export interface EndpointView
  extends Omit<
    EndpointRow,
    "secret" | "previous_secret" | "headers" | "organization_id" | "probe_delivery_id" | "resume_at"
  > {
  /** A probe waits to be sent, or is being sent. */
  readonly is_probed: boolean
  /** What was parked is being sent after a successful probe. */
  readonly is_resuming: boolean
}

const maxEndpoints = 100

const unknown = new NotFound({ record: "webhook endpoint" })

const noOptions: Before & Pick<EndpointRow, "max_per_minute"> = {
  header_names: [],
  headers: null,
  max_per_minute: null,
  interview_set_ids: [],
  project_ids: [],
}

type Before = Pick<EndpointRow, "header_names" | "headers" | "interview_set_ids" | "project_ids">

const distinct = (ids: ReadonlyArray<string>) => [...new Set(ids.map((id) => id.toLowerCase()))]

/** Paths and queries can hold secrets. */
const audited = (
  row: Pick<
    EndpointRow,
    "name" | "url" | "description" | "events" | "max_per_minute" | Exclude<keyof Before, "headers">
  >,
) => ({
  name: row.name,
  description: row.description,
  events: row.events,
  host: URL.canParse(row.url) ? new URL(row.url).host : "",
  headers: row.header_names,
  max_per_minute: row.max_per_minute,
  interview_set_ids: row.interview_set_ids,
  project_ids: row.project_ids,
})

const auditedFields = [
  ...(["name", "host", "description", "events", "headers"] as const),
  ...(["max_per_minute", "interview_set_ids", "project_ids"] as const),
]

const viewOf = ({
  headers: _,
  organization_id: __,
  previous_secret: ___,
  probe_delivery_id,
  resume_at,
  secret: ____,
  ...rest
}: EndpointRow): EndpointView => ({
  ...rest,
  is_probed: rest.next_probe_at !== null && probe_delivery_id !== null,
  is_resuming: resume_at !== null,
})

const requireFound = (isFound: boolean) => (isFound ? Effect.void : Effect.fail(unknown))

/** A stored value was entered for the old host; sending it to another one would reveal it. */
const keepsValuesForOtherHost = (before: EndpointRow, url: string, changes: EndpointChange["headers"]): boolean => {
  const hostOf = (text: string) => (URL.canParse(text) ? new URL(text).host : text)
  if (before.header_names.length === 0 || hostOf(before.url) === hostOf(url)) return false
  return changes == null || needsStored(changes)
}

export class Endpoints extends Context.Service<Endpoints>()("interview-invitations/webhooks/endpoints/Endpoints", {
  make: Effect.gen(function* () {
    const auditLog = yield* AuditLog
    const endpointFilterRepository = yield* EndpointFilterRepository
    const { outboundAllow, webhookSecretOverlap } = yield* Config
    const { transaction } = yield* Database
    const deliveryRepository = yield* DeliveryRepository
    const deliverySettlementRepository = yield* DeliverySettlementRepository
    const ids = yield* Ids
    const random = yield* SecureRandom.SecureRandom
    const endpointRepository = yield* EndpointRepository
    const secretBox = yield* SecretBox
    const secretKeyRepository = yield* SecretKeyRepository
    const lacksKey = lacksRecordedKey.pipe(
      Effect.provideService(SecretBox, secretBox),
      Effect.provideService(SecretKeyRepository, secretKeyRepository),
    )

    /** Chosen records must exist, except those chosen before, which may have been deleted since. */
    const chosenErrors = Effect.fnUntraced(function* (
      organization: OrganizationId,
      { interview_set_ids, project_ids }: EndpointChange,
      before: Before,
    ) {
      const added = (wanted: ReadonlyArray<string> | null | undefined, known: ReadonlyArray<string>) =>
        (wanted ?? []).map((id) => id.toLowerCase()).filter((id) => !known.includes(id))
      const sets = added(interview_set_ids, before.interview_set_ids)
      const projects = added(project_ids, before.project_ids)
      if (sets.length + projects.length === 0) return []
      const existing = yield* endpointFilterRepository.existing(organization, { sets, projects })
      const missing = (field: string, wanted: ReadonlyArray<string> | null | undefined, known: ReadonlyArray<string>) =>
        (wanted ?? []).flatMap((id, index) =>
          known.includes(id.toLowerCase())
            ? []
            : [fieldError(`#/${field}/${index}`, "not_found", "is not the id of a record of this organization")],
        )
      return [
        ...missing("interview_set_ids", interview_set_ids, [...before.interview_set_ids, ...existing.sets]),
        ...missing("project_ids", project_ids, [...before.project_ids, ...existing.projects]),
      ]
    })

    const openHeaders = (id: EndpointId, encrypted: Uint8Array) =>
      Effect.flatMap(secretBox.open(encrypted, headersContext(id)), (bytes) =>
        bytes === undefined ? Effect.fail(new UnreadableSecret()) : Effect.succeed(decodeHeaders(bytes)),
      )

    /** Names, and the encrypted headers. */
    const headersAfter = Effect.fnUntraced(function* (
      id: EndpointId,
      changes: ReadonlyArray<HeaderChange>,
      { headers }: Before,
    ) {
      const stored = headers !== null && needsStored(changes) ? yield* openHeaders(id, headers) : []
      const after = changedHeaders(changes, stored)
      if (after.length === 0) return { header_names: [], headers: null }
      const encrypted = yield* secretBox.encrypt(encodeHeaders(after), headersContext(id))
      return { header_names: after.map(({ name }) => name), headers: encrypted }
    })

    const validated = Effect.fnUntraced(function* (
      organization: OrganizationId,
      id: EndpointId,
      change: EndpointChange,
      before: Before = noOptions,
    ) {
      const errors = endpointErrors(change, outboundAllow, before.header_names)
      const isMalformed = errors.some(({ pointer }) => /^#\/(interview_set|project)_ids/.test(pointer))
      const all = [...errors, ...(isMalformed ? [] : yield* chosenErrors(organization, change, before))]
      if (all.length > 0) return yield* new Invalid({ errors: all })
      const { description, events, headers, interview_set_ids, max_per_minute, name, project_ids, url } = change
      const normalized = (given: string) =>
        Result.match(checkUrl(given, outboundAllow), { onSuccess: ({ href }) => href, onFailure: () => given })
      return {
        ...(name == null ? {} : { name }),
        ...(url == null ? {} : { url: normalized(url) }),
        ...(description == null ? {} : { description: description.trim() === "" ? null : description }),
        ...(events == null ? {} : { events: [...new Set(events)] }),
        ...(headers == null ? {} : yield* headersAfter(id, headers, before)),
        ...(max_per_minute == null ? {} : { max_per_minute: max_per_minute === 0 ? null : max_per_minute }),
        ...(interview_set_ids == null ? {} : { interview_set_ids: distinct(interview_set_ids) }),
        ...(project_ids == null ? {} : { project_ids: distinct(project_ids) }),
      }
    })

    const find = Effect.fn("Endpoints.find")(function* ({ organizationId }: Viewer, id: EndpointId) {
      const row = yield* endpointRepository.find(organizationId, id)
      return row ?? (yield* unknown)
    })

    const newSecret = Effect.fnUntraced(function* (id: EndpointId) {
      const bytes = yield* random.randomBytes(32)
      const encrypted = yield* secretBox.encrypt(bytes, endpointContext(id))
      return { encrypted, displayed: Redacted.make(formatSecret(bytes)) }
    })

    /**
     * Without events: all but decisions. `given`: the id of the form; a form sent twice fails with already_made.
     */
    const create = Effect.fn("Endpoints.create")(function* (
      viewer: Viewer,
      endpoint: CreateEndpoint,
      given?: EndpointId,
    ) {
      const id = given ?? (yield* ids.make(EndpointId))
      const organization = viewer.organizationId
      const fields = yield* Effect.catchTag(validated(organization, id, endpoint), "UnreadableSecret", Effect.die)
      const { displayed, encrypted } = yield* newSecret(id)
      const row = {
        ...{ id, organization_id: organization, name: endpoint.name, url: endpoint.url, description: null },
        ...{ events: defaultEventTypes, ...noOptions, ...fields },
        secret: encrypted,
      }
      switch (yield* endpointRepository.insert(row, maxEndpoints)) {
        case "known":
          return yield* invalid("#/id", "already_made", "was already created by this form")
        case "too_many": {
          const message = `would be more than the ${maxEndpoints} endpoints of an organization: delete one first`
          return yield* invalid("#/url", "too_many", message)
        }
      }
      const { description: _, events, host, name, ...rest } = audited(row)
      const set = Object.entries(rest).filter(
        ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
      )
      yield* auditLog.note(viewer, "webhook_endpoint", "create", id, { name, host, events, ...Object.fromEntries(set) })
      return { id, secret: displayed }
    }, transaction)

    const show = (viewer: Viewer, id: EndpointId) => Effect.map(find(viewer, id), viewOf)

    const findByName = Effect.fn("Endpoints.findByName")(function* ({ organizationId }: Viewer, name: string) {
      const row = yield* endpointRepository.findByName(organizationId, name)
      return row === undefined ? undefined : viewOf(row)
    })

    const list = ({ organizationId }: Viewer) =>
      Effect.map(endpointRepository.list(organizationId), (rows) => rows.map(viewOf))

    /** A page (values/Page.ts), newest first. */
    const listPage = Effect.fn("Endpoints.listPage")(function* ({ organizationId }: Viewer, page: PageRequest) {
      const rows = yield* endpointRepository.listPage(organizationId, page)
      return pageOf("webhook-endpoints", rows, page, ({ position: _, ...row }) => viewOf(row))
    })

    /** Titles of chosen interview sets and projects, also of deleted ones. */
    const chosen = ({ organizationId }: Viewer, choices: Choices<string>) =>
      endpointFilterRepository.named(organizationId, choices)

    /** Interview sets and projects with words of a title, newest first, at most `limit` of each. */
    const findChoices = ({ organizationId }: Viewer, text: string, limit: number) =>
      endpointFilterRepository.search(organizationId, text, limit)

    const update = Effect.fn("Endpoints.update")(function* (viewer: Viewer, id: EndpointId, change: EndpointChange) {
      const organization = viewer.organizationId
      const before = (yield* endpointRepository.findLocked(organization, id)) ?? (yield* unknown)
      if (keepsValuesForOtherHost(before, change.url ?? before.url, change.headers)) {
        return yield* invalid("#/headers", "required", "must be entered again for another host, or removed")
      }
      const fields = yield* validated(organization, before.id, change, before)
      const row = yield* endpointRepository.update(organization, id, fields)
      if (row === undefined) return yield* unknown
      const changes = changesOf(audited(before), audited(row), auditedFields)
      const hasNewValues = change.headers?.some(({ value }) => value != null && value !== maskedValue) === true
      const detail = {
        ...changes,
        ...(before.url === row.url ? {} : { url_changed: true }),
        ...(hasNewValues ? { header_values_changed: true } : {}),
      }
      if (Object.keys(detail).length > 0) yield* auditLog.note(viewer, "webhook_endpoint", "update", row.id, detail)
      return viewOf(row)
    }, transaction)

    const parked = ({ organizationId }: Viewer, id: EndpointId) => deliveryRepository.countParked(organizationId, id)

    const enable = Effect.fn("Endpoints.enable")(function* (viewer: Viewer, id: EndpointId) {
      yield* requireFound(yield* endpointRepository.enable(viewer.organizationId, id))
      yield* auditLog.note(viewer, "webhook_endpoint", "enable", id)
    }, transaction)

    const switchOff = Effect.fnUntraced(function* (viewer: Viewer, id: EndpointId) {
      yield* requireFound(yield* endpointRepository.disable(viewer.organizationId, id))
      yield* auditLog.note(viewer, "webhook_endpoint", "disable", id)
    }, transaction)

    /** Deliveries of later events are parked when they are claimed. */
    const disable = Effect.fn("Endpoints.disable")(function* (viewer: Viewer, id: EndpointId) {
      yield* switchOff(viewer, id)
      yield* Effect.repeat(deliverySettlementRepository.parkWaiting([id]), { while: (isMore) => isMore })
    })

    const openSecret = (id: EndpointId, encrypted: Uint8Array) =>
      Effect.flatMap(secretBox.open(encrypted, endpointContext(id)), (bytes) =>
        bytes === undefined ? Effect.fail(new UnreadableSecret()) : Effect.succeed(formatSecret(bytes)),
      )

    const readSecret = Effect.fn("Endpoints.secret")(function* (viewer: Viewer, id: EndpointId) {
      const row = yield* find(viewer, id)
      return Redacted.make(yield* openSecret(row.id, row.secret))
    })

    /**
     * The old secret also signs for WEBHOOK_SECRET_OVERLAP, unless no key decrypts it. Conflict while an older one signs. With
     * `endsOld`, because a secret leaked, all old ones stop signing at once and there is no conflict.
     */
    const regenerateSecret = Effect.fn("Endpoints.regenerateSecret")(function* (
      viewer: Viewer,
      given: EndpointId,
      { endsOld = false }: { readonly endsOld?: boolean } = {},
    ) {
      const organization = viewer.organizationId
      // `given` may be in upper case; secrets are encrypted for the stored id
      const { id, secret } = yield* find(viewer, given)
      const before = yield* Effect.option(openSecret(id, secret))
      const overlap = before._tag === "None" || endsOld ? Duration.zero : webhookSecretOverlap
      const { displayed, encrypted } = yield* newSecret(id)
      if (endsOld) yield* endpointRepository.removePreviousSecret(organization, id)
      if (!(yield* endpointRepository.replaceSecret(organization, id, encrypted, overlap))) {
        const until = (yield* find(viewer, id)).previous_secret_until?.toISOString()
        return yield* new Conflict({
          reason: `the secret before this one signs until ${until}: replace the secret after that, or first remove the old secret under Settings → Webhooks, over the API with "end_old_secret": true or with the command webhook remove-old-secret`,
        })
      }
      if (endsOld) yield* endpointRepository.removePreviousSecret(organization, id)
      yield* auditLog.note(
        viewer,
        "webhook_endpoint",
        "regenerate_secret",
        id,
        endsOld ? { ended_old_secret: true } : {},
      )
      return displayed
    }, transaction)

    const removePreviousSecret = Effect.fn("Endpoints.removePreviousSecret")(function* (
      viewer: Viewer,
      id: EndpointId,
    ) {
      const { previous_secret_until: until } = yield* find(viewer, id)
      const signed = until !== null && until.getTime() > (yield* Clock.currentTimeMillis)
      yield* requireFound(yield* endpointRepository.removePreviousSecret(viewer.organizationId, id))
      if (signed) yield* auditLog.note(viewer, "webhook_endpoint", "remove_old_secret", id)
      return signed
    }, transaction)

    /** Returns the stored id, in lower case. */
    const remove = Effect.fn("Endpoints.remove")(function* (viewer: Viewer, given: EndpointId) {
      const row = yield* find(viewer, given)
      const { host, name } = audited(row)
      yield* requireFound(yield* endpointRepository.remove(viewer.organizationId, row.id))
      yield* auditLog.note(viewer, "webhook_endpoint", "delete", row.id, { name, host })
      return row.id
    }, transaction)

    /** Endpoints of earlier warnings. */
    const logged = new Set<EndpointId>()

    /** False: another process has a key that this one lacks. */
    const deactivateUnreadable = Effect.fn("Endpoints.deactivateUnreadable")(function* (
      unreadable: ReadonlyArray<EndpointId>,
    ) {
      if (yield* lacksKey) {
        const endpoints = unreadable.filter((id) => !logged.has(id))
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
      const deactivated = yield* endpointRepository.deactivate(unreadable, new UnreadableSecret().message)
      yield* Effect.forEach(
        deactivated,
        (endpoint) =>
          Effect.logError("webhook endpoint deactivated: no key of SECRET_KEY decrypts its secret", { endpoint }),
        { discard: true },
      )
      return true
    })

    return {
      ...{ chosen, findChoices },
      ...{ create, show, findByName, list, listPage, update, remove, parked, enable, disable },
      ...{ secret: readSecret, openSecret, openHeaders, regenerateSecret, removePreviousSecret, deactivateUnreadable },
    }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
