/**
 * The pages of share links, for people without an account. The first visit shows a form that asks who reads: a program that
 * follows the link, such as the preview of a chat, sees no personal data and is not noted.
 */
import { DateTime, Duration, Effect, Redacted } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { operator } from "../accounts/Viewer.ts"
import { queryOf } from "../accounts/Workspace.ts"
import { Config } from "../config/Config.ts"
import { cvFileName, download, isViewable, view } from "../files/Download.ts"
import { Assets } from "../platform/http/Assets.ts"
import { clientAddress } from "../platform/http/ClientAddress.ts"
import { type FieldErrors, fieldErrors } from "../platform/http/FormControls.ts"
import { readPublicForm, retryLater, typed } from "../platform/http/Forms.ts"
import { onlyFromOwnPage, pages, seeOther } from "../platform/http/Pages.ts"
import { Throttle } from "../platform/http/Throttle.ts"
import { linkToken, makeUnknownLink } from "../platform/http/UnknownLink.ts"
import type { SubmissionRecording } from "../submissions/SubmissionRepository.ts"
import { type OpenFile, Submissions } from "../submissions/Submissions.ts"
import type { OrganizationId } from "../values/Ids.ts"
import { CommentId, FormId } from "../values/Ids.ts"
import { NotFound } from "../values/Problem.ts"
import { type GuestIdentity, linkDays } from "./GuestLink.ts"
import type { GuestLink } from "./GuestLinkRepository.ts"
import { GuestLinks, type SharedFile } from "./GuestLinks.ts"
import {
  closedSharedPage,
  crowdedSharedPage,
  openSharedPage,
  sharedHref,
  sharedSubmissionPage,
  unknownSharedPage,
} from "./pages/SharedPage.ts"
import { type PageState, viewOf } from "./pages/SubmissionView.ts"
import { makeRecordingResponses } from "./RecordingResponses.ts"
import { readReview, reviewLabels } from "./ReviewPages.ts"
import { nothingElse } from "./SubmissionOverviews.ts"
import { requirementOf } from "./SubmissionPages.ts"

type Request = HttpServerRequest.HttpServerRequest

const tokenOf = linkToken(() => new NotFound({ record: "link" }))

/** A day longer than any link works. */
const maxCookieAge = Duration.days(Math.max(...linkDays) + 1)

/** The cookie of a reader, for the addresses of one link. */
const readerCookie = Effect.map(Config, ({ appUrl }) => {
  const secure = new URL(appUrl).protocol === "https:"
  const name = secure ? "__Secure-reader" : "reader"
  return {
    read: ({ cookies }: Request): Redacted.Redacted | undefined => {
      const value = cookies[name]
      return value === undefined ? undefined : Redacted.make(value)
    },
    set: (response: HttpServerResponse.HttpServerResponse, path: string, value: Redacted.Redacted) =>
      HttpServerResponse.setCookieUnsafe(response, name, Redacted.value(value), {
        httpOnly: true,
        secure,
        sameSite: "lax",
        path,
        maxAge: maxCookieAge,
      }),
  }
})

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { href } = yield* Assets
    const { appUrl } = yield* Config
    const cookie = yield* readerCookie
    const guestLinks = yield* GuestLinks
    const { captionsOf, play } = yield* makeRecordingResponses
    const submissions = yield* Submissions
    const throttle = yield* Throttle
    const unknown = yield* makeUnknownLink(() => unknownSharedPage)
    const page = pages(href)

    type Handler<E, R> = (
      link: GuestLink,
      token: string,
      request: Request,
    ) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

    /** Answers links that this service has not made with 404, and those that no longer work with 410, for every browser. */
    const forLink = <E, R>(handler: Handler<E, R>) =>
      Effect.gen(function* () {
        const token = yield* tokenOf
        const link = yield* guestLinks.find(token)
        if (!link.is_open) return page(closedSharedPage(link), { status: 410 })
        return yield* handler(link, token, yield* HttpServerRequest.HttpServerRequest)
      }).pipe(
        Effect.catchIf(
          (error): error is NotFound => error instanceof NotFound,
          () => unknown,
        ),
        throttle.link,
      )

    const ask = (link: GuestLink, token: string, typedSoFar: GuestIdentity, errors: FieldErrors, status: number) =>
      page(openSharedPage(link, token, { ...typedSoFar, errors }), { status })

    const render = Effect.fnUntraced(function* (
      link: GuestLink,
      token: string,
      request: Request,
      state: PageState,
      status = 200,
    ) {
      const shared = yield* guestLinks.read(link, cookie.read(request))
      if (shared === undefined) return ask(link, token, { name: "", email: "" }, {}, 200)
      const { detail, facts, guest, own } = shared
      const overview = {
        ...nothingElse,
        detail,
        facts,
        reviews: { own, others: [], hidden: [], colleagues: [] },
        around: undefined,
      }
      const submission = viewOf(overview, state, {
        audience: "guest",
        base: sharedHref(token),
        now: yield* DateTime.nowAsDate,
        resend: FormId.make(link.id),
        newLink: link.id,
        isTest: false,
        newComment: CommentId.make(link.id),
        readBy: undefined,
        timeZone: link.time_zone,
        seesScores: !link.may_review,
      })
      return page(sharedSubmissionPage(link, guest, submission), { status, framesFiles: true })
    })

    const show = forLink((link, token, request) => {
      const query = queryOf(request)
      const notice =
        query.get("done") === "reviewed" ? { text: "Your review was sent. Thank you.", isError: false } : undefined
      return render(link, token, request, {
        type: query.get("evaluation") ?? undefined,
        requirement: requirementOf(query.get("requirement") ?? undefined),
        notice,
      })
    })

    const open = forLink(
      Effect.fnUntraced(function* (link, token, request) {
        const form = yield* readPublicForm(request)
        const guest = { name: typed(form, "name"), email: typed(form, "email") }
        return yield* guestLinks
          .open(link, guest, { client: clientAddress(request), session: cookie.read(request) })
          .pipe(
            Effect.map((session) => cookie.set(seeOther(sharedHref(token)), sharedHref(token), session)),
            Effect.catchTags({
              TooManyAttempts: ({ seconds }) =>
                Effect.succeed(retryLater(page(crowdedSharedPage(link), { status: 429 }), seconds)),
              Invalid: ({ errors }) =>
                Effect.succeed(
                  ask(link, token, guest, fieldErrors(errors, { name: "Your name", email: "Your address" }), 422),
                ),
            }),
          )
      }),
    )

    const review = forLink(
      Effect.fnUntraced(function* (link, token, request) {
        const { changes, chosen, note, ratings } = readReview(yield* readPublicForm(request))
        const session = cookie.read(request)
        const given = { ratings: chosen, note, mentioned: [], errors: {}, isConflict: false }
        return yield* guestLinks.review(link, session, { ratings, note, changes }).pipe(
          Effect.as(seeOther(`${sharedHref(token)}?done=reviewed`)),
          Effect.catchTags({
            Conflict: ({ reason }) =>
              render(
                link,
                token,
                request,
                {
                  review: { ...given, isConflict: true },
                  notice: { text: `Your review was not saved: ${reason}.`, isError: true },
                },
                409,
              ),
            Invalid: ({ errors }) =>
              render(link, token, request, { review: { ...given, errors: fieldErrors(errors, reviewLabels) } }, 422),
          }),
        )
      }),
    )

    const send = Effect.fnUntraced(function* (
      link: GuestLink,
      token: string,
      request: Request,
      kind: SharedFile,
      file: OpenFile,
      name: string,
    ) {
      const isKnown = yield* guestLinks.readFile(link, cookie.read(request), kind)
      if (!isKnown) return seeOther(sharedHref(token))
      const sent = { content: file.content, name, type: file.type ?? "application/octet-stream" }
      return queryOf(request).has("show") && isViewable(file.type) ? view(sent) : download(sent)
    })

    const cvFile = forLink(
      Effect.fnUntraced(function* (link, token, request) {
        const file = yield* submissions.cvFile(operator(link.organization_id), link.submission_id)
        return yield* send(link, token, request, "CV", file, file.name ?? cvFileName(file.type))
      }),
    )

    const answerFile = forLink(
      Effect.fnUntraced(function* (link, token, request) {
        const { attempt = "", question = "" } = yield* HttpRouter.params
        const file = yield* submissions.answerFile(
          operator(link.organization_id),
          link.submission_id,
          attempt,
          question,
        )
        return yield* send(link, token, request, "answer", file, file.name ?? "file")
      }),
    )

    const withRecording = (
      file: "recording" | "transcript",
      answer: (
        request: Request,
        organization: OrganizationId,
        recording: SubmissionRecording,
      ) => HttpServerResponse.HttpServerResponse,
    ) =>
      forLink(
        Effect.fnUntraced(function* (link, token, request) {
          const { recording = "" } = yield* HttpRouter.params
          const found = yield* submissions.recording(operator(link.organization_id), link.submission_id, recording)
          const session = cookie.read(request)
          const isKnown = yield* guestLinks.readRecording(link, session, found.id, file)
          return isKnown ? answer(request, link.organization_id, found) : seeOther(sharedHref(token))
        }),
      )

    const tooLarge = Effect.succeed(
      HttpServerResponse.text("The form is too large. Go back, shorten it and send it again.", { status: 413 }),
    )

    yield* router.add("GET", "/shared/:token", show)
    yield* router.add(
      "POST",
      "/shared/:token",
      open.pipe(
        Effect.catchTag("FormTooLarge", () => tooLarge),
        onlyFromOwnPage(appUrl),
        throttle.publicForm,
      ),
    )
    yield* router.add(
      "POST",
      "/shared/:token/review",
      review.pipe(
        Effect.catchTag("FormTooLarge", () => tooLarge),
        onlyFromOwnPage(appUrl),
        throttle.publicForm,
      ),
    )
    yield* router.add(
      "GET",
      "/shared/:token/review",
      Effect.map(HttpRouter.params, ({ token = "" }) => seeOther(sharedHref(encodeURIComponent(token)))),
    )
    yield* router.add("GET", "/shared/:token/cv", cvFile)
    yield* router.add("GET", "/shared/:token/files/:attempt/:question", answerFile)
    yield* router.add("GET", "/shared/:token/recordings/:recording", withRecording("recording", play))
    yield* router.add(
      "GET",
      "/shared/:token/recordings/:recording/captions",
      withRecording("transcript", (_, _organization, recording) => captionsOf(recording)),
    )
  }),
)
