/** Stores what candidates need to take part, and the answers. */
import { Context, Effect, Layer } from "effect"
import { memberName } from "../accounts/members/MemberSql.ts"
import type { Reader } from "../accounts/Viewer.ts"
import { type CandidateNames, candidateOf } from "../candidates/CandidateSql.ts"
import { asksToSpeakOf, isReadable } from "../interview-sets/InterviewSetSql.ts"
import { Database, first } from "../platform/database/Database.ts"
import type { PersonalTable } from "../platform/database/PersonalData.ts"
import type { SubmissionStatus } from "../submissions/Submission.ts"
import { minutes, newestInvitation, recipientsOf } from "../submissions/SubmissionSql.ts"
import type { AccommodationId, InvitationId, MemberId, OrganizationId, SubmissionId } from "../values/Ids.ts"
import type { Accommodation, AccommodationAnswer, AccommodationNeed } from "./Accommodation.ts"
import { accommodationColumns } from "./AccommodationSql.ts"

/** A request, as members see it. */
export interface ListedAccommodation extends Accommodation {
  readonly submission_id: SubmissionId
  readonly status_text: SubmissionStatus
  readonly candidate: CandidateNames
  readonly set_title: string
  /** With the factor; null: no limit. */
  readonly minutes: number | null
  /** The set's, before any are added; null: no limit. */
  readonly set_minutes: number | null
  readonly asks_to_speak: boolean
  /** The member's name; null: not answered, or the member was removed. */
  readonly answered_by: string | null
}

/** A request that is locked for its answer. */
export interface LockedAccommodation extends Accommodation {
  readonly submission_id: SubmissionId
  readonly invitation_id: InvitationId | null
  readonly readable: boolean
  readonly status: SubmissionStatus
  /** The candidate's present factor of time. */
  readonly submission_factor: number
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

/** Requests on the page that wait, and counted. */
export const mostAccommodations = 100
/** Answered requests on the page. */
const maxAnswered = 20

export class AccommodationRepository extends Context.Service<AccommodationRepository>()(
  "interview-invitations/interviews/AccommodationRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      const requests = (organization: OrganizationId, reader: Reader | undefined) => sql`
        accommodation a join submission b on b.id = a.submission_id join interview_set s on s.id = b.interview_set_id
          join candidate c on c.id = b.candidate_id
        where a.organization_id = ${organization}::int
          and b.organization_id = ${organization}::int and ${isReadable(sql, organization, reader, "b.interview_set_id")}`
      const waiting = (organization: OrganizationId, reader: Reader | undefined) =>
        sql`${requests(organization, reader)} and a.answered_at is null`
      const listed = sql`
        ${accommodationColumns(sql)}, b.id as submission_id, b.status as status_text, ${candidateOf(sql)},
        left(s.title, 200) as set_title, ${minutes(sql)}::int as minutes, s.interview_duration as set_minutes, ${asksToSpeakOf(sql)},
        (select ${sql.literal(memberName)} from member m where m.id = a.answered_by) as answered_by`
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
        recipients: (organization: OrganizationId, submission: SubmissionId) =>
          recipientsOf(sql, organization, submission, "accommodations"),
        /** Those that wait longest first, up to `mostAccommodations`. */
        list: Effect.fnUntraced(function* (organization: OrganizationId, reader: Reader | undefined) {
          return yield* sql<ListedAccommodation>`
            select ${listed} from ${waiting(organization, reader)}
            order by a.asked_at, a.id limit ${mostAccommodations}::int`
        }),
        /** The newest request of each candidate where it was answered, the newest answer first, up to `maxAnswered`. */
        answered: Effect.fnUntraced(function* (organization: OrganizationId, reader: Reader | undefined) {
          return yield* sql<ListedAccommodation>`
            select ${listed} from ${requests(organization, reader)} and a.answered_at is not null
              and not exists (select from accommodation n
                where n.submission_id = a.submission_id and (n.asked_at, n.id) > (a.asked_at, a.id))
            order by a.answered_at desc, a.id desc limit ${maxAnswered}::int`
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
              select ${accommodationColumns(sql)}, a.submission_id, b.status, b.time_factor::float8 as submission_factor,
                ${sql.literal(newestInvitation("b", "i.id"))} as invitation_id,
                ${isReadable(sql, organization, reader, "b.interview_set_id")} as readable
              from accommodation a join submission b on b.id = a.submission_id
              where a.id = ${id}::uuid and a.organization_id = ${organization}::int
                and b.organization_id = ${organization}::int
              for no key update`,
          )
        }),
        /** Also replaces an earlier answer. */
        answer: Effect.fnUntraced(function* (
          organization: OrganizationId,
          { granted: before, id, submission_id }: LockedAccommodation,
          { granted, text, timeFactor }: AccommodationAnswer,
          by: MemberId,
        ) {
          yield* sql`
            update accommodation set answered_at = ${yield* now}, granted = ${[...granted]}::text[],
              time_factor = ${timeFactor}::float8::numeric(4, 2), answer = ${text}, answered_by = ${by}::uuid
            where id = ${id}::uuid and organization_id = ${organization}::int`
          const mayType = granted.includes("typing")
          if (!mayType && before?.includes("typing") !== true) return
          yield* sql`
            update submission set typed_answers_allowed = ${mayType}::bool
            where id = ${submission_id}::uuid and organization_id = ${organization}::int`
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
