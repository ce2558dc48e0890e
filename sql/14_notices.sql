-- Notices to candidates before they are evaluated (docs/candidate-notices.md).

-- What an organization tells candidates of a place and a set before their interviews and CVs are rated.
create table notice (
  id               uuid primary key,
  organization_id  integer not null references organization,
  interview_set_id uuid references interview_set, -- null: all sets
  country          text, -- ISO 3166-1 alpha-2; null: everywhere
  region           text, -- ISO 3166-2 without the country; null: all of the country
  city             text,
  words            text not null default '', -- the organization's own words
  contact          text not null, -- whom to ask
  alternative      text not null default '', -- the other process, or the accommodation
  days             smallint not null check (days between 0 and 60), -- business days before the rating
  meanwhile        text not null check (meanwhile in ('warn', 'wait')), -- invites warn, or evaluations wait
  posted_on        date, -- when the organization published it; null: the days count from the invitation
  version          integer not null default 1, -- counts the changes, so that none overwrites another unseen
  created_at       timestamptz not null default now(),
  withdrawn_at     timestamptz, -- not given to candidates any more
  check (region is null or country is not null),
  check (city is null or country is not null)
);
create index notice_organization on notice (organization_id, created_at, id) where withdrawn_at is null;

-- What a notice says for a set. Made when it is first given, and never changed: a change of a word or a fact makes another one.
create table notice_version (
  id               uuid primary key,
  organization_id  integer not null references organization,
  notice_id        uuid not null references notice,
  interview_set_id uuid not null references interview_set,
  content          jsonb not null, -- src/notices/NoticeContent.ts
  content_hash     bytea not null,
  created_at       timestamptz not null default now(),
  unique (notice_id, interview_set_id, content_hash)
);
create index notice_version_organization on notice_version (organization_id, created_at);

-- The version that a candidate got with the invitation.
create table submission_notice (
  submission_id     uuid not null references submission on delete cascade,
  notice_id         uuid not null references notice,
  organization_id   integer not null references organization,
  notice_version_id uuid not null references notice_version,
  given_at          timestamptz not null,
  over_at           timestamptz, -- when the days of notice are over; null: none are wanted
  primary key (submission_id, notice_id)
);
create index submission_notice_version on submission_notice (notice_version_id, given_at);
create index submission_notice_organization on submission_notice (organization_id);

-- When evaluations are due that wait without a known end. A finite time, because statistics subtract it, and before
-- job_held_until, so that a move of the organization keeps it.
create function evaluation_stopped_until() returns timestamptz language sql immutable as $$
  select timestamptz '9998-12-31 00:00+00'
$$;

-- When evaluations of the submission may run at the earliest; null: at once. The only place that decides it: while its score is not
-- used (sql/15_person_reviews.sql), they wait without a known end, else for its notices. After a change,
-- EvaluationRepository.reschedule moves the evaluations that are queued.
create function evaluable_at(of_submission uuid) returns timestamptz
  language sql stable parallel safe set search_path from current as $$
  select case when s.score_unused then evaluation_stopped_until() else s.notice_until end from submission s where s.id = of_submission
$$;

-- Also for retries, and for evaluations that waited for recordings. Jobs that a move of the organization holds keep that.
create function delay_evaluation() returns trigger language plpgsql set search_path from current as $$
begin
  new.due_at = greatest(new.due_at, evaluable_at(new.submission_id));
  return new;
end
$$;
create trigger evaluation_delayed before insert or update of due_at on evaluation for each row
  when (new.due_at < job_held_until()) execute function delay_evaluation();

-- A notice that is given later, with another invitation, also delays what is queued already.
create function delay_queued_evaluations() returns trigger language plpgsql set search_path from current as $$
begin
  update evaluation set due_at = due_at
  where submission_id = new.id and organization_id = new.organization_id and state = 'queued';
  return null;
end
$$;
create trigger submission_evaluations_delayed after update of notice_until on submission for each row
  when (new.notice_until is not null and old.notice_until is distinct from new.notice_until)
  execute function delay_queued_evaluations();
