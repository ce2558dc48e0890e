/** Routes that place and release legal holds. */
import { Effect, Layer } from "effect"
import { makeSettings, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { fieldErrors } from "../platform/http/FormControls.ts"
import { readForm, typed } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { CandidateId, InterviewSetId, LegalHoldId, requireId } from "../values/Ids.ts"
import type { HoldSubject } from "./LegalHoldRepository.ts"
import { LegalHolds } from "./LegalHolds.ts"
import { placeHoldPage, reasonLabels, releaseHoldPage } from "./pages/LegalHoldPage.ts"
import { holdsHref, retentionHref } from "./pages/RetentionPage.ts"

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { get, page, post } = yield* makeSettings
    const legalHolds = yield* LegalHolds

    const subjectOf = Effect.fnUntraced(function* ({ query }: WorkspaceRequest) {
      const candidate = query("candidate")
      const of: HoldSubject =
        candidate === undefined
          ? { _tag: "InterviewSet", id: yield* requireId(InterviewSetId, query("set") ?? "", "interview set") }
          : { _tag: "Candidate", id: yield* requireId(CandidateId, candidate, "candidate") }
      return of
    })

    const open = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const of = yield* subjectOf(request)
      const subject = yield* legalHolds.subject(request.member, of)
      return page(placeHoldPage(request.member, { of, subject, reason: "", errors: {} }))
    })

    const place = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { http, member } = request
      const of = yield* subjectOf(request)
      const reason = typed(yield* readForm(http), "reason")
      const again = Effect.fnUntraced(function* (
        rest: Pick<Parameters<typeof placeHoldPage>[1], "errors" | "refusal">,
        status: number,
      ) {
        const subject = yield* legalHolds.subject(member, of)
        return page(placeHoldPage(member, { of, subject, reason, ...rest }), { status })
      })
      return yield* legalHolds.place(member, of, reason).pipe(
        Effect.as(seeOther(`${retentionHref}?done=held`)),
        Effect.catchTags({
          Invalid: ({ errors }) => again({ errors: fieldErrors(errors, reasonLabels) }, 422),
          Conflict: ({ reason: refusal }) => again({ errors: {}, refusal }, 409),
        }),
      )
    })

    const holdOf = ({ param }: WorkspaceRequest) => requireId(LegalHoldId, param("id"), "legal hold")

    const confirmRelease = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      return page(releaseHoldPage(request.member, yield* legalHolds.get(request.member, yield* holdOf(request))))
    })

    const release = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      yield* legalHolds.release(request.member, yield* holdOf(request))
      return seeOther(`${retentionHref}?done=released`)
    })

    yield* get(`${holdsHref}/new`, open)
    yield* post(`${holdsHref}/new`, place)
    yield* get(`${holdsHref}/:id/release`, confirmRelease)
    yield* post(`${holdsHref}/:id/release`, release)
  }),
)
