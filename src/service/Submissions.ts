/** Submissions as hiring systems read them: one (spec, Read submission evaluation), and lists. */
import { Context, Effect, Layer } from "effect"
import type { OrganizationId, SubmissionId } from "../domain/Ids.ts"
import { candidateRef } from "../domain/Invitation.ts"
import { chosenOptions, optionText } from "../domain/OptionText.ts"
import { type Page, type PageRequest, pageOf } from "../domain/Page.ts"
import { NotFound } from "../domain/Problem.ts"
import { leading, type SubmissionDetail, type SubmissionSummary } from "../domain/SubmissionDetail.ts"
import { SubmissionDetails, type SubmissionFilter } from "../repository/SubmissionDetails.ts"
import { Links } from "./Links.ts"

export class Submissions extends Context.Service<
  Submissions,
  {
    readonly detail: (organization: OrganizationId, id: SubmissionId) => Effect.Effect<SubmissionDetail, NotFound>
    readonly list: (
      organization: OrganizationId,
      filter: SubmissionFilter,
      page: PageRequest,
    ) => Effect.Effect<Page<SubmissionSummary>>
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
          const { criteria, gaps, recommendations, score, score_status, strengths, summary } = leading(row.evaluations)
          return {
            id: row.id,
            submission_url: links.submission(row.id),
            status_text: row.status_text,
            interview_set: row.interview_set,
            candidate: candidateRef(row.candidate),
            invitation: row.invitation,
            score,
            score_status,
            summary: summary || null,
            strengths,
            gaps,
            recommendations,
            criteria,
            evaluations: row.evaluations,
            answers: row.answers.map(({ option_ids, options, ...answer }) => ({
              ...answer,
              options: chosenOptions(options, option_ids).map((option) => ({
                id: option.id,
                title: optionText(option, row.languages).title,
              })),
            })),
            cv_notes: row.cv?.notes ?? [],
            initiated_at: row.initiated_at,
            started_at: row.started_at,
            completed_at: row.completed_at,
            declined_at: row.declined_at,
            ...(row.cv?.error == null ? {} : { candidate_entry_error_message: row.cv.error }),
          }
        }),
        list: Effect.fn("Submissions.list")(function* (organization, filter, page) {
          const rows = yield* details.list(organization, filter, page)
          return pageOf("submissions", rows, page.limit, ({ position: _, ...row }) => ({
            ...row,
            submission_url: links.submission(row.id),
            candidate: candidateRef(row.candidate),
          }))
        }),
      })
    }),
  )
}
