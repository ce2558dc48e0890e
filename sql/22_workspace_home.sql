-- Indexes of the workspace's home.

-- Submissions that wait for a review (stage 3) since they were submitted, or for a decision (stage 4) since their first review.
create index submission_pending on submission (organization_id, stage, coalesce(reviewed_at, completed_at, created_at), id)
  where stage in (3, 4);
create index submission_set_pending on submission (interview_set_id, stage, coalesce(reviewed_at, completed_at, created_at), id)
  where stage in (3, 4);
