-- Tenants, and what one database holds once for all of them.
--
-- Conventions of every table:
--   organization_id  the tenant. Every statement filters by it. Tables without it hold rows of the whole database.
--   created_at       when the row was inserted. Lists sort by (created_at, id), newest first.
--   deleted_at       when the row was deleted for users; null while it is in use.
--
-- Tables of jobs (email, webhook_delivery, evaluation, cv): the row is the job. Queue columns (platform/queue/QueueSql.ts):
--   state             'queued' while a worker has to perform the job; the other values are final, or paused
--   due_at            when a worker may claim the row; null unless queued. A claim moves it to the end of the lease.
--   attempts          settled attempts. An attempt that failed because of this service itself is not counted.
--   started_attempts  attempts that began and did not end because their pod died; a settlement sets it to 0
--   claim_id          the claim that holds the lease. A settlement with another claim_id is ignored.
--   traceparent       the trace in which the row was queued (W3C Trace Context); null when it is not sampled. The
--                     transaction sets it once for all its rows (platform/database/Database.ts).

-- A tenant: one customer with its members, interviews and candidates.
create table organization (
  id              integer generated always as identity primary key,
  name            text not null check (name <> ''),
  contact         text, -- for questions of candidates: an email address or an https address
  privacy_contact text, -- the same for questions about their data
  created_at      timestamptz not null default now()
);

-- A key of SECRET_KEY that encrypted values of this database (platform/crypto/SecretKeys.ts).
create table secret_key (
  fingerprint   bytea primary key, -- derived by HKDF for this purpose only; reveals nothing about the key
  first_used_at timestamptz not null default now()
);
