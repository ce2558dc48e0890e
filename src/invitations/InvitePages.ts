/** The form that invites candidates to a set, and its results. */
import { Duration, Effect, Result, Schema } from "effect"
import { HttpRouter } from "effect/http"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { Config } from "../config/Config.ts"
import { InterviewSets, type SetRecord } from "../interview-sets/InterviewSets.ts"
import { Projects } from "../interview-sets/Projects.ts"
import { setHref, setsHref } from "../interview-sets/pages/SetLabels.ts"
import { Assets } from "../platform/http/Assets.ts"
import type { Document } from "../platform/http/Document.ts"
import type { Notice } from "../platform/http/FormControls.ts"
import { FormSubmissions } from "../platform/http/FormSubmissions.ts"
import { type Form, formIds, readForm, valueOf } from "../platform/http/Forms.ts"
import { type PageOptions, pages, seeOther } from "../platform/http/Pages.ts"
import { Ids, newId } from "../platform/NewIds.ts"
import { methods } from "../platform/UseCases.ts"
import { FormId, type InterviewSetId } from "../values/Ids.ts"
import { pageLimit } from "../values/Page.ts"
import { Invite } from "./Invite.ts"
import {
  emptyInvite,
  type InviteDraft,
  type InviteErrors,
  inviteErrors,
  inviteOf,
  Origin,
  readInvite,
  withRow,
} from "./InviteDraft.ts"
import { InviteResult } from "./InviteResult.ts"
import { invitationsHref } from "./pages/InvitationLabels.ts"
import { invitePage, inviteResultsPage, inviteRunningPage } from "./pages/InvitePage.ts"

const inviteForm = (set: InterviewSetId) => ({
  name: `interview_set.invite ${set}`,
  answer: Schema.Struct({ results: Schema.Array(InviteResult), origins: Schema.Array(Origin) }),
  kept: Duration.hours(1),
})

type FormIdOf = (form: Form) => Effect.Effect<FormId>

const page = (document: Document, options?: PageOptions) =>
  Effect.map(Assets, ({ href }) => pages(href)(document, options))

const noErrors: InviteErrors = { fields: {}, lines: [] }

const showInvite = Effect.fnUntraced(function* (
  { member }: WorkspaceRequest,
  record: SetRecord,
  draft: InviteDraft,
  {
    status = 200,
    ...shown
  }: { readonly errors?: InviteErrors; readonly notice?: Notice; readonly status?: number } = {},
) {
  const projects = yield* Projects
  const project = record.set.com_project_id
  const posts =
    project === null
      ? []
      : (yield* projects.listJobPosts(member, { project_id: project }, { limit: pageLimit.max, after: undefined }))
          .results
  const jobPosts = posts.flatMap(({ id, status: state, title }) =>
    state === "open" ? [[id, title.slice(0, 100)] as const] : [],
  )
  return yield* page(invitePage(member, record, draft, { errors: noErrors, jobPosts, ...shown }), { status })
})

const newInvite = Effect.fnUntraced(function* (visit: WorkspaceRequest) {
  const record = yield* (yield* InterviewSets).read(visit.member, visit.param("id"))
  const notice = { text: "This set is archived: unarchive it before you invite to it.", isError: true }
  const draft = emptyInvite(yield* newId(FormId))
  return yield* showInvite(visit, record, draft, record.standing.archived_at === null ? {} : { notice })
})

const invite = Effect.fnUntraced(function* (visit: WorkspaceRequest, formIdOf: FormIdOf) {
  const { member, param, request } = visit
  const { inviteMaxCandidates } = yield* Config
  const form = yield* readForm(request)
  const record = yield* (yield* InterviewSets).read(member, param("id"))
  const draft = readInvite(yield* formIdOf(form), form)
  if (valueOf(form, "do") === "add") return yield* showInvite(visit, record, withRow(draft))
  const { id } = record.set
  const parsed = inviteOf(draft, id, inviteMaxCandidates)
  if (Result.isFailure(parsed)) return yield* showInvite(visit, record, draft, { errors: parsed.failure, status: 422 })
  const { origins, request: inviteRequest } = parsed.success
  const work = Effect.map((yield* Invite).inviteToSet(member, inviteRequest), (results) => ({ results, origins }))
  return yield* (yield* FormSubmissions).run(member, draft.id, inviteForm(id), work).pipe(
    Effect.as(seeOther(`${setHref(id)}/invite/${draft.id}`)),
    Effect.catchTags({
      Invalid: ({ errors }) => showInvite(visit, record, draft, { errors: inviteErrors(errors, origins), status: 422 }),
      Conflict: ({ reason }) =>
        showInvite(visit, record, draft, {
          notice: { text: `No one was invited: ${reason}.`, isError: true },
          status: 409,
        }),
      NotFound: () =>
        showInvite(visit, record, draft, {
          errors: { fields: { job_post: "This job post no longer exists." }, lines: [] },
          status: 422,
        }),
    }),
  )
})

const inviteResults = Effect.fnUntraced(function* ({ member, param }: WorkspaceRequest) {
  const record = yield* (yield* InterviewSets).read(member, param("id"))
  const { id } = record.set
  const sent = yield* (yield* FormSubmissions).find(member, param("form"), inviteForm(id))
  if (sent === undefined) return seeOther(`${invitationsHref}?set=${id}`)
  return yield* page(
    sent._tag === "Answered"
      ? inviteResultsPage(member, record, sent.answer.results, sent.answer.origins)
      : inviteRunningPage(member, record, sent._tag === "Running"),
  )
})

const handlers = { newInvite, invite, inviteResults }

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { get, post } = yield* makeWorkspace
    const formIdOf = yield* formIds
    const services = [Assets, Config, FormSubmissions, Ids, InterviewSets, Invite, Projects] as const
    const handle = yield* Effect.provide(methods(services, handlers), Ids.layer)

    yield* router.add("GET", `${setsHref}/:id/invite`, get(handle.newInvite))
    yield* router.add(
      "POST",
      `${setsHref}/:id/invite`,
      post((visit) => handle.invite(visit, formIdOf)),
    )
    yield* router.add("GET", `${setsHref}/:id/invite/:form`, get(handle.inviteResults))
  }),
)
