-- Since when an endpoint's secret signs: what was sent before was signed with another one, so its headers can not be shown.
-- Of endpoints that are there already it is not known; from now on it is.
alter table webhook_endpoint add column secret_since timestamptz not null default now();
