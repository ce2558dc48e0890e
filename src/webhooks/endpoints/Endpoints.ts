/** Webhook endpoints (docs/webhooks.md). */
import { Context, Effect, Layer, Result } from "effect"
import { AuditLog, changesOf } from "../../accounts/AuditLog.ts"
import { OrganizationRepository } from "../../accounts/OrganizationRepository.ts"
import type { Viewer } from "../../accounts/Viewer.ts"
import { Config } from "../../config/Config.ts"
import { Database } from "../../platform/database/Database.ts"
import { Ids } from "../../platform/NewIds.ts"
import { type PageRequest, pageOf } from "../../values/Cursor.ts"
import { EndpointId, type OrganizationId } from "../../values/Ids.ts"
import { checkUrl } from "../../values/OutboundAddress.ts"
import { fieldError, Invalid, invalid } from "../../values/Problem.ts"
import { type EndpointFormat, isChat, maskedAddress, maxMessages } from "../chat/ChatMessage.ts"
import { DeliveryRepository } from "../deliveries/DeliveryRepository.ts"
import { DeliverySettlementRepository } from "../deliveries/DeliverySettlementRepository.ts"
import { defaultEventTypes } from "../events/WebhookEvent.ts"
import { type CreateEndpoint, type EndpointChange, endpointErrors, unknownEndpoint } from "./Endpoint.ts"
import { type Choices, EndpointFilterRepository } from "./EndpointFilterRepository.ts"
import { EndpointRepository, type EndpointRow } from "./EndpointRepository.ts"
import { EndpointSecrets } from "./EndpointSecrets.ts"
import { changedHeaders, type HeaderChange, maskedValue, needsStored } from "./StaticHeaders.ts"

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

/** The API has no channels of Slack and Teams. */
export const isHidden = ({ _tag }: Viewer, { format }: Pick<EndpointRow, "format">): boolean =>
  isChat(format) && _tag !== "Member" && _tag !== "Operator"

const requireFound = (isFound: boolean) => (isFound ? Effect.void : Effect.fail(unknownEndpoint))

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
    const { outboundAllow } = yield* Config
    const { transaction } = yield* Database
    const deliveryRepository = yield* DeliveryRepository
    const deliverySettlementRepository = yield* DeliverySettlementRepository
    const endpointSecrets = yield* EndpointSecrets
    const ids = yield* Ids
    const endpointRepository = yield* EndpointRepository
    const organizationRepository = yield* OrganizationRepository

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

    /** Names, and the encrypted headers. */
    const headersAfter = Effect.fnUntraced(function* (
      id: EndpointId,
      changes: ReadonlyArray<HeaderChange>,
      { headers }: Before,
    ) {
      const stored = headers !== null && needsStored(changes) ? yield* endpointSecrets.openHeaders(id, headers) : []
      const after = changedHeaders(changes, stored)
      if (after.length === 0) return { header_names: [], headers: null }
      const encrypted = yield* endpointSecrets.encryptHeaders(id, after)
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

    const find = Effect.fn("Endpoints.find")(function* (viewer: Viewer, id: EndpointId) {
      const row = yield* endpointRepository.find(viewer.organizationId, id)
      return row === undefined || isHidden(viewer, row) ? yield* unknownEndpoint : row
    })

    /** Of a channel: its address becomes the secret. */
    const addressOf = Effect.fnUntraced(function* (id: EndpointId, url: string) {
      return { url: maskedAddress(url), secret: yield* endpointSecrets.encryptAddress(id, url) }
    })

    /**
     * Without events: all but decisions. `given`: the id of the form; a form sent twice fails with already_made. `format`: of a
     * channel, which has no secret to show.
     */
    const create = Effect.fn("Endpoints.create")(function* (
      viewer: Viewer,
      endpoint: CreateEndpoint,
      given?: EndpointId,
      format: EndpointFormat = "event",
    ) {
      const id = given ?? (yield* ids.make(EndpointId))
      const organization = viewer.organizationId
      if (isChat(format) && (yield* organizationRepository.liveOf(organization)) !== undefined)
        return yield* invalid("#/url", "invalid", "is of a channel, and a test space posts no messages to channels")
      const fields = yield* Effect.catchTag(validated(organization, id, endpoint), "UnreadableSecret", Effect.die)
      const { displayed, encrypted } = yield* endpointSecrets.generate(id)
      const row = {
        ...{ id, organization_id: organization, name: endpoint.name, url: endpoint.url, format, description: null },
        ...{ events: defaultEventTypes, ...noOptions, ...fields },
        secret: encrypted,
        ...(isChat(format)
          ? { ...(yield* addressOf(id, fields.url ?? endpoint.url)), max_per_minute: maxMessages }
          : {}),
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

    /** A page (values/Cursor.ts), newest first. */
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
      const before = (yield* endpointRepository.findLocked(organization, id)) ?? (yield* unknownEndpoint)
      if (keepsValuesForOtherHost(before, change.url ?? before.url, change.headers)) {
        return yield* invalid("#/headers", "required", "must be entered again for another host, or removed")
      }
      if (isHidden(viewer, before)) return yield* unknownEndpoint
      const given = yield* validated(organization, before.id, change, before)
      const address = given.url !== undefined && isChat(before.format) ? yield* addressOf(before.id, given.url) : {}
      const fields = { ...given, ...address }
      const row = yield* endpointRepository.update(organization, id, fields)
      if (row === undefined) return yield* unknownEndpoint
      const changes = changesOf(audited(before), audited(row), auditedFields)
      const hasNewValues = change.headers?.some(({ value }) => value != null && value !== maskedValue) === true
      const detail = {
        ...changes,
        ...(before.url === row.url && !("secret" in address) ? {} : { url_changed: true }),
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

    /** Returns the stored id, in lower case. */
    const remove = Effect.fn("Endpoints.remove")(function* (viewer: Viewer, given: EndpointId) {
      const row = yield* find(viewer, given)
      const { host, name } = audited(row)
      yield* requireFound(yield* endpointRepository.remove(viewer.organizationId, row.id))
      yield* auditLog.note(viewer, "webhook_endpoint", "delete", row.id, { name, host })
      return row.id
    }, transaction)

    return { create, show, findByName, list, listPage, chosen, findChoices, update, parked, enable, disable, remove }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
