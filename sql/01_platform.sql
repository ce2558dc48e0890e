-- Organizations (tenants), and data of the whole database.
--
-- Conventions of every table:
--   organization_id  the tenant. Every statement filters by it. Tables without it hold rows of the whole database.
--   created_at       when the row was inserted. Lists sort by (created_at, id), newest first.
--   deleted_at       when the row was deleted for users; null while it is in use.
--
-- Tables of jobs (email, webhook_delivery, evaluation, cv): the row is the job. Queue columns (platform/queue/QueueSql.ts):
--   state             'queued' while a worker has to perform the job; other values are final, except 'parked'
--   due_at            when a worker may claim the row; null unless queued. A claim moves it to the end of the lease.
--   attempts          settled attempts, without those that failed because of the service itself
--   started_attempts  attempts that began and did not end, because the pod died; a settlement sets it to 0
--   claim_id          the claim that holds the lease. A settlement with another claim_id is ignored.
--   traceparent       the trace in which the row was queued (W3C Trace Context); null when it is not sampled. The
--                     transaction sets it once for all its rows (platform/database/Database.ts).

-- A tenant: one customer with its members, interviews and candidates.
create table organization (
  id              integer generated always as identity primary key,
  name            text not null check (name <> ''),
  contact         text, -- for candidates' questions: an email address or an https URL
  privacy_contact text, -- for questions about personal data: an email address or an https URL
  created_at      timestamptz not null default now()
);

-- A key of SECRET_KEY that encrypted values of this database (platform/crypto/SecretKeys.ts).
create table secret_key (
  fingerprint   bytea primary key, -- derived by HKDF for this purpose only; reveals nothing about the key
  first_used_at timestamptz not null default now()
);
