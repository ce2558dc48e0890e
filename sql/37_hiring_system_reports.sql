-- Orders with an id of their own, and reports that are sent again once the hiring system answers.

-- The hiring system was given the submission's id; true: the order's id, because the connection had an order of the submission
-- already. Two applications of one candidate then have two ids.
alter table ats_order add column has_own_id boolean not null default false;

alter table ats_report
  add column failed_at timestamptz, -- when the report was given up; the newest time
  add column sent_again integer; -- the report's `changes` when the service sent it again, because the hiring system answered

-- Reports whose last attempt failed, for the home and for sending them again.
create index ats_report_troubled on ats_report (connection_id) where last_error is not null;
