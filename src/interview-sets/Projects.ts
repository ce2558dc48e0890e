import { Context, Effect, Layer, Option, Schema } from "effect"
import { audit } from "../accounts/AuditLog.ts"
import { AuditLogRepository } from "../accounts/AuditLogRepository.ts"
import { named } from "../accounts/Organizations.ts"
import type { Viewer } from "../accounts/Viewer.ts"
import { Database, inTransaction } from "../platform/database/Database.ts"
import { mayReadReplica } from "../platform/database/Replica.ts"
import { Ids, newId } from "../platform/NewIds.ts"
import { type Methods, methods } from "../platform/UseCases.ts"
import { isStorable } from "../values/Fields.ts"
import { JobPostId, ProjectId } from "../values/Ids.ts"
import { type PageRequest, pageOf } from "../values/Page.ts"
import { invalid, NotFound } from "../values/Problem.ts"
import { type JobPostFilter, type PostLine, ProjectRepository } from "./ProjectRepository.ts"

/** Characters. */
const maxName = 250

const parseProjectId = Schema.decodeUnknownOption(ProjectId)
const parseJobPostId = Schema.decodeUnknownOption(JobPostId)

const validName = Effect.fnUntraced(function* (field: string, text: string) {
  const name = yield* named(field, text)
  if ([...name].length > maxName)
    return yield* invalid(`#/${field}`, "too_long", `must have at most ${maxName} characters`)
  return isStorable(name) ? name : yield* invalid(`#/${field}`, "unstorable_text", "must not contain U+0000")
})

const list = Effect.fn("Projects.list")(function* ({ organizationId }: Viewer, page: PageRequest) {
  const rows = yield* (yield* ProjectRepository).list(organizationId, page)
  return pageOf("projects", rows, page, ({ position: _, ...project }) => project)
}, mayReadReplica)

const read = Effect.fn("Projects.read")(function* ({ organizationId }: Viewer, text: string) {
  const id = Option.getOrUndefined(parseProjectId(text))
  const found = id === undefined ? undefined : yield* (yield* ProjectRepository).find(organizationId, id)
  return found ?? (yield* new NotFound({ record: "project" }))
})

/** Does nothing when the id exists (a form sent twice). */
const create = Effect.fn("Projects.create")(function* (viewer: Viewer, text: string, given?: ProjectId) {
  const id = given ?? (yield* newId(ProjectId))
  const name = yield* validName("name", text)
  if (yield* (yield* ProjectRepository).create(viewer.organizationId, id, name)) {
    yield* audit(viewer, "project", "create", id, { name })
  }
  return id
}, inTransaction)

const rename = Effect.fn("Projects.rename")(function* (viewer: Viewer, text: string, typed: string) {
  const { id } = yield* read(viewer, text)
  const name = yield* validName("name", typed)
  const before = yield* (yield* ProjectRepository).rename(viewer.organizationId, id, name)
  if (before !== undefined) {
    yield* audit(viewer, "project", "update", id, { before: { name: before }, after: { name } })
  }
}, inTransaction)

const organizationOf = Effect.fn("Projects.organizationOf")(function* (project: ProjectId) {
  const organization = yield* (yield* ProjectRepository).organizationOf(project)
  return organization ?? (yield* new NotFound({ record: "project" }))
})

const listJobPosts = Effect.fn("Projects.listJobPosts")(function* (
  { organizationId }: Viewer,
  filter: JobPostFilter,
  page: PageRequest,
) {
  const rows = yield* (yield* ProjectRepository).listJobPosts(organizationId, filter, page)
  return pageOf("job-posts", rows, page, ({ position: _, ...post }) => post)
}, mayReadReplica)

const createJobPost = Effect.fn("Projects.createJobPost")(function* (
  viewer: Viewer,
  text: string,
  typed: string,
  given?: JobPostId,
) {
  const { id: project } = yield* read(viewer, text)
  const id = given ?? (yield* newId(JobPostId))
  const title = yield* validName("title", typed)
  if (yield* (yield* ProjectRepository).createJobPost(viewer.organizationId, { id, project, title })) {
    yield* audit(viewer, "job_post", "create", id, { title, project })
  }
  return id
}, inTransaction)

/** The API accepts candidates for closed job posts; the workspace does not offer them. */
const changeJobPost = Effect.fn("Projects.changeJobPost")(function* (
  viewer: Viewer,
  text: string,
  post: string,
  change: Pick<PostLine, "title" | "status">,
) {
  const { id: project } = yield* read(viewer, text)
  const id = Option.getOrUndefined(parseJobPostId(post))
  if (id === undefined) return yield* new NotFound({ record: "job post" })
  const after = { title: yield* validName("title", change.title), status: change.status }
  const before = yield* (yield* ProjectRepository).changeJobPost(viewer.organizationId, project, { id, ...after })
  if (before === undefined) return yield* new NotFound({ record: "job post" })
  if (before.title !== after.title || before.status !== after.status) {
    yield* audit(viewer, "job_post", "update", id, { before: { ...before }, after })
  }
}, inTransaction)

const useCases = { list, read, create, rename, organizationOf, listJobPosts, createJobPost, changeJobPost }

export class Projects extends Context.Service<Projects, Methods<typeof useCases>>()(
  "interview-invitations/interview-sets/Projects",
) {
  static readonly layer = Layer.effect(
    Projects,
    methods([AuditLogRepository, Database, Ids, ProjectRepository], useCases),
  ).pipe(Layer.provide(Ids.layer))
}
