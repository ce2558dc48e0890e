-- Emails to candidates and members, and what providers report about them.

-- An email, and the job of sending it.
create table email (
  id                  uuid primary key,
  organization_id     integer not null references organization,
  invitation_id       uuid, -- references invitation (10_invitations.sql)
  kind                text not null,
  recipient           text not null,
  subject             text, -- subject, html and text are null until the email is rendered for its first attempt
  html                text,
  text                text,
  message_id          text, -- Message-ID without brackets, the same for every attempt; null before the first
  provider            text,
  provider_message_id text,
  handed_at           timestamptz, -- when it was last handed to the provider; while sent_at is null, the provider may or may not have it
  sent_at             timestamptz,
  error               text,
  created_at          timestamptz not null default now(),
  state               text not null default 'queued' check (state in ('queued', 'sent', 'failed', 'cancelled')),
  due_at              timestamptz default now(),
  attempts            integer not null default 0,
  started_attempts    smallint not null default 0,
  claim_id            uuid,
  traceparent         text default nullif(current_setting('interview.traceparent', true), ''),
  check ((due_at is null) = (state <> 'queued'))
);
create index email_due on email (due_at) where due_at is not null;
create index email_invitation on email (invitation_id);
create index email_organization on email (organization_id, created_at, id);
-- Not unique: if a provider gives the same id twice, its reports settle both emails.
create index email_provider_message_id on email (provider, provider_message_id);

-- A provider's report about an email, stored before it is applied. Reports about emails of other systems are not stored.
create table email_event (
  id                bigint generated always as identity primary key,
  organization_id   integer not null references organization,
  email_id          uuid not null references email on delete cascade,
  provider          text not null,
  provider_event_id text not null, -- makes a report that arrives twice one row
  kind              text not null, -- in the provider's words
  body              text not null, -- JSON, as received
  created_at        timestamptz not null default now(),
  applied_at        timestamptz, -- null until it is applied
  error             text, -- why it could not be applied
  unique (provider, provider_event_id)
);
create index email_event_waiting on email_event (id) where applied_at is null;
create index email_event_email on email_event (email_id);
create index email_event_created on email_event (created_at);

-- An address that gets no more emails of an organization.
create table suppression (
  organization_id integer not null references organization,
  email           text not null, -- the folded address (values/EmailAddress.ts), or its hash after an erasure
  reason          text not null,
  created_at      timestamptz not null default now(),
  primary key (organization_id, email)
);
