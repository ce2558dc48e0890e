/** `webhook`: commands for endpoints, and those of DeliveryCommands.ts. */
import { Console, Effect, Option, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { definedOnly } from "../values/definedOnly.ts"
import type { EndpointId } from "../values/Ids.ts"
import { Deliveries } from "../webhooks/deliveries/Deliveries.ts"
import { EndpointSecrets } from "../webhooks/endpoints/EndpointSecrets.ts"
import { Endpoints, type EndpointView } from "../webhooks/endpoints/Endpoints.ts"
import { TestDeliveries } from "../webhooks/endpoints/TestDeliveries.ts"
import { reserved } from "../webhooks/events/UnknownEvent.ts"
import {
  difference,
  endpointId,
  eventList,
  explain,
  type Input,
  type List,
  lines,
  operatorOf,
  operatorOfEndpoint,
  print,
  printList,
  webhookServices,
} from "./CommandKit.ts"
import { deliveryCommands } from "./DeliveryCommands.ts"
import { CommandFailed } from "./Environment.ts"
import * as Flags from "./Flags.ts"
import { rehearse } from "./RehearsalCommand.ts"

/** "disabled" by a person, "deactivated" after failures. */
export const statusOf = ({ deactivated_at, status }: Pick<EndpointView, "deactivated_at" | "status">): string => {
  if (status === "active") return "active"
  return deactivated_at === null ? "disabled" : "deactivated"
}

export const endpointList = (results: ReadonlyArray<EndpointView>): List<EndpointView> => ({
  results,
  rowOf: (endpoint) => ({
    id: endpoint.id,
    status: statusOf(endpoint),
    failures: endpoint.consecutive_failures,
    "last success": endpoint.last_success_at,
    "last error": endpoint.last_error,
    url: endpoint.url,
    name: endpoint.name,
    events: endpoint.events,
  }),
  none: "no webhook endpoints",
})

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

const urlFlag = Flags.text(
  "url",
  "The URL that receives events: https, at a public address or one that OUTBOUND_ALLOW permits",
)
const nameFlag = Flags.text("name", "A name for the endpoint")
const descriptionFlag = Flags.text("description", 'A description; "" for none')
const eventsFlag = Flags.text(
  "event",
  "An event or sub-event to send; repeat for more, at most 20; default all; see webhook events",
).pipe(Flag.between(0, 20))

const warnOfReserved = (events: ReadonlyArray<string>) =>
  events.includes(reserved) ? Console.error(`warning: ${reserved} is reserved and never sent`) : Effect.void

const create = Command.make(
  "create",
  {
    organization: Flags.organization,
    url: urlFlag,
    name: nameFlag.pipe(Flag.withDescription("A name for the endpoint; default webhook"), Flag.withDefault("webhook")),
    description: descriptionFlag.pipe(Flag.withDescription("A description; default none"), Flag.withDefault("")),
    event: eventsFlag,
    json: Flags.json,
  },
  ({ description, event, json, name, organization, url }) =>
    Effect.gen(function* () {
      const endpoints = yield* Endpoints
      const { id, secret } = yield* endpoints.create(yield* operatorOf(organization), {
        ...{ name, url, description },
        ...(event.length === 0 ? {} : { events: event }),
      })
      yield* warnOfReserved(event)
      yield* print(json, { id, secret: Redacted.value(secret) })
    }).pipe(explain, Effect.provide(webhookServices)),
).pipe(Command.withDescription("Create a webhook endpoint and print its secret"))

const list = Command.make("list", { organization: Flags.organization, json: Flags.json }, ({ json, organization }) =>
  Effect.gen(function* () {
    const endpoints = yield* Endpoints
    yield* printList(json, endpointList(yield* endpoints.list(yield* operatorOf(organization))))
  }).pipe(explain, Effect.provide(webhookServices)),
).pipe(Command.withDescription("List an organization's webhook endpoints"))

const show = Command.make("show", { id: endpointId, json: Flags.json }, ({ id, json }) =>
  Effect.gen(function* () {
    const endpoints = yield* Endpoints
    const viewer = yield* operatorOfEndpoint(id)
    const view = yield* endpoints.show(viewer, id)
    const parked = yield* endpoints.parked(viewer, id)
    if (json) return yield* print(true, { ...view, parked })
    yield* Console.log(lines({ ...view, status: statusOf(view), parked }) + probeHint(view) + parkedHint(id, parked))
  }).pipe(explain, Effect.provide(webhookServices)),
).pipe(Command.withDescription("Show an endpoint, its health and the number of its paused deliveries"))

const updateInput = {
  id: endpointId,
  url: urlFlag.pipe(Flag.optional),
  name: nameFlag.pipe(Flag.optional),
  description: descriptionFlag.pipe(Flag.optional),
  event: eventsFlag.pipe(
    Flag.withDescription(
      "An event or sub-event to send; repeat for more, at most 20. All events of the endpoint are replaced by those given: name also those that it keeps",
    ),
  ),
  json: Flags.json,
}

const updateEndpoint = Effect.fn("WebhookCommand.updateEndpoint")(
  function* ({ description, event, id, json, name, url }: Input<typeof updateInput>) {
    const endpoints = yield* Endpoints
    const events = event.length > 0 ? Option.some(event) : Option.none()
    const change = Flags.given({ url, name, description, events })
    if (Object.keys(change).length === 0) {
      return yield* new CommandFailed({ message: "nothing to change: give --url, --name, --description or --event" })
    }
    const viewer = yield* operatorOfEndpoint(id)
    const before = yield* endpoints.show(viewer, id)
    const changed = yield* endpoints.update(viewer, id, change)
    yield* warnOfReserved(event)
    const ofEvents = Option.isSome(events)
      ? { events_before: before.events, ...difference("events", before.events, changed.events) }
      : {}
    yield* print(json, { ...changed, ...(json ? {} : { status: statusOf(changed) }), ...ofEvents })
  },
  explain,
  Effect.provide(webhookServices),
)

const update = Command.make("update", updateInput, updateEndpoint).pipe(
  Command.withDescription("Change the given properties of an endpoint; --event replaces all of its events"),
)

const enableInput = {
  id: endpointId,
  sendParked: Flags.boolean(
    "send-parked",
    "Also send the paused deliveries, at 50 per second, each with its remaining attempts; default off. Use resend-failed for failed ones",
  ),
  json: Flags.json,
}

const enableEndpoint = Effect.fn("WebhookCommand.enableEndpoint")(
  function* ({ id, json, sendParked }: Input<typeof enableInput>) {
    const endpoints = yield* Endpoints
    const deliveries = yield* Deliveries
    const viewer = yield* operatorOfEndpoint(id)
    yield* endpoints.enable(viewer, id)
    const queued = sendParked ? yield* deliveries.sendParked(viewer, id) : undefined
    const parked = yield* endpoints.parked(viewer, id)
    const record = definedOnly({ id, status: "active", queued, parked })
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

const disable = Command.make("disable", { id: endpointId, json: Flags.json }, ({ id, json }) =>
  Effect.gen(function* () {
    const endpoints = yield* Endpoints
    const viewer = yield* operatorOfEndpoint(id)
    yield* endpoints.disable(viewer, id)
    const parked = yield* endpoints.parked(viewer, id)
    const hint = `waiting and new deliveries are paused: webhook enable ${id} --send-parked sends them`
    yield* json
      ? print(true, { id, status: "inactive", parked })
      : Console.log(`${lines({ id, status: "disabled", parked })}\n${hint}`)
  }).pipe(explain, Effect.provide(webhookServices)),
).pipe(Command.withDescription("Disable an endpoint; its waiting and new deliveries are paused"))

const remove = Command.make("delete", { id: endpointId, json: Flags.json }, ({ id, json }) =>
  Effect.gen(function* () {
    const endpoints = yield* Endpoints
    yield* endpoints.remove(yield* operatorOfEndpoint(id), id)
    yield* print(json, { id, deleted: true })
  }).pipe(explain, Effect.provide(webhookServices)),
).pipe(Command.withDescription("Delete an endpoint, its secret and its deliveries, including unsent ones"))

const endOldFlag = Flags.boolean("end-old", "For a leaked secret: only the new secret signs, at once; default off")

const regenerateSecret = Command.make(
  "regenerate-secret",
  { id: endpointId, endOld: endOldFlag, json: Flags.json },
  ({ endOld, id, json }) =>
    Effect.gen(function* () {
      const endpoints = yield* Endpoints
      const endpointSecrets = yield* EndpointSecrets
      const viewer = yield* operatorOfEndpoint(id)
      const secret = yield* endpointSecrets.regenerate(viewer, id, { endsOld: endOld })
      const { previous_secret_until } = yield* endpoints.show(viewer, id)
      yield* print(json, { id, secret: Redacted.value(secret), previous_secret_until })
    }).pipe(explain, Effect.provide(webhookServices)),
).pipe(
  Command.withDescription(
    "Create a new secret and print it; the old one also signs for WEBHOOK_SECRET_OVERLAP, or until remove-old-secret",
  ),
)

const removeOldSecret = Command.make("remove-old-secret", { id: endpointId, json: Flags.json }, ({ id, json }) =>
  Effect.gen(function* () {
    const endpointSecrets = yield* EndpointSecrets
    const removed = yield* endpointSecrets.removePrevious(yield* operatorOfEndpoint(id), id)
    yield* json
      ? print(true, { id, removed, previous_secret_until: null })
      : Console.log(removed ? "the old secret was removed" : "there is no old secret to remove")
  }).pipe(explain, Effect.provide(webhookServices)),
).pipe(Command.withDescription("Stop signing with the old secret after regenerate-secret"))

const test = Command.make(
  "test",
  {
    id: endpointId,
    event: Flags.text(
      "event",
      "The event or sub-event to send; default one that the endpoint receives; see webhook events",
    ).pipe(Flag.optional),
    json: Flags.json,
  },
  ({ event, id, json }) =>
    Effect.gen(function* () {
      const tests = yield* TestDeliveries
      const viewer = yield* operatorOfEndpoint(id)
      const { attempt, ...rest } = yield* tests.send(viewer, id, Option.getOrUndefined(event))
      yield* print(json, { id, delivered: attempt.error === null, ...rest, ...attempt })
      if (attempt.error !== null) return yield* new CommandFailed({ message: `not delivered: ${attempt.error}` })
    }).pipe(explain, Effect.provide(webhookServices)),
).pipe(
  Command.withDescription(
    "Send one test event now, also to an inactive endpoint, and show the response. It is neither listed nor counted. Exits with 1 if it is not delivered",
  ),
)

const listEvents = Command.make("events", {}, () => Console.log(eventList)).pipe(
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
    rehearse,
    listEvents,
    ...deliveryCommands,
  ]),
)
