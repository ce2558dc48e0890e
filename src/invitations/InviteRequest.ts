/** The request that invites candidates, and its rules. */
import { Brand, Predicate, Schema } from "effect"
import { CandidateEntry } from "../candidates/Candidate.ts"
import type { SetType } from "../interview-sets/InterviewSet.ts"
import { list, optional, textOfAtLeast, uuid } from "../values/Fields.ts"
import type { InterviewSetId, JobPostId, ProjectId } from "../values/Ids.ts"
import { type FieldError, fieldError } from "../values/Problem.ts"
import { knownTokens, tokenError } from "./Invitation.ts"

/** `inviteRuleErrors` applies INVITE_MAX_CANDIDATES, which is lower. */
const schemaMaxCandidates = 100_000

const hasKnownTokens = Schema.makeFilter((message: string) => tokenError(message), { code: "unknown_token" })

export const InviteRequest = Schema.Struct({
  com_interview_set_id: optional(uuid, "Required without com_project_id"),
  com_project_id: optional(
    uuid,
    "Required without com_interview_set_id; candidates then apply to a job post of the project",
  ),
  com_job_post_id: optional(uuid, "The job post to apply to; without it the project's newest"),
  candidates: list(CandidateEntry, schemaMaxCandidates).annotate({
    description: "At least 1, at most 1,000 unless the operator sets another limit",
  }),
  invitation_message: optional(
    textOfAtLeast(10).check(hasKnownTokens),
    `Text in the email. ${knownTokens} are replaced; any other word in double braces is refused`,
  ),
  send_invite: optional(
    Schema.Boolean,
    "Default true. False: no invitation and no email; hand over submission.interview_url yourself",
  ),
}).annotate({ identifier: "InviteRequest" })
export type InviteRequest = typeof InviteRequest.Type

/** Checked by `inviteRuleErrors`. */
export type CheckedInvite = InviteRequest & Brand.Brand<"CheckedInvite">
export const CheckedInvite = Brand.nominal<CheckedInvite>()

const field = (value: unknown, name: string): unknown => (Predicate.isObject(value) ? value[name] : undefined)

const isEmpty = (value: unknown): boolean => value == null || (typeof value === "string" && value.trim() === "")

/** `maxCandidates`: INVITE_MAX_CANDIDATES. Takes any JSON, to report its errors with the schema's. */
export const inviteRuleErrors = (request: unknown, maxCandidates: number): ReadonlyArray<FieldError> => {
  const errors: Array<FieldError> = []
  if (field(request, "com_interview_set_id") == null && field(request, "com_project_id") == null) {
    const message = "com_interview_set_id or com_project_id is required"
    errors.push({ pointer: "#/com_interview_set_id", code: "required", message })
  }
  const candidates = field(request, "candidates")
  const entries: ReadonlyArray<unknown> = Array.isArray(candidates) ? candidates : []
  if (entries.length === 0 && Array.isArray(candidates)) {
    errors.push({ pointer: "#/candidates", code: "too_few", message: "must have at least 1 candidate" })
  }
  if (entries.length > maxCandidates) {
    const message = `must have at most ${maxCandidates} candidates`
    return [...errors, { pointer: "#/candidates", code: "too_many", message }]
  }
  const seen = new Set<string>()
  entries.forEach((entry, i) => {
    if (!Predicate.isObject(entry)) return
    const given = field(entry, "ats_candidate_id")
    const ats = typeof given === "string" ? given.toLowerCase() : undefined
    if (ats !== undefined && seen.has(ats)) {
      const message = "must be unique within the request"
      errors.push({ pointer: `#/candidates/${i}/ats_candidate_id`, code: "duplicate", message })
    }
    if (ats !== undefined) seen.add(ats)
    if (isEmpty(field(entry, "email")) && isEmpty(field(entry, "cv_link"))) {
      errors.push({ pointer: `#/candidates/${i}/email`, code: "required", message: "email or cv_link is required" })
    }
  })
  return errors
}

export const missingCvErrors = (
  candidates: ReadonlyArray<Pick<CandidateEntry, "cv_link">>,
): ReadonlyArray<FieldError> =>
  candidates.flatMap(({ cv_link }, i) =>
    isEmpty(cv_link)
      ? [{ pointer: `#/candidates/${i}/cv_link`, code: "required", message: "is required for a CV set" }]
      : [],
  )

/** The set that a request names. */
export interface TargetSet {
  readonly id: InterviewSetId
  readonly title: string
  readonly set_type: SetType
  readonly project_id: ProjectId | null
  readonly is_archived: boolean
}

export interface TargetJobPost {
  readonly id: JobPostId
  readonly project_id: ProjectId
}

/** The stored records that a request names. */
export interface InviteTarget {
  readonly projectId: ProjectId | undefined
  /** The request's set, else the project's newest. */
  readonly set: TargetSet | undefined
  readonly jobPost: TargetJobPost | undefined
}

/** Errors that need the stored records. */
export const targetErrors = (
  request: InviteRequest,
  { jobPost, projectId, set }: InviteTarget,
): ReadonlyArray<FieldError> => {
  const projectErrors = (name: string, what: string, record: TargetJobPost | TargetSet | undefined) =>
    projectId === undefined || record === undefined || record.project_id === projectId
      ? []
      : [fieldError(`#/${name}`, "wrong_project", `is not a ${what} of the given project`)]
  return [
    ...projectErrors("com_interview_set_id", "set", set),
    ...projectErrors("com_job_post_id", "job post", jobPost),
    ...(set?.set_type === 2 ? missingCvErrors(request.candidates) : []),
  ]
}
