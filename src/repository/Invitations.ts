/** Invitations: written in bulk by an invite request, moved on by what the mail's provider reports. */
import { Context, Effect, Layer } from "effect"
import type {
  AtsCandidateId,
  CandidateId,
  EmailId,
  InterviewSetId,
  InvitationId,
  OrganizationId,
  SubmissionId,
} from "../domain/Ids.ts"
import type { EmailSignal, InvitationStanding, InvitationStatus, RefusalReason } from "../domain/Invitation.ts"
import { failureKinds } from "../domain/MailReport.ts"
import type { SubmissionStatus } from "../domain/Submission.ts"
import { Database, first, recordset, unlessEmpty } from "./Database.ts"
import { minutes } from "./Interviews.ts"
import { languagesOf } from "./Refs.ts"
import { suppressedAs } from "./Suppressions.ts"

export interface LivingInvitation {
  readonly id: InvitationId
  readonly candidate_id: CandidateId
  readonly submission_id: SubmissionId
  readonly email: string
  readonly status: InvitationStatus
}

/** An invitation that was never sent, and why. */
export interface RefusedInvitation extends LivingInvitation {
  readonly failure_reason: RefusalReason
}

/** What an invitation's mail says, and whom its events are about. */
export interface InvitationView {
  readonly id: InvitationId
  readonly organization_id: OrganizationId
  readonly organization_name: string
  /** Whom candidates may ask: an e-mail or https address; null: nobody is named. */
  readonly organization_contact: string | null
  readonly interview_set_id: InterviewSetId
  readonly interview_name: string
  /** Minutes for this candidate, with the time factor; null: no limit. */
  readonly interview_duration: number | null
  /** BCP 47 tags of the set's known languages, in its order. */
  readonly languages: ReadonlyArray<string>
  readonly submission_id: SubmissionId
  readonly submission_status: SubmissionStatus
  /** When the clock of a started interview ends; null: no limit, or not started. */
  readonly answer_until: Date | null
  readonly candidate_id: CandidateId
  readonly ats_candidate_id: AtsCandidateId | null
  readonly email: string
  readonly name: string | null
  readonly firstname: string | null
  readonly lastname: string | null
  readonly message: string | null
  readonly status: InvitationStatus
  readonly expires_at: Date
  /** True once expires_at has passed, whatever the status says by then. */
  readonly expired: boolean
}

export interface InvitationRef {
  readonly id: InvitationId
  readonly organization_id: OrganizationId
}

/** An invitation, with the mail of it that something is reported of where that is known: links name only the invitation. */
export interface MailRef extends InvitationRef {
  readonly email_id?: EmailId
}

/** Whom an invitation's event is about. */
export type InvitationSubject = Pick<
  InvitationView,
  "id" | "organization_id" | "interview_set_id" | "submission_id" | "candidate_id" | "email" | "ats_candidate_id"
>

/** Where an invitation stands while its row is held. */
export interface HeldInvitation extends InvitationStanding {
  readonly email: string
  readonly expires_at: Date
  readonly time_factor: number
  /** Its interview has a duration. */
  readonly timed: boolean
  /** A mail of it waits to be sent, or is being sent. */
  readonly mail_queued: boolean
}

export class Invitations extends Context.Service<
  Invitations,
  {
    /** The candidates' living invitations to the set. */
    readonly living: (
      organization: OrganizationId,
      set: InterviewSetId,
      candidates: ReadonlyArray<CandidateId>,
    ) => Effect.Effect<ReadonlyArray<LivingInvitation>>
    /** Of the candidates' invitations to the set that the service itself refused to send, the newest of each candidate. */
    readonly refused: (
      organization: OrganizationId,
      set: InterviewSetId,
      candidates: ReadonlyArray<CandidateId>,
    ) => Effect.Effect<ReadonlyArray<RefusedInvitation>>
    readonly find: (organization: OrganizationId, id: InvitationId) => Effect.Effect<InvitationView | undefined>
    /** True of an address that the organization must not write to. */
    readonly isSuppressed: (organization: OrganizationId, email: string) => Effect.Effect<boolean>
    /** The mails left: pending becomes sent. */
    readonly markSent: (invitations: ReadonlyArray<InvitationRef>) => Effect.Effect<void>
    /**
     * Records what is reported of mails on each invitation once and moves its status on, never back. Returns the
     * invitations for which this was the first report of its kind: those make events. That a mail was dropped counts
     * only while the invitation is pending, or where no other mail of it has left without a report that it failed: a
     * reminder or a resend that is not sent takes nothing from what was.
     */
    readonly recordSignal: (
      signal: EmailSignal,
      mails: ReadonlyArray<MailRef>,
    ) => Effect.Effect<ReadonlyArray<InvitationSubject>>
    /**
     * Those that no mail was sent of yet: failed, because the service itself did not send. Returns them; of those the event
     * names the interview.
     */
    readonly refuse: (
      reason: RefusalReason,
      invitations: ReadonlyArray<InvitationRef>,
    ) => Effect.Effect<ReadonlyArray<InvitationSubject & Pick<InvitationView, "interview_name">>>
    /**
     * Holds the invitation until the transaction around it ends, and tells where it then stands: of several who send it
     * again at once, each sees what the one before has queued.
     */
    readonly hold: (organization: OrganizationId, id: InvitationId) => Effect.Effect<HeldInvitation | undefined>
    /**
     * An invitation that has not ended, or whose mail has failed → cancelled, its submission → withdrawn unless that has
     * ended already, and its queued mails → cancelled. True for the one caller that made the step. False: the invitation
     * has ended already, its interview was submitted, or after it has failed another was made for the same submission. When it ends otherwise at this very moment, only a rollback undoes what was done to the submission.
     *
     * A mail that a worker has in hand may still leave, and is then noted as sent; one that could not be sent then is
     * not tried again.
     */
    readonly cancel: (organization: OrganizationId, id: InvitationId) => Effect.Effect<boolean>
  }
>()("interview-invitations/repository/Invitations") {
  static readonly layer = Layer.effect(
    Invitations,
    Effect.gen(function* () {
      const { now, sql } = yield* Database
      // joined to the candidates, or the planner may walk through the set's
      const ofCandidates = (
        organization: OrganizationId,
        set: InterviewSetId,
        candidates: ReadonlyArray<CandidateId>,
      ) => sql`unnest(${[...candidates]}::uuid[]) as r(candidate_id)
        join invitation i on i.candidate_id = r.candidate_id and i.interview_set_id = ${set}::uuid
          and i.organization_id = ${organization}::int`
      return Invitations.of({
        living: Effect.fnUntraced(function* (organization, set, candidates) {
          return yield* unlessEmpty(
            candidates,
            sql<LivingInvitation>`
              select i.id, i.candidate_id, i.submission_id, i.email, i.status
              from ${ofCandidates(organization, set, candidates)}
              where i.status not in ('failed', 'cancelled', 'expired')`,
          )
        }, Effect.orDie),
        refused: Effect.fnUntraced(function* (organization, set, candidates) {
          return yield* unlessEmpty(
            candidates,
            sql<RefusedInvitation>`
              select distinct on (i.candidate_id) i.id, i.candidate_id, i.submission_id, i.email, i.status, i.failure_reason
              from ${ofCandidates(organization, set, candidates)}
              where i.failure_reason in ('invalid_email', 'unsubscribed')
              order by i.candidate_id, i.created_at desc, i.id desc`,
          )
        }, Effect.orDie),
        find: Effect.fnUntraced(function* (organization, id) {
          return first(
            yield* sql<InvitationView>`
              select i.id, i.organization_id, o.name as organization_name,
                o.contact as organization_contact, i.interview_set_id, s.title as interview_name,
                ${minutes(sql)}::float8 as interview_duration,
                ${languagesOf(sql)},
                i.submission_id, b.status as submission_status, b.answer_until, i.candidate_id, c.ats_candidate_id, i.email, c.name,
                c.firstname, c.lastname, i.message, i.status, i.expires_at, i.expires_at <= ${yield* now} as expired
              from invitation i join organization o on o.id = i.organization_id join submission b on b.id = i.submission_id
                join interview_set s on s.id = i.interview_set_id join candidate c on c.id = i.candidate_id
              where i.id = ${id}::uuid and i.organization_id = ${organization}::int`,
          )
        }, Effect.orDie),
        isSuppressed: Effect.fnUntraced(function* (organization, email) {
          const rows = yield* sql`
            select from suppression
            where organization_id = ${organization}::int and email = any(${[...suppressedAs(organization, email)]}::text[])`
          return rows.length > 0
        }, Effect.orDie),
        markSent: Effect.fnUntraced(function* (invitations) {
          const at = yield* now
          yield* sql`
            update invitation i set sent_at = coalesce(i.sent_at, ${at}),
              status = case when i.status = 'pending' then 'sent' else i.status end
            from ${recordset(sql, invitations, "id uuid, organization_id int")}
            where i.id = r.id and i.organization_id = r.organization_id`
        }, Effect.orDie),
        recordSignal: Effect.fnUntraced(function* (signal, mails) {
          const column = sql.literal(signalColumns[signal])
          const at = yield* now
          const failure = signal === "bounce" || signal === "dropped"
          return yield* sql<InvitationSubject>`
            update invitation i set ${column} = ${at},
              failure_reason = case when ${failure}::bool then ${signal} else i.failure_reason end,
              status = case
                when ${failure}::bool then case when i.status in ('pending', 'sent', 'delivered') then 'failed' else i.status end
                when array_position(${steps}::text[], ${signal}) > array_position(${steps}::text[], i.status)
                  then ${signal} else i.status end
            from ${recordset(sql, mails, "id uuid, organization_id int, email_id uuid")}
              join candidate c on c.organization_id = r.organization_id
            where i.id = r.id and i.organization_id = r.organization_id and c.id = i.candidate_id and i.${column} is null
              and (${signal !== "dropped"}::bool or i.status = 'pending' or not exists (
                select from email o where o.invitation_id = i.id and o.id is distinct from r.email_id and o.state = 'sent'
                  and not exists (select from email_event p
                    where p.email_id = o.id and p.kind = any(${[...failureKinds]}::text[]))))
            returning i.id, i.organization_id, i.interview_set_id, i.submission_id, i.candidate_id, i.email, c.ats_candidate_id`
        }, Effect.orDie),
        refuse: Effect.fnUntraced(function* (reason, invitations) {
          return yield* unlessEmpty(
            invitations,
            sql<InvitationSubject & Pick<InvitationView, "interview_name">>`
              update invitation i set status = 'failed', failure_reason = ${reason}, failed_at = ${yield* now}
              from ${recordset(sql, invitations, "id uuid, organization_id int")}
                join candidate c on c.organization_id = r.organization_id
                join interview_set s on s.organization_id = r.organization_id
              where i.id = r.id and i.organization_id = r.organization_id and c.id = i.candidate_id
                and s.id = i.interview_set_id and i.status = 'pending'
              returning i.id, i.organization_id, i.interview_set_id, s.title as interview_name, i.submission_id,
                i.candidate_id, i.email, c.ats_candidate_id`,
          )
        }, Effect.orDie),
        hold: Effect.fnUntraced(function* (organization, id) {
          yield* sql`
            select id from invitation where id = ${id}::uuid and organization_id = ${organization}::int for no key update`
          // a statement of its own: one that waits for a lock goes on seeing other rows as they were before
          return first(
            yield* sql<HeldInvitation>`
              select i.status, i.failure_reason, i.expires_at, b.time_factor::float8 as time_factor, i.expires_at <= ${yield* now} as expired,
                b.status as submission_status, b.attempt, b.declined_at is not null as declined, i.email,
                s.interview_duration is not null as timed,
                exists (select from invitation o where o.candidate_id = i.candidate_id
                  and o.interview_set_id = i.interview_set_id and o.id <> i.id
                  and o.status not in ('failed', 'cancelled', 'expired')) as replaced,
                exists (select 1 from email where invitation_id = i.id and state = 'queued') as mail_queued
              from invitation i join submission b on b.id = i.submission_id
                join interview_set s on s.id = i.interview_set_id
              where i.id = ${id}::uuid and i.organization_id = ${organization}::int`,
          )
        }, Effect.orDie),
        cancel: Effect.fnUntraced(function* (organization, id) {
          // submission before invitation, as whoever changes both takes them
          const cancelled = yield* sql`
            with held as (
              update submission b set status =
                case when b.status in ('need_interview', 'initiated', 'started') then 'withdrawn' else b.status end
              from invitation i
              where i.id = ${id}::uuid and i.organization_id = ${organization}::int
                and i.status not in ('cancelled', 'expired')
                -- one that failed may have been followed by another, which lives on the same submission
                and not (i.status = 'failed' and exists (select 1 from invitation o where o.submission_id = i.submission_id
                  and o.status not in ('failed', 'cancelled', 'expired')))
                and b.id = i.submission_id and b.status not in ('completed', 'evaluated')
                -- a later attempt improves what was submitted
                and not (b.status = 'started' and b.attempt > 1)
              returning b.id
            )
            update invitation i set status = 'cancelled', cancelled_at = ${yield* now} from held
            where i.submission_id = held.id and i.id = ${id}::uuid and i.status not in ('cancelled', 'expired')
            returning i.id`
          if (cancelled.length === 0) return false
          // Mails that are being claimed or settled in this instant are passed over: waiting for them could be waiting for
          // each other. They find the invitation cancelled when their turn comes. A claim is left to settle what it did.
          yield* sql`
            update email set state = 'cancelled', due_at = null where id = any(array(
              select id from email where invitation_id = ${id}::uuid and state = 'queued' for update skip locked))`
          return true
        }, Effect.orDie),
      })
    }),
  )
}

const steps = ["pending", "sent", "delivered", "opened", "clicked"]

const signalColumns: Record<EmailSignal, string> = {
  delivered: "delivered_at",
  opened: "opened_at",
  clicked: "clicked_at",
  spam: "spam_at",
  bounce: "failed_at",
  dropped: "failed_at",
}
