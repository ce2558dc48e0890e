/** Projects and job posts. */
import { Effect, Layer } from "effect"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import type { Document } from "../platform/http/Document.ts"
import { fieldErrors } from "../platform/http/FormControls.ts"
import { named, readForm, typed, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { Ids } from "../platform/NewIds.ts"
import { pageLimit, positionOf } from "../values/Cursor.ts"
import { JobPostId, ProjectId, parseId } from "../values/Ids.ts"
import type { Invalid } from "../values/Problem.ts"
import { Projects } from "./Projects.ts"
import {
  type NewProject,
  type ProjectForm,
  projectHref,
  projectListPage,
  projectPage,
  projectsHref,
} from "./pages/ProjectPage.ts"

const notices: Readonly<Record<string, string>> = {
  created: "The project was created.",
  renamed: "The project was renamed.",
  posted: "The job post was created.",
  saved: "The job post was saved.",
}

const toProject = ({ param }: WorkspaceRequest) => projectHref(param("id"))
const errorsOf = ({ errors }: Invalid) => fieldErrors(errors, { name: "The name", title: "The title" })

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const ids = yield* Ids
    const projects = yield* Projects
    const { action, get, page, post } = yield* makeWorkspace

    const render = (document: Document, status: number) => page(document, { status })

    const renderList = Effect.fnUntraced(function* (
      { member, query }: WorkspaceRequest,
      form: NewProject,
      status: number,
    ) {
      const cursor = query("cursor")
      const after = cursor === undefined ? undefined : positionOf("projects", cursor)
      if (cursor !== undefined && after === undefined) return seeOther(projectsHref)
      const found = yield* projects.list(member, { limit: pageLimit.default, after })
      return render(projectListPage(member, found, form, after === undefined), status)
    })

    const renderProject = Effect.fnUntraced(function* (
      { member, param, query }: WorkspaceRequest,
      form: ProjectForm,
      status: number,
    ) {
      const project = yield* projects.read(member, param("id"))
      const text = status === 200 ? named(notices, query("done")) : undefined
      const notice = text === undefined ? undefined : { text }
      return render(projectPage(member, project, form, yield* ids.make(JobPostId), notice), status)
    })

    const showList = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      return yield* renderList(request, { id: yield* ids.make(ProjectId), name: "", errors: {} }, 200)
    })

    const showProject = (request: WorkspaceRequest) => renderProject(request, { errors: {} }, 200)

    const create = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const form = yield* readForm(request.http)
      const id = parseId(ProjectId, valueOf(form, "id"))
      if (id === undefined) return seeOther(projectsHref)
      const name = typed(form, "name")
      return yield* projects.create(request.member, name, id).pipe(
        Effect.as(seeOther(`${projectHref(id)}?done=created`)),
        Effect.catchTag("Invalid", (error) => renderList(request, { id, name, errors: errorsOf(error) }, 422)),
      )
    })

    const rename = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const name = typed(yield* readForm(request.http), "name")
      return yield* projects.rename(request.member, request.param("id"), name).pipe(
        Effect.as(seeOther(`${projectHref(request.param("id"))}?done=renamed`)),
        Effect.catchTag("Invalid", (error) => renderProject(request, { name, errors: errorsOf(error) }, 422)),
      )
    })

    const createJobPost = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const form = yield* readForm(request.http)
      const title = typed(form, "title")
      const id = parseId(JobPostId, valueOf(form, "id"))
      if (id === undefined) return seeOther(projectHref(request.param("id")))
      return yield* projects.createJobPost(request.member, request.param("id"), title, id).pipe(
        Effect.as(seeOther(`${projectHref(request.param("id"))}?done=posted`)),
        Effect.catchTag("Invalid", (error) =>
          renderProject(request, { post: "new", title, errors: errorsOf(error) }, 422),
        ),
      )
    })

    const changeJobPost = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const form = yield* readForm(request.http)
      const id = request.param("post")
      const title = typed(form, `title-${id}`)
      const status = valueOf(form, "status") === "closed" ? "closed" : "open"
      return yield* projects.changeJobPost(request.member, id, { title, status }, request.param("id")).pipe(
        Effect.as(seeOther(`${projectHref(request.param("id"))}?done=saved`)),
        Effect.catchTag("Invalid", (error) =>
          renderProject(request, { post: id, title, errors: errorsOf(error) }, 422),
        ),
      )
    })

    yield* get(projectsHref, showList)
    yield* post(projectsHref, create)
    yield* get(`${projectsHref}/:id`, showProject)
    yield* post(`${projectsHref}/:id`, rename)
    yield* action(`${projectsHref}/:id/posts`, createJobPost, toProject)
    yield* action(`${projectsHref}/:id/posts/:post`, changeJobPost, toProject)
  }),
)
