/** A delivery as its receiver got it. Headers are signed again; static headers are the current ones, without their values. */
import { Context, Effect, Layer, Option } from "effect"
import type { Viewer } from "../../accounts/Viewer.ts"
import { Database } from "../../platform/database/Database.ts"
import type { DeliveryId, EndpointId, EventId } from "../../values/Ids.ts"
import { NotFound } from "../../values/Problem.ts"
import { EndpointRepository, type EndpointRow } from "../endpoints/EndpointRepository.ts"
import { EndpointSecrets } from "../endpoints/EndpointSecrets.ts"
import { maskedRecord } from "../endpoints/StaticHeaders.ts"
import { EventRepository } from "../events/EventRepository.ts"
import type { Attempt } from "./Delivery.ts"
import { DeliveryRepository, type DeliveryRow } from "./DeliveryRepository.ts"
import { headersOf } from "./DeliverySender.ts"
import { signingKey, signingKeys } from "./Signature.ts"

export type Headers = Readonly<Record<string, string>>

export interface InspectedAttempt extends Attempt {
  /** Null: the secret was replaced since, or the event was deleted. */
  readonly headers: Headers | null
}

export interface InspectedDelivery {
  readonly delivery: DeliveryRow
  readonly url: string
  /** Undefined: the event was deleted. */
  readonly body: string | undefined
  readonly attempts: ReadonlyArray<InspectedAttempt>
  readonly fresh: Headers | undefined
}

export class DeliveryInspector extends Context.Service<DeliveryInspector>()(
  "interview-invitations/webhooks/deliveries/DeliveryInspector",
  {
    make: Effect.gen(function* () {
      const { time } = yield* Database
      const deliveryRepository = yield* DeliveryRepository
      const endpointRepository = yield* EndpointRepository
      const endpointSecrets = yield* EndpointSecrets
      const eventRepository = yield* EventRepository

      const headersWith = Effect.fnUntraced(function* (endpoint: EndpointRow, eventId: EventId, body: string) {
        const { id, previous_secret, previous_secret_until, secret } = endpoint
        const keyOf = (encrypted: Uint8Array) => Effect.map(endpointSecrets.open(id, encrypted), signingKey)
        const key = yield* keyOf(secret)
        const previous = previous_secret === null ? Option.none() : yield* Effect.option(keyOf(previous_secret))
        const until = previous_secret_until?.getTime() ?? 0
        const bytes = Buffer.from(body)
        return (at: number): Headers => ({
          ...maskedRecord(endpoint.header_names),
          ...headersOf(
            { eventId, body: bytes, keys: signingKeys(key, at < until ? Option.getOrUndefined(previous) : undefined) },
            at,
          ),
        })
      })

      const read = Effect.fn("DeliveryInspector.read")(function* (
        { organizationId: organization }: Viewer,
        endpointId: EndpointId,
        id: DeliveryId,
      ) {
        const delivery = yield* deliveryRepository.find(organization, id)
        const endpoint = yield* endpointRepository.find(organization, endpointId)
        if (endpoint === undefined || delivery?.endpoint_id !== endpoint.id) {
          return yield* new NotFound({ record: "delivery" })
        }
        const body = yield* eventRepository.bodyOf(organization, delivery.event_id)
        const headersAt = yield* headersWith(endpoint, delivery.event_id, body ?? "")
        const attempts = delivery.attempt_log.map((attempt) => {
          const at = Date.parse(attempt.at)
          const isKnown = body !== undefined && at >= endpoint.secret_since.getTime()
          return { ...attempt, headers: isKnown ? headersAt(at) : null }
        })
        const fresh = body === undefined ? undefined : headersAt((yield* time).getTime())
        return { delivery, url: endpoint.url, body, attempts, fresh } satisfies InspectedDelivery
      })

      return { read }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
