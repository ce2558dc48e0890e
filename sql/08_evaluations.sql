-- Evaluations of CVs and answers, and the score that lists show.

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
  started_attempts        smallint not null default 0,
  claim_id                uuid,
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

-- The current score of a submission: that of its newest holistic evaluation, else the interview's, else the CV's. Triggers
-- update it. Not a column of submission, so that settling evaluations does not lock submissions.
create table submission_score (
  submission_id    uuid primary key references submission on delete cascade,
  organization_id  integer not null references organization,
  interview_set_id uuid not null,
  score            numeric(3, 1), -- null unless scored
  override_score   numeric(3, 1), -- a recruiter's score, shown instead
  score_status     text not null,
  created_at       timestamptz not null -- of the submission
);
create index submission_score_order on submission_score (organization_id, score, submission_id) where score is not null;
create index submission_score_set on submission_score (interview_set_id, score, submission_id);
create index submission_score_status on submission_score (organization_id, score_status, created_at, submission_id);
create index submission_score_ranked on submission_score (organization_id, coalesce(override_score, score), submission_id)
  where coalesce(override_score, score) is not null;
create index submission_score_set_ranked on submission_score
  (interview_set_id, coalesce(override_score, score), submission_id);

-- The rows of submission_score, computed from the evaluations.
create view current_score as
  select s.id as submission_id, s.organization_id, s.interview_set_id, (e.result ->> 'score')::numeric as score,
    (e.override ->> 'score')::numeric as override_score,
    coalesce(e.result ->> 'score_status', 'not_scored') as score_status, s.created_at
  from submission s cross join lateral (
    select e.result, e.override from evaluation e where e.submission_id = s.id and e.state = 'done'
    order by array_position(array['holistic', 'interview', 'cv'], e.evaluation_type), e.created_at desc, e.id desc limit 1
  ) e;

create function update_submission_score() returns trigger language plpgsql as $$
begin
  delete from submission_score k
  where k.submission_id in (select c.submission_id from changed c where c.state = 'done')
    and not exists (select from current_score l where l.submission_id = k.submission_id);
  -- ordered, so that two transactions with the same submissions do not deadlock
  insert into submission_score as kept
  select l.* from current_score l
  where l.submission_id in (select c.submission_id from changed c where c.state = 'done')
  order by l.submission_id
  on conflict (submission_id) do update
    set score = excluded.score, override_score = excluded.override_score, score_status = excluded.score_status
  where (kept.score, kept.override_score, kept.score_status)
    is distinct from (excluded.score, excluded.override_score, excluded.score_status);
  return null;
end
$$;
create trigger evaluation_inserted after insert on evaluation
  referencing new table as changed for each statement execute function update_submission_score();
create trigger evaluation_updated after update on evaluation
  referencing new table as changed for each statement execute function update_submission_score();
create trigger evaluation_deleted after delete on evaluation
  referencing old table as changed for each statement execute function update_submission_score();
