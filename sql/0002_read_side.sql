-- Lists: newest first, each with one filter, page by page behind (created_at, id). A page reads its own rows and no others.
-- What a candidate or a submission has is few, so those indexes need no order.

create index project_newest on project (organization_id, created_at, id) where deleted_at is null;
drop index project_organization;

create index job_post_organization on job_post (organization_id, created_at, id) where deleted_at is null;

create index interview_set_type on interview_set (organization_id, set_type, created_at, id) where deleted_at is null;

create index submission_set_newest on submission (interview_set_id, created_at, id);
drop index submission_set;
create index submission_status on submission (organization_id, status, created_at, id);

create index invitation_set on invitation (interview_set_id, created_at, id);
create index invitation_status on invitation (organization_id, status, created_at, id);
create index invitation_candidate on invitation (candidate_id, interview_set_id);
