import { Context, Effect, Layer } from "effect"
import { AuditLog } from "../accounts/AuditLog.ts"
import { named } from "../accounts/Organizations.ts"
import type { Viewer } from "../accounts/Viewer.ts"
import { Database } from "../platform/database/Database.ts"
import { mayReadReplica } from "../platform/database/Replica.ts"
import { Ids } from "../platform/NewIds.ts"
import { type PageRequest, pageOf } from "../values/Cursor.ts"
import { isStorable } from "../values/Fields.ts"
import { JobPostId, ProjectId, parseId } from "../values/Ids.ts"
import { invalid, NotFound } from "../values/Problem.ts"
import { type CreateJobPost, maxName, type UpdateJobPost } from "./Project.ts"
import { type JobPostFilter, ProjectRepository } from "./ProjectRepository.ts"

const validName = Effect.fnUntraced(function* (field: string, text: string) {
  const name = yield* named(field, text)
  if ([...name].length > maxName)
    return yield* invalid(`#/${field}`, "too_long", `must have at most ${maxName} characters`)
  return isStorable(name) ? name : yield* invalid(`#/${field}`, "unstorable_text", "must not contain U+0000")
})

const unknownPost = new NotFound({ record: "job post" })

/** Projects and their job posts. */
export class Projects extends Context.Service<Projects>()("interview-invitations/interview-sets/Projects", {
  make: Effect.gen(function* () {
    const auditLog = yield* AuditLog
    const { transaction } = yield* Database
    const ids = yield* Ids
    const repository = yield* ProjectRepository

    const list = Effect.fn("Projects.list")(function* ({ organizationId }: Viewer, page: PageRequest) {
      const rows = yield* repository.list(organizationId, page)
      return pageOf("projects", rows, page, ({ position: _, ...project }) => project)
    }, mayReadReplica)

    const read = Effect.fn("Projects.read")(function* ({ organizationId }: Viewer, text: string) {
      const id = parseId(ProjectId, text)
      const found = id === undefined ? undefined : yield* repository.find(organizationId, id)
      return found ?? (yield* new NotFound({ record: "project" }))
    })

    /** Does nothing when the id exists (a form sent twice). */
    const create = Effect.fn("Projects.create")(function* (viewer: Viewer, text: string, given?: ProjectId) {
      const id = given ?? (yield* ids.make(ProjectId))
      const name = yield* validName("name", text)
      if (yield* repository.create(viewer.organizationId, id, name)) {
        yield* auditLog.note(viewer, "project", "create", id, { name })
      }
      return id
    }, transaction)

    const rename = Effect.fn("Projects.rename")(function* (viewer: Viewer, text: string, typed: string) {
      const { id } = yield* read(viewer, text)
      const name = yield* validName("name", typed)
      const before = yield* repository.rename(viewer.organizationId, id, name)
      if (before !== undefined) {
        yield* auditLog.note(viewer, "project", "update", id, { before: { name: before }, after: { name } })
      }
    }, transaction)

    const organizationOf = Effect.fn("Projects.organizationOf")(function* (project: ProjectId) {
      const organization = yield* repository.organizationOf(project)
      return organization ?? (yield* new NotFound({ record: "project" }))
    })

    const listJobPosts = Effect.fn("Projects.listJobPosts")(function* (
      { organizationId }: Viewer,
      filter: JobPostFilter,
      page: PageRequest,
    ) {
      const rows = yield* repository.listJobPosts(organizationId, filter, page)
      return pageOf("job-posts", rows, page, ({ position: _, ...post }) => post)
    }, mayReadReplica)

    const createJobPost = Effect.fn("Projects.createJobPost")(function* (
      viewer: Viewer,
      text: string,
      typed: string,
      given?: JobPostId,
    ) {
      const { id: project } = yield* read(viewer, text)
      const id = given ?? (yield* ids.make(JobPostId))
      const title = yield* validName("title", typed)
      if (yield* repository.createJobPost(viewer.organizationId, { id, project, title })) {
        yield* auditLog.note(viewer, "job_post", "create", id, { title, project })
      }
      return id
    }, transaction)

    const readJobPost = Effect.fn("Projects.readJobPost")(function* ({ organizationId }: Viewer, text: string) {
      const id = parseId(JobPostId, text)
      const found = id === undefined ? undefined : yield* repository.findJobPost(organizationId, id)
      return found ?? (yield* unknownPost)
    })

    /** As `createJobPost`; Invalid: there is no such project. */
    const addJobPost = Effect.fn("Projects.addJobPost")(function* (
      viewer: Viewer,
      { project_id, title }: CreateJobPost,
    ) {
      const id = yield* createJobPost(viewer, project_id, title).pipe(
        Effect.catchTag("NotFound", () =>
          Effect.fail(invalid("#/project_id", "not_found", "is not a project of this organization")),
        ),
      )
      return yield* Effect.orDie(readJobPost(viewer, id))
    }, transaction)

    /**
     * Changes the given fields. `project`: of the post. The API accepts candidates for closed job posts; the workspace does not
     * offer them.
     */
    const changeJobPost = Effect.fn("Projects.changeJobPost")(function* (
      viewer: Viewer,
      post: string,
      { status, title: typed }: UpdateJobPost,
      project?: string,
    ) {
      const id = parseId(JobPostId, post)
      const of = project === undefined ? undefined : (yield* read(viewer, project)).id
      if (id === undefined) return yield* unknownPost
      const title = typed == null ? undefined : yield* validName("title", typed)
      const before = yield* repository.changeJobPost(viewer.organizationId, id, { project: of, status, title })
      if (before === undefined) return yield* unknownPost
      const after = { title: title ?? before.title, status: status ?? before.status }
      if (before.title !== after.title || before.status !== after.status) {
        yield* auditLog.note(viewer, "job_post", "update", id, { before: { ...before }, after })
      }
    }, transaction)

    return {
      list,
      read,
      create,
      rename,
      organizationOf,
      listJobPosts,
      readJobPost,
      addJobPost,
      createJobPost,
      changeJobPost,
    }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
