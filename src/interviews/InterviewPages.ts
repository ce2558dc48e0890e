/**
 * The candidate's pages (contract, Candidate's interview). GET changes nothing; every step is a POST that a plain form
 * can send, answered with a redirect to a page that shows where the candidate stands. The script sends the same forms and
 * asks for JSON.
 */
import { Clock, Effect } from "effect"
import { HttpRouter, type HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Config } from "../config/Config.ts"
import { Assets } from "../platform/http/Assets.ts"
import type { Document } from "../platform/http/Document.ts"
import { FormTooLarge, readForm } from "../platform/http/Forms.ts"
import { fromOwnPage, pages, seeOther, wantsPage } from "../platform/http/Pages.ts"
import { linkToken, makeUnknownLink } from "../platform/http/UnknownLink.ts"
import { answersOf, attemptOf, isAnswered, textLimit } from "./AnswerForm.ts"
import { Interviews } from "./Interviews.ts"
import { type InterviewNotOpen, type InterviewView, LinkUnknown } from "./InterviewView.ts"
import { makeWholeLink } from "./LinkRemainderPages.ts"
import { declinePage, invitedPage } from "./pages/InterviewInvited.ts"
import { closedPage, completedPage, refusedPage, timeOverPage, tooLargePage } from "./pages/InterviewNotices.ts"
import { questionPage } from "./pages/InterviewQuestions.ts"
import { reviewPage } from "./pages/InterviewReview.ts"

/** Where a running interview goes on: at the first question without an answer, else at the review. */
const nextStep = (view: InterviewView, token: string): string => {
  const index = view.questions.findIndex(({ id }) => !isAnswered(view.answers.get(id)))
  return index < 0 ? `/i/${token}/review` : `/i/${token}/questions/${index + 1}`
}

/** The page of where the candidate stands; a running interview has pages of its own. */
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

/** An answer to the page's script, as JSON. */
export const told = (body: object, status = 200): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(body, { status })

type Handler = (
  token: string,
  request: HttpServerRequest.HttpServerRequest,
) => Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  LinkUnknown | InterviewNotOpen | FormTooLarge | HttpServerError.HttpServerError
>

type Otherwise = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  HttpServerRequest.HttpServerRequest | HttpRouter.RouteContext
>

const token = linkToken(() => new LinkUnknown())

/** Makes handlers of the candidate's steps, which answer a step's errors with pages or with JSON. */
export const makeStep = Effect.gen(function* () {
  const { appUrl } = yield* Config
  const { href } = yield* Assets
  const interviews = yield* Interviews
  const page = pages(href)
  const unknown = yield* makeUnknownLink
  /** `otherwise` is the answer to a link that this service did not make. */
  const step = (handler: Handler, otherwise: Otherwise = unknown) =>
    Effect.gen(function* () {
      const link = yield* token
      const request = yield* HttpServerRequest.HttpServerRequest
      const asPage = wantsPage(request)
      return yield* handler(link, request).pipe(
        Effect.catchTag("InterviewNotOpen", ({ state }) =>
          asPage
            ? Effect.map(interviews.view(link), (view) => page(refusedPage(view, state, link), { status: 409 }))
            : Effect.succeed(told({ state }, 409)),
        ),
        Effect.catchTag("FormTooLarge", () =>
          asPage
            ? Effect.map(interviews.view(link), (view) => page(tooLargePage(view, link), { status: 413 }))
            : Effect.succeed(told({}, 413)),
        ),
      )
    }).pipe(Effect.catchTag("LinkUnknown", () => otherwise))
  return { page, step, unknown, post: (handler: Handler) => step(handler).pipe(fromOwnPage(appUrl)) }
})

/** GET of the pages under /i/:token, and the POSTs of its steps; answers have their own (interviews/InterviewAnswerPages.ts). */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { maxBody } = yield* Config
    const interviews = yield* Interviews
    const { page, post, step, unknown } = yield* makeStep
    const wholeLink = yield* makeWholeLink
    const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))
    const home = (link: string) => seeOther(`/i/${link}`)

    yield* router.add(
      "GET",
      "/i/:token",
      step(
        (link, request) =>
          Effect.map(interviews.view(link), (view) => {
            const document = pageOf(view, link, request.url.endsWith("?late"))
            return document === undefined ? seeOther(nextStep(view, link)) : page(document)
          }),
        Effect.flatMap(HttpRouter.params, (params) => wholeLink(params["token"] ?? "", unknown)),
      ),
    )

    /** A page of a running interview; of any other, it is the one that shows where the candidate stands. */
    const running = (
      show: (view: InterviewView, link: string, at: Date, request: string) => Document | undefined,
      number?: number,
    ) =>
      step((link, request) =>
        Effect.gen(function* () {
          const view = yield* interviews.view(link, number)
          const document = view.state === "running" ? show(view, link, yield* now, request.url) : undefined
          return document === undefined ? home(link) : page(document)
        }),
      )

    yield* router.add(
      "GET",
      "/i/:token/questions/:number",
      Effect.flatMap(HttpRouter.params, ({ number }) =>
        running((view, token, at, url) => {
          const question = view.questions[Number(number) - 1]
          const { searchParams } = new URL(url, "http://page")
          const [saved, fromReview] = [searchParams.has("saved"), searchParams.has("review")]
          const options = { token, number: Number(number), now: at, saved, fromReview }
          return question && questionPage(view, question, { ...options, limit: textLimit(maxBody) })
        }, Number(number)),
      ),
    )
    yield* router.add("GET", "/i/:token/review", running(reviewPage))

    /** What is saved by now, for the script. */
    yield* router.add(
      "GET",
      "/i/:token/state",
      step((link) =>
        Effect.map(interviews.view(link), ({ answers, attempt, secondsLeft, state, submissionId }) =>
          told({
            state,
            draft: `${submissionId}.${attempt}`,
            seconds_left: secondsLeft,
            answers: Object.fromEntries(
              [...answers].map(([id, { content, file, option_ids, revision }]) => [
                id,
                { revision, content, option_ids, file: file?.name ?? null },
              ]),
            ),
          }),
        ),
      ),
    )

    yield* router.add(
      "GET",
      "/i/:token/decline",
      step((link) =>
        Effect.map(interviews.view(link), (view) =>
          view.state === "open" || (view.state === "running" && view.attempt === 1)
            ? page(declinePage(view, link))
            : home(link),
        ),
      ),
    )

    yield* router.add(
      "POST",
      "/i/:token/initiated",
      post((link) => Effect.as(interviews.initiate(link), HttpServerResponse.empty())),
    )

    for (const name of ["start", "reopen", "final", "decline"] as const) {
      yield* router.add(
        "POST",
        `/i/:token/${name}`,
        post((link) => Effect.as(interviews[name](link), home(link))),
      )
    }

    yield* router.add(
      "POST",
      "/i/:token/finish",
      post((link, request) =>
        Effect.gen(function* () {
          const { questions } = yield* interviews.open(link)
          const form = yield* readForm(request)
          const { answers, tooLong } = answersOf(questions, form, textLimit(maxBody))
          if (tooLong.length > 0) return yield* new FormTooLarge()
          const { kept } = yield* interviews.finish(link, answers, attemptOf(form))
          return seeOther(kept ? `/i/${link}` : `/i/${link}?late`)
        }),
      ),
    )

    // A GET of a step's address redirects to the interview.
    for (const name of ["start", "answers", "finish", "reopen", "final"]) {
      yield* router.add(
        "GET",
        `/i/:token/${name}`,
        step((link) => Effect.succeed(home(link))),
      )
    }
  }),
)
