/** The candidate's page with the notices that came with the invitation (pages/CandidateNoticePage.ts). */
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { seeOther } from "../platform/http/Pages.ts"
import { CandidateNotices } from "./CandidateNotices.ts"
import { type InterviewRequest, makeInterviewRoutes } from "./InterviewPages.ts"
import { Interviews } from "./Interviews.ts"
import { candidateNoticePage } from "./pages/CandidateNoticePage.ts"

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { get, render } = yield* makeInterviewRoutes
    const interviews = yield* Interviews
    const candidateNotices = yield* CandidateNotices

    const show = Effect.fnUntraced(function* ({ token }: InterviewRequest) {
      const given = yield* candidateNotices.find(token)
      if (given.length === 0) return seeOther(`/i/${token}`)
      return render(candidateNoticePage(yield* interviews.view(token), token, given))
    })

    yield* router.add("GET", "/i/:token/notice", get(show))
  }),
)
