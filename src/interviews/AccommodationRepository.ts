/** Stores what candidates need to take part, and the answers. */
import { Context, Effect, Layer } from "effect"
import type { Recipient } from "../accounts/members/NotificationRepository.ts"
import type { Reader } from "../accounts/Viewer.ts"
import { type CandidateNames, candidateOf } from "../candidates/CandidateSql.ts"
import { isReadable } from "../interview-sets/InterviewSetSql.ts"
import { Database, first } from "../platform/database/Database.ts"
import type { PersonalTable } from "../platform/database/PersonalData.ts"
import type { SubmissionStatus } from "../submissions/Submission.ts"
import { isReaderOf, minutes, newestInvitation } from "../submissions/SubmissionSql.ts"
import type { AccommodationId, InvitationId, MemberId, OrganizationId, SubmissionId } from "../values/Ids.ts"
import type { Accommodation, AccommodationAnswer, AccommodationNeed } from "./Accommodation.ts"
import { accommodationColumns } from "./AccommodationSql.ts"

/** A request that waits for an answer. */
export interface WaitingAccommodation extends Accommodation {
  readonly submission_id: SubmissionId
  readonly status_text: SubmissionStatus
  readonly candidate: CandidateNames
  readonly set_title: string
  /** With the factor; null: no limit. */
  readonly minutes: number | null
}

/** A request that is locked for its answer. */
export interface LockedAccommodation extends Accommodation {
  readonly submission_id: SubmissionId
  readonly invitation_id: InvitationId | null
  readonly readable: boolean
}

export interface NewAccommodation {
  readonly id: AccommodationId
  readonly needs: ReadonlyArray<AccommodationNeed>
  readonly text: string
}

export const personalAccommodations: PersonalTable = {
  table: "accommodation",
  key: ["id"],
  rows: "t.submission_id = any(p.submissions)",
  exported: {
    name: "accommodations",
    of: "submission",
    row: `jsonb_build_object('needs', a.needs, 'text', a.text, 'asked_at', a.asked_at, 'answered_at', a.answered_at,
      'granted', a.granted, 'time_factor', a.time_factor, 'answer', a.answer)`,
    from: "accommodation a where a.submission_id = b.id",
    order: "a.asked_at, a.id",
  },
}

/** Requests on the page, and counted. */
export const mostAccommodations = 100

export class AccommodationRepository extends Context.Service<AccommodationRepository>()(
  "interview-invitations/interviews/AccommodationRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      const waiting = (organization: OrganizationId, reader: Reader | undefined) => sql`
        accommodation a join submission b on b.id = a.submission_id join interview_set s on s.id = b.interview_set_id
          join candidate c on c.id = b.candidate_id
        where a.organization_id = ${organization}::int and a.answered_at is null
          and b.organization_id = ${organization}::int and ${isReadable(sql, organization, reader, "b.interview_set_id")}`
      return {
        /** False: an earlier request of the candidate waits for its answer. */
        insert: Effect.fnUntraced(function* (
          organization: OrganizationId,
          submission: SubmissionId,
          { id, needs, text }: NewAccommodation,
        ) {
          const rows = yield* sql`
            insert into accommodation (id, organization_id, submission_id, needs, text, asked_at)
            values (${id}::uuid, ${organization}::int, ${submission}::uuid, ${[...needs]}::text[], ${text}, ${yield* now})
            on conflict (submission_id) where answered_at is null do nothing returning id`
          return rows.length > 0
        }),
        /** Members who may answer requests of the submission, and want to know of them. */
        recipients: (organization: OrganizationId, submission: SubmissionId) => sql<Recipient>`
          select m.id, m.email, m.mails_accommodations as time from member m
          where m.organization_id = ${organization}::int and m.deactivated_at is null and m.role <> 'reviewer'
            and m.mails_accommodations <> 'off' and ${isReaderOf(sql, organization, submission)}
          order by m.id`,
        /** Those that wait longest first, up to `mostAccommodations`. */
        list: Effect.fnUntraced(function* (organization: OrganizationId, reader: Reader | undefined) {
          return yield* sql<WaitingAccommodation>`
            select ${accommodationColumns(sql)}, b.id as submission_id, b.status as status_text, ${candidateOf(sql)},
              left(s.title, 200) as set_title, ${minutes(sql)}::int as minutes
            from ${waiting(organization, reader)} order by a.asked_at, a.id limit ${mostAccommodations}::int`
        }),
        count: Effect.fnUntraced(function* (organization: OrganizationId, reader: Reader | undefined) {
          const row = first(
            yield* sql<{ count: number }>`
              select count(*)::int as count
              from (select from ${waiting(organization, reader)} limit ${mostAccommodations}::int) n`,
          )
          return row?.count ?? 0
        }),
        /** Needs a transaction. */
        lock: Effect.fnUntraced(function* (
          organization: OrganizationId,
          id: AccommodationId,
          reader: Reader | undefined,
        ) {
          return first(
            yield* sql<LockedAccommodation>`
              select ${accommodationColumns(sql)}, a.submission_id,
                ${sql.literal(newestInvitation("b", "i.id"))} as invitation_id,
                ${isReadable(sql, organization, reader, "b.interview_set_id")} as readable
              from accommodation a join submission b on b.id = a.submission_id
              where a.id = ${id}::uuid and a.organization_id = ${organization}::int
                and b.organization_id = ${organization}::int
              for no key update`,
          )
        }),
        answer: Effect.fnUntraced(function* (
          organization: OrganizationId,
          { id, submission_id }: LockedAccommodation,
          { granted, text, timeFactor }: AccommodationAnswer,
          by: MemberId,
        ) {
          yield* sql`
            update accommodation set answered_at = ${yield* now}, granted = ${[...granted]}::text[],
              time_factor = ${timeFactor}::float8::numeric(4, 2), answer = ${text}, answered_by = ${by}::uuid
            where id = ${id}::uuid and organization_id = ${organization}::int`
          if (!granted.includes("typing")) return
          yield* sql`
            update submission set typed_answers_allowed = true
            where id = ${submission_id}::uuid and organization_id = ${organization}::int`
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
