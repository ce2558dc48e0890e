-- What tells one mail from another outside: its Message-ID, the same at every attempt, and whether an attempt was begun.
-- A mail that was handed over and not settled is one whose fate is not known: a provider's report on it settles it.
alter table email
  add column message_id text,       -- without brackets; written before the mail is first handed over
  add column handed_at  timestamptz; -- when it was last handed to the provider

-- Reports of providers on mails, stored before they are applied. Only those on our own mails: an account with a provider
-- may send other mails too.
create table mail_report (
  id              bigint generated always as identity primary key,
  organization_id integer not null references organization,
  email_id        uuid not null references email on delete cascade,
  provider        text not null,
  report_id       text not null, -- the provider's own id of the report: what comes twice is one report
  kind            text not null, -- as the provider calls it
  body            text not null, -- JSON, as it came
  created_at      timestamptz not null default now(),
  applied_at      timestamptz,   -- null while it waits to be applied
  error           text,          -- why it could not be
  unique (provider, report_id)
);
create index mail_report_waiting on mail_report (id) where applied_at is null;
create index mail_report_email on mail_report (email_id);
create index mail_report_created on mail_report (created_at);
