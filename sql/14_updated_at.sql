-- When a record last changed, for lists of recent changes.
alter table submission add column updated_at timestamptz not null default now();
alter table submission_score add column updated_at timestamptz not null default now();
alter table invitation add column updated_at timestamptz not null default now();
alter table interview_set add column updated_at timestamptz not null default now();
-- Readers ask again from shortly before their last request, so the time is the statement's: its transaction may have begun long
-- before. Set apart from the column: rows of before get one time, without a rewrite of the table.
alter table submission alter column updated_at set default clock_timestamp();
alter table submission_score alter column updated_at set default clock_timestamp();
alter table invitation alter column updated_at set default clock_timestamp();
alter table interview_set alter column updated_at set default clock_timestamp();
create index submission_updated on submission (organization_id, updated_at);
create index submission_score_updated on submission_score (organization_id, updated_at);
create index invitation_updated on invitation (organization_id, updated_at);
create index interview_set_updated on interview_set (organization_id, updated_at);

-- A statement that sets the column itself keeps its value.
create function set_updated_at() returns trigger language plpgsql as $$
begin
  new.updated_at = clock_timestamp();
  return new;
end
$$;
create trigger submission_changed before update on submission for each row
  when (old.* is distinct from new.* and old.updated_at = new.updated_at) execute function set_updated_at();
create trigger submission_score_changed before update on submission_score for each row
  when (old.* is distinct from new.* and old.updated_at = new.updated_at) execute function set_updated_at();
create trigger invitation_changed before update on invitation for each row
  when (old.* is distinct from new.* and old.updated_at = new.updated_at) execute function set_updated_at();
create trigger interview_set_changed before update on interview_set for each row
  when (old.* is distinct from new.* and old.updated_at = new.updated_at) execute function set_updated_at();
