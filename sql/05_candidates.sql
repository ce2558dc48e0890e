-- Candidates and their applications.

-- The words for the search of candidates, from names and addresses, in lower case. The organization's id precedes each word,
-- so that a search reads one organization only. Index entries have a maximum size, so only 400 characters of a field count.
-- `return` binds the functions that are called: a restore and a Citus worker have another search_path.
create function person_words(organization integer, name text, firstname text, lastname text, email text,
  cv_email text)
returns tsvector language sql immutable parallel safe
return array_to_tsvector(array_remove(array_remove(string_to_array(replace(translate(folded(
    ' ' || left(coalesce(name, ''), 400) || ' ' || left(coalesce(firstname, ''), 400) || ' '
      || left(coalesce(lastname, ''), 400) || ' ' || left(coalesce(email, ''), 400) || ' ' || left(coalesce(cv_email, ''), 400)),
    E'./_-@:,;()\'"\\\t\n\r\u00a0', repeat(' ', 17)),
    ' ', ' ' || organization::text || ':'), ' '), organization::text || ':'), ''));

-- The query for person_words that finds each word of a text as a prefix; null when the text has no word.
create function person_query(organization integer, text text) returns tsquery
language sql immutable parallel safe set search_path from current as $$
  select string_agg('''' || word || ''':*', ' & ')::tsquery
  from unnest(tsvector_to_array(person_words(organization, text, null, null, null, null))) word
$$;

-- The name that the list shows (displayName in src/candidates/Candidate.ts), in lower case, without accents. The index has
-- the order of bytes, which does not depend on the database's locale.
create function candidate_order(name text, firstname text, lastname text, email text, cv_email text) returns text
language sql immutable parallel safe as $$
  select left(lower(regexp_replace(normalize(left(coalesce(
    nullif(trim(name), ''), nullif(trim(coalesce(firstname, '') || ' ' || coalesce(lastname, '')), ''),
    split_part(coalesce(email, cv_email), '@', 1), ''), 400), nfkd), U&'[\0300-\036f]', '', 'g')), 100)
$$;

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
  -- Stored, because splitting a name takes 16 µs, and a search for a common name compares thousands of candidates.
  words            tsvector not null
    generated always as (person_words(organization_id, name, firstname, lastname, email, cv_email)) stored,
  ordered_as       text collate "C" not null
    generated always as (candidate_order(name, firstname, lastname, email, cv_email)) stored,
  check ((email is null) = (email_key is null))
);
create unique index candidate_ats on candidate (organization_id, ats_candidate_id) where ats_candidate_id is not null;
create unique index candidate_email on candidate (organization_id, email_key) where ats_candidate_id is null;
create index candidate_any_email on candidate (organization_id, email_key);
-- addresses of CVs, which identify nobody (candidates/CandidateSql.ts)
create index candidate_cv_email on candidate (organization_id, lower(cv_email)) where cv_email is not null;
create index candidate_newest on candidate (organization_id, created_at, id);
create index candidate_words on candidate using gin (words);
create index candidate_ordered on candidate (organization_id, ordered_as, id);

-- A candidate's application for a job post.
create table application (
  id              uuid primary key,
  organization_id integer not null references organization,
  candidate_id    uuid not null references candidate,
  job_post_id     uuid not null references job_post,
  created_at      timestamptz not null default now(),
  unique (candidate_id, job_post_id)
);
