-- The order of events continues after a restore or a failover, even if no process is restarted (webhooks/EventOrderSql.ts).

-- The start time of the server for which the offset was set. Null: not known, as right after this migration.
alter table event_order add column server_started_at timestamptz;

-- Raises the offset once after each start of the server, so that new numbers are above all earlier ones; returns the offset.
-- Concurrent calls wait until the transaction of the first one has ended. Reads the values before the update: Citus refuses
-- clock_timestamp() in an update, and would take the start and the snapshot of the coordinator there.
create function continue_event_order() returns bigint language plpgsql set search_path from current as $$
declare
  raised bigint;
  started_at timestamptz;
begin
  perform from event_order where server_started_at is distinct from pg_postmaster_start_time() for update;
  if found then
    select case when known.clock > known.used then known.clock else known.used + (1::bigint << 40) end - known.oldest, known.started_at
    into raised, started_at
    from (
      select (extract(epoch from clock_timestamp()) * 1000000)::bigint as clock,
        greatest(
          (select max(newest.xid::text::bigint) from organization o cross join lateral (
            select e.xid from webhook_event e where e.organization_id = o.id order by e.xid desc, e.seq desc limit 1
          ) newest),
          xid_offset + pg_snapshot_xmax(pg_current_snapshot())::text::bigint
        ) as used,
        pg_snapshot_xmin(pg_current_snapshot())::text::bigint as oldest, pg_postmaster_start_time() as started_at
      from event_order
    ) known;
    update event_order set server_started_at = started_at, xid_offset = raised;
  end if;
  return (select xid_offset from event_order);
end
$$;
