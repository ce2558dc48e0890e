/** Counts how decisions and scores agree, and which decisions were made without the answers. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../platform/database/Database.ts"
import type { InterviewSetId, OrganizationId } from "../values/Ids.ts"

/** Candidates of a set who were advanced or rejected, by the last decision about each. */
export interface SetOversight {
  readonly id: InterviewSetId
  readonly title: string | null
  readonly decisions: number
  /** Made on a page without the answers, by a member who had not reviewed the candidate. */
  readonly unread: number
  /** Of candidates with a score. */
  readonly scored: number
  /** Of these, as the score says: advanced at or above the median of the set's scores, rejected below it. */
  readonly agreeing: number
  readonly unreadScored: number
  readonly unreadAgreeing: number
}

export class OversightRepository extends Context.Service<OversightRepository>()(
  "interview-invitations/reviews/OversightRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      return {
        /** The last `days`; the sets with most decisions without answers first. */
        sets: Effect.fnUntraced(function* (organization: OrganizationId, days: number, limit: number) {
          return yield* sql<SetOversight>`
            with decided as materialized (
              select b.interview_set_id, b.decision, b.decided_unread as is_unread, k.score
              from submission b left join submission_score k on k.submission_id = b.id and k.organization_id = b.organization_id
                and k.score_status = 'scored'
              where b.organization_id = ${organization}::int and b.decision in ('advance', 'reject')
                and b.decided_at >= ${yield* now} - ${days}::int * interval '1 day'
            ), medians as (
              select k.interview_set_id, percentile_cont(0.5) within group (order by k.score) as score
              from submission_score k where k.organization_id = ${organization}::int and k.score_status = 'scored'
                and k.interview_set_id in (select interview_set_id from decided)
              group by k.interview_set_id
            ), judged as (
              select d.*, d.score is not null and (d.decision = 'advance') = (d.score >= m.score) as is_agreeing
              from decided d left join medians m on m.interview_set_id = d.interview_set_id
            )
            select s.id, s.title, count(*)::int as decisions, (count(*) filter (where j.is_unread))::int as unread,
              count(j.score)::int as scored, (count(*) filter (where j.is_agreeing))::int as agreeing,
              (count(j.score) filter (where j.is_unread))::int as "unreadScored",
              (count(*) filter (where j.is_agreeing and j.is_unread))::int as "unreadAgreeing"
            from judged j join interview_set s on s.id = j.interview_set_id
            group by s.id, s.title order by unread desc, decisions desc, s.id limit ${limit}::int`
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
