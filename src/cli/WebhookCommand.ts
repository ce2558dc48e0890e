/** `webhook`: commands for endpoints and deliveries. */
import { Console, Effect, Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Organizations } from "../accounts/Organizations.ts"
import { DeliveryId, type EndpointId, type OrganizationId } from "../values/Ids.ts"
import { Deliveries } from "../webhooks/deliveries/Deliveries.ts"
import { DeliveryState } from "../webhooks/deliveries/Delivery.ts"
import { DeliveryRepository, type DeliveryRow } from "../webhooks/deliveries/DeliveryRepository.ts"
import { Endpoints, type EndpointView } from "../webhooks/endpoints/Endpoints.ts"
import { TestDeliveries } from "../webhooks/endpoints/TestDeliveries.ts"
import { reserved } from "../webhooks/events/UnknownEvent.ts"
import {
  endpointId,
  eventList,
  explain,
  type Input,
  json,
  limit,
  lines,
  ofEndpoint,
  organization,
  print,
  requireFound,
  since,
  table,
  text,
  timeFormats,
  webhookServices,
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
  parked === 0 ? "" : `\n${parked} paused: webhook enable ${id} --send-parked sends them`

/** What the service does about a deactivated endpoint. */
export const probeHint = ({
  inactive_reason,
  next_probe_at,
}: Pick<EndpointView, "inactive_reason" | "next_probe_at">): string => {
  if (inactive_reason === "failures") {
    return next_probe_at === null
      ? "\nnot tried again until it is enabled"
      : `\ntried with one paused delivery at ${next_probe_at.toISOString()}: a 2xx enables it and sends what is paused`
  }
  return inactive_reason === "gone" ? "\nthe receiver answered 410 Gone: not tried again until it is enabled" : ""
}

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
    "last response": delivery.attempt_log.at(-1)?.error ?? delivery.attempt_log.at(-1)?.status ?? null,
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
    lines({ attempt: i + 1, at, status, duration: `${duration_ms} ms`, error, response: answer }),
  )
  return [head, ...attempts].join("\n\n")
}

const deliveriesInput = {
  id: endpointId,
  state: Flag.Literals("state", DeliveryState.literals).pipe(
    Flag.withDescription("Show only deliveries in this state; parked means paused; default all"),
    Flag.optional,
  ),
  since: since.pipe(
    Flag.withDescription(`Show only deliveries created since ${timeFormats}; default all`),
    Flag.optional,
  ),
  before: text("before", "Show only deliveries older than this delivery number, for the next page").pipe(
    Flag.withSchema(DeliveryId),
    Flag.optional,
  ),
  limit,
  json,
}

const listDeliveries = Effect.fn("WebhookCommand.listDeliveries")(
  function* ({ before, id, json, limit, since, state }: Input<typeof deliveriesInput>) {
    const endpoints = yield* Endpoints
    const log = yield* Deliveries
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
  },
  explain,
  Effect.provide(webhookServices),
)

const deliveries = Command.make("deliveries", deliveriesInput, listDeliveries).pipe(
  Command.withDescription("List an endpoint's deliveries, newest first, without test deliveries"),
)

const deliveryId = Argument.String("delivery").pipe(
  Argument.withDescription("The delivery's number, shown by webhook deliveries"),
  Argument.withSchema(DeliveryId),
)

const ofDelivery = <A, E, R>(id: DeliveryId, step: (organization: OrganizationId) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const organization = yield* requireFound("delivery", yield* (yield* DeliveryRepository).organizationOf(id))
    return yield* step(organization)
  })

const delivery = Command.make("delivery", { delivery: deliveryId, json }, ({ delivery, json }) =>
  Effect.gen(function* () {
    const log = yield* Deliveries
    const found = yield* ofDelivery(delivery, (organization) => log.find(organization, delivery))
    yield* json ? print(true, { ...found }) : Console.log(deliveryText(found))
  }).pipe(explain, Effect.provide(webhookServices)),
).pipe(Command.withDescription("Show a delivery and each of its attempts"))

const resend = Command.make("resend", { delivery: deliveryId, json }, ({ delivery, json }) =>
  Effect.gen(function* () {
    const log = yield* Deliveries
    yield* print(json, { id: yield* ofDelivery(delivery, (organization) => log.resend(organization, delivery)) })
  }).pipe(explain, Effect.provide(webhookServices)),
).pipe(
  Command.withDescription(
    "Send the event of a delivered or failed delivery again, as a new delivery, and print its number",
  ),
)

const resendFailed = Command.make(
  "resend-failed",
  {
    id: endpointId,
    since: since.pipe(Flag.withDescription(`Resend deliveries that failed since ${timeFormats}`)),
    json,
  },
  ({ id, json, since }) =>
    Effect.gen(function* () {
      const log = yield* Deliveries
      const queued = yield* ofEndpoint(id, (organization) => log.resendFailed(organization, id, since))
      yield* print(json, { id, queued })
    }).pipe(explain, Effect.provide(webhookServices)),
).pipe(Command.withDescription("Resend an endpoint's failed deliveries, each as a new delivery, at 50 per second"))

const url = text("url", "The URL that receives events: https, at a public address or one that OUTBOUND_ALLOW permits")
const name = text("name", "A name for the endpoint")
const description = text("description", 'A description; "" for none')
const event = text(
  "event",
  "An event or sub-event to send; repeat for more, at most 20; default all; see webhook events",
).pipe(Flag.between(0, 20))

const warnOfReserved = (events: ReadonlyArray<string>) =>
  events.includes(reserved) ? Console.error(`warning: ${reserved} is reserved and never sent`) : Effect.void

const create = Command.make(
  "create",
  {
    organization,
    url,
    name: name.pipe(Flag.withDescription("A name for the endpoint; default webhook"), Flag.withDefault("webhook")),
    description: description.pipe(Flag.withDescription("A description; default none"), Flag.withDefault("")),
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
).pipe(Command.withDescription("Create a webhook endpoint and print its secret"))

const list = Command.make("list", { organization, json }, ({ json, organization }) =>
  Effect.gen(function* () {
    const endpoints = yield* Endpoints
    const organizations = yield* Organizations
    yield* organizations.require(organization)
    const results = yield* endpoints.list(organization)
    yield* json ? print(true, { results }) : Console.log(endpointTable(results))
  }).pipe(explain, Effect.provide(webhookServices)),
).pipe(Command.withDescription("List an organization's webhook endpoints"))

const show = Command.make("show", { id: endpointId, json }, ({ id, json }) =>
  Effect.gen(function* () {
    const endpoints = yield* Endpoints
    const shown = yield* ofEndpoint(id, (organization) =>
      Effect.all({ view: endpoints.show(organization, id), parked: endpoints.parked(organization, id) }),
    )
    const { parked, view } = shown
    if (json) return yield* print(true, { ...view, parked })
    yield* Console.log(lines({ ...view, status: statusOf(view), parked }) + probeHint(view) + parkedHint(id, parked))
  }).pipe(explain, Effect.provide(webhookServices)),
).pipe(Command.withDescription("Show an endpoint, its health and the number of its paused deliveries"))

const updateInput = {
  id: endpointId,
  url: url.pipe(Flag.optional),
  name: name.pipe(Flag.optional),
  description: description.pipe(Flag.optional),
  event: event.pipe(
    Flag.withDescription("An event or sub-event to send; repeat for more, at most 20; replaces the current list"),
  ),
  json,
}

const updateEndpoint = Effect.fn("WebhookCommand.updateEndpoint")(
  function* ({ description, event, id, json, name, url }: Input<typeof updateInput>) {
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
  },
  explain,
  Effect.provide(webhookServices),
)

const update = Command.make("update", updateInput, updateEndpoint).pipe(
  Command.withDescription("Change the given properties of an endpoint"),
)

const enableInput = {
  id: endpointId,
  sendParked: Flag.Boolean("send-parked").pipe(
    Flag.withDescription(
      "Also send the paused deliveries, at 50 per second, each with its remaining attempts; default off. Use resend-failed for failed ones",
    ),
    Flag.withDefault(false),
  ),
  json,
}

const enableEndpoint = Effect.fn("WebhookCommand.enableEndpoint")(
  function* ({ id, json, sendParked }: Input<typeof enableInput>) {
    const endpoints = yield* Endpoints
    const log = yield* Deliveries
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
  },
  explain,
  Effect.provide(webhookServices),
)

const enable = Command.make("enable", enableInput, enableEndpoint).pipe(
  Command.withDescription(
    "Enable an endpoint and reset its failure count; paused deliveries stay paused without --send-parked",
  ),
)

const disable = Command.make("disable", { id: endpointId, json }, ({ id, json }) =>
  Effect.gen(function* () {
    const endpoints = yield* Endpoints
    const parked = yield* ofEndpoint(id, (organization) =>
      Effect.andThen(endpoints.disable(organization, id), endpoints.parked(organization, id)),
    )
    const hint = `waiting and new deliveries are paused: webhook enable ${id} --send-parked sends them`
    yield* json
      ? print(true, { id, status: "inactive", parked })
      : Console.log(`${lines({ id, status: "disabled", parked })}\n${hint}`)
  }).pipe(explain, Effect.provide(webhookServices)),
).pipe(Command.withDescription("Disable an endpoint; its waiting and new deliveries are paused"))

const remove = Command.make("delete", { id: endpointId, json }, ({ id, json }) =>
  Effect.gen(function* () {
    const endpoints = yield* Endpoints
    yield* ofEndpoint(id, (organization) => endpoints.remove(organization, id))
    yield* print(json, { id, deleted: true })
  }).pipe(explain, Effect.provide(webhookServices)),
).pipe(Command.withDescription("Delete an endpoint, its secret and its deliveries, including unsent ones"))

const endOld = Flag.Boolean("end-old").pipe(
  Flag.withDescription("For a leaked secret: only the new secret signs, at once; default off"),
  Flag.withDefault(false),
)

const regenerateSecret = Command.make("regenerate-secret", { id: endpointId, endOld, json }, ({ endOld, id, json }) =>
  Effect.gen(function* () {
    const endpoints = yield* Endpoints
    const { previous_secret_until, secret } = yield* ofEndpoint(id, (organization) =>
      Effect.gen(function* () {
        const secret = yield* endpoints.regenerateSecret(organization, id, { endsOld: endOld })
        return { secret, ...(yield* endpoints.show(organization, id)) }
      }),
    )
    yield* print(json, { id, secret: Redacted.value(secret), previous_secret_until })
  }).pipe(explain, Effect.provide(webhookServices)),
).pipe(
  Command.withDescription(
    "Create a new secret and print it; the old one also signs for WEBHOOK_SECRET_OVERLAP, or until remove-old-secret",
  ),
)

const removeOldSecret = Command.make("remove-old-secret", { id: endpointId, json }, ({ id, json }) =>
  Effect.gen(function* () {
    const endpoints = yield* Endpoints
    const removed = yield* ofEndpoint(id, (organization) => endpoints.removePreviousSecret(organization, id))
    yield* json
      ? print(true, { id, removed, previous_secret_until: null })
      : Console.log(removed ? "the old secret was removed" : "there is no old secret to remove")
  }).pipe(explain, Effect.provide(webhookServices)),
).pipe(Command.withDescription("Stop signing with the old secret after regenerate-secret"))

const test = Command.make(
  "test",
  {
    id: endpointId,
    event: text(
      "event",
      "The event or sub-event to send; default one that the endpoint receives; see webhook events",
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
    "Send one test event now, also to an inactive endpoint, and show the response. It is neither listed nor counted. Exits with 1 if it is not delivered",
  ),
)

const events = Command.make("events", {}, () => Console.log(eventList)).pipe(
  Command.withDescription("List all events and sub-events"),
)

export const webhookCommand = Command.make("webhook").pipe(
  Command.withDescription("Manage webhook endpoints and their deliveries"),
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
