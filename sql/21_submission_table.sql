-- Indexes of the list of submissions.

-- By the time of submitting.
create index submission_completed on submission (organization_id, completed_at, id) where completed_at is not null;
create index submission_set_completed on submission (interview_set_id, completed_at, id) where completed_at is not null;
-- By the time of the decision.
create index submission_decided on submission (organization_id, decided_at, id) where decision is not null;
create index submission_set_decided on submission (interview_set_id, decided_at, id) where decision is not null;
-- Submissions without a decision.
create index submission_undecided on submission (organization_id, created_at, id) where decision is null;
-- Submissions that are being evaluated.
create index evaluation_queued on evaluation (organization_id, submission_id) where state = 'queued';
