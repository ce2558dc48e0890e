/** Forms of comments on the page of a submission. */
import { Effect, Layer } from "effect"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { fieldErrors } from "../platform/http/FormControls.ts"
import { readForm, valueOf } from "../platform/http/Forms.ts"
import { Ids } from "../platform/NewIds.ts"
import { Submissions } from "../submissions/Submissions.ts"
import { CommentId, parseId, QuestionId, type SubmissionId } from "../values/Ids.ts"
import type { Conflict, Invalid } from "../values/Problem.ts"
import { Comments } from "./Comments.ts"
import type { CommentForm } from "./pages/SubmissionView.ts"
import { textOf, versionOf } from "./ReviewPages.ts"
import { makeRenderSubmission, toPage, toSubmission } from "./SubmissionPages.ts"

const labels = { text: "The comment" }

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action } = yield* makeWorkspace
    const comments = yield* Comments
    const ids = yield* Ids
    const renderSubmission = yield* makeRenderSubmission
    const submissions = yield* Submissions

    /** The page again, with what was typed. */
    const refused = (request: WorkspaceRequest, submission: SubmissionId, typed: Omit<CommentForm, "errors">) => ({
      Conflict: ({ reason }: Conflict) =>
        renderSubmission(
          request,
          submission,
          {
            comment: { ...typed, errors: {} },
            notice: { text: `The comment was not saved: ${reason}.`, isError: true },
          },
          409,
        ),
      Invalid: ({ errors }: Invalid) =>
        renderSubmission(request, submission, { comment: { ...typed, errors: fieldErrors(errors, labels) } }, 422),
    })

    const add = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, param } = request
      const form = yield* readForm(request.http)
      const submission = yield* submissions.require(member, param("id"))
      const text = textOf(form, "text")
      const question = parseId(QuestionId, valueOf(form, "about")) ?? null
      // the form has the id of the future comment: sent twice, it makes one
      const id = parseId(CommentId, valueOf(form, "id")) ?? (yield* ids.make(CommentId))
      const typed = { id: undefined, about: question ?? undefined, text }
      return yield* comments
        .add(member, submission, { id, question, text })
        .pipe(
          Effect.as(toPage(request, submission, { done: "commented" })),
          Effect.catchTags(refused(request, submission, typed)),
        )
    })

    const change = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, param } = request
      const form = yield* readForm(request.http)
      const submission = yield* submissions.require(member, param("id"))
      const id = parseId(CommentId, valueOf(form, "comment"))
      if (id === undefined) return toPage(request, submission, {})
      const isDeleted = valueOf(form, "do") === "delete"
      const text = textOf(form, "text")
      const typed = { id, about: undefined, text }
      return yield* comments
        .change(member, submission, { id, changes: versionOf(form), text: isDeleted ? null : text })
        .pipe(
          Effect.as(toPage(request, submission, { done: isDeleted ? "uncommented" : "commented" })),
          Effect.catchTags(refused(request, submission, typed)),
        )
    })

    yield* action("/submissions/:id/comments", add, toSubmission)
    yield* action("/submissions/:id/comments/change", change, toSubmission)
  }),
)
