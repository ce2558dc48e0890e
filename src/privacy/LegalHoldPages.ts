/** Routes that place and release legal holds. */
import { Effect, Layer } from "effect"
import { makeSettings, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { fieldErrors } from "../platform/http/FormControls.ts"
import { readForm, typed } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { CandidateId, InterviewSetId, LegalHoldId, requireId } from "../values/Ids.ts"
import type { NotFound } from "../values/Problem.ts"
import type { HoldSubject } from "./LegalHoldRepository.ts"
import { LegalHolds } from "./LegalHolds.ts"
import { type HoldForm, placeHoldPage, reasonLabels, releaseHoldPage, subjectHref } from "./pages/LegalHoldPage.ts"
import { peopleHref } from "./pages/PeoplePage.ts"
import { holdsHref, retentionHref } from "./pages/RetentionPage.ts"

type SubjectOf = (request: WorkspaceRequest) => Effect.Effect<HoldSubject, NotFound>

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { get, page, post } = yield* makeSettings
    const legalHolds = yield* LegalHolds

    const ofCandidate: SubjectOf = ({ param }) =>
      Effect.map(requireId(CandidateId, param("id"), "candidate"), (id) => ({ _tag: "Candidate", id }) as const)
    const ofSet: SubjectOf = ({ param }) =>
      Effect.map(
        requireId(InterviewSetId, param("id"), "interview set"),
        (id) => ({ _tag: "InterviewSet", id }) as const,
      )

    const open = (subjectOf: SubjectOf) =>
      Effect.fnUntraced(function* (request: WorkspaceRequest) {
        const of = yield* subjectOf(request)
        const subject = yield* legalHolds.subject(request.member, of)
        return page(placeHoldPage(request.member, { of, subject, reason: "", errors: {} }))
      })

    const place = (subjectOf: SubjectOf) =>
      Effect.fnUntraced(function* (request: WorkspaceRequest) {
        const { http, member } = request
        const of = yield* subjectOf(request)
        const reason = typed(yield* readForm(http), "reason")
        const again = Effect.fnUntraced(function* (rest: Pick<HoldForm, "errors" | "refusal">, status: number) {
          const subject = yield* legalHolds.subject(member, of)
          return page(placeHoldPage(member, { of, subject, reason, ...rest }), { status })
        })
        return yield* legalHolds.place(member, of, reason).pipe(
          Effect.as(
            seeOther(of._tag === "Candidate" ? `${subjectHref(of)}?done=held` : `${retentionHref}?done=held#holds`),
          ),
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

    yield* get(`${peopleHref}/:id/hold`, open(ofCandidate))
    yield* post(`${peopleHref}/:id/hold`, place(ofCandidate))
    yield* get("/interview-sets/:id/hold", open(ofSet))
    yield* post("/interview-sets/:id/hold", place(ofSet))
    yield* get(`${holdsHref}/:id/release`, confirmRelease)
    yield* post(`${holdsHref}/:id/release`, release)
  }),
)
