-- Organizations (tenants), and data of the whole database.
--
-- Conventions of every table:
--   organization_id  the tenant. Every statement filters by it. Tables without it hold rows of the whole database.
--   created_at       when the row was inserted. Lists sort by (created_at, id), newest first.
--   deleted_at       when the row was deleted for users; null while it is in use.
--
-- Tables of jobs (email, webhook_delivery, evaluation, cv, ats_report): the row is the job. Queue columns (platform/queue/QueueSql.ts):
--   state             'queued' while a worker has to perform the job; other values are final, except 'parked'
--   due_at            when a worker may claim the row; null unless queued. A claim keeps it: it writes no column of an index,
--                     so that Postgres updates the row in its page (HOT).
--   attempts          settled attempts, without those that failed because of the service itself
--   unended_attempts  attempts that began and have not ended, because the process was killed or the job died; a settlement sets 0
--   alone             of an attempt that runs alone, because earlier ones have not ended: 'waiting' or 'started'
--   claim_id          the claim that holds the lease. A settlement with another claim_id is ignored.
--   leased_until      the end of the lease
--   claimed_by        the process that holds the claim. The row is free again when claim_id is null, the lease has ended, or
--                     the process has ended (platform/queue/QueueSql.ts).
--   traceparent       the trace in which the row was queued (W3C Trace Context); null when it is not sampled. The
--                     transaction sets it once for all its rows (platform/database/Database.ts).
--
-- Functions name the schema of the installation (DATABASE_SCHEMA) as their search_path: sessions of psql, of a subscription and
-- of a Citus worker have another one. Each statement of a function or trigger that writes names one table and otherwise only
-- arguments and variables: with the rows of a sub-statement, Citus would need all workers of the cluster (docs/citus.md).

-- A tenant: one customer with its members, interviews and candidates.
create table organization (
  id              integer generated always as identity primary key,
  name            text not null check (name <> ''),
  contact         text, -- for candidates' questions: an email address or an https URL
  privacy_contact text, -- for questions about personal data: an email address or an https URL
  time_zone       text not null default 'UTC', -- of the times in emails and pages: an IANA name, checked by the service
  hides_reviews   boolean not null default true, -- false: members see reviews of others before they send their own
  hides_scores    boolean not null default true, -- false: members see scores before they send their own review
  reject_reasons  text[] not null default '{}', -- offered to members who reject a candidate
  decline_reasons text[] not null default '{}', -- offered to candidates who decline an interview
  requires_second_factor boolean not null default false, -- members who sign in with a password need a second factor
  -- Days after which data is deleted (privacy/RetentionPeriods.ts); null: it is kept.
  recordings_kept_days integer not null default 180 check (recordings_kept_days between 1 and 3650),
  cvs_kept_days        integer check (cvs_kept_days between 1 and 3650),
  answers_kept_days    integer check (answers_kept_days between 1 and 3650),
  candidates_kept_days integer check (candidates_kept_days between 1 and 3650),
  audit_kept_days      integer check (audit_kept_days between 184 and 3650),
  events_kept_days     integer check (events_kept_days between 1 and 3650), -- null: WEBHOOK_RETENTION, which holds in any case
  kept_from         text not null default 'end' check (kept_from in ('end', 'decision')), -- what the days are counted from
  retention_version integer not null default 1, -- like version, of the form of these periods
  -- What candidates see of their result (docs/candidate-rights.md).
  person_review_days integer not null default 30 check (person_review_days between 1 and 90), -- to answer a request for a person
  result_page       text not null default 'off' check (result_page in ('off', 'evaluation', 'decision')), -- from when it is open
  result_page_since timestamptz, -- when it was turned on: candidates who submitted before get no email about it
  result_shows_score boolean not null default false,
  rights_version    integer not null default 1, -- like version, of the form of these settings
  confirms_receipt boolean not null default true, -- candidates get an email when their answers have arrived
  language        text not null default 'en', -- of new sets, and of candidates' pages and emails of sets without languages
  version         integer not null default 1, -- counts the changes in its form, so that none overwrites another unseen
  -- Of the sample organization, whose emails are never sent (sample/SampleRepository.ts): 'filling' while its data is being
  -- created; null: an ordinary organization.
  sample          text check (sample in ('filling', 'ready')),
  -- Of a test space, whose emails are never sent (docs/test-mode.md): the organization that it belongs to; it never changes.
  -- Null: an organization of its own.
  test_of         integer unique references organization,
  emptied_since   timestamptz, -- of a test space that is being emptied; null: it is not
  created_at      timestamptz not null default now(),
  check (test_of <> id),
  check (emptied_since is null or test_of is not null)
);
create index organization_emptied on organization (emptied_since) where emptied_since is not null;

-- Whether the organization is a test space. Triggers call it, because what may be in a test space must not depend on a page.
create function is_test_space(organization integer) returns boolean language plpgsql stable set search_path from current as $$
begin
  return exists (select from organization o where o.id = organization and o.test_of is not null);
end
$$;

create function keep_test_of() returns trigger language plpgsql set search_path from current as $$
begin
  if new.test_of is not null and is_test_space(new.test_of) then
    raise exception 'a test space has no test space';
  end if;
  if tg_op = 'UPDATE' and new.test_of is distinct from old.test_of then
    raise exception 'whether an organization is a test space never changes';
  end if;
  return new;
end
$$;
create trigger organization_test_of before insert or update of test_of on organization
  for each row execute function keep_test_of();

-- A key of SECRET_KEY that encrypted values of this database (platform/crypto/SecretKeys.ts).
create table secret_key (
  fingerprint   bytea primary key, -- derived by HKDF for this purpose only; reveals nothing about the key
  first_used_at timestamptz not null default now()
);

-- A process that claims rows. Each living one counts `beats` up every second (platform/queue/ProcessHeartbeats.ts).
create table worker_process (
  id         integer generated always as identity primary key,
  beats      bigint not null default 0,
  host       text not null default '', -- of the machine or the pod
  version    text not null default '', -- of the program
  started_at timestamptz not null default now(), -- when it registered
  ended_at   timestamptz -- its claims are free
) with (fillfactor = 50);

-- Queues whose jobs no process claims, for all organizations. Jobs in flight end; new ones wait.
create table queue_pause (
  queue     text primary key,
  reason    text not null default '',
  paused_at timestamptz not null
);

-- Attempts of jobs that ended, by hour. Counted in the processes and written every ten seconds: the counts of a killed process's
-- last seconds are missing.
create table queue_hour (
  queue    text not null,
  hour     timestamptz not null,
  outcome  text not null,
  attempts bigint not null,
  primary key (queue, hour, outcome)
) with (fillfactor = 50);

-- The last run of each step that processes repeat at intervals (platform/queue/Periodic.ts), written like queue_hour.
create table periodic_step (
  name       text primary key,
  seconds    integer not null, -- the interval
  ran_at     timestamptz, -- when it last ended well
  took_ms    integer, -- of that run
  done       bigint, -- rows, emails or files of that run
  failed_at  timestamptz, -- when it last failed
  error      text -- of that run
) with (fillfactor = 50);

-- Wakes the workers of a queue, on the channel that platform/queue/QueueNotifier.ts names. Not on a Citus worker: no pod listens
-- there, and Citus cannot commit a notification in two phases. Connections of the coordinator to a worker have an application
-- name that begins with citus_.
create function notify_of_due(queue text) returns void language plpgsql set search_path from current as $$
begin
  if current_setting('application_name') not like 'citus\_%' then
    perform pg_notify('interview_invitations_due' || coalesce('_' || nullif(current_schema(), 'public'), ''), queue);
  end if;
end
$$;

-- A statement that sets the column itself keeps its value. Readers of changes ask again from shortly before their last request,
-- so the time is the statement's: its transaction may have begun long before.
create function set_updated_at() returns trigger language plpgsql as $$
begin
  new.updated_at = clock_timestamp();
  return new;
end
$$;

-- In lower case, without accents. Under the locale C, lower() knows ASCII only, so letters are decomposed first; `translate`
-- has those that have no decomposition, and the capitals of other alphabets. ASCII, of which most long answers consist, needs
-- none of it: as many bytes as characters.
create function folded(text text) returns text language sql immutable parallel safe as $$
  select case when octet_length(text) = char_length(text) then lower(text collate "C") else
    replace(replace(replace(replace(translate(lower(regexp_replace(normalize(text, nfkd), U&'[\0300-\036f]', '', 'g')),
    'ØøŁłĐđÐðıĦħẞÆŒÞАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩς',
    'oollddddihhßæœþабвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґαβγδεζηθικλμνξοπρστυφχψωσ'),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') end
$$;
