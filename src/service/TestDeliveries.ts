/** Send test (spec, Webhook endpoint): one attempt at once, signed like any other, never repeated and never counted. */
import { Clock, Context, Effect, Layer } from "effect"
import { Config } from "../Config.ts"
import type { Attempt } from "../domain/Delivery.ts"
import { type EndpointId, EventId, type OrganizationId } from "../domain/Ids.ts"
import { Invalid, NotFound } from "../domain/Problem.ts"
import * as WebhookEvent from "../domain/WebhookEvent.ts"
import * as WebhookSample from "../domain/WebhookSample.ts"
import { Endpoints } from "../repository/Endpoints.ts"
import { makeSend } from "./deliveries/Send.ts"
import { ids } from "./Ids.ts"

/** What was sent, and what came of it. */
export interface TestDelivery {
  readonly event_id: EventId
  readonly body: string
  readonly attempt: Attempt
}

export class TestDeliveries extends Context.Service<
  TestDeliveries,
  {
    /** Sends the sample of an event or sub-event to an endpoint, active or not. Waits for the answer. */
    readonly send: (
      organization: OrganizationId,
      endpoint: EndpointId,
      event: string,
    ) => Effect.Effect<TestDelivery, Invalid | NotFound>
  }
>()("interview-invitations/service/TestDeliveries") {
  static readonly layer = Layer.effect(
    TestDeliveries,
    Effect.gen(function* () {
      const { appUrl } = yield* Config
      const endpoints = yield* Endpoints
      const newId = yield* ids
      const send = yield* makeSend

      return TestDeliveries.of({
        send: Effect.fn("TestDeliveries.send")(function* (organization, endpointId, name) {
          const event = WebhookSample.sample(name, appUrl)
          if (event === undefined) {
            const message = `${name} can not be sent as a test; there are: ${WebhookSample.sampleNames.join(", ")}`
            return yield* new Invalid({ errors: [{ pointer: "#/event", code: "unknown_event", message }] })
          }
          const endpoint = yield* endpoints.find(organization, endpointId)
          if (endpoint === undefined) return yield* new NotFound({ record: "webhook endpoint" })
          const now = yield* Clock.currentTimeMillis
          const id = yield* newId(EventId)
          const { body } = WebhookEvent.make({
            id,
            organizationId: organization,
            at: new Date(now),
            subject: WebhookSample.subject,
            event,
            isTest: true,
          })
          const { previous_secret, previous_secret_until, secret, url } = endpoint
          const overlaps = previous_secret_until !== null && previous_secret_until.getTime() > now
          const attempt = yield* send({
            endpoint_id: endpointId,
            event_id: id,
            url,
            body,
            secret,
            previous_secret: overlaps ? previous_secret : null,
          })
          return { event_id: id, body, attempt }
        }),
      })
    }),
  )
}
