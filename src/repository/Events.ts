/**
 * Webhook events, written in the transaction of what they report (outbox): the change, its event and the event's
 * deliveries commit together or not at all.
 */
import { Context, Effect, Layer } from "effect"
import { matchingSubscriptions, type WebhookEvent } from "../domain/WebhookEvent.ts"
import { Database, recordset } from "./Database.ts"
import { Wakeups } from "./Wakeups.ts"

export class Events extends Context.Service<
  Events,
  {
    /** Stores the events and queues one delivery for each active endpoint that is subscribed, in one statement. */
    readonly publish: (events: ReadonlyArray<WebhookEvent>) => Effect.Effect<void>
  }
>()("interview-invitations/repository/Events") {
  static readonly layer = Layer.effect(
    Events,
    Effect.gen(function* () {
      const { now, sql } = yield* Database
      const { wake } = yield* Wakeups
      return Events.of({
        publish: Effect.fn("Events.publish")(function* (events) {
          if (events.length === 0) return
          const at = yield* now
          const rows = events.map((event) => ({
            id: event.id,
            organization_id: event.organizationId,
            event_type: event.eventType,
            status: event.status,
            body: event.body,
            submission_id: event.submissionId,
            names: matchingSubscriptions(event),
          }))
          const queued = yield* sql`
            with incoming as (
              select * from ${recordset(
                sql,
                rows,
                "id uuid, organization_id int, event_type text, status text, body text, submission_id uuid, names text[]",
              )}
            ), stored as (
              insert into webhook_event (id, organization_id, event_type, status, body, submission_id, created_at)
              select id, organization_id, event_type, status, body, submission_id, ${at} from incoming
              returning id
            )
            insert into webhook_delivery (organization_id, endpoint_id, event_id, created_at, due_at)
            select i.organization_id, e.id, i.id, ${at}, ${at}
            from incoming i
              join stored on stored.id = i.id
              join webhook_endpoint e
                on e.organization_id = i.organization_id and e.status = 'active' and e.events && i.names
            returning id`
          if (queued.length > 0) yield* wake("webhook_delivery")
        }, Effect.orDie),
      })
    }),
  )
}
