/** `webhook deliveries`, `delivery`, `resend` and `resend-failed`: commands for the deliveries to an endpoint. */
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { operator } from "../accounts/Viewer.ts"
import { DeliveryId } from "../values/Ids.ts"
import { Deliveries } from "../webhooks/deliveries/Deliveries.ts"
import { DeliveryState } from "../webhooks/deliveries/Delivery.ts"
import { DeliveryRepository, type DeliveryRow } from "../webhooks/deliveries/DeliveryRepository.ts"
import { Endpoints, type EndpointView } from "../webhooks/endpoints/Endpoints.ts"
import { eventTypes } from "../webhooks/events/WebhookEvent.ts"
import {
  cutPage,
  endpointId,
  explain,
  type Input,
  type List,
  lines,
  listText,
  operatorOfEndpoint,
  print,
  printList,
  requireFound,
  webhookServices,
} from "./CommandKit.ts"
import * as Flags from "./Flags.ts"

const inactiveHint = (status: EndpointView["status"], lastError: string | null): string =>
  status === "active" ? "" : `\nthe endpoint is inactive${lastError === null ? "" : `; its last error: ${lastError}`}`

const eventOf = ({ event_status, event_type }: DeliveryRow) =>
  event_type === null ? null : `${event_type}.${event_status}`

/** `before`: cursor of the next page, or null. */
export const deliveryList = (results: ReadonlyArray<DeliveryRow>, before: string | null): List<DeliveryRow> => ({
  results,
  rowOf: (delivery) => ({
    id: delivery.id,
    state: delivery.state,
    attempts: delivery.attempts,
    created: delivery.created_at,
    "next attempt": delivery.due_at,
    "sent again": delivery.resent_at,
    event: eventOf(delivery),
    "last response": delivery.attempt_log.at(-1)?.error ?? delivery.attempt_log.at(-1)?.status ?? null,
  }),
  none: "no deliveries",
  next: { flag: "before", at: before },
})

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

const listInput = {
  id: endpointId,
  state: Flag.Literals("state", DeliveryState.literals).pipe(
    Flag.withDescription("Show only deliveries in this state; parked means paused; default all"),
    Flag.optional,
  ),
  since: Flags.since.pipe(
    Flag.withDescription(`Show only deliveries created since ${Flags.timeFormats}; default all`),
    Flag.optional,
  ),
  before: Flags.text("before", "Show only deliveries older than this delivery number, for the next page").pipe(
    Flag.withSchema(DeliveryId),
    Flag.optional,
  ),
  limit: Flags.limit,
  json: Flags.json,
}

const listDeliveries = Effect.fn("DeliveryCommands.listDeliveries")(
  function* ({ before, id, json, limit, since, state }: Input<typeof listInput>) {
    const endpoints = yield* Endpoints
    const deliveries = yield* Deliveries
    const viewer = yield* operatorOfEndpoint(id)
    const found = yield* deliveries.list(viewer, id, Flags.given({ state, since, before }), limit + 1)
    const { at, results } = cutPage(found, limit, (delivery) => delivery.id)
    const shown = deliveryList(results, at)
    if (json) return yield* printList(true, shown)
    const { last_error, status } = yield* endpoints.show(viewer, id)
    yield* Console.log(listText(shown) + inactiveHint(status, last_error))
  },
  explain,
  Effect.provide(webhookServices),
)

const list = Command.make("deliveries", listInput, listDeliveries).pipe(
  Command.withDescription("List an endpoint's deliveries, newest first, without test deliveries"),
)

const deliveryId = Argument.String("delivery").pipe(
  Argument.withDescription("The delivery's number, shown by webhook deliveries"),
  Argument.withSchema(DeliveryId),
)

const operatorOfDelivery = Effect.fnUntraced(function* (id: DeliveryId) {
  const repository = yield* DeliveryRepository
  return operator(yield* requireFound("delivery", yield* repository.organizationOf(id)))
})

const show = Command.make("delivery", { id: deliveryId, json: Flags.json }, ({ id, json }) =>
  Effect.gen(function* () {
    const deliveries = yield* Deliveries
    const found = yield* deliveries.find(yield* operatorOfDelivery(id), id)
    yield* json ? print(true, { ...found }) : Console.log(deliveryText(found))
  }).pipe(explain, Effect.provide(webhookServices)),
).pipe(Command.withDescription("Show a delivery and each of its attempts"))

const resend = Command.make("resend", { id: deliveryId, json: Flags.json }, ({ id, json }) =>
  Effect.gen(function* () {
    const deliveries = yield* Deliveries
    yield* print(json, { id: yield* deliveries.resend(yield* operatorOfDelivery(id), id) })
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
    since: Flags.since.pipe(Flag.withDescription(`Resend deliveries that failed since ${Flags.timeFormats}`)),
    until: Flags.moment("until").pipe(
      Flag.withDescription(`Only deliveries that failed before ${Flags.timeFormats}; default all`),
      Flag.optional,
    ),
    eventType: Flag.Literals("event-type", eventTypes).pipe(
      Flag.withDescription("Only deliveries of this event, without its sub-event; default all"),
      Flag.optional,
    ),
    json: Flags.json,
  },
  ({ eventType, id, json, since, until }) =>
    Effect.gen(function* () {
      const deliveries = yield* Deliveries
      const event_types = Option.map(eventType, (type) => [type])
      const filter = { since, ...Flags.given({ until, event_types }) }
      const queued = yield* deliveries.resendFailed(yield* operatorOfEndpoint(id), id, filter)
      yield* print(json, { id, queued })
    }).pipe(explain, Effect.provide(webhookServices)),
).pipe(Command.withDescription("Resend an endpoint's failed deliveries, each as a new delivery, at 50 per second"))

export const deliveryCommands = [list, show, resend, resendFailed] as const
