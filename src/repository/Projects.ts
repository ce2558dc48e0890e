/** Projects and their job posts. */
import { Context, Effect, Layer } from "effect"
import type { JobPostId, OrganizationId, ProjectId } from "../domain/Ids.ts"
import type { PageRequest } from "../domain/Page.ts"
import type { JobPost, Project } from "../domain/Project.ts"
import { Database, first } from "./Database.ts"
import { iso, type Positioned, paging, when } from "./Paging.ts"

/** Which job posts are listed; what is left out does not matter. */
export interface JobPostFilter {
  readonly project_id?: string | null | undefined
}

export class Projects extends Context.Service<
  Projects,
  {
    readonly create: (organization: OrganizationId, id: ProjectId, name: string) => Effect.Effect<void>
    /** True when the project is a live record of the organization. */
    readonly exists: (organization: OrganizationId, id: ProjectId) => Effect.Effect<boolean>
    /** The organization of a live project: for commands, which name a project and nothing else. */
    readonly organizationOf: (id: ProjectId) => Effect.Effect<OrganizationId | undefined>
    readonly createJobPost: (
      organization: OrganizationId,
      post: { readonly id: JobPostId; readonly projectId: ProjectId; readonly title: string },
    ) => Effect.Effect<void>
    /** One project more than asked, if there is one (domain/Page.ts). */
    readonly list: (
      organization: OrganizationId,
      page: PageRequest,
    ) => Effect.Effect<ReadonlyArray<Positioned<Project>>>
    readonly listJobPosts: (
      organization: OrganizationId,
      filter: JobPostFilter,
      page: PageRequest,
    ) => Effect.Effect<ReadonlyArray<Positioned<JobPost>>>
  }
>()("interview-invitations/repository/Projects") {
  static readonly layer = Layer.effect(
    Projects,
    Effect.gen(function* () {
      const { now, sql } = yield* Database
      return Projects.of({
        create: Effect.fnUntraced(function* (organization, id, name) {
          yield* sql`
            insert into project (id, organization_id, name, created_at)
            values (${id}::uuid, ${organization}::int, ${name}, ${yield* now})`
        }, Effect.orDie),
        exists: Effect.fnUntraced(function* (organization, id) {
          const rows = yield* sql`
            select id from project where id = ${id}::uuid and organization_id = ${organization}::int and deleted_at is null`
          return rows.length > 0
        }, Effect.orDie),
        organizationOf: Effect.fnUntraced(function* (id) {
          return first(
            yield* sql<{ organization_id: OrganizationId }>`
              select organization_id from project where id = ${id}::uuid and deleted_at is null`,
          )?.organization_id
        }, Effect.orDie),
        createJobPost: Effect.fnUntraced(function* (organization, post) {
          yield* sql`
            insert into job_post (id, organization_id, project_id, title, created_at)
            values (${post.id}::uuid, ${organization}::int, ${post.projectId}::uuid, ${post.title}, ${yield* now})`
        }, Effect.orDie),
        list: Effect.fnUntraced(function* (organization, page) {
          const { behind, newestFirst, position } = paging(sql, "p", page)
          return yield* sql<Positioned<Project>>`
            select p.id, p.name, ${iso(sql, "p.created_at")} as created_at, ${position} from project p
            where p.organization_id = ${organization}::int and p.deleted_at is null and ${behind} ${newestFirst}`
        }, Effect.orDie),
        listJobPosts: Effect.fnUntraced(function* (organization, { project_id }, page) {
          const { behind, newestFirst, position } = paging(sql, "j", page)
          return yield* sql<Positioned<JobPost>>`
            select j.id, j.project_id as com_project_id, j.title, j.status, ${iso(sql, "j.created_at")} as created_at,
              ${position}
            from job_post j
            where j.organization_id = ${organization}::int and j.deleted_at is null and ${behind}
              and ${when(sql, project_id, (project) => sql`j.project_id = ${project}::uuid`)} ${newestFirst}`
        }, Effect.orDie),
      })
    }),
  )
}
