/**
 * The candidate's pages. GET changes nothing; steps are POSTs of plain forms. The script sends the same forms and gets
 * JSON.
 */
import { DateTime, Effect } from "effect"
import { HttpRouter, type HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { joinReasons } from "../accounts/Reasons.ts"
import { Config } from "../config/Config.ts"
import { Assets } from "../platform/http/Assets.ts"
import type { Document } from "../platform/http/Document.ts"
import { FormTooLarge, linesOf, readForm, typed } from "../platform/http/Forms.ts"
import { fromOwnPage, type PageOptions, pages, seeOther, wantsPage } from "../platform/http/Pages.ts"
import { linkToken, makeUnknownLink } from "../platform/http/UnknownLink.ts"
import { answersOf, attemptOf, isAnswered, textLimit } from "./AnswerForm.ts"
import { Interviews } from "./Interviews.ts"
import { type InterviewNotOpen, type InterviewView, LinkUnknown } from "./InterviewView.ts"
import { makeRedirectToLink } from "./LinkRepairPages.ts"
import { closedPage, completedPage, refusedPage, timeOverPage, tooLargePage } from "./pages/InterviewNotices.ts"
import { declinePage, invitedPage } from "./pages/InvitedPage.ts"
import { incompletePage, questionPage, reviewPage } from "./pages/RunningInterviewPage.ts"

export interface InterviewRequest {
  readonly token: string
  readonly http: HttpServerRequest.HttpServerRequest
  readonly param: (name: string) => string
}

type Handler = (
  request: InterviewRequest,
) => Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  LinkUnknown | InterviewNotOpen | FormTooLarge | HttpServerError.HttpServerError
>

type Otherwise = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  HttpServerRequest.HttpServerRequest | HttpRouter.RouteContext
>

export const reported = (body: object, status = 200): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(body, { status })

const tokenOf = linkToken(() => new LinkUnknown())

/** Errors are a page, or JSON for the script. `otherwise` answers an unknown link. */
export const makeInterviewRoutes = Effect.gen(function* () {
  const { appUrl } = yield* Config
  const unknown = yield* makeUnknownLink()
  const { href } = yield* Assets
  const interviews = yield* Interviews

  const render = (document: Document, options?: PageOptions) => pages(href)(document, options)

  const refused = Effect.fnUntraced(function* (token: string, { state }: InterviewNotOpen, asPage: boolean) {
    if (!asPage) return reported({ state }, 409)
    return render(refusedPage(yield* interviews.view(token), state, token), { status: 409 })
  })

  const tooLarge = Effect.fnUntraced(function* (token: string, asPage: boolean) {
    if (!asPage) return reported({}, 413)
    return render(tooLargePage(yield* interviews.view(token), token), { status: 413 })
  })

  const get = (handler: Handler, otherwise: Otherwise = unknown) =>
    Effect.gen(function* () {
      const token = yield* tokenOf
      const request = yield* HttpServerRequest.HttpServerRequest
      const params = yield* HttpRouter.params
      const asPage = wantsPage(request)
      return yield* handler({ token, http: request, param: (name) => params[name] ?? "" }).pipe(
        Effect.catchTags({
          InterviewNotOpen: (error) => refused(token, error, asPage),
          FormTooLarge: () => tooLarge(token, asPage),
        }),
      )
    }).pipe(Effect.catchTag("LinkUnknown", () => otherwise))
  return { render, get, post: (handler: Handler) => get(handler).pipe(fromOwnPage(appUrl)), unknown }
})

const home = (token: string) => seeOther(`/i/${token}`)

/** The first unanswered question, else the review. */
const nextStep = (view: InterviewView, token: string): string => {
  const index = view.questions.findIndex(({ id }) => !isAnswered(view.answers.get(id)))
  return index < 0 ? `/i/${token}/review` : `/i/${token}/questions/${index + 1}`
}

/** Undefined: running, with several pages. */
const pageOf = (view: InterviewView, token: string, late: boolean): Document | undefined => {
  switch (view.state) {
    case "open":
      return invitedPage(view, token)
    case "running":
      return undefined
    case "time_over":
      return timeOverPage(view, token, late)
    case "completed":
      return completedPage(view, token, late)
    default:
      return closedPage(view, view.state, token)
  }
}

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { maxBody } = yield* Config
    const interviews = yield* Interviews
    const { get, post, render, unknown } = yield* makeInterviewRoutes
    const redirectToLink = yield* makeRedirectToLink
    const showInterview = Effect.fnUntraced(function* ({ http, token }: InterviewRequest) {
      const view = yield* interviews.view(token)
      const document = pageOf(view, token, http.url.endsWith("?late"))
      return document === undefined
        ? seeOther(nextStep(view, token))
        : render(document, { playsOwnRecordings: view.state === "open" })
    })

    const showQuestion = Effect.fnUntraced(function* ({ param, http, token }: InterviewRequest) {
      const number = Number(param("number"))
      const view = yield* interviews.view(token, number)
      const question = view.questions[number - 1]
      if (view.state !== "running" || question === undefined) return home(token)
      const { searchParams } = new URL(http.url, "http://page")
      const [saved, fromReview] = [searchParams.has("saved"), searchParams.has("review")]
      const now = yield* DateTime.nowAsDate
      const takesUsed = yield* interviews.takesOf(token, question)
      const options = { token, number, now, saved, fromReview, limit: textLimit(maxBody), takesUsed }
      return render(questionPage(view, question, options))
    })

    const showReview = Effect.fnUntraced(function* ({ http, token }: InterviewRequest) {
      const view = yield* interviews.view(token)
      if (view.state !== "running") return home(token)
      const asksToSubmit = new URL(http.url, "http://page").searchParams.has("confirm")
      return render(reviewPage(view, token, yield* DateTime.nowAsDate, asksToSubmit))
    })

    const showDecline = Effect.fnUntraced(function* ({ token }: InterviewRequest) {
      const view = yield* interviews.view(token)
      const canDecline = view.state === "open" || (view.state === "running" && view.attempt === 1)
      return canDecline ? render(declinePage(view, token)) : home(token)
    })

    const reportState = Effect.fnUntraced(function* ({ token }: InterviewRequest) {
      const { answers, attempt, secondsLeft, state, submissionId } = yield* interviews.view(token)
      return reported({
        state,
        draft: `${submissionId}.${attempt}`,
        seconds_left: secondsLeft,
        answers: Object.fromEntries(
          [...answers].map(([id, { content, file, option_ids, recording, revision }]) => [
            id,
            { revision, content, option_ids, file: file?.name ?? null, transcript: recording?.transcript ?? null },
          ]),
        ),
      })
    })

    const finish = Effect.fnUntraced(function* ({ http, token }: InterviewRequest) {
      const { questions } = yield* interviews.open(token)
      const form = yield* readForm(http)
      const { answers, tooLong } = answersOf(questions, form, textLimit(maxBody))
      if (tooLong.length > 0) return yield* new FormTooLarge()
      const { isIncomplete, kept } = yield* interviews.finish(token, answers, attemptOf(form))
      if (isIncomplete) {
        const view = yield* interviews.view(token)
        return render(incompletePage(view, token, yield* DateTime.nowAsDate), { status: 422 })
      }
      return seeOther(kept ? `/i/${token}` : `/i/${token}?late`)
    })

    const link = Effect.flatMap(HttpRouter.params, (params) => redirectToLink(params["token"] ?? "", unknown))
    yield* router.add("GET", "/i/:token", get(showInterview, link))
    yield* router.add("GET", "/i/:token/questions/:number", get(showQuestion))
    yield* router.add("GET", "/i/:token/review", get(showReview))
    yield* router.add("GET", "/i/:token/decline", get(showDecline))
    yield* router.add("GET", "/i/:token/state", get(reportState))
    const initiate = ({ token }: InterviewRequest) => Effect.as(interviews.initiate(token), HttpServerResponse.empty())
    yield* router.add("POST", "/i/:token/initiated", post(initiate))
    const steps = {
      start: interviews.start,
      reopen: interviews.reopen,
      final: interviews.declareFinal,
    }
    for (const [step, perform] of Object.entries(steps)) {
      const take = ({ token }: InterviewRequest) => Effect.as(perform(token), home(token))
      yield* router.add("POST", `/i/:token/${step}`, post(take))
    }
    const decline = Effect.fnUntraced(function* ({ http, token }: InterviewRequest) {
      // an unknown link is refused before its form is read
      yield* interviews.open(token)
      const form = yield* readForm(http)
      yield* interviews.decline(token, joinReasons(typed(form, "choice"), linesOf(typed(form, "reason"))))
      return home(token)
    })
    yield* router.add("POST", "/i/:token/decline", post(decline))
    const chooseLanguage = Effect.fnUntraced(function* ({ http, token }: InterviewRequest) {
      // an unknown link is refused before its form is read
      yield* interviews.open(token)
      yield* interviews.chooseLanguage(token, typed(yield* readForm(http), "language"))
      return home(token)
    })
    yield* router.add("POST", "/i/:token/language", post(chooseLanguage))
    yield* router.add("POST", "/i/:token/finish", post(finish))
    // redirects GET requests for form addresses
    for (const step of ["start", "answers", "finish", "reopen", "final", "language"] as const) {
      const redirect = ({ token }: InterviewRequest) => Effect.succeed(home(token))
      yield* router.add("GET", `/i/:token/${step}`, get(redirect))
    }
  }),
)
