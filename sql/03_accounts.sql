-- How candidates see organizations; their members, how they sign in, and API keys.

-- What candidates see of an organization, and from whom their emails come. Null: the service's own.
create table organization_appearance (
  organization_id integer primary key references organization,
  colour          text check (colour ~ '^#[0-9a-f]{6}$'), -- the accent, with enough contrast for text
  welcome         text, -- plain text on the first page of an interview
  sender_name     text, -- of emails; null: the organization's name
  reply_to        text, -- an email address; null: the organization's contact, if it is one
  logo_id         uuid references blob,
  logo_type       text check (logo_type in ('image/png', 'image/jpeg', 'image/webp')),
  logo_width      integer,
  logo_height     integer,
  version         integer not null default 1, -- counts the changes, so that none overwrites another unseen
  check ((logo_id is null) = (logo_type is null) and (logo_id is null) = (logo_width is null)
    and (logo_id is null) = (logo_height is null))
);
create index organization_appearance_logo on organization_appearance (logo_id);

-- A person with access to the workspace. The row of a removed member stays for the audit log.
create table member (
  id              uuid primary key,
  organization_id integer not null references organization,
  email           text not null,
  name            text,
  role            text not null check (role in ('owner', 'admin', 'recruiter', 'reviewer')),
  password_hash   text, -- argon2id as a PHC string; null until the member sets a password
  created_at      timestamptz not null default now(),
  -- When the member gets an email about an event: at once, in the daily email, or never (accounts/members/Notification.ts).
  mails_mentions  text not null default 'now' check (mails_mentions in ('now', 'daily', 'off')),
  mails_comments  text not null default 'daily' check (mails_comments in ('now', 'daily', 'off')),
  mails_assignments text not null default 'now' check (mails_assignments in ('now', 'daily', 'off')),
  mails_submitted text not null default 'daily' check (mails_submitted in ('now', 'daily', 'off')),
  mails_accommodations text not null default 'now' check (mails_accommodations in ('now', 'daily', 'off')),
  mails_person_reviews text not null default 'now' check (mails_person_reviews in ('now', 'daily', 'off')),
  mails_remarks text not null default 'now' check (mails_remarks in ('now', 'daily', 'off')),
  mails_webhooks  text not null default 'now' check (mails_webhooks in ('now', 'daily', 'off')), -- of owners and admins
  last_seen_at    timestamptz, -- the last use of a session, to within a quarter of an hour
  list_columns    text[], -- columns of the list of submissions that the member chose; null: the usual ones
  scores_shown_until timestamptz, -- until then the member sees the scores that the organization hides
  deactivated_at  timestamptz, -- when the member was removed
  -- Of a member's copy in the test space, which acts there in test mode: the member. It has the member's address, name and role,
  -- and never signs in. Null: a member.
  live_member_id  uuid references member on delete cascade,
  check (live_member_id is null or password_hash is null)
);
-- Unique across organizations: the sign-in form has the address but no organization.
create unique index member_email on member (lower(email)) where deactivated_at is null and live_member_id is null;
create index member_organization on member (organization_id);
create unique index member_live on member (live_member_id) where live_member_id is not null;

-- A test space has copies of members and no members, and other organizations have no copies.
create function check_member_mode() returns trigger language plpgsql set search_path from current as $$
begin
  if is_test_space(new.organization_id) <> (new.live_member_id is not null) then
    raise exception 'a test space has only copies of the members of its organization';
  end if;
  return new;
end
$$;
create trigger member_mode before insert or update of organization_id, live_member_id on member
  for each row execute function check_member_mode();

-- Keeps the copies in the test space equal to the members, in the transaction of each change. The lock of a new member's organization
-- waits for a test space that is being made, which does not see the member yet (OrganizationRepository.createTestSpace).
create function copy_member() returns trigger language plpgsql set search_path from current as $$
declare
  space   integer;
  copy_id uuid;
begin
  if tg_op = 'INSERT' then
    perform from organization where id = new.organization_id for share;
  end if;
  select id into space from organization where test_of = new.organization_id;
  if space is null then
    return null;
  end if;
  copy_id = gen_random_uuid();
  insert into member (id, organization_id, live_member_id, email, name, role, created_at, deactivated_at)
  values (copy_id, space, new.id, new.email, new.name, new.role, new.created_at, new.deactivated_at)
  on conflict (live_member_id) where live_member_id is not null do update
  set email = excluded.email, name = excluded.name, role = excluded.role, deactivated_at = excluded.deactivated_at;
  return null;
end
$$;
create trigger member_copied after insert or update of email, name, role, deactivated_at on member
  for each row when (new.live_member_id is null) execute function copy_member();

-- A member's identity at an OpenID Connect provider. A provider may reassign an address, but never a subject.
create table member_identity (
  issuer          text not null,
  subject         text not null, -- at most 255 characters (OpenID Connect Core 1.0, 2)
  organization_id integer not null references organization,
  member_id       uuid not null references member on delete cascade,
  linked_at       timestamptz not null,
  primary key (issuer, subject)
);
-- One identity per provider: a later account there with the member's address belongs to another person.
create unique index member_identity_member on member_identity (member_id, issuer);

-- A member's second factor at sign-in with a password: the key of an authenticator app (TOTP, RFC 6238).
create table second_factor (
  member_id       uuid primary key references member on delete cascade,
  organization_id integer not null references organization,
  secret          bytea not null, -- encrypted under SECRET_KEY
  last_step       bigint not null, -- the time step of the last accepted code; it and earlier ones are refused
  created_at      timestamptz not null
);
create index second_factor_organization on second_factor (organization_id);

-- A code that replaces one of the authenticator app's. It is deleted when it is used.
create table recovery_code (
  member_id       uuid not null references member on delete cascade,
  code_hash       bytea not null, -- SHA-256 of 80 random bits
  organization_id integer not null references organization,
  primary key (member_id, code_hash)
);
create index recovery_code_organization on recovery_code (organization_id);

-- A member's passkey (WebAuthn): signs in without a password and a code.
create table passkey (
  credential_id   bytea primary key, -- chosen by the authenticator; at most 1,023 bytes
  organization_id integer not null references organization,
  member_id       uuid not null references member on delete cascade,
  name            text not null,
  public_key      bytea not null, -- COSE (RFC 9052)
  counter         bigint not null, -- the authenticator's count of signatures; 0: it counts none
  transports      text[] not null, -- how the browser reaches the authenticator
  created_at      timestamptz not null,
  last_used_at    timestamptz
);
create index passkey_member on passkey (member_id);
create index passkey_organization on passkey (organization_id);

-- A link in an email with which a member sets a password. It works once.
create table password_link (
  token_hash      bytea primary key, -- SHA-256 of the id of the email that contains the link
  organization_id integer not null references organization,
  member_id       uuid not null references member on delete cascade,
  created_at      timestamptz not null,
  expires_at      timestamptz not null
);
create index password_link_member on password_link (member_id);
create index password_link_expires on password_link (expires_at);

-- A signed-in browser.
create table session (
  token_hash      bytea primary key, -- SHA-256 of the cookie's token
  organization_id integer not null references organization,
  member_id       uuid not null references member on delete cascade,
  user_agent      text,
  method          text not null default 'password' check (method in ('password', 'provider', 'passkey')),
  created_at      timestamptz not null default now(),
  last_seen_at    timestamptz not null default now(),
  expires_at      timestamptz not null,
  test_member_id  uuid references member on delete set null -- in test mode: the member's copy; null: not in test mode
);
create index session_member on session (member_id);
create index session_test_member on session (test_member_id) where test_member_id is not null;
create index session_expires on session (expires_at);

-- A count of failed sign-ins: by address, by client, or by both. Rows have no organization, because the member is unknown
-- before the sign-in.
create table sign_in_attempt (
  key        bytea primary key, -- an HMAC, so that the table reveals neither addresses nor clients
  attempts   integer not null,
  expires_at timestamptz not null -- when the count starts again at 0
);
create index sign_in_attempt_expires on sign_in_attempt (expires_at);

-- A form of the workspace that a member submitted. A second submission takes no effect and shows the same response.
create table form_idempotency (
  member_id       uuid not null references member on delete cascade,
  form_id         uuid not null, -- created with the page that contains the form
  organization_id integer not null references organization,
  kind            text not null, -- which form
  response        bytea, -- encrypted; null while the first request runs
  created_at      timestamptz not null,
  expires_at      timestamptz not null,
  primary key (member_id, form_id)
);
create index form_idempotency_expires on form_idempotency (expires_at);
create index form_idempotency_organization on form_idempotency (organization_id);

-- A key with which a hiring system calls the REST API.
create table api_key (
  id              uuid primary key,
  organization_id integer not null references organization,
  prefix          text not null unique, -- the public half: iv_live_, in a test space iv_test_, and 8 characters
  secret_hash     bytea not null, -- SHA-256 of the 32 random bytes
  name            text,
  description     text,
  scopes          text[] not null default '{}'
                  check (scopes <@ array[ -- empty: unrestricted
                    'invite_candidates', 'create_set', 'manage_sets', 'review_submissions', 'manage_webhooks', 'manage_emails',
                    'manage_privacy', 'read']),
  status          text not null default 'active' check (status in ('active', 'inactive')),
  expires_at      timestamptz,
  last_used_at    timestamptz,
  created_by      uuid references member on delete set null,
  created_at      timestamptz not null default now()
);
create index api_key_organization on api_key (organization_id, created_at);

-- A key's first letters say what it can read: a test key is a test space's, and a test space has no other.
create function check_api_key_mode() returns trigger language plpgsql set search_path from current as $$
begin
  if is_test_space(new.organization_id) <> (new.prefix like 'iv\_test\_%') then
    raise exception 'a key of a test space begins with iv_test_, and no other key does';
  end if;
  return new;
end
$$;
create trigger api_key_mode before insert or update of prefix, organization_id on api_key
  for each row execute function check_api_key_mode();

-- The response to a REST request with an Idempotency-Key, stored in the transaction of the request's changes.
create table idempotency_key (
  organization_id integer not null references organization,
  api_key_id      uuid not null references api_key on delete cascade,
  key             text not null,
  request_hash    bytea not null,
  status          integer not null, -- HTTP status of the response
  body            text not null, -- empty with encrypted_body
  encrypted_body  bytea, -- the response, encrypted under SECRET_KEY, when it contains a secret
  created_at      timestamptz not null default now(),
  primary key (api_key_id, key)
);
create index idempotency_key_created on idempotency_key (created_at);

-- A change by a member, a command or the service.
create table audit_log (
  id              bigint generated always as identity primary key,
  organization_id integer not null references organization,
  member_id       uuid references member on delete set null, -- null: a command, an API key or the service itself
  api_key         text, -- the prefix of the API key that made the change, kept after the key's deletion
  action          text not null,
  record_type     text not null,
  record_id       text not null,
  detail          jsonb not null default '{}',
  created_at      timestamptz not null default now()
);
create index audit_log_organization on audit_log (organization_id, id);
create index audit_log_created on audit_log (organization_id, created_at);
create index audit_log_member on audit_log (organization_id, member_id, id);
create index audit_log_record on audit_log (organization_id, record_id, id);
create index audit_log_action on audit_log (organization_id, action, id);
create index audit_log_type on audit_log (organization_id, record_type, id);
