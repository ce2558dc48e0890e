-- Where the sweep of files that nobody refers to has come to (repository/Blobs.ts): each of its steps looks at a piece of
-- them and goes on behind it, and after the last begins anew. One row for the whole database.
create table blob_sweep (
  is_only    boolean primary key default true check (is_only),
  created_at timestamptz not null default '-infinity', -- of the last blob that was looked at
  blob_id    uuid not null default '00000000-0000-0000-0000-000000000000'
);
insert into blob_sweep default values;
create index blob_order on blob (created_at, id);
drop index blob_created;

-- Not unique: should a provider give the same id twice, both mails are settled.
create index email_provider_message_id on email (provider, provider_message_id);
drop index email_provider_message;
