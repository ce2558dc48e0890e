-- Answers of candidates.

-- A text, chosen options, or a file.
create table answer (
  organization_id integer not null references organization,
  submission_id   uuid not null references submission,
  attempt         integer not null,
  question_id     uuid not null references question,
  content         text,
  option_ids      text[] not null default '{}',
  blob_id         uuid references blob,
  file_name       text,
  file_type       text, -- media type
  revision        integer not null default 1, -- counts saves, so that a page detects saves of another page
  updated_at      timestamptz not null default now(),
  primary key (submission_id, attempt, question_id)
);
create index answer_blob on answer (blob_id) where blob_id is not null;
