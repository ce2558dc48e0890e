-- Sign-in of members to the workspace. Sessions (0001) live as long as they are used, at most until expires_at.
alter table member add column deactivated_at timestamptz; -- may not sign in, and is in no session; null: a member as ever
create index session_expires on session (expires_at);

-- Attempts to sign in, counted for every pod together: by address, by client, and by both. The key is an HMAC: neither an
-- address nor a client's IP stands here. Of no organization: nobody knows yet whose member it is.
create table sign_in_attempt (
  key      bytea primary key,
  attempts integer not null,
  until    timestamptz not null -- then the count begins anew
);
create index sign_in_attempt_until on sign_in_attempt (until);

-- The sets that somebody is on the access list of.
create index access_reader on access (organization_id, lower(email));
