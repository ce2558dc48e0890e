-- A claim writes no column of an index, so that Postgres updates the row in its page (HOT). A claimed row is a quarter
-- larger: a fillfactor of 40 leaves room for all of a page.
-- A claimed row keeps its due_at. It is free again when claim_id is null, the lease has ended, or the process that
-- claimed it has ended (platform/queue/QueueSql.ts).
alter table webhook_delivery add column leased_until timestamptz, add column claimed_by integer;
alter table email add column leased_until timestamptz, add column claimed_by integer;
alter table cv add column leased_until timestamptz, add column claimed_by integer;
alter table evaluation add column leased_until timestamptz, add column claimed_by integer;
alter table webhook_delivery set (fillfactor = 40);

-- Due deliveries of one endpoint, by lane, for claims while many are due.
drop index webhook_delivery_waiting;
create index webhook_delivery_waiting on webhook_delivery (endpoint_id, least(attempts, 1), due_at) where due_at is not null;

-- A process that claims rows. Each living one counts `beats` up every second (platform/queue/WorkerProcesses.ts).
create table worker_process (
  id         integer generated always as identity primary key,
  beats      bigint not null default 0,
  ended_at   timestamptz -- its claims are free
) with (fillfactor = 50);

-- Finished deliveries of an event are looked up only for an erasure. Ids of events grow with time, so a BRIN index is
-- enough, and writing it costs almost nothing.
drop index webhook_delivery_history_event;
create index webhook_delivery_history_event on webhook_delivery_history using brin (event_id) with (pages_per_range = 32);
