/** A candidate reads the result, and sends corrections and remarks about it. */
import { Context, Effect, Layer } from "effect"
import { AuditLog } from "../accounts/AuditLog.ts"
import { renderCandidateRemark } from "../accounts/members/MemberEmail.ts"
import { Notifications } from "../accounts/members/Notifications.ts"
import { operator } from "../accounts/Viewer.ts"
import { EmailLinks } from "../emails/EmailLinks.ts"
import type { RemarkKind } from "../person-reviews/CandidateRemark.ts"
import { ResultRepository } from "../person-reviews/ResultRepository.ts"
import { Database } from "../platform/database/Database.ts"
import { Ids } from "../platform/NewIds.ts"
import { CandidateRemarkId } from "../values/Ids.ts"
import { InterviewRepository } from "./InterviewRepository.ts"
import { InterviewNotOpen, makeOpenInterview, stateOf } from "./InterviewView.ts"

export class CandidateResults extends Context.Service<CandidateResults>()(
  "interview-invitations/interviews/CandidateResults",
  {
    make: Effect.gen(function* () {
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database
      const emailLinks = yield* EmailLinks
      const ids = yield* Ids
      const notifications = yield* Notifications
      const { lockPerson } = yield* InterviewRepository
      const openInterview = yield* makeOpenInterview
      const repository = yield* ResultRepository

      /** Undefined: the page is not open. */
      const find = Effect.fn("CandidateResults.find")(function* (token: string) {
        const { organization_id, submission_id } = yield* openInterview(token)
        return yield* repository.find(organization_id, submission_id)
      })

      /** Members get an email. False: no more can be sent. Fails while the page is not open. */
      const send = Effect.fn("CandidateResults.send")(function* (
        token: string,
        remark: { readonly kind: RemarkKind; readonly text: string },
      ) {
        const row = yield* openInterview(token)
        const { organization_id, submission_id } = row
        if (!row.has_result || !(yield* lockPerson(organization_id, submission_id)))
          return yield* new InterviewNotOpen({ state: stateOf(row) })
        const id = yield* ids.make(CandidateRemarkId)
        if (!(yield* repository.addRemark(organization_id, submission_id, { id, ...remark }))) return false
        const { kind } = remark
        yield* auditLog.note(operator(organization_id), "submission", "candidate_remark", submission_id, { kind })
        yield* notifications.notify(
          organization_id,
          "candidate_remark",
          yield* repository.recipients(organization_id, submission_id),
          { kind: "remarks", submissions: [submission_id] },
          (unsubscribeUrl) =>
            renderCandidateRemark(kind)({
              organization: row.organization_name,
              interview: row.interview_name,
              url: emailLinks.submission(submission_id),
              unsubscribeUrl,
            }),
        )
        return true
      }, transaction)

      return { find, send }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
