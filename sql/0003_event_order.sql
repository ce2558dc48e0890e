-- Reading events in order after a cursor (repository/EventOrder.ts).

-- One row for the whole database. Stored and compared transaction numbers are the server's own plus this offset, which
-- is raised when the data come to a server that counts from lower on, as a restored dump does. webhook_event.xid keeps its
-- default for pods of the version before, which run on while a new one is rolled out: the offset is zero until a restore.
create table event_order (
  is_only    boolean primary key default true check (is_only),
  xid_offset bigint not null default 0 check (xid_offset >= 0)
);
insert into event_order default values;

-- One type after a cursor: without it, a reader of a rare type walks through all the others.
create index webhook_event_type on webhook_event (organization_id, event_type, xid, seq);
