/** Stores legal holds (sql/06_submissions.sql). */
import { Context, Effect, Layer } from "effect"
import { memberName } from "../accounts/members/MemberSql.ts"
import * as AdvisoryLocks from "../platform/database/AdvisoryLocks.ts"
import { Database, first } from "../platform/database/Database.ts"
import type { PersonalTable } from "../platform/database/PersonalData.ts"
import type { CandidateId, InterviewSetId, LegalHoldId, MemberId, OrganizationId } from "../values/Ids.ts"

/** A candidate, or an interview set with all its candidates. */
export type HoldSubject =
  | { readonly _tag: "Candidate"; readonly id: CandidateId }
  | { readonly _tag: "InterviewSet"; readonly id: InterviewSetId }

/** A candidate's names and address, each of which may be null, or a set's title. */
export interface HeldSubject {
  readonly name: string | null
  readonly firstname: string | null
  readonly lastname: string | null
  readonly email: string | null
  readonly title: string | null
}

export interface LegalHold extends HeldSubject {
  readonly id: LegalHoldId
  readonly candidate_id: CandidateId | null
  readonly interview_set_id: InterviewSetId | null
  readonly reason: string
  /** The member's name; null: the member's row is gone. */
  readonly placed_by: string | null
  readonly placed_at: Date
}

/** Those that were released: while one is in force, privacy/People.ts refuses the erasure. */
export const personalHolds: PersonalTable = {
  table: "legal_hold",
  rows: "t.candidate_id = p.candidate and t.released_at is not null",
  exported: {
    name: "legal_holds",
    of: "candidate",
    row: "jsonb_build_object('placed_at', h.placed_at, 'released_at', h.released_at)",
    from: "legal_hold h where h.candidate_id = c.id",
    order: "h.placed_at",
  },
}

const columnsOf = ({ _tag, id }: HoldSubject) =>
  _tag === "Candidate" ? { candidate: id, set: null } : { candidate: null, set: id }

export class LegalHoldRepository extends Context.Service<LegalHoldRepository>()(
  "interview-invitations/privacy/LegalHoldRepository",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const { now, sql } = database
      const name = sql.literal(memberName)
      const holds = sql`
        select h.id, h.candidate_id, h.interview_set_id, h.reason, h.placed_at, c.name, c.firstname, c.lastname, c.email, s.title,
          (select ${name} from member m where m.id = h.placed_by) as placed_by
        from legal_hold h left join candidate c on c.id = h.candidate_id left join interview_set s on s.id = h.interview_set_id
        where h.released_at is null`
      return {
        /** Those in force, the newest first. */
        list: (organization: OrganizationId, limit: number) => sql<LegalHold>`
          ${holds} and h.organization_id = ${organization}::int order by h.placed_at desc, h.id desc limit ${limit}::int`,
        find: Effect.fnUntraced(function* (organization: OrganizationId, id: LegalHoldId) {
          return first(
            yield* sql<LegalHold>`${holds} and h.organization_id = ${organization}::int and h.id = ${id}::uuid`,
          )
        }),
        /** The holds in force that keep a candidate's data: of the candidate, and of sets. */
        ofCandidate: (organization: OrganizationId, candidate: CandidateId) => sql<LegalHold>`
          ${holds} and h.organization_id = ${organization}::int
            and (h.candidate_id = ${candidate}::uuid or h.interview_set_id in (select b.interview_set_id from submission b
              where b.candidate_id = ${candidate}::uuid and b.organization_id = ${organization}::int))
          order by h.placed_at, h.id`,
        /** Waits for deletions and erasures that run, and holds up later ones until the transaction ends. */
        lock: (organization: OrganizationId) => sql`select ${AdvisoryLocks.lock(database, "legal_hold", organization)}`,
        /** False: the subject is on hold already. Needs `lock`. */
        place: Effect.fnUntraced(function* (
          organization: OrganizationId,
          id: LegalHoldId,
          subject: HoldSubject,
          reason: string,
          by: MemberId,
        ) {
          const { candidate, set } = columnsOf(subject)
          const placed = yield* sql`
            insert into legal_hold (id, organization_id, candidate_id, interview_set_id, reason, placed_by, placed_at)
            values (${id}::uuid, ${organization}::int, ${candidate}::uuid, ${set}::uuid, ${reason}, ${by}::uuid, ${yield* now})
            on conflict do nothing returning id`
          return placed.length > 0
        }),
        /** Undefined: no such hold is in force. */
        release: Effect.fnUntraced(function* (organization: OrganizationId, id: LegalHoldId, by: MemberId) {
          return first(
            yield* sql<Pick<LegalHold, "candidate_id" | "interview_set_id">>`
              update legal_hold set released_at = ${yield* now}, released_by = ${by}::uuid
              where id = ${id}::uuid and organization_id = ${organization}::int and released_at is null
              returning candidate_id, interview_set_id`,
          )
        }),
        /** Locks the candidate or the set; undefined: there is none, or the candidate was erased. */
        subjectOf: Effect.fnUntraced(function* (organization: OrganizationId, { _tag, id }: HoldSubject) {
          const rows =
            _tag === "Candidate"
              ? yield* sql<HeldSubject>`
                  select name, firstname, lastname, email, null as title from candidate
                  where id = ${id}::uuid and organization_id = ${organization}::int and erased_at is null for key share`
              : yield* sql<HeldSubject>`
                  select null as name, null as firstname, null as lastname, null as email, title from interview_set
                  where id = ${id}::uuid and organization_id = ${organization}::int and deleted_at is null for key share`
          return first(rows)
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
