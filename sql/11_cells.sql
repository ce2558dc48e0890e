-- Cells: installations of one service, each with its own database, and moves of organizations between them (docs/scale.md).

-- The number of this cell; one row. Generated ids are in the range of this number (cells/CellRepository.ts).
create table cell (
  is_only boolean primary key default true check (is_only),
  number  integer not null default 0 check (number between 0 and 2047)
);
insert into cell default values;

-- A move of an organization; both cells have a row for it. It ends as 'moved' in the source and as 'arrived' in the target.
create table organization_move (
  organization_id integer primary key,
  state           text not null check (state in (
    'copying',   -- source: rows are copied, and changes follow
    'verifying', -- source: the keys of changed rows are recorded, all rows are compared
    'draining',  -- source: jobs are held, the command waits for those in flight
    'paused',    -- source: writes are refused
    'moved',     -- source: requests are refused, nothing is written or sent
    'arriving',  -- target: only replication may write
    'arrived'    -- target: the organization is in use there
  )),
  started_at      timestamptz not null default now(),
  arrived_at      timestamptz, -- when the organization came from another cell; kept while it moves to a further one
  moved_at        timestamptz,
  ended_at        timestamptz, -- when replication and the temporary triggers were removed; null: the move is open
  other_cell      integer,     -- the number of the other cell
  paused_until    timestamptz -- then writes are accepted again, so that a killed command does not refuse them for long
);
-- One open move at a time, so that the temporary triggers, replica identities and offsets of two moves do not mix.
create unique index organization_move_open on organization_move ((true)) where ended_at is null;

-- The views of organizations that statements of all subjects read, so that they are plain SQL, which knows nothing of moves.

-- Organizations whose rows only a move may write. Statements about the rows of all organizations, such as those of periodic
-- steps, leave them out; a guard refuses other writes. A statement that began before the end of a pause is refused, even if it
-- waited until after the end. Citus refuses clock_timestamp() in updates.
create view suspended_organization as
  select organization_id as id from organization_move
  where state in ('moved', 'arriving') or (state = 'paused' and statement_timestamp() < paused_until);

-- Requests that fail with this code are answered with 503 (platform/database/Database.ts). With an argument, so that the
-- planner does not call it. Immutable, because a function that reads tables would fail on a Citus worker.
create function refuse_moving_organization(organization integer) returns boolean language plpgsql immutable
set search_path from current as $$
begin
  raise exception 'the organization is being moved to another cell' using errcode = 'MV001';
end
$$;

-- Organizations that another cell has. A statement that finds an organization by a key, a cookie or a link selects
-- (select refusal from absent_organization a where a.id = organization_id), which fails for these. In a `where`, it could fail
-- for rows of other organizations, which other conditions leave out.
create view absent_organization as
  select organization_id as id, refuse_moving_organization(organization_id) as refusal from organization_move
  where state in ('moved', 'arriving');

-- Organizations whose events may have numbers of another server, besides those of this one.
create view imported_organization as select organization_id as id from organization_move;

-- The keys of rows that changed since the state 'verifying'. They are compared again while writes are refused.
create table organization_move_change (
  id         bigint generated always as identity primary key, -- Citus moves no table without a key
  table_name text not null,
  key        text not null
);

-- The first key of the advisory locks of moving organizations; the second one is the organization.
create function moving_organization_lock() returns integer language sql immutable as $$ select 1836021349 $$;

-- For triggers on the tables of a moving organization. Arguments: organization, table, key columns. A writer holds the shared
-- lock until its transaction ends. So the command that sets 'paused' gets the exclusive lock after all earlier writers, and
-- later writers see 'paused'.
create function guard_moving_organization() returns trigger language plpgsql set search_path from current as $$
declare
  moving  constant integer := tg_argv[0]::integer;
  written constant jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
  current_state text;
begin
  perform pg_advisory_xact_lock_shared(moving_organization_lock(), moving);
  select state into current_state from organization_move where organization_id = moving;
  -- the cell that has the organization gets the report as well
  if tg_argv[1] = 'email_event' and tg_op = 'INSERT' and current_state = 'moved' then
    return null;
  end if;
  if exists (select from suspended_organization where id = moving) then
    perform refuse_moving_organization(moving);
  end if;
  if current_state in ('verifying', 'draining', 'paused') then
    insert into organization_move_change (table_name, key)
    select tg_argv[1], string_agg(written ->> tg_argv[i], E'\x1f' order by i) from generate_series(2, tg_nargs - 1) i;
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;

-- The due_at of held jobs, which no claim selects. leased_until keeps the former due_at of a held job.
create function job_held_until() returns timestamptz language sql immutable as $$ select timestamptz '9999-12-31 00:00+00' $$;

-- Holds jobs of a moving organization. In the source, it also prevents claims; jobs in flight are held when they are settled.
create function hold_job() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'UPDATE' and tg_argv[0] = 'source' and new.claim_id is distinct from old.claim_id and new.claim_id is not null then
    return null;
  end if;
  if tg_argv[0] = 'source' and new.claim_id is not null then
    return new;
  end if;
  new.leased_until = new.due_at;
  new.due_at = job_held_until();
  return new;
end
$$;
