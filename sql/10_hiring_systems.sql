-- Connections to hiring systems, the orders of hiring systems, and the reports to them.

-- An organization's connection to one of its hiring systems.
create table ats_connection (
  id              uuid primary key,
  organization_id integer not null references organization,
  system          text not null, -- an id of HiringSystem.ts
  name            text not null,
  status          text not null default 'active' check (status in ('active', 'paused')),
  key_hash        bytea not null unique, -- SHA-256 of the key that the hiring system sends
  credentials     bytea not null, -- the key and the vendor's credentials, encrypted under SECRET_KEY
  created_at      timestamptz not null default now(),
  last_used_at    timestamptz
);
create index ats_connection_organization on ats_connection (organization_id, created_at, id);

-- A test space takes no orders of hiring systems, and so has nothing to report to them.
create function check_connection_mode() returns trigger language plpgsql set search_path from current as $$
begin
  if is_test_space(new.organization_id) then
    raise exception 'a test space has no connections to hiring systems';
  end if;
  return new;
end
$$;
create trigger ats_connection_mode before insert or update of organization_id on ats_connection
  for each row execute function check_connection_mode();

-- An interview that a hiring system ordered. Inserted before the candidate is invited, in the same transaction: a repeated
-- order waits for the first one and finds its submission.
create table ats_order (
  id              uuid primary key,
  organization_id integer not null references organization,
  connection_id   uuid not null references ats_connection on delete cascade,
  external_id     text not null, -- the order's id in the hiring system
  submission_id   uuid references submission, -- null until the candidate is invited, in the same transaction
  callback_url    text, -- where reports are sent
  profile_url     text, -- the candidate's page in the hiring system
  ordered_by      text, -- an email address
  job             text, -- the job's name in the hiring system
  created_at      timestamptz not null default now(),
  cancelled_at    timestamptz, -- by the hiring system
  -- The hiring system was given the submission's id; true: the order's id, because the connection had an order of the submission
  -- already. Two applications of one candidate then have two ids.
  has_own_id      boolean not null default false,
  unique (connection_id, external_id)
);
create index ats_order_submission on ats_order (submission_id);
-- Orders of other organizations with the same id (ats/Orders.ts).
create index ats_order_external on ats_order (external_id);

-- The report of an order, and its job. One row per order, so that at most one request of an order is in flight. The report's
-- content is read when it is sent. `changes` counts the order's changes: a report that was claimed before the newest change
-- is sent again. A row without an order synchronizes the connection: it sends the interview sets and fetches open orders.
create table ats_report (
  id               uuid primary key, -- the order's, or else the connection's
  order_id         uuid references ats_order on delete cascade check (order_id = id),
  organization_id  integer not null,
  connection_id    uuid not null references ats_connection on delete cascade,
  changes          integer not null default 1,
  reported_at      timestamptz,
  last_error       text,
  failed_at        timestamptz, -- when the report was given up; the newest time
  sent_again       integer, -- the report's `changes` when the service sent it again, because the hiring system answered
  state            text not null default 'queued' check (state in ('queued', 'reported', 'failed', 'parked')), -- parked: the connection is paused, or its credentials are incomplete
  due_at           timestamptz default now(),
  attempts         integer not null default 0,
  unended_attempts smallint not null default 0,
  alone            text check (alone in ('waiting', 'started')),
  claim_id         uuid,
  leased_until     timestamptz,
  claimed_by       integer,
  traceparent      text default nullif(current_setting('interview.traceparent', true), ''),
  check ((due_at is null) = (state <> 'queued'))
);
create index ats_report_due on ats_report (due_at) where due_at is not null;
create index ats_report_failed on ats_report (organization_id, failed_at) where state = 'failed';
create index ats_report_connection_due on ats_report (connection_id, due_at) where due_at is not null;
create index ats_report_connection on ats_report (connection_id, id);
create index ats_report_order on ats_report (order_id) where order_id is not null;
-- Reports whose last attempt failed, for the home and for sending them again.
create index ats_report_troubled on ats_report (connection_id) where last_error is not null;
create index ats_report_synchronization on ats_report (organization_id) where order_id is null;

-- The log of exchanges: calls of hiring systems, and requests to them. No secrets, no personal data except ids.
create table ats_exchange (
  id              bigint generated always as identity primary key,
  organization_id integer not null,
  connection_id   uuid not null references ats_connection on delete cascade,
  at              timestamptz not null,
  operation       text not null,
  order_id        uuid,
  status          integer, -- HTTP; null: no response
  error           text -- shown to users; null: no error
);
create index ats_exchange_connection on ats_exchange (connection_id, id);
create index ats_exchange_at on ats_exchange (at);
create index ats_exchange_order on ats_exchange (order_id) where error is not null;

create function queue_ats_reports(submissions uuid[]) returns void language plpgsql
set search_path from current as $$
declare
  moment timestamptz := now();
  ids uuid[];
  organizations integer[];
  connections uuid[];
  statuses text[];
begin
  select array_agg(id), array_agg(organization_id), array_agg(connection_id), array_agg(status)
  into ids, organizations, connections, statuses
  from (
    select o.id, o.organization_id, o.connection_id, c.status
    from ats_order o join ats_connection c on c.id = o.connection_id where o.submission_id = any(submissions) order by o.id
    for key share of c -- waits for open transactions that change the status or the credentials
  ) locked;
  if ids is null then
    return;
  end if;
  insert into ats_report as r (id, order_id, organization_id, connection_id, state, due_at)
  select id, id, organization, connection, case when status = 'paused' then 'parked' else 'queued' end,
    case when status = 'active' then moment end
  from unnest(ids, organizations, connections, statuses) as q(id, organization, connection, status)
  on conflict (id) do update set changes = r.changes + 1, state = excluded.state,
    due_at = case when excluded.state = 'queued' then coalesce(r.due_at, excluded.due_at) end,
    attempts = case when r.state = 'queued' then r.attempts else 0 end;
  perform notify_of_due('ats_report');
end
$$;

-- Every published event pays for this, so events of submissions without an order end at `exists`. Ids in a variable, because
-- Citus refuses a join of the transition table.
create function report_events() returns trigger language plpgsql set search_path from current as $$
declare
  ids uuid[] := array(
    select distinct submission_id from written
    where submission_id is not null and status in ('started', 'completed', 'invitation_email_failed', 'scored', 'cannot_evaluate', 'not_scored')
  );
begin
  if cardinality(ids) > 0 and exists (select from ats_order where submission_id = any(ids)) then
    perform queue_ats_reports(ids);
  end if;
  return null;
end
$$;
create trigger webhook_event_reported after insert on webhook_event referencing new table as written
  for each statement execute function report_events();

create function report_submission() returns trigger language plpgsql set search_path from current as $$
begin
  perform queue_ats_reports(array[new.id]);
  return null;
end
$$;
create trigger submission_reported after update of status on submission for each row
  when (new.status in ('withdrawn', 'expired') and old.status is distinct from new.status)
  execute function report_submission();
-- A score that was reported is taken back, or counts again.
create trigger submission_score_reported after update of score_unused on submission for each row
  when (new.status = 'evaluated' and old.score_unused is distinct from new.score_unused)
  execute function report_submission();

create function synchronize_changed_sets() returns trigger language plpgsql
set search_path from current as $$
declare
  moment timestamptz := now();
begin
  update ats_report r set changes = r.changes + 1, state = 'queued', due_at = coalesce(r.due_at, moment),
    attempts = case when r.state = 'queued' then r.attempts else 0 end
  where r.order_id is null and r.state <> 'parked' and r.organization_id = new.organization_id;
  if found then
    perform notify_of_due('ats_report');
  end if;
  return null;
end
$$;
create trigger interview_set_creation_synchronized after insert on interview_set for each row execute function synchronize_changed_sets();
create trigger interview_set_change_synchronized after update of title, archived_at, deleted_at on interview_set for each row
  when ((new.title, new.archived_at, new.deleted_at) is distinct from (old.title, old.archived_at, old.deleted_at))
  execute function synchronize_changed_sets();
