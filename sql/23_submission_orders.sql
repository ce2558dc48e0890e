-- Orders of the list of submissions: by candidate, status, requirements and first review.

-- The name that the list shows (displayName in src/candidates/Candidate.ts), in lower case, without accents. The index has
-- the order of bytes, which does not depend on the database's locale.
create function candidate_order(name text, firstname text, lastname text, email text, cv_email text) returns text
language sql immutable parallel safe as $$
  select left(lower(regexp_replace(normalize(left(coalesce(
    nullif(trim(name), ''), nullif(trim(coalesce(firstname, '') || ' ' || coalesce(lastname, '')), ''),
    split_part(coalesce(email, cv_email), '@', 1), ''), 400), nfkd), U&'[\0300-\036f]', '', 'g')), 100)
$$;
alter table candidate add column ordered_as text collate "C" not null
  generated always as (candidate_order(name, firstname, lastname, email, cv_email)) stored;
create index candidate_ordered on candidate (organization_id, ordered_as, id);

-- How far a submission has come; ended ones last.
create function status_order(status text) returns integer language sql immutable parallel safe as $$
  select array_position(array['need_interview', 'initiated', 'started', 'cv_processing', 'completed', 'evaluated',
    'withdrawn', 'expired'], status)
$$;
create index submission_status_order on submission (organization_id, status_order(status), id);
create index submission_set_status_order on submission (interview_set_id, status_order(status), id);

create index submission_reviewed on submission (organization_id, reviewed_at, id) where reviewed_at is not null;
create index submission_set_reviewed on submission (interview_set_id, reviewed_at, id) where reviewed_at is not null;

-- Requirements that are met (outcomeOf in src/evaluations/Score.ts) by the evaluation that gives the score; null: it has none.
alter table submission_score add column met smallint;

create or replace view current_score as
  select s.id as submission_id, s.organization_id, s.interview_set_id, (e.result ->> 'score')::numeric as score,
    (e.override ->> 'score')::numeric as override_score,
    coalesce(e.result ->> 'score_status', 'not_scored') as score_status, s.created_at,
    case when jsonb_array_length(e.result -> 'criteria') > 0
      then jsonb_array_length(jsonb_path_query_array(e.result, '$.criteria[*].score ? (@ >= 6.25)'))::smallint end as met
  from submission s cross join lateral (
    select e.result, e.override from evaluation e where e.submission_id = s.id and e.state = 'done'
    order by array_position(array['holistic', 'interview', 'cv'], e.evaluation_type), e.created_at desc, e.id desc limit 1
  ) e;

create or replace function update_submission_score() returns trigger language plpgsql as $$
begin
  delete from submission_score k
  where k.submission_id in (select c.submission_id from changed c where c.state = 'done')
    and not exists (select from current_score l where l.submission_id = k.submission_id);
  -- ordered, so that two transactions with the same submissions do not deadlock
  insert into submission_score as kept (submission_id, organization_id, interview_set_id, score, override_score, score_status,
    created_at, met)
  select submission_id, organization_id, interview_set_id, score, override_score, score_status, created_at, met
  from current_score l
  where l.submission_id in (select c.submission_id from changed c where c.state = 'done')
  order by l.submission_id
  on conflict (submission_id) do update
    set score = excluded.score, override_score = excluded.override_score, score_status = excluded.score_status,
      met = excluded.met
  where (kept.score, kept.override_score, kept.score_status, kept.met)
    is distinct from (excluded.score, excluded.override_score, excluded.score_status, excluded.met);
  return null;
end
$$;
update submission_score k set met = l.met from current_score l where l.submission_id = k.submission_id and l.met is not null;
create index submission_score_met on submission_score (organization_id, met, submission_id) where met is not null;
create index submission_score_set_met on submission_score (interview_set_id, met, submission_id) where met is not null;
