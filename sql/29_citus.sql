-- Triggers and functions in a form that also works on a Citus worker (docs/citus.md): each statement that writes names one
-- table and otherwise only arguments and variables. With the rows of a sub-statement, it would need all workers of the cluster.

create or replace function update_submission_score() returns trigger language plpgsql set search_path from current as $$
declare
  done uuid[] := array(select c.submission_id from changed c where c.state = 'done');
  scores current_score[];
begin
  if cardinality(done) = 0 then
    return null;
  end if;
  delete from submission_score k
  where k.submission_id = any(done) and not exists (select from current_score l where l.submission_id = k.submission_id);
  -- ordered, so that two transactions with the same submissions do not deadlock
  scores := array(select l from current_score l where l.submission_id = any(done) order by l.submission_id);
  insert into submission_score as kept (submission_id, organization_id, interview_set_id, score, override_score, score_status,
    created_at, met)
  select submission_id, organization_id, interview_set_id, score, override_score, score_status, created_at, met
  from unnest(scores)
  on conflict (submission_id) do update
    set score = excluded.score, override_score = excluded.override_score, score_status = excluded.score_status,
      met = excluded.met
  where (kept.score, kept.override_score, kept.score_status, kept.met)
    is distinct from (excluded.score, excluded.override_score, excluded.score_status, excluded.met);
  return null;
end
$$;

-- person_query calls person_words, so it needs the schema too.
do $$
begin
  execute format('alter function person_query(integer, text) set search_path = %I', current_schema());
end
$$;

create or replace function queue_ats_reports(submissions uuid[]) returns void language plpgsql
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

create or replace function synchronize_changed_sets() returns trigger language plpgsql
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

-- As in sql/27_schema.sql, but not on a Citus worker: no pod listens there, and Citus cannot commit a notification in two phases.
-- Connections of the coordinator to a worker have an application name that begins with citus_.
create or replace function notify_of_due(queue text) returns void language plpgsql set search_path from current as $$
begin
  if current_setting('application_name') not like 'citus\_%' then
    perform pg_notify('interview_invitations_due' || coalesce('_' || nullif(current_schema(), 'public'), ''), queue);
  end if;
end
$$;
