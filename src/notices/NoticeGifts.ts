/** Gives notices to invited candidates, and says from when their interviews and CVs may be rated. */
import { Context, Effect, Layer } from "effect"
import { UsedEvaluator } from "../evaluations/UsedEvaluator.ts"
import { Ids } from "../platform/NewIds.ts"
import { type InterviewSetId, NoticeVersionId, type OrganizationId, type SubmissionId } from "../values/Ids.ts"
import { applies, firstDateOfUse, type OpenPeriod } from "./Notice.ts"
import { contentHash, contentOf, type NoticeFacts, ratedRequirements } from "./NoticeContent.ts"
import { type Notice, NoticeRepository, type NoticeSubject } from "./NoticeRepository.ts"

export const factsOf = ({ kept, requirements, set_type, spoken_kinds, title }: NoticeSubject): NoticeFacts => ({
  interview: title,
  is_cv_only: set_type === 2,
  is_spoken: spoken_kinds.length > 0,
  requirements: ratedRequirements(requirements),
  kept,
})

export class NoticeGifts extends Context.Service<NoticeGifts>()("interview-invitations/notices/NoticeGifts", {
  make: Effect.gen(function* () {
    const evaluator = yield* UsedEvaluator
    const ids = yield* Ids
    const repository = yield* NoticeRepository

    /** The notices that candidates of the set get. */
    const applicable = Effect.fnUntraced(function* (organization: OrganizationId, set: InterviewSetId) {
      const notices = yield* repository.list(organization)
      const subject = notices.length === 0 ? undefined : yield* repository.subject(organization, set)
      if (subject === undefined) return undefined
      const applying = notices.filter((notice) => applies(notice, subject))
      return applying.length === 0 ? undefined : { subject, notices: applying }
    })

    const openPeriods = (notices: ReadonlyArray<Notice>, today: string): ReadonlyArray<OpenPeriod> =>
      notices.flatMap((notice) => {
        const over = firstDateOfUse(notice, today)
        const { days, meanwhile, place } = notice
        return over === undefined || over <= today ? [] : [{ place, days, meanwhile, over_on: over }]
      })

    /** What candidates who are invited to the set now would get. Changes nothing. */
    const preview = Effect.fn("NoticeGifts.preview")(function* (organization: OrganizationId, set: InterviewSetId) {
      const found = yield* applicable(organization, set)
      return {
        hasNotice: found !== undefined,
        periods: found === undefined ? [] : openPeriods(found.notices, found.subject.today),
      }
    })

    /** In the transaction of the invite. Returns the periods that are not over. */
    const give = Effect.fn("NoticeGifts.give")(function* (
      organization: OrganizationId,
      set: InterviewSetId,
      submissions: ReadonlyArray<SubmissionId>,
    ) {
      const found = yield* applicable(organization, set)
      if (found === undefined) return []
      const { notices, subject } = found
      const facts = factsOf(subject)
      const versions = yield* Effect.forEach(notices, (notice) =>
        Effect.gen(function* () {
          const content = contentOf(notice, facts, evaluator)
          const version = {
            id: yield* ids.make(NoticeVersionId),
            notice: notice.id,
            set: subject.id,
            content,
            hash: contentHash(content),
          }
          return {
            notice_id: notice.id,
            notice_version_id: yield* repository.versionOf(organization, version),
            over_on: firstDateOfUse(notice, subject.today) ?? null,
            waits: notice.meanwhile === "wait",
          }
        }),
      )
      yield* repository.give(organization, versions, submissions)
      return openPeriods(notices, subject.today)
    })

    return { give, preview }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
