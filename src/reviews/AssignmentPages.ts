/** What a member is asked to review, and the forms that ask colleagues. */
import { DateTime, Effect, Layer } from "effect"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { numberOf, readForm, valueOf } from "../platform/http/Forms.ts"
import { Submissions } from "../submissions/Submissions.ts"
import { MemberId, parseId } from "../values/Ids.ts"
import { Assignments } from "./Assignments.ts"
import { assignedHref, assignedPage } from "./pages/AssignedPage.ts"
import { makeRenderSubmission, toPage, toSubmission } from "./SubmissionPages.ts"

export const makeShowAssigned = Effect.map(Assignments, (assignments) =>
  Effect.fnUntraced(function* ({ member, query }: WorkspaceRequest) {
    const now = yield* DateTime.nowAsDate
    return assignedPage(member, yield* assignments.mine(member, numberOf(query("page"))), now)
  }),
)

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action, get, page } = yield* makeWorkspace
    const assignments = yield* Assignments
    const renderSubmission = yield* makeRenderSubmission
    const showAssigned = yield* makeShowAssigned
    const submissions = yield* Submissions

    const assign = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, param } = request
      const form = yield* readForm(request.http)
      const submission = yield* submissions.require(member, param("id"))
      const colleague = parseId(MemberId, valueOf(form, "member"))
      if (colleague === undefined)
        return yield* renderSubmission(
          request,
          submission,
          { notice: { text: "Choose a colleague to ask for a review.", isError: true }, opened: "reviewers" },
          422,
        )
      // without effect: the colleague is asked already, was removed, or has lost access
      const added = yield* assignments.assign(member, [submission], [colleague])
      return toPage(request, submission, added.length === 0 ? {} : { done: "assigned" })
    })

    const unassign = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, param } = request
      const form = yield* readForm(request.http)
      const submission = yield* submissions.require(member, param("id"))
      const colleague = parseId(MemberId, valueOf(form, "member"))
      const isGone = colleague !== undefined && (yield* assignments.unassign(member, submission, colleague))
      return toPage(request, submission, isGone ? { done: "unassigned" } : {})
    })

    yield* get(assignedHref, (request) => Effect.map(showAssigned(request), page))
    yield* action("/submissions/:id/reviewers", assign, toSubmission)
    yield* action("/submissions/:id/reviewers/remove", unassign, toSubmission)
  }),
)
