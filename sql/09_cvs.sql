-- CVs of candidates.

-- A CV, and the job of fetching and reading it.
create table cv (
  id               uuid primary key,
  organization_id  integer not null references organization,
  submission_id    uuid not null references submission,
  link             text not null,
  text             text, -- null until it was read
  notes            jsonb not null default '[]', -- sentences for people
  blob_id          uuid references blob, -- the original file
  file_type        text, -- of the original file
  error            text, -- why it could not be fetched or read
  read_at          timestamptz,
  created_at       timestamptz not null default now(),
  state            text not null default 'queued' check (state in ('queued', 'read', 'failed')),
  due_at           timestamptz default now(),
  attempts         integer not null default 0,
  started_attempts smallint not null default 0,
  claim_id         uuid,
  traceparent      text default nullif(current_setting('interview.traceparent', true), ''),
  check ((due_at is null) = (state <> 'queued'))
);
create index cv_due on cv (due_at) where due_at is not null;
create index cv_submission on cv (submission_id, created_at);
create index cv_link on cv using hash (link); -- a btree entry is too small for the longest links
create index cv_blob on cv (blob_id) where blob_id is not null;
