-- The trace in which a row was queued (W3C traceparent), for the worker that goes on with it. Whoever writes a row says
-- nothing: a transaction of a request that is traced names its trace once (repository/Database.ts), and in any other this is
-- null. Pods of the version before name neither.
alter table webhook_event add column traceparent text default nullif(current_setting('interview.traceparent', true), '');
alter table email add column traceparent text default nullif(current_setting('interview.traceparent', true), '');
alter table cv add column traceparent text default nullif(current_setting('interview.traceparent', true), '');
alter table evaluation add column traceparent text default nullif(current_setting('interview.traceparent', true), '');
