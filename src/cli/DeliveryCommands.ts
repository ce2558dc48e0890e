/** Commands for deliveries: look at them, and send them again. */
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { DeliveryId, type OrganizationId } from "../values/Ids.ts"
import { DeliveryState } from "../webhooks/Delivery.ts"
import { DeliveryLog } from "../webhooks/DeliveryLog.ts"
import { DeliveryRepository } from "../webhooks/DeliveryRepository.ts"
import { Endpoints } from "../webhooks/Endpoints.ts"
import { explain, json, known, print, text, whole } from "./CommandKit.ts"
import { since } from "./Since.ts"
import { endpointId, ofEndpoint, webhooks } from "./WebhookCommandKit.ts"
import { deliveryTable, deliveryText, inactiveHint } from "./WebhookText.ts"

const moment = "a moment, or how long ago (2h, 1 day)"

export const deliveries = Command.make(
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
    }).pipe(explain, Effect.provide(webhooks)),
).pipe(Command.withDescription("List an endpoint's deliveries, newest first; test deliveries are not among them"))

const deliveryId = Argument.String("delivery").pipe(Argument.withSchema(DeliveryId))

/** Commands name a delivery and nothing else. */
const ofDelivery = <A, E, R>(id: DeliveryId, step: (organization: OrganizationId) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const organization = yield* known("delivery", yield* (yield* DeliveryRepository).organizationOf(id))
    return yield* step(organization)
  })

export const delivery = Command.make("delivery", { delivery: deliveryId, json }, ({ delivery, json }) =>
  Effect.gen(function* () {
    const log = yield* DeliveryLog
    const found = yield* ofDelivery(delivery, (organization) => log.find(organization, delivery))
    yield* json ? print(true, { ...found }) : Console.log(deliveryText(found))
  }).pipe(explain, Effect.provide(webhooks)),
).pipe(Command.withDescription("Show a delivery and its attempts, one by one"))

export const resend = Command.make("resend", { delivery: deliveryId, json }, ({ delivery, json }) =>
  Effect.gen(function* () {
    const log = yield* DeliveryLog
    yield* print(json, { id: yield* ofDelivery(delivery, (organization) => log.resend(organization, delivery)) })
  }).pipe(explain, Effect.provide(webhooks)),
).pipe(Command.withDescription("Send a finished delivery's event once more, as a new delivery; prints its number"))

export const resendFailed = Command.make(
  "resend-failed",
  { id: endpointId, since: since.pipe(Flag.withDescription(`Failed since ${moment}`)), json },
  ({ id, json, since }) =>
    Effect.gen(function* () {
      const log = yield* DeliveryLog
      const queued = yield* ofEndpoint(id, (organization) => log.resendFailed(organization, id, since))
      yield* print(json, { id, queued })
    }).pipe(explain, Effect.provide(webhooks)),
).pipe(Command.withDescription("Send once more what failed since then, 50 a second, each as a new delivery"))
