/** What receivers answered to deliveries: responses and redirects may repeat a person's data. */
import { Effect } from "effect"
import { type Database, later } from "../../platform/database/Database.ts"
import type { PersonalTable } from "../../platform/database/PersonalData.ts"
import type { OrganizationId } from "../../values/Ids.ts"

/** The error without the target of a redirect, as `withoutAnswer` in Delivery.ts. */
const withoutTarget = (error: string) =>
  `split_part(replace(${error}, ', a redirect to ', ', a redirect' || chr(31)), chr(31), 1)`

/** Removes the answers to deliveries of events about these submissions. */
export const dropAnswers = Effect.fnUntraced(function* (
  { sql }: Pick<Database["Service"], "sql">,
  organization: OrganizationId,
  submissions: ReadonlyArray<string>,
) {
  const rows = yield* sql<{ id: string }>`
    select id from webhook_event where submission_id = any(${submissions}::uuid[]) and organization_id = ${organization}::int`
  const events = rows.map(({ id }) => id)
  const withoutAnswers = sql.literal(`attempt_log = (
    select coalesce(jsonb_agg(t.attempt || jsonb_build_object('answer', null,
      'error', ${withoutTarget("t.attempt ->> 'error'")}) order by t.place), '[]')
    from jsonb_array_elements(attempt_log) with ordinality as t (attempt, place))`)
  // deliveries have an index of retries, but none by event
  yield* sql`
    update webhook_delivery set ${withoutAnswers}
    where ((least(attempts, 1) = 1 and due_at is not null and attempts >= 0) or state = 'parked')
      and event_id = any(${events}::uuid[]) and organization_id = ${organization}::int and attempt_log <> '[]'`
  // one look-up for each event: the history's index of events cannot search a list; a day, because clocks of servers differ
  yield* sql`
    update webhook_delivery_history h set ${withoutAnswers}
    from webhook_event v
    where v.id = any(${events}::uuid[]) and h.event_id = v.id
      and h.finished_at >= ${later(sql, sql`v.created_at`, sql`interval '-24 hours'`)}
      and h.organization_id = ${organization}::int and attempt_log <> '[]'`
})

/** Later settlements drop the answers themselves (DeliverySettlementsSql.ts). */
export const personalDeliveries: ReadonlyArray<PersonalTable> = [
  {
    table: "webhook_endpoint",
    kept: [
      ...["description", "events", "header_names", "headers", "inactive_reason", "name", "previous_secret", "secret"],
      ...["status", "url"],
    ],
    personal: ["last_error"],
    // lock order of settlements: endpoints by id, then deliveries
    run: ({ sql }, { organization }) => sql`
        update webhook_endpoint set last_error = ${sql.literal(withoutTarget("last_error"))}
        where id = any(array(select id from webhook_endpoint
          where organization_id = ${organization}::int and last_error like '%, a redirect to %'
          order by id for no key update))`,
  },
  {
    table: "webhook_delivery",
    kept: ["state"],
    personal: ["attempt_log"],
    run: (database, { organization, submissions }) => dropAnswers(database, organization, submissions),
  },
  { table: "webhook_delivery_history", kept: ["state"], personal: ["attempt_log"] },
]
