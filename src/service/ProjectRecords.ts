/** Projects and their job posts in the workspace, for owners and admins. */
import { Context, Effect, Layer, Option, Schema } from "effect"
import { isStorable } from "../domain/Fields.ts"
import { JobPostId, ProjectId } from "../domain/Ids.ts"
import type { Member } from "../domain/Member.ts"
import { type Page, type PageRequest, pageOf } from "../domain/Page.ts"
import { type Invalid, invalid, NotFound } from "../domain/Problem.ts"
import { AuditLog } from "../repository/AuditLog.ts"
import { Database } from "../repository/Database.ts"
import {
  type PostLine,
  type ProjectFile,
  type ProjectLine,
  ProjectRecords as Repository,
} from "../repository/ProjectRecords.ts"
import { notes } from "./Audit.ts"
import { named } from "./Organizations.ts"

/** Characters of a project's name and a job post's title. */
const longest = 250

const unknown = new NotFound({ record: "project" })
const unknownPost = new NotFound({ record: "job post" })
const readId = Schema.decodeUnknownOption(ProjectId)
const readPost = Schema.decodeUnknownOption(JobPostId)

const nameOf = Effect.fnUntraced(function* (field: string, text: string) {
  const name = yield* named(field, text)
  if ([...name].length > longest)
    return yield* invalid(`#/${field}`, "too_long", `must have at most ${longest} characters`)
  return isStorable(name) ? name : yield* invalid(`#/${field}`, "unstorable_text", "must not contain U+0000")
})

export class ProjectRecords extends Context.Service<
  ProjectRecords,
  {
    /** Newest first. */
    readonly list: (member: Member, page: PageRequest) => Effect.Effect<Page<ProjectLine>>
    /** `id` as somebody wrote it. */
    readonly read: (member: Member, id: string) => Effect.Effect<ProjectFile, NotFound>
    /** With the id that its form was given: sent twice, it is one. */
    readonly create: (member: Member, id: ProjectId, name: string) => Effect.Effect<void, Invalid>
    readonly rename: (member: Member, id: string, name: string) => Effect.Effect<void, Invalid | NotFound>
    readonly createPost: (
      member: Member,
      project: string,
      id: JobPostId,
      title: string,
    ) => Effect.Effect<void, Invalid | NotFound>
    /** To a closed post candidates can still apply through the API; the workspace does not offer it. */
    readonly changePost: (
      member: Member,
      project: string,
      id: string,
      change: Pick<PostLine, "title" | "status">,
    ) => Effect.Effect<void, Invalid | NotFound>
  }
>()("interview-invitations/service/ProjectRecords") {
  static readonly layer = Layer.effect(
    ProjectRecords,
    Effect.gen(function* () {
      const { transaction } = yield* Database
      const log = yield* AuditLog
      const note = notes(log, "project")
      const notePost = notes(log, "job_post")
      const repository = yield* Repository

      const read = Effect.fn("ProjectRecords.read")(function* ({ organizationId }: Member, text: string) {
        const id = Option.getOrUndefined(readId(text))
        const found = id === undefined ? undefined : yield* repository.find(organizationId, id)
        return found ?? (yield* unknown)
      })

      return ProjectRecords.of({
        list: Effect.fn("ProjectRecords.list")(function* ({ organizationId }, page) {
          const rows = yield* repository.list(organizationId, page)
          return pageOf("projects", rows, page.limit, ({ position: _, ...project }) => project)
        }),
        read,
        create: Effect.fn("ProjectRecords.create")(function* (member, id, text) {
          const name = yield* nameOf("name", text)
          if (yield* repository.create(member.organizationId, id, name)) {
            yield* note(member.organizationId, member.id, "create", id, { name })
          }
        }, transaction),
        rename: Effect.fn("ProjectRecords.rename")(function* (member, text, typed) {
          const { id } = yield* read(member, text)
          const name = yield* nameOf("name", typed)
          const before = yield* repository.rename(member.organizationId, id, name)
          if (before !== undefined) {
            yield* note(member.organizationId, member.id, "update", id, { before: { name: before }, after: { name } })
          }
        }, transaction),
        createPost: Effect.fn("ProjectRecords.createPost")(function* (member, text, id, typed) {
          const { id: project } = yield* read(member, text)
          const title = yield* nameOf("title", typed)
          if (yield* repository.createPost(member.organizationId, { id, project, title })) {
            yield* notePost(member.organizationId, member.id, "create", id, { title, project })
          }
        }, transaction),
        changePost: Effect.fn("ProjectRecords.changePost")(function* (member, text, post, change) {
          const { id: project } = yield* read(member, text)
          const id = Option.getOrUndefined(readPost(post))
          if (id === undefined) return yield* unknownPost
          const title = yield* nameOf("title", change.title)
          const after = { title, status: change.status }
          const before =
            (yield* repository.changePost(member.organizationId, project, { id, ...after })) ?? (yield* unknownPost)
          if (before.title !== title || before.status !== change.status) {
            const detail = { before: { ...before }, after }
            yield* notePost(member.organizationId, member.id, "update", id, detail)
          }
        }, transaction),
      })
    }),
  )
}
