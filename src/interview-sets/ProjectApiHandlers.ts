import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { found, listed, performedAs } from "../accounts/api-keys/OperationHandlers.ts"
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
        performedAs(createdProject, newProject, (principal, { name }) =>
          projects.create(principal, name).pipe(
            Effect.flatMap((id) => Effect.orDie(projects.read(principal, id))),
            Effect.catchTag("Invalid", unprocessable),
          ),
        ),
      )
      .handleRaw(
        "rename",
        performedAs(project, newName, (principal, { name }, { params: { id } }) =>
          Effect.andThen(projects.rename(principal, id, name), projects.read(principal, id)).pipe(
            Effect.catchTags({ Invalid: unprocessable, NotFound: notFound }),
          ),
        ),
      )
      .handleRaw(
        "createJobPost",
        performedAs(createdJobPost, newJobPost, (principal, request) =>
          projects.addJobPost(principal, request).pipe(Effect.catchTag("Invalid", unprocessable)),
        ),
      )
      .handleRaw(
        "updateJobPost",
        performedAs(jobPost, jobPostChange, (principal, request, { params: { id } }) =>
          Effect.andThen(projects.changeJobPost(principal, id, request), projects.readJobPost(principal, id)).pipe(
            Effect.catchTags({ Invalid: unprocessable, NotFound: notFound }),
          ),
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
