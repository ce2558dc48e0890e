-- Texts that members of an organization reuse as the personal message of invitations.
create table message_template (
  id              uuid primary key,
  organization_id integer not null references organization,
  name            text not null check (name <> ''),
  text            text not null, -- with tokens such as {{firstname}}, which each email fills in
  version         integer not null default 1, -- counts the changes, so that none overwrites another unseen
  created_by      uuid not null references member, -- the row of a removed member stays
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now()
);
create unique index message_template_name on message_template (organization_id, lower(name));
create index message_template_member on message_template (created_by);
