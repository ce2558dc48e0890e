/** Send test (spec, Webhook endpoint): one attempt at once, signed like any other, never repeated and never counted. */
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { Config } from "../config/Config.ts"
import type { UnreadableSecret } from "../platform/crypto/SecretBox.ts"
import { Database } from "../platform/database/Database.ts"
import { ids } from "../platform/NewIds.ts"
import { type EndpointId, EventId, type OrganizationId } from "../values/Ids.ts"
import { Invalid, invalid, NotFound } from "../values/Problem.ts"
import { Attempt } from "./Delivery.ts"
import { EndpointRepository } from "./EndpointRepository.ts"
import { reserved, unknownEvent } from "./EventName.ts"
import { makeSend } from "./SendDelivery.ts"
import * as WebhookEvent from "./WebhookEvent.ts"
import * as WebhookSample from "./WebhookSample.ts"

/** What was sent, and what came of it. */
export const TestDelivery = Schema.Struct({
  /** The sub-event's name. */
  event: Schema.String,
  event_id: EventId,
  body: Schema.String,
  attempt: Attempt,
})
export type TestDelivery = typeof TestDelivery.Type

export class TestDeliveries extends Context.Service<
  TestDeliveries,
  {
    /**
     * Sends the sample of an event or sub-event to an endpoint, active or not; without a name, of the first thing that
     * the endpoint is subscribed to. Waits for the answer.
     */
    readonly send: (
      organization: OrganizationId,
      endpoint: EndpointId,
      event?: string,
    ) => Effect.Effect<TestDelivery, Invalid | NotFound | UnreadableSecret>
  }
>()("interview-invitations/webhooks/TestDeliveries") {
  static readonly layer = Layer.effect(
    TestDeliveries,
    Effect.gen(function* () {
      const { appUrl } = yield* Config
      const { time } = yield* Database
      const rows = yield* EndpointRepository
      const newId = yield* ids
      const send = yield* makeSend

      return TestDeliveries.of({
        send: Effect.fn("TestDeliveries.send")(function* (organization, endpointId, name) {
          if (name === reserved) {
            return yield* invalid("#/event", "unknown_event", `${name} is reserved: it is never sent`)
          }
          const asked = name === undefined ? undefined : WebhookSample.sample(name, appUrl)
          if (name !== undefined && asked === undefined) {
            return yield* new Invalid({ errors: [unknownEvent("#/event", name, WebhookSample.testable)] })
          }
          const endpoint = yield* rows.find(organization, endpointId)
          if (endpoint === undefined) return yield* new NotFound({ record: "webhook endpoint" })
          const event = asked ?? WebhookSample.sampleFor(endpoint.events, appUrl)
          const now = (yield* time).getTime()
          const skew = now - (yield* Clock.currentTimeMillis)
          const id = yield* newId(EventId)
          const { body, eventType, status } = WebhookEvent.make({
            id,
            organizationId: organization,
            at: new Date(now),
            subject: WebhookSample.subject,
            event,
            isTest: true,
          })
          const { previous_secret, previous_secret_until, secret, url } = endpoint
          const overlaps = previous_secret_until !== null && previous_secret_until.getTime() > now
          const previous = overlaps ? previous_secret : null
          const message = { endpoint_id: endpointId, event_id: id, url, body, secret, previous_secret: previous }
          const attempt = yield* send(message, skew)
          return { event: `${eventType}.${status}`, event_id: id, body, attempt }
        }),
      })
    }),
  )
}
