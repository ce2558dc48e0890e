-- Where the content of a file lies: an operator may choose another store, and what is kept already stays where it is.
-- Pods of the version before write to this database alone, as the default says.
alter table blob
  add column store  text not null default 'postgres' check (store in ('postgres', 's3')),
  -- Its person was erased: content and row go as soon as the store takes it.
  add column erased boolean not null default false;
create index blob_erased on blob (id) where erased;
