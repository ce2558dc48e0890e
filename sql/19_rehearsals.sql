-- Rehearsals of receivers (docs/rehearsals.md): signed samples that are sent to an endpoint, and how it answered. No data of
-- candidates: the samples are about an invented one.

-- A run against one endpoint, and its job.
create table rehearsal (
  id              uuid primary key,
  organization_id integer not null references organization,
  endpoint_id     uuid not null references webhook_endpoint on delete cascade,
  url             text not null, -- the endpoint's when it began: a run ends when it is changed
  state           text not null default 'running' check (state in ('running', 'done', 'cancelled', 'stopped')),
  reason          text, -- a sentence: why it was stopped before its end
  steps           jsonb not null default '[]', -- those that have ended, in their order (webhooks/rehearsals/Rehearsal.ts)
  passed          smallint not null default 0, -- steps by result
  warnings        smallint not null default 0,
  failed          smallint not null default 0,
  skipped         smallint not null default 0,
  failures        smallint not null default 0, -- of this service, in a row
  created_at      timestamptz not null,
  ended_at        timestamptz,
  next_at         timestamptz, -- of the next step; null: it has ended
  claim_id        uuid,
  leased_until    timestamptz,
  check ((state = 'running') = (next_at is not null)),
  check ((state = 'running') = (ended_at is null)),
  check ((state = 'stopped') = (reason is not null))
);
create index rehearsal_due on rehearsal (next_at) where next_at is not null;
create index rehearsal_newest on rehearsal (endpoint_id, created_at, id);
create unique index rehearsal_running on rehearsal (endpoint_id) where state = 'running';
create index rehearsal_organization on rehearsal (organization_id);
