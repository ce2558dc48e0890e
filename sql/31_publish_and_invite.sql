-- Publishing and inviting as functions. On a Citus cluster each of their statements goes to the node of the cell; one statement
-- that writes several tables would need all nodes (docs/citus.md).

-- Stores events and queues their deliveries (webhooks/EventRepository.ts). Returns the number of deliveries.
-- `names`: the subscriptions that match the event.
create function publish_events(events jsonb, moment timestamptz) returns integer language plpgsql
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
  select i.id, i.organization_id, i.event_type, i.status, i.body, i.submission_id, moment, event_xid
  from jsonb_to_recordset(events) as i(id uuid, organization_id integer, event_type text, status text, body text,
    submission_id uuid);
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

-- Stores what an invite creates (invitations/InviteRepository.ts). `created`: arrays of rows by table; a table without rows is
-- left out. `earlier_submissions`: new external_id and metadata of submissions that exist.
create function record_invite(organization integer, interview_set uuid, personal_message text, expiry timestamptz,
  created jsonb, moment timestamptz) returns void language plpgsql set search_path from current as $$
begin
  if created ? 'candidates' then
    insert into candidate (id, organization_id, created_at, ats_candidate_id, email, email_key, name, firstname, lastname)
    select r.id, organization, moment, r.ats_candidate_id, r.email, r.email_key, r.name, r.firstname, r.lastname
    from jsonb_to_recordset(created->'candidates') as r(id uuid, ats_candidate_id uuid, email text, email_key text, name text,
      firstname text, lastname text);
  end if;
  if created ? 'applications' then
    insert into application (id, organization_id, candidate_id, job_post_id, created_at)
    select r.id, organization, r.candidate_id, r.job_post_id, moment
    from jsonb_to_recordset(created->'applications') as r(id uuid, candidate_id uuid, job_post_id uuid);
  end if;
  if created ? 'submissions' then
    insert into submission (id, organization_id, interview_set_id, candidate_id, application_id, flow, status, external_id,
      metadata, expires_at, created_at)
    select r.id, organization, interview_set, r.candidate_id, r.application_id, r.flow, r.status, r.external_id, r.metadata,
      expiry, moment
    from jsonb_to_recordset(created->'submissions') as r(id uuid, candidate_id uuid, application_id uuid, flow text,
      status text, external_id text, metadata jsonb);
  end if;
  if created ? 'earlier_submissions' then
    update submission b set external_id = r.external_id, metadata = r.metadata
    from jsonb_to_recordset(created->'earlier_submissions') as r(id uuid, external_id text, metadata jsonb)
    where b.id = r.id and b.organization_id = organization;
  end if;
  if created ? 'invitations' then
    insert into invitation (id, organization_id, interview_set_id, candidate_id, submission_id, email, message, status,
      failure_reason, failed_at, expires_at, created_at)
    select r.id, organization, interview_set, r.candidate_id, r.submission_id, r.email, personal_message, r.status,
      r.failure_reason, case when r.status = 'failed' then moment end, expiry, moment
    from jsonb_to_recordset(created->'invitations') as r(id uuid, candidate_id uuid, submission_id uuid, email text,
      status text, failure_reason text);
  end if;
  if created ? 'emails' then
    insert into email (id, organization_id, invitation_id, kind, recipient, created_at, due_at)
    select r.id, organization, r.invitation_id, 'invitation', r.recipient, moment, moment
    from jsonb_to_recordset(created->'emails') as r(id uuid, invitation_id uuid, recipient text);
  end if;
end
$$;
