-- Requests of candidates for a person (docs/candidate-rights.md).

-- A candidate asks for a person: instead of the evaluator, or after the result. It is never evaluated.
create table person_review (
  id              uuid primary key,
  organization_id integer not null references organization,
  submission_id   uuid not null references submission,
  kind            text not null check (kind in ('instead', 'again')), -- again: there was a result already
  text            text not null default '',
  requested_at    timestamptz not null,
  due_at          timestamptz not null, -- until then the organization answers (organization.person_review_days)
  answered_at     timestamptz, -- also when the candidate withdrew it
  -- by_person: the score stays unused. confirmed: a person looked, and the score counts. declined: the evaluator is used.
  outcome         text check (outcome in ('by_person', 'confirmed', 'declined', 'withdrawn')),
  answer          text not null default '', -- a sentence to the candidate
  answered_by     uuid references member on delete set null,
  check ((outcome is null) = (answered_at is null)),
  check (outcome <> 'confirmed' or kind = 'again'),
  check (outcome <> 'declined' or kind = 'instead')
);
create unique index person_review_open on person_review (submission_id) where answered_at is null;
create index person_review_submission on person_review (submission_id, requested_at);
create index person_review_waiting on person_review (organization_id, due_at) where answered_at is null;
create index person_review_organization on person_review (organization_id, answered_at);

create function update_score_unused() returns trigger language plpgsql set search_path from current as $$
declare
  of_submission uuid := coalesce(new.submission_id, old.submission_id);
  is_unused boolean := exists (select from person_review r
    where r.submission_id = of_submission and (r.answered_at is null or r.outcome = 'by_person'));
begin
  update submission set score_unused = is_unused where id = of_submission and score_unused is distinct from is_unused;
  return null;
end
$$;
create trigger person_review_changed after insert or update or delete on person_review for each row
  execute function update_score_unused();

-- What a candidate sends about the result (docs/candidate-rights.md): a correction of a fact, or a remark. Members read it; it is
-- never evaluated.
create table candidate_remark (
  id              uuid primary key,
  organization_id integer not null references organization,
  submission_id   uuid not null references submission,
  kind            text not null check (kind in ('correction', 'remark')),
  text            text not null,
  sent_at         timestamptz not null
);
create index candidate_remark_submission on candidate_remark (submission_id, sent_at);
create index candidate_remark_organization on candidate_remark (organization_id);
