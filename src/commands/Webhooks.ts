/** Commands for webhook endpoints and their deliveries: `--json` prints one JSON object on stdout and nothing else. */
import { NodeCrypto } from "@effect/platform-node"
import { Console, Effect, Layer, Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as App from "../App.ts"
import { Config } from "../Config.ts"
import { DeliveryState } from "../domain/Delivery.ts"
import { DeliveryId, EndpointId, type OrganizationId } from "../domain/Ids.ts"
import { Moment } from "../domain/Timestamp.ts"
import { DeliveryHistory } from "../repository/DeliveryHistory.ts"
import { Endpoints as EndpointRows } from "../repository/Endpoints.ts"
import { DeliveryLog } from "../service/DeliveryLog.ts"
import { Endpoints, type EndpointView } from "../service/Endpoints.ts"
import { Organizations } from "../service/Organizations.ts"
import { TestDeliveries } from "../service/TestDeliveries.ts"
import { CommandFailed, local } from "./Environment.ts"
import { explain, json, known, organization, print, table, text } from "./RecordCommand.ts"

/** Webhook endpoints, whose secrets are sealed. */
const webhooks = Layer.merge(App.administration, App.webhooks).pipe(
  Layer.provideMerge(App.sealed),
  Layer.provideMerge(App.webhookTransport),
  Layer.provideMerge(App.repositories),
  Layer.provideMerge(NodeCrypto.layer),
  Layer.provideMerge(Config.layer),
  Layer.provideMerge(local({ trial: false })),
)

const endpointId = Argument.String("id").pipe(Argument.withSchema(EndpointId))

/** Commands name an endpoint and nothing else. */
const ofEndpoint = <A, E, R>(id: EndpointId, step: (organization: OrganizationId) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const organization = yield* known("webhook endpoint", yield* (yield* EndpointRows).organizationOf(id))
    return yield* step(organization)
  })

const url = text("url", "Where events are sent: https, public")
const name = text("name", "A label")
const description = text("description", 'More about it; "" is none')
const event = text("event", "An event or sub-event; repeat it; none: all").pipe(Flag.between(0, 20))

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
      yield* print(json, { id, secret: Redacted.value(secret) })
    }).pipe(explain, Effect.provide(webhooks)),
).pipe(Command.withDescription("Create an endpoint; prints its secret"))

const list = Command.make("list", { organization, json }, ({ json, organization }) =>
  Effect.gen(function* () {
    const endpoints = yield* Endpoints
    const organizations = yield* Organizations
    yield* organizations.require(organization)
    const results = yield* endpoints.list(organization)
    const row = ({ consecutive_failures, events, id, last_success_at, name, status, url }: EndpointView) => ({
      id,
      status,
      failures: consecutive_failures,
      "last success": last_success_at,
      url,
      name,
      events,
    })
    yield* json ? print(true, { results }) : Console.log(table(results.map(row), "no webhook endpoints"))
  }).pipe(explain, Effect.provide(webhooks)),
).pipe(Command.withDescription("List the endpoints of an organization"))

const show = Command.make("show", { id: endpointId, json }, ({ id, json }) =>
  Effect.gen(function* () {
    const endpoints = yield* Endpoints
    yield* print(json, { ...(yield* ofEndpoint(id, (organization) => endpoints.show(organization, id))) })
  }).pipe(explain, Effect.provide(webhooks)),
).pipe(Command.withDescription("Show an endpoint and its health"))

const update = Command.make(
  "update",
  {
    id: endpointId,
    url: url.pipe(Flag.optional),
    name: name.pipe(Flag.optional),
    description: description.pipe(Flag.optional),
    event: event.pipe(Flag.withDescription("All that it is to receive; repeat it")),
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
      yield* print(json, { ...(yield* ofEndpoint(id, (organization) => endpoints.update(organization, id, change))) })
    }).pipe(explain, Effect.provide(webhooks)),
).pipe(Command.withDescription("Change an endpoint; what is not given stays"))

const enable = Command.make(
  "enable",
  {
    id: endpointId,
    sendParked: Flag.Boolean("send-parked").pipe(
      Flag.withDescription("Send what was held back meanwhile, 50 a second"),
      Flag.withDefault(false),
    ),
    json,
  },
  ({ id, json, sendParked }) =>
    Effect.gen(function* () {
      const endpoints = yield* Endpoints
      const log = yield* DeliveryLog
      const queued = yield* ofEndpoint(id, (organization) =>
        Effect.andThen(
          endpoints.enable(organization, id),
          sendParked ? log.sendParked(organization, id) : Effect.succeed(0),
        ),
      )
      yield* print(json, { id, status: "active", ...(sendParked ? { queued } : {}) })
    }).pipe(explain, Effect.provide(webhooks)),
).pipe(Command.withDescription("Enable an endpoint again, its failures forgotten"))

const disable = Command.make("disable", { id: endpointId, json }, ({ id, json }) =>
  Effect.gen(function* () {
    const endpoints = yield* Endpoints
    yield* ofEndpoint(id, (organization) => endpoints.disable(organization, id))
    yield* print(json, { id, status: "inactive" })
  }).pipe(explain, Effect.provide(webhooks)),
).pipe(Command.withDescription("Send nothing more; what happens meanwhile is parked"))

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
).pipe(Command.withDescription("Make a new secret; the old one goes on signing beside it for a while"))

const removeOldSecret = Command.make("remove-old-secret", { id: endpointId, json }, ({ id, json }) =>
  Effect.gen(function* () {
    const endpoints = yield* Endpoints
    yield* ofEndpoint(id, (organization) => endpoints.removePreviousSecret(organization, id))
    yield* print(json, { id, previous_secret_until: null })
  }).pipe(explain, Effect.provide(webhooks)),
).pipe(Command.withDescription("From now on the new secret signs alone"))

const test = Command.make(
  "test",
  {
    id: endpointId,
    event: text("event", "The event or sub-event to send").pipe(Flag.withDefault("interview.status.update")),
    json,
  },
  ({ event, id, json }) =>
    Effect.gen(function* () {
      const tests = yield* TestDeliveries
      const { attempt, event_id } = yield* ofEndpoint(id, (organization) => tests.send(organization, id, event))
      yield* print(json, { id, event_id, delivered: attempt.error === null, ...attempt })
    }).pipe(explain, Effect.provide(webhooks)),
).pipe(Command.withDescription("Send a test event now, once, and show the answer"))

const since = text("since", "ISO 8601").pipe(Flag.withSchema(Moment))

const deliveries = Command.make(
  "deliveries",
  {
    id: endpointId,
    state: Flag.Literals("state", DeliveryState.literals).pipe(Flag.withDescription("Only these"), Flag.optional),
    since: since.pipe(Flag.withDescription("Made at or after; ISO 8601"), Flag.optional),
    before: text("before", "Older than this delivery").pipe(Flag.withSchema(DeliveryId), Flag.optional),
    limit: Flag.Int("limit").pipe(Flag.withDescription("At most so many"), Flag.withDefault(50)),
    json,
  },
  ({ before, id, json, limit, since, state }) =>
    Effect.gen(function* () {
      const log = yield* DeliveryLog
      const filter = {
        state: Option.getOrUndefined(state),
        since: Option.getOrUndefined(since),
        before: Option.getOrUndefined(before),
      }
      const results = yield* ofEndpoint(id, (organization) => log.list(organization, id, filter, limit))
      if (json) return yield* print(true, { results })
      const rows = results.map(
        ({ attempt_log, attempts, created_at, due_at, event_status, event_type, id, state }) => ({
          id,
          state,
          attempts,
          "next attempt": due_at,
          created: created_at,
          event: `${event_type ?? "?"}.${event_status ?? "?"}`,
          "last answer": attempt_log.at(-1)?.error ?? attempt_log.at(-1)?.status ?? null,
        }),
      )
      yield* Console.log(table(rows, "no deliveries"))
    }).pipe(explain, Effect.provide(webhooks)),
).pipe(Command.withDescription("List an endpoint's deliveries, newest first"))

const resend = Command.make(
  "resend",
  { delivery: Argument.String("delivery").pipe(Argument.withSchema(DeliveryId)), json },
  ({ delivery, json }) =>
    Effect.gen(function* () {
      const log = yield* DeliveryLog
      const organization = yield* known("delivery", yield* (yield* DeliveryHistory).organizationOf(delivery))
      yield* print(json, { id: yield* log.resend(organization, delivery) })
    }).pipe(explain, Effect.provide(webhooks)),
).pipe(Command.withDescription("Send a finished delivery's event once more, as a new delivery"))

const resendFailed = Command.make("resend-failed", { id: endpointId, since, json }, ({ id, json, since }) =>
  Effect.gen(function* () {
    const log = yield* DeliveryLog
    const queued = yield* ofEndpoint(id, (organization) => log.resendFailed(organization, id, since))
    yield* print(json, { id, queued })
  }).pipe(explain, Effect.provide(webhooks)),
).pipe(Command.withDescription("Send once more what failed since then, 50 a second"))

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
    deliveries,
    resend,
    resendFailed,
  ]),
)
