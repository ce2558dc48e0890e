-- The keys of SECRET_KEY under which this database holds, or held, encrypted secrets (service/SecretKeys.ts). A fingerprint is
-- derived from its key by HKDF for this purpose alone and reveals nothing of it.
create table secret_key (
  fingerprint   bytea primary key,
  first_used_at timestamptz not null default now()
);
