-- CVs, evaluations of CVs and answers, and the score that lists show.

-- A CV, and the job of fetching and reading it.
create table cv (
  id               uuid primary key,
  organization_id  integer not null references organization,
  submission_id    uuid not null references submission,
  link             text not null,
  text             text, -- null until it was read
  notes            jsonb not null default '[]', -- sentences for people
  warnings         jsonb not null default '[]', -- of evaluations of the text
  blob_id          uuid references blob, -- the original file
  file_type        text, -- of the original file
  error            text, -- why it could not be fetched or read
  read_at          timestamptz,
  created_at       timestamptz not null default now(),
  state            text not null default 'queued' check (state in ('queued', 'read', 'failed')),
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
create index cv_due on cv (due_at) where due_at is not null;
create index cv_submission on cv (submission_id, created_at);
-- CVs that an organization's retention may delete.
create index cv_organization on cv (organization_id, created_at);
create index cv_link on cv using hash (link); -- a btree entry is too small for the longest links
create index cv_failed on cv (organization_id, created_at) where state = 'failed';
create index cv_blob on cv (blob_id) where blob_id is not null;

-- An evaluation and its job.
create table evaluation (
  id                      uuid primary key,
  organization_id         integer not null references organization,
  submission_id           uuid not null references submission,
  evaluation_type         text not null check (evaluation_type in ('cv', 'interview', 'holistic')),
  attempt                 integer not null, -- the attempt of the submission that it evaluates
  -- The evaluations that a holistic one combines. No foreign keys: each would need an index for deletions.
  cv_evaluation_id        uuid,
  interview_evaluation_id uuid,
  result                  jsonb, -- score, score_status, summary, strengths, gaps, recommendations, criteria
  evaluator               text,
  model                   text,
  input                   jsonb, -- the requirements, weights and texts that were evaluated
  input_hash              bytea,
  raw                     jsonb, -- the model's response
  error                   text, -- why the evaluator gave no result
  evaluated_at            timestamptz,
  override                jsonb, -- a recruiter's score with the reason
  held_until              timestamptz, -- its event is not published before this; null: not held, or superseded
  event_id                uuid, -- the event that reported it; null: not published
  created_at              timestamptz not null default now(),
  state                   text not null default 'queued' check (state in ('queued', 'done')),
  due_at                  timestamptz default now(),
  attempts                integer not null default 0,
  unended_attempts        smallint not null default 0,
  alone                   text check (alone in ('waiting', 'started')),
  claim_id                uuid,
  leased_until            timestamptz,
  claimed_by              integer,
  traceparent             text default nullif(current_setting('interview.traceparent', true), ''),
  check ((due_at is null) = (state <> 'queued')),
  check (state <> 'done' or (result is not null and evaluated_at is not null))
);
create index evaluation_due on evaluation (due_at) where due_at is not null;
create index evaluation_submission on evaluation (submission_id, evaluation_type, created_at desc);
create index evaluation_held on evaluation (held_until) where state = 'done' and event_id is null;
-- One holistic evaluation per pair, also when both evaluations finish at once.
create unique index evaluation_pair on evaluation (cv_evaluation_id, interview_evaluation_id)
  where cv_evaluation_id is not null;
-- Failed evaluations, for the command that repeats them.
create index evaluation_unanswered on evaluation (organization_id, evaluated_at)
  where state = 'done' and error is not null;
-- Submissions that are being evaluated.
create index evaluation_queued on evaluation (organization_id, submission_id) where state = 'queued';

-- The current score of a submission: that of its newest holistic evaluation, else the interview's, else the CV's. Triggers
-- update it. Not a column of submission, so that settling evaluations does not lock submissions.
create table submission_score (
  submission_id    uuid primary key references submission on delete cascade,
  organization_id  integer not null references organization,
  interview_set_id uuid not null,
  score            numeric(3, 1), -- null unless scored
  override_score   numeric(3, 1), -- a recruiter's score, shown instead
  score_status     text not null,
  has_warnings     boolean not null default false, -- the score may be unreliable
  met              smallint, -- requirements that are met (outcomeOf in src/evaluations/Score.ts); null: no criteria
  updated_at       timestamptz not null default clock_timestamp() -- when it last changed, for lists of recent changes
);
create index submission_score_status on submission_score (organization_id, score_status, submission_id);

-- What lists are sorted by: `best` downwards, `weakest` upwards. In both, scores with warnings come after all others.
-- A recruiter's score has none.
create function best_rank(override_score numeric, score numeric, has_warnings boolean) returns numeric
  language sql immutable parallel safe
  return coalesce(override_score, score) + case when override_score is null and has_warnings then 0 else 100 end;
create function weakest_rank(override_score numeric, score numeric, has_warnings boolean) returns numeric
  language sql immutable parallel safe
  return coalesce(override_score, score) - case when override_score is null and has_warnings then 0 else 100 end;
create index submission_score_best on submission_score
  (organization_id, best_rank(override_score, score, has_warnings), submission_id)
  where coalesce(override_score, score) is not null;
create index submission_score_set_best on submission_score
  (interview_set_id, best_rank(override_score, score, has_warnings), submission_id);
create index submission_score_weakest on submission_score
  (organization_id, weakest_rank(override_score, score, has_warnings), submission_id)
  where coalesce(override_score, score) is not null;
create index submission_score_set_weakest on submission_score
  (interview_set_id, weakest_rank(override_score, score, has_warnings), submission_id);

create index submission_score_met on submission_score (organization_id, met, submission_id) where met is not null;
create index submission_score_set_met on submission_score (interview_set_id, met, submission_id) where met is not null;
create index submission_score_updated on submission_score (organization_id, updated_at);
create trigger submission_score_changed before update on submission_score for each row
  when (old.* is distinct from new.* and old.updated_at = new.updated_at) execute function set_updated_at();

-- What pages, the API, exports and reports show of an evaluation's result: while a score is not used, a result without any.
-- `submission.score_unused` says it of a submission; a member's own score (`override`) still counts.
create function used_result(result jsonb, score_unused boolean) returns jsonb language sql immutable parallel safe
  return case when score_unused then jsonb_build_object('score', null, 'score_status', 'not_scored',
    'summary', 'Not used: the candidate asked for a review by a person.', 'strengths', '[]'::jsonb, 'gaps', '[]'::jsonb,
    'recommendations', '[]'::jsonb, 'criteria', '[]'::jsonb) else result end;

-- The rows of submission_score, computed from the evaluations.
create view current_score as
  select s.id as submission_id, s.organization_id, s.interview_set_id, (e.result ->> 'score')::numeric as score,
    (e.override ->> 'score')::numeric as override_score,
    coalesce(e.result ->> 'score_status', 'not_scored') as score_status,
    coalesce(jsonb_array_length(e.result -> 'warnings') > 0, false) as has_warnings,
    case when jsonb_array_length(e.result -> 'criteria') > 0
      then jsonb_array_length(jsonb_path_query_array(e.result, '$.criteria[*].score ? (@ >= 6.25)'))::smallint end as met
  from submission s cross join lateral (
    select used_result(e.result, s.score_unused) as result, e.override
    from evaluation e where e.submission_id = s.id and e.state = 'done'
    order by array_position(array['holistic', 'interview', 'cv'], e.evaluation_type), e.created_at desc, e.id desc limit 1
  ) e;

create function refresh_submission_scores(submissions uuid[]) returns void
language plpgsql set search_path from current as $$
declare
  scores current_score[];
begin
  delete from submission_score k
  where k.submission_id = any(submissions)
    and not exists (select from current_score l where l.submission_id = k.submission_id);
  -- ordered, so that two transactions with the same submissions do not deadlock
  scores := array(select l from current_score l where l.submission_id = any(submissions) order by l.submission_id);
  insert into submission_score as kept (submission_id, organization_id, interview_set_id, score, override_score, score_status,
    has_warnings, met)
  select submission_id, organization_id, interview_set_id, score, override_score, score_status, has_warnings, met
  from unnest(scores)
  on conflict (submission_id) do update
    set score = excluded.score, override_score = excluded.override_score, score_status = excluded.score_status,
      has_warnings = excluded.has_warnings, met = excluded.met
  where (kept.score, kept.override_score, kept.score_status, kept.has_warnings, kept.met)
    is distinct from (excluded.score, excluded.override_score, excluded.score_status, excluded.has_warnings, excluded.met);
end
$$;

create function update_submission_score() returns trigger language plpgsql set search_path from current as $$
declare
  done uuid[] := array(select c.submission_id from changed c where c.state = 'done');
begin
  if cardinality(done) > 0 then
    perform refresh_submission_scores(done);
  end if;
  return null;
end
$$;
create trigger evaluation_inserted after insert on evaluation
  referencing new table as changed for each statement execute function update_submission_score();
create trigger evaluation_updated after update on evaluation
  referencing new table as changed for each statement execute function update_submission_score();
create trigger evaluation_deleted after delete on evaluation
  referencing old table as changed for each statement execute function update_submission_score();

create function update_unused_score() returns trigger language plpgsql set search_path from current as $$
begin
  perform refresh_submission_scores(array[new.id]);
  return null;
end
$$;
create trigger submission_score_unused after update of score_unused on submission for each row
  when (old.score_unused is distinct from new.score_unused) execute function update_unused_score();
