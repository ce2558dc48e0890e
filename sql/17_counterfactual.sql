-- Counterfactual audits: what scores did when hints at sex, origin or age were swapped (docs/counterfactual-audit.md). Numbers only:
-- no text of a candidate.

-- An audit of a set, its job, and its report.
create table counterfactual_audit (
  id               uuid primary key,
  organization_id  integer not null references organization,
  interview_set_id uuid not null references interview_set on delete cascade,
  kinds            text[] not null check (cardinality(kinds) > 0), -- of swaps (counterfactual/Swap.ts)
  sample           integer check (sample > 0), -- submissions that are evaluated; null: all
  submissions      integer not null, -- that it has to evaluate, counted when it began
  evaluator        text, -- name and version of the first evaluation; null: none yet
  content          jsonb not null, -- numbers and titles of requirements (counterfactual/CounterfactualAudit.ts)
  names            jsonb not null, -- of the set and the member, when it began
  state            text not null default 'running' check (state in ('running', 'done', 'cancelled', 'failed')),
  read_created     timestamptz, -- the last submission that was evaluated; null: none
  read_id          uuid,
  failures         smallint not null default 0, -- of the evaluator, in a row
  made_at          timestamptz not null,
  ended_at         timestamptz,
  next_at          timestamptz, -- of the next step; null: it has ended
  claim_id         uuid,
  leased_until     timestamptz,
  check ((state = 'running') = (next_at is not null)),
  check ((state = 'running') = (ended_at is null))
);
create index counterfactual_audit_due on counterfactual_audit (next_at) where next_at is not null;
create index counterfactual_audit_newest on counterfactual_audit (organization_id, made_at, id);
create unique index counterfactual_audit_running on counterfactual_audit (organization_id) where state = 'running';
create index counterfactual_audit_set on counterfactual_audit (interview_set_id);

-- A requirement's score of a submission that a swap moved.
create table counterfactual_move (
  counterfactual_audit_id uuid not null references counterfactual_audit on delete cascade,
  submission_id           uuid not null references submission on delete cascade,
  organization_id         integer not null references organization,
  swap                    text not null, -- of counterfactual/Swap.ts
  requirement_id          uuid not null,
  title                   text not null, -- of the requirement, when it was evaluated
  before                  numeric(3, 1), -- null: not rated
  after                   numeric(3, 1),
  is_asked                boolean not null, -- the requirement asks for what was swapped
  primary key (counterfactual_audit_id, submission_id, swap, requirement_id)
);
create index counterfactual_move_submission on counterfactual_move (submission_id);
create index counterfactual_move_organization on counterfactual_move (organization_id);
