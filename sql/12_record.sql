-- The record: a signed hash chain of each organization's evaluations, overrides and decisions (docs/record.md).

-- The chain of an organization. Its row is locked while entries are sealed or the key is replaced.
create table record_chain (
  organization_id integer primary key references organization,
  entries         bigint not null default 0, -- sealed ones
  hash            bytea, -- of the last sealed entry; null: none
  sealed_at       timestamptz
);

-- The keys that sign an organization's entries. They belong to the organization, so that a move to another cell takes them along.
create table record_key (
  id              uuid primary key,
  organization_id integer not null references organization,
  position        integer not null check (position > 0), -- each key replaces the one before it
  public_key      bytea not null, -- Ed25519, 32 bytes
  private_key     bytea, -- the seed, encrypted under SECRET_KEY; null: replaced, and deleted
  signature       bytea, -- of the statement about this key, by the key before it; null: the first, or that one was lost
  created_at      timestamptz not null, -- in whole milliseconds, because it is signed
  retired_at      timestamptz,
  check ((private_key is null) = (retired_at is not null))
);
create unique index record_key_position on record_key (organization_id, position);
create unique index record_key_active on record_key (organization_id) where retired_at is null;

-- A fact, inserted in its transaction, and sealed into the chain soon after (record/RecordSealer.ts). An erasure empties
-- `content` and `salt`; the chain has a hash of both.
create table record_entry (
  id              bigint generated always as identity primary key,
  organization_id integer not null references organization,
  submission_id   uuid not null references submission,
  kind            text not null check (kind in ('evaluation', 'override', 'decision')),
  evaluation_id   uuid, -- of an evaluation or an override
  at              timestamptz not null, -- in whole milliseconds, because it is signed
  facts           jsonb, -- without personal data; null once sealed: `body` has them
  content         jsonb, -- personal data; null: erased
  salt            bytea, -- 32 random bytes, as long as there is content
  number          bigint, -- place in the chain, from 1; null: not sealed yet
  body            text, -- canonical JSON (RFC 8785) of what is hashed and signed
  hash            bytea,
  signature       bytea,
  check ((number is null) = (body is null) and (number is null) = (hash is null) and (number is null) = (signature is null)),
  check ((content is null) = (salt is null))
);
create unique index record_entry_number on record_entry (organization_id, number);
create index record_entry_unsealed on record_entry (organization_id, id) where number is null;
create unique index record_entry_evaluation on record_entry (evaluation_id) where kind = 'evaluation';
create index record_entry_submission on record_entry (submission_id, id);
