/** Forms about an invitation. They return to the page of its submission, which shows the invitation. */
import { Duration, Effect, Layer, Result, Schema } from "effect"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { ExtendInvitation } from "../invitations/Invitation.ts"
import { Invitations } from "../invitations/Invitations.ts"
import { invitationsHref } from "../invitations/pages/InvitationLabels.ts"
import { type FieldErrors, fieldErrors } from "../platform/http/FormControls.ts"
import { FormIdempotency } from "../platform/http/FormIdempotency.ts"
import { formIds, readForm, typed, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { InvitationStatus } from "../submissions/InvitationStatus.ts"
import { listHref, searchOf } from "../submissions/SubmissionSearch.ts"
import { testActChoices } from "../test-mode/TestActs.ts"
import { TestCandidates } from "../test-mode/TestCandidates.ts"
import type { InvitationId, SubmissionId } from "../values/Ids.ts"
import { type Conflict, type FieldError, NotFound } from "../values/Problem.ts"
import { momentOf, wallTime } from "../values/TimeZone.ts"
import { fieldErrorsOf } from "../values/ValidationErrors.ts"
import { cancelPage } from "./pages/InvitationSection.ts"
import { type PageState, submissionHref } from "./pages/SubmissionView.ts"
import { makeRenderSubmission, toPage } from "./SubmissionPages.ts"

const resendForm = (invitation: InvitationId) => ({
  name: `invitation.resend ${invitation}`,
  answer: Schema.Null,
  kept: Duration.hours(1),
})

const decodeExtension = Schema.decodeUnknownResult(ExtendInvitation, { errors: "all" })

const isStatus = Schema.is(InvitationStatus)

/** Links to the former list of invitations. */
const list = ({ query }: WorkspaceRequest) => {
  const status = query("status")
  const search = searchOf((name) => (name === "set" ? query(name) : undefined))
  return Effect.succeed(seeOther(listHref({ ...search, invitation: isStatus(status) ? status : undefined })))
}

const done = (request: WorkspaceRequest, submission: SubmissionId, what: string) =>
  toPage(request, submission, { done: what })

const extensionErrors = (errors: ReadonlyArray<FieldError>): FieldErrors =>
  Object.fromEntries(
    errors
      .map(({ message: text, pointer }): [string, string] => {
        if (pointer === "#/expires_at") return ["until", `The deadline ${text}.`]
        return pointer === "#/time_factor"
          ? ["factor", `The time ${text}.`]
          : ["until", "Choose a later deadline, or more time."]
      })
      .toReversed(),
  )

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { get, page, post } = yield* makeWorkspace
    const renderSubmission = yield* makeRenderSubmission
    const formIdOf = yield* formIds

    const formIdempotency = yield* FormIdempotency
    const invitations = yield* Invitations
    const testCandidates = yield* TestCandidates

    const read = Effect.fnUntraced(function* ({ member, param }: WorkspaceRequest) {
      return (yield* invitations.read(member, param("id"))).detail
    })

    const toSubmission = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      return seeOther(`${submissionHref((yield* read(request)).submission.id)}#invitation`)
    })

    const showConflict = (
      request: WorkspaceRequest,
      submission: SubmissionId,
      { reason }: Conflict,
      state: PageState = {},
    ) =>
      renderSubmission(
        request,
        submission,
        {
          ...state,
          opened: "invitation",
          notice: { text: `The invitation was not changed: ${reason}.`, isError: true },
        },
        409,
      )

    const resend = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, http } = request
      const form = yield* formIdOf(yield* readForm(http))
      const { id, submission } = yield* read(request)
      return yield* formIdempotency
        .once(member, form, resendForm(id), Effect.as(invitations.resend(member, id), null))
        .pipe(
          Effect.as(done(request, submission.id, "resent")),
          Effect.catchTag("Conflict", (conflict) => showConflict(request, submission.id, conflict)),
        )
    })

    const askCancel = Effect.fnUntraced(function* ({ member, param }: WorkspaceRequest) {
      return page(cancelPage(member, yield* invitations.read(member, param("id"))))
    })

    const cancel = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { id, submission } = yield* read(request)
      return yield* invitations.cancel(request.member, id).pipe(
        Effect.as(done(request, submission.id, "cancelled")),
        Effect.catchTag("Conflict", (conflict) => showConflict(request, submission.id, conflict)),
      )
    })

    /** Also for the form of Home: what is refused is shown on the page of the submission. */
    const correctAddress = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, http } = request
      const form = yield* readForm(http)
      const { id, submission } = yield* read(request)
      const email = typed(form, "email")
      return yield* invitations.correctAddress(member, id, { email, seen: typed(form, "seen") }).pipe(
        Effect.as(
          valueOf(form, "from") === "home"
            ? seeOther("/home?done=corrected")
            : done(request, submission.id, "corrected"),
        ),
        Effect.catchTags({
          Conflict: (conflict) => showConflict(request, submission.id, conflict, { address: { email, errors: {} } }),
          Invalid: ({ errors }) =>
            renderSubmission(
              request,
              submission.id,
              { address: { email, errors: fieldErrors(errors, { email: "The address" }) } },
              422,
            ),
        }),
      )
    })

    const extend = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, http } = request
      const form = yield* readForm(http)
      const detail = yield* read(request)
      const submission = detail.submission.id
      const given = {
        until: (valueOf(form, "until") ?? "").slice(0, 40),
        factor: (valueOf(form, "factor") ?? "").slice(0, 10),
      }
      // the field has no seconds, so an unchanged deadline is not sent
      const until =
        given.until === "" || given.until === wallTime(new Date(detail.expires_at), member.timeZone)
          ? {}
          : { expires_at: momentOf(given.until, member.timeZone)?.toISOString() ?? given.until }
      // compared with the factor that the form showed, so that an old form does not remove time given since then
      const shown = valueOf(form, "shown_factor") ?? String(detail.time_factor)
      const factor = given.factor === "" || given.factor === shown ? {} : { time_factor: Number(given.factor) }
      const again = (errors: ReadonlyArray<FieldError>) =>
        renderSubmission(request, submission, { extension: { ...given, errors: extensionErrors(errors) } }, 422)
      const decoded = decodeExtension({ ...until, ...factor })
      if (Result.isFailure(decoded)) return yield* again(fieldErrorsOf(decoded.failure.issue))
      return yield* invitations.extend(member, detail.id, decoded.success).pipe(
        Effect.map(({ expires_at, submission: { status_text }, time_factor }) => {
          const isRestored = time_factor < detail.time_factor && expires_at === detail.expires_at
          return done(request, submission, isRestored ? "restored" : status_text === "started" ? "running" : "extended")
        }),
        Effect.catchTags({
          Invalid: ({ errors }) => again(errors),
          Conflict: (conflict) => showConflict(request, submission, conflict, { extension: { ...given, errors: {} } }),
        }),
      )
    })

    /** In test mode: what the scripted candidate does. */
    const act = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, http } = request
      const form = yield* readForm(http)
      const { id, submission } = yield* read(request)
      const chosen = valueOf(form, "do")
      const choice = testActChoices.find(({ value }) => value === chosen)
      if (choice === undefined) return done(request, submission.id, "")
      return yield* testCandidates.act(member, id, choice.name, choice.request).pipe(
        Effect.as(done(request, submission.id, "acted")),
        Effect.catchTags({
          Conflict: (conflict) => showConflict(request, submission.id, conflict),
          NotInTestMode: () => Effect.fail(new NotFound({ record: "page" })),
        }),
      )
    })

    const invitation = `${invitationsHref}/:id`
    yield* get(`${invitation}/test`, toSubmission)
    yield* post(`${invitation}/test`, act)
    yield* get(invitationsHref, list)
    yield* get(invitation, toSubmission)
    yield* get(`${invitation}/resend`, toSubmission)
    yield* post(`${invitation}/resend`, resend)
    yield* get(`${invitation}/cancel`, askCancel)
    yield* post(`${invitation}/cancel`, cancel)
    yield* get(`${invitation}/address`, toSubmission)
    yield* post(`${invitation}/address`, correctAddress)
    yield* get(`${invitation}/extend`, toSubmission)
    yield* post(`${invitation}/extend`, extend)
  }),
)
