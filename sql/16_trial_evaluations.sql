-- Trial evaluations: what scores would be with other requirements (docs/evaluation.md#what-would-change). Numbers only: no text of
-- a candidate.

-- A run over the submissions of a set, and its job.
create table trial_evaluation (
  id               uuid primary key,
  organization_id  integer not null references organization,
  interview_set_id uuid not null references interview_set on delete cascade,
  member_id        uuid references member on delete set null,
  requirements     jsonb not null, -- those that are tried, as the set's
  sample           integer check (sample > 0), -- submissions that are evaluated; null: all
  submissions      integer not null, -- that it has to evaluate, counted when it began
  evaluated        integer not null default 0, -- so far
  state            text not null default 'running' check (state in ('running', 'done', 'cancelled', 'failed')),
  read_created     timestamptz, -- the last submission that was evaluated; null: none
  read_id          uuid,
  failures         smallint not null default 0, -- of the evaluator, in a row
  adopted_set_id   uuid, -- the set that was made with the requirements
  created_at       timestamptz not null,
  ended_at         timestamptz,
  next_at          timestamptz, -- of the next step; null: it has ended
  claim_id         uuid,
  leased_until     timestamptz,
  check ((state = 'running') = (next_at is not null)),
  check ((state = 'running') = (ended_at is null))
);
create index trial_evaluation_due on trial_evaluation (next_at) where next_at is not null;
create index trial_evaluation_newest on trial_evaluation (interview_set_id, created_at, id);
create unique index trial_evaluation_running on trial_evaluation (interview_set_id) where state = 'running';
create index trial_evaluation_organization on trial_evaluation (organization_id);
create index trial_evaluation_member on trial_evaluation (member_id) where member_id is not null;
-- Ended ones, which are deleted when they are old.
create index trial_evaluation_ended on trial_evaluation (ended_at) where ended_at is not null;

-- The score of a submission before and after.
create table trial_outcome (
  trial_evaluation_id uuid not null references trial_evaluation on delete cascade,
  submission_id       uuid not null references submission on delete cascade,
  organization_id     integer not null references organization,
  direction           text not null check (direction in ('up', 'down', 'unchanged', 'not_comparable')),
  before              numeric(3, 1), -- null: no score
  after               numeric(3, 1),
  met_before          smallint not null,
  met_after           smallint not null,
  -- Of requirements whose score differs: id, before, after; without before: it is new, without after: it was removed.
  criteria            jsonb not null,
  reason              text, -- a sentence: why there is no new score
  is_other_evaluator  boolean not null, -- the stored evaluation is by another evaluator or version
  primary key (trial_evaluation_id, submission_id)
);
create index trial_outcome_listed on trial_outcome (trial_evaluation_id, direction, abs(after - before) desc, submission_id);
create index trial_outcome_submission on trial_outcome (submission_id);
create index trial_outcome_organization on trial_outcome (organization_id);
