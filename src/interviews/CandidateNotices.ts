/** A candidate reads the notices that came with the invitation. */
import { Context, Effect, Layer } from "effect"
import { NoticeRepository } from "../notices/NoticeRepository.ts"
import { makeOpenInterview } from "./InterviewView.ts"

export class CandidateNotices extends Context.Service<CandidateNotices>()(
  "interview-invitations/interviews/CandidateNotices",
  {
    make: Effect.gen(function* () {
      const openInterview = yield* makeOpenInterview
      const repository = yield* NoticeRepository

      /** In the order of giving. */
      const find = Effect.fn("CandidateNotices.find")(function* (token: string) {
        const { organization_id, submission_id } = yield* openInterview(token)
        return yield* repository.given(organization_id, submission_id)
      })

      return { find }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
