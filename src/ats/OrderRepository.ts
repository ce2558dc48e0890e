/** Stores orders of hiring systems. */
import { Context, Effect, Layer } from "effect"
import { lock } from "../platform/database/AdvisoryLocks.ts"
import { Database, first } from "../platform/database/Database.ts"
import { iso } from "../platform/database/Paging.ts"
import type { PersonalTable } from "../platform/database/PersonalData.ts"
import { leadingFirst } from "../submissions/SubmissionSql.ts"
import { foldAddress } from "../values/EmailAddress.ts"
import type { ConnectionId, OrderId, OrganizationId, SubmissionId } from "../values/Ids.ts"
import type { Connected } from "./Connection.ts"
import { erasedPrefix, type NewOrder, type OrderFacts, type SubmissionOrder } from "./Order.ts"

export interface OrderRef {
  readonly id: OrderId
  readonly submission_id: SubmissionId
  /** As in OrderFacts. */
  readonly given_id: OrderId | SubmissionId
}

interface Owner {
  readonly id: ConnectionId
  readonly organizationId: OrganizationId
}

const maxOfSubmission = 20

/** A hash of the order's id stays, so that a repeated order is recognized and sends no invitation. */
export const personalOrders: PersonalTable = {
  table: "ats_order",
  rows: "t.submission_id = any(p.submissions)",
  cleared: ["callback_url", "profile_url", "ordered_by", "job"],
  compute: {
    external_id: `case when starts_with(t.external_id, '${erasedPrefix}') then t.external_id
        else '${erasedPrefix}' || encode(sha256(convert_to(t.external_id, 'UTF8')), 'hex') end`,
  },
  exported: {
    name: "orders",
    of: "submission",
    row: `jsonb_build_object('hiring_system', t.system, 'connection', t.name, 'external_id', o.external_id,
      'profile_url', o.profile_url, 'callback_url', o.callback_url, 'ordered_by', o.ordered_by, 'job', o.job,
      'created_at', o.created_at)`,
    from: "ats_order o join ats_connection t on t.id = o.connection_id where o.submission_id = b.id",
    order: "o.created_at",
  },
}

export class OrderRepository extends Context.Service<OrderRepository>()("interview-invitations/ats/OrderRepository", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const { now, sql } = database
    const givenId = sql`case when o.has_own_id then o.id else o.submission_id end`
    const facts = sql`
        select o.id, o.external_id, o.organization_id, o.connection_id, o.submission_id, ${givenId} as given_id, o.callback_url, s.title as set_title, b.status,
          array_remove(array[c.firstname || ' ' || c.lastname, c.lastname || ' ' || c.firstname, c.lastname || c.firstname, c.name,
            c.firstname, c.lastname], null) as names,
          ${iso(sql, "b.declined_at")} as declined_at, ${iso(sql, "b.started_at")} as started_at,
          ${iso(sql, "b.completed_at")} as completed_at,
          case b.status when 'withdrawn' then ${iso(sql, "coalesce(b.declined_at, i.cancelled_at, b.updated_at)")}
            when 'expired' then ${iso(sql, "least(b.expires_at, b.updated_at)")} end as ended_at,
          ${iso(sql, "o.cancelled_at")} as cancelled_at, i.id as invitation_id, coalesce(i.status = 'failed', false) as has_failed_mail,
          (select jsonb_build_object('score', e.result -> 'score', 'type', e.evaluation_type, 'at', ${iso(sql, "e.evaluated_at")}) from evaluation e
            where e.submission_id = b.id and e.state = 'done' and e.event_id is not null and not b.score_unused
            order by ${leadingFirst(sql)}
            limit 1) as evaluation
        from ats_order o join submission b on b.id = o.submission_id join interview_set s on s.id = b.interview_set_id
        join candidate c on c.id = b.candidate_id
        left join lateral (select id, status, cancelled_at from invitation where submission_id = b.id
          order by created_at desc, id desc limit 1) i on true`
    return {
      /**
       * Inserts an order without a submission. Waits for a concurrent transaction that inserts the same external id. False:
       * the connection already has an order with this external id.
       */
      reserve: Effect.fnUntraced(function* ({ id: connection, organizationId }: Owner, id: OrderId, order: NewOrder) {
        const rows = yield* sql`
            insert into ats_order (id, organization_id, connection_id, external_id, callback_url, profile_url, ordered_by, job, created_at)
            values (${id}::uuid, ${organizationId}::int, ${connection}::uuid, ${order.external_id}, ${order.callback_url},
              ${order.profile_url}, ${order.ordered_by}, ${order.job}, ${yield* now})
            on conflict (connection_id, external_id) do nothing returning id`
        return rows.length > 0
      }),
      attach: Effect.fnUntraced(function* (
        { id: connection, organizationId }: Owner,
        id: OrderId,
        submission: SubmissionId,
        isReportedAtOnce: boolean,
      ) {
        const orders = yield* sql<OrderRef>`
            update ats_order o set submission_id = ${submission}::uuid, has_own_id = exists (select from ats_order x
              where x.submission_id = ${submission}::uuid and x.connection_id = ${connection}::uuid and x.id <> o.id)
            where o.id = ${id}::uuid and o.organization_id = ${organizationId}::int
            returning o.id, o.submission_id, ${givenId} as given_id`
        // an order of an interview that exists already has a state to report; reports are queued by changes only
        const reportable = yield* sql`
            select from submission b
            where b.id = ${submission}::uuid and b.organization_id = ${organizationId}::int
              and (b.status not in ('need_interview', 'initiated')
                or exists (select from invitation i where i.submission_id = b.id and i.status = 'failed'))`
        if (isReportedAtOnce || reportable.length > 0) yield* sql`select queue_ats_reports(array[${submission}::uuid])`
        return yield* Effect.fromNullishOr(first(orders))
      }, Effect.orDie),
      /**
       * Cancels an order, and frees its external id, so that the hiring system may order again. False: another order of the
       * submission is open.
       */
      cancel: Effect.fnUntraced(function* (
        { id: connection, organizationId }: Owner,
        { id, submission_id }: Pick<OrderFacts, "id" | "submission_id">,
      ) {
        // lock order: the submission before its orders, as in the trigger that queues reports
        yield* sql`
            select from submission where id = ${submission_id}::uuid and organization_id = ${organizationId}::int for no key update`
        // locks all orders of the submission: of two concurrent cancellations, the second one sees the first one's result
        const orders = yield* sql<{ id: OrderId; is_cancelled: boolean }>`
            select id, cancelled_at is not null as is_cancelled from ats_order
            where submission_id = ${submission_id}::uuid and organization_id = ${organizationId}::int order by id for update`
        yield* sql`
            update ats_order set cancelled_at = ${yield* now}, external_id = external_id || ' ' || id::text
            where id = ${id}::uuid and organization_id = ${organizationId}::int
              and connection_id = ${connection}::uuid and cancelled_at is null`
        return orders.every((order) => order.is_cancelled || order.id === id)
      }),
      find: Effect.fnUntraced(function* ({ id, organizationId }: Owner, externalId: string) {
        return first(
          yield* sql<OrderRef>`
              select o.id, o.submission_id, ${givenId} as given_id from ats_order o where connection_id = ${id}::uuid
                and external_id in (${externalId}, ${erasedPrefix} || encode(sha256(convert_to(${externalId}, 'UTF8')), 'hex'))
                and organization_id = ${organizationId}::int`,
        )
      }),
      /**
       * True: another organization has an order of this hiring system with this id. The answer holds until the transaction
       * ends: others with this id wait.
       */
      isElsewhere: Effect.fnUntraced(function* ({ organizationId, system }: Connected, externalId: string) {
        yield* sql`select ${lock(database, "hiring_system_order", sql`hashtext(${`${system} ${externalId}`})`)}`
        const rows = yield* sql`
            select from ats_order o join ats_connection c on c.id = o.connection_id
            where o.external_id in (${externalId}, ${erasedPrefix} || encode(sha256(convert_to(${externalId}, 'UTF8')), 'hex'))
              and c.system = ${system} and o.organization_id <> ${organizationId}::int limit 1`
        return rows.length > 0
      }),
      /** `given`: the id that the hiring system was given. */
      facts: Effect.fnUntraced(function* ({ id, organizationId }: Owner, given: OrderId | SubmissionId) {
        return first(
          yield* sql<OrderFacts>`
              ${facts} where ((o.submission_id = ${given}::uuid and not o.has_own_id) or (o.id = ${given}::uuid and o.has_own_id))
                and o.connection_id = ${id}::uuid and o.organization_id = ${organizationId}::int
              order by o.cancelled_at is not null, o.created_at desc, o.id desc limit 1`,
        )
      }),
      /** The connection's newest order of a candidate with this address. */
      ofAddress: Effect.fnUntraced(function* ({ id, organizationId }: Owner, email: string) {
        return first(
          yield* sql<{ id: OrderId }>`
              select o.id from candidate c join submission b on b.candidate_id = c.id join ats_order o on o.submission_id = b.id
              where c.organization_id = ${organizationId}::int and c.email_key = ${foldAddress(email)}
                and o.connection_id = ${id}::uuid
              order by o.created_at desc, o.id desc limit 1`,
        )?.id
      }),
      /** The submission's orders from all connections, newest first, at most 20. */
      ofSubmission: Effect.fnUntraced(function* (organization: OrganizationId, submission: SubmissionId) {
        return yield* sql<SubmissionOrder>`
            select o.id, c.name as connection, c.system, o.ordered_by, o.job, o.profile_url,
              ${iso(sql, "o.created_at")} as created_at, ${iso(sql, "o.cancelled_at")} as cancelled_at
            from ats_order o join ats_connection c on c.id = o.connection_id
            where o.submission_id = ${submission}::uuid and o.organization_id = ${organization}::int
            order by o.created_at desc, o.id desc limit ${maxOfSubmission}::int`
      }),
      factsOf: Effect.fnUntraced(function* (organization: OrganizationId, id: OrderId) {
        return first(
          yield* sql<OrderFacts>`
              ${facts} where o.id = ${id}::uuid and o.organization_id = ${organization}::int`,
        )
      }),
    }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
