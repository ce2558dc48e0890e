-- Events, the endpoints that receive them, and their deliveries.

-- A URL of a hiring system that receives events.
create table webhook_endpoint (
  id                    uuid primary key,
  organization_id       integer not null references organization,
  name                  text not null,
  url                   text not null,
  description           text,
  events                text[] not null check (cardinality(events) > 0), -- parent events and sub-events
  secret                bytea not null, -- encrypted under SECRET_KEY, like previous_secret
  secret_since          timestamptz not null default now(), -- earlier deliveries were signed with another secret
  previous_secret       bytea, -- also signs until previous_secret_until
  previous_secret_until timestamptz,
  status                text not null default 'active' check (status in ('active', 'inactive')),
  consecutive_failures  integer not null default 0,
  last_success_at       timestamptz,
  last_failure_at       timestamptz,
  last_error            text, -- of the last failed attempt, for people
  deactivated_at        timestamptz, -- when the service deactivated it; null if a person did
  created_at            timestamptz not null default now(),
  deleted_at            timestamptz -- the row is deleted after its deliveries
);
create index webhook_endpoint_organization on webhook_endpoint (organization_id, created_at, id);
create index webhook_endpoint_deleted on webhook_endpoint (id) where deleted_at is not null;

-- An event, with the payload that hiring systems receive.
create table webhook_event (
  id              uuid primary key,
  organization_id integer not null references organization,
  -- Readers with a cursor read in the order (xid, seq), up to the oldest running transaction (webhooks/EventOrderSql.ts).
  xid             xid8 not null,
  seq             bigint generated always as identity,
  event_type      text not null,
  status          text not null,
  body            text not null, -- the exact payload of every delivery, UTF-8
  submission_id   uuid, -- references submission (07_submissions.sql)
  created_at      timestamptz not null default now(),
  resent_at       timestamptz, -- when a person sent it again; keeps it from being deleted as old
  traceparent     text default nullif(current_setting('interview.traceparent', true), '')
);
create index webhook_event_order on webhook_event (organization_id, xid, seq);
-- Without this index, a reader of a rare event type reads all other events.
create index webhook_event_type on webhook_event (organization_id, event_type, xid, seq);
create index webhook_event_submission on webhook_event (submission_id);

-- The offset of stored transaction numbers (webhooks/EventOrderSql.ts); one row. It is raised after each start of the
-- server (28_event_order.sql).
create table event_order (
  is_only    boolean primary key default true check (is_only),
  xid_offset bigint not null default 0 check (xid_offset >= 0)
);
insert into event_order default values;

-- A delivery of an event to an endpoint, and its job. Finished deliveries move to webhook_delivery_history, so this table
-- stays small. No foreign keys: each costs a lookup and a row lock per queued delivery (an event to ten endpoints is a fifth
-- faster without), and an index that each claim writes. Retention deletes events and endpoints after their deliveries
-- (webhooks/RetentionRepository.ts).
create table webhook_delivery (
  id               bigint generated always as identity primary key,
  organization_id  integer not null,
  endpoint_id      uuid not null,
  event_id         uuid not null,
  attempt_log      jsonb not null default '[]', -- oldest first: at, status, duration_ms, error, answer
  created_at       timestamptz not null default now(),
  state            text not null default 'queued' check (state in ('queued', 'parked')), -- parked: the endpoint is inactive
  due_at           timestamptz default now(),
  attempts         integer not null default 0,
  started_attempts smallint not null default 0,
  claim_id         uuid,
  check ((due_at is null) = (state <> 'queued'))
);
-- Two lanes, first attempts and retries: many retries do not delay first attempts.
create index webhook_delivery_lane on webhook_delivery (least(attempts, 1), due_at) where due_at is not null;
-- Due deliveries of one endpoint, for claims that skip full endpoints.
create index webhook_delivery_waiting on webhook_delivery (endpoint_id, due_at) where due_at is not null;
create index webhook_delivery_endpoint on webhook_delivery (endpoint_id, id);
create index webhook_delivery_parked on webhook_delivery (endpoint_id, id) where state = 'parked';
create index webhook_delivery_parked_event on webhook_delivery (event_id) where state = 'parked';
-- Rows are updated several times and then deleted: vacuum by their number and without pauses.
alter table webhook_delivery set (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000
);

-- A finished delivery, with the id that it had in webhook_delivery. One partition per day (UTC); retention drops whole
-- partitions.
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
  resent_at       timestamptz, -- when a person sent it again, as a new delivery of the same event
  primary key (id, finished_at)
) partition by range (finished_at);
create index webhook_delivery_history_endpoint on webhook_delivery_history (endpoint_id, id);
create index webhook_delivery_history_event on webhook_delivery_history (event_id);
create index webhook_delivery_history_failures on webhook_delivery_history (endpoint_id, id) where state = 'failed';
-- Failed deliveries that can be sent again.
create index webhook_delivery_history_failed on webhook_delivery_history (endpoint_id, finished_at)
  where state = 'failed' and resent_at is null;
-- Rows of days without a partition; normally empty.
create table webhook_delivery_history_default partition of webhook_delivery_history default;

-- The partitions of today and the next three days; workers create the later ones.
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
