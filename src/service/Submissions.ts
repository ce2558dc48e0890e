/** Submissions as hiring systems read them (spec, Read submission evaluation). */
import { Context, Effect, Layer } from "effect"
import type { OrganizationId, SubmissionId } from "../domain/Ids.ts"
import { displayName } from "../domain/Invitation.ts"
import { NotFound } from "../domain/Problem.ts"
import { leading, type SubmissionDetail } from "../domain/SubmissionDetail.ts"
import { SubmissionDetails } from "../repository/SubmissionDetails.ts"
import { Links } from "./Links.ts"

export class Submissions extends Context.Service<
  Submissions,
  {
    readonly detail: (organization: OrganizationId, id: SubmissionId) => Effect.Effect<SubmissionDetail, NotFound>
  }
>()("interview-invitations/service/Submissions") {
  static readonly layer = Layer.effect(
    Submissions,
    Effect.gen(function* () {
      const details = yield* SubmissionDetails
      const links = yield* Links
      return Submissions.of({
        detail: Effect.fn("Submissions.detail")(function* (organization, id) {
          const row = yield* details.find(organization, id)
          if (row === undefined) return yield* new NotFound({ record: "submission" })
          const { ats_candidate_id, email } = row.candidate
          const { criteria, gaps, recommendations, score, score_status, strengths, summary } = leading(row.evaluations)
          return {
            id: row.id,
            submission_url: links.submission(row.id),
            status_text: row.status_text,
            interview_set: row.interview_set,
            candidate: { id: row.candidate.id, ats_candidate_id, email, name: displayName(row.candidate) || null },
            invitation: row.invitation,
            score,
            score_status,
            summary: summary || null,
            strengths,
            gaps,
            recommendations,
            criteria,
            evaluations: row.evaluations,
            answers: row.answers,
            initiated_at: row.initiated_at,
            started_at: row.started_at,
            completed_at: row.completed_at,
          }
        }),
      })
    }),
  )
}
