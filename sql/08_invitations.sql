-- Invitations of candidates to interview sets, and emails to candidates and members.

-- An invitation. Its emails are in `email`.
create table invitation (
  id               uuid primary key,
  organization_id  integer not null references organization,
  interview_set_id uuid not null references interview_set,
  candidate_id     uuid not null references candidate,
  submission_id    uuid not null references submission,
  email            text not null, -- the address at which the candidate was invited
  message          text, -- the recruiter's message in the email
  status           text not null default 'pending' check (status in ('pending', 'sent', 'delivered', 'opened',
                                                                     'clicked', 'failed', 'cancelled', 'expired')),
  failure_reason   text,
  -- null until the decision on the reminder. 'skipped': no reminder is sent; an extension sets it back to null.
  reminder         text check (reminder in ('queued', 'skipped')),
  expires_at       timestamptz not null,
  sent_at          timestamptz,
  delivered_at     timestamptz,
  opened_at        timestamptz,
  clicked_at       timestamptz,
  spam_at          timestamptz, -- when the candidate marked the email as spam
  failed_at        timestamptz,
  cancelled_at     timestamptz,
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default clock_timestamp() -- when it last changed, for lists of recent changes
);
-- A repeated request finds the open invitation; it never creates a second one.
create unique index invitation_living on invitation (interview_set_id, candidate_id)
  where status not in ('failed', 'cancelled', 'expired');
create index invitation_organization on invitation (organization_id, created_at, id);
create index invitation_status on invitation (organization_id, status, created_at, id);
create index invitation_set on invitation (interview_set_id, created_at, id);
-- A recruiter's failed invitations, in the few sets that the recruiter may read.
create index invitation_failed on invitation (interview_set_id) where status = 'failed';
create index invitation_candidate on invitation (candidate_id, interview_set_id);
-- The newest invitation of a submission and its status: an index-only scan.
create index invitation_submission on invitation (submission_id, created_at, id) include (status);
create index invitation_updated on invitation (organization_id, updated_at);
-- For finding candidates by the address of an invitation, also after the hiring system corrected the candidate's address.
create index invitation_email on invitation (organization_id, lower(email));
create index invitation_reminder on invitation (expires_at)
  where reminder is null and status in ('sent', 'delivered', 'opened', 'clicked');
create trigger invitation_changed before update on invitation for each row
  when (old.* is distinct from new.* and old.updated_at = new.updated_at) execute function set_updated_at();

-- Texts that members of an organization reuse as the personal message of invitations.
create table message_template (
  id              uuid primary key,
  organization_id integer not null references organization,
  kind            text not null default 'invitation' check (kind in ('invitation', 'advance', 'reject')), -- of its emails
  name            text not null check (name <> ''),
  subject         text not null default '', -- of emails about a decision, with tokens; those of invitations: email_subject
  text            text not null, -- with tokens such as {{firstname}}, which each email fills in
  version         integer not null default 1, -- counts the changes, so that none overwrites another unseen
  created_by      uuid not null references member, -- the row of a removed member stays
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now()
);
create unique index message_template_name on message_template (organization_id, lower(name));
create index message_template_member on message_template (created_by);

-- The subjects that an organization, or one of its interview sets, gives emails of invitations. Empty: those of the organization, or
-- the service's own.
create table email_subject (
  id               uuid primary key default gen_random_uuid(),
  organization_id  integer not null references organization,
  interview_set_id uuid references interview_set, -- null: of all sets that have no own one
  invitation       text not null default '', -- with tokens, as in messages
  reminder         text not null default '',
  version          integer not null default 1 -- counts the changes, so that none overwrites another unseen
);
create unique index email_subject_organization on email_subject (organization_id) where interview_set_id is null;
create unique index email_subject_set on email_subject (interview_set_id) where interview_set_id is not null;
create index email_subject_owner on email_subject (organization_id);

-- An email, and the job of sending it.
create table email (
  id                  uuid primary key,
  organization_id     integer not null references organization,
  invitation_id       uuid references invitation,
  submission_id       uuid references submission, -- of an email after the interview; null: another email
  kind                text not null,
  recipient           text not null,
  subject             text, -- subject, html and text are null until the email is rendered for its first attempt
  html                text,
  text                text,
  message_id          text, -- Message-ID without brackets, the same for every attempt; null before the first
  provider            text,
  provider_message_id text,
  handed_at           timestamptz, -- when it was last handed to the provider; while sent_at is null, the provider may or may not have it
  sent_at             timestamptz,
  error               text,
  created_at          timestamptz not null default now(),
  state               text not null default 'queued' check (state in ('queued', 'sent', 'failed', 'cancelled')),
  due_at              timestamptz default now(),
  attempts            integer not null default 0,
  unended_attempts    smallint not null default 0,
  alone               text check (alone in ('waiting', 'started')),
  claim_id            uuid,
  leased_until        timestamptz,
  claimed_by          integer,
  traceparent         text default nullif(current_setting('interview.traceparent', true), ''),
  check ((due_at is null) = (state <> 'queued'))
);
create index email_due on email (due_at) where due_at is not null;
create index email_failed on email (organization_id, created_at) where state = 'failed';
create index email_invitation on email (invitation_id);
create index email_submission on email (submission_id) where submission_id is not null;
create index email_organization on email (organization_id, created_at, id);
-- Not unique: if a provider gives the same id twice, its reports settle both emails.
create index email_provider_message_id on email (provider, provider_message_id);

-- A provider's report about an email, stored before it is applied. Reports about emails of other systems are not stored.
create table email_event (
  id                bigint generated always as identity primary key,
  organization_id   integer not null references organization,
  email_id          uuid not null references email on delete cascade,
  provider          text not null,
  provider_event_id text not null, -- makes a report that arrives twice one row
  kind              text not null, -- in the provider's words
  body              text not null, -- JSON, as received
  created_at        timestamptz not null default now(),
  applied_at        timestamptz, -- null until it is applied
  error             text, -- why it could not be applied
  unique (provider, provider_event_id)
);
create index email_event_waiting on email_event (id) where applied_at is null;
create index email_event_email on email_event (email_id);
create index email_event_created on email_event (created_at);

-- An address that gets no more emails of an organization.
create table suppression (
  organization_id integer not null references organization,
  email           text not null, -- the folded address (values/EmailAddress.ts), or its hash after an erasure
  reason          text not null,
  created_at      timestamptz not null default now(),
  id              uuid not null default gen_random_uuid(), -- names it in the API and in the audit log, which hold no address
  primary key (organization_id, email)
);
create index suppression_newest on suppression (organization_id, created_at, id);
create index suppression_id on suppression (id);

-- Stores what an invite creates (invitations/InviteRepository.ts). `created`: arrays of rows by table; a table without rows is
-- left out. `earlier_submissions`: new external_id and metadata of submissions that exist.
create function record_invite(organization integer, interview_set uuid, personal_message text, expiry timestamptz,
  created jsonb, moment timestamptz) returns void language plpgsql set search_path from current as $$
begin
  if created ? 'candidates' then
    insert into candidate (id, organization_id, created_at, ats_candidate_id, email, email_key, name, firstname, lastname)
    select r.id, organization, moment, r.ats_candidate_id, r.email, r.email_key, r.name, r.firstname, r.lastname
    from jsonb_to_recordset(created->'candidates') as r(id uuid, ats_candidate_id uuid, email text, email_key text, name text,
      firstname text, lastname text);
  end if;
  if created ? 'applications' then
    insert into application (id, organization_id, candidate_id, job_post_id, created_at)
    select r.id, organization, r.candidate_id, r.job_post_id, moment
    from jsonb_to_recordset(created->'applications') as r(id uuid, candidate_id uuid, job_post_id uuid);
  end if;
  if created ? 'submissions' then
    insert into submission (id, organization_id, interview_set_id, candidate_id, application_id, flow, status, external_id,
      metadata, expires_at, created_at)
    select r.id, organization, interview_set, r.candidate_id, r.application_id, r.flow, r.status, r.external_id, r.metadata,
      expiry, moment
    from jsonb_to_recordset(created->'submissions') as r(id uuid, candidate_id uuid, application_id uuid, flow text,
      status text, external_id text, metadata jsonb);
  end if;
  if created ? 'earlier_submissions' then
    update submission b set external_id = r.external_id, metadata = r.metadata
    from jsonb_to_recordset(created->'earlier_submissions') as r(id uuid, external_id text, metadata jsonb)
    where b.id = r.id and b.organization_id = organization;
  end if;
  if created ? 'invitations' then
    insert into invitation (id, organization_id, interview_set_id, candidate_id, submission_id, email, message, status,
      failure_reason, failed_at, expires_at, created_at)
    select r.id, organization, interview_set, r.candidate_id, r.submission_id, r.email, personal_message, r.status,
      r.failure_reason, case when r.status = 'failed' then moment end, expiry, moment
    from jsonb_to_recordset(created->'invitations') as r(id uuid, candidate_id uuid, submission_id uuid, email text,
      status text, failure_reason text);
  end if;
  if created ? 'emails' then
    insert into email (id, organization_id, invitation_id, kind, recipient, created_at, due_at)
    select r.id, organization, r.invitation_id, 'invitation', r.recipient, moment, moment
    from jsonb_to_recordset(created->'emails') as r(id uuid, invitation_id uuid, recipient text);
  end if;
end
$$;

-- An invite of new candidates to a set for interviews, in one statement (invitations/Invite.ts): takes the lock of invites, and
-- stores `created` unless an address or an ats_candidate_id in it is known, or the organization has notices for candidates.
-- False: stored nothing, not all of that holds.
-- The lock is taken by a statement that reads a table, as by all others (platform/database/AdvisoryLocks.ts).
create function record_new_invite(organization integer, lock_name text, invited_set uuid, personal_message text,
  expiry timestamptz, created jsonb, moment timestamptz) returns boolean language plpgsql set search_path from current as $$
begin
  perform pg_advisory_xact_lock(hashtext(lock_name), organization) from interview_set s
  where s.id = invited_set and s.organization_id = organization and s.deleted_at is null and s.set_type = 1;
  if not found then
    return false;
  end if;
  perform from notice n where n.organization_id = organization and n.withdrawn_at is null limit 1;
  if found then
    return false;
  end if;
  perform from jsonb_to_recordset(created->'candidates') as r(ats_candidate_id uuid, email_key text, email_hash text)
    cross join lateral (
      select from candidate c where c.organization_id = organization and c.ats_candidate_id = r.ats_candidate_id
      union all
      select from candidate c where c.organization_id = organization and c.email_key = r.email_key
      union all
      select from suppression x where x.organization_id = organization and x.email in (r.email_key, r.email_hash)
      limit 1
    ) known limit 1;
  if found then
    return false;
  end if;
  perform record_invite(organization, invited_set, personal_message, expiry, created, moment);
  return true;
end
$$;
