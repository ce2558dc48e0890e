-- Who members are at a provider of OpenID Connect. An address may be given to somebody else there; this name never is.
create table member_identity (
  issuer          text not null,
  subject         text not null, -- at most 255 characters (OpenID Connect Core 1.0, 2)
  organization_id integer not null references organization,
  member_id       uuid not null references member on delete cascade,
  linked_at       timestamptz not null,
  primary key (issuer, subject)
);
-- One for each provider: who has a member's address there later is somebody else.
create unique index member_identity_member on member_identity (member_id, issuer);
