/** Sends a signed sample event to an endpoint. It is not retried, listed or counted. */
import { Clock, Context, Effect, Layer } from "effect"
import type { Viewer } from "../../accounts/Viewer.ts"
import { Config } from "../../config/Config.ts"
import { Database } from "../../platform/database/Database.ts"
import { Ids } from "../../platform/NewIds.ts"
import { type EndpointId, EventId } from "../../values/Ids.ts"
import { Invalid, invalid } from "../../values/Problem.ts"
import type { TestDelivery } from "../deliveries/Delivery.ts"
import { makeDeliverySender } from "../deliveries/DeliverySender.ts"
import { reserved, unknownEvent } from "../events/UnknownEvent.ts"
import * as WebhookEvent from "../events/WebhookEvent.ts"
import * as WebhookSample from "../events/WebhookSample.ts"
import { unknownEndpoint } from "./Endpoint.ts"
import { EndpointRepository } from "./EndpointRepository.ts"
import { isHidden } from "./Endpoints.ts"

export class TestDeliveries extends Context.Service<TestDeliveries>()(
  "interview-invitations/webhooks/endpoints/TestDeliveries",
  {
    make: Effect.gen(function* () {
      const { appUrl } = yield* Config
      const { time } = yield* Database
      const repository = yield* EndpointRepository
      const ids = yield* Ids
      const sendMessage = yield* makeDeliverySender

      const sampleOf = Effect.fnUntraced(function* (viewer: Viewer, id: EndpointId, name: string | undefined) {
        const { organizationId } = viewer
        if (name === reserved) {
          return yield* invalid("#/event", "unknown_event", `${name} is reserved: it is never sent`)
        }
        const sample = name === undefined ? undefined : WebhookSample.sample(name, appUrl)
        if (name !== undefined && sample === undefined) {
          return yield* new Invalid({ errors: [unknownEvent("#/event", name, WebhookSample.testable)] })
        }
        const endpoint = yield* repository.find(organizationId, id)
        if (endpoint === undefined || isHidden(viewer, endpoint)) return yield* unknownEndpoint
        return { endpoint, event: sample ?? WebhookSample.sampleFor(endpoint.events, appUrl) }
      })

      const send = Effect.fn("TestDeliveries.send")(function* (viewer: Viewer, endpointId: EndpointId, name?: string) {
        const { endpoint, event } = yield* sampleOf(viewer, endpointId, name)
        const now = (yield* time).getTime()
        const skew = now - (yield* Clock.currentTimeMillis)
        const id = yield* ids.make(EventId)
        const { body, eventType, status } = WebhookEvent.make({
          id,
          organizationId: viewer.organizationId,
          at: new Date(now),
          subject: WebhookSample.subject,
          event,
          isTest: true,
        })
        const { format, headers, previous_secret, previous_secret_until: until, secret, url } = endpoint
        const previous = until !== null && until.getTime() > now ? previous_secret : null
        const message = {
          event_id: id,
          body,
          endpoint: { id: endpoint.id, url, format, secret, previous_secret: previous, headers },
        }
        const { attempt } = yield* sendMessage(message, skew)
        return { event: `${eventType}.${status}`, event_id: id, body, attempt } satisfies TestDelivery
      })

      return { send }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
