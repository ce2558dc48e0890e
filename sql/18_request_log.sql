-- The request log: requests to the REST API with a key of an organization (docs/request-log.md). It has no bodies, and no personal
-- data: of the query, only values of parameters that name no person (accounts/requests/LoggedRequest.ts).

-- A request that was answered. Processes collect rows and insert them every second, so those of the last second before a process
-- is killed are missing. Without foreign keys: each row would lock its organization and its key.
create table api_request (
  id                  uuid primary key, -- version 7, of the time when it was stored: the oldest are deleted first
  organization_id     integer not null,
  api_key_id          uuid not null, -- kept after the key's deletion
  request_id          text not null, -- the X-Request-Id; clients may send one twice
  method              text not null,
  operation           text not null, -- the operationId of /openapi.json
  path                text not null, -- with ids; another value is the name of its parameter, such as :id
  query               jsonb, -- by parameter; null: the value was left out
  status              smallint not null, -- 499: the client disconnected
  problem             text, -- the code of the problem
  errors              jsonb, -- of the problem: the pointer and code of each
  warnings            jsonb, -- the pointer and code of each
  requests            integer not null default 1 check (requests >= 1), -- more: refused with 429, counted in one entry
  duration_ms         integer not null,
  has_idempotency_key boolean not null,
  is_replayed         boolean not null, -- the stored response to an earlier request with the key
  client              text, -- the program of User-Agent and its version
  created_at          timestamptz not null -- when the request began
);
create index api_request_newest on api_request (organization_id, created_at, id);
create index api_request_key on api_request (organization_id, api_key_id, created_at, id);
create index api_request_operation on api_request (organization_id, operation, created_at, id);
create index api_request_failed on api_request (organization_id, created_at, id) where status >= 400;
create index api_request_request_id on api_request (organization_id, request_id);
