import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentPrincipal } from "../accounts/api-keys/AuthenticationApi.ts"
import { found, listed } from "../accounts/api-keys/ReadHandlers.ts"
import { answer, notFound, unprocessable } from "../platform/http/ApiRequests.ts"
import * as Body from "../platform/http/Body.ts"
import { integrationApi } from "../platform/http/IntegrationApi.ts"
import { CreateJobPost, CreateProject, JobPost, Project, UpdateJobPost, UpdateProject } from "./Project.ts"
import * as Contract from "./ProjectApi.ts"
import { Projects } from "./Projects.ts"

export const layer = HttpApiBuilder.group(
  integrationApi(Contract.Projects),
  "projects",
  Effect.fnUntraced(function* (handlers) {
    const projects = yield* Projects
    const newProject = Body.request(CreateProject)
    const newName = Body.request(UpdateProject)
    const newJobPost = Body.request(CreateJobPost)
    const jobPostChange = Body.request(UpdateJobPost)
    const [createdProject, project] = [answer(Project, 201), answer(Project)]
    const [createdJobPost, jobPost] = [answer(JobPost, 201), answer(JobPost)]
    return handlers
      .handleRaw(
        "create",
        Effect.fnUntraced(
          function* () {
            const principal = yield* CurrentPrincipal
            const { request, warnings } = yield* newProject
            const id = yield* projects.create(principal, request.name)
            return createdProject(yield* Effect.orDie(projects.read(principal, id)), warnings)
          },
          Effect.catchTag("Invalid", unprocessable),
        ),
      )
      .handleRaw(
        "rename",
        Effect.fnUntraced(
          function* ({ params }) {
            const principal = yield* CurrentPrincipal
            const { request, warnings } = yield* newName
            yield* projects.rename(principal, params.id, request.name)
            return project(yield* projects.read(principal, params.id), warnings)
          },
          Effect.catchTags({ Invalid: unprocessable, NotFound: notFound }),
        ),
      )
      .handleRaw(
        "createJobPost",
        Effect.fnUntraced(
          function* () {
            const { request, warnings } = yield* newJobPost
            return createdJobPost(yield* projects.addJobPost(yield* CurrentPrincipal, request), warnings)
          },
          Effect.catchTag("Invalid", unprocessable),
        ),
      )
      .handleRaw(
        "updateJobPost",
        Effect.fnUntraced(
          function* ({ params }) {
            const principal = yield* CurrentPrincipal
            const { request, warnings } = yield* jobPostChange
            yield* projects.changeJobPost(principal, params.id, request)
            return jobPost(yield* projects.readJobPost(principal, params.id), warnings)
          },
          Effect.catchTags({ Invalid: unprocessable, NotFound: notFound }),
        ),
      )
      .handleAll({
        list: listed("projects", (principal, _, page) => projects.list(principal, page)),
        read: found((principal, { params }) => projects.read(principal, params.id)),
        readJobPost: found((principal, { params }) => projects.readJobPost(principal, params.id)),
        jobPosts: listed("job-posts", (principal, { query }, page) => projects.listJobPosts(principal, query, page)),
      })
  }),
)
