/** Inviting candidates in the workspace. GET and POST /interview-sets/:id/invite; GET …/invite/:form (what came of it). */
import { Duration, Effect, Result, Schema } from "effect"
import { HttpRouter } from "effect/http"
import type { Notice } from "../accounts/pages/SettingsParts.ts"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { InterviewSets, type SetRecord } from "../interview-sets/InterviewSets.ts"
import { Projects } from "../interview-sets/Projects.ts"
import { setHref, setsHref } from "../interview-sets/pages/SetLabels.ts"
import { FormSubmissions } from "../platform/http/FormSubmissions.ts"
import { readForm, valueOf } from "../platform/http/Forms.ts"
import { formIds } from "../platform/http/FormValues.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { ids } from "../platform/NewIds.ts"
import { FormId, type InterviewSetId } from "../values/Ids.ts"
import { pageLimit } from "../values/Page.ts"
import { Invite } from "./Invite.ts"
import {
  askedOf,
  emptyInvite,
  type InviteDraft,
  type InviteErrors,
  inviteErrors,
  Origin,
  readInvite,
  withRow,
} from "./InviteDraft.ts"
import { InviteResult } from "./InviteRequest.ts"
import { invitationsHref } from "./pages/InvitationWords.ts"
import { invitePage } from "./pages/InvitePage.ts"
import { invitingPage, resultsPage } from "./pages/InviteResultsPage.ts"

/** What came of a form can be looked at for a while: each candidate's result, and where they were typed. */
const inviting = (set: InterviewSetId) => ({
  name: `interview_set.invite ${set}`,
  answer: Schema.Struct({ results: Schema.Array(InviteResult), origins: Schema.Array(Origin) }),
  kept: Duration.hours(1),
})

const noFaults: InviteErrors = { fields: {}, lines: [] }

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const formIdOf = yield* formIds
    const forms = yield* FormSubmissions
    const invite = yield* Invite
    const newId = yield* ids
    const { faults: rules } = invite
    const projects = yield* Projects
    const sets = yield* InterviewSets
    const { get, page, post } = yield* makeWorkspace

    const show = Effect.fnUntraced(function* (
      { member }: WorkspaceRequest,
      record: SetRecord,
      draft: InviteDraft,
      {
        status = 200,
        ...told
      }: { readonly faults?: InviteErrors; readonly notice?: Notice; readonly status?: number } = {},
    ) {
      const project = record.set.com_project_id
      const posts =
        project === null
          ? []
          : (yield* projects.listJobPosts(member, { project_id: project }, { limit: pageLimit.most, after: undefined }))
              .results
      const jobPosts = posts.flatMap(({ id, status: state, title }) =>
        state === "open" ? [[id, title.slice(0, 100)] as const] : [],
      )
      return page(invitePage(member, record, draft, { faults: noFaults, jobPosts, ...told }), { status })
    })

    yield* router.add(
      "GET",
      `${setsHref}/:id/invite`,
      get((visit) =>
        Effect.gen(function* () {
          const record = yield* sets.read(visit.member, visit.param("id"))
          const archived = record.standing.archived_at !== null
          const notice = { text: "This set is archived: use it again before you invite to it.", isFault: true }
          const draft = emptyInvite(yield* newId(FormId))
          return yield* show(visit, record, draft, archived ? { notice } : {})
        }),
      ),
    )

    yield* router.add(
      "POST",
      `${setsHref}/:id/invite`,
      post((visit) =>
        Effect.gen(function* () {
          const { member, param, request } = visit
          const form = yield* readForm(request)
          const record = yield* sets.read(member, param("id"))
          const draft = readInvite(yield* formIdOf(form), form)
          if (valueOf(form, "do") === "add") return yield* show(visit, record, withRow(draft))
          const asked = askedOf(draft, record.set.id, rules)
          if (Result.isFailure(asked)) return yield* show(visit, record, draft, { faults: asked.failure, status: 422 })
          const { origins, request: wanted } = asked.success
          const { id } = record.set
          const work = Effect.map(invite.inviteToSet(member, id, wanted), (results) => ({ results, origins }))
          return yield* forms.run(member, draft.id, inviting(id), work).pipe(
            Effect.as(seeOther(`${setHref(id)}/invite/${draft.id}`)),
            Effect.catchTags({
              Invalid: ({ errors }) =>
                show(visit, record, draft, { faults: inviteErrors(errors, origins), status: 422 }),
              Conflict: ({ reason }) =>
                show(visit, record, draft, {
                  notice: { text: `Nobody was invited: ${reason}.`, isFault: true },
                  status: 409,
                }),
              NotFound: () =>
                show(visit, record, draft, {
                  faults: { fields: { job_post: "The job post is not there any more." }, lines: [] },
                  status: 422,
                }),
            }),
          )
        }),
      ),
    )

    yield* router.add(
      "GET",
      `${setsHref}/:id/invite/:form`,
      get(({ member, param }) =>
        Effect.gen(function* () {
          const record = yield* sets.read(member, param("id"))
          const { id } = record.set
          const sent = yield* forms.find(member, param("form"), inviting(id))
          if (sent === undefined) return seeOther(`${invitationsHref}?set=${id}`)
          return page(
            sent._tag === "Answered"
              ? resultsPage(member, record, sent.answer.results, sent.answer.origins)
              : invitingPage(member, record, sent._tag === "Running"),
          )
        }),
      ),
    )
  }),
)
