/** The candidate's page for what is needed to take part (pages/AccommodationPage.ts). */
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { readForm, typed, valuesOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { cleanAccommodationText, findNeeds } from "./Accommodation.ts"
import { Accommodations } from "./Accommodations.ts"
import { type InterviewRequest, makeInterviewRoutes } from "./InterviewPages.ts"
import { Interviews } from "./Interviews.ts"
import { accommodationPage, emptyAccommodation } from "./pages/AccommodationPage.ts"

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { get, post, render } = yield* makeInterviewRoutes
    const accommodations = yield* Accommodations
    const interviews = yield* Interviews

    const show = Effect.fnUntraced(function* ({ token }: InterviewRequest) {
      const view = yield* interviews.view(token)
      const canAsk = view.state === "open" || view.state === "running"
      return canAsk ? render(accommodationPage(view, token, emptyAccommodation)) : seeOther(`/i/${token}`)
    })

    const ask = Effect.fnUntraced(function* ({ http, token }: InterviewRequest) {
      // an unknown link is refused before its form is read
      yield* interviews.open(token)
      const form = yield* readForm(http)
      const needs = findNeeds(valuesOf(form, "need"))
      const written = typed(form, "text")
      const text = cleanAccommodationText(written)
      if (text === undefined || (text === "" && needs.every((need) => need === "other"))) {
        const error = text === undefined ? "tooLong" : "choose"
        const view = yield* interviews.view(token)
        return render(accommodationPage(view, token, { needs, text: written, error }), { status: 422 })
      }
      yield* accommodations.ask(token, { needs, text })
      return seeOther(`/i/${token}/accommodation`)
    })

    yield* router.add("GET", "/i/:token/accommodation", get(show))
    yield* router.add("POST", "/i/:token/accommodation", post(ask))
  }),
)
