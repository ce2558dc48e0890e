/** Stores connections to hiring systems and the log of their exchanges. */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { type CandidateFields, fullName } from "../candidates/Candidate.ts"
import { lock } from "../platform/database/AdvisoryLocks.ts"
import { clock, Database, first } from "../platform/database/Database.ts"
import { iso } from "../platform/database/Paging.ts"
import type { PersonalTable } from "../platform/database/PersonalData.ts"
import { QueueNotifier } from "../platform/queue/QueueNotifier.ts"
import type { ConnectionId, OrganizationId } from "../values/Ids.ts"
import type { ConnectionStatus, Exchange, ExchangeLine, StoredConnection } from "./Connection.ts"
import type { HiringSystem } from "./HiringSystem.ts"

export interface NewConnection {
  readonly id: ConnectionId
  readonly organization_id: OrganizationId
  readonly system: HiringSystem
  readonly name: string
  readonly key_hash: Uint8Array
  readonly credentials: Uint8Array
  /** Whether the connection is synchronized every hour. */
  readonly synchronizes: boolean
}

/** A connection that was found by the key or the id in a call. */
export interface PresentedConnection {
  readonly id: ConnectionId
  readonly organization_id: OrganizationId
  readonly status: ConnectionStatus
  /** Encrypted. */
  readonly credentials: Uint8Array
}

/** The time from a synchronization to the next one. */
const synchronizationAge = "1 hour"

/** Time between the attempts to send one of a connection's failed reports, and the age of orders that are still tried. */
const trialAge = "12 hours"
const maxTriedAge = "90 days"

const maxListed = 1000

type ExchangeRow = Omit<ExchangeLine, "candidate"> & Pick<CandidateFields, "name" | "firstname" | "lastname">

/** Errors are the hiring system's own words about the order. */
export const personalExchanges: PersonalTable = {
  table: "ats_exchange",
  kept: ["operation"],
  rows: "t.error is not null and t.order_id in (select id from ats_order where submission_id = any(p.submissions))",
  cleared: ["error"],
}

export class ConnectionRepository extends Context.Service<ConnectionRepository>()(
  "interview-invitations/ats/ConnectionRepository",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const { now, sql, transaction } = database
      const { wake } = yield* QueueNotifier
      const shown = sql`
        c.id, c.system, c.name, c.status, c.credentials, ${iso(sql, "c.created_at")} as created_at, ${iso(sql, "c.last_used_at")} as last_used_at,
        (select count(*)::int from ats_order o where o.connection_id = c.id) as orders,
        (select count(*)::int from ats_report r where r.connection_id = c.id and r.order_id is not null
          and r.state in ('queued', 'parked')) as waiting,
        (select count(*)::int from ats_report r where r.connection_id = c.id and r.state = 'failed') as failed`
      const presented = Effect.fnUntraced(function* (system: HiringSystem, condition: Statement.Fragment) {
        return first(
          yield* sql<PresentedConnection>`
            select id, organization_id, status, credentials,
              (select refusal from absent_organization a where a.id = ats_connection.organization_id)
            from ats_connection where ${condition} and system = ${system}`,
        )
      })
      /** A claimed report keeps its claim and is sent again after it, because the claim may have read former credentials. */
      const queueReports = Effect.fnUntraced(function* (condition: Statement.Fragment) {
        const at = yield* now
        const queued = yield* sql`
          update ats_report r set state = 'queued', attempts = 0, changes = r.changes + 1,
            due_at = case when r.claim_id is null then clock.now else coalesce(r.due_at, clock.now) end,
            unended_attempts = case when r.claim_id is null then 0 else r.unended_attempts end,
            alone = case when r.claim_id is not null then r.alone end
          from ${clock(sql, at)} where ${condition} returning r.id`
        if (queued.length > 0) yield* wake("ats_report")
        return queued.length
      })
      const isOf = (organization: OrganizationId, id: ConnectionId) =>
        sql`r.connection_id = ${id}::uuid and r.organization_id = ${organization}::int`
      const isActive = sql`exists (select from ats_connection c where c.id = r.connection_id and c.status = 'active')`
      return {
        insert: Effect.fnUntraced(function* (connection: NewConnection) {
          const { credentials, id, key_hash, name, organization_id, synchronizes, system } = connection
          yield* sql`
            insert into ats_connection (id, organization_id, system, name, key_hash, credentials, created_at)
            values (${id}::uuid, ${organization_id}::int, ${system}, ${name}, ${key_hash}, ${credentials}, ${yield* now})`
          if (!synchronizes) return
          yield* sql`
            insert into ats_report (id, organization_id, connection_id, due_at)
            values (${id}::uuid, ${organization_id}::int, ${id}::uuid, ${yield* now})`
          yield* wake("ats_report")
        }),
        /** Oldest first. */
        list: Effect.fnUntraced(function* (organization: OrganizationId) {
          return yield* sql<StoredConnection>`
            select ${shown} from ats_connection c where c.organization_id = ${organization}::int
            order by c.created_at, c.id limit ${maxListed}::int`
        }),
        find: Effect.fnUntraced(function* (organization: OrganizationId, id: ConnectionId) {
          return first(
            yield* sql<StoredConnection>`
              select ${shown} from ats_connection c where c.id = ${id}::uuid and c.organization_id = ${organization}::int`,
          )
        }),
        organizationOf: Effect.fnUntraced(function* (id: ConnectionId) {
          return first(
            yield* sql<{ organization_id: OrganizationId }>`
              select organization_id from ats_connection where id = ${id}::uuid`,
          )?.organization_id
        }),
        byKey: (system: HiringSystem, keyHash: Uint8Array) => presented(system, sql`key_hash = ${keyHash}`),
        byId: (system: HiringSystem, id: ConnectionId) => presented(system, sql`id = ${id}::uuid`),
        /** Grants of access to one account wait for each other until their transactions end. */
        lockAccount: (hash: Uint8Array) =>
          sql`select ${lock(database, "hiring_system_account", sql`hashtext(encode(${hash}, 'hex'))`)}`,
        /** The connection that holds the account with this hash, locked. Needs `lockAccount`. */
        holder: Effect.fnUntraced(function* (system: HiringSystem, hash: Uint8Array) {
          return first(
            yield* sql<PresentedConnection & { has_orders: boolean }>`
              select id, organization_id, status, credentials,
                exists (select from ats_order o where o.connection_id = ats_connection.id) as has_orders
              from ats_connection where key_hash = ${hash} and system = ${system} for update`,
          )
        }),
        setKeyHash: Effect.fnUntraced(function* (organization: OrganizationId, id: ConnectionId, hash: Uint8Array) {
          yield* sql`
            update ats_connection set key_hash = ${hash} where id = ${id}::uuid and organization_id = ${organization}::int`
        }),
        /** Records the time of an accepted call, at most once a minute. */
        use: Effect.fnUntraced(function* (organization: OrganizationId, id: ConnectionId) {
          const at = yield* now
          yield* sql`
            update ats_connection set last_used_at = ${at} where id = ${id}::uuid and organization_id = ${organization}::int
              and (last_used_at is null or last_used_at < ${at} - interval '1 minute')`
        }),
        /** Locks the connection and returns its encrypted credentials. */
        credentialsOf: Effect.fnUntraced(function* (organization: OrganizationId, id: ConnectionId) {
          return first(
            yield* sql<{ credentials: Uint8Array }>`
              select credentials from ats_connection where id = ${id}::uuid and organization_id = ${organization}::int
              for update`,
          )?.credentials
        }),
        /** Queues the connections that have not been synchronized for an hour; returns their number. */
        queueSynchronizations: Effect.suspend(() =>
          Effect.flatMap(now, (at) =>
            queueReports(
              sql`r.order_id is null and r.state in ('reported', 'failed')
                and r.organization_id <> all(array(select id from suspended_organization))
                and (r.reported_at is null or r.reported_at < ${at} - interval '${sql.literal(synchronizationAge)}')`,
            ),
          ),
        ),
        /**
         * Queues one failed report of each connection whose failed reports were not tried for 12 hours; if the hiring system
         * answers, the others follow (ReportRepository `settle`). Returns their number.
         */
        queueTrials: Effect.flatMap(now, (at) => {
          const since = (age: string) => sql`${at} - interval '${sql.literal(age)}'`
          return sql<{ id: string }>`
            update ats_report q set state = 'queued', due_at = ${at}
            where q.state = 'failed' and q.id = any(array(
              select t.id from ats_connection c cross join lateral (
                select r.id, max(r.failed_at) over () as newest from ats_report r join ats_order o on o.id = r.order_id
                where r.connection_id = c.id and r.last_error is not null and r.state = 'failed'
                  and o.created_at > ${since(maxTriedAge)}
                order by r.failed_at limit 1
              ) t
              where c.status = 'active' and c.organization_id <> all(array(select id from suspended_organization))
                and t.newest < ${since(trialAge)}))
            returning q.id`
        }).pipe(
          Effect.tap((queued) => (queued.length > 0 ? wake("ats_report") : Effect.void)),
          Effect.map((queued) => queued.length),
        ),
        /** Pausing parks queued reports; resuming queues parked and failed ones. False: the connection has this status already. */
        setStatus: (organization: OrganizationId, id: ConnectionId, status: ConnectionStatus) =>
          transaction(
            Effect.gen(function* () {
              // conflicts with the lock of queue_ats_reports, so that a change before it is seen
              yield* sql`
                select from ats_connection where id = ${id}::uuid and organization_id = ${organization}::int for update`
              const changed = yield* sql`
                update ats_connection set status = ${status}
                where id = ${id}::uuid and organization_id = ${organization}::int and status <> ${status} returning id`
              if (changed.length === 0) return false
              if (status === "paused") {
                yield* sql`
                  update ats_report set state = 'parked', due_at = null, claim_id = null
                  where connection_id = ${id}::uuid and organization_id = ${organization}::int
                    and (state = 'queued' or order_id is null)`
                return true
              }
              yield* queueReports(sql`${isOf(organization, id)} and r.state in ('parked', 'failed')`)
              return true
            }),
          ),
        /**
         * `key_hash` undefined: the key stays. If the connection is active, queues its synchronization and its reports that are
         * not delivered yet.
         */
        setCredentials: Effect.fnUntraced(function* (
          organization: OrganizationId,
          id: ConnectionId,
          { credentials, key_hash }: Pick<NewConnection, "credentials"> & Partial<Pick<NewConnection, "key_hash">>,
        ) {
          yield* sql`
            update ats_connection set key_hash = coalesce(${key_hash ?? null}::bytea, key_hash), credentials = ${credentials}
            where id = ${id}::uuid and organization_id = ${organization}::int`
          yield* queueReports(sql`
            ${isOf(organization, id)} and ${isActive} and (r.order_id is null or r.state <> 'reported')`)
        }),
        /** Stores credentials that were renewed; queues nothing. */
        storeCredentials: Effect.fnUntraced(function* (
          organization: OrganizationId,
          id: ConnectionId,
          credentials: Uint8Array,
        ) {
          yield* sql`
            update ats_connection set credentials = ${credentials}
            where id = ${id}::uuid and organization_id = ${organization}::int`
        }),
        /** Queues the failed reports of an active connection; returns their number. */
        queueFailed: (organization: OrganizationId, id: ConnectionId) =>
          queueReports(sql`${isOf(organization, id)} and ${isActive} and r.state = 'failed'`),
        /** Deletes the connection with its orders, reports and exchanges. False: there is no such connection. */
        remove: Effect.fnUntraced(function* (organization: OrganizationId, id: ConnectionId) {
          const removed = yield* sql`
            delete from ats_connection where id = ${id}::uuid and organization_id = ${organization}::int returning id`
          return removed.length > 0
        }),
        /** `isRepeated` false: an exchange like one of the last minute is left out. */
        note: Effect.fnUntraced(function* (
          organization: OrganizationId,
          id: ConnectionId,
          { error, operation, order_id, status }: Exchange,
          isRepeated: boolean,
        ) {
          const at = yield* now
          // the connection may have been removed meanwhile
          yield* sql`
            with locked as materialized (
              select c.id from ats_connection c where c.id = ${id}::uuid and c.organization_id = ${organization}::int
                and (${isRepeated} or not exists (select from ats_exchange x where x.connection_id = c.id
                  and x.operation = ${operation} and x.error = ${error} and x.at > ${at} - interval '1 minute'))
              for key share of c
            )
            insert into ats_exchange (organization_id, connection_id, at, operation, order_id, status, error)
            select ${organization}::int, id, ${at}, ${operation}, ${order_id}::uuid, ${status}::int, ${error} from locked`
        }),
        /** Newest first. */
        exchanges: Effect.fnUntraced(function* (organization: OrganizationId, id: ConnectionId, limit: number) {
          const rows = yield* sql<ExchangeRow>`
            select ${iso(sql, "x.at")} as at, x.operation, x.order_id, x.status, x.error, o.submission_id,
              c.name, c.firstname, c.lastname
            from ats_exchange x left join ats_order o on o.id = x.order_id left join submission b on b.id = o.submission_id
            left join candidate c on c.id = b.candidate_id
            where x.connection_id = ${id}::uuid and x.organization_id = ${organization}::int
            order by x.id desc limit ${limit}::int`
          return rows.map(
            ({ firstname, lastname, name, ...row }): ExchangeLine => ({
              ...row,
              candidate: fullName({ name, firstname, lastname }) || null,
            }),
          )
        }),
        /** Deletes exchanges older than `before`, at most 10,000; returns their number. */
        forgetExchanges: Effect.fnUntraced(function* (before: Date) {
          const gone = yield* sql`
            delete from ats_exchange where id in (
              select id from ats_exchange where at < ${before}::timestamptz
                and organization_id <> all(array(select id from suspended_organization))
              order by at limit 10000) returning id`
          return gone.length
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
