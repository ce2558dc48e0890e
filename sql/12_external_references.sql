-- What hiring systems store with submissions and sets to find their own records again (values/ExternalReference.ts).
alter table submission
  add column external_id text,
  add column metadata    jsonb not null default '{}';
alter table interview_set
  add column external_id text,
  add column metadata    jsonb not null default '{}';
create index submission_external on submission (organization_id, external_id) where external_id is not null;
create index interview_set_external on interview_set (organization_id, external_id) where external_id is not null;
