-- Attempts that were started and did not end, because the process that performed them died (repository/Queue.ts). Pods of
-- the previous version neither count nor reset them.
alter table webhook_delivery add column started_attempts smallint not null default 0;
alter table email add column started_attempts smallint not null default 0;
alter table cv add column started_attempts smallint not null default 0;
alter table evaluation add column started_attempts smallint not null default 0;
