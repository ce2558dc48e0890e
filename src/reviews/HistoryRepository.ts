/** Reads what happened to a submission: its invitations, their emails, the candidate's requests, and changes in the audit log. */
import { Context, Effect, Layer } from "effect"
import { guestName } from "../accounts/AuditLogRepository.ts"
import { memberName } from "../accounts/members/MemberSql.ts"
import type { AccommodationNeed } from "../interviews/Accommodation.ts"
import { Database, first } from "../platform/database/Database.ts"
import { iso, when } from "../platform/database/Paging.ts"
import type { InvitationSteps } from "../submissions/SubmissionRepository.ts"
import type { InvitationId, OrganizationId, SubmissionId } from "../values/Ids.ts"

type Moment = string | null

export interface PastInvitation extends InvitationSteps {
  readonly id: InvitationId
  /** `queued`: queued or already sent; null: not decided yet. */
  readonly reminder: "queued" | "skipped" | null
}

export interface PastMail {
  readonly kind: string
  readonly state: "queued" | "sent" | "failed" | "cancelled"
  readonly error: string | null
  readonly created_at: string
  readonly sent_at: Moment
}

export interface PastChange {
  /** The action's name in the audit log. */
  readonly action: string
  readonly at: string
  /** The member's name, the prefix of an API key, or a guest; null: a command or the service. */
  readonly by: string | null
  readonly detail: {
    readonly after?: {
      readonly decision?: unknown
      readonly reason?: unknown
      readonly score?: unknown
      readonly stage?: unknown
    } | null
    readonly before?: { readonly decision?: unknown } | null
    /** Of an answer to what the candidate needs: an earlier answer was changed. */
    readonly changed?: unknown
    readonly expires_at?: unknown
    /** Names of needs; empty: declined. */
    readonly granted?: unknown
    /** The address of the member who was asked for a review. */
    readonly member?: unknown
    /** The address of the invitation. */
    readonly email?: unknown
    readonly previous_email?: unknown
    /** Of an answer to a request for a person. */
    readonly outcome?: unknown
    readonly tag?: unknown
    readonly time_factor?: unknown
  }
}

/** What the candidate asked for to take part. */
export interface PastRequest {
  readonly needs: ReadonlyArray<AccommodationNeed>
  readonly asked_at: string
}

interface HistoryRows {
  readonly invitations: ReadonlyArray<PastInvitation>
  readonly requests: ReadonlyArray<PastRequest>
  readonly mails: ReadonlyArray<PastMail>
  readonly changes: ReadonlyArray<PastChange>
}

/** Each list is newest first. */
export interface SubmissionHistory extends HistoryRows {
  /** Emails and changes before this moment are not in the lists; null: all are. */
  readonly complete_since: Moment
}

const maxInvitations = 20
const maxRequests = 20
/** Emails, and changes. */
const maxRows = 100

/** When the email was sent, else created. */
export const mailedAt = ({ created_at, sent_at, state }: PastMail): string =>
  state === "sent" ? (sent_at ?? created_at) : created_at

const completeSince = ({ changes, mails }: HistoryRows): Moment => {
  const ends = [
    mails.length < maxRows ? undefined : mails.at(-1),
    changes.length < maxRows ? undefined : changes.at(-1),
  ].flatMap((one) => (one === undefined ? [] : "at" in one ? one.at : mailedAt(one)))
  return ends.toSorted().at(-1) ?? null
}

export class HistoryRepository extends Context.Service<HistoryRepository>()(
  "interview-invitations/reviews/HistoryRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const times = (alias: string, names: ReadonlyArray<string>) =>
        sql.csv(names.map((name) => sql`${name}::text, ${iso(sql, `${alias}.${name}`)}`))
      const mailed = sql.literal(
        "case when e.state = 'sent' then coalesce(e.sent_at, e.created_at) else e.created_at end",
      )
      const steps = ["created_at", "sent_at", "delivered_at", "opened_at", "clicked_at", "failed_at", "cancelled_at"]
      return {
        /** `before`: only emails and changes before it. */
        read: Effect.fnUntraced(function* (
          organization: OrganizationId,
          submission: SubmissionId,
          before: Date | undefined,
        ) {
          const found = first(
            yield* sql<HistoryRows>`
              with invited as materialized (
                select * from invitation i where i.submission_id = ${submission}::uuid and i.organization_id = ${organization}::int
                order by i.created_at desc, i.id desc limit ${maxInvitations}::int
              )
              select
                coalesce((select jsonb_agg(jsonb_build_object('id', i.id, 'email', i.email, 'failure_reason', i.failure_reason,
                    'reminder', i.reminder, ${times("i", steps)}) order by i.created_at desc, i.id desc) from invited i),
                  '[]') as invitations,
                coalesce((select jsonb_agg(jsonb_build_object('needs', a.needs, ${times("a", ["asked_at"])})
                    order by a.asked_at desc, a.id desc) from (
                  select * from accommodation a
                  where a.submission_id = ${submission}::uuid and a.organization_id = ${organization}::int
                  order by a.asked_at desc, a.id desc limit ${maxRequests}::int) a), '[]') as requests,
                coalesce((select jsonb_agg(jsonb_build_object('kind', e.kind, 'state', e.state, 'error', e.error,
                    ${times("e", ["created_at", "sent_at"])}) order by e.at desc, e.id desc) from (
                  select e.*, ${mailed} as at from email e where (e.invitation_id = any(array(select id from invited))
                      or e.submission_id = ${submission}::uuid) and e.organization_id = ${organization}::int
                    and ${when(sql, before, (at) => sql`${mailed} < ${at}`)}
                  order by ${mailed} desc, e.id desc limit ${maxRows}::int) e), '[]') as mails,
                coalesce((select jsonb_agg(jsonb_build_object('action', a.action, 'at', ${iso(sql, "a.created_at")},
                    'by', coalesce(${sql.literal(memberName)}, a.api_key, ${sql.literal(guestName)}), 'detail', a.detail) order by a.id desc) from (
                  select a.* from audit_log a
                  where a.organization_id = ${organization}::int
                    and a.record_type in ('submission', 'invitation', 'evaluation', 'candidate')
                    and ${when(sql, before, (at) => sql`a.created_at < ${at}`)}
                    and a.record_id = any(array(select unnest(array[b.id::text, b.candidate_id::text]) from submission b
                        where b.id = ${submission}::uuid and b.organization_id = ${organization}::int
                      union all select id::text from invited
                      union all select e.id::text from evaluation e where e.submission_id = ${submission}::uuid))
                  order by a.id desc limit ${maxRows}::int) a left join member m on m.id = a.member_id), '[]') as changes`,
          )
          const rows = yield* Effect.fromNullishOr(found)
          return { ...rows, complete_since: completeSince(rows) } satisfies SubmissionHistory
        }, Effect.orDie),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
