-- The whole domain. Every table but organization and language carries organization_id, and every statement filters by it.
-- A row that waits for a worker is its own job (webhook_delivery, email, cv, evaluation). Its queue columns:
--   state     what it is; 'queued' while a worker owes it something
--   due_at    when a worker may claim it; null once it is finished or parked. Claiming moves it forward: it is the lease too
--   attempts  settled attempts so far (an attempt that our own fault cut short does not count)
--   claim_id  who holds the lease; a settlement that names another claim is ignored

create table organization (
  id         integer generated always as identity primary key,
  name       text not null check (name <> ''),
  created_at timestamptz not null default now()
);

create table language (
  id   integer primary key,
  tag  text not null unique, -- BCP 47
  name text not null
);
insert into language (id, tag, name) values
  (1, 'en', 'English'), (2, 'de', 'Deutsch'), (3, 'fr', 'Français'), (4, 'es', 'Español'), (5, 'pt', 'Português'),
  (6, 'vi', 'Tiếng Việt'), (7, 'it', 'Italiano'), (8, 'nl', 'Nederlands'), (9, 'pl', 'Polski'), (10, 'ja', '日本語'),
  (11, 'ko', '한국어'), (12, 'zh', '中文'), (13, 'ar', 'العربية'), (14, 'hi', 'हिन्दी'), (15, 'tr', 'Türkçe'),
  (16, 'uk', 'Українська');

-- People -------------------------------------------------------------------------------------------------------------

create table member (
  id              uuid primary key,
  organization_id integer not null references organization,
  email           text not null,
  name            text,
  role            text not null check (role in ('owner', 'admin', 'recruiter')),
  password_hash   text, -- argon2id, PHC string; null until the member sets one
  created_at      timestamptz not null default now()
);
create unique index member_email on member (lower(email)); -- sign-in has only the address to go by
create index member_organization on member (organization_id);

create table session (
  token_hash      bytea primary key, -- SHA-256 of the cookie's token
  organization_id integer not null references organization,
  member_id       uuid not null references member on delete cascade,
  user_agent      text,
  created_at      timestamptz not null default now(),
  last_seen_at    timestamptz not null default now(),
  expires_at      timestamptz not null
);
create index session_member on session (member_id);

create table api_key (
  id              uuid primary key,
  organization_id integer not null references organization,
  prefix          text not null unique, -- public half: iv_live_ and 8 characters
  secret_hash     bytea not null,       -- SHA-256 of the 32 random bytes
  name            text,
  description     text,
  scopes          text[] not null default '{}'
                  check (scopes <@ array['invite_candidates', 'create_set', 'read']), -- empty: unrestricted
  status          text not null default 'active' check (status in ('active', 'inactive')),
  expires_at      timestamptz,
  last_used_at    timestamptz,
  created_by      uuid references member on delete set null,
  created_at      timestamptz not null default now()
);
create index api_key_organization on api_key (organization_id, created_at);

create table audit_log (
  id              bigint generated always as identity primary key,
  organization_id integer not null references organization,
  member_id       uuid references member on delete set null, -- null: a command or the service itself
  action          text not null,
  record_type     text not null,
  record_id       text not null,
  detail          jsonb not null default '{}',
  created_at      timestamptz not null default now()
);
create index audit_log_organization on audit_log (organization_id, id);

-- What is asked ------------------------------------------------------------------------------------------------------

create table project (
  id              uuid primary key,
  organization_id integer not null references organization,
  name            text not null check (name <> ''),
  created_at      timestamptz not null default now(),
  deleted_at      timestamptz
);
create index project_organization on project (organization_id, id);

create table job_post (
  id              uuid primary key,
  organization_id integer not null references organization,
  project_id      uuid not null references project,
  title           text not null check (title <> ''),
  status          text not null default 'open' check (status in ('open', 'closed')),
  created_at      timestamptz not null default now(),
  deleted_at      timestamptz
);
create index job_post_newest on job_post (project_id, created_at desc, id desc) where deleted_at is null;

create table interview_set (
  id                 uuid primary key,
  organization_id    integer not null references organization,
  project_id         uuid references project,
  title              text not null,
  position           text,
  set_type           integer not null default 1 check (set_type in (1, 2)), -- 1 interview, 2 CV set
  description        text,
  interview_duration integer check (interview_duration >= 1), -- minutes
  cfg_lingual_ids    integer[] not null default '{}',
  number_of_retakes  integer check (number_of_retakes >= 0),
  priority           integer,
  created_at         timestamptz not null default now(),
  archived_at        timestamptz,
  deleted_at         timestamptz
);
create index interview_set_organization on interview_set (organization_id, created_at, id);
create index interview_set_project on interview_set (project_id, created_at desc, id desc) where deleted_at is null;

create table question (
  id                   uuid primary key,
  organization_id      integer not null references organization,
  interview_set_id     uuid not null references interview_set,
  ordinal              integer not null, -- position in the request
  title                text,
  content              text,
  hint                 text,
  details              text,
  cfg_question_mode_id integer not null check (cfg_question_mode_id in (247, 248)),
  cfg_question_type_id integer not null check (cfg_question_type_id in (250, 251, 252, 253)),
  priority             integer,
  options              jsonb not null default '[]',
  attributes           jsonb,
  unique (interview_set_id, ordinal)
);

create table requirement (
  id                uuid primary key,
  organization_id   integer not null references organization,
  interview_set_id  uuid not null references interview_set,
  ordinal           integer not null,
  title             text,
  content           text,
  hint              text,
  cfg_importance_id integer not null default 244 check (cfg_importance_id in (244, 245, 272, 273)),
  tal_skill_ids     integer[] not null default '{}',
  priority          integer,
  attributes        jsonb,
  unique (interview_set_id, ordinal)
);

create table access (
  id               uuid primary key,
  organization_id  integer not null references organization,
  interview_set_id uuid not null references interview_set,
  ordinal          integer not null,
  email            text not null,
  fullname         text,
  firstname        text,
  lastname         text,
  priority         integer,
  attributes       jsonb,
  unique (interview_set_id, ordinal)
);
create unique index access_email on access (interview_set_id, lower(email));

-- Who is asked -------------------------------------------------------------------------------------------------------

create table candidate (
  id               uuid primary key,
  organization_id  integer not null references organization,
  ats_candidate_id uuid,
  email            text,
  email_key        text, -- the address as domain/EmailAddress.ts folds it
  name             text,
  firstname        text,
  lastname         text,
  phone            text,
  created_at       timestamptz not null default now(),
  check ((email is null) = (email_key is null))
);
-- One person is found by ats_candidate_id, else by address; these make "twice" impossible, not only unlikely.
create unique index candidate_ats on candidate (organization_id, ats_candidate_id) where ats_candidate_id is not null;
create unique index candidate_email on candidate (organization_id, email_key) where ats_candidate_id is null;
create index candidate_any_email on candidate (organization_id, email_key);

create table application (
  id              uuid primary key,
  organization_id integer not null references organization,
  candidate_id    uuid not null references candidate,
  job_post_id     uuid not null references job_post,
  created_at      timestamptz not null default now(),
  unique (candidate_id, job_post_id)
);

create table submission (
  id                uuid primary key,
  organization_id   integer not null references organization,
  interview_set_id  uuid not null references interview_set,
  candidate_id      uuid not null references candidate,
  application_id    uuid references application,
  flow              text not null check (flow in ('interview', 'cv')), -- whether somebody is asked to answer
  status            text not null check (status in ('need_interview', 'cv_processing', 'initiated', 'started',
                                                    'completed', 'evaluated', 'withdrawn', 'expired')),
  time_factor       numeric(4, 2) not null default 1 check (time_factor > 0),
  attempt           integer not null default 1, -- which attempt answers are written to; earlier ones are kept
  expires_at        timestamptz not null,       -- the interview can be started until then
  initiated_at      timestamptz,
  started_at        timestamptz,
  answer_until      timestamptz,                -- end of the clock that Start began; null: no time limit
  completed_at      timestamptz,
  improvement_until timestamptz,                -- while in the future, the candidate may submit again
  created_at        timestamptz not null default now()
);
create index submission_organization on submission (organization_id, created_at, id);
create index submission_candidate on submission (candidate_id, interview_set_id);
create index submission_set on submission (interview_set_id);
create index submission_answer_until on submission (answer_until) where status = 'started' and answer_until is not null;
create index submission_expires on submission (expires_at) where status in ('need_interview', 'initiated');

create table invitation (
  id               uuid primary key,
  organization_id  integer not null references organization,
  interview_set_id uuid not null references interview_set,
  candidate_id     uuid not null references candidate,
  submission_id    uuid not null references submission,
  email            text not null,
  message          text,
  status           text not null default 'pending' check (status in ('pending', 'sent', 'delivered', 'opened',
                                                                     'clicked', 'failed', 'cancelled', 'expired')),
  failure_reason   text,
  expires_at       timestamptz not null,
  sent_at          timestamptz,
  delivered_at     timestamptz,
  opened_at        timestamptz,
  clicked_at       timestamptz,
  spam_at          timestamptz,
  failed_at        timestamptz,
  cancelled_at     timestamptz,
  created_at       timestamptz not null default now()
);
-- A repeated request finds the living invitation and never makes a second one.
create unique index invitation_living on invitation (interview_set_id, candidate_id)
  where status not in ('failed', 'cancelled', 'expired');
create index invitation_organization on invitation (organization_id, created_at, id);
create index invitation_submission on invitation (submission_id);

create table blob (
  id              uuid primary key,
  organization_id integer not null references organization,
  bytes           bytea not null,
  sha256          bytea not null,
  created_at      timestamptz not null default now()
);

create table answer (
  organization_id integer not null references organization,
  submission_id   uuid not null references submission,
  attempt         integer not null,
  question_id     uuid not null references question,
  content         text,
  option_ids      text[] not null default '{}',
  blob_id         uuid references blob,
  file_name       text,
  file_type       text,
  updated_at      timestamptz not null default now(),
  primary key (submission_id, attempt, question_id)
);

-- What waits for a worker --------------------------------------------------------------------------------------------

create table email (
  id                  uuid primary key,
  organization_id     integer not null references organization,
  invitation_id       uuid references invitation,
  kind                text not null,
  recipient           text not null,
  subject             text, -- subject, html and text are written when the mail is first rendered, before it is sent
  html                text,
  text                text,
  provider            text,
  provider_message_id text,
  sent_at             timestamptz,
  error               text,
  created_at          timestamptz not null default now(),
  state               text not null default 'queued' check (state in ('queued', 'sent', 'failed', 'cancelled')),
  due_at              timestamptz default now(),
  attempts            integer not null default 0,
  claim_id            uuid,
  check ((due_at is null) = (state <> 'queued'))
);
create index email_due on email (due_at) where due_at is not null;
create index email_invitation on email (invitation_id);
create index email_organization on email (organization_id, created_at, id);
create unique index email_provider_message on email (provider, provider_message_id);

create table suppression (
  organization_id integer not null references organization,
  email           text not null, -- folded, as candidate.email_key
  reason          text not null,
  created_at      timestamptz not null default now(),
  primary key (organization_id, email)
);

create table cv (
  id              uuid primary key,
  organization_id integer not null references organization,
  submission_id   uuid not null references submission,
  link            text not null,
  text            text,
  blob_id         uuid references blob,
  error           text,
  read_at         timestamptz,
  created_at      timestamptz not null default now(),
  state           text not null default 'queued' check (state in ('queued', 'read', 'failed')),
  due_at          timestamptz default now(),
  attempts        integer not null default 0,
  claim_id        uuid,
  check ((due_at is null) = (state <> 'queued'))
);
create index cv_due on cv (due_at) where due_at is not null;
create index cv_submission on cv (submission_id, created_at);
create index cv_link on cv using hash (link); -- links are longer than a btree takes

create table evaluation (
  id              uuid primary key,
  organization_id integer not null references organization,
  submission_id   uuid not null references submission,
  evaluation_type text not null check (evaluation_type in ('cv', 'interview', 'holistic')),
  attempt         integer not null, -- the submission's attempt it evaluates
  result          jsonb,            -- score, score_status, summary, strengths, gaps, recommendations, criteria
  evaluator       text,
  model           text,
  input           jsonb,            -- requirements, weights and texts as they were
  input_hash      bytea,
  raw             jsonb,
  error           text,
  evaluated_at    timestamptz,
  override        jsonb,
  held_until      timestamptz,      -- its event waits until then
  event_id        uuid,             -- the event that reported it; null: not reported yet
  created_at      timestamptz not null default now(),
  state           text not null default 'queued' check (state in ('queued', 'done')),
  due_at          timestamptz default now(),
  attempts        integer not null default 0,
  claim_id        uuid,
  check ((due_at is null) = (state <> 'queued')),
  check (state <> 'done' or (result is not null and evaluated_at is not null))
);
create index evaluation_due on evaluation (due_at) where due_at is not null;
create index evaluation_submission on evaluation (submission_id, evaluation_type, created_at desc);
create index evaluation_held on evaluation (held_until) where state = 'done' and event_id is null;

create table webhook_endpoint (
  id                    uuid primary key,
  organization_id       integer not null references organization,
  name                  text not null,
  url                   text not null,
  description           text,
  events                text[] not null check (cardinality(events) > 0), -- parents and sub-events
  secret                bytea not null, -- encrypted under SECRET_KEY
  previous_secret       bytea,
  previous_secret_until timestamptz,
  status                text not null default 'active' check (status in ('active', 'inactive')),
  consecutive_failures  integer not null default 0,
  last_success_at       timestamptz,
  deactivated_at        timestamptz, -- set when failures, not a person, made it inactive
  created_at            timestamptz not null default now()
);
create index webhook_endpoint_organization on webhook_endpoint (organization_id, created_at, id);

create table webhook_event (
  id              uuid primary key,
  organization_id integer not null references organization,
  -- Commit order for a reader with a cursor: (xid, seq), read only below the oldest transaction still running.
  xid             xid8 not null default pg_current_xact_id(),
  seq             bigint generated always as identity,
  event_type      text not null,
  status          text not null,
  body            text not null, -- the exact bytes of every delivery, UTF-8
  submission_id   uuid references submission,
  created_at      timestamptz not null default now()
);
create index webhook_event_order on webhook_event (organization_id, xid, seq);
create index webhook_event_submission on webhook_event (submission_id);

create table webhook_delivery (
  id              bigint generated always as identity primary key,
  organization_id integer not null references organization,
  endpoint_id     uuid not null references webhook_endpoint on delete cascade,
  event_id        uuid not null references webhook_event,
  attempt_log     jsonb not null default '[]', -- oldest first: at, status, duration_ms, error, answer
  created_at      timestamptz not null default now(),
  finished_at     timestamptz,
  state           text not null default 'queued' check (state in ('queued', 'parked', 'delivered', 'failed')),
  due_at          timestamptz default now(),
  attempts        integer not null default 0,
  claim_id        uuid,
  check ((due_at is null) = (state <> 'queued'))
);
create index webhook_delivery_due on webhook_delivery (due_at) where due_at is not null;
create index webhook_delivery_endpoint on webhook_delivery (endpoint_id, state, id);
create index webhook_delivery_event on webhook_delivery (event_id);

create table idempotency_key (
  organization_id integer not null references organization,
  api_key_id      uuid not null references api_key on delete cascade,
  key             text not null,
  request_hash    bytea not null,
  status          integer, -- null while the first request runs
  body            text,
  created_at      timestamptz not null default now(),
  primary key (api_key_id, key)
);
create index idempotency_key_created on idempotency_key (created_at);
