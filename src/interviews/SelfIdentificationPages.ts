/** The candidate's page for an organization's voluntary questions (pages/SelfIdentificationPage.ts). */
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { readForm, typed, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { type InterviewRequest, makeInterviewRoutes } from "./InterviewPages.ts"
import { Interviews } from "./Interviews.ts"
import { selfIdentificationHref, selfIdentificationPage } from "./pages/SelfIdentificationPage.ts"
import { SelfIdentifications } from "./SelfIdentifications.ts"

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { get, post, render } = yield* makeInterviewRoutes
    const interviews = yield* Interviews
    const selfIdentifications = yield* SelfIdentifications

    const show = Effect.fnUntraced(function* ({ http, token }: InterviewRequest) {
      const answers = yield* selfIdentifications.find(token)
      const { searchParams } = new URL(http.url, "http://page")
      const isWithdrawn = searchParams.has("withdrawn") && answers.answer === undefined
      if (!answers.canAnswer && answers.answer === undefined && !isWithdrawn) return seeOther(`/i/${token}`)
      const isSaved = searchParams.has("saved") && answers.answer !== undefined
      const done = isSaved ? "saved" : isWithdrawn ? "withdrawn" : undefined
      return render(selfIdentificationPage(yield* interviews.view(token), token, answers, done))
    })

    const answer = Effect.fnUntraced(function* ({ http, token }: InterviewRequest) {
      // an unknown link is refused before its form is read
      yield* interviews.open(token)
      const form = yield* readForm(http)
      const isWithdrawal = valueOf(form, "do") === "withdraw"
      yield* isWithdrawal
        ? selfIdentifications.withdraw(token)
        : selfIdentifications.save(token, (list) => typed(form, list))
      const left = yield* selfIdentifications.find(token)
      return seeOther(`${selfIdentificationHref(token)}?${left.answer === undefined ? "withdrawn" : "saved"}`)
    })

    yield* router.add("GET", "/i/:token/voluntary-questions", get(show))
    yield* router.add("POST", "/i/:token/voluntary-questions", post(answer))
  }),
)
