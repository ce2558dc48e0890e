/** The outbox: a change, its event and the event's deliveries are written in one transaction. */
import { Context, Duration, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { Database, first, recordset } from "../../platform/database/Database.ts"
import { when } from "../../platform/database/Paging.ts"
import type { PersonalTable } from "../../platform/database/PersonalData.ts"
import { QueueNotifier } from "../../platform/queue/QueueNotifier.ts"
import type { EventId, OrganizationId } from "../../values/Ids.ts"
import { withoutCandidate } from "./EventErasure.ts"
import { finalBelow } from "./EventOrderSql.ts"
import {
  beginning,
  type EventEnvelope,
  type EventPosition,
  type EventsRequest,
  matchingSubscriptions,
  type WebhookEvent,
} from "./WebhookEvent.ts"

/**
 * Exceeds the longest transaction, by which an event's position can lag its time, and the time by which its id can be before its
 * timestamp (sql/09_webhooks.sql).
 */
const maxDelay = Duration.minutes(10)

/** The smallest UUIDv7 of a time in milliseconds (RFC 9562, 5.7). */
const firstUuid = (millis: number): string => {
  const hex = Math.max(0, millis).toString(16).padStart(12, "0")
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** Per statement, to stay below its timeout; an event has up to 100 deliveries. */
const maxEvents = 1000

export type EventRow = EventPosition & { readonly envelope: EventEnvelope }

export const personalEvents: PersonalTable = {
  table: "webhook_event",
  kept: ["event_type", "status", "traceparent"],
  personal: ["body"],
  run: Effect.fnUntraced(function* ({ sql }, { organization, submissions }) {
    const own = sql`organization_id = ${organization}::int`
    const events = yield* sql<{ id: EventId; body: string }>`
        select id, body from webhook_event where submission_id = any(${submissions}::uuid[]) and ${own}`
    const erased = events.map(({ body, id }) => ({ id, body: withoutCandidate(body) }))
    yield* sql`
        update webhook_event e set body = r.body from ${recordset(sql, erased, "id uuid, body text")}
        where e.id = r.id and ${own}`
  }),
  exported: {
    name: "events",
    of: "submission",
    row: "w.body::jsonb",
    from: "webhook_event w where w.submission_id = b.id",
    order: "w.xid, w.seq",
  },
}

export class EventRepository extends Context.Service<EventRepository>()(
  "interview-invitations/webhooks/events/EventRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      const { wake } = yield* QueueNotifier
      /**
       * A position before the first event since `at`: that of an event of any organization, found by the primary key, because
       * ids are UUIDv7. The ids of an imported organization are not in the order of its positions, so it gets the position of
       * one of its own events. That query starts at the newest event and reads only events that the request and its next pages
       * return. Only one of the two queries runs.
       */
      const longBefore = (organization: OrganizationId, at: Date) => {
        const end = sql`${firstUuid(at.getTime() - Duration.toMillis(maxDelay))}::uuid`
        const isImported = sql`(select exists (select from imported_organization where id = ${organization}::int))`
        return Effect.map(
          sql<EventPosition>`
            (select xid::text, seq::text from webhook_event
             where not ${isImported} and id < ${end} and organization_id <> all(array(select id from imported_organization))
             order by id desc limit 1)
            union all
            (select e.xid::text, e.seq::text from webhook_event e
             where ${isImported} and e.organization_id = ${organization}::int and uuid_cmp(e.id, ${end}) < 0
             order by e.xid desc, e.seq desc limit 1)`,
          (rows) => first(rows) ?? beginning,
        )
      }
      /**
       * An event's id is made right after its `timestamp`, which `not_before` may raise; created_at is the start of its
       * transaction. A function, so that the planner reads in the order of events: with `>=` it reads the index of ids for
       * events of the last days, 90 ms instead of 0.3 ms of a million.
       */
      const isFrom = (at: Date) => sql`
        uuid_cmp(e.id, ${firstUuid(at.getTime() - Duration.toMillis(maxDelay))}::uuid) >= 0
          and (e.body::json ->> 'timestamp') collate "C" >= ${at.toISOString()}`
      const store = (events: ReadonlyArray<WebhookEvent>, at: Statement.Fragment) => {
        const [event, ...others] = events
        if (event !== undefined && others.length === 0) {
          return sql<{ deliveries: number }>`
            select publish_event(${event.id}::uuid, ${event.organizationId}::int, ${event.eventType}, ${event.status},
              ${event.body}, ${event.submissionId}::uuid, ${[...matchingSubscriptions(event)]}::text[], ${at}) as deliveries`
        }
        const rows = events.map((one) => ({
          id: one.id,
          organization_id: one.organizationId,
          event_type: one.eventType,
          status: one.status,
          body: one.body,
          submission_id: one.submissionId,
          names: matchingSubscriptions(one),
        }))
        return sql<{ deliveries: number }>`
          select publish_events(${JSON.stringify(rows)}::text::jsonb, ${at}) as deliveries`
      }
      return {
        /**
         * One statement for up to `maxEvents`: `publish_event` or `publish_events` in sql/09_webhooks.sql. Also queues deliveries
         * of inactive endpoints, which a claim parks: if they were parked here, an endpoint that is enabled concurrently would
         * miss them.
         */
        publish: Effect.fnUntraced(function* (all: ReadonlyArray<WebhookEvent>) {
          for (let i = 0; i < all.length; i += maxEvents) {
            const events = all.slice(i, i + maxEvents)
            const [published] = yield* store(events, yield* now)
            if (published !== undefined && published.deliveries > 0) yield* wake("webhook_delivery")
          }
        }),
        /** The current end: all events before this position are final. */
        end: Effect.map(
          sql<EventPosition>`select ${finalBelow(sql)}::text as xid, '0' as seq`,
          (rows) => first(rows) ?? beginning,
        ),
        /** Only final events (EventOrderSql.ts), oldest first. */
        read: Effect.fnUntraced(function* (organization: OrganizationId, request: EventsRequest) {
          const { event_type, limit, submission_id } = request
          const since = request.after === undefined && request.start instanceof Date ? request.start : undefined
          const after = request.after ?? (since === undefined ? beginning : yield* longBefore(organization, since))
          return yield* sql<EventRow>`
            select e.xid::text, e.seq::text, e.body::json as envelope
            from webhook_event e
            where e.organization_id = ${organization}::int
              and (e.xid, e.seq) > (${after.xid}::xid8, ${after.seq}::bigint) and e.xid < ${finalBelow(sql)}
              and ${when(sql, since, isFrom)}
              and ${when(sql, event_type, (type) => sql`e.event_type = ${type}`)}
              and ${when(sql, submission_id, (id) => sql`e.submission_id = ${id}::uuid`)}
            order by e.xid, e.seq limit ${limit}::int`
        }),
        /** Undefined: the event was deleted. */
        bodyOf: Effect.fnUntraced(function* (organization: OrganizationId, id: EventId) {
          const rows = yield* sql<{ body: string }>`
            select body from webhook_event where id = ${id}::uuid and organization_id = ${organization}::int`
          return first(rows)?.body
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
