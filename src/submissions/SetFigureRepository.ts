/** Counts the submissions of interview sets. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../platform/database/Database.ts"
import { iso } from "../platform/database/Paging.ts"
import type { InterviewSetId, OrganizationId } from "../values/Ids.ts"
import type { FunnelCount } from "./Funnel.ts"
import { milestoneNumber } from "./Submission.ts"
import { activeAt } from "./SubmissionSearchSql.ts"

export interface SetFunnelCount extends FunnelCount {
  readonly set: InterviewSetId
}

/** The counts are those of the list with the same filters. */
export interface SetFigure {
  readonly set: InterviewSetId
  readonly submissions: number
  /** Submitted, neither reviewed nor decided. */
  readonly to_review: number
  readonly decided: number
  /** When a candidate last acted or was invited: ISO 8601, UTC; null: there are no submissions. */
  readonly active_at: string | null
}

export class SetFigureRepository extends Context.Service<SetFigureRepository>()(
  "interview-invitations/submissions/SetFigureRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      return {
        /** Each count is at most `most`, so that the time does not grow with the submissions. */
        figures: Effect.fnUntraced(function* (
          organization: OrganizationId,
          sets: ReadonlyArray<InterviewSetId>,
          most: number,
        ) {
          const count = (condition: string) =>
            sql`(select count(*)::int from (
              select from submission b where b.interview_set_id = s.id and ${sql.literal(condition)} limit ${most}::int) n)`
          return yield* sql<SetFigure>`
            select s.id as set, ${count("true")} as submissions,
              ${count(`b.milestone = ${milestoneNumber("submitted")}`)} as to_review,
              ${count("b.decision is not null")} as decided,
              (select ${iso(sql, activeAt("b"))} from submission b where b.interview_set_id = s.id
                order by ${sql.literal(activeAt("b"))} desc, b.id desc limit 1) as active_at
            from interview_set s
            where s.organization_id = ${organization}::int and s.id = any(${[...sets]}::uuid[])`
        }),
        /** The newest `most` interviews of each set by what has happened to them. */
        funnels: Effect.fnUntraced(function* (
          organization: OrganizationId,
          sets: ReadonlyArray<InterviewSetId>,
          most: number,
        ) {
          return yield* sql<SetFunnelCount>`
            select s.id as set, b.candidate_milestone, b.reviewed_at is not null as is_reviewed,
              b.decision is not null as is_decided, count(*)::int as count
            from interview_set s cross join lateral (
              select * from submission b where b.interview_set_id = s.id and b.flow = 'interview'
              order by b.created_at desc, b.id desc limit ${most}::int) b
            where s.organization_id = ${organization}::int and s.id = any(${[...sets]}::uuid[])
            group by 1, 2, 3, 4`
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
