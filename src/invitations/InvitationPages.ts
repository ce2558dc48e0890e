/** Pages about invitations. */
import { Duration, Effect, Option, Result, Schema } from "effect"
import { HttpRouter } from "effect/http"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { InterviewSets } from "../interview-sets/InterviewSets.ts"
import { Assets } from "../platform/http/Assets.ts"
import type { Document } from "../platform/http/Document.ts"
import type { FieldErrors, Notice } from "../platform/http/FormControls.ts"
import { FormSubmissions } from "../platform/http/FormSubmissions.ts"
import { type Form, formIds, named, readForm, valueOf } from "../platform/http/Forms.ts"
import { type PageOptions, pages, seeOther } from "../platform/http/Pages.ts"
import { Ids, newId } from "../platform/NewIds.ts"
import { methods } from "../platform/UseCases.ts"
import { InvitationStatus } from "../submissions/InvitationStatus.ts"
import { FormId, InterviewSetId, type InvitationId } from "../values/Ids.ts"
import { pageLimit, positionOf } from "../values/Page.ts"
import type { Conflict, FieldError } from "../values/Problem.ts"
import { fieldErrorsOf } from "../values/ValidationErrors.ts"
import { ExtendInvitation } from "./Invitation.ts"
import { Invitations } from "./Invitations.ts"
import { invitationHref, invitationsHref } from "./pages/InvitationLabels.ts"
import { invitationListPage } from "./pages/InvitationListPage.ts"
import { cancelPage, type ExtensionForm, invitationPage } from "./pages/InvitationPage.ts"

const notices: Readonly<Record<string, string>> = {
  resent: "The invitation is on its way again, with the same link.",
  cancelled: "The invitation was cancelled.",
  extended: "Saved. The candidate gets an email about it, unless the address has unsubscribed.",
  restored: "The extra time was removed. No email says so: if the candidate knows of it, tell them.",
}

const resendForm = (invitation: InvitationId) => ({
  name: `invitation.resend ${invitation}`,
  answer: Schema.Null,
  kept: Duration.hours(1),
})

type FormIdOf = (form: Form) => Effect.Effect<FormId>

const isStatus = Schema.is(InvitationStatus)
const parseSetId = Schema.decodeUnknownOption(InterviewSetId)
const decodeExtension = Schema.decodeUnknownResult(ExtendInvitation, { errors: "all" })

const page = (document: Document, options?: PageOptions) =>
  Effect.map(Assets, ({ href }) => pages(href)(document, options))

const list = Effect.fnUntraced(function* ({ member, query }: WorkspaceRequest) {
  const cursor = query("cursor")
  const after = cursor === undefined ? undefined : positionOf("invitations", cursor)
  if (cursor !== undefined && after === undefined) return seeOther(invitationsHref)
  const sets = yield* InterviewSets
  const statusText = query("status")
  const status = isStatus(statusText) ? statusText : undefined
  const set = Option.getOrUndefined(parseSetId(query("set")))
  const choices = (yield* sets.choices(member)).map(({ id, title }) => [id, title] as const)
  const chosen =
    set === undefined || choices.some(([id]) => id === set)
      ? []
      : [[set, (yield* sets.read(member, set)).set.title.slice(0, 100)] as const]
  const invitations = yield* Invitations
  const found = yield* invitations.list(member, { interview_set_id: set, status }, { limit: pageLimit.default, after })
  const view = { set: set ?? "", status: status ?? "", sets: [...chosen, ...choices], isFirst: after === undefined }
  return yield* page(invitationListPage(member, view, found))
})

const show = Effect.fnUntraced(function* (
  { member, param }: WorkspaceRequest,
  shown: { readonly notice?: Notice | undefined; readonly form?: ExtensionForm },
  status = 200,
) {
  const record = yield* (yield* Invitations).read(member, param("id"))
  const { expires_at, time_factor } = record.detail
  const form = shown.form ?? { until: expires_at.slice(0, 16), factor: String(time_factor), errors: {} }
  return yield* page(invitationPage(member, record, form, yield* newId(FormId), shown.notice), { status })
})

const read = (visit: WorkspaceRequest) => {
  const text = named(notices, visit.query("done"))
  return show(visit, { notice: text === undefined ? undefined : { text, isError: false } })
}

const showConflict = (visit: WorkspaceRequest, { reason }: Conflict, form?: ExtensionForm) =>
  show(visit, { notice: { text: `Not done: ${reason}.`, isError: true }, ...(form === undefined ? {} : { form }) }, 409)

const resend = (visit: WorkspaceRequest, formIdOf: FormIdOf) =>
  Effect.gen(function* () {
    const { member, param, request } = visit
    const invitations = yield* Invitations
    const form = yield* formIdOf(yield* readForm(request))
    const { id } = (yield* invitations.read(member, param("id"))).detail
    yield* (yield* FormSubmissions).once(member, form, resendForm(id), Effect.as(invitations.resend(member, id), null))
    return seeOther(`${invitationHref(id)}?done=resent`)
  }).pipe(Effect.catchTag("Conflict", (conflict) => showConflict(visit, conflict)))

const askCancel = Effect.fnUntraced(function* ({ member, param }: WorkspaceRequest) {
  return yield* page(cancelPage(member, yield* (yield* Invitations).read(member, param("id"))))
})

const cancel = (visit: WorkspaceRequest) => {
  const id = visit.param("id")
  return Effect.flatMap(Invitations, (invitations) => invitations.cancel(visit.member, id)).pipe(
    Effect.as(seeOther(`${invitationHref(id)}?done=cancelled`)),
    Effect.catchTag("Conflict", (conflict) => showConflict(visit, conflict)),
  )
}

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

const extend = Effect.fnUntraced(function* (visit: WorkspaceRequest) {
  const { member, param, request } = visit
  const invitations = yield* Invitations
  const form = yield* readForm(request)
  const { detail } = yield* invitations.read(member, param("id"))
  const typed = {
    until: (valueOf(form, "until") ?? "").slice(0, 40),
    factor: (valueOf(form, "factor") ?? "").slice(0, 10),
  }
  // the field has no seconds, so an unchanged deadline is not sent
  const until =
    typed.until === "" || typed.until === detail.expires_at.slice(0, 16)
      ? {}
      : { expires_at: `${typed.until.slice(0, 16)}:00Z` }
  // compared with the factor that the form showed, so an old form does not remove time given since
  const shown = valueOf(form, "shown_factor") ?? String(detail.time_factor)
  const factor = typed.factor === "" || typed.factor === shown ? {} : { time_factor: Number(typed.factor) }
  const again = (errors: ReadonlyArray<FieldError>) =>
    show(visit, { form: { ...typed, errors: extensionErrors(errors) } }, 422)
  const decoded = decodeExtension({ ...until, ...factor })
  if (Result.isFailure(decoded)) return yield* again(fieldErrorsOf(decoded.failure.issue))
  return yield* invitations.extend(member, detail.id, decoded.success).pipe(
    Effect.map(({ expires_at, time_factor }) => {
      const isRestored = time_factor < detail.time_factor && expires_at === detail.expires_at
      return seeOther(`${invitationHref(detail.id)}?done=${isRestored ? "restored" : "extended"}`)
    }),
    Effect.catchTags({
      Invalid: ({ errors }) => again(errors),
      Conflict: (conflict) => showConflict(visit, conflict, { ...typed, errors: {} }),
    }),
  )
})

/** Redirects GET requests for form addresses. */
const redirect = ({ param }: WorkspaceRequest) => Effect.succeed(seeOther(invitationHref(param("id"))))

const handlers = { list, read, resend, askCancel, cancel, extend }

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { get, post } = yield* makeWorkspace
    const formIdOf = yield* formIds
    const services = [Assets, FormSubmissions, Ids, InterviewSets, Invitations] as const
    const handle = yield* Effect.provide(methods(services, handlers), Ids.layer)

    yield* router.add("GET", invitationsHref, get(handle.list))
    yield* router.add("GET", `${invitationsHref}/:id`, get(handle.read))
    yield* router.add("GET", `${invitationsHref}/:id/resend`, get(redirect))
    yield* router.add(
      "POST",
      `${invitationsHref}/:id/resend`,
      post((visit) => handle.resend(visit, formIdOf)),
    )
    yield* router.add("GET", `${invitationsHref}/:id/cancel`, get(handle.askCancel))
    yield* router.add("POST", `${invitationsHref}/:id/cancel`, post(handle.cancel))
    yield* router.add("GET", `${invitationsHref}/:id/extend`, get(redirect))
    yield* router.add("POST", `${invitationsHref}/:id/extend`, post(handle.extend))
  }),
)
