/** Forms about a failed CV: fetch it again, or from another link. */
import { Effect, Layer } from "effect"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { Assets } from "../platform/http/Assets.ts"
import { fieldErrors } from "../platform/http/FormControls.ts"
import { readForm, typed } from "../platform/http/Forms.ts"
import { pages, seeOther } from "../platform/http/Pages.ts"
import { Submissions } from "../submissions/Submissions.ts"
import { CvCorrections } from "./CvCorrections.ts"
import { cvCorrectionPage, cvHref } from "./pages/CvCorrectionPage.ts"

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action, get, post } = yield* makeWorkspace
    const { href } = yield* Assets
    const cvCorrections = yield* CvCorrections
    const submissions = yield* Submissions

    const render = (
      { member }: WorkspaceRequest,
      submission: string,
      form: Parameters<typeof cvCorrectionPage>[2],
      status = 200,
    ) => Effect.succeed(pages(href)(cvCorrectionPage(member, submission, form), { status }))

    const ask = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const submission = yield* submissions.require(request.member, request.param("id"))
      return yield* render(request, submission, { link: "", errors: {} })
    })

    const refused = (request: WorkspaceRequest, link: string, reason: string) =>
      render(
        request,
        request.param("id"),
        { link, errors: {}, notice: { text: `The CV was not fetched again: ${reason}.`, isError: true } },
        409,
      )

    const retry = (request: WorkspaceRequest) =>
      cvCorrections.retry(request.member, request.param("id")).pipe(
        Effect.map((submission) => seeOther(cvHref(submission))),
        Effect.catchTag("Conflict", ({ reason }) => refused(request, "", reason)),
      )

    const replaceLink = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, param, http } = request
      const link = typed(yield* readForm(http), "cv_link")
      return yield* cvCorrections.replaceLink(member, param("id"), link).pipe(
        Effect.map((submission) => seeOther(cvHref(submission))),
        Effect.catchTags({
          Invalid: ({ errors }) =>
            render(request, param("id"), { link, errors: fieldErrors(errors, { cv_link: "The link" }) }, 422),
          Conflict: ({ reason }) => refused(request, link, reason),
        }),
      )
    })

    yield* action("/submissions/:id/cv/retry", retry, ({ param }) => cvHref(param("id")))
    yield* get("/submissions/:id/cv/link", ask)
    yield* post("/submissions/:id/cv/link", replaceLink)
  }),
)
