-- Webhook endpoints over the REST API.

-- More scopes than before: earlier keys stay valid.
alter table api_key
  drop constraint api_key_scopes_check,
  add constraint api_key_scopes_check
    check (scopes <@ array['invite_candidates', 'create_set', 'manage_webhooks', 'read']);

-- The prefix of the API key that made the change, kept after the key's deletion.
alter table audit_log add column api_key text;

-- The response, encrypted under SECRET_KEY, when it contains a secret; then body is empty.
alter table idempotency_key add column encrypted_body bytea;
