-- Functions that name tables or other functions find them in the schema of the installation (DATABASE_SCHEMA). Sessions of
-- psql, of a subscription and of a Citus worker have another search_path.
-- Sets the name as a literal, because Citus refuses `from current` here.
do $$
declare
  one regprocedure;
begin
  foreach one in array array['answer_words(uuid, integer, integer)', 'update_submission_score()', 'set_submission_stage()',
    'store_submission_words()', 'report_events()', 'report_submission()']::regprocedure[]
  loop
    execute format('alter function %s set search_path = %I', one, current_schema());
  end loop;
end
$$;

-- As platform/queue/QueueNotifier.ts names the channel.
create function notify_of_due(queue text) returns void language plpgsql set search_path from current as $$
begin
  perform pg_notify('interview_invitations_due' || coalesce('_' || nullif(current_schema(), 'public'), ''), queue);
end
$$;

create or replace function queue_ats_reports(submissions uuid[]) returns void language plpgsql
set search_path from current as $$
begin
  insert into ats_report as r (id, order_id, organization_id, connection_id, state, due_at)
  select o.id, o.id, o.organization_id, o.connection_id, case when c.status = 'paused' then 'parked' else 'queued' end,
    case when c.status = 'active' then now() end
  from ats_order o join ats_connection c on c.id = o.connection_id where o.submission_id = any(submissions) order by o.id
  for key share of c -- waits for a change of the status or the credentials
  on conflict (id) do update set changes = r.changes + 1, state = excluded.state,
    due_at = case when excluded.state = 'queued' then coalesce(r.due_at, excluded.due_at) end,
    attempts = case when r.state = 'queued' then r.attempts else 0 end;
  if found then
    perform notify_of_due('ats_report');
  end if;
end
$$;

create or replace function synchronize_changed_sets() returns trigger language plpgsql
set search_path from current as $$
begin
  update ats_report r set changes = r.changes + 1, state = 'queued', due_at = coalesce(r.due_at, now()),
    attempts = case when r.state = 'queued' then r.attempts else 0 end
  where r.order_id is null and r.state <> 'parked' and r.organization_id = new.organization_id;
  if found then
    perform notify_of_due('ats_report');
  end if;
  return null;
end
$$;
