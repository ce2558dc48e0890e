import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "../accounts/api-keys/AuthenticationApi.ts"
import { Idempotency } from "../accounts/api-keys/IdempotencyApi.ts"
import { page, pageQuery, parameter, results } from "../platform/http/IntegrationApi.ts"
import { bodyProblems, NotFound, Unprocessable } from "../platform/http/ProblemApi.ts"
import { uuid } from "../values/Fields.ts"
import { JobPostId, ProjectId } from "../values/Ids.ts"
import { CreateJobPost, CreateProject, JobPost, Project, UpdateJobPost, UpdateProject } from "./Project.ts"

const list = HttpApiEndpoint.get("list", "/hiring/projects/v1", {
  query: pageQuery,
  success: page(Project, "projects"),
  error: Unprocessable,
}).annotateMerge(
  OpenApi.annotations({ identifier: "listProjects", summary: "List projects", description: "Newest first." }),
)

const create = HttpApiEndpoint.post("create", "/hiring/projects/v1", {
  payload: CreateProject,
  success: results(Project, "The new project").pipe(HttpApiSchema.status(201)),
  error: bodyProblems,
})
  .middleware(Idempotency)
  .annotateMerge(
    OpenApi.annotations({
      identifier: "createProject",
      summary: "Create a project",
      description: "Projects group interview sets and job posts. Needs the scope `manage_sets`.",
    }),
  )

const rename = HttpApiEndpoint.patch("rename", "/hiring/projects/v1/:id", {
  params: { id: ProjectId.annotateKey({ description: "The project's id" }) },
  payload: UpdateProject,
  success: results(Project, "The project with its name"),
  error: [...bodyProblems, NotFound],
}).annotateMerge(
  OpenApi.annotations({
    identifier: "renameProject",
    summary: "Rename a project",
    description: "Its sets and job posts stay. Needs the scope `manage_sets`.",
  }),
)

const createJobPost = HttpApiEndpoint.post("createJobPost", "/hiring/job-posts/v1", {
  payload: CreateJobPost,
  success: results(JobPost, "The new job post, open").pipe(HttpApiSchema.status(201)),
  error: bodyProblems,
})
  .middleware(Idempotency)
  .annotateMerge(
    OpenApi.annotations({
      identifier: "createJobPost",
      summary: "Create a job post",
      description:
        "Candidates who are invited with its id as `com_job_post_id` apply to it. Needs the scope `manage_sets`.",
    }),
  )

const updateJobPost = HttpApiEndpoint.patch("updateJobPost", "/hiring/job-posts/v1/:id", {
  params: { id: JobPostId.annotateKey({ description: "The job post's id" }) },
  payload: UpdateJobPost,
  success: results(JobPost, "The job post with its changes"),
  error: [...bodyProblems, NotFound],
}).annotateMerge(
  OpenApi.annotations({
    identifier: "updateJobPost",
    summary: "Rename, close or reopen a job post",
    description: "Changes the given fields; the others keep their values. Needs the scope `manage_sets`.",
  }),
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
  .add(list, create, rename, jobPosts, createJobPost, updateJobPost)
  .middleware(Authentication)
  .annotateMerge(
    OpenApi.annotations({ title: "Projects", description: "Projects and the job posts that candidates apply to." }),
  )
