-- What the candidate has done in an interview, whatever reviewers have done: 0 invited, 1 opened, 2 started, 3 submitted.
-- A decision about a candidate who never answered makes `stage` 5; the funnel still counts the candidate as invited only.

alter table submission add column candidate_stage smallint not null default 0;

create function candidate_stage(status text, initiated_at timestamptz, started_at timestamptz) returns smallint
language sql immutable parallel safe as $$
  select case when status in ('completed', 'evaluated') then 3 when started_at is not null then 2
    when initiated_at is not null then 1 else 0 end::smallint
$$;
create or replace function submission_stage(status text, initiated_at timestamptz, started_at timestamptz,
  reviewed_at timestamptz, decision text) returns smallint language sql immutable parallel safe as $$
  select case when decision is not null then 5 when reviewed_at is not null then 4
    else candidate_stage(status, initiated_at, started_at) end::smallint
$$;
create or replace function set_submission_stage() returns trigger language plpgsql as $$
begin
  new.candidate_stage = candidate_stage(new.status, new.initiated_at, new.started_at);
  new.stage = submission_stage(new.status, new.initiated_at, new.started_at, new.reviewed_at, new.decision);
  return new;
end
$$;
update submission set candidate_stage = candidate_stage(status, initiated_at, started_at) where stage > 0;

-- The funnel of each set: an index-only scan.
drop index submission_funnel;
create index submission_funnel on submission (organization_id, interview_set_id, candidate_stage, reviewed_at, decision)
  where flow = 'interview';

-- The newest decided or reviewed submissions, below many newer ones that are neither.
create index submission_decided_newest on submission (organization_id, created_at, id) where decision is not null;
create index submission_reviewed_newest on submission (organization_id, created_at, id) where reviewed_at is not null;
