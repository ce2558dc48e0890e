/** Members have a failed CV fetched again, from the same link or from another one. */
import { Context, Effect, Layer } from "effect"
import { AuditLog } from "../accounts/AuditLog.ts"
import type { Viewer } from "../accounts/Viewer.ts"
import { Config } from "../config/Config.ts"
import { Database } from "../platform/database/Database.ts"
import { Ids } from "../platform/NewIds.ts"
import { SubmissionRepository } from "../submissions/SubmissionRepository.ts"
import { Submissions } from "../submissions/Submissions.ts"
import { CvId, type SubmissionId } from "../values/Ids.ts"
import { checkUrl } from "../values/OutboundAddress.ts"
import { Conflict, invalid, NotFound } from "../values/Problem.ts"
import { CvRepository } from "./CvRepository.ts"

export class CvCorrections extends Context.Service<CvCorrections>()("interview-invitations/cv/CvCorrections", {
  make: Effect.gen(function* () {
    const auditLog = yield* AuditLog
    const { outboundAllow } = yield* Config
    const cvRepository = yield* CvRepository
    const { transaction } = yield* Database
    const ids = yield* Ids
    const submissionRepository = yield* SubmissionRepository
    const submissions = yield* Submissions

    /** The newest CV, locked, if it may be fetched again. Fails with Conflict if it was read, or the person was erased. */
    const correctable = Effect.fnUntraced(function* (viewer: Viewer, submission: SubmissionId) {
      const found = yield* cvRepository.lockNewest(viewer.organizationId, submission)
      if (found === undefined) return yield* new NotFound({ record: "submission" })
      if (found.is_erased) return yield* new Conflict({ reason: "the candidate's data was erased" })
      if (found.link === null) return yield* new Conflict({ reason: "no CV was provided" })
      if (found.state === "read") return yield* new Conflict({ reason: "the CV has been read" })
      return { link: found.link, isQueued: found.state === "queued" }
    })

    const queue = Effect.fnUntraced(function* (viewer: Viewer, submission_id: SubmissionId, link: string) {
      const id = yield* ids.make(CvId)
      yield* submissionRepository.queueCvs(viewer.organizationId, [{ id, submission_id, link }])
    })

    /** Returns the submission. Does nothing while the CV is being fetched. */
    const retry = Effect.fn("CvCorrections.retry")(function* (viewer: Viewer, text: string) {
      const submission = yield* submissions.require(viewer, text)
      const { isQueued, link } = yield* correctable(viewer, submission)
      if (isQueued) return submission
      yield* queue(viewer, submission, link)
      yield* auditLog.note(viewer, "submission", "retry_cv", submission)
      return submission
    }, transaction)

    /** The link is checked as in an invite. Fails with Conflict while another link is being fetched. */
    const replaceLink = Effect.fn("CvCorrections.replaceLink")(function* (viewer: Viewer, text: string, typed: string) {
      const submission = yield* submissions.require(viewer, text)
      const link = typed.trim()
      if (link === "") return yield* invalid("#/cv_link", "required", "must not be blank")
      yield* Effect.mapError(Effect.fromResult(checkUrl(link, outboundAllow)), ({ reason }) =>
        invalid("#/cv_link", "refused_url", reason),
      )
      const before = yield* correctable(viewer, submission)
      if (before.isQueued) {
        if (before.link === link) return submission
        return yield* new Conflict({ reason: "the CV is being fetched: replace the link if that fails" })
      }
      yield* queue(viewer, submission, link)
      // without the links, which may contain the candidate's name
      yield* auditLog.note(viewer, "submission", "replace_cv_link", submission)
      return submission
    }, transaction)

    return { retry, replaceLink }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make).pipe(Layer.provide([Submissions.layer]))
}
