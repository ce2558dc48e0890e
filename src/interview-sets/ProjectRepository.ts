import { Context, Effect, Layer } from "effect"
import { Database, first } from "../platform/database/Database.ts"
import { iso, type Positioned, paging, when } from "../platform/database/Paging.ts"
import type { PageRequest } from "../values/Cursor.ts"
import type { JobPostId, OrganizationId, ProjectId } from "../values/Ids.ts"
import type { JobPost } from "./Project.ts"
import { maxOfProject } from "./Project.ts"

export interface JobPostFilter {
  readonly project_id?: string | null | undefined
}

export interface ProjectLine {
  readonly id: ProjectId
  readonly name: string
  readonly created_at: string
  readonly open_posts: number
  /** Without archived ones. */
  readonly sets: number
}

export interface PostLine {
  readonly id: JobPostId
  readonly title: string
  readonly status: "open" | "closed"
  readonly created_at: string
}

interface NewJobPost {
  readonly id: JobPostId
  readonly project: ProjectId
  readonly title: string
}

interface JobPostChange {
  readonly project?: ProjectId | undefined
  readonly title?: string | undefined
  readonly status?: PostLine["status"] | null | undefined
}

/** At most `maxOfProject` of each list, newest first. */
export interface ProjectFile {
  readonly id: ProjectId
  readonly name: string
  readonly created_at: string
  readonly posts: ReadonlyArray<PostLine>
  readonly sets: ReadonlyArray<{ readonly id: string; readonly title: string }>
}

export class ProjectRepository extends Context.Service<ProjectRepository>()(
  "interview-invitations/interview-sets/ProjectRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      return {
        /** A page (values/Cursor.ts), newest first. */
        list: Effect.fnUntraced(function* (organization: OrganizationId, page: PageRequest) {
          const { behind, newestFirst, position } = paging(sql, "p", page)
          return yield* sql<Positioned<ProjectLine>>`
            select p.id, p.name, ${iso(sql, "p.created_at")} as created_at, ${position},
              (select count(*)::int from job_post j
                where j.project_id = p.id and j.deleted_at is null and j.status = 'open') as open_posts,
              (select count(*)::int from interview_set s
                where s.project_id = p.id and s.deleted_at is null and s.archived_at is null) as sets
            from (
              select * from project p
              where p.organization_id = ${organization}::int and p.deleted_at is null and ${behind} ${newestFirst}
            ) p ${newestFirst}`
        }),
        find: Effect.fnUntraced(function* (organization: OrganizationId, id: ProjectId) {
          return first(
            yield* sql<ProjectFile>`
              select p.id, p.name, ${iso(sql, "p.created_at")} as created_at,
                coalesce((select jsonb_agg(jsonb_build_object('id', j.id, 'title', j.title, 'status', j.status,
                    'created_at', ${iso(sql, "j.created_at")}) order by j.created_at desc, j.id desc)
                  from (select * from job_post where project_id = p.id and deleted_at is null
                    order by created_at desc, id desc limit ${maxOfProject}::int) j), '[]') as posts,
                coalesce((select jsonb_agg(jsonb_build_object('id', s.id, 'title', s.title) order by s.created_at desc, s.id desc)
                  from (select * from interview_set where project_id = p.id and deleted_at is null and archived_at is null
                    order by created_at desc, id desc limit ${maxOfProject}::int) s), '[]') as sets
              from project p
              where p.id = ${id}::uuid and p.organization_id = ${organization}::int and p.deleted_at is null`,
          )
        }),
        exists: Effect.fnUntraced(function* (organization: OrganizationId, id: ProjectId) {
          const rows = yield* sql`
            select id from project where id = ${id}::uuid and organization_id = ${organization}::int and deleted_at is null`
          return rows.length > 0
        }),
        organizationOf: Effect.fnUntraced(function* (id: ProjectId) {
          return first(
            yield* sql<{ organization_id: OrganizationId }>`
              select organization_id from project where id = ${id}::uuid and deleted_at is null`,
          )?.organization_id
        }),
        /** False when any organization has the id. */
        create: Effect.fnUntraced(function* (organization: OrganizationId, id: ProjectId, name: string) {
          const rows = yield* sql`
            insert into project (id, organization_id, name, created_at)
            values (${id}::uuid, ${organization}::int, ${name}, ${yield* now}) on conflict (id) do nothing returning id`
          return rows.length > 0
        }),
        /** Returns the previous name; undefined: nothing changed. */
        rename: Effect.fnUntraced(function* (organization: OrganizationId, id: ProjectId, name: string) {
          return first(
            yield* sql<{ name: string }>`
              with before as (
                select id, name from project
                where id = ${id}::uuid and organization_id = ${organization}::int and deleted_at is null for update
              )
              update project p set name = ${name} from before where p.id = before.id and before.name <> ${name}
              returning before.name`,
          )?.name
        }),
        listJobPosts: Effect.fnUntraced(function* (
          organization: OrganizationId,
          { project_id }: JobPostFilter,
          page: PageRequest,
        ) {
          const { behind, newestFirst, position } = paging(sql, "j", page)
          return yield* sql<Positioned<JobPost>>`
            select j.id, j.project_id as com_project_id, j.title, j.status, ${iso(sql, "j.created_at")} as created_at,
              ${position}
            from job_post j
            where j.organization_id = ${organization}::int and j.deleted_at is null and ${behind}
              and ${when(sql, project_id, (project) => sql`j.project_id = ${project}::uuid`)} ${newestFirst}`
        }),
        createJobPost: Effect.fnUntraced(function* (organization: OrganizationId, { id, project, title }: NewJobPost) {
          const rows = yield* sql`
            insert into job_post (id, organization_id, project_id, title, created_at)
            values (${id}::uuid, ${organization}::int, ${project}::uuid, ${title}, ${yield* now})
            on conflict (id) do nothing returning id`
          return rows.length > 0
        }),
        findJobPost: Effect.fnUntraced(function* (organization: OrganizationId, id: JobPostId) {
          return first(
            yield* sql<JobPost>`
              select j.id, j.project_id as com_project_id, j.title, j.status, ${iso(sql, "j.created_at")} as created_at
              from job_post j where j.id = ${id}::uuid and j.organization_id = ${organization}::int and j.deleted_at is null`,
          )
        }),
        /** Returns what the post was before; undefined: no such post, or none of the project. Absent fields stay. */
        changeJobPost: Effect.fnUntraced(function* (
          organization: OrganizationId,
          id: JobPostId,
          { project, status, title }: JobPostChange,
        ) {
          return first(
            yield* sql<Pick<PostLine, "title" | "status">>`
              with before as (
                select id, title, status from job_post where id = ${id}::uuid and organization_id = ${organization}::int
                  and project_id = coalesce(${project ?? null}::uuid, project_id) and deleted_at is null for update
              ), next as (
                select id, coalesce(${title ?? null}::text, title) as title, coalesce(${status ?? null}::text, status) as status from before
              ), changed as (
                update job_post j set title = n.title, status = n.status from next n
                where j.id = n.id and (j.title, j.status) <> (n.title, n.status)
              )
              select title, status from before`,
          )
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
