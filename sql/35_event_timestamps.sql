-- The timestamp of an event is not before those of the submission's earlier events: clocks of pods differ by milliseconds, and
-- the database's clock may be set back (platform/database/DatabaseClock.ts). All timestamps have the form that sorts as text;
-- the envelope's is the first "timestamp" of a body. The newest event has the latest timestamp, because each one was published
-- like this; only its body is read.

create or replace function publish_events(events jsonb, moment timestamptz) returns integer language plpgsql
set search_path from current as $$
declare
  is_current boolean; -- the offset; see webhooks/EventOrderSql.ts
  event_xid xid8;
  event_ids uuid[];
  organizations integer[];
  endpoint_ids uuid[];
begin
  loop
    select server_started_at is not distinct from pg_postmaster_start_time(),
      (xid_offset + greatest(pg_current_xact_id()::text::bigint, pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)
      )::text::xid8
    into is_current, event_xid
    from event_order;
    if not found then
      raise exception 'event_order has no row';
    end if;
    exit when is_current;
    perform continue_event_order();
  end loop;
  insert into webhook_event (id, organization_id, event_type, status, body, submission_id, created_at, xid)
  select i.id, i.organization_id, i.event_type, i.status,
    case when l.latest > (i.body::json ->> 'timestamp') collate "C"
      then regexp_replace(i.body, '"timestamp":"[^"]*"', '"timestamp":"' || l.latest || '"') else i.body end,
    i.submission_id, moment, event_xid
  from jsonb_to_recordset(events) as i(id uuid, organization_id integer, event_type text, status text, body text,
      submission_id uuid)
    cross join lateral (
      select (
        select (e.body::json ->> 'timestamp') collate "C" from webhook_event e
        where e.submission_id = i.submission_id and e.organization_id = i.organization_id
        order by e.seq desc limit 1
      ) as latest
    ) l;
  select array_agg(i.id), array_agg(i.organization_id), array_agg(e.id) into event_ids, organizations, endpoint_ids
  from jsonb_to_recordset(events) as i(id uuid, organization_id integer, submission_id uuid, names text[])
    join webhook_endpoint e
      on e.organization_id = i.organization_id and e.deleted_at is null and e.events && i.names
        -- the interview set or its project is chosen; a scalar sub-select, so that only endpoints with a choice read the
        -- submission
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
