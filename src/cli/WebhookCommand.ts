/** `webhook`: commands for endpoints and deliveries. */

import { Console, Effect, Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Organizations } from "../accounts/Organizations.ts"
import { DeliveryId, type EndpointId, type OrganizationId } from "../values/Ids.ts"
import { DeliveryState } from "../webhooks/Delivery.ts"
import { DeliveryLog } from "../webhooks/DeliveryLog.ts"
import { DeliveryRepository, type DeliveryRow } from "../webhooks/DeliveryRepository.ts"
import { Endpoints, type EndpointView } from "../webhooks/Endpoints.ts"
import { TestDeliveries } from "../webhooks/TestDeliveries.ts"
import { reserved } from "../webhooks/UnknownEvent.ts"
import {
  endpointId,
  eventList,
  explain,
  json,
  known,
  lines,
  moment,
  ofEndpoint,
  organization,
  print,
  since,
  table,
  text,
  webhookServices,
  whole,
} from "./CommandKit.ts"
import { CommandFailed } from "./Environment.ts"

/** "disabled" by a person, "deactivated" after failures. */
export const statusOf = ({ deactivated_at, status }: Pick<EndpointView, "deactivated_at" | "status">): string => {
  if (status === "active") return "active"
  return deactivated_at === null ? "disabled" : "deactivated"
}

export const endpointTable = (endpoints: ReadonlyArray<EndpointView>): string =>
  table(
    endpoints.map((endpoint) => ({
      id: endpoint.id,
      status: statusOf(endpoint),
      failures: endpoint.consecutive_failures,
      "last success": endpoint.last_success_at,
      "last error": endpoint.last_error,
      url: endpoint.url,
      name: endpoint.name,
      events: endpoint.events,
    })),
    "no webhook endpoints",
  )

export const parkedHint = (id: EndpointId, parked: number): string =>
  parked === 0 ? "" : `\n${parked} parked: webhook enable ${id} --send-parked sends them`

const inactiveHint = (status: EndpointView["status"], lastError: string | null): string =>
  status === "active" ? "" : `\nthe endpoint is inactive${lastError === null ? "" : `; its last error: ${lastError}`}`

const eventOf = ({ event_status, event_type }: DeliveryRow) =>
  event_type === null ? null : `${event_type}.${event_status}`

/** `before`: cursor of the next page, or null. */
export const deliveryTable = (deliveries: ReadonlyArray<DeliveryRow>, before: string | null): string => {
  const rows = deliveries.map((delivery) => ({
    id: delivery.id,
    state: delivery.state,
    attempts: delivery.attempts,
    created: delivery.created_at,
    "next attempt": delivery.due_at,
    "sent again": delivery.resent_at,
    event: eventOf(delivery),
    "last answer": delivery.attempt_log.at(-1)?.error ?? delivery.attempt_log.at(-1)?.status ?? null,
  }))
  return table(rows, "no deliveries") + (before === null ? "" : `\nmore: --before ${before}`)
}

export const deliveryText = (delivery: DeliveryRow): string => {
  const head = lines({
    id: delivery.id,
    endpoint: delivery.endpoint_id,
    event: eventOf(delivery),
    event_id: delivery.event_id,
    state: delivery.state,
    created: delivery.created_at,
    "next attempt": delivery.due_at,
    finished: delivery.finished_at,
    "sent again": delivery.resent_at,
    attempts: delivery.attempts,
  })
  const attempts = delivery.attempt_log.map(({ answer, at, duration_ms, error, status }, i) =>
    lines({ attempt: i + 1, at, status, duration: `${duration_ms} ms`, error, answer }),
  )
  return [head, ...attempts].join("\n\n")
}

const deliveries = Command.make(
  "deliveries",
  {
    id: endpointId,
    state: Flag.Literals("state", DeliveryState.literals).pipe(Flag.withDescription("Only these"), Flag.optional),
    since: since.pipe(Flag.withDescription(`Made since ${moment}`), Flag.optional),
    before: text("before", "Older than this delivery").pipe(Flag.withSchema(DeliveryId), Flag.optional),
    limit: whole("limit", 1, 1000).pipe(
      Flag.withDescription("At most so many, 1 to 1000; 50 unless told"),
      Flag.withDefault(50),
    ),
    json,
  },
  ({ before, id, json, limit, since, state }) =>
    Effect.gen(function* () {
      const endpoints = yield* Endpoints
      const log = yield* DeliveryLog
      const filter = {
        state: Option.getOrUndefined(state),
        since: Option.getOrUndefined(since),
        before: Option.getOrUndefined(before),
      }
      const found = yield* ofEndpoint(id, (organization) => log.list(organization, id, filter, limit + 1))
      const results = found.slice(0, limit)
      const next_before = found.length > limit ? (results.at(-1)?.id ?? null) : null
      if (json) return yield* print(true, { results, next_before })
      const { last_error, status } = yield* ofEndpoint(id, (organization) => endpoints.show(organization, id))
      yield* Console.log(deliveryTable(results, next_before) + inactiveHint(status, last_error))
    }).pipe(explain, Effect.provide(webhookServices)),
).pipe(Command.withDescription("List an endpoint's deliveries, newest first; test deliveries are not among them"))

const deliveryId = Argument.String("delivery").pipe(Argument.withSchema(DeliveryId))

const ofDelivery = <A, E, R>(id: DeliveryId, step: (organization: OrganizationId) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const organization = yield* known("delivery", yield* (yield* DeliveryRepository).organizationOf(id))
    return yield* step(organization)
  })

const delivery = Command.make("delivery", { delivery: deliveryId, json }, ({ delivery, json }) =>
  Effect.gen(function* () {
    const log = yield* DeliveryLog
    const found = yield* ofDelivery(delivery, (organization) => log.find(organization, delivery))
    yield* json ? print(true, { ...found }) : Console.log(deliveryText(found))
  }).pipe(explain, Effect.provide(webhookServices)),
).pipe(Command.withDescription("Show a delivery and its attempts, one by one"))

const resend = Command.make("resend", { delivery: deliveryId, json }, ({ delivery, json }) =>
  Effect.gen(function* () {
    const log = yield* DeliveryLog
    yield* print(json, { id: yield* ofDelivery(delivery, (organization) => log.resend(organization, delivery)) })
  }).pipe(explain, Effect.provide(webhookServices)),
).pipe(Command.withDescription("Send a finished delivery's event once more, as a new delivery; prints its number"))

const resendFailed = Command.make(
  "resend-failed",
  { id: endpointId, since: since.pipe(Flag.withDescription(`Failed since ${moment}`)), json },
  ({ id, json, since }) =>
    Effect.gen(function* () {
      const log = yield* DeliveryLog
      const queued = yield* ofEndpoint(id, (organization) => log.resendFailed(organization, id, since))
      yield* print(json, { id, queued })
    }).pipe(explain, Effect.provide(webhookServices)),
).pipe(Command.withDescription("Send once more what failed since then, 50 a second, each as a new delivery"))

const url = text("url", "Where events are sent: https, public")
const name = text("name", "A label")
const description = text("description", 'More about it; "" is none')
const event = text("event", "An event or sub-event (webhook events lists them); repeat it; none: all").pipe(
  Flag.between(0, 20),
)

const warnOfReserved = (events: ReadonlyArray<string>) =>
  events.includes(reserved) ? Console.error(`warning: ${reserved} is reserved: it is never sent`) : Effect.void

const create = Command.make(
  "create",
  {
    organization,
    url,
    name: name.pipe(Flag.withDefault("webhook")),
    description: description.pipe(Flag.withDefault("")),
    event,
    json,
  },
  ({ description, event, json, name, organization, url }) =>
    Effect.gen(function* () {
      const endpoints = yield* Endpoints
      const organizations = yield* Organizations
      yield* organizations.require(organization)
      const { id, secret } = yield* endpoints.create(organization, { name, url, description, events: event })
      yield* warnOfReserved(event)
      yield* print(json, { id, secret: Redacted.value(secret) })
    }).pipe(explain, Effect.provide(webhookServices)),
).pipe(Command.withDescription("Create an endpoint; prints its secret"))

const list = Command.make("list", { organization, json }, ({ json, organization }) =>
  Effect.gen(function* () {
    const endpoints = yield* Endpoints
    const organizations = yield* Organizations
    yield* organizations.require(organization)
    const results = yield* endpoints.list(organization)
    yield* json ? print(true, { results }) : Console.log(endpointTable(results))
  }).pipe(explain, Effect.provide(webhookServices)),
).pipe(Command.withDescription("List the endpoints of an organization"))

const show = Command.make("show", { id: endpointId, json }, ({ id, json }) =>
  Effect.gen(function* () {
    const endpoints = yield* Endpoints
    const shown = yield* ofEndpoint(id, (organization) =>
      Effect.all({ view: endpoints.show(organization, id), parked: endpoints.parked(organization, id) }),
    )
    const { parked, view } = shown
    if (json) return yield* print(true, { ...view, parked })
    yield* Console.log(lines({ ...view, status: statusOf(view), parked }) + parkedHint(id, parked))
  }).pipe(explain, Effect.provide(webhookServices)),
).pipe(Command.withDescription("Show an endpoint, its health, and how many deliveries are parked for it"))

const update = Command.make(
  "update",
  {
    id: endpointId,
    url: url.pipe(Flag.optional),
    name: name.pipe(Flag.optional),
    description: description.pipe(Flag.optional),
    event: event.pipe(
      Flag.withDescription("All that it is to receive, events or sub-events (webhook events lists them); repeat it"),
    ),
    json,
  },
  ({ description, event, id, json, name, url }) =>
    Effect.gen(function* () {
      const endpoints = yield* Endpoints
      const change = {
        ...Option.match(url, { onNone: () => ({}), onSome: (url) => ({ url }) }),
        ...Option.match(name, { onNone: () => ({}), onSome: (name) => ({ name }) }),
        ...Option.match(description, { onNone: () => ({}), onSome: (description) => ({ description }) }),
        ...(event.length === 0 ? {} : { events: event }),
      }
      if (Object.keys(change).length === 0) {
        return yield* new CommandFailed({ message: "nothing to change: give --url, --name, --description or --event" })
      }
      const changed = yield* ofEndpoint(id, (organization) => endpoints.update(organization, id, change))
      yield* warnOfReserved(event)
      yield* print(json, json ? { ...changed } : { ...changed, status: statusOf(changed) })
    }).pipe(explain, Effect.provide(webhookServices)),
).pipe(Command.withDescription("Change an endpoint; what is not given stays"))

const enable = Command.make(
  "enable",
  {
    id: endpointId,
    sendParked: Flag.Boolean("send-parked").pipe(
      Flag.withDescription(
        "Send what was parked meanwhile, 50 a second, each with the attempts that it has left; what has failed, resend-failed sends",
      ),
      Flag.withDefault(false),
    ),
    json,
  },
  ({ id, json, sendParked }) =>
    Effect.gen(function* () {
      const endpoints = yield* Endpoints
      const log = yield* DeliveryLog
      const { parked, queued } = yield* ofEndpoint(
        id,
        Effect.fnUntraced(function* (organization) {
          yield* endpoints.enable(organization, id)
          const queued = sendParked ? yield* log.sendParked(organization, id) : undefined
          return { queued, parked: yield* endpoints.parked(organization, id) }
        }),
      )
      const record = { id, status: "active", ...(queued === undefined ? {} : { queued }), parked }
      yield* json ? print(true, record) : Console.log(lines(record) + parkedHint(id, parked))
    }).pipe(explain, Effect.provide(webhookServices)),
).pipe(
  Command.withDescription("Enable an endpoint again, its failures forgotten; what is parked waits for --send-parked"),
)

const disable = Command.make("disable", { id: endpointId, json }, ({ id, json }) =>
  Effect.gen(function* () {
    const endpoints = yield* Endpoints
    const parked = yield* ofEndpoint(id, (organization) =>
      Effect.andThen(endpoints.disable(organization, id), endpoints.parked(organization, id)),
    )
    const hint = `what waits, and what happens from now on, is parked: webhook enable ${id} --send-parked sends it`
    yield* json
      ? print(true, { id, status: "inactive", parked })
      : Console.log(`${lines({ id, status: "disabled", parked })}\n${hint}`)
  }).pipe(explain, Effect.provide(webhookServices)),
).pipe(Command.withDescription("Send nothing more; what waits and what happens meanwhile is parked"))

const remove = Command.make("delete", { id: endpointId, json }, ({ id, json }) =>
  Effect.gen(function* () {
    const endpoints = yield* Endpoints
    yield* ofEndpoint(id, (organization) => endpoints.remove(organization, id))
    yield* print(json, { id, deleted: true })
  }).pipe(explain, Effect.provide(webhookServices)),
).pipe(Command.withDescription("Delete an endpoint and what waits for it"))

const regenerateSecret = Command.make("regenerate-secret", { id: endpointId, json }, ({ id, json }) =>
  Effect.gen(function* () {
    const endpoints = yield* Endpoints
    const { previous_secret_until, secret } = yield* ofEndpoint(id, (organization) =>
      Effect.gen(function* () {
        const secret = yield* endpoints.regenerateSecret(organization, id)
        return { secret, ...(yield* endpoints.show(organization, id)) }
      }),
    )
    yield* print(json, { id, secret: Redacted.value(secret), previous_secret_until })
  }).pipe(explain, Effect.provide(webhookServices)),
).pipe(
  Command.withDescription(
    "Make a new secret; the old one signs beside it for WEBHOOK_SECRET_OVERLAP, or until remove-old-secret",
  ),
)

const removeOldSecret = Command.make("remove-old-secret", { id: endpointId, json }, ({ id, json }) =>
  Effect.gen(function* () {
    const endpoints = yield* Endpoints
    const removed = yield* ofEndpoint(id, (organization) => endpoints.removePreviousSecret(organization, id))
    yield* json
      ? print(true, { id, removed, previous_secret_until: null })
      : Console.log(removed ? "the old secret signs no more" : "there was no old secret: one alone signs")
  }).pipe(explain, Effect.provide(webhookServices)),
).pipe(Command.withDescription("From now on the new secret signs alone"))

const test = Command.make(
  "test",
  {
    id: endpointId,
    event: text(
      "event",
      "The event or sub-event to send (webhook events lists them); none: one that the endpoint is subscribed to",
    ).pipe(Flag.optional),
    json,
  },
  ({ event, id, json }) =>
    Effect.gen(function* () {
      const tests = yield* TestDeliveries
      const sent = yield* ofEndpoint(id, (organization) => tests.send(organization, id, Option.getOrUndefined(event)))
      const { attempt, ...rest } = sent
      yield* print(json, { id, delivered: attempt.error === null, ...rest, ...attempt })
      if (attempt.error !== null) return yield* new CommandFailed({ message: `not delivered: ${attempt.error}` })
    }).pipe(explain, Effect.provide(webhookServices)),
).pipe(
  Command.withDescription(
    "Send a test event now, once, to an endpoint active or not, and show the answer; it is neither listed among the deliveries nor counted. Exits 1 when it is not delivered",
  ),
)

const events = Command.make("events", {}, () => Console.log(eventList)).pipe(
  Command.withDescription("List the events and sub-events"),
)

export const webhookCommand = Command.make("webhook").pipe(
  Command.withDescription("Webhook endpoints and their deliveries"),
  Command.withSubcommands([
    create,
    list,
    show,
    update,
    enable,
    disable,
    remove,
    regenerateSecret,
    removeOldSecret,
    test,
    events,
    deliveries,
    delivery,
    resend,
    resendFailed,
  ]),
)
