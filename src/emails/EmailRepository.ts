/** Stores emails and their queue. */
import { Context, Effect, Layer } from "effect"
import { Database, first, recordset } from "../platform/database/Database.ts"
import { when } from "../platform/database/Paging.ts"
import type { PersonalTable } from "../platform/database/PersonalData.ts"
import { QueueNotifier } from "../platform/queue/QueueNotifier.ts"
import * as Queue from "../platform/queue/QueueSql.ts"
import type { EmailId, InvitationId, MemberId, OrganizationId, SubmissionId } from "../values/Ids.ts"

/** `invitation_extension`: a later deadline; `invitation_time`: more time to answer. */
export type InvitationMail = "invitation" | "invitation_reminder" | "invitation_extension" | "invitation_time"

/**
 * Emails after the interview (invitations/FollowUps.ts), and answers to what a candidate asked for (interviews/Accommodations.ts,
 * person-reviews/PersonReviews.ts).
 */
export type FollowUpMail =
  | "receipt"
  | "decision_advance"
  | "decision_reject"
  | "accommodation"
  | "person_review"
  | "result"

/** Emails to members that each member chooses (accounts/members/Notification.ts). */
export type NotificationMail =
  | "endpoint_deactivated"
  | "endpoint_recovered"
  | "review_mention"
  | "review_comment"
  | "review_assignment"
  | "interview_submitted"
  | "accommodation_request"
  | "person_review_request"
  | "candidate_remark"
  | "member_digest"

export type EmailKind =
  | InvitationMail
  | FollowUpMail
  | NotificationMail
  | "member_invitation"
  | "password_reset"
  | "password_changed"
  | "second_factor_changed"

/** What the link in the email ends: emails about one kind of event, or the daily email. */
export const subscriptionOf: { readonly [kind in EmailKind]?: string } & Readonly<Record<NotificationMail, string>> = {
  endpoint_deactivated: "webhooks",
  endpoint_recovered: "webhooks",
  review_mention: "mentions",
  review_comment: "comments",
  review_assignment: "assignments",
  interview_submitted: "submitted",
  accommodation_request: "accommodations",
  person_review_request: "person_reviews",
  candidate_remark: "remarks",
  member_digest: "daily",
}

/** `queued` includes retries. `cancelled`: obsolete before it was sent, or unsubscribed. */
export const emailStates = ["queued", "sent", "failed", "cancelled"] as const
export type EmailState = (typeof emailStates)[number]

export interface RenderedEmail {
  readonly subject: string
  readonly html: string
  readonly text: string
}

export interface NewEmail {
  readonly id: EmailId
  readonly invitation_id: InvitationId | null
  readonly kind: EmailKind
  readonly recipient: string
  /** Null: rendered from the invitation when the email is sent. */
  readonly content: RenderedEmail | null
}

export interface EmailJob extends Queue.Claimed {
  readonly id: EmailId
  readonly organization_id: OrganizationId
  readonly organization_name: string
  /** Of the sample organization or of a test space: it never leaves the database. */
  readonly stays: boolean
  readonly invitation_id: InvitationId | null
  /** Of an email after the interview. */
  readonly submission_id: SubmissionId | null
  readonly kind: EmailKind
  readonly recipient: string
  /** The member with the address. Null: there is none (the member was removed), or the email is to a candidate. */
  readonly member_id: MemberId | null
  readonly content: RenderedEmail | null
  readonly message_id: string | null
}

export interface EmailSettlement extends Queue.Settlement {
  readonly state: EmailState
  readonly provider: string | null
  readonly provider_message_id: string | null
  readonly error: string | null
}

export interface EmailRow extends RenderedEmail {
  readonly id: EmailId
  readonly organization_id: OrganizationId
  readonly invitation_id: InvitationId | null
  readonly submission_id: SubmissionId | null
  readonly kind: EmailKind
  readonly member_id: MemberId | null
  readonly recipient: string
  readonly organization_name: string
  /** The email is of a test space (docs/test-mode.md). */
  readonly is_test: boolean
  /** Null: the email is not to a candidate, or the organization has none. */
  readonly organization_contact: string | null
  /** Of the organization's appearance, which members' emails do not have. */
  readonly sender_name: string | null
  readonly reply_to: string | null
  readonly message_id: string | null
  readonly sent_at: Date
}

export interface EmailEntry {
  readonly id: EmailId
  readonly state: EmailState
  readonly kind: EmailKind
  readonly recipient: string
  readonly invitation_id: InvitationId | null
  readonly attempts: number
  readonly error: string | null
  readonly created_at: Date
  readonly due_at: Date | null
  readonly handed_at: Date | null
  readonly sent_at: Date | null
}

export interface EmailWithReports extends EmailEntry {
  readonly subject: string | null
  readonly provider: string | null
  readonly provider_message_id: string | null
  readonly message_id: string | null
  readonly reports: ReadonlyArray<{ readonly kind: string; readonly at: string }>
}

export interface EmailFilter {
  readonly state?: EmailState | undefined
  readonly since?: Date | undefined
  readonly before?: EmailId | undefined
}

const exportedRow = `jsonb_build_object('kind', m.kind, 'recipient', m.recipient, 'subject', m.subject, 'text', m.text,
  'state', m.state, 'error', m.error, 'sent_at', m.sent_at)`

/** The row stays for statistics. */
export const personalEmails: PersonalTable = {
  table: "email",
  kept: ["alone", "kind", "provider", "traceparent"],
  rows: "(t.invitation_id = any(p.invitations) or t.submission_id = any(p.submissions))",
  cleared: ["error", "message_id", "provider_message_id", "claim_id", "due_at"],
  set: {
    recipient: "''",
    subject: "''",
    html: "''",
    text: "''",
    state: "case when t.state = 'queued' then 'cancelled' else t.state end",
  },
  exported: {
    name: "mails",
    of: "invitation",
    row: exportedRow,
    from: "email m where m.invitation_id = i.id",
    order: "m.created_at",
  },
}

/** Emails after the interview, which `personalEmails` erases. */
export const exportedFollowUps: PersonalTable = {
  table: "email",
  exported: {
    name: "mails",
    of: "submission",
    row: exportedRow,
    from: "email m where m.submission_id = b.id",
    order: "m.created_at",
  },
}

export class EmailRepository extends Context.Service<EmailRepository>()(
  "interview-invitations/emails/EmailRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      const { wake } = yield* QueueNotifier
      const contentColumns = sql.literal(
        "case when subject is not null then jsonb_build_object('subject', subject, 'html', html, 'text', text) end as content",
      )
      const member = `case when coalesce(m.invitation_id, m.submission_id) is null then (
          select r.id from member r where lower(r.email) = lower(m.recipient) and r.organization_id = m.organization_id
            and r.deactivated_at is null) end as member_id`
      const shown = sql.literal(
        `m.id, m.organization_id, m.invitation_id, m.submission_id, m.kind, ${member}, m.recipient, m.subject, m.html, m.text, m.message_id, m.sent_at,
         o.name as organization_name, o.test_of is not null as is_test,
         case when coalesce(m.invitation_id, m.submission_id) is not null then o.contact end as organization_contact, p.sender_name, p.reply_to`,
      )
      // an email marked as sent after a restore may have no text
      const isShown = sql.literal("m.state = 'sent' and m.subject is not null")
      const mails = sql.literal(
        `email m join organization o on o.id = m.organization_id left join organization_appearance p
           on p.organization_id = m.organization_id and coalesce(m.invitation_id, m.submission_id) is not null`,
      )
      const entry = sql.literal(
        "m.id, m.state, m.kind, m.recipient, m.invitation_id, m.attempts, m.error, m.created_at, m.due_at, m.handed_at, m.sent_at",
      )
      const failed = (organization: OrganizationId, since: Date) => sql`
        from email m
        where m.organization_id = ${organization}::int and m.state = 'failed' and m.invitation_id is not null
          and coalesce(m.handed_at, m.created_at) >= ${since}
          and not exists (select from email n where n.invitation_id = m.invitation_id
            and (n.created_at, n.id) > (m.created_at, m.id) and n.state in ('queued', 'sent'))`
      return {
        insert: Effect.fnUntraced(function* (organization: OrganizationId, emails: ReadonlyArray<NewEmail>) {
          if (emails.length === 0) return
          const at = yield* now
          const rows = emails.map(({ content, ...email }) => ({ ...email, ...content }))
          yield* sql`
            insert into email (id, organization_id, invitation_id, kind, recipient, subject, html, text, created_at, due_at)
            select r.id, ${organization}::int, r.invitation_id, r.kind, r.recipient, r.subject, r.html, r.text, ${at}, ${at}
            from ${recordset(
              sql,
              rows,
              "id uuid, invitation_id uuid, kind text, recipient text, subject text, html text, text text",
            )}`
          yield* wake("email")
        }),
        /** `invitation`: only its emails, also those that are due later. */
        claim: Effect.fnUntraced(function* (claim: Queue.Claim, invitation?: InvitationId) {
          const at = yield* now
          const due =
            invitation === undefined
              ? undefined
              : sql`
                select ctid from email q where invitation_id = ${invitation}::uuid and state = 'queued'
                  and ${Queue.isFree(sql, "q", at, claim.claimer.ended)} and ${Queue.isClaimable(sql, claim)}
                order by created_at limit ${claim.limit}::int for update skip locked`
          return yield* sql<EmailJob>`
            with claimed as (${Queue.claimRows(sql, "email", claim, at, due)})
            select m.id, m.claim_id, m.attempts, m.unended_attempts, m.alone, m.organization_id,
              o.name as organization_name, (o.sample is not null or o.test_of is not null) as stays, m.invitation_id, m.submission_id, m.kind, m.recipient,
              ${sql.literal(member)}, m.message_id, m.traceparent, ${contentColumns}
            from claimed m join organization o on o.id = m.organization_id
            order by m.created_at, m.id`
        }),
        /**
         * Call before handing an email to the provider. Text and Message-ID of an earlier attempt stay. False: another
         * claim holds it.
         */
        begin: Effect.fnUntraced(function* (
          { claim_id, id, organization_id }: Pick<EmailJob, "id" | "organization_id" | "claim_id">,
          { html, subject, text }: RenderedEmail,
          messageId: string,
        ) {
          const begun = yield* sql`
            update email set subject = coalesce(subject, ${subject}), html = coalesce(html, ${html}),
              text = coalesce(text, ${text}), message_id = coalesce(message_id, ${messageId}), handed_at = ${yield* now}
            where id = ${id}::uuid and organization_id = ${organization_id}::int and claim_id = ${claim_id}::uuid
            returning id`
          return begun.length > 0
        }),
        /** Returns the emails whose claim was still valid. */
        settleJobs: Effect.fnUntraced(function* (settlements: ReadonlyArray<EmailSettlement>) {
          const at = yield* now
          const rows = yield* sql<{ id: EmailId }>`
            with settled as (${Queue.settleRows(sql, "email", settlements, at, {
              columns: "provider text, provider_message_id text, error text",
              set: sql`provider = coalesce(r.provider, q.provider), error = r.error,
                provider_message_id = coalesce(r.provider_message_id, q.provider_message_id),
                sent_at = case when r.state = 'sent' then r.now else q.sent_at end`,
            })})
            select id from settled`
          return rows.map(({ id }) => id)
        }),
        /**
         * Cancels the queued emails of the invitation, of one kind or all. Skips an email that a worker is sending: waiting for
         * its lock could deadlock.
         */
        cancel: Effect.fnUntraced(function* (invitation: InvitationId, kind?: InvitationMail) {
          yield* sql`
            update email set state = 'cancelled', due_at = null where id = any(array(
              select id from email where invitation_id = ${invitation}::uuid and state = 'queued'
                and ${when(sql, kind, (name) => sql`kind = ${name}`)} for update skip locked))`
        }),
        /** True if an email of the invitation waits to be written, and locks it: it will contain a change of the invitation. */
        hasUnwritten: Effect.fnUntraced(function* (invitation: InvitationId) {
          const waiting = yield* sql`
            select id from email where invitation_id = ${invitation}::uuid and state = 'queued' and claim_id is null
              and subject is null for update skip locked`
          return waiting.length > 0
        }),
        /** Emails of the sample organization, or of all others, for the mailbox of `npm start`. */
        newest: Effect.fnUntraced(function* (limit: number, ofSample = false) {
          return yield* sql<EmailRow>`
            select ${shown} from ${mails} where ${isShown} and (o.sample is not null) = ${ofSample}::bool
            order by m.sent_at desc, m.id desc limit ${limit}::int`
        }),
        find: Effect.fnUntraced(function* (id: EmailId) {
          return first(yield* sql<EmailRow>`select ${shown} from ${mails} where m.id = ${id}::uuid and ${isShown}`)
        }),
        list: Effect.fnUntraced(function* (
          organization: OrganizationId,
          { before, since, state }: EmailFilter,
          limit: number,
        ) {
          return yield* sql<EmailEntry>`
            select ${entry} from email m
            where m.organization_id = ${organization}::int and ${when(sql, state, (value) => sql`m.state = ${value}`)}
              and ${when(sql, since, (value) => sql`m.created_at >= ${value}`)}
              and ${when(
                sql,
                before,
                (value) => sql`(m.created_at, m.id) < (select created_at, id from email
                  where id = ${value}::uuid and organization_id = ${organization}::int)`,
              )}
            order by m.created_at desc, m.id desc limit ${limit}::int`
        }),
        findEntry: Effect.fnUntraced(function* (id: EmailId) {
          return first(
            yield* sql<EmailWithReports>`
              select ${entry}, m.subject, m.provider, m.provider_message_id, m.message_id,
                coalesce((select jsonb_agg(jsonb_build_object('kind', r.kind, 'at', r.created_at) order by r.id)
                  from email_event r where r.email_id = m.id), '[]') as reports
              from email m where m.id = ${id}::uuid`,
          )
        }),
        /** Invitations with a failed email and no later one sent or queued. */
        failedInvitations: Effect.fnUntraced(function* (organization: OrganizationId, since: Date) {
          const rows = yield* sql<{ invitation_id: InvitationId }>`
            select m.invitation_id ${failed(organization, since)}
            group by m.invitation_id order by min(m.created_at), m.invitation_id`
          return rows.map(({ invitation_id }) => invitation_id)
        }),
        isFailed: Effect.fnUntraced(function* (organization: OrganizationId, since: Date, id: InvitationId) {
          const rows = yield* sql`
            select m.id ${failed(organization, since)} and m.invitation_id = ${id}::uuid limit 1`
          return rows.length > 0
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
