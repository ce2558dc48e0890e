-- Decisions about submissions, reviews of them by members, and the words of answers for the search.

alter table submission
  add column decision text check (decision in ('advance', 'hold', 'reject')),
  add column decision_reason text,
  add column decided_by jsonb, -- id and name of the member who made or cleared the decision
  add column decided_at timestamptz,
  add column decision_before jsonb, -- the decision that an undo restores: decision, reason, decided_by, decided_at
  -- Changes of the decision so far. A form that was rendered before the last change is refused.
  add column decision_changes integer not null default 0,
  add column reviewed_at timestamptz, -- when the first review was sent
  -- How far it has come: 0 invited, 1 opened, 2 started, 3 submitted, 4 reviewed, 5 decided. A trigger sets it.
  add column stage smallint not null default 0;

create function submission_stage(status text, initiated_at timestamptz, started_at timestamptz, reviewed_at timestamptz,
  decision text) returns smallint language sql immutable parallel safe as $$
  select case when decision is not null then 5 when reviewed_at is not null then 4
    when status in ('completed', 'evaluated') then 3 when started_at is not null then 2
    when initiated_at is not null then 1 else 0 end::smallint
$$;
update submission set stage = submission_stage(status, initiated_at, started_at, reviewed_at, decision)
where status not in ('need_interview', 'cv_processing');

create function set_submission_stage() returns trigger language plpgsql as $$
begin
  new.stage = submission_stage(new.status, new.initiated_at, new.started_at, new.reviewed_at, new.decision);
  return new;
end
$$;
create trigger submission_stage before update on submission for each row
  when ((old.status, old.initiated_at, old.started_at, old.reviewed_at, old.decision)
    is distinct from (new.status, new.initiated_at, new.started_at, new.reviewed_at, new.decision))
  execute function set_submission_stage();

-- The funnel of each set: an index-only scan.
create index submission_funnel on submission (organization_id, interview_set_id, stage) where flow = 'interview';
-- Submissions that wait for a review.
create index submission_waiting on submission (organization_id, created_at, id) where stage = 3;
create index submission_set_waiting on submission (interview_set_id, created_at, id) where stage = 3;
create index submission_decision on submission (organization_id, decision, created_at, id) where decision is not null;
create index submission_set_decision on submission (interview_set_id, decision, created_at, id) where decision is not null;

-- A member's review of a submission.
create table review (
  id              uuid primary key,
  organization_id integer not null references organization,
  submission_id   uuid not null references submission,
  member_id       uuid not null references member,
  -- By requirement id: 0 strong no, 1 no, 2 mixed, 3 yes, 4 strong yes. Requirements without a rating are absent.
  ratings         jsonb not null default '{}',
  note            text not null default '',
  mentioned       uuid[] not null default '{}', -- members who were notified, each once
  changes         integer not null default 1, -- a form that was rendered before the last change is refused
  sent_at         timestamptz, -- null: a draft, which only its author sees
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  unique (submission_id, member_id)
);
create index review_member on review (member_id);

-- False: members see reviews of others before they send their own.
alter table organization add column hides_reviews boolean not null default true;

-- The words of submitted answers, for the search, like person_words. Updated when an interview is completed, so that saves
-- of answers do not write the index.
create table submission_words (
  submission_id   uuid primary key references submission on delete cascade,
  organization_id integer not null references organization,
  words           tsvector not null
);
create index submission_words_index on submission_words using gin (words);

-- The first 100,000 characters of all answers: a tsvector holds at most 1 MB.
create function answer_words(of_submission uuid, of_attempt integer, organization integer) returns tsvector
language sql stable parallel safe as $$
  select array_to_tsvector(coalesce((
    select array_agg(distinct organization::text || ':' || left(word, 200))
    from unnest(regexp_split_to_array(lower(left(coalesce((
      select string_agg(left(a.content, 20000), ' ' order by a.question_id) from answer a
      where a.submission_id = of_submission and a.attempt = of_attempt and a.content is not null), ''), 100000)),
      -- spaces and punctuation; [:alnum:] would depend on the database's locale
      U&'[\0001-/:-@\005b-`{-\00bf\2000-\206f\3000-\303f]+')) word
    where word <> ''), '{}'))
$$;

create function store_submission_words() returns trigger language plpgsql as $$
begin
  insert into submission_words (submission_id, organization_id, words)
  values (new.id, new.organization_id, answer_words(new.id, new.attempt, new.organization_id))
  on conflict (submission_id) do update set words = excluded.words;
  return null;
end
$$;
create trigger submission_completed after update of status on submission for each row
  when (new.status = 'completed' and old.status is distinct from new.status)
  execute function store_submission_words();
insert into submission_words (submission_id, organization_id, words)
select id, organization_id, answer_words(id, attempt, organization_id) from submission
where flow = 'interview' and status in ('completed', 'evaluated');
