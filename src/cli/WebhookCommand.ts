/** Commands for webhook endpoints: `--json` prints one JSON object on stdout and nothing else. */
import { Console, Effect, Option, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { Organizations } from "../accounts/Organizations.ts"
import { DeliveryLog } from "../webhooks/DeliveryLog.ts"
import { Endpoints } from "../webhooks/Endpoints.ts"
import { reserved } from "../webhooks/EventName.ts"
import { TestDeliveries } from "../webhooks/TestDeliveries.ts"
import { eventList, explain, json, lines, organization, print, text } from "./CommandKit.ts"
import { deliveries, delivery, resend, resendFailed } from "./DeliveryCommands.ts"
import { CommandFailed } from "./Environment.ts"
import { endpointId, ofEndpoint, webhooks } from "./WebhookCommandKit.ts"
import { endpointTable, parkedHint, statusOf } from "./WebhookText.ts"

const url = text("url", "Where events are sent: https, public")
const name = text("name", "A label")
const description = text("description", 'More about it; "" is none')
const event = text("event", "An event or sub-event (webhook events lists them); repeat it; none: all").pipe(
  Flag.between(0, 20),
)

/** It may be subscribed to, as the catalogue has it, but nobody should wait for it. */
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
    }).pipe(explain, Effect.provide(webhooks)),
).pipe(Command.withDescription("Create an endpoint; prints its secret"))

const list = Command.make("list", { organization, json }, ({ json, organization }) =>
  Effect.gen(function* () {
    const endpoints = yield* Endpoints
    const organizations = yield* Organizations
    yield* organizations.require(organization)
    const results = yield* endpoints.list(organization)
    yield* json ? print(true, { results }) : Console.log(endpointTable(results))
  }).pipe(explain, Effect.provide(webhooks)),
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
  }).pipe(explain, Effect.provide(webhooks)),
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
    }).pipe(explain, Effect.provide(webhooks)),
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
    }).pipe(explain, Effect.provide(webhooks)),
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
  }).pipe(explain, Effect.provide(webhooks)),
).pipe(Command.withDescription("Send nothing more; what waits and what happens meanwhile is parked"))

const remove = Command.make("delete", { id: endpointId, json }, ({ id, json }) =>
  Effect.gen(function* () {
    const endpoints = yield* Endpoints
    yield* ofEndpoint(id, (organization) => endpoints.remove(organization, id))
    yield* print(json, { id, deleted: true })
  }).pipe(explain, Effect.provide(webhooks)),
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
  }).pipe(explain, Effect.provide(webhooks)),
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
  }).pipe(explain, Effect.provide(webhooks)),
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
    }).pipe(explain, Effect.provide(webhooks)),
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
