/**
 * The workspace's pages about submissions. GET /submissions/:id, /submissions/:id/files/:attempt/:question,
 * /submissions/:id/cv; POST /submissions/:id/override, /submissions/:id/override/withdraw, /submissions/:id/evaluate.
 */
import { Clock, Effect } from "effect"
import { HttpRouter } from "effect/http"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { download } from "../files/Download.ts"
import { named, readForm, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { Submissions } from "../submissions/Submissions.ts"
import { submissionPage } from "./pages/SubmissionPage.ts"
import { isEvaluationType, type OverrideForm, viewOf } from "./pages/SubmissionView.ts"
import { Reviews } from "./Reviews.ts"

/** What a step says on the page that it leads to. */
const notices: Readonly<Record<string, string>> = {
  saved: "Your score was saved.",
  withdrawn: "Your score was taken back.",
  queued: "It is being evaluated again.",
}

/** What the names of CVs end in, so that they open: a CV is kept without the name it had. */
const cvEndings: Readonly<Record<string, string>> = {
  "application/pdf": ".pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
  "application/vnd.oasis.opendocument.text": ".odt",
  "application/rtf": ".rtf",
  "text/html": ".html",
  "text/plain": ".txt",
}

/** A score as people write it: with a point or a comma. */
const scoreOf = (text: string): number => {
  const trimmed = text.trim().replace(",", ".")
  return /^\d{1,3}(\.\d{1,6})?$/.test(trimmed) ? Number(trimmed) : Number.NaN
}

/** GET / in production, where no page of a trial stands there: the workspace begins with what came in. */
export const front = HttpRouter.use((router) => router.add("GET", "/", Effect.succeed(seeOther("/submissions"))))

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const submissions = yield* Submissions
    const reviews = yield* Reviews
    const { get, page, post } = yield* makeWorkspace
    const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

    /** The page, with what was done before; `status` is that of the answer. */
    const show = Effect.fnUntraced(function* (
      { member, param }: WorkspaceRequest,
      asked: string | undefined,
      told: { readonly fault?: string; readonly done?: string; readonly form?: OverrideForm },
      status = 200,
    ) {
      const text = told.fault ?? told.done
      const notice = text === undefined ? undefined : { text, isFault: told.fault !== undefined }
      const record = yield* submissions.read(member, param("id"))
      return page(submissionPage(member, viewOf(record, asked, { now: yield* now, notice, form: told.form })), {
        status,
      })
    })

    yield* router.add(
      "GET",
      "/submissions/:id",
      get((visit) => {
        const done = named(notices, visit.query("done"))
        return show(visit, visit.query("evaluation"), done === undefined ? {} : { done })
      }),
    )

    yield* router.add(
      "GET",
      "/submissions/:id/files/:attempt/:question",
      get(({ member, param }) =>
        Effect.map(
          submissions.answerFile(member, param("id"), param("attempt"), param("question")),
          ({ content, name, type }) =>
            download({ content, name: name ?? "file", type: type ?? "application/octet-stream" }),
        ),
      ),
    )
    yield* router.add(
      "GET",
      "/submissions/:id/cv",
      get(({ member, param }) =>
        Effect.map(submissions.cvFile(member, param("id")), ({ content, name, type }) =>
          download({
            content,
            name: name ?? `CV${cvEndings[type ?? ""] ?? ""}`,
            type: type ?? "application/octet-stream",
          }),
        ),
      ),
    )

    yield* router.add(
      "POST",
      "/submissions/:id/override",
      post((visit) =>
        Effect.gen(function* () {
          const { member, param, request } = visit
          const form = yield* readForm(request)
          const submission = yield* submissions.require(member, param("id"))
          const type = valueOf(form, "evaluation_type")
          if (!isEvaluationType(type)) return seeOther(`/submissions/${submission}`)
          const typed = { score: valueOf(form, "score") ?? "", reason: valueOf(form, "reason") ?? "" }
          const override = {
            submission,
            evaluation_type: type,
            member: member.id,
            score: scoreOf(typed.score),
            // a browser sends line breaks as CR LF, and counts them as one character
            reason: typed.reason.replaceAll("\r\n", "\n"),
          }
          return yield* reviews.override(member.organizationId, override).pipe(
            Effect.as(seeOther(`/submissions/${submission}?evaluation=${type}&done=saved`)),
            Effect.catchTag("Invalid", ({ errors }) => {
              const fault = (field: string) => {
                const found = errors.find(({ pointer }) => pointer === `#/${field}`)
                return found === undefined ? {} : { [field]: `The ${field} ${found.message}.` }
              }
              const faults = { ...fault("score"), ...fault("reason") }
              return show(visit, type, { form: { ...typed, faults } }, 422)
            }),
          )
        }),
      ),
    )

    yield* router.add(
      "POST",
      "/submissions/:id/override/withdraw",
      post(({ member, param, request }) =>
        Effect.gen(function* () {
          const type = valueOf(yield* readForm(request), "evaluation_type")
          const submission = yield* submissions.require(member, param("id"))
          if (!isEvaluationType(type)) return seeOther(`/submissions/${submission}`)
          yield* reviews.withdrawOverride(member.organizationId, {
            submission,
            evaluation_type: type,
            member: member.id,
          })
          return seeOther(`/submissions/${submission}?evaluation=${type}&done=withdrawn`)
        }),
      ),
    )

    yield* router.add(
      "POST",
      "/submissions/:id/evaluate",
      post((visit) =>
        Effect.gen(function* () {
          const { member, param } = visit
          const submission = yield* submissions.require(member, param("id"))
          return yield* reviews.evaluateAgain(member.organizationId, submission, member.id).pipe(
            Effect.as(seeOther(`/submissions/${submission}?done=queued`)),
            Effect.catchTag("Conflict", ({ reason }) =>
              show(visit, undefined, { fault: `It was not queued: ${reason}.` }, 409),
            ),
          )
        }),
      ),
    )

    // the addresses of the steps show the submission, should somebody load them
    for (const step of ["override", "override/withdraw", "evaluate"]) {
      yield* router.add(
        "GET",
        `/submissions/:id/${step}`,
        get(({ param }) => Effect.succeed(seeOther(`/submissions/${param("id")}`))),
      )
    }
  }),
)
