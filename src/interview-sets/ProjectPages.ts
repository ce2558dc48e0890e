/**
 * The workspace's pages about projects and job posts, for owners and admins. GET /projects, /projects/:id; POST /projects,
 * /projects/:id, /projects/:id/posts, /projects/:id/posts/:post.
 */
import { Effect, Option, Schema } from "effect"
import { HttpRouter } from "effect/http"
import { maySetUp } from "../accounts/Member.ts"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { fieldErrors } from "../platform/http/FormControls.ts"
import { named, readForm, typed, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { ids } from "../platform/NewIds.ts"
import { JobPostId, ProjectId } from "../values/Ids.ts"
import { pageLimit, positionOf } from "../values/Page.ts"
import { type Invalid, NotAllowed } from "../values/Problem.ts"
import { Projects } from "./Projects.ts"
import {
  type NewProject,
  type ProjectForm,
  projectHref,
  projectListPage,
  projectPage,
  projectsHref,
} from "./pages/ProjectPage.ts"

/** What a step says on the page that it leads to. */
const notices: Readonly<Record<string, string>> = {
  created: "The project was created.",
  renamed: "The project was renamed.",
  posted: "The job post was created.",
  saved: "The job post was saved.",
}

const readProject = Schema.decodeUnknownOption(ProjectId)
const readPost = Schema.decodeUnknownOption(JobPostId)
const faultsOf = ({ errors }: Invalid) => fieldErrors(errors, { name: "The name", title: "The title" })

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const newId = yield* ids
    const projects = yield* Projects
    const workspace = yield* makeWorkspace
    const { page } = workspace
    type Handler = Parameters<typeof workspace.get>[0]
    const allowed =
      (handler: Handler): Handler =>
      (visit) =>
        maySetUp(visit.member) ? handler(visit) : Effect.fail(new NotAllowed({ record: "project" }))
    const get = (handler: Handler) => workspace.get(allowed(handler))
    const post = (handler: Handler) => workspace.post(allowed(handler))

    const list = Effect.fnUntraced(function* ({ member, query }: WorkspaceRequest, form: NewProject, status = 200) {
      const cursor = query("cursor")
      const after = cursor === undefined ? undefined : positionOf("projects", cursor)
      if (cursor !== undefined && after === undefined) return seeOther(projectsHref)
      const found = yield* projects.list(member, { limit: pageLimit.default, after })
      return page(projectListPage(member, found, form, after === undefined), { status })
    })

    yield* router.add(
      "GET",
      projectsHref,
      get((visit) => Effect.flatMap(newId(ProjectId), (id) => list(visit, { id, name: "", faults: {} }))),
    )
    yield* router.add(
      "POST",
      projectsHref,
      post((visit) =>
        Effect.gen(function* () {
          const form = yield* readForm(visit.request)
          const id = Option.getOrUndefined(readProject(valueOf(form, "id")))
          if (id === undefined) return seeOther(projectsHref)
          const name = typed(form, "name")
          return yield* projects.create(visit.member, name, id).pipe(
            Effect.as(seeOther(`${projectHref(id)}?done=created`)),
            Effect.catchTag("Invalid", (error) => list(visit, { id, name, faults: faultsOf(error) }, 422)),
          )
        }),
      ),
    )

    const show = Effect.fnUntraced(function* (
      { member, param, query }: WorkspaceRequest,
      form: ProjectForm,
      status = 200,
    ) {
      const project = yield* projects.read(member, param("id"))
      const text = status === 200 ? named(notices, query("done")) : undefined
      const notice = text === undefined ? undefined : { text }
      return page(projectPage(member, project, form, yield* newId(JobPostId), notice), { status })
    })

    yield* router.add(
      "GET",
      `${projectsHref}/:id`,
      get((visit) => show(visit, { faults: {} })),
    )
    yield* router.add(
      "POST",
      `${projectsHref}/:id`,
      post((visit) =>
        Effect.gen(function* () {
          const name = typed(yield* readForm(visit.request), "name")
          return yield* projects.rename(visit.member, visit.param("id"), name).pipe(
            Effect.as(seeOther(`${projectHref(visit.param("id"))}?done=renamed`)),
            Effect.catchTag("Invalid", (error) => show(visit, { name, faults: faultsOf(error) }, 422)),
          )
        }),
      ),
    )
    yield* router.add(
      "POST",
      `${projectsHref}/:id/posts`,
      post((visit) =>
        Effect.gen(function* () {
          const form = yield* readForm(visit.request)
          const title = typed(form, "title")
          const id = Option.getOrUndefined(readPost(valueOf(form, "id")))
          if (id === undefined) return seeOther(projectHref(visit.param("id")))
          return yield* projects.createJobPost(visit.member, visit.param("id"), title, id).pipe(
            Effect.as(seeOther(`${projectHref(visit.param("id"))}?done=posted`)),
            Effect.catchTag("Invalid", (error) => show(visit, { post: "new", title, faults: faultsOf(error) }, 422)),
          )
        }),
      ),
    )
    yield* router.add(
      "POST",
      `${projectsHref}/:id/posts/:post`,
      post((visit) =>
        Effect.gen(function* () {
          const form = yield* readForm(visit.request)
          const id = visit.param("post")
          const title = typed(form, `title-${id}`)
          const status = valueOf(form, "status") === "closed" ? "closed" : "open"
          return yield* projects.changeJobPost(visit.member, visit.param("id"), id, { title, status }).pipe(
            Effect.as(seeOther(`${projectHref(visit.param("id"))}?done=saved`)),
            Effect.catchTag("Invalid", (error) => show(visit, { post: id, title, faults: faultsOf(error) }, 422)),
          )
        }),
      ),
    )

    // the addresses of the steps show the project, should somebody load them
    for (const step of ["posts", "posts/:post"]) {
      yield* router.add(
        "GET",
        `${projectsHref}/:id/${step}`,
        get(({ param }) => Effect.succeed(seeOther(projectHref(param("id"))))),
      )
    }
  }),
)
