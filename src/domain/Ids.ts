/** Branded identifiers: a candidate's id can not be handed to a function that wants a submission's. */
import { Schema } from "effect"

/** An organization's number, as webhook envelopes carry it (spec, Webhook envelope). */
export const OrganizationId = Schema.Int.pipe(Schema.brand("OrganizationId"))
export type OrganizationId = typeof OrganizationId.Type

const Uuid = Schema.String.check(
  Schema.isPattern(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, { message: "must be a UUID" }),
)

export const ApiKeyId = Uuid.pipe(Schema.brand("ApiKeyId"))
export type ApiKeyId = typeof ApiKeyId.Type

export const MemberId = Uuid.pipe(Schema.brand("MemberId"))
export type MemberId = typeof MemberId.Type

export const ProjectId = Uuid.pipe(Schema.brand("ProjectId"))
export type ProjectId = typeof ProjectId.Type

export const JobPostId = Uuid.pipe(Schema.brand("JobPostId"))
export type JobPostId = typeof JobPostId.Type

export const InterviewSetId = Uuid.pipe(Schema.brand("InterviewSetId"))
export type InterviewSetId = typeof InterviewSetId.Type

export const QuestionId = Uuid.pipe(Schema.brand("QuestionId"))
export type QuestionId = typeof QuestionId.Type

export const RequirementId = Uuid.pipe(Schema.brand("RequirementId"))
export type RequirementId = typeof RequirementId.Type

export const AccessId = Uuid.pipe(Schema.brand("AccessId"))
export type AccessId = typeof AccessId.Type

export const CandidateId = Uuid.pipe(Schema.brand("CandidateId"))
export type CandidateId = typeof CandidateId.Type

/** The id a hiring system gives its candidate. */
export const AtsCandidateId = Uuid.pipe(Schema.brand("AtsCandidateId"))
export type AtsCandidateId = typeof AtsCandidateId.Type

export const InvitationId = Uuid.pipe(Schema.brand("InvitationId"))
export type InvitationId = typeof InvitationId.Type

export const SubmissionId = Uuid.pipe(Schema.brand("SubmissionId"))
export type SubmissionId = typeof SubmissionId.Type

export const EmailId = Uuid.pipe(Schema.brand("EmailId"))
export type EmailId = typeof EmailId.Type

export const EvaluationId = Uuid.pipe(Schema.brand("EvaluationId"))
export type EvaluationId = typeof EvaluationId.Type

export const EndpointId = Uuid.pipe(Schema.brand("EndpointId"))
export type EndpointId = typeof EndpointId.Type

export const EventId = Uuid.pipe(Schema.brand("EventId"))
export type EventId = typeof EventId.Type

/** One worker's hold on a row: settlements name it, so that a stale worker's result is ignored. */
export const ClaimId = Uuid.pipe(Schema.brand("ClaimId"))
export type ClaimId = typeof ClaimId.Type
