-- Interview sets: questions for candidates, and requirements that answers and CVs are rated against.

create table language (
  id   integer primary key, -- used in cfg_lingual_ids; the guide at /docs lists them
  tag  text not null unique, -- BCP 47
  name text not null
);
insert into language (id, tag, name) values
  (1, 'en', 'English'), (2, 'de', 'Deutsch'), (3, 'fr', 'Français'), (4, 'es', 'Español'), (5, 'pt', 'Português'),
  (6, 'vi', 'Tiếng Việt'), (7, 'it', 'Italiano'), (8, 'nl', 'Nederlands'), (9, 'pl', 'Polski'), (10, 'ja', '日本語'),
  (11, 'ko', '한국어'), (12, 'zh', '中文'), (13, 'ar', 'العربية'), (14, 'hi', 'हिन्दी'), (15, 'tr', 'Türkçe'),
  (16, 'uk', 'Українська');

-- Groups interview sets and job posts.
create table project (
  id              uuid primary key,
  organization_id integer not null references organization,
  name            text not null check (name <> ''),
  created_at      timestamptz not null default now(),
  deleted_at      timestamptz
);
create index project_newest on project (organization_id, created_at, id) where deleted_at is null;

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
create index job_post_organization on job_post (organization_id, created_at, id) where deleted_at is null;

-- Questions and requirements can change until a candidate starts the interview or a CV is queued.
create table interview_set (
  id                 uuid primary key,
  organization_id    integer not null references organization,
  project_id         uuid references project,
  title              text not null,
  position           text, -- the role that the candidate is interviewed for
  set_type           integer not null default 1 check (set_type in (1, 2)), -- 1: interview, 2: CV set
  description        text,
  interview_duration integer check (interview_duration >= 1), -- minutes; null: no limit
  cfg_lingual_ids    integer[] not null default '{}',
  number_of_retakes  integer check (number_of_retakes >= 0),
  priority           integer,
  job_locations      jsonb not null default '[]', -- at most 20 (src/interview-sets/JobLocation.ts)
  external_id        text, -- like metadata, what the hiring system stores to find its record again (values/ExternalReference.ts)
  metadata           jsonb not null default '{}',
  created_at         timestamptz not null default now(),
  updated_at         timestamptz not null default clock_timestamp(), -- when it last changed, for lists of recent changes
  archived_at        timestamptz,
  deleted_at         timestamptz,
  unique (organization_id, id) -- for the foreign keys of its items, which check the organization, too
);
create index interview_set_organization on interview_set (organization_id, created_at, id);
create index interview_set_project on interview_set (project_id, created_at desc, id desc) where deleted_at is null;
create index interview_set_type on interview_set (organization_id, set_type, created_at, id) where deleted_at is null;
create index interview_set_in_use on interview_set (organization_id, created_at, id)
  where deleted_at is null and archived_at is null;
create index interview_set_archived on interview_set (organization_id, created_at, id)
  where deleted_at is null and archived_at is not null;
create index interview_set_folded on interview_set
  using gin (to_tsvector('simple', folded(translate(title || ' ' || coalesce(position, ''), './_-@:', '      '))));
create index interview_set_external on interview_set (organization_id, external_id) where external_id is not null;
create index interview_set_updated on interview_set (organization_id, updated_at);
create trigger interview_set_changed before update on interview_set for each row
  when (old.* is distinct from new.* and old.updated_at = new.updated_at) execute function set_updated_at();

create table question (
  id                   uuid primary key,
  organization_id      integer not null,
  interview_set_id     uuid not null,
  ordinal              integer not null, -- position in the request, from 0
  title                text,
  content              text,
  hint                 text,
  details              text,
  cfg_question_mode_id integer not null check (cfg_question_mode_id in (247, 248)), -- 247: pre-screening, 248: interview
  cfg_question_type_id integer not null check (cfg_question_type_id in (250, 251, 252, 253)), -- 250 text, 251 checkbox, 252 radio, 253 file
  priority             integer,
  options              jsonb not null default '[]',
  allowed_file_types   text[], -- that candidates may upload (files/UploadedFile.ts); null: all of them
  attributes           jsonb, -- any JSON of the hiring system
  unique (interview_set_id, ordinal),
  foreign key (organization_id, interview_set_id) references interview_set (organization_id, id)
);
-- Search by words of the organization's questions and requirements, for copies into another set. The organization is one of
-- the words, so that the index does not return items of others.
create index question_words on question using gin (to_tsvector('simple', 'organization' || organization_id::text || ' '
  || folded(translate(coalesce(title, '') || ' ' || coalesce(content, ''), './_-@:', '      '))));

-- What a member typed into the form of an interview set and has not saved. Only the member sees it.
create table set_draft (
  organization_id  integer not null references organization,
  member_id        uuid not null references member,
  interview_set_id uuid not null, -- of the set that is edited, or that the form will create
  title            text not null, -- as it was typed
  version          text not null, -- of the set when its form was opened; empty: there was no set
  fields           jsonb not null, -- the fields of the form, as [name, value]
  changes          integer not null default 1, -- how often it was saved
  saved_at         timestamptz not null default now(),
  primary key (member_id, interview_set_id)
);
create index set_draft_newest on set_draft (organization_id, member_id, saved_at);

create table requirement (
  id                uuid primary key,
  organization_id   integer not null,
  interview_set_id  uuid not null,
  ordinal           integer not null,
  title             text,
  content           text,
  hint              text,
  cfg_importance_id integer not null default 244 check (cfg_importance_id in (244, 245, 272, 273)),
  tal_skill_ids     integer[] not null default '{}',
  priority          integer,
  attributes        jsonb,
  unique (interview_set_id, ordinal),
  foreign key (organization_id, interview_set_id) references interview_set (organization_id, id)
);
create index requirement_words on requirement using gin (to_tsvector('simple', 'organization' || organization_id::text || ' '
  || folded(translate(coalesce(title, '') || ' ' || coalesce(content, ''), './_-@:', '      '))));

-- The access list: recruiters who may see the set and its submissions.
create table set_access (
  id               uuid primary key,
  organization_id  integer not null,
  interview_set_id uuid not null,
  ordinal          integer not null,
  email            text not null,
  fullname         text,
  firstname        text,
  lastname         text,
  priority         integer,
  attributes       jsonb,
  unique (interview_set_id, ordinal),
  foreign key (organization_id, interview_set_id) references interview_set (organization_id, id)
);
create unique index set_access_email on set_access (interview_set_id, lower(email));
create index set_access_reader on set_access (organization_id, lower(email));
