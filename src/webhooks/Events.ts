/** Publishes events in the transaction of their change, and reads them in order. */
import { Clock, Context, Effect, Layer } from "effect"
import { Ids, newId } from "../platform/NewIds.ts"
import { type Methods, methods } from "../platform/UseCases.ts"
import { EventId, type OrganizationId } from "../values/Ids.ts"
import { EventRepository } from "./EventRepository.ts"
import * as WebhookEvent from "./WebhookEvent.ts"

export interface Occurrence {
  readonly subject: WebhookEvent.EventSubject
  readonly event: WebhookEvent.EventData
}

const publish = Effect.fn("Events.publish")(function* (
  organizationId: OrganizationId,
  occurrences: ReadonlyArray<Occurrence>,
) {
  const repository = yield* EventRepository
  const at = new Date(yield* Clock.currentTimeMillis)
  const events = yield* Effect.forEach(occurrences, ({ event, subject }) =>
    Effect.map(newId(EventId), (id) => WebhookEvent.make({ id, organizationId, at, subject, event })),
  )
  yield* repository.publish(events)
  return events.map(({ id }) => id)
})

/**
 * A reader that continues with `next_cursor` gets each matching event once (EventOrderSql.ts).
 * `since` misses no event whose `timestamp` is at or after it. Later pages can contain earlier events, of transactions that
 * were open at that time.
 */
const read = Effect.fn("Events.read")(function* (organization: OrganizationId, request: WebhookEvent.EventsRequest) {
  const repository = yield* EventRepository
  const isAfter = request.after !== undefined || request.start === undefined
  // read before the events, so that the cursor of an empty page skips none
  const end = isAfter ? undefined : yield* repository.end
  const rows = request.start === "now" && !isAfter ? [] : yield* repository.read(organization, request)
  const last = rows.at(-1) ?? request.after ?? end ?? WebhookEvent.beginning
  const page: WebhookEvent.EventsPage = {
    results: rows.map(({ envelope }) => envelope),
    next_cursor: WebhookEvent.eventCursorOf(last),
  }
  return page
})

const useCases = { publish, read }

export class Events extends Context.Service<Events, Methods<typeof useCases>>()(
  "interview-invitations/webhooks/Events",
) {
  static readonly layer = Layer.effect(Events, methods([EventRepository, Ids], useCases)).pipe(Layer.provide(Ids.layer))
}
