/** The page about a submission, its files, and the forms of scores. */
import { DateTime, Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { may } from "../accounts/Permissions.ts"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { cvFileName, download, isViewable, view } from "../files/Download.ts"
import { Assets } from "../platform/http/Assets.ts"
import { named, numberOf, readForm, valueOf } from "../platform/http/Forms.ts"
import { pages, seeOther } from "../platform/http/Pages.ts"
import { Ids } from "../platform/NewIds.ts"
import { type OpenFile, Submissions } from "../submissions/Submissions.ts"
import { CommentId, FormId, GuestLinkId } from "../values/Ids.ts"
import { Overrides } from "./Overrides.ts"
import { submissionPage } from "./pages/SubmissionPage.ts"
import {
  type FoldedPartName,
  isEvaluationType,
  type PageState,
  submissionHref,
  viewOf,
} from "./pages/SubmissionView.ts"
import { timelinePage } from "./pages/Timeline.ts"
import { makeRecordingResponses } from "./RecordingResponses.ts"
import { SubmissionOverviews } from "./SubmissionOverviews.ts"

/** By the query parameter `done`. */
const notices: Readonly<Record<string, string>> = {
  saved: "The override was saved.",
  withdrawn: "The override was removed.",
  queued: "The submission is being evaluated again.",
  decided: "The decision was saved. The candidate was not notified.",
  cleared: "The decision was cleared.",
  undone: "The last decision was undone.",
  written: "The email to the candidate is waiting, and can be undone until it leaves.",
  unwritten: "The email to the candidate was undone. It is not sent.",
  draft: "Your draft was saved. Only you can see it.",
  reviewed: "Your review was sent.",
  assigned: "The colleague was asked for a review.",
  commented: "The comment was saved.",
  uncommented: "The comment was deleted.",
  tagged: "The tag was added.",
  untagged: "The tag was removed.",
  shared: "The link was created. Copy its address and send it to the reader.",
  revoked: "The link was revoked. It opens nothing any more.",
  unassigned: "The colleague is no longer asked for a review.",
  resent: "The invitation is being sent again with the same link.",
  corrected: "The address was corrected. The invitation is being sent to it, with the same link.",
  cancelled: "The invitation was cancelled.",
  acted: "The scripted candidate has done it.",
  extended: "Saved. The candidate gets an email about it, unless the address has unsubscribed.",
  running: "Saved. The clock on the candidate's open page gets the added time within half a minute. No email is sent.",
  restored:
    "The extra time was removed. The candidate gets no email about this: if they know about the extra time, tell them.",
}

/** The folded part that a notice is about, by the query parameter `done`: it is open. */
const openedParts: Readonly<Record<string, FoldedPartName>> = {
  assigned: "reviewers",
  unassigned: "reviewers",
  // the notice has the address of a new link
  revoked: "share",
  resent: "invitation",
  corrected: "invitation",
  cancelled: "invitation",
  acted: "invitation",
  extended: "invitation",
  running: "invitation",
  restored: "invitation",
}

const scoreOf = (text: string): number => {
  const trimmed = text.trim().replace(",", ".")
  return /^\d{1,3}(\.\d{1,6})?$/.test(trimmed) ? Number(trimmed) : Number.NaN
}

/** The number of a requirement on the page. */
export const requirementOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^[1-9]\d{0,2}$/.test(text) ? Number(text) : undefined

/** Redirects / to the home. `npm start` has another page at /. */
export const front = HttpRouter.use((router) => router.add("GET", "/", Effect.succeed(seeOther("/home"))))

/** The query string of the list that the member came from. */
const listOf = ({ query }: WorkspaceRequest): string | undefined => query("list")?.slice(0, 2000)

/** Returns to the page of the submission after a form. */
export const toPage = (
  request: WorkspaceRequest,
  submission: string,
  parameters: { readonly done?: string; readonly evaluation?: string },
) => seeOther(submissionHref(submission, { ...parameters, list: listOf(request) }))

const makeViewFor = Effect.gen(function* () {
  const ids = yield* Ids
  const submissionOverviews = yield* SubmissionOverviews
  return Effect.fnUntraced(function* (request: WorkspaceRequest, submission: string, state: PageState) {
    const { member } = request
    const about = request.query("about")
    const overview = yield* submissionOverviews.read(member, submission, {
      list: listOf(request),
      about,
      before: state.before,
      commentPage: numberOf(request.query("comments")),
    })
    return viewOf(
      overview,
      { about, ...state },
      {
        audience: may(member, "readSubmissions") ? "recruiting" : "reviewer",
        base: submissionHref(overview.detail.id),
        now: yield* DateTime.nowAsDate,
        resend: yield* ids.make(FormId),
        newLink: yield* ids.make(GuestLinkId),
        isTest: member.isTest === true,
        newComment: yield* ids.make(CommentId),
        readBy: member.id,
        timeZone: member.timeZone,
        seesScores: member.seesScores,
      },
    )
  })
})

export const makeRenderSubmission = Effect.gen(function* () {
  const { href } = yield* Assets
  const viewFor = yield* makeViewFor
  return Effect.fnUntraced(function* (request: WorkspaceRequest, submission: string, state: PageState, status = 200) {
    const shown = submissionPage(request.member, yield* viewFor(request, submission, state))
    return pages(href)(shown, { status, framesFiles: true })
  })
})

const send = ({ query }: WorkspaceRequest, { content, type }: OpenFile, name: string) => {
  const file = { content, name, type: type ?? "application/octet-stream" }
  return query("show") !== undefined && isViewable(type) ? view(file) : download(file)
}

/** Redirects GET requests for form addresses. */
export const toSubmission = ({ param }: WorkspaceRequest) => submissionHref(param("id"))

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action, get, page } = yield* makeWorkspace
    const renderSubmission = yield* makeRenderSubmission
    const viewFor = yield* makeViewFor

    const overrides = yield* Overrides
    const { captionsOf, play } = yield* makeRecordingResponses
    const submissions = yield* Submissions

    const show = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const done = request.query("done")
      const text = named(notices, done)
      const offersUndo = done === "decided" || done === "cleared"
      const notice =
        text === undefined
          ? undefined
          : {
              text,
              isError: false,
              offersUndo,
              offersNext: offersUndo || done === "reviewed",
              offersLink: done === "shared",
            }
      return yield* renderSubmission(request, request.param("id"), {
        type: request.query("evaluation"),
        requirement: requirementOf(request.query("requirement")),
        opened: named(openedParts, done),
        notice,
      })
    })

    const answerFile = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, param } = request
      const file = yield* submissions.answerFile(member, param("id"), param("attempt"), param("question"))
      return send(request, file, file.name ?? "file")
    })

    const cvFile = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const file = yield* submissions.cvFile(request.member, request.param("id"))
      return send(request, file, file.name ?? cvFileName(file.type))
    })

    const playRecording = Effect.fnUntraced(function* ({ http, member, param }: WorkspaceRequest) {
      return play(http, member.organizationId, yield* submissions.recording(member, param("id"), param("recording")))
    })

    const showCaptions = Effect.fnUntraced(function* ({ member, param }: WorkspaceRequest) {
      return captionsOf(yield* submissions.recording(member, param("id"), param("recording")))
    })

    const override = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, param } = request
      const form = yield* readForm(request.http)
      const submission = yield* submissions.require(member, param("id"))
      const type = valueOf(form, "evaluation_type")
      if (!isEvaluationType(type)) return seeOther(submissionHref(submission))
      const typed = { score: valueOf(form, "score") ?? "", reason: valueOf(form, "reason") ?? "" }
      const values = {
        submission,
        evaluation_type: type,
        score: scoreOf(typed.score),
        // browsers count a line break as one character and send CR LF
        reason: typed.reason.replaceAll("\r\n", "\n"),
      }
      return yield* overrides.override(member, values).pipe(
        Effect.as(toPage(request, submission, { evaluation: type, done: "saved" })),
        Effect.catchTags({
          Conflict: ({ reason }) =>
            renderSubmission(request, submission, { notice: { text: `Not saved: ${reason}.`, isError: true } }, 409),
          Invalid: (invalid) => {
            const messageOf = (field: "score" | "reason") => {
              const found = invalid.errors.find(({ pointer }) => pointer === `#/${field}`)
              return found === undefined ? {} : { [field]: `The ${field} ${found.message}.` }
            }
            const errors = { ...messageOf("score"), ...messageOf("reason") }
            return renderSubmission(request, submission, { type, override: { ...typed, errors } }, 422)
          },
        }),
      )
    })

    const withdrawOverride = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, param, http } = request
      const type = valueOf(yield* readForm(http), "evaluation_type")
      const submission = yield* submissions.require(member, param("id"))
      if (!isEvaluationType(type)) return seeOther(submissionHref(submission))
      yield* overrides.withdrawOverride(member, { submission, evaluation_type: type })
      return toPage(request, submission, { evaluation: type, done: "withdrawn" })
    })

    const evaluateAgain = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, param } = request
      const submission = yield* submissions.require(member, param("id"))
      return yield* overrides.evaluateAgain(member, submission).pipe(
        Effect.as(toPage(request, submission, { done: "queued" })),
        Effect.catchTag("Conflict", ({ reason }) =>
          renderSubmission(
            request,
            submission,
            { notice: { text: `The evaluation was not requested: ${reason}.`, isError: true } },
            409,
          ),
        ),
      )
    })

    /** The steps of the timeline before a moment. */
    const showTimeline = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, param, query } = request
      const before = new Date(query("before") ?? "")
      if (Number.isNaN(before.getTime())) return seeOther(`${submissionHref(param("id"))}#timeline`)
      return page(timelinePage(member, yield* viewFor(request, param("id"), { before })))
    })

    const submission = "/submissions/:id"
    yield* get(submission, show)
    yield* get(`${submission}/files/:attempt/:question`, answerFile)
    yield* get(`${submission}/timeline`, showTimeline)
    yield* get(`${submission}/recordings/:recording`, playRecording)
    yield* get(`${submission}/recordings/:recording/captions`, showCaptions)
    yield* get(`${submission}/cv`, cvFile)
    yield* action(`${submission}/override`, override, toSubmission)
    yield* action(`${submission}/override/withdraw`, withdrawOverride, toSubmission)
    yield* action(`${submission}/evaluate`, evaluateAgain, toSubmission)
  }),
)
