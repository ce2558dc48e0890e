/**
 * The candidate's pages (contract, Candidate's interview). GET changes nothing; every step is a POST that a plain form
 * can send, answered with a redirect to the one page that shows where the candidate stands.
 */
import { Clock, Effect } from "effect"
import { HttpRouter, type HttpServerError, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { Config } from "../Config.ts"
import { type InterviewNotOpen, Interviews, type InterviewView, type LinkUnknown } from "../service/Interviews.ts"
import { decodeAnswers } from "./AnswerForm.ts"
import { Assets } from "./Assets.ts"
import { fromOwnPage, pages, seeOther } from "./Html.ts"
import type { Document } from "./pages/Document.ts"
import { invitedPage } from "./pages/InterviewInvited.ts"
import { closedPage, completedPage, refusedPage, timeOverPage, unknownLinkPage } from "./pages/InterviewNotices.ts"
import { questionsPage } from "./pages/InterviewQuestions.ts"

/** The page of where the candidate stands. */
const pageOf = (view: InterviewView, token: string, now: Date, saved: boolean): Document => {
  switch (view.state) {
    case "open":
      return invitedPage(view, token)
    case "running":
      return view.secondsLeft !== null && view.secondsLeft <= 0
        ? timeOverPage(view)
        : questionsPage(view, token, now, saved)
    case "completed":
      return completedPage(view)
    default:
      return closedPage(view, view.state)
  }
}

const token = Effect.map(HttpRouter.params, (params) => params["token"] ?? "")

/** GET /i/:token and the POSTs below it: initiated, start, answers, finish. */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { appUrl } = yield* Config
    const { href } = yield* Assets
    const interviews = yield* Interviews
    const page = pages(href)
    const unknown = () => Effect.succeed(page(unknownLinkPage, { status: 404 }))

    /** The form's answers; only what this interview asks is read. */
    const answers = Effect.fnUntraced(function* (token: string, request: HttpServerRequest.HttpServerRequest) {
      const { questions } = yield* interviews.view(token)
      return decodeAnswers(questions, new URLSearchParams(yield* request.text))
    })

    yield* router.add("GET", "/i/:token", (request) =>
      Effect.gen(function* () {
        const link = yield* token
        const view = yield* interviews.view(link)
        const now = new Date(yield* Clock.currentTimeMillis)
        return page(pageOf(view, link, now, request.url.endsWith("?saved")))
      }).pipe(Effect.catchTag("LinkUnknown", unknown)),
    )

    yield* router.add(
      "POST",
      "/i/:token/initiated",
      token.pipe(
        Effect.flatMap(interviews.initiate),
        Effect.as(HttpServerResponse.empty()),
        Effect.catchTag("LinkUnknown", unknown),
        fromOwnPage(appUrl),
      ),
    )

    /** A step whose form is answered by a redirect. Its address shows the interview, should somebody load it. */
    const step = Effect.fnUntraced(function* (
      name: "start" | "answers" | "finish",
      perform: (
        token: string,
        request: HttpServerRequest.HttpServerRequest,
      ) => Effect.Effect<
        HttpServerResponse.HttpServerResponse,
        LinkUnknown | InterviewNotOpen | HttpServerError.HttpServerError
      >,
    ) {
      yield* router.add("POST", `/i/:token/${name}`, (request) =>
        Effect.flatMap(token, (link) =>
          perform(link, request).pipe(
            Effect.catchTag("InterviewNotOpen", () =>
              Effect.map(interviews.view(link), (view) => page(refusedPage(view, link), { status: 409 })),
            ),
          ),
        ).pipe(Effect.catchTag("LinkUnknown", unknown), fromOwnPage(appUrl)),
      )
      yield* router.add(
        "GET",
        `/i/:token/${name}`,
        Effect.map(token, (link) => seeOther(`/i/${link}`)),
      )
    })

    yield* step("start", (link) => Effect.as(interviews.start(link), seeOther(`/i/${link}`)))

    yield* step("answers", (link, request) =>
      Effect.gen(function* () {
        yield* interviews.save(link, yield* answers(link, request))
        // the script asks for no page
        const saved = `/i/${link}?saved`
        return request.headers["accept"]?.includes("text/html") ? seeOther(saved) : HttpServerResponse.empty()
      }),
    )

    yield* step("finish", (link, request) =>
      Effect.gen(function* () {
        yield* interviews.finish(link, yield* answers(link, request))
        return seeOther(`/i/${link}`)
      }),
    )
  }),
)
