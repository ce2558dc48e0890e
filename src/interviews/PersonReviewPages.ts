/** The candidate's page for asking for a person (pages/PersonReviewPage.ts). */
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { cleanPersonReviewText } from "../person-reviews/PersonReview.ts"
import { readForm, typed, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { type InterviewRequest, makeInterviewRoutes } from "./InterviewPages.ts"
import { Interviews } from "./Interviews.ts"
import { mayAskForPerson, PersonReviewRequests } from "./PersonReviewRequests.ts"
import { emptyPersonReview, personReviewHref, personReviewPage } from "./pages/PersonReviewPage.ts"

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { get, post, render } = yield* makeInterviewRoutes
    const interviews = yield* Interviews
    const requests = yield* PersonReviewRequests

    const show = Effect.fnUntraced(function* ({ token }: InterviewRequest) {
      const view = yield* interviews.view(token)
      const hasPage = !view.isErased && (mayAskForPerson(view.state) || view.personReview !== null)
      return hasPage ? render(personReviewPage(view, token, emptyPersonReview)) : seeOther(`/i/${token}`)
    })

    const send = Effect.fnUntraced(function* ({ http, token }: InterviewRequest) {
      // an unknown link is refused before its form is read
      yield* interviews.open(token)
      const form = yield* readForm(http)
      if (valueOf(form, "do") === "withdraw") {
        yield* requests.withdraw(token)
        return seeOther(personReviewHref(token))
      }
      const written = typed(form, "text")
      const text = cleanPersonReviewText(written)
      if (text === undefined) {
        const view = yield* interviews.view(token)
        return render(personReviewPage(view, token, { text: written, isTooLong: true }), { status: 422 })
      }
      yield* requests.ask(token, text)
      return seeOther(personReviewHref(token))
    })

    yield* router.add("GET", "/i/:token/person", get(show))
    yield* router.add("POST", "/i/:token/person", post(send))
  }),
)
