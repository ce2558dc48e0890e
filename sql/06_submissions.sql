-- Submissions: a candidate in an interview set, with answers, decision and reviews.

-- What the candidate has done in an interview, whatever reviewers have done: 0 invited, 1 opened, 2 started, 3 submitted.
-- A decision about a candidate who never answered makes `milestone` 5; the funnel still counts the candidate as invited only.
create function candidate_milestone(status text, initiated_at timestamptz, started_at timestamptz) returns smallint
language sql immutable parallel safe as $$
  select case when status in ('completed', 'evaluated') then 3 when started_at is not null then 2
    when initiated_at is not null then 1 else 0 end::smallint
$$;

-- How far a submission has come: 0 invited, 1 opened, 2 started, 3 submitted, 4 reviewed, 5 decided. A CV that could not be
-- read is not submitted: it does not wait for a review.
create function submission_milestone(status text, initiated_at timestamptz, started_at timestamptz,
  reviewed_at timestamptz, decision text, is_cv_unreadable boolean) returns smallint language sql immutable parallel safe as $$
  select case when decision is not null then 5 when reviewed_at is not null then 4 when is_cv_unreadable then 2
    else candidate_milestone(status, initiated_at, started_at) end::smallint
$$;

-- How far a submission has come; ended ones last.
create function status_order(status text) returns integer language sql immutable parallel safe as $$
  select array_position(array['need_interview', 'initiated', 'started', 'cv_processing', 'completed', 'evaluated',
    'withdrawn', 'expired'], status)
$$;

-- The column of the board in which a submission without a stage stands (submissions/HiringStage.ts).
create function board_column(status text, decision text) returns text language sql immutable parallel safe as $$
  select case when decision = 'reject' or status in ('withdrawn', 'expired') then 'ended'
    when status = 'need_interview' then 'invited' when status in ('initiated', 'started', 'cv_processing') then 'in_progress'
    when decision = 'advance' then 'advanced' else 'to_review' end
$$;

-- Since when a submission stands in its column of the board.
create function board_since(stage_moved_at timestamptz, completed_at timestamptz, started_at timestamptz,
  initiated_at timestamptz, created_at timestamptz) returns timestamptz language sql immutable parallel safe as $$
  select coalesce(stage_moved_at, completed_at, started_at, initiated_at, created_at)
$$;

-- The candidate's last act, or the invitation: the order of the workspace's list. Not updated_at: a review or a decision would
-- move the row while a member goes through the list.
create function last_active(created_at timestamptz, initiated_at timestamptz, started_at timestamptz, completed_at timestamptz,
  declined_at timestamptz) returns timestamptz language sql immutable parallel safe
  return greatest(created_at, initiated_at, started_at, completed_at, declined_at);

-- The moment from which the days of an organization's retention count (organization.kept_from); null: not yet. An interview
-- that was not submitted ends with its deadline, and needs no decision.
create function kept_since(kept_from text, status text, active timestamptz, expires_at timestamptz, decision text,
  decided_at timestamptz) returns timestamptz language sql immutable parallel safe
  return case
    when status in ('completed', 'evaluated') then case
      when kept_from = 'end' then active
      when decision is not null then greatest(active, decided_at) end
    when status in ('expired', 'withdrawn') then greatest(active, expires_at) end;

-- A stage of an organization's hiring after the interview, such as "Phone call": a column of the board.
create table hiring_stage (
  id              uuid primary key,
  organization_id integer not null references organization,
  name            text not null check (name <> ''),
  position        integer not null, -- the order of the stages; ascending, with gaps
  decision        text check (decision in ('advance', 'hold', 'reject')), -- made when a candidate is moved to the stage
  archived_at     timestamptz, -- an archived stage has no candidates
  created_at      timestamptz not null default now()
);
create unique index hiring_stage_name on hiring_stage (organization_id, lower(name)) where archived_at is null;
create index hiring_stage_order on hiring_stage (organization_id, position, id);

-- One candidate in one interview set. Its times are those of the current attempt.
create table submission (
  id                uuid primary key,
  organization_id   integer not null references organization,
  interview_set_id  uuid not null references interview_set,
  candidate_id      uuid not null references candidate,
  application_id    uuid references application,
  flow              text not null check (flow in ('interview', 'cv')), -- cv: only the CV is evaluated
  status            text not null check (status in ('need_interview', 'cv_processing', 'initiated', 'started',
                                                    'completed', 'evaluated', 'withdrawn', 'expired')),
  time_factor       numeric(4, 2) not null default 1 check (time_factor > 0), -- multiplies interview_duration
  language          text, -- of the candidate's pages and emails, which the candidate has chosen; BCP 47
  typed_answers_allowed boolean not null default false, -- where the set asks for spoken answers only (accommodation)
  attempt           integer not null default 1, -- the current attempt; answers are saved to it
  expires_at        timestamptz not null, -- the last moment to start the interview
  initiated_at      timestamptz, -- when the candidate first acted on the interview page
  started_at        timestamptz,
  answer_until      timestamptz, -- the deadline for answers; null: no time limit
  completed_at      timestamptz,
  improvement_until timestamptz, -- until then the candidate can reopen the completed interview
  declined_at       timestamptz, -- when the candidate declined; the status is then 'withdrawn'
  decline_reason    text, -- what the candidate chose and wrote; null: nothing
  external_id       text, -- like metadata, what the hiring system stores to find its record again (values/ExternalReference.ts)
  metadata          jsonb not null default '{}',
  decision          text check (decision in ('advance', 'hold', 'reject')),
  decision_reason   text,
  decided_by        jsonb, -- id and name of the member who made or cleared the decision
  decided_at        timestamptz,
  decision_before   jsonb, -- the decision that an undo restores: decision, reason, decided_by, decided_at
  -- The decision was made on a page without the answers, by a member who had not reviewed the candidate.
  decided_unread    boolean not null default false,
  -- Changes of the decision so far. A form that was rendered before the last change is refused.
  decision_changes  integer not null default 0,
  stage_id          uuid references hiring_stage, -- null: the column of the board follows from the status and the decision
  stage_changes     integer not null default 0, -- moves so far, like decision_changes
  stage_moved_at    timestamptz, -- when a member last moved the candidate
  reviewed_at       timestamptz, -- when the first review was sent
  -- Only the CV is evaluated, and it could not be fetched or read.
  is_cv_unreadable  boolean not null default false,
  -- In the last submitted answers, an option was chosen that its question marks as a knock-out answer; a trigger sets it.
  has_knock_out     boolean not null default false,
  -- A candidate's request for a person is open or was granted: the evaluator's score counts nowhere, and nothing is evaluated. A
  -- trigger sets it (sql/15_person_reviews.sql).
  score_unused      boolean not null default false,
  result_offered_at timestamptz, -- when the candidate got to know of the result's page by email
  cv_deleted_at     timestamptz, -- when its CVs were deleted after organization.cvs_kept_days, or its candidate was erased
  answers_deleted_at timestamptz, -- the same of its answers
  notice_until      timestamptz, -- evaluations do not run before this (sql/14_notices.sql); null: no notice asks for that
  milestone         smallint not null default 0, -- as submission_milestone gives it; a trigger sets it
  candidate_milestone smallint not null default 0, -- as candidate_milestone gives it; a trigger sets it
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default clock_timestamp() -- when it last changed, for lists of recent changes
);
create index submission_organization on submission (organization_id, created_at, id);
create index submission_status on submission (organization_id, status, created_at, id);
create index submission_candidate on submission (candidate_id, interview_set_id);
create index submission_set_newest on submission (interview_set_id, created_at, id);
create index submission_answer_until on submission (answer_until) where status = 'started' and answer_until is not null;
create index submission_expires on submission (expires_at) where status in ('need_interview', 'initiated');
-- A set with such a submission can no longer be changed.
create index submission_set_rated on submission (interview_set_id) where started_at is not null or flow = 'cv';
-- Answers that an organization's retention may delete.
create index submission_answered on submission (organization_id, started_at)
  where started_at is not null and answers_deleted_at is null;
create index submission_external on submission (organization_id, external_id) where external_id is not null;
create index submission_updated on submission (organization_id, updated_at);
-- Lists of submissions: those that wait for a review, by decision, without one, by the times of submitting, deciding and
-- reviewing, and by status. One of the organization and one of a set.
create index submission_active on submission
  (organization_id, last_active(created_at, initiated_at, started_at, completed_at, declined_at), id);
create index submission_set_active on submission
  (interview_set_id, last_active(created_at, initiated_at, started_at, completed_at, declined_at), id);
create index submission_status_active on submission
  (organization_id, status, last_active(created_at, initiated_at, started_at, completed_at, declined_at), id);
create index submission_waiting on submission
  (organization_id, last_active(created_at, initiated_at, started_at, completed_at, declined_at), id) where milestone = 3;
create index submission_set_waiting on submission
  (interview_set_id, last_active(created_at, initiated_at, started_at, completed_at, declined_at), id) where milestone = 3;
create index submission_decision_active on submission
  (organization_id, decision, last_active(created_at, initiated_at, started_at, completed_at, declined_at), id)
  where decision is not null;
create index submission_decision on submission (organization_id, decision, created_at, id) where decision is not null;
create index submission_set_decision on submission (interview_set_id, decision, created_at, id) where decision is not null;
create index submission_undecided on submission
  (organization_id, last_active(created_at, initiated_at, started_at, completed_at, declined_at), id) where decision is null;
create index submission_cv_unreadable on submission
  (organization_id, last_active(created_at, initiated_at, started_at, completed_at, declined_at), id) where is_cv_unreadable;
create index submission_declined on submission
  (organization_id, last_active(created_at, initiated_at, started_at, completed_at, declined_at), id)
  where declined_at is not null;
create index submission_knock_out on submission
  (organization_id, last_active(created_at, initiated_at, started_at, completed_at, declined_at), id) where has_knock_out;
-- Candidates who may get an email about the page with their result.
create index submission_result_due on submission (organization_id, completed_at)
  where completed_at is not null and result_offered_at is null;
create index submission_completed on submission (organization_id, completed_at, id) where completed_at is not null;
create index submission_set_completed on submission (interview_set_id, completed_at, id) where completed_at is not null;
create index submission_decided on submission (organization_id, decided_at, id) where decision is not null;
create index submission_set_decided on submission (interview_set_id, decided_at, id) where decision is not null;
create index submission_reviewed on submission (organization_id, reviewed_at, id) where reviewed_at is not null;
create index submission_set_reviewed on submission (interview_set_id, reviewed_at, id) where reviewed_at is not null;
create index submission_status_order on submission (organization_id, status_order(status), id);
create index submission_set_status_order on submission (interview_set_id, status_order(status), id);
-- The last active of the decided or reviewed submissions, below many that are neither.
create index submission_decided_active on submission
  (organization_id, last_active(created_at, initiated_at, started_at, completed_at, declined_at), id)
  where decision is not null;
create index submission_reviewed_active on submission
  (organization_id, last_active(created_at, initiated_at, started_at, completed_at, declined_at), id)
  where reviewed_at is not null;
-- The workspace's home: submissions that wait for a review (milestone 3) since they were submitted, or for a decision
-- (milestone 4) since their first review.
create index submission_pending on submission (organization_id, milestone, coalesce(reviewed_at, completed_at, created_at), id)
  where milestone in (3, 4);
create index submission_set_pending on submission (interview_set_id, milestone, coalesce(reviewed_at, completed_at, created_at), id)
  where milestone in (3, 4);
-- The board: its columns without a stage, of a set and of the organization, and its stages.
create index submission_set_board on submission (interview_set_id, board_column(status, decision),
  board_since(stage_moved_at, completed_at, started_at, initiated_at, created_at), id) where stage_id is null;
create index submission_board on submission (organization_id, board_column(status, decision), created_at, id)
  where stage_id is null;
create index submission_stage on submission (stage_id, interview_set_id,
  board_since(stage_moved_at, completed_at, started_at, initiated_at, created_at), id) where stage_id is not null;

create trigger submission_changed before update on submission for each row
  when (old.* is distinct from new.* and old.updated_at = new.updated_at) execute function set_updated_at();

create function set_submission_milestone() returns trigger language plpgsql set search_path from current as $$
begin
  new.candidate_milestone = candidate_milestone(new.status, new.initiated_at, new.started_at);
  new.milestone = submission_milestone(new.status, new.initiated_at, new.started_at, new.reviewed_at, new.decision,
    new.is_cv_unreadable);
  return new;
end
$$;
create trigger submission_milestone before update on submission for each row
  when ((old.status, old.initiated_at, old.started_at, old.reviewed_at, old.decision, old.is_cv_unreadable)
    is distinct from (new.status, new.initiated_at, new.started_at, new.reviewed_at, new.decision, new.is_cv_unreadable))
  execute function set_submission_milestone();

-- Data about a candidate, or about all candidates of an interview set, that must not be deleted or erased, for example for a
-- lawsuit.
create table legal_hold (
  id               uuid primary key,
  organization_id  integer not null references organization,
  candidate_id     uuid references candidate,
  interview_set_id uuid references interview_set,
  reason           text not null check (reason <> ''), -- as typed
  placed_by        uuid references member on delete set null,
  placed_at        timestamptz not null,
  released_by      uuid references member on delete set null,
  released_at      timestamptz, -- null: it is in force
  check (num_nonnulls(candidate_id, interview_set_id) = 1)
);
create unique index legal_hold_candidate on legal_hold (candidate_id) where released_at is null;
create unique index legal_hold_set on legal_hold (interview_set_id) where released_at is null;
create index legal_hold_organization on legal_hold (organization_id, placed_at) where released_at is null;

-- An earlier attempt of a submission. Its answers stay in `answer`.
create table interview_attempt (
  organization_id integer not null references organization,
  submission_id   uuid not null references submission,
  attempt         integer not null,
  started_at      timestamptz,
  completed_at    timestamptz,
  primary key (submission_id, attempt)
);

-- What candidates of an organization read before they record, instead of the service's own text. A change ends the row and
-- inserts another one, so that a recording refers to the text that its candidate saw.
create table recording_consent (
  id              uuid primary key,
  organization_id integer not null references organization,
  language        text not null, -- of the candidates' pages
  text            text not null check (text <> ''),
  created_at      timestamptz not null,
  ended_at        timestamptz -- when it was replaced; null: it is in force
);
create unique index recording_consent_in_force on recording_consent (organization_id, language) where ended_at is null;
create index recording_consent_organization on recording_consent (organization_id);

-- A spoken answer, or one take of it, and the job that stores, measures and transcribes it. The take that counts is
-- answer.recording_id. While the candidate speaks, its content arrives in pieces.
create table recording (
  id               uuid primary key,
  organization_id  integer not null references organization,
  submission_id    uuid not null references submission,
  attempt          integer not null,
  question_id      uuid not null references question,
  kind             text not null check (kind in ('audio', 'video')),
  consent_id       uuid references recording_consent, -- what the candidate's page showed before; null: the service's own text
  content_type     text, -- by the first piece; null until it has arrived
  started_at       timestamptz not null,
  received_at      timestamptz not null, -- of the last piece, or started_at
  received_bytes   bigint not null default 0, -- of all its pieces; stays when its content is deleted
  ended_at         timestamptz, -- when the last piece was received
  discarded_at     timestamptz, -- another take replaced it, or the candidate removed it; its content is deleted
  deleted_at       timestamptz, -- its content was deleted after organization.recordings_kept_days; the transcript stays
  blob_id          uuid references blob, -- null until the job has stored the content
  seconds          numeric(7, 2), -- the length; null until it was measured
  error            text, -- why the content cannot be played
  language         text, -- of the transcript, BCP 47
  transcriber      text, -- which one wrote the transcript
  segments         jsonb, -- of the transcript: [{start, end, text}], in seconds; null: there is none
  transcript_error text, -- why there is no transcript
  correction       text, -- the candidate's text instead of the transcript
  state            text not null default 'recording' check (state in ('recording', 'queued', 'done')),
  due_at           timestamptz,
  attempts         integer not null default 0,
  unended_attempts smallint not null default 0,
  alone            text check (alone in ('waiting', 'started')),
  claim_id         uuid,
  leased_until     timestamptz,
  claimed_by       integer,
  traceparent      text default nullif(current_setting('interview.traceparent', true), ''),
  check ((due_at is null) = (state <> 'queued'))
);
create index recording_due on recording (due_at) where due_at is not null;
create index recording_failed on recording (organization_id, started_at)
  where state = 'done' and (error is not null or transcript_error is not null);
create index recording_submission on recording (submission_id, attempt, question_id);
create index recording_blob on recording (blob_id) where blob_id is not null;
create index recording_organization on recording (organization_id);
-- Recordings with content, the oldest first, for their deletion.
create index recording_kept on recording (organization_id, received_at) where deleted_at is null and discarded_at is null;
-- Recordings whose pieces stopped arriving.
create index recording_open on recording (received_at) where state = 'recording';

-- A piece of a recording as the browser sent it, until the job has stored the whole.
create table recording_piece (
  recording_id    uuid not null references recording on delete cascade,
  organization_id integer not null references organization,
  ordinal         integer not null,
  bytes           bytea not null,
  primary key (recording_id, ordinal)
);
create index recording_piece_organization on recording_piece (organization_id);
-- No compression: recordings are compressed already.
alter table recording_piece alter column bytes set storage external;

-- What the candidate said: the candidate's correction, or the transcript.
create function spoken_text(correction text, segments jsonb) returns text language sql immutable parallel safe as $$
  select coalesce(correction, (select string_agg(s.segment ->> 'text', ' ' order by s.place)
    from jsonb_array_elements(segments) with ordinality as s (segment, place)))
$$;

-- A text, chosen options, a file, a recording.
create table answer (
  organization_id integer not null references organization,
  submission_id   uuid not null references submission,
  attempt         integer not null,
  question_id     uuid not null references question,
  content         text,
  option_ids      text[] not null default '{}',
  blob_id         uuid references blob,
  file_name       text,
  file_type       text, -- media type
  recording_id    uuid references recording,
  revision        integer not null default 1, -- counts saves, so that a page detects saves of another page
  updated_at      timestamptz not null default now(),
  primary key (submission_id, attempt, question_id)
);
create index answer_blob on answer (blob_id) where blob_id is not null;
create index answer_recording on answer (recording_id) where recording_id is not null;

-- As rulesOf of interview-sets/QuestionRules.ts reads the attributes of questions.
create function has_knock_out(of_submission uuid, of_attempt integer) returns boolean
language sql stable parallel safe set search_path from current as $$
  select exists (
    select from answer a join question q on q.id = a.question_id,
      lateral (select case when jsonb_typeof(q.attributes -> 'knock_out') = 'array' then q.attributes -> 'knock_out'
        else '[]' end as ids) k
    where a.submission_id = of_submission and a.attempt = of_attempt
      and not exists (select from jsonb_array_elements(k.ids) o(id) where jsonb_typeof(o.id) not in ('string', 'number'))
      and exists (select from jsonb_array_elements_text(k.ids) o(id) where o.id = any(a.option_ids)))
$$;

-- Questions are fixed once a candidate has started, so that the answers decide at their submission.
create function set_submission_knock_out() returns trigger language plpgsql set search_path from current as $$
begin
  new.has_knock_out = has_knock_out(new.id, new.attempt);
  return new;
end
$$;
create trigger submission_knock_out before update of status on submission for each row
  when (new.status = 'completed' and old.status is distinct from new.status) execute function set_submission_knock_out();

-- The words of what the hiring system stores with a submission and of submitted answers, for the search, like person_words.
-- Answers are added when an interview is completed, so that saves of answers do not write the index.
create table submission_words (
  submission_id   uuid primary key references submission on delete cascade,
  organization_id integer not null references organization,
  words           tsvector not null
);
create index submission_words_index on submission_words using gin (words);

-- The first 100,000 characters of all answers: a tsvector holds at most 1 MB. Answers only once they are submitted.
create function answer_words(of_submission uuid, of_attempt integer, organization integer) returns tsvector
language sql stable parallel safe set search_path from current as $$
  select array_to_tsvector(coalesce((
    select array_agg(distinct organization::text || ':' || left(word, 200))
    from submission s, unnest(regexp_split_to_array(folded(
      coalesce(s.external_id, '') || ' ' || coalesce((select string_agg(value, ' ') from jsonb_each_text(s.metadata)), '')
        || ' ' || left(case when s.status in ('completed', 'evaluated') then coalesce((
      select string_agg(coalesce(left(a.content, 20000), '') || ' ' || coalesce(a.file_name, '') || ' '
        || coalesce(left(spoken_text(r.correction, r.segments), 20000), ''), ' ' order by a.question_id)
      from answer a left join recording r on r.id = a.recording_id
      where a.submission_id = of_submission and a.attempt = of_attempt), '') else '' end, 100000)),
      -- spaces and punctuation; [:alnum:] would depend on the database's locale
      U&'[\0001-/:-@\005b-`{-\00bf\2000-\206f\3000-\303f]+')) word
    where s.id = of_submission and s.organization_id = organization and word <> ''), '{}'))
$$;

create function store_submission_words() returns trigger language plpgsql set search_path from current as $$
begin
  insert into submission_words (submission_id, organization_id, words)
  values (new.id, new.organization_id, answer_words(new.id, new.attempt, new.organization_id))
  on conflict (submission_id) do update set words = excluded.words;
  return null;
end
$$;
create trigger submission_completed after update of status on submission for each row
  when (new.status = 'completed' and old.status is distinct from new.status)
  execute function store_submission_words();
create trigger submission_referenced after insert on submission for each row
  when (new.external_id is not null or new.metadata <> '{}')
  execute function store_submission_words();
create trigger submission_reference_changed after update of external_id, metadata on submission for each row
  when (old.external_id is distinct from new.external_id or old.metadata is distinct from new.metadata)
  execute function store_submission_words();

create trigger submission_answers_deleted after update of answers_deleted_at on submission for each row
  when (new.answers_deleted_at is not null and old.answers_deleted_at is null)
  execute function store_submission_words();

-- Transcripts arrive after the interview was completed.
create function store_spoken_words() returns trigger language plpgsql set search_path from current as $$
declare
  submitted integer;
  spoken tsvector;
begin
  select attempt into submitted from submission
  where id = new.submission_id and organization_id = new.organization_id and status in ('completed', 'evaluated');
  if submitted is null then
    return null;
  end if;
  spoken := answer_words(new.submission_id, submitted, new.organization_id);
  update submission_words set words = spoken where submission_id = new.submission_id and organization_id = new.organization_id;
  return null;
end
$$;
create trigger recording_transcribed after update of segments, correction on recording for each row
  when ((old.segments, old.correction) is distinct from (new.segments, new.correction))
  execute function store_spoken_words();

-- What a candidate needs to take part, such as more time, and the answer. It may tell of the candidate's health: it is never
-- evaluated, and reviewers do not see it.
create table accommodation (
  id              uuid primary key,
  organization_id integer not null references organization,
  submission_id   uuid not null references submission,
  needs           text[] not null, -- AccommodationNeed; empty: only the text says it
  text            text not null default '',
  asked_at        timestamptz not null,
  answered_at     timestamptz,
  granted         text[], -- of the needs; empty: declined
  time_factor     numeric(4, 2), -- granted
  answer          text not null default '', -- a sentence to the candidate
  answered_by     uuid references member on delete set null,
  check ((granted is null) = (answered_at is null))
);
create unique index accommodation_open on accommodation (submission_id) where answered_at is null;
create index accommodation_submission on accommodation (submission_id, asked_at);
create index accommodation_waiting on accommodation (organization_id, asked_at) where answered_at is null;
create index accommodation_organization on accommodation (organization_id, answered_at);

-- A link with which a person without an account reads a submission. Its token is signed, not stored (emails/EmailLinks.ts).
create table guest_link (
  id              uuid primary key,
  organization_id integer not null references organization,
  submission_id   uuid not null references submission,
  may_review      boolean not null, -- the guest can send a review
  shows_scores    boolean not null, -- the guest sees the score
  created_by      uuid references member on delete set null,
  created_at      timestamptz not null,
  expires_at      timestamptz not null,
  revoked_at      timestamptz
);
create index guest_link_submission on guest_link (submission_id, created_at);
create index guest_link_organization on guest_link (organization_id);

-- A person who has opened such a link, in one browser.
create table guest (
  id              uuid primary key,
  organization_id integer not null references organization,
  guest_link_id   uuid not null references guest_link on delete cascade,
  session_hash    bytea not null unique, -- SHA-256 of the cookie's token
  name            text not null, -- as typed, like the address; empty after the candidate's erasure
  email           text not null,
  first_read_at   timestamptz not null,
  last_read_at    timestamptz not null,
  reads           integer not null default 0, -- visits of the page
  heard_at        jsonb not null default '{}' -- when each recording and transcript was last noted in the audit log
);
create index guest_of_link on guest (guest_link_id);
create index guest_organization on guest (organization_id);

-- A review of a submission by a member, or by a guest.
create table review (
  id              uuid primary key,
  organization_id integer not null references organization,
  submission_id   uuid not null references submission,
  member_id       uuid references member,
  guest_id        uuid references guest unique,
  -- By requirement id: 0 strong no, 1 no, 2 mixed, 3 yes, 4 strong yes. Requirements without a rating are absent.
  ratings         jsonb not null default '{}',
  note            text not null default '',
  mentioned       uuid[] not null default '{}', -- members who were notified, each once
  changes         integer not null default 1, -- a form that was rendered before the last change is refused
  sent_at         timestamptz, -- null: a draft, which only its author sees
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  unique (submission_id, member_id),
  check (num_nonnulls(member_id, guest_id) = 1)
);
create index review_member on review (member_id);

-- A member who is asked to review a submission. Reviewers see only submissions with such a row.
create table review_assignment (
  submission_id   uuid not null references submission,
  member_id       uuid not null references member,
  organization_id integer not null references organization,
  assigned_by     uuid references member on delete set null,
  assigned_at     timestamptz not null,
  reviewed_at     timestamptz, -- when the member sent the review of the submission; null: not yet
  primary key (submission_id, member_id)
);
create index review_assignment_member on review_assignment (member_id, reviewed_at, assigned_at);
create index review_assignment_organization on review_assignment (organization_id);

-- What a member writes to colleagues about a submission, or about one answer.
create table submission_comment (
  id              uuid primary key,
  organization_id integer not null references organization,
  submission_id   uuid not null references submission,
  question_id     uuid references question, -- null: about the submission
  member_id       uuid not null references member,
  text            text not null check (text <> ''),
  mentioned       uuid[] not null default '{}', -- members who were notified, each once
  changes         integer not null default 0, -- a form that was rendered before the last change is refused
  created_at      timestamptz not null,
  changed_at      timestamptz
);
create index submission_comment_submission on submission_comment (submission_id, created_at, id);
create index submission_comment_organization on submission_comment (organization_id);
create index submission_comment_question on submission_comment (question_id) where question_id is not null;

-- A word by which the members of an organization mark candidates, such as "backend".
create table tag (
  id              uuid primary key,
  organization_id integer not null references organization,
  name            text not null check (name <> ''),
  key             text not null, -- equal for two spellings of one tag (submissions/Tag.ts)
  created_at      timestamptz not null
);
create unique index tag_key on tag (organization_id, key);

create table submission_tag (
  submission_id   uuid not null references submission,
  tag_id          uuid not null references tag on delete cascade,
  organization_id integer not null references organization,
  primary key (submission_id, tag_id)
);
create index submission_tag_tag on submission_tag (tag_id, submission_id);
create index submission_tag_organization on submission_tag (organization_id);

-- A search of the list of submissions that a member saved under a name.
create table saved_view (
  id               uuid primary key,
  organization_id  integer not null references organization,
  member_id        uuid not null references member, -- the row of a removed member stays
  name             text not null check (name <> ''),
  query            text not null, -- the query string of the list, as SubmissionSearch.ts writes it
  interview_set_id uuid references interview_set, -- of the query; members who may not read the set do not see the view
  is_shared        boolean not null, -- for all members of the organization
  created_at       timestamptz not null default now()
);
create unique index saved_view_name on saved_view (organization_id, member_id, lower(name));
create index saved_view_member on saved_view (member_id);
create index saved_view_set on saved_view (interview_set_id) where interview_set_id is not null;
