-- Events, the endpoints that receive them, and their deliveries.

-- A URL of a hiring system that receives events.
create table webhook_endpoint (
  id                    uuid primary key,
  organization_id       integer not null references organization,
  name                  text not null,
  url                   text not null, -- of a chat channel, without its secret path: the whole one is in secret
  -- What is sent: events with a signature, or messages to a channel of Slack or Teams (webhooks/chat/ChatMessage.ts).
  format                text not null default 'event' check (format in ('event', 'slack', 'teams')),
  description           text,
  events                text[] not null check (cardinality(events) > 0), -- parent events and sub-events
  secret                bytea not null, -- encrypted under SECRET_KEY, like previous_secret; of a chat channel, its address
  secret_since          timestamptz not null default now(), -- earlier deliveries were signed with another secret
  previous_secret       bytea, -- also signs until previous_secret_until
  previous_secret_until timestamptz,
  status                text not null default 'active' check (status in ('active', 'inactive')),
  consecutive_failures  integer not null default 0,
  last_success_at       timestamptz,
  last_failure_at       timestamptz,
  last_error            text, -- of the last failed attempt, for people
  deactivated_at        timestamptz, -- when the service deactivated it; null if a person did
  -- manual: a person; failures, gone (410), unreadable_secret: the service; null: active
  inactive_reason       text,
  next_probe_at         timestamptz, -- null: no probe follows (webhooks/EndpointProbes.ts)
  failed_probes         integer not null default 0, -- since the deactivation
  probe_delivery_id     bigint, -- the delivery that was last queued as a probe
  resume_at             timestamptz, -- from when the next parked deliveries are sent; null: none are to be sent
  header_names          text[] not null default '{}', -- sent with each delivery; in the order of the form
  headers               bytea, -- their names and values, encrypted under SECRET_KEY
  max_per_minute        integer check (max_per_minute between 1 and 60000), -- attempts; null: no limit
  next_slot_at          timestamptz, -- with max_per_minute: of the next attempt (webhooks/deliveries/DeliveryClaimRepository.ts)
  -- Both empty: events of all interview sets. Otherwise events of these sets, and of sets in these projects. Ids of
  -- deleted records stay, so that an endpoint never receives more than was chosen.
  interview_set_ids     uuid[] not null default '{}',
  project_ids           uuid[] not null default '{}',
  created_at            timestamptz not null default now(),
  deleted_at            timestamptz -- the row is deleted after its deliveries
);
-- Attempts and rates write its rows often: room for their next versions on the same page, without writes to the indexes.
alter table webhook_endpoint set (fillfactor = 50);
create index webhook_endpoint_organization on webhook_endpoint (organization_id, created_at, id);

-- Nothing of a test space is shown to people outside of it: it posts no messages to channels.
create function check_endpoint_mode() returns trigger language plpgsql set search_path from current as $$
begin
  if is_test_space(new.organization_id) then
    raise exception 'a test space has no channels of Slack or Teams';
  end if;
  return new;
end
$$;
create trigger webhook_endpoint_mode before insert or update of format, organization_id on webhook_endpoint
  for each row when (new.format <> 'event') execute function check_endpoint_mode();
create index webhook_endpoint_deleted on webhook_endpoint (id) where deleted_at is not null;
create index webhook_endpoint_next_probe on webhook_endpoint (next_probe_at) where next_probe_at is not null;
create index webhook_endpoint_resume on webhook_endpoint (id) where resume_at is not null;

-- Attempts by hour, for charts. Counted in the processes and written every few seconds: the counts of a killed process's
-- last seconds are missing.
create table webhook_endpoint_hour (
  endpoint_id uuid not null,
  hour        timestamptz not null,
  delivered   integer not null default 0,
  failed      integer not null default 0,
  primary key (endpoint_id, hour)
) with (fillfactor = 50);

-- An event, with the payload that hiring systems receive.
create table webhook_event (
  id              uuid primary key,
  -- No foreign key: each published event would lock the organization's row. Only a move deletes organizations, and its guards
  -- refuse their events (sql/11_cells.sql).
  organization_id integer not null,
  -- Readers with a cursor read in the order (xid, seq), up to the oldest running transaction (webhooks/EventOrderSql.ts).
  xid             xid8 not null,
  seq             bigint generated always as identity,
  event_type      text not null,
  status          text not null,
  body            text not null, -- the exact payload of every delivery, UTF-8
  submission_id   uuid references submission,
  created_at      timestamptz not null default now(),
  resent_at       timestamptz, -- when a person sent it again; keeps it from being deleted as old
  traceparent     text default nullif(current_setting('interview.traceparent', true), '')
);
create index webhook_event_order on webhook_event (organization_id, xid, seq);
-- Without this index, a reader of a rare event type reads all other events.
create index webhook_event_type on webhook_event (organization_id, event_type, xid, seq);
-- Also finds the newest event of a submission, without reading the others (publish_event, publish_events).
create index webhook_event_submission on webhook_event (submission_id, seq);

-- The offset of stored transaction numbers (webhooks/EventOrderSql.ts); one row. continue_event_order raises it.
create table event_order (
  is_only           boolean primary key default true check (is_only),
  xid_offset        bigint not null default 0 check (xid_offset >= 0),
  server_started_at timestamptz -- the start of the server for which the offset was set; null: not known
);
insert into event_order default values;

-- Raises the offset once after each start of the server, so that new numbers are above all earlier ones; returns the offset.
-- Concurrent calls wait until the transaction of the first one has ended. Reads the values before the update: Citus refuses
-- clock_timestamp() in an update, and would take the start and the snapshot of the coordinator there.
create function continue_event_order() returns bigint language plpgsql set search_path from current as $$
declare
  raised bigint;
  started_at timestamptz;
begin
  perform from event_order where server_started_at is distinct from pg_postmaster_start_time() for update;
  if found then
    select case when known.clock > known.used then known.clock else known.used + (1::bigint << 40) end - known.oldest, known.started_at
    into raised, started_at
    from (
      select (extract(epoch from clock_timestamp()) * 1000000)::bigint as clock,
        greatest(
          (select max(newest.xid::text::bigint) from organization o cross join lateral (
            select e.xid from webhook_event e where e.organization_id = o.id order by e.xid desc, e.seq desc limit 1
          ) newest),
          xid_offset + pg_snapshot_xmax(pg_current_snapshot())::text::bigint
        ) as used,
        pg_snapshot_xmin(pg_current_snapshot())::text::bigint as oldest, pg_postmaster_start_time() as started_at
      from event_order
    ) known;
    update event_order set server_started_at = started_at, xid_offset = raised;
  end if;
  return (select xid_offset from event_order);
end
$$;

-- A delivery of an event to an endpoint, and its job. Finished deliveries move to webhook_delivery_history, so this table
-- stays small. No foreign keys: each costs a lookup and a row lock per queued delivery, and an index that each claim writes. Retention deletes events and endpoints after their deliveries
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
  unended_attempts smallint not null default 0,
  alone            text check (alone in ('waiting', 'started')),
  claim_id         uuid,
  leased_until     timestamptz,
  claimed_by       integer,
  single_attempt   integer, -- sent although the endpoint is inactive, while `attempts` has this value: a member sends one parked delivery
  check ((due_at is null) = (state <> 'queued'))
);
-- Two lanes, first attempts and retries: many retries do not delay first attempts. Statistics of the queue are usually
-- collected while it is empty. The planner then expects one row for any condition, all indexes cost the same, and a claim may
-- read a backlog through the wrong index. `attempts >= 0` is always true, but only statements that contain it can use this
-- index. Claims for all endpoints contain it; claims for one endpoint do not.
create index webhook_delivery_lane on webhook_delivery (least(attempts, 1), due_at)
  where due_at is not null and attempts >= 0;
-- Due deliveries of one endpoint, by lane, for claims while many are due.
create index webhook_delivery_waiting on webhook_delivery (endpoint_id, least(attempts, 1), due_at) where due_at is not null;
create index webhook_delivery_endpoint on webhook_delivery (endpoint_id, id);
create index webhook_delivery_parked on webhook_delivery (endpoint_id, id) where state = 'parked';
create index webhook_delivery_parked_event on webhook_delivery (event_id) where state = 'parked';
-- A claimed row is a quarter larger: a fillfactor of 40 leaves room for all rows of a page. Rows are updated several times and
-- then deleted: vacuum by their number and without pauses.
alter table webhook_delivery set (
  fillfactor = 40,
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
-- Finished deliveries of an event are looked up only for an erasure. Ids of events grow with time, so a BRIN index is enough,
-- and writing it costs almost nothing.
create index webhook_delivery_history_event on webhook_delivery_history using brin (event_id) with (pages_per_range = 32);
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

-- The number of an event that this transaction publishes (webhooks/events/EventOrderSql.ts).
create function new_event_xid() returns xid8 language plpgsql set search_path from current as $$
declare
  is_current boolean; -- the offset
  number xid8;
begin
  loop
    select server_started_at is not distinct from pg_postmaster_start_time(),
      (xid_offset + greatest(pg_current_xact_id()::text::bigint, pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)
      )::text::xid8
    into is_current, number
    from event_order;
    if not found then
      raise exception 'event_order has no row';
    end if;
    if is_current then
      return number;
    end if;
    perform continue_event_order();
  end loop;
end
$$;

-- The timestamp in a body. All timestamps have the 24 characters of toISOString, which sort as text, and the envelope's is the
-- first key "timestamp" of a body, also after an erasure.
create function event_timestamp(body text) returns text language sql immutable parallel safe as $$
  select substr(body, strpos(body, '"timestamp":"') + 13, 24)
$$;

-- The timestamp of an event is not before those of the submission's earlier events: clocks of pods differ by milliseconds, and
-- the database's clock may be set back (platform/database/DatabaseClock.ts). The newest event has the latest timestamp, because
-- each one was published like this; only its body is read, by the index of the submission and seq. `latest` null: there are no
-- earlier events.
create function not_before(body text, latest text) returns text language sql immutable parallel safe as $$
  select case when latest collate "C" > event_timestamp(body)
    then regexp_replace(body, '"timestamp":"[^"]*"', '"timestamp":"' || latest || '"') else body end
$$;

-- Stores an event and queues its deliveries (webhooks/events/EventRepository.ts). Returns the number of deliveries. `names`: the
-- subscriptions that match the event. For an event to ten endpoints, it takes 0.8 of the time of publish_events.
--
-- `enable_seqscan = off`: sessions keep the plans of their first calls, which may have found the table empty. `jit = off`: before
-- Postgres 18, a disabled scan costs so much that each call would be compiled; event_order has no index.
create function publish_event(event uuid, organization integer, event_type text, status text, body text, submission uuid,
  names text[], moment timestamptz) returns integer language plpgsql
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  event_xid xid8 := new_event_xid();
  latest text;
  endpoint_ids uuid[];
begin
  if submission is not null then
    -- one row by its submission, so that no plan reads by organization
    select case when n.organization_id = organization then event_timestamp(n.body) end into latest
    from (select e.organization_id, e.body from webhook_event e where e.submission_id = submission order by e.seq desc limit 1) n;
  end if;
  insert into webhook_event (id, organization_id, event_type, status, body, submission_id, created_at, xid)
  values (event, organization, event_type, status, not_before(body, latest), submission, moment, event_xid);
  endpoint_ids := array(
    select e.id from webhook_endpoint e
    where e.organization_id = organization and e.deleted_at is null and e.events && names
      -- the interview set or its project is chosen; a scalar sub-select, so that only endpoints with a choice read the
      -- submission
      and (cardinality(e.interview_set_ids) + cardinality(e.project_ids) = 0 or coalesce((
        select b.interview_set_id = any(e.interview_set_ids) or coalesce(t.project_id = any(e.project_ids), false)
        from submission b join interview_set t on t.id = b.interview_set_id
        where b.id = submission and b.organization_id = organization), false)));
  if cardinality(endpoint_ids) = 0 then
    return 0;
  end if;
  insert into webhook_delivery (organization_id, endpoint_id, event_id, created_at, state, due_at)
  select organization, endpoint, event, moment, 'queued', moment from unnest(endpoint_ids) as r(endpoint);
  return cardinality(endpoint_ids);
end
$$;

-- As publish_event, for any number of events.
create function publish_events(events jsonb, moment timestamptz) returns integer language plpgsql
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  event_xid xid8 := new_event_xid();
  event_ids uuid[];
  organizations integer[];
  endpoint_ids uuid[];
begin
  insert into webhook_event (id, organization_id, event_type, status, body, submission_id, created_at, xid)
  select i.id, i.organization_id, i.event_type, i.status, not_before(i.body, l.latest), i.submission_id, moment, event_xid
  from jsonb_to_recordset(events) as i(id uuid, organization_id integer, event_type text, status text, body text,
      submission_id uuid)
    cross join lateral (
      -- `offset 0`: the sub-select runs once, although not_before names its result several times
      select (
        select case when n.organization_id = i.organization_id then event_timestamp(n.body) end
        from (select e.organization_id, e.body from webhook_event e where e.submission_id = i.submission_id
          order by e.seq desc limit 1) n
      ) as latest offset 0
    ) l;
  -- `order by`: an endpoint's deliveries are numbered in the order of their events, whichever join the plan takes
  select array_agg(i.id order by i.place, e.id), array_agg(i.organization_id order by i.place, e.id),
    array_agg(e.id order by i.place, e.id)
  into event_ids, organizations, endpoint_ids
  from rows from (jsonb_to_recordset(events) as (id uuid, organization_id integer, submission_id uuid, names text[]))
      with ordinality as i(id, organization_id, submission_id, names, place)
    join webhook_endpoint e
      on e.organization_id = i.organization_id and e.deleted_at is null and e.events && i.names
        and (cardinality(e.interview_set_ids) + cardinality(e.project_ids) = 0 or coalesce((
          select b.interview_set_id = any(e.interview_set_ids) or coalesce(t.project_id = any(e.project_ids), false)
          from submission b join interview_set t on t.id = b.interview_set_id
          where b.id = i.submission_id and b.organization_id = i.organization_id), false));
  if event_ids is null then
    return 0;
  end if;
  insert into webhook_delivery (organization_id, endpoint_id, event_id, created_at, state, due_at)
  select organization, endpoint, event, moment, 'queued', moment
  from unnest(organizations, endpoint_ids, event_ids) as r(organization, endpoint, event);
  return cardinality(event_ids);
end
$$;

-- What a member gets to know in the next daily email (reviews/Digests.ts), which deletes it.
create table member_notice (
  id              uuid primary key default gen_random_uuid(),
  organization_id integer not null references organization,
  member_id       uuid not null references member on delete cascade,
  kind            text not null check (kind in ('mentions', 'comments', 'assignments', 'submitted', 'accommodations', 'person_reviews', 'remarks', 'webhooks')),
  submission_id   uuid references submission on delete cascade,
  endpoint_id     uuid references webhook_endpoint on delete cascade,
  by_member_id    uuid references member on delete set null, -- who mentioned, commented or assigned
  created_at      timestamptz not null
);
create index member_notice_organization on member_notice (organization_id, created_at);
create index member_notice_member on member_notice (member_id, created_at);
create index member_notice_by on member_notice (by_member_id) where by_member_id is not null;
create index member_notice_submission on member_notice (submission_id) where submission_id is not null;
create index member_notice_endpoint on member_notice (endpoint_id) where endpoint_id is not null;
