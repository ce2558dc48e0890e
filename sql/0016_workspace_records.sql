-- The workspace's lists of sets: those in use and the archived ones, newest first, and searched by the beginnings of words.
create index interview_set_in_use on interview_set (organization_id, created_at, id)
  where deleted_at is null and archived_at is null;
create index interview_set_archived on interview_set (organization_id, created_at, id)
  where deleted_at is null and archived_at is not null;
create index interview_set_words on interview_set
  using gin (to_tsvector('simple', translate(title || ' ' || coalesce(position, ''), './_-@:', '      ')));

-- Whether somebody is rated by a set already: from then on what it asks and requires stays as it is.
create index submission_set_rated on submission (interview_set_id) where started_at is not null or flow = 'cv';

-- The score of a submission, as its line in a list shows it: of the holistic evaluation, else of the interview's, else of
-- the CV's, each the newest. The database itself keeps it, so that pods of every version do. A table of its own: whoever
-- settles evaluations must not wait for whoever moves the submission on.
create table submission_score (
  submission_id    uuid primary key references submission on delete cascade,
  organization_id  integer not null references organization,
  interview_set_id uuid not null,
  score            numeric(3, 1), -- null unless scored
  score_status     text not null,
  created_at       timestamptz not null -- of the submission
);
create index submission_score_order on submission_score (organization_id, score, submission_id) where score is not null;
create index submission_score_set on submission_score (interview_set_id, score, submission_id);
create index submission_score_status on submission_score (organization_id, score_status, created_at, submission_id);

create view leading_score as
  select b.id as submission_id, b.organization_id, b.interview_set_id, (e.result ->> 'score')::numeric as score,
    coalesce(e.result ->> 'score_status', 'not_scored') as score_status, b.created_at
  from submission b cross join lateral (
    select e.result from evaluation e where e.submission_id = b.id and e.state = 'done'
    order by array_position(array['holistic', 'interview', 'cv'], e.evaluation_type), e.created_at desc, e.id desc limit 1
  ) e;

insert into submission_score select * from leading_score;

create function keep_score() returns trigger language plpgsql as $$
begin
  delete from submission_score k
  where k.submission_id in (select c.submission_id from changed c where c.state = 'done')
    and not exists (select from leading_score l where l.submission_id = k.submission_id);
  -- in one order, or two who settle evaluations of the same submissions could wait for each other
  insert into submission_score as kept
  select l.* from leading_score l
  where l.submission_id in (select c.submission_id from changed c where c.state = 'done')
  order by l.submission_id
  on conflict (submission_id) do update set score = excluded.score, score_status = excluded.score_status
  where (kept.score, kept.score_status) is distinct from (excluded.score, excluded.score_status);
  return null;
end
$$;
create trigger evaluation_made after insert on evaluation
  referencing new table as changed for each statement execute function keep_score();
create trigger evaluation_settled after update on evaluation
  referencing new table as changed for each statement execute function keep_score();
create trigger evaluation_erased after delete on evaluation
  referencing old table as changed for each statement execute function keep_score();
