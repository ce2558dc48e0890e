/** One delivery as its receiver could have seen it: the bytes, and the headers of each attempt, made again from the secret. */
import { Context, Effect, Layer, Option } from "effect"
import { Database } from "../platform/database/Database.ts"
import { type Methods, methods } from "../platform/UseCases.ts"
import type { DeliveryId, EndpointId, OrganizationId } from "../values/Ids.ts"
import { NotFound } from "../values/Problem.ts"
import type { Attempt } from "./Delivery.ts"
import { DeliveryHistoryRepository, type DeliveryRow } from "./DeliveryHistoryRepository.ts"
import { EndpointRepository } from "./EndpointRepository.ts"
import { Endpoints } from "./Endpoints.ts"
import { headersOf } from "./SendDelivery.ts"
import { signingKey } from "./Signature.ts"

/** Names and values. */
export type Headers = Readonly<Record<string, string>>

export interface AttemptEvidence extends Attempt {
  /** null: it can not be made again, because its secret was replaced since or its event is gone. */
  readonly headers: Headers | null
}

export interface Evidence {
  readonly delivery: DeliveryRow
  /** The endpoint's, as it is now. */
  readonly url: string
  /** The bytes of every attempt; undefined: the event is older than what is kept. */
  readonly body: string | undefined
  /** Oldest first. */
  readonly attempts: ReadonlyArray<AttemptEvidence>
  /** What an attempt that began now would send; a receiver takes it for as long as it lets signatures be old. */
  readonly fresh: Headers | undefined
}

const keyOf = (id: EndpointId, sealed: Uint8Array) =>
  Effect.flatMap(Endpoints, (endpoints) => Effect.map(endpoints.openSecret(id, sealed), signingKey))

/** A delivery of an endpoint; NotFound also where it is another endpoint's. */
const read = Effect.fn("DeliveryInspector.read")(function* (
  organization: OrganizationId,
  endpointId: EndpointId,
  id: DeliveryId,
) {
  const history = yield* DeliveryHistoryRepository
  const rows = yield* EndpointRepository
  const { time } = yield* Database
  const delivery = yield* history.find(organization, id)
  const endpoint = yield* rows.find(organization, endpointId)
  if (endpoint === undefined || delivery?.endpoint_id !== endpoint.id) {
    return yield* new NotFound({ record: "delivery" })
  }
  const { previous_secret, previous_secret_until, secret, secret_since, url } = endpoint
  const text = yield* history.bodyOf(organization, delivery.event_id)
  const key = yield* keyOf(endpointId, secret)
  const previous = previous_secret === null ? Option.none() : yield* Effect.option(keyOf(endpointId, previous_secret))
  const until = previous_secret_until?.getTime() ?? 0
  const headersAt = (at: number) =>
    text === undefined
      ? undefined
      : headersOf(
          {
            eventId: delivery.event_id,
            body: Buffer.from(text),
            keys: [key, ...(at < until ? Option.toArray(previous) : [])],
          },
          at,
        )
  const attempts = delivery.attempt_log.map((attempt) => {
    const at = Date.parse(attempt.at)
    return { ...attempt, headers: at < secret_since.getTime() ? null : (headersAt(at) ?? null) }
  })
  return { delivery, url, body: text, attempts, fresh: headersAt((yield* time).getTime()) }
})

const useCases = { read }

export class DeliveryInspector extends Context.Service<DeliveryInspector, Methods<typeof useCases>>()(
  "interview-invitations/webhooks/DeliveryInspector",
) {
  static readonly layer = Layer.effect(
    DeliveryInspector,
    methods([Database, DeliveryHistoryRepository, EndpointRepository, Endpoints], useCases),
  )
}
