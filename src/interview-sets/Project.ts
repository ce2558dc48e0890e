import { Schema } from "effect"
import { optional, text, uuid } from "../values/Fields.ts"
import { JobPostId, ProjectId } from "../values/Ids.ts"
import { Timestamp } from "../values/Timestamp.ts"

export const Project = Schema.Struct({ id: ProjectId, name: Schema.String, created_at: Timestamp }).annotate({
  identifier: "Project",
})
export type Project = typeof Project.Type

export const JobPost = Schema.Struct({
  id: JobPostId,
  com_project_id: ProjectId.annotate({ description: "The project that the job post belongs to" }),
  title: Schema.String,
  status: Schema.Literals(["open", "closed"]).annotate({ description: "Candidates can be invited to either" }),
  created_at: Timestamp,
}).annotate({ identifier: "JobPost" })
export type JobPost = typeof JobPost.Type

/** Of a project, and of a job post's title; characters. */
export const maxName = 250

const name = text(maxName).annotate({ description: "Not blank; people see it" })
const title = text(maxName).annotate({ description: "Not blank; people see it" })

export const CreateProject = Schema.Struct({ name }).annotate({ identifier: "CreateProject" })

export const UpdateProject = Schema.Struct({ name }).annotate({ identifier: "UpdateProject" })

export const CreateJobPost = Schema.Struct({
  project_id: uuid.annotate({ description: "The project that the job post belongs to" }),
  title,
}).annotate({ identifier: "CreateJobPost" })
export type CreateJobPost = typeof CreateJobPost.Type

export const UpdateJobPost = Schema.Struct({
  title: optional(title),
  status: optional(
    JobPost.fields.status,
    "Pages do not offer a closed job post for new candidates; the API accepts candidates for it",
  ),
}).annotate({ identifier: "UpdateJobPost" })
export type UpdateJobPost = typeof UpdateJobPost.Type

/** Job posts, and interview sets, on a project's page. */
export const maxOfProject = 100
