-- Files: CVs, and answers that candidates upload.

-- A file. Its content is in `store`.
create table blob (
  id              uuid primary key,
  organization_id integer not null references organization,
  size            integer check (size >= 0), -- bytes; null, like sha256, until the upload is complete
  sha256          bytea,
  store           text not null default 'postgres' check (store in ('postgres', 's3')),
  erased          boolean not null default false, -- its candidate was erased; the row is deleted after the content
  created_at      timestamptz not null default now()
);
create index blob_order on blob (created_at, id);
create index blob_erased on blob (id) where erased;

-- A chunk of a file's content in the store 'postgres', 256 KiB. Empty with another store, hence no foreign keys.
create table blob_chunk (
  blob_id         uuid not null,
  organization_id integer not null,
  ordinal         integer not null,
  bytes           bytea not null,
  is_last         boolean not null, -- a file without its last chunk is incomplete and is not read
  primary key (blob_id, ordinal)
);
-- No compression: the files are compressed already.
alter table blob_chunk alter column bytes set storage external;

-- The position of the sweep that deletes unreferenced files (BlobRepository.abandoned); one row.
create table blob_sweep (
  is_only    boolean primary key default true check (is_only),
  created_at timestamptz not null default '-infinity', -- of the last blob that the sweep read
  blob_id    uuid not null default '00000000-0000-0000-0000-000000000000'
);
insert into blob_sweep default values;
