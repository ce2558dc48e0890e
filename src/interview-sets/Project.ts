import { Schema } from "effect"
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

/** Job posts, and interview sets, on a project's page. */
export const maxOfProject = 100
