/**
 * The workspace's pages about invitations. GET /invitations, /invitations/:id, /invitations/:id/cancel; POST
 * /invitations/:id/resend, /invitations/:id/cancel, /invitations/:id/extend.
 */
import { Duration, Effect, Option, Result, Schema } from "effect"
import { HttpRouter } from "effect/http"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { InterviewSets } from "../interview-sets/InterviewSets.ts"
import type { FieldErrors } from "../platform/http/FormControls.ts"
import { FormSubmissions } from "../platform/http/FormSubmissions.ts"
import { formIds, named, readForm, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { ids } from "../platform/NewIds.ts"
import { InvitationStatus } from "../submissions/InvitationStatus.ts"
import { FormId, InterviewSetId, type InvitationId } from "../values/Ids.ts"
import { pageLimit, positionOf } from "../values/Page.ts"
import type { Conflict, FieldError } from "../values/Problem.ts"
import { fieldErrorsOf } from "../values/ValidationErrors.ts"
import { ExtendInvitation } from "./Invitation.ts"
import { Invitations } from "./Invitations.ts"
import { invitationListPage } from "./pages/InvitationListPage.ts"
import { cancelPage, type ExtensionForm, invitationPage } from "./pages/InvitationPage.ts"
import { invitationHref, invitationsHref } from "./pages/InvitationWords.ts"

/** What a step says on the page that it leads to. */
const notices: Readonly<Record<string, string>> = {
  resent: "The invitation is on its way again, with the same link.",
  cancelled: "The invitation was cancelled.",
  extended: "Saved. The candidate is told by a mail, unless the address wants none.",
}

/** A form that is sent twice sends one mail. */
const resending = (invitation: InvitationId) => ({
  name: `invitation.resend ${invitation}`,
  answer: Schema.Null,
  kept: Duration.hours(1),
})

const isStatus = Schema.is(InvitationStatus)
const readSet = Schema.decodeUnknownOption(InterviewSetId)
const decode = Schema.decodeUnknownResult(ExtendInvitation, { errors: "all" })

const extensionFaults = (errors: ReadonlyArray<FieldError>): FieldErrors =>
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

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const formIdOf = yield* formIds
    const forms = yield* FormSubmissions
    const newId = yield* ids
    const invitations = yield* Invitations
    const sets = yield* InterviewSets
    const { get, page, post } = yield* makeWorkspace

    yield* router.add(
      "GET",
      invitationsHref,
      get(({ member, query }) =>
        Effect.gen(function* () {
          const cursor = query("cursor")
          const after = cursor === undefined ? undefined : positionOf("invitations", cursor)
          if (cursor !== undefined && after === undefined) return seeOther(invitationsHref)
          const asked = query("status")
          const status = isStatus(asked) ? asked : undefined
          const set = Option.getOrUndefined(readSet(query("set")))
          const choices = yield* sets.choices(member)
          const known = choices.map(({ id, title }) => [id, title] as const)
          const chosen =
            set === undefined || choices.some(({ id }) => id === set)
              ? []
              : [[set, (yield* sets.read(member, set)).set.title.slice(0, 100)] as const]
          const found = yield* invitations.list(
            member,
            { interview_set_id: set, status },
            { limit: pageLimit.default, after },
          )
          const view = {
            set: set ?? "",
            status: status ?? "",
            sets: [...chosen, ...known],
            isFirst: after === undefined,
          }
          return page(invitationListPage(member, view, found))
        }),
      ),
    )

    const show = Effect.fnUntraced(function* (
      { member, param }: WorkspaceRequest,
      told: { readonly done?: string | undefined; readonly fault?: string; readonly form?: ExtensionForm },
      status = 200,
    ) {
      const record = yield* invitations.read(member, param("id"))
      const text = told.fault ?? told.done
      const notice = text === undefined ? undefined : { text, isFault: told.fault !== undefined }
      const { expires_at, time_factor } = record.detail
      const form = told.form ?? { until: expires_at.slice(0, 16), factor: String(time_factor), faults: {} }
      return page(invitationPage(member, record, form, yield* newId(FormId), notice), { status })
    })

    yield* router.add(
      "GET",
      `${invitationsHref}/:id`,
      get((visit) => show(visit, { done: named(notices, visit.query("done")) })),
    )

    yield* router.add(
      "GET",
      `${invitationsHref}/:id/cancel`,
      get(({ member, param }) =>
        Effect.map(invitations.read(member, param("id")), (record) => page(cancelPage(member, record))),
      ),
    )

    const refused = (visit: WorkspaceRequest) => (conflict: Conflict) =>
      show(visit, { fault: `That was not done: ${conflict.reason}.` }, 409)

    yield* router.add(
      "POST",
      `${invitationsHref}/:id/resend`,
      post((visit) =>
        Effect.gen(function* () {
          const { member, param, request } = visit
          const form = yield* formIdOf(yield* readForm(request))
          const { id } = (yield* invitations.read(member, param("id"))).detail
          yield* forms.once(member, form, resending(id), Effect.as(invitations.resend(member, id), null))
          return seeOther(`${invitationHref(id)}?done=resent`)
        }).pipe(Effect.catchTag("Conflict", refused(visit))),
      ),
    )

    yield* router.add(
      "POST",
      `${invitationsHref}/:id/cancel`,
      post((visit) =>
        invitations
          .cancel(visit.member, visit.param("id"))
          .pipe(
            Effect.as(seeOther(`${invitationHref(visit.param("id"))}?done=cancelled`)),
            Effect.catchTag("Conflict", refused(visit)),
          ),
      ),
    )

    yield* router.add(
      "POST",
      `${invitationsHref}/:id/extend`,
      post((visit) =>
        Effect.gen(function* () {
          const { member, param, request } = visit
          const form = yield* readForm(request)
          const { detail } = yield* invitations.read(member, param("id"))
          const typed = {
            until: (valueOf(form, "until") ?? "").slice(0, 40),
            factor: (valueOf(form, "factor") ?? "").slice(0, 10),
          }
          // the field has no seconds: what was not changed is left as it is
          const until =
            typed.until === "" || typed.until === detail.expires_at.slice(0, 16)
              ? {}
              : { expires_at: `${typed.until.slice(0, 16)}:00Z` }
          const factor =
            typed.factor === "" || Number(typed.factor) === detail.time_factor
              ? {}
              : { time_factor: Number(typed.factor) }
          const asked = { ...until, ...factor }
          const again = (errors: ReadonlyArray<FieldError>) =>
            show(visit, { form: { ...typed, faults: extensionFaults(errors) } }, 422)
          const decoded = decode(asked)
          if (Result.isFailure(decoded)) return yield* again(fieldErrorsOf(decoded.failure.issue))
          return yield* invitations.extend(member, detail.id, decoded.success).pipe(
            Effect.as(seeOther(`${invitationHref(detail.id)}?done=extended`)),
            Effect.catchTags({
              Invalid: ({ errors }) => again(errors),
              Conflict: ({ reason }) =>
                show(visit, { fault: `That was not done: ${reason}.`, form: { ...typed, faults: {} } }, 409),
            }),
          )
        }),
      ),
    )

    // the addresses of the steps show the invitation, should somebody load them
    for (const step of ["resend", "extend"]) {
      yield* router.add(
        "GET",
        `${invitationsHref}/:id/${step}`,
        get(({ param }) => Effect.succeed(seeOther(invitationHref(param("id"))))),
      )
    }
  }),
)
