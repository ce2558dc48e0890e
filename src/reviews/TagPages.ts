/** Forms of tags on the page of a submission. */
import { Effect, Layer } from "effect"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { fieldErrors } from "../platform/http/FormControls.ts"
import { readForm, valueOf } from "../platform/http/Forms.ts"
import { Submissions } from "../submissions/Submissions.ts"
import type { SubmissionId } from "../values/Ids.ts"
import type { Conflict } from "../values/Problem.ts"
import type { PageState } from "./pages/SubmissionView.ts"
import { tagLabels } from "./pages/TagPage.ts"
import { makeRenderSubmission, toPage, toSubmission } from "./SubmissionPages.ts"
import { Tags } from "./Tags.ts"

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action } = yield* makeWorkspace
    const renderSubmission = yield* makeRenderSubmission
    const submissions = yield* Submissions
    const tags = yield* Tags

    const refused = (
      request: WorkspaceRequest,
      submission: SubmissionId,
      what: string,
      { reason }: Conflict,
      state: PageState = {},
    ) =>
      renderSubmission(
        request,
        submission,
        { ...state, notice: { text: `The tag was not ${what}: ${reason}.`, isError: true } },
        409,
      )

    const add = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { http, member, param } = request
      const tag = (valueOf(yield* readForm(http), "tag") ?? "").toWellFormed()
      const submission = yield* submissions.require(member, param("id"))
      return yield* tags.add(member, submission, tag).pipe(
        Effect.as(toPage(request, submission, { done: "tagged" })),
        Effect.catchTags({
          Conflict: (conflict) => refused(request, submission, "added", conflict, { tag: { tag, errors: {} } }),
          Invalid: ({ errors }) =>
            renderSubmission(request, submission, { tag: { tag, errors: fieldErrors(errors, tagLabels) } }, 422),
        }),
      )
    })

    const remove = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { http, member, param } = request
      const tag = valueOf(yield* readForm(http), "tag") ?? ""
      const submission = yield* submissions.require(member, param("id"))
      return yield* tags.remove(member, submission, tag).pipe(
        Effect.as(toPage(request, submission, { done: "untagged" })),
        Effect.catchTag("Conflict", (conflict) => refused(request, submission, "removed", conflict)),
      )
    })

    yield* action("/submissions/:id/tags", add, toSubmission)
    yield* action("/submissions/:id/tags/remove", remove, toSubmission)
  }),
)
