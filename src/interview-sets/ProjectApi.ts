import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "../accounts/api-keys/AuthenticationApi.ts"
import { page, pageQuery, parameter } from "../platform/http/IntegrationApi.ts"
import { Unprocessable } from "../platform/http/ProblemApi.ts"
import { uuid } from "../values/Fields.ts"
import { JobPost, Project } from "./Project.ts"

const list = HttpApiEndpoint.get("list", "/hiring/projects/v1", {
  query: pageQuery,
  success: page(Project, "projects"),
  error: Unprocessable,
}).annotateMerge(
  OpenApi.annotations({ identifier: "listProjects", summary: "List projects", description: "Newest first." }),
)

const jobPosts = HttpApiEndpoint.get("jobPosts", "/hiring/job-posts/v1", {
  query: { ...pageQuery, project_id: parameter(uuid, "Only job posts of this project") },
  success: page(JobPost, "job posts"),
  error: Unprocessable,
}).annotateMerge(
  OpenApi.annotations({
    identifier: "listJobPosts",
    summary: "List job posts",
    description: "Newest first, closed ones too.",
  }),
)

export const Projects = HttpApiGroup.make("projects")
  .add(list, jobPosts)
  .middleware(Authentication)
  .annotateMerge(
    OpenApi.annotations({ title: "Projects", description: "Projects and the job posts that candidates apply to." }),
  )
