/** Where an invite request leads: the interview set, and the job post that candidates apply to. */
import { Effect } from "effect"
import { InterviewSetId, JobPostId, type OrganizationId, ProjectId } from "../../domain/Ids.ts"
import type { InviteRequest } from "../../domain/Invite.ts"
import { type Fault, Invalid, NotFound } from "../../domain/Problem.ts"
import { type InterviewSetRow, InterviewSets } from "../../repository/InterviewSets.ts"
import { Projects } from "../../repository/Projects.ts"
import { missingCvs } from "./Entries.ts"

export interface Target {
  /** The given set, else the project's newest interview; none when the project has none. */
  readonly set: InterviewSetRow | undefined
  readonly projectId: ProjectId | undefined
  /** The given job post, else the project's newest; none when nothing asks for one, or the project has none. */
  readonly jobPostId: JobPostId | undefined
}

const wrongProject = (field: string, record: string): Fault => ({
  pointer: `#/${field}`,
  code: "wrong_project",
  message: `is not a ${record} of the given project`,
})

/**
 * Looks up a request's target. Every id must be a live record of the organization; then they must fit each other and the
 * candidates: all that does not is told at once.
 */
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
    return set === undefined ? yield* new NotFound({ record: "interview set" }) : set
  })

  const findJobPost = Effect.fn("Invite.findJobPost")(function* (
    organization: OrganizationId,
    given: string | null | undefined,
    project: ProjectId | undefined,
  ) {
    if (given == null) {
      const id = project === undefined ? undefined : yield* projects.newestJobPost(organization, project)
      return id === undefined ? undefined : { id, project_id: project }
    }
    const post = yield* projects.findJobPost(organization, JobPostId.make(given))
    return post === undefined ? yield* new NotFound({ record: "job post" }) : post
  })

  return Effect.fn("Invite.findTarget")(function* (organization: OrganizationId, request: InviteRequest) {
    const projectId = request.com_project_id == null ? undefined : ProjectId.make(request.com_project_id.toLowerCase())
    if (projectId !== undefined && !(yield* projects.exists(organization, projectId))) {
      return yield* new NotFound({ record: "project" })
    }
    const set = yield* findSet(organization, request.com_interview_set_id, projectId)
    const jobPost = yield* findJobPost(organization, request.com_job_post_id, projectId)
    const isElsewhere = (record: { readonly project_id: ProjectId | null | undefined } | undefined) =>
      projectId !== undefined && record !== undefined && record.project_id !== projectId
    const errors = [
      ...(isElsewhere(set) ? [wrongProject("com_interview_set_id", "set")] : []),
      ...(isElsewhere(jobPost) ? [wrongProject("com_job_post_id", "job post")] : []),
      ...(set?.set_type === 2 ? missingCvs(request) : []),
    ]
    if (errors.length > 0) return yield* new Invalid({ errors })
    return { set, projectId, jobPostId: jobPost?.id } satisfies Target
  })
})
