-- Candidates, their applications and their submissions.

-- A candidate, identified by the hiring system's ats_candidate_id, or else by the email address.
create table candidate (
  id               uuid primary key,
  organization_id  integer not null references organization,
  ats_candidate_id uuid,
  email            text,
  email_key        text, -- the folded address (values/EmailAddress.ts)
  name             text,
  firstname        text,
  lastname         text,
  phone            text,
  cv_email         text, -- an address found in the CV. Shown when `email` is null; never used to identify the candidate or to send email.
  created_at       timestamptz not null default now(),
  erased_at        timestamptz, -- when all personal data were removed; the row stays for statistics
  check ((email is null) = (email_key is null))
);
create unique index candidate_ats on candidate (organization_id, ats_candidate_id) where ats_candidate_id is not null;
create unique index candidate_email on candidate (organization_id, email_key) where ats_candidate_id is null;
create index candidate_any_email on candidate (organization_id, email_key);
create index candidate_newest on candidate (organization_id, created_at, id);

-- The words for the search of candidates, from names and addresses, in lower case. The organization's id precedes each word,
-- so that a search reads one organization only. Index entries have a maximum size, so only 400 characters of a field count.
create function person_words(organization integer, name text, firstname text, lastname text, email text, cv_email text)
returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(array_remove(array_remove(string_to_array(replace(translate(lower(
    ' ' || left(coalesce(name, ''), 400) || ' ' || left(coalesce(firstname, ''), 400) || ' '
      || left(coalesce(lastname, ''), 400) || ' ' || left(coalesce(email, ''), 400) || ' ' || left(coalesce(cv_email, ''), 400)),
    E'./_-@:,;()\'"\\\t\n\r\u00a0', repeat(' ', 17)),
    ' ', ' ' || organization::text || ':'), ' '), organization::text || ':'), ''))
$$;

-- The query for person_words that finds each word of a text as a prefix; null when the text has no word.
create function person_query(organization integer, text text) returns tsquery
language sql immutable parallel safe as $$
  select string_agg('''' || word || ''':*', ' & ')::tsquery
  from unnest(tsvector_to_array(person_words(organization, text, null, null, null, null))) word
$$;

create index candidate_words on candidate
  using gin (person_words(organization_id, name, firstname, lastname, email, cv_email));

-- A candidate's application for a job post.
create table application (
  id              uuid primary key,
  organization_id integer not null references organization,
  candidate_id    uuid not null references candidate,
  job_post_id     uuid not null references job_post,
  created_at      timestamptz not null default now(),
  unique (candidate_id, job_post_id)
);

-- One candidate in one interview set. Its times are those of the current attempt.
create table submission (
  id                uuid primary key,
  organization_id   integer not null references organization,
  interview_set_id  uuid not null references interview_set,
  candidate_id      uuid not null references candidate,
  application_id    uuid references application,
  flow              text not null check (flow in ('interview', 'cv')), -- cv: only the CV is evaluated
  status            text not null check (status in ('need_interview', 'cv_processing', 'initiated', 'started',
                                                    'completed', 'evaluated', 'withdrawn', 'expired')),
  time_factor       numeric(4, 2) not null default 1 check (time_factor > 0), -- multiplies interview_duration
  attempt           integer not null default 1, -- the current attempt; answers are saved to it
  expires_at        timestamptz not null, -- the last moment to start the interview
  initiated_at      timestamptz, -- when the candidate first acted on the interview page
  started_at        timestamptz,
  answer_until      timestamptz, -- the deadline for answers; null: no time limit
  completed_at      timestamptz,
  improvement_until timestamptz, -- until then the candidate can reopen the completed interview
  declined_at       timestamptz, -- when the candidate declined; the status is then 'withdrawn'
  created_at        timestamptz not null default now()
);
create index submission_organization on submission (organization_id, created_at, id);
create index submission_status on submission (organization_id, status, created_at, id);
create index submission_candidate on submission (candidate_id, interview_set_id);
create index submission_set_newest on submission (interview_set_id, created_at, id);
create index submission_answer_until on submission (answer_until) where status = 'started' and answer_until is not null;
create index submission_expires on submission (expires_at) where status in ('need_interview', 'initiated');
-- A set with such a submission can no longer be changed.
create index submission_set_rated on submission (interview_set_id) where started_at is not null or flow = 'cv';

-- An earlier attempt of a submission. Its answers stay in `answer`.
create table interview_attempt (
  organization_id integer not null references organization,
  submission_id   uuid not null references submission,
  attempt         integer not null,
  started_at      timestamptz,
  completed_at    timestamptz,
  primary key (submission_id, attempt)
);

alter table webhook_event add foreign key (submission_id) references submission;
