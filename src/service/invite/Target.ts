/** Where an invite request leads: the interview set, and the job post that candidates apply to. */
import { Effect } from "effect"
import { InterviewSetId, JobPostId, type OrganizationId, ProjectId } from "../../domain/Ids.ts"
import type { InviteRequest } from "../../domain/Invite.ts"
import { invalid, NotFound } from "../../domain/Problem.ts"
import { type InterviewSetSummary, InterviewSets } from "../../repository/InterviewSets.ts"
import { Projects } from "../../repository/Projects.ts"

export interface Target {
  /** The given set, else the project's newest interview; none when the project has none. */
  readonly set: InterviewSetSummary | undefined
  readonly projectId: ProjectId | undefined
  /** The given job post, else the project's newest; none when nothing asks for one, or the project has none. */
  readonly jobPostId: JobPostId | undefined
}

/** Looks up a request's target; every id must be a live record of the organization. */
export const makeFindTarget = Effect.gen(function* () {
  const interviewSets = yield* InterviewSets
  const projects = yield* Projects

  const findSet = Effect.fn("Invite.findSet")(function* (
    organization: OrganizationId,
    given: string | null | undefined,
    project: ProjectId | undefined,
  ) {
    if (given == null)
      return project === undefined ? undefined : yield* interviewSets.newestInterview(organization, project)
    const set = yield* interviewSets.summary(organization, InterviewSetId.make(given))
    if (set === undefined) return yield* new NotFound({ record: "interview set" })
    if (project !== undefined && set.project_id !== project) {
      return yield* invalid("#/com_interview_set_id", "wrong_project", "is not a set of the given project")
    }
    return set
  })

  const findJobPost = Effect.fn("Invite.findJobPost")(function* (
    organization: OrganizationId,
    given: string | null | undefined,
    project: ProjectId | undefined,
  ) {
    if (given == null) return project === undefined ? undefined : yield* projects.newestJobPost(organization, project)
    const post = yield* projects.findJobPost(organization, JobPostId.make(given))
    if (post === undefined) return yield* new NotFound({ record: "job post" })
    if (project !== undefined && post.project_id !== project) {
      return yield* invalid("#/com_job_post_id", "wrong_project", "is not a job post of the given project")
    }
    return post.id
  })

  return Effect.fn("Invite.findTarget")(function* (organization: OrganizationId, request: InviteRequest) {
    const projectId = request.com_project_id == null ? undefined : ProjectId.make(request.com_project_id.toLowerCase())
    if (projectId !== undefined && !(yield* projects.exists(organization, projectId))) {
      return yield* new NotFound({ record: "project" })
    }
    const set = yield* findSet(organization, request.com_interview_set_id, projectId)
    const jobPostId = yield* findJobPost(organization, request.com_job_post_id, projectId)
    return { set, projectId, jobPostId } satisfies Target
  })
})
