-- Attempts: a candidate may submit again while the improvement window is open. The submission's own times are those of its
-- current attempt; those of earlier ones are kept here, and their answers where they are.
create table interview_attempt (
  organization_id integer not null references organization,
  submission_id   uuid not null references submission,
  attempt         integer not null,
  started_at      timestamptz,
  completed_at    timestamptz,
  primary key (submission_id, attempt)
);

alter table submission add column declined_at timestamptz; -- the candidate said no; its status is withdrawn

-- Counts the writes of an answer, so that a window learns that another one has written since.
alter table answer add column revision integer not null default 1;
create index answer_blob on answer (blob_id) where blob_id is not null;
create index cv_blob on cv (blob_id) where blob_id is not null;

-- What a blob is; its content is the blob store's. Size and digest are known when it is whole. `bytes` is written no more:
-- it stays for pods of the version before, which name it when they read a submission.
alter table blob
  alter column bytes drop not null,
  alter column sha256 drop not null,
  add column size integer check (size >= 0);
create index blob_created on blob (created_at);

-- Content that is kept in this database, in pieces of some hundred KiB. The last piece says that it is the last: until then
-- there is nothing to read. No foreign key: whoever keeps content elsewhere has no rows here.
create table blob_chunk (
  blob_id         uuid not null,
  organization_id integer not null,
  ordinal         integer not null,
  bytes           bytea not null,
  is_last         boolean not null,
  primary key (blob_id, ordinal)
);
-- Files are compressed already.
alter table blob_chunk alter column bytes set storage external;

-- Whom candidates may ask: an e-mail address or an https address.
alter table organization
  add column contact text,
  add column privacy_contact text;
