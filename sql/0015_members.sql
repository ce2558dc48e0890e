-- Members who are invited and removed, and candidates whose data is erased.

-- Who was removed stays, for the audit log to name; the address is free again.
drop index member_email;
create unique index member_email on member (lower(email)) where deactivated_at is null;

-- Links by mail with which a member sets a password: once, and until expires_at.
create table member_link (
  token_hash      bytea primary key, -- SHA-256 of the link's token
  organization_id integer not null references organization,
  member_id       uuid not null references member on delete cascade,
  created_at      timestamptz not null,
  expires_at      timestamptz not null
);
create index member_link_member on member_link (member_id);
create index member_link_expires on member_link (expires_at);

-- The audit log of one member, of one kind of record, and of one record.
create index audit_log_member on audit_log (organization_id, member_id, id);
create index audit_log_record on audit_log (organization_id, record_id, id);
create index audit_log_type on audit_log (organization_id, record_type, id);

-- When everything personal was taken out of what is kept; the row stays for what counts it.
alter table candidate add column erased_at timestamptz;
