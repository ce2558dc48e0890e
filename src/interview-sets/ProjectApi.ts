import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "../accounts/api-keys/AuthenticationApi.ts"
import { Idempotency } from "../accounts/api-keys/IdempotencyApi.ts"
import { page, pageQuery, parameter, results } from "../platform/http/IntegrationApi.ts"
import { bodyProblems, NotFound, Unprocessable } from "../platform/http/ProblemApi.ts"
import { uuid } from "../values/Fields.ts"
import { JobPostId, ProjectId } from "../values/Ids.ts"
import { CreateJobPost, CreateProject, JobPost, Project, UpdateJobPost, UpdateProject } from "./Project.ts"

const projectsPath = "/hiring/projects/v1"
const projectPath = `${projectsPath}/:id` as const
const projectParams = { id: ProjectId.annotateKey({ description: "The project's id" }) }

const jobPostsPath = "/hiring/job-posts/v1"
const jobPostPath = `${jobPostsPath}/:id` as const
const jobPostParams = { id: JobPostId.annotateKey({ description: "The job post's id" }) }

const list = HttpApiEndpoint.get("list", projectsPath, {
  query: pageQuery,
  success: page(Project, "projects"),
  error: Unprocessable,
}).annotateMerge(
  OpenApi.annotations({ identifier: "listProjects", summary: "List projects", description: "Newest first." }),
)

const create = HttpApiEndpoint.post("create", projectsPath, {
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

const read = HttpApiEndpoint.get("read", projectPath, {
  params: projectParams,
  success: results(Project, "The project"),
  error: NotFound,
}).annotateMerge(
  OpenApi.annotations({
    identifier: "getProject",
    summary: "Read a project",
    description: "Its sets and job posts are in their lists, with `project_id`.",
  }),
)

const rename = HttpApiEndpoint.patch("rename", projectPath, {
  params: projectParams,
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

const createJobPost = HttpApiEndpoint.post("createJobPost", jobPostsPath, {
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

const readJobPost = HttpApiEndpoint.get("readJobPost", jobPostPath, {
  params: jobPostParams,
  success: results(JobPost, "The job post"),
  error: NotFound,
}).annotateMerge(
  OpenApi.annotations({ identifier: "getJobPost", summary: "Read a job post", description: "Also a closed one." }),
)

const updateJobPost = HttpApiEndpoint.patch("updateJobPost", jobPostPath, {
  params: jobPostParams,
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

const jobPosts = HttpApiEndpoint.get("jobPosts", jobPostsPath, {
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
  .add(list, create, read, rename, jobPosts, createJobPost, readJobPost, updateJobPost)
  .middleware(Authentication)
  .annotateMerge(
    OpenApi.annotations({ title: "Projects", description: "Projects and the job posts that candidates apply to." }),
  )
