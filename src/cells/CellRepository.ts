/** The number of this cell, and its keys in the maps of a proxy. */
import type { PgClient } from "@effect/sql-pg"
import { Context, Duration, Effect, Layer, Stream } from "effect"
import { lifetime } from "../accounts/sign-in/PasswordLinks.ts"
import { Database, first } from "../platform/database/Database.ts"
import { setRanges } from "./CellRangesSql.ts"

/** A move of an organization from or to this cell. */
export interface CellMove {
  readonly organization: number
  /** As in sql/11_cells.sql. */
  readonly state: string
  readonly since: Date
  /** Open moves hold a migration back, and another move. */
  readonly is_open: boolean
  /** Whether the organization's jobs wait for the move, in this cell. */
  readonly jobs_held: boolean
}

export class CellRepository extends Context.Service<CellRepository>()("interview-invitations/cells/CellRepository", {
  make: Effect.gen(function* () {
    const { client, sql, time, transaction } = yield* Database
    const number = Effect.map(sql<{ number: number }>`select number from cell`, (rows) => first(rows)?.number ?? 0)
    return {
      number,
      hasOrganizations: Effect.map(sql`select from organization limit 1`, (rows) => rows.length > 0).pipe(),
      /** Open ones first. */
      moves: sql<CellMove>`
          select organization_id as organization, state,
            coalesce(case state when 'moved' then moved_at when 'arrived' then arrived_at end, started_at) as since,
            ended_at is null as is_open, state in ('draining', 'paused', 'arriving') as jobs_held
          from organization_move order by ended_at is not null, organization_id`,
      /** Sets the ranges of ids, too. */
      setNumber: (cell: number) =>
        transaction(
          Effect.gen(function* () {
            yield* sql`update cell set number = ${cell}::int`
            yield* Effect.orDie(setRanges(client))
          }),
        ),
      /**
       * Identify requests with API keys and calls of hiring systems, sorted: public prefixes of the keys; of connections, ids and
       * hashes as in `movedIds`.
       */
      keys: client<{ key: string }>`
          with connection as (
            select id, key_hash from ats_connection where organization_id <> all(array(select id from absent_organization))
          )
          select key from (
            select prefix as key from api_key where organization_id <> all(array(select id from absent_organization))
            union all select upper(replace(id::text, '-', '')) from connection
            union all select upper(encode(key_hash, 'hex')) from connection
          ) keys order by key collate "C"`.stream.pipe(
        Stream.map(({ key }) => key),
        Stream.orDie,
      ),
      /**
       * Identify the links and calls of organizations that came from another cell, sorted: ids as 32 upper-case hex digits, and
       * the SHA-256 of the random keys of connections as 64.
       */
      movedIds: Stream.unwrap(
        Effect.map(time, (now) =>
          movedIds(client, new Date(now.getTime() - Duration.toMillis(lifetime.member_invitation))),
        ),
      ).pipe(
        Stream.map(({ id }) => id),
        Stream.orDie,
      ),
    }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}

/** `since`: links to set a password that were sent before are no longer valid. */
const movedIds = (sql: PgClient.PgClient, since: Date) =>
  sql<{ id: string }>`
    with arrived as (
      select organization_id from organization_move
      where arrived_at is not null and organization_id <> all(array(select id from absent_organization))
    ), own as (
      select id from invitation where organization_id in (select organization_id from arrived)
      union all select id from submission where organization_id in (select organization_id from arrived)
      union all select id from ats_connection where organization_id in (select organization_id from arrived)
      union all select id from member where organization_id in (select organization_id from arrived)
      union all select id from guest_link where organization_id in (select organization_id from arrived)
      union all select id from email where organization_id in (select organization_id from arrived)
        and kind in ('member_invitation', 'password_reset') and created_at > ${since}
    )
    select id from (
      select upper(replace(id::text, '-', '')) as id from own
      union all select upper(encode(key_hash, 'hex')) from ats_connection
      where organization_id in (select organization_id from arrived)
    ) ids order by id collate "C"`.stream
