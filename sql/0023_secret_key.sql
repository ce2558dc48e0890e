-- Fingerprints of the keys of SECRET_KEY that encrypted secrets of this database (service/SecretKeys.ts). A fingerprint is
-- derived from its key by HKDF for this purpose only and reveals nothing about the key.
create table secret_key (
  fingerprint   bytea primary key,
  first_used_at timestamptz not null default now()
);
