-- Options of webhook endpoints (docs/webhooks.md).

alter table webhook_endpoint
  add column header_names text[] not null default '{}', -- sent with each delivery; in the order of the form
  add column headers bytea, -- their names and values, encrypted under SECRET_KEY
  add column max_per_minute integer check (max_per_minute between 1 and 60000), -- attempts; null: no limit
  -- Both empty: events of all interview sets. Otherwise events of these sets, and of sets in these projects. Ids of
  -- deleted records stay, so that an endpoint never receives more than was chosen.
  add column interview_set_ids uuid[] not null default '{}',
  add column project_ids uuid[] not null default '{}';

-- The rate of an endpoint with max_per_minute (webhooks/EndpointRate.ts). A claim updates it.
create table webhook_throttle (
  endpoint_id uuid primary key,
  busy_until  timestamptz not null default '-infinity', -- each admitted attempt moves it on by the spacing
  admitted    integer not null default 0 -- by the last claim
) with (fillfactor = 50);

-- Sent although the endpoint is inactive, while `attempts` has this value: a member sends one parked delivery.
alter table webhook_delivery add column single_attempt integer;

-- Attempts by hour, for charts. Counted in the processes and written every few seconds: the counts of a killed process's
-- last seconds are missing.
create table webhook_endpoint_hour (
  endpoint_id uuid not null,
  hour        timestamptz not null,
  delivered   integer not null default 0,
  failed      integer not null default 0,
  primary key (endpoint_id, hour)
) with (fillfactor = 50);
