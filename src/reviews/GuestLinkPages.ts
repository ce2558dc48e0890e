/** Forms on the page of a submission that share it by a link. */
import { Effect, Layer } from "effect"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { readForm, valueOf } from "../platform/http/Forms.ts"
import { Ids } from "../platform/NewIds.ts"
import { Submissions } from "../submissions/Submissions.ts"
import { GuestLinkId, parseId } from "../values/Ids.ts"
import { defaultLinkDays, linkDays } from "./GuestLink.ts"
import { GuestLinks } from "./GuestLinks.ts"
import { makeRenderSubmission, toPage, toSubmission } from "./SubmissionPages.ts"

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action } = yield* makeWorkspace
    const guestLinks = yield* GuestLinks
    const ids = yield* Ids
    const renderSubmission = yield* makeRenderSubmission
    const submissions = yield* Submissions

    const create = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, param } = request
      const form = yield* readForm(request.http)
      const submission = yield* submissions.require(member, param("id"))
      // the form has the id of the future link: sent twice, it makes one
      const id = parseId(GuestLinkId, valueOf(form, "id")) ?? (yield* ids.make(GuestLinkId))
      const options = {
        days: linkDays.find((days) => String(days) === valueOf(form, "days")) ?? defaultLinkDays,
        may_review: valueOf(form, "may_review") === "yes",
        shows_scores: valueOf(form, "shows_scores") === "yes",
      }
      return yield* guestLinks.create(member, submission, id, options).pipe(
        Effect.as(toPage(request, submission, { done: "shared" })),
        Effect.catchTag("Conflict", ({ reason }) =>
          renderSubmission(
            request,
            submission,
            { notice: { text: `The link was not created: ${reason}.`, isError: true }, opened: "share" },
            409,
          ),
        ),
      )
    })

    const revoke = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, param } = request
      const form = yield* readForm(request.http)
      const submission = yield* submissions.require(member, param("id"))
      const id = parseId(GuestLinkId, valueOf(form, "link"))
      const isRevoked = id !== undefined && (yield* guestLinks.revoke(member, submission, id))
      return toPage(request, submission, isRevoked ? { done: "revoked" } : {})
    })

    yield* action("/submissions/:id/links", create, toSubmission)
    yield* action("/submissions/:id/links/revoke", revoke, toSubmission)
  }),
)
