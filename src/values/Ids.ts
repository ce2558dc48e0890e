/** Branded ids: a candidate's id cannot be passed for a submission's. */
import { Effect, Option, Schema } from "effect"
import { integer, uuid } from "./Fields.ts"
import { NotFound } from "./Problem.ts"

/** The number in webhook envelopes (docs/webhooks.md). */
export const OrganizationId = integer(1).pipe(Schema.brand("OrganizationId"))
export type OrganizationId = typeof OrganizationId.Type

export const ApiKeyId = uuid.pipe(Schema.brand("ApiKeyId"))
export type ApiKeyId = typeof ApiKeyId.Type

export const MemberId = uuid.pipe(Schema.brand("MemberId"))
export type MemberId = typeof MemberId.Type

export const ProjectId = uuid.pipe(Schema.brand("ProjectId"))
export type ProjectId = typeof ProjectId.Type

export const JobPostId = uuid.pipe(Schema.brand("JobPostId"))
export type JobPostId = typeof JobPostId.Type

export const InterviewSetId = uuid.pipe(Schema.brand("InterviewSetId"))
export type InterviewSetId = typeof InterviewSetId.Type

export const QuestionId = uuid.pipe(Schema.brand("QuestionId"))
export type QuestionId = typeof QuestionId.Type

export const RequirementId = uuid.pipe(Schema.brand("RequirementId"))
export type RequirementId = typeof RequirementId.Type

export const AccessId = uuid.pipe(Schema.brand("AccessId"))
export type AccessId = typeof AccessId.Type

export const RecordKeyId = uuid.pipe(Schema.brand("RecordKeyId"))
export type RecordKeyId = typeof RecordKeyId.Type

export const CandidateId = uuid.pipe(Schema.brand("CandidateId"))
export type CandidateId = typeof CandidateId.Type

export const AtsCandidateId = uuid.pipe(Schema.brand("AtsCandidateId"))
export type AtsCandidateId = typeof AtsCandidateId.Type

export const InvitationId = uuid.pipe(Schema.brand("InvitationId"))
export type InvitationId = typeof InvitationId.Type

export const SuppressionId = uuid.pipe(Schema.brand("SuppressionId"))
export type SuppressionId = typeof SuppressionId.Type

export const SubmissionId = uuid.pipe(Schema.brand("SubmissionId"))
export type SubmissionId = typeof SubmissionId.Type

export const ApplicationId = uuid.pipe(Schema.brand("ApplicationId"))
export type ApplicationId = typeof ApplicationId.Type

export const CvId = uuid.pipe(Schema.brand("CvId"))
export type CvId = typeof CvId.Type

export const BlobId = uuid.pipe(Schema.brand("BlobId"))
export type BlobId = typeof BlobId.Type

export const RecordingId = uuid.pipe(Schema.brand("RecordingId"))
export type RecordingId = typeof RecordingId.Type

export const NoticeId = uuid.pipe(Schema.brand("NoticeId"))
export type NoticeId = typeof NoticeId.Type

export const NoticeVersionId = uuid.pipe(Schema.brand("NoticeVersionId"))
export type NoticeVersionId = typeof NoticeVersionId.Type

export const LegalHoldId = uuid.pipe(Schema.brand("LegalHoldId"))
export type LegalHoldId = typeof LegalHoldId.Type

export const RecordingConsentId = uuid.pipe(Schema.brand("RecordingConsentId"))
export type RecordingConsentId = typeof RecordingConsentId.Type

export const TrialId = uuid.pipe(Schema.brand("TrialId"))
export type TrialId = typeof TrialId.Type

export const CounterfactualAuditId = uuid.pipe(Schema.brand("CounterfactualAuditId"))
export type CounterfactualAuditId = typeof CounterfactualAuditId.Type

export const ImpactReportId = uuid.pipe(Schema.brand("ImpactReportId"))
export type ImpactReportId = typeof ImpactReportId.Type

export const EmailId = uuid.pipe(Schema.brand("EmailId"))
export type EmailId = typeof EmailId.Type

export const EvaluationId = uuid.pipe(Schema.brand("EvaluationId"))
export type EvaluationId = typeof EvaluationId.Type

export const EndpointId = uuid.pipe(Schema.brand("EndpointId"))
export type EndpointId = typeof EndpointId.Type

/** A run of samples against an endpoint (webhooks/rehearsals/). */
export const RehearsalId = uuid.pipe(Schema.brand("RehearsalId"))
export type RehearsalId = typeof RehearsalId.Type

export const EventId = uuid.pipe(Schema.brand("EventId"))
export type EventId = typeof EventId.Type

/** A bigint as text: a double is too short. */
export const DeliveryId = Schema.String.check(
  Schema.isPattern(/^[1-9]\d{0,17}$/, { code: "invalid", message: "must be a delivery's number, such as 17" }),
).pipe(Schema.brand("DeliveryId"))
export type DeliveryId = typeof DeliveryId.Type

/** A link with which people without an account read a submission. */
export const GuestLinkId = uuid.pipe(Schema.brand("GuestLinkId"))
export type GuestLinkId = typeof GuestLinkId.Type

/** A person who has opened such a link. */
export const GuestId = uuid.pipe(Schema.brand("GuestId"))
export type GuestId = typeof GuestId.Type

/** A member's comment on a submission. */
export const CommentId = uuid.pipe(Schema.brand("CommentId"))
export type CommentId = typeof CommentId.Type

export const SavedViewId = uuid.pipe(Schema.brand("SavedViewId"))
export type SavedViewId = typeof SavedViewId.Type

export const MessageTemplateId = uuid.pipe(Schema.brand("MessageTemplateId"))
export type MessageTemplateId = typeof MessageTemplateId.Type

/** A stage of an organization's hiring (submissions/HiringStage.ts). */
export const HiringStageId = uuid.pipe(Schema.brand("HiringStageId"))
export type HiringStageId = typeof HiringStageId.Type

/** A word by which members mark candidates (submissions/Tag.ts). */
export const TagId = uuid.pipe(Schema.brand("TagId"))
export type TagId = typeof TagId.Type

/** A connection to a hiring system. */
export const ConnectionId = uuid.pipe(Schema.brand("ConnectionId"))
export type ConnectionId = typeof ConnectionId.Type

/** An interview that a hiring system ordered. */
export const OrderId = uuid.pipe(Schema.brand("OrderId"))
export type OrderId = typeof OrderId.Type

/** A rendered form; see platform/http/FormIdempotency.ts. */
export const FormId = uuid.pipe(Schema.brand("FormId"))
export type FormId = typeof FormId.Type

/** A correction or remark of a candidate (person-reviews/CandidateRemark.ts). */
export const CandidateRemarkId = uuid.pipe(Schema.brand("CandidateRemarkId"))
export type CandidateRemarkId = typeof CandidateRemarkId.Type

/** A candidate's request for a person (person-reviews/PersonReview.ts). */
export const PersonReviewId = uuid.pipe(Schema.brand("PersonReviewId"))
export type PersonReviewId = typeof PersonReviewId.Type

export const AccommodationId = uuid.pipe(Schema.brand("AccommodationId"))
export type AccommodationId = typeof AccommodationId.Type

/** Fences settlements (platform/queue/QueueSql.ts). */
export const ClaimId = uuid.pipe(Schema.brand("ClaimId"))
export type ClaimId = typeof ClaimId.Type

type IdSchema = Schema.Codec<string, string>

/** Undefined: the text is not an id of this kind. */
export const parseId = <Id extends IdSchema>(schema: Id, text: unknown): Id["Type"] | undefined =>
  Option.getOrUndefined(Schema.decodeUnknownOption(schema)(text))

/** A text that is not an id names no record. */
export const requireId = <Id extends IdSchema>(
  schema: Id,
  text: unknown,
  record: string,
): Effect.Effect<Id["Type"], NotFound> => {
  const id = parseId(schema, text)
  return id === undefined ? Effect.fail(new NotFound({ record })) : Effect.succeed(id)
}
