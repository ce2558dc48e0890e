/** Projects and their job posts: set up by an operator, listed by hiring systems. */
import { Context, Effect, Layer } from "effect"
import { JobPostId, type OrganizationId, ProjectId } from "../domain/Ids.ts"
import { type Page, type PageRequest, pageOf } from "../domain/Page.ts"
import { type Invalid, NotFound } from "../domain/Problem.ts"
import type { JobPost, Project } from "../domain/Project.ts"
import { AuditLog } from "../repository/AuditLog.ts"
import { Database } from "../repository/Database.ts"
import { type JobPostFilter, Projects as Repository } from "../repository/Projects.ts"
import { notes } from "./Audit.ts"
import { ids } from "./Ids.ts"
import { named, Organizations } from "./Organizations.ts"

export class Projects extends Context.Service<
  Projects,
  {
    /** For commands, like createJobPost; both are noted in the audit log. */
    readonly create: (organization: OrganizationId, name: string) => Effect.Effect<ProjectId, Invalid | NotFound>
    readonly createJobPost: (project: ProjectId, title: string) => Effect.Effect<JobPostId, Invalid | NotFound>
    readonly list: (organization: OrganizationId, page: PageRequest) => Effect.Effect<Page<Project>>
    readonly jobPosts: (
      organization: OrganizationId,
      filter: JobPostFilter,
      page: PageRequest,
    ) => Effect.Effect<Page<JobPost>>
  }
>()("interview-invitations/service/Projects") {
  static readonly layer = Layer.effect(
    Projects,
    Effect.gen(function* () {
      const { transaction } = yield* Database
      const log = yield* AuditLog
      const newId = yield* ids
      const note = notes(log, "project")
      const notePost = notes(log, "job_post")
      const organizations = yield* Organizations
      const repository = yield* Repository
      return Projects.of({
        create: Effect.fn("Projects.create")(function* (organization, name) {
          yield* organizations.require(organization)
          const id = yield* newId(ProjectId)
          const trimmed = yield* named("name", name)
          yield* repository.create(organization, id, trimmed)
          yield* note(organization, undefined, "create", id, { name: trimmed })
          return id
        }, transaction),
        createJobPost: Effect.fn("Projects.createJobPost")(function* (project, title) {
          const organization = yield* repository.organizationOf(project)
          if (organization === undefined) return yield* new NotFound({ record: "project" })
          const id = yield* newId(JobPostId)
          const trimmed = yield* named("title", title)
          yield* repository.createJobPost(organization, { id, projectId: project, title: trimmed })
          yield* notePost(organization, undefined, "create", id, { title: trimmed, project })
          return id
        }, transaction),
        list: Effect.fn("Projects.list")(function* (organization, page) {
          const rows = yield* repository.list(organization, page)
          return pageOf("projects", rows, page.limit, ({ position: _, ...project }) => project)
        }),
        jobPosts: Effect.fn("Projects.jobPosts")(function* (organization, filter, page) {
          const rows = yield* repository.listJobPosts(organization, filter, page)
          return pageOf("job-posts", rows, page.limit, ({ position: _, ...post }) => post)
        }),
      })
    }),
  )
}
