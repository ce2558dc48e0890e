/** The candidate's page with the result (pages/ResultPage.ts). */
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { cleanRemark, findRemarkKind } from "../person-reviews/CandidateRemark.ts"
import { readForm, typed, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { CandidateResults } from "./CandidateResults.ts"
import { type InterviewRequest, makeInterviewRoutes } from "./InterviewPages.ts"
import { Interviews } from "./Interviews.ts"
import { emptyRemark, type RemarkForm, resultHref, resultPage } from "./pages/ResultPage.ts"

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { get, post, render } = yield* makeInterviewRoutes
    const interviews = yield* Interviews
    const results = yield* CandidateResults

    const page = Effect.fnUntraced(function* (token: string, form: RemarkForm, status = 200) {
      const result = yield* results.find(token)
      return result === undefined
        ? seeOther(`/i/${token}`)
        : render(resultPage(yield* interviews.view(token), token, result, form), { status })
    })

    const show = ({ http, token }: InterviewRequest) => {
      const isSent = new URL(http.url, "http://page").searchParams.has("sent")
      return page(token, { ...emptyRemark, isSent })
    }

    const send = Effect.fnUntraced(function* ({ http, token }: InterviewRequest) {
      // an unknown link is refused before its form is read
      yield* interviews.open(token)
      const form = yield* readForm(http)
      const written = typed(form, "text")
      const kind = findRemarkKind(valueOf(form, "kind")) ?? "remark"
      const text = cleanRemark(written)
      const again = (error: RemarkForm["error"]) => page(token, { kind, text: written, error, isSent: false }, 422)
      if (text === undefined || text === "") return yield* again(text === undefined ? "tooLong" : "empty")
      return (yield* results.send(token, { kind, text })) ? seeOther(`${resultHref(token)}?sent`) : yield* again("full")
    })

    yield* router.add("GET", "/i/:token/result", get(show))
    yield* router.add("POST", "/i/:token/result", post(send))
  }),
)
