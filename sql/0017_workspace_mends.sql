-- Forms of the workspace that were sent: what a form does it does once for each id that its page was given, and an answer
-- that no record holds is kept for a while, so that whoever sends the form twice, or loads the answer again, sees it.
create table form_answer (
  member_id       uuid not null references member on delete cascade,
  form_id         uuid not null, -- made with the page that holds the form
  organization_id integer not null references organization,
  kind            text not null, -- whose answer it is
  answer          bytea, -- sealed; null while it is being made
  created_at      timestamptz not null,
  until           timestamptz not null, -- then nobody is shown it any more
  primary key (member_id, form_id)
);
create index form_answer_until on form_answer (until);
create index form_answer_organization on form_answer (organization_id);

-- A person's own score of the evaluation that leads stands beside the evaluator's in lists, and orders them. Pods of the
-- version before go on with the evaluator's alone. The indexes are made beside those who write
-- (repository/LargeIndexes.ts), and those who were scored before follow with the table unlocked (0022_review.sql).
alter table submission_score add column own numeric(3, 1);

create or replace view leading_score as
  select b.id as submission_id, b.organization_id, b.interview_set_id, (e.result ->> 'score')::numeric as score,
    coalesce(e.result ->> 'score_status', 'not_scored') as score_status, b.created_at,
    (e.override ->> 'score')::numeric as own
  from submission b cross join lateral (
    select e.result, e.override from evaluation e where e.submission_id = b.id and e.state = 'done'
    order by array_position(array['holistic', 'interview', 'cv'], e.evaluation_type), e.created_at desc, e.id desc limit 1
  ) e;

create or replace function keep_score() returns trigger language plpgsql as $$
begin
  delete from submission_score k
  where k.submission_id in (select c.submission_id from changed c where c.state = 'done')
    and not exists (select from leading_score l where l.submission_id = k.submission_id);
  -- in one order, or two who settle evaluations of the same submissions could wait for each other
  insert into submission_score as kept (submission_id, organization_id, interview_set_id, score, score_status, created_at, own)
  select l.* from leading_score l
  where l.submission_id in (select c.submission_id from changed c where c.state = 'done')
  order by l.submission_id
  on conflict (submission_id) do update
    set score = excluded.score, score_status = excluded.score_status, own = excluded.own
  where (kept.score, kept.score_status, kept.own) is distinct from (excluded.score, excluded.score_status, excluded.own);
  return null;
end
$$;
