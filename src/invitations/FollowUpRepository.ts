/** Stores the emails to candidates after an interview: receipts, and letters about decisions. */
import { Context, Effect, Layer } from "effect"
import type { Appearance } from "../accounts/Appearance.ts"
import { appearanceOf } from "../accounts/AppearanceSql.ts"
import type { EmailKind, EmailState, RenderedEmail } from "../emails/EmailRepository.ts"
import { asksVoluntarily } from "../impact/SelfIdentificationSql.ts"
import { chosenLanguagesOf } from "../interview-sets/InterviewSetSql.ts"
import { Database, recordset } from "../platform/database/Database.ts"
import { iso } from "../platform/database/Paging.ts"
import { QueueNotifier } from "../platform/queue/QueueNotifier.ts"
import type { Decision } from "../submissions/Decision.ts"
import type { SubmissionStatus } from "../submissions/Submission.ts"
import type { EmailId, OrganizationId, SubmissionId } from "../values/Ids.ts"

/** What emails after an interview show, and what decides whether they are still due. */
export interface FollowUpView {
  readonly submission_id: SubmissionId
  readonly organization_name: string
  readonly organization_contact: string | null
  readonly appearance: Appearance | null
  readonly time_zone: string
  readonly interview_name: string
  /** BCP 47, in the set's order. */
  readonly languages: ReadonlyArray<string>
  /** Null: the candidate has none, or was erased. */
  readonly email: string | null
  readonly name: string | null
  readonly firstname: string | null
  readonly lastname: string | null
  readonly status: SubmissionStatus
  readonly decision: Decision | null
  /** A letter about the decision is queued. */
  readonly has_letter: boolean
  /** The organization has voluntary questions after the interview. */
  readonly asks_voluntarily: boolean
}

export interface NewLetter extends RenderedEmail {
  readonly id: EmailId
  readonly submission_id: SubmissionId
  readonly kind: EmailKind
  readonly recipient: string
}

export interface Letter {
  readonly id: EmailId
  readonly kind: EmailKind
  readonly state: EmailState
  readonly subject: string | null
  readonly recipient: string
  readonly error: string | null
  readonly created_at: string
  readonly due_at: string | null
  readonly sent_at: string | null
  /** A worker is sending it. */
  readonly is_claimed: boolean
}

export class FollowUpRepository extends Context.Service<FollowUpRepository>()(
  "interview-invitations/invitations/FollowUpRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      const { wake } = yield* QueueNotifier
      return {
        /**
         * Queues the receipt of a submitted interview, once, to the address that was invited. Nothing for candidates who got no
         * email of this service, such as those whom a hiring system invites itself.
         */
        queueReceipt: Effect.fnUntraced(function* (
          organization: OrganizationId,
          submission: SubmissionId,
          id: EmailId,
        ) {
          const at = yield* now
          const queued = yield* sql`
            with receiver as materialized (
              select i.email from invitation i join organization o on o.id = i.organization_id
              where i.submission_id = ${submission}::uuid and i.organization_id = ${organization}::int
                and i.sent_at is not null and o.confirms_receipt
                and not exists (select from email e where e.submission_id = ${submission}::uuid
                  and e.organization_id = ${organization}::int and e.kind = 'receipt' and e.state <> 'cancelled')
              order by i.created_at desc, i.id desc limit 1
            )
            insert into email (id, organization_id, submission_id, kind, recipient, created_at, due_at)
            select ${id}::uuid, ${organization}::int, ${submission}::uuid, 'receipt', email, ${at}, ${at} from receiver
            returning id`
          if (queued.length > 0) yield* wake("email")
        }),
        views: Effect.fnUntraced(function* (organization: OrganizationId, submissions: ReadonlyArray<SubmissionId>) {
          return yield* sql<FollowUpView>`
            select b.id as submission_id, o.name as organization_name, o.contact as organization_contact,
              ${appearanceOf(sql)}, o.time_zone, s.title as interview_name, ${chosenLanguagesOf(sql)},
              case when c.erased_at is null then coalesce((
                select i.email from invitation i where i.submission_id = b.id and i.organization_id = b.organization_id
                order by i.created_at desc, i.id desc limit 1), c.email) end as email,
              c.name, c.firstname, c.lastname, b.status, b.decision,
              exists (select from email e where e.submission_id = b.id and e.organization_id = b.organization_id
                and e.kind like 'decision%' and e.state = 'queued') as has_letter, ${asksVoluntarily(sql)} as asks_voluntarily
            from submission b join organization o on o.id = b.organization_id
              join interview_set s on s.id = b.interview_set_id join candidate c on c.id = b.candidate_id
            where b.id = any(${[...submissions]}::uuid[]) and b.organization_id = ${organization}::int`
        }),
        queueLetters: Effect.fnUntraced(function* (
          organization: OrganizationId,
          letters: ReadonlyArray<NewLetter>,
          dueAt: Date,
        ) {
          if (letters.length === 0) return
          yield* sql`
            insert into email (id, organization_id, submission_id, kind, recipient, subject, html, text, created_at, due_at)
            select r.id, ${organization}::int, r.submission_id, r.kind, r.recipient, r.subject, r.html, r.text, ${yield* now},
              ${dueAt}::timestamptz
            from ${recordset(
              sql,
              letters,
              "id uuid, submission_id uuid, kind text, recipient text, subject text, html text, text text",
            )}`
        }),
        /** Letters about the decision, newest first. */
        letters: Effect.fnUntraced(function* (organization: OrganizationId, submission: SubmissionId) {
          return yield* sql<Letter>`
            select e.id, e.kind, e.state, e.subject, e.recipient, e.error, ${iso(sql, "e.created_at")} as created_at,
              ${iso(sql, "e.due_at")} as due_at, ${iso(sql, "e.sent_at")} as sent_at, e.claim_id is not null as is_claimed
            from email e
            where e.submission_id = ${submission}::uuid and e.organization_id = ${organization}::int
              and e.kind like 'decision%'
            order by e.created_at desc, e.id desc limit 10`
        }),
        /**
         * Cancels waiting letters about the decisions; one that a worker is sending stays. One statement decides between it and
         * the worker's claim, which changes the same rows. Returns those that it has cancelled.
         */
        cancelLetters: Effect.fnUntraced(function* (
          organization: OrganizationId,
          submissions: ReadonlyArray<SubmissionId>,
        ) {
          const rows = yield* sql<{ submission_id: SubmissionId }>`
            update email set state = 'cancelled', due_at = null where id = any(array(
              select id from email where submission_id = any(${[...submissions]}::uuid[])
                and organization_id = ${organization}::int and kind like 'decision%' and state = 'queued'
                and claim_id is null for update skip locked))
            returning submission_id`
          return rows.map(({ submission_id }) => submission_id)
        }),
        /** The same for one letter. */
        cancelLetter: Effect.fnUntraced(function* (
          organization: OrganizationId,
          submission: SubmissionId,
          id: EmailId,
        ) {
          const rows = yield* sql`
              update email set state = 'cancelled', due_at = null
              where id = ${id}::uuid and submission_id = ${submission}::uuid and organization_id = ${organization}::int
                and kind like 'decision%' and state = 'queued' and claim_id is null
              returning id`
          return rows.length > 0
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
