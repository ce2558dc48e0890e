/** Where an invite request leads: the interview set, and the job post that candidates apply to. */
import { Effect } from "effect"
import type { InterviewSetRow } from "../interview-sets/InterviewSetRepository.ts"
import { InterviewSetId, JobPostId, type OrganizationId, ProjectId } from "../values/Ids.ts"
import { type FieldError, Invalid, NotFound } from "../values/Problem.ts"
import { missingCvs } from "./InviteEntries.ts"
import { InviteRepository } from "./InviteRepository.ts"
import type { InviteRequest } from "./InviteRequest.ts"

export interface Target {
  /** The given set, else the project's newest interview; none when the project has none. */
  readonly set: InterviewSetRow | undefined
  readonly projectId: ProjectId | undefined
  /** The given job post, else the project's newest; none when nothing asks for one, or the project has none. */
  readonly jobPostId: JobPostId | undefined
}

const wrongProject = (field: string, record: string): FieldError => ({
  pointer: `#/${field}`,
  code: "wrong_project",
  message: `is not a ${record} of the given project`,
})

/**
 * Looks up a request's target, alone among the organization's requests from then on (InviteRepository.begin). Every id must be a
 * live record of the organization; then they must fit each other and the candidates: all that does not is told at once.
 */
export const makeFindTarget = Effect.gen(function* () {
  const invites = yield* InviteRepository

  return Effect.fnUntraced(function* (organization: OrganizationId, request: InviteRequest) {
    const { com_interview_set_id, com_job_post_id, com_project_id } = request
    const rows = yield* invites.begin(organization, {
      project: com_project_id == null ? undefined : ProjectId.make(com_project_id),
      set: com_interview_set_id == null ? undefined : InterviewSetId.make(com_interview_set_id),
      jobPost: com_job_post_id == null ? undefined : JobPostId.make(com_job_post_id),
    })
    const projectId = rows.project_id ?? undefined
    const set = rows.set ?? undefined
    const jobPost = rows.job_post ?? undefined
    if (com_project_id != null && projectId === undefined) return yield* new NotFound({ record: "project" })
    if (com_interview_set_id != null && set === undefined) return yield* new NotFound({ record: "interview set" })
    if (com_job_post_id != null && jobPost === undefined) return yield* new NotFound({ record: "job post" })
    const isElsewhere = (record: { readonly project_id: ProjectId | null } | undefined) =>
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
