-- Finished deliveries leave the queue for a history that is partitioned by day: the queue holds what is to be done and
-- stays small, and what is older than WEBHOOK_RETENTION goes with its partition. The id goes along, so that a delivery is
-- the same one in both. A pod of the version before still finishes its rows in webhook_delivery; they are moved on.
create table webhook_delivery_history (
  id              bigint not null,
  organization_id integer not null,
  endpoint_id     uuid not null,
  event_id        uuid not null,
  attempt_log     jsonb not null, -- oldest first: at, status, duration_ms, error, answer
  created_at      timestamptz not null,
  finished_at     timestamptz not null,
  state           text not null check (state in ('delivered', 'failed')),
  attempts        integer not null,
  resent_at       timestamptz, -- when somebody had it sent again, as a new delivery of the same event
  primary key (id, finished_at)
) partition by range (finished_at);
create index webhook_delivery_history_endpoint on webhook_delivery_history (endpoint_id, id);
create index webhook_delivery_history_failed on webhook_delivery_history (endpoint_id, finished_at)
  where state = 'failed' and resent_at is null;
-- For days that nobody has made a partition for; as a rule empty.
create table webhook_delivery_history_default partition of webhook_delivery_history default;

do $$
declare
  day date := (now() at time zone 'UTC')::date;
begin
  for i in 0..3 loop
    execute format(
      'create table webhook_delivery_history_%s partition of webhook_delivery_history for values from (%L) to (%L)',
      to_char(day + i, 'YYYYMMDD'), (day + i) || ' 00:00+00', (day + i + 1) || ' 00:00+00');
  end loop;
end
$$;

-- Due rows in two lanes, first attempts and retries: a storm of retries does not hold up what was never tried.
create index webhook_delivery_lane on webhook_delivery (least(attempts, 1), due_at) where due_at is not null;
-- Due rows of one endpoint, for claims that have to look past endpoints which are at their limit.
create index webhook_delivery_waiting on webhook_delivery (endpoint_id, due_at) where due_at is not null;
create index webhook_delivery_parked on webhook_delivery (endpoint_id, id) where state = 'parked';
create index webhook_delivery_finished on webhook_delivery (id) where state in ('delivered', 'failed');
drop index webhook_delivery_due;
drop index webhook_delivery_endpoint;

-- An event stays as long as a delivery of it waits (repository/Retention.ts). A foreign key would want an index that each
-- claim and each retry has to write.
alter table webhook_delivery drop constraint webhook_delivery_event_id_fkey;
-- The endpoint's says as much, and each costs a look-up and a lock for every row that is queued.
alter table webhook_delivery drop constraint webhook_delivery_organization_id_fkey;
drop index webhook_delivery_event;
alter table webhook_event add column resent_at timestamptz;

-- A queue's rows change several times and go: vacuum by their number, not by the size of the table, and do not sleep.
alter table webhook_delivery set (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000
);

alter table webhook_endpoint
  add column last_failure_at timestamptz,
  add column last_error text, -- of the last failed attempt, in plain words
  -- Removed for people; the row goes when its deliveries are gone, some thousand at a time.
  add column deleted_at timestamptz;
create index webhook_endpoint_deleted on webhook_endpoint (id) where deleted_at is not null;
