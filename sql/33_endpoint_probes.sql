-- Probes of webhook endpoints that the service deactivated after failures (webhooks/EndpointProbes.ts).

alter table webhook_endpoint
  -- manual: a person; failures, gone (410), unreadable_secret: the service. Null: active, or deactivated by an earlier version.
  add column inactive_reason text,
  add column next_probe_at timestamptz, -- null: no probe follows
  add column failed_probes integer not null default 0, -- since the deactivation
  add column probe_delivery_id bigint, -- the delivery that was last queued as a probe
  add column resume_at timestamptz; -- from when the next parked deliveries are sent; null: none are to be sent
create index webhook_endpoint_next_probe on webhook_endpoint (next_probe_at) where next_probe_at is not null;
create index webhook_endpoint_resume on webhook_endpoint (id) where resume_at is not null;
