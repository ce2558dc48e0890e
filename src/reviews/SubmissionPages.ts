/** Pages about a submission, its files and the forms of reviews. */

import { Clock, Effect } from "effect"
import { HttpRouter } from "effect/http"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { download } from "../files/Download.ts"
import { named, readForm, valueOf } from "../platform/http/Forms.ts"
import { type pages, seeOther } from "../platform/http/Pages.ts"
import { methods } from "../platform/UseCases.ts"
import { Submissions } from "../submissions/Submissions.ts"
import { Overrides } from "./Overrides.ts"
import { isEvaluationType, type OverrideForm, submissionPage, viewOf } from "./pages/SubmissionPage.ts"

type RenderPage = ReturnType<typeof pages>

const notices: Readonly<Record<string, string>> = {
  saved: "Your score was saved.",
  withdrawn: "The override was removed.",
  queued: "The submission is being evaluated again.",
}

/** CVs are stored without a name. */
const cvEndings: Readonly<Record<string, string>> = {
  "application/pdf": ".pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
  "application/vnd.oasis.opendocument.text": ".odt",
  "application/rtf": ".rtf",
  "text/html": ".html",
  "text/plain": ".txt",
}

const scoreOf = (text: string): number => {
  const trimmed = text.trim().replace(",", ".")
  return /^\d{1,3}(\.\d{1,6})?$/.test(trimmed) ? Number(trimmed) : Number.NaN
}

/** `npm start` has a page of its own. */
export const front = HttpRouter.use((router) => router.add("GET", "/", Effect.succeed(seeOther("/submissions"))))

const render = Effect.fnUntraced(function* (
  page: RenderPage,
  { member, param }: WorkspaceRequest,
  type: string | undefined,
  result: { readonly error?: string; readonly done?: string; readonly form?: OverrideForm },
  status = 200,
) {
  const record = yield* (yield* Submissions).read(member, param("id"))
  const now = new Date(yield* Clock.currentTimeMillis)
  const text = result.error ?? result.done
  const notice = text === undefined ? undefined : { text, isError: result.error !== undefined }
  return page(submissionPage(member, viewOf(record, type, { now, notice, form: result.form })), { status })
})

const show = (page: RenderPage, request: WorkspaceRequest) => {
  const done = named(notices, request.query("done"))
  return render(page, request, request.query("evaluation"), done === undefined ? {} : { done })
}

const answerFile = Effect.fnUntraced(function* ({ member, param }: WorkspaceRequest) {
  const submissions = yield* Submissions
  const file = yield* submissions.answerFile(member, param("id"), param("attempt"), param("question"))
  const { content, name, type } = file
  return download({ content, name: name ?? "file", type: type ?? "application/octet-stream" })
})

const cvFile = Effect.fnUntraced(function* ({ member, param }: WorkspaceRequest) {
  const { content, name, type } = yield* (yield* Submissions).cvFile(member, param("id"))
  return download({
    content,
    name: name ?? `CV${cvEndings[type ?? ""] ?? ""}`,
    type: type ?? "application/octet-stream",
  })
})

const override = Effect.fnUntraced(function* (page: RenderPage, request: WorkspaceRequest) {
  const { member, param } = request
  const overrides = yield* Overrides
  const form = yield* readForm(request.request)
  const submission = yield* (yield* Submissions).require(member, param("id"))
  const type = valueOf(form, "evaluation_type")
  if (!isEvaluationType(type)) return seeOther(`/submissions/${submission}`)
  const typed = { score: valueOf(form, "score") ?? "", reason: valueOf(form, "reason") ?? "" }
  const values = {
    submission,
    evaluation_type: type,
    member: member.id,
    score: scoreOf(typed.score),
    // browsers count a line break as one character and send CR LF
    reason: typed.reason.replaceAll("\r\n", "\n"),
  }
  return yield* overrides.override(member.organizationId, values).pipe(
    Effect.as(seeOther(`/submissions/${submission}?evaluation=${type}&done=saved`)),
    Effect.catchTag("Invalid", (invalid) => {
      const messageOf = (field: "score" | "reason") => {
        const found = invalid.errors.find(({ pointer }) => pointer === `#/${field}`)
        return found === undefined ? {} : { [field]: `The ${field} ${found.message}.` }
      }
      const errors = { ...messageOf("score"), ...messageOf("reason") }
      return render(page, request, type, { form: { ...typed, errors } }, 422)
    }),
  )
})

const withdrawOverride = Effect.fnUntraced(function* ({ member, param, request }: WorkspaceRequest) {
  const overrides = yield* Overrides
  const type = valueOf(yield* readForm(request), "evaluation_type")
  const submission = yield* (yield* Submissions).require(member, param("id"))
  if (!isEvaluationType(type)) return seeOther(`/submissions/${submission}`)
  yield* overrides.withdrawOverride(member.organizationId, { submission, evaluation_type: type, member: member.id })
  return seeOther(`/submissions/${submission}?evaluation=${type}&done=withdrawn`)
})

const evaluateAgain = Effect.fnUntraced(function* (page: RenderPage, request: WorkspaceRequest) {
  const { member, param } = request
  const overrides = yield* Overrides
  const submission = yield* (yield* Submissions).require(member, param("id"))
  return yield* overrides.evaluateAgain(member.organizationId, submission, member.id).pipe(
    Effect.as(seeOther(`/submissions/${submission}?done=queued`)),
    Effect.catchTag("Conflict", ({ reason }) =>
      render(page, request, undefined, { error: `Not queued: ${reason}.` }, 409),
    ),
  )
})

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { get, page, post } = yield* makeWorkspace
    const useCases = { show, answerFile, cvFile, override, withdrawOverride, evaluateAgain }
    const pages = yield* methods([Overrides, Submissions], useCases)
    const submission = "/submissions/:id"
    yield* router.add(
      "GET",
      submission,
      get((request) => pages.show(page, request)),
    )
    yield* router.add("GET", `${submission}/files/:attempt/:question`, get(pages.answerFile))
    yield* router.add("GET", `${submission}/cv`, get(pages.cvFile))
    yield* router.add(
      "POST",
      `${submission}/override`,
      post((request) => pages.override(page, request)),
    )
    yield* router.add("POST", `${submission}/override/withdraw`, post(pages.withdrawOverride))
    yield* router.add(
      "POST",
      `${submission}/evaluate`,
      post((request) => pages.evaluateAgain(page, request)),
    )
    // redirects GET requests for form addresses
    for (const form of ["override", "override/withdraw", "evaluate"] as const) {
      yield* router.add(
        "GET",
        `${submission}/${form}`,
        get(({ param }) => Effect.succeed(seeOther(`/submissions/${param("id")}`))),
      )
    }
  }),
)
