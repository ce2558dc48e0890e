/** Publishes events in the transaction of their change, and reads them in order. */
import { Context, DateTime, Effect, Layer } from "effect"
import type { Viewer } from "../../accounts/Viewer.ts"
import { Ids } from "../../platform/NewIds.ts"
import { EventId, type OrganizationId } from "../../values/Ids.ts"
import { EventRepository } from "./EventRepository.ts"
import * as WebhookEvent from "./WebhookEvent.ts"

export interface Occurrence {
  readonly subject: WebhookEvent.EventSubject
  readonly event: WebhookEvent.EventData
}

export class Events extends Context.Service<Events>()("interview-invitations/webhooks/events/Events", {
  make: Effect.gen(function* () {
    const repository = yield* EventRepository
    const ids = yield* Ids

    const publish = Effect.fn("Events.publish")(function* (
      organizationId: OrganizationId,
      occurrences: ReadonlyArray<Occurrence>,
    ) {
      const at = yield* DateTime.nowAsDate
      const events = yield* Effect.forEach(occurrences, ({ event, subject }) =>
        Effect.map(ids.make(EventId), (id) => WebhookEvent.make({ id, organizationId, at, subject, event })),
      )
      yield* repository.publish(events)
      return events.map(({ id }) => id)
    })

    /**
     * A reader that continues with `next_cursor` gets each matching event once (EventOrderSql.ts).
     * `since` misses no event whose `timestamp` is at or after it. Later pages can contain earlier events, of transactions that
     * were open at that time.
     */
    const read = Effect.fn("Events.read")(function* ({ organizationId }: Viewer, request: WebhookEvent.EventsRequest) {
      const isAfter = request.after !== undefined || request.start === undefined
      // read before the events, so that the cursor of an empty page skips none
      const end = isAfter ? undefined : yield* repository.end
      const rows = request.start === "now" && !isAfter ? [] : yield* repository.read(organizationId, request)
      const last = rows.at(-1) ?? request.after ?? end ?? WebhookEvent.beginning
      const page: WebhookEvent.EventsPage = {
        results: rows.map(({ envelope }) => envelope),
        next_cursor: WebhookEvent.eventCursorOf(last),
      }
      return page
    })

    return { publish, read }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
