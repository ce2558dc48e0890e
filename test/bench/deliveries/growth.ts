/** Fills a database as after a month: finished deliveries in the history, queued ones that wait for their retry. */
import { Effect } from "effect"
import { execute } from "../../support/databases.ts"
import { growth } from "./settings.ts"

/** Deliveries of one event. */
const share = 10

const numbered =
  "(select *, row_number() over (order by id) - 1 as number, count(*) over () as endpoints from webhook_endpoint)"

/** SQL for `count` deliveries, `share` of each event, to the endpoint of the event's organization. */
const deliveriesOf = (from: number, count: number) => `
  (select v.id as event_id, v.organization_id, e.id as endpoint_id, v.created_at, n
   from generate_series(1, ${share}) n cross join (
     select * from webhook_event order by seq offset ${from / share} limit ${count / share}) v
   join webhook_endpoint e on e.organization_id = v.organization_id) d`

const { finished, future } = growth

const attempt = (status: number) =>
  `jsonb_build_array(jsonb_build_object('at', created_at, 'status', ${status}, 'duration_ms', 12, 'error', null, 'answer', '{}'))`

/** A UUID version 7 of a time, as the service makes them. */
const uuidAt = (time: string) =>
  `(lpad(to_hex((extract(epoch from ${time}) * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 19))::uuid`

const statements = [
  // the history's partitions of the last 30 days
  `do $$ declare day date; begin
     for i in 1..30 loop
       day := (now() at time zone 'UTC')::date - i;
       execute format('create table webhook_delivery_history_%s partition of webhook_delivery_history for values from (%L) to (%L)',
         to_char(day, 'YYYYMMDD'), day || ' 00:00+00', (day + 1) || ' 00:00+00');
     end loop;
   end $$`,
  `insert into webhook_event (id, organization_id, event_type, status, body, xid, created_at)
   select ${uuidAt(`now() - interval '29 days' * n / ${(finished + future) / share}`)}, e.organization_id, 'interview.status.update', 'completed', repeat('a', 1024), pg_current_xact_id(),
     now() - interval '29 days' * n / ${(finished + future) / share}
   from generate_series(1, ${(finished + future) / share}) n
   join ${numbered} e on e.number = n % e.endpoints`,
  `insert into webhook_delivery_history
     (id, organization_id, endpoint_id, event_id, attempt_log, created_at, finished_at, state, attempts)
   select nextval(pg_get_serial_sequence('webhook_delivery', 'id')), organization_id, endpoint_id, event_id,
     ${attempt(200)}, created_at, created_at, 'delivered', 1
   from ${deliveriesOf(0, finished)}`,
  `insert into webhook_delivery (organization_id, endpoint_id, event_id, attempt_log, created_at, state, attempts, due_at)
   select organization_id, endpoint_id, event_id, ${attempt(503)}, created_at, 'queued', 1 + n % 5,
     now() + interval '2 hours' * (1 + random())
   from ${deliveriesOf(finished, future)}`,
  "vacuum analyze",
]

export const fill = (url: string) =>
  Effect.forEach(statements, (statement) => execute(url, statement), { discard: true })
