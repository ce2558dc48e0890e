-- A holistic evaluation is made of one of the CV and one of the interview, and of each such pair there is one: whichever
-- of the two ends last makes it, and of two that end at once only one does. No foreign keys: each would need an index of
-- its own, or to delete an evaluation would read them all.
alter table evaluation
  add column cv_evaluation_id uuid,
  add column interview_evaluation_id uuid;
create unique index evaluation_pair on evaluation (cv_evaluation_id, interview_evaluation_id)
  where cv_evaluation_id is not null;

-- What ended without an answer of the evaluator, to have it evaluated again.
create index evaluation_unanswered on evaluation (organization_id, evaluated_at)
  where state = 'done' and error is not null;
