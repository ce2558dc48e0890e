-- Invitations of candidates to interview sets.

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
  created_at       timestamptz not null default now()
);
-- A repeated request finds the open invitation; it never creates a second one.
create unique index invitation_living on invitation (interview_set_id, candidate_id)
  where status not in ('failed', 'cancelled', 'expired');
create index invitation_organization on invitation (organization_id, created_at, id);
create index invitation_status on invitation (organization_id, status, created_at, id);
create index invitation_set on invitation (interview_set_id, created_at, id);
create index invitation_candidate on invitation (candidate_id, interview_set_id);
create index invitation_submission on invitation (submission_id);
-- For finding candidates by the address of an invitation, also after the hiring system corrected the candidate's address.
create index invitation_email on invitation (organization_id, lower(email));
create index invitation_reminder on invitation (expires_at)
  where reminder is null and status in ('sent', 'delivered', 'opened', 'clicked');

alter table email add foreign key (invitation_id) references invitation;
