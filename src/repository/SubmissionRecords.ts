/**
 * Submissions as members look through them: narrowed, newest or best first. Scores come from submission_score (sql/08_evaluations.sql), by
 * which they are ordered with a person's own score in place of the evaluator's (sql/08_evaluations.sql).
 */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import type { InterviewSetId, OrganizationId, SubmissionId } from "../domain/Ids.ts"
import type { InvitationStatus } from "../domain/Invitation.ts"
import type { Position } from "../domain/Page.ts"
import type { ScoreStatus } from "../domain/Score.ts"
import type { SubmissionStatus } from "../domain/Submission.ts"
import { Database } from "./Database.ts"
import { iso, when } from "./Paging.ts"
import { type CandidateNames, candidateOf, setOf, within } from "./Refs.ts"
import { hasWords, isNamed } from "./Words.ts"

/** Newest first; or best or weakest first, and then only what has a score. */
export type SubmissionOrder = "newest" | "best" | "weakest"

export interface SubmissionSearch {
  /** Beginnings of words, all of which the candidate's names and address have, or the set's title and role. */
  readonly words: ReadonlyArray<string>
  readonly set: InterviewSetId | undefined
  readonly status: SubmissionStatus | undefined
  readonly score: ScoreStatus | undefined
  readonly order: SubmissionOrder
}

/** A line of the list. `position.at` is when it was made, or its score, as the order has it. */
export interface SubmissionLine {
  readonly id: SubmissionId
  readonly status_text: SubmissionStatus
  readonly interview_set: { readonly id: InterviewSetId; readonly title: string }
  readonly candidate: CandidateNames
  readonly score: number | null
  /** A person's, of the evaluation that leads. */
  readonly own_score: number | null
  readonly score_status: ScoreStatus
  readonly created_at: string
  readonly started_at: string | null
  readonly completed_at: string | null
  readonly declined_at: string | null
  /** Of the newest invitation; null: there is none. */
  readonly invitation_status: InvitationStatus | null
  readonly position: Position
}

/** So many of the best or weakest are looked at before those of a state are; who has words are many from here on. */
const window = 1000

/** And so many of any before all who have the words. */
const searched = 500

/** As the indexes have it (repository/LargeIndexes.ts). */
const ranked = "coalesce(k.override_score, k.score)"

export class SubmissionRecords extends Context.Service<
  SubmissionRecords,
  {
    /** One submission more than `limit`, if there is one. `reader`: only of sets whose access list has this address. */
    readonly list: (
      organization: OrganizationId,
      search: SubmissionSearch,
      reader: string | undefined,
      page: { readonly limit: number; readonly after: Position | undefined },
    ) => Effect.Effect<ReadonlyArray<SubmissionLine>>
  }
>()("interview-invitations/repository/SubmissionRecords") {
  static readonly layer = Layer.effect(
    SubmissionRecords,
    Effect.gen(function* () {
      const { sql } = yield* Database
      const created = (alias: string) =>
        sql.literal(`to_char(${alias}.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`)
      return SubmissionRecords.of({
        list: Effect.fnUntraced(function* (
          organization,
          { order, score, set, status, words },
          reader,
          { after, limit },
        ) {
          const isByScore = order !== "newest"
          // of what has a score or can have none, the table of scores is the list; else that of submissions is
          const isOfScores = isByScore || score === "scored" || score === "cannot_evaluate"
          const alias = isOfScores ? "k" : "b"
          const id = isOfScores ? "k.submission_id" : "b.id"
          const key = isByScore ? ranked : `${alias}.created_at`
          const direction = order === "weakest" ? "asc" : "desc"
          const behind: Statement.Fragment =
            after === undefined
              ? sql`true`
              : isByScore
                ? sql`(${sql.literal(`${key}, ${id}`)}) ${sql.literal(order === "weakest" ? ">" : "<")} (${after.at}::numeric, ${after.id}::uuid)`
                : sql`(${sql.literal(`${key}, ${id}`)}) < (${after.at}::timestamptz, ${after.id}::uuid)`
          const ofSet = when(
            sql,
            set,
            (one) => sql`${sql.literal(alias)}.interview_set_id = (
              select id from interview_set where id = ${one}::uuid and organization_id = ${organization}::int)`,
          )
          const ofReader = when(
            sql,
            reader,
            (
              email,
            ) => sql`${sql.literal(alias)}.interview_set_id = any(array(select a.interview_set_id from set_access a
              where a.organization_id = ${organization}::int and lower(a.email) = lower(${email})))`,
          )
          // with a set, the organization's index must not look like a choice (repository/Refs.ts)
          const ofOrganization =
            set === undefined ? sql`${sql.literal(alias)}.organization_id = ${organization}::int` : sql`true`
          const ofScore =
            score === undefined
              ? sql`true`
              : isOfScores
                ? sql`k.score_status = ${score}`
                : // one by one, not `not exists`: for that a planner reads the scores of everybody
                  sql`coalesce((select k.score_status from submission_score k where k.submission_id = b.id), 'not_scored')
                    = 'not_scored'`
          const listed = sql.literal(`order by ${key} ${direction}, ${id} ${direction}`)
          const among = sql`${ofOrganization} and ${ofSet} and ${behind} and ${ofScore} and ${ofReader}
            and ${isByScore ? sql`${sql.literal(ranked)} is not null` : sql`true`}`
          // of scores one by one: a planner that joins them to a state reads all submissions in it
          const ofStatus = when(sql, status, (one) =>
            isOfScores
              ? sql`(select x.status from submission x where x.id = k.submission_id) = ${one}`
              : sql`b.status = ${one}`,
          )
          const all = isOfScores
            ? sql`submission_score k join submission b on b.id = k.submission_id`
            : sql`submission b`
          // the page first, so that nothing is looked up for a submission that is not on it
          const lines = (from: Statement.Fragment, also: Statement.Fragment) => sql<SubmissionLine>`
            select b.id, b.status as status_text, ${setOf(sql)}, ${candidateOf(sql)}, k.score::float8 as score, k.override_score::float8 as own_score,
              coalesce(k.score_status, 'not_scored') as score_status, ${iso(sql, "b.created_at")} as created_at,
              ${iso(sql, "b.started_at")} as started_at, ${iso(sql, "b.completed_at")} as completed_at,
              ${iso(sql, "b.declined_at")} as declined_at,
              (select i.status from invitation i where i.submission_id = b.id
                order by i.created_at desc, i.id desc limit 1) as invitation_status,
              jsonb_build_object('at', ${isByScore ? sql`${sql.literal(ranked)}::text` : created("b")}, 'id', b.id) as position
            from (
              select b.* from ${from}
              where ${among} and ${ofStatus} and ${also}
              ${listed} limit ${limit + 1}::int
            ) b join interview_set s on s.id = b.interview_set_id join candidate c on c.id = b.candidate_id
              left join submission_score k on k.submission_id = b.id
            where b.organization_id = ${organization}::int
            order by ${sql.literal(isByScore ? `${ranked} ${direction}, b.id ${direction}` : "b.created_at desc, b.id desc")}`
          const some = (which: Statement.Fragment, most: number) =>
            isOfScores
              ? sql`(select * from submission_score k where ${among} and ${which} ${listed} limit ${most}::int) k
                  join submission b on b.id = k.submission_id`
              : sql`(select * from submission b where ${among} and ${ofStatus} ${listed} limit ${most}::int) b`
          if (words.length > 0) {
            // What nearly all have is found among the first, what many have by looking whether each is one of them, and what
            // few have by the indexes of words: the planner can not tell which it is, and takes the wrong way for the others.
            const names = isNamed(sql, organization, words)
            const ofTitled = sql`${sql.literal(alias)}.interview_set_id = any(array(select s.id from interview_set s
              where s.organization_id = ${organization}::int and ${hasWords(sql, words)}))`
            const recent = yield* lines(
              some(sql`true`, searched),
              sql`(${ofTitled} or (select ${names} from candidate c where c.id = b.candidate_id))`,
            )
            if (recent.length > limit) return recent
            const candidate = isOfScores
              ? sql`(select x.candidate_id from submission x where x.id = k.submission_id)`
              : sql`b.candidate_id`
            const titled = sql`select from submission ${sql.literal(alias)} where ${ofTitled} limit ${window}::int`
            const [known] = yield* sql<{ many: boolean }>`
              select (select count(*) from (select from candidate c where ${names} limit ${window}::int) c) = ${window}::int
                or (select count(*) from (${titled}) b) = ${window}::int as many`
            // a reader's sets are few of all: a walk would meet the others' submissions first
            if (known?.many === true && reader === undefined)
              return yield* lines(
                all,
                sql`(${candidate} in (select c.id from candidate c where ${names}) or ${ofTitled})`,
              )
            const found = (condition: Statement.Fragment) => sql`
              select ${sql.literal(`${id} as id, ${key} as key`)} from ${all} where ${among} and ${ofStatus} and ${condition}`
            const ids = sql`
              select f.id from (
                ${found(sql`b.candidate_id = any(array(select c.id from candidate c where ${names}))`)}
                union ${found(ofTitled)}
              ) f order by ${sql.literal(`f.key ${direction}, f.id ${direction}`)} limit ${limit + 1}::int`
            return yield* lines(all, sql`${sql.literal(id)} = any(array(${ids}))`)
          }
          if (!isOfScores || status === undefined) return yield* lines(all, sql`true`)
          if (isByScore && score !== undefined && score !== "scored") return []
          // A state that most have is found among the first scores, one that few have by itself: the planner can not tell
          // which it is, and would walk through all scores for a state in which nobody has one.
          const first = yield* lines(some(sql`true`, window), sql`true`)
          if (first.length > limit) return first
          // as an array, which is made once whatever the plan
          const those = sql`k.submission_id = any(array(
            select b.id from submission b where ${within(sql, "b", organization, set)} and b.status = ${status}))`
          return yield* lines(some(those, limit + 1), sql`true`)
        }, Effect.orDie),
      })
    }),
  )
}
