import { Layer } from "effect"
import { ApiKeyRepository } from "./accounts/ApiKeyRepository.ts"
import { AuditLogRepository } from "./accounts/AuditLogRepository.ts"
import { IdempotencyKeyRepository } from "./accounts/IdempotencyKeyRepository.ts"
import { MemberRepository } from "./accounts/MemberRepository.ts"
import { OrganizationRepository } from "./accounts/OrganizationRepository.ts"
import { PasswordLinkRepository } from "./accounts/PasswordLinkRepository.ts"
import { SessionRepository } from "./accounts/SessionRepository.ts"
import { SignInAttemptRepository } from "./accounts/SignInAttemptRepository.ts"
import { ConnectionRepository } from "./ats/ConnectionRepository.ts"
import { OrderRepository } from "./ats/OrderRepository.ts"
import { ReportRepository } from "./ats/ReportRepository.ts"
import { CandidateRepository } from "./candidates/CandidateRepository.ts"
import { CvRepository } from "./cv/CvRepository.ts"
import { EmailEventRepository } from "./emails/EmailEventRepository.ts"
import { EmailRepository } from "./emails/EmailRepository.ts"
import { SuppressionRepository } from "./emails/SuppressionRepository.ts"
import { EvaluationRepository } from "./evaluations/EvaluationRepository.ts"
import { BlobChunkRepository } from "./files/BlobChunkRepository.ts"
import { BlobRepository } from "./files/BlobRepository.ts"
import { InterviewSetRepository } from "./interview-sets/InterviewSetRepository.ts"
import { ProjectRepository } from "./interview-sets/ProjectRepository.ts"
import { AnswerRepository } from "./interviews/AnswerRepository.ts"
import { InterviewRepository } from "./interviews/InterviewRepository.ts"
import { InvitationRepository } from "./invitations/InvitationRepository.ts"
import { InviteRepository } from "./invitations/InviteRepository.ts"
import { MessageTemplateRepository } from "./invitations/MessageTemplateRepository.ts"
import { SecretKeyRepository } from "./platform/crypto/SecretKeyRepository.ts"
import { FormSubmissionRepository } from "./platform/http/FormSubmissionRepository.ts"
import { QueueNotifier } from "./platform/queue/QueueNotifier.ts"
import { PersonRepository } from "./privacy/PersonRepository.ts"
import { ComparisonRepository } from "./reviews/ComparisonRepository.ts"
import { HistoryRepository } from "./reviews/HistoryRepository.ts"
import { ReviewRepository } from "./reviews/ReviewRepository.ts"
import { WorkspaceHomeRepository } from "./reviews/WorkspaceHomeRepository.ts"
import { SubmissionRepository } from "./submissions/SubmissionRepository.ts"
import { ChoiceRepository } from "./webhooks/ChoiceRepository.ts"
import { DeliveryRepository } from "./webhooks/DeliveryRepository.ts"
import { EndpointRepository } from "./webhooks/EndpointRepository.ts"
import { EventRepository } from "./webhooks/EventRepository.ts"
import { ProbeRepository } from "./webhooks/ProbeRepository.ts"
import { RetentionRepository } from "./webhooks/RetentionRepository.ts"

/** All repositories; needs a Database. */
export const repositories = Layer.mergeAll(
  AnswerRepository.layer,
  ApiKeyRepository.layer,
  AuditLogRepository.layer,
  BlobChunkRepository.layer,
  BlobRepository.layer,
  CandidateRepository.layer,
  ConnectionRepository.layer,
  CvRepository.layer,
  DeliveryRepository.layer,
  EmailRepository.layer,
  ChoiceRepository.layer,
  EndpointRepository.layer,
  EvaluationRepository.layer,
  EventRepository.layer,
  FormSubmissionRepository.layer,
  HistoryRepository.layer,
  IdempotencyKeyRepository.layer,
  InterviewSetRepository.layer,
  InterviewRepository.layer,
  InvitationRepository.layer,
  InviteRepository.layer,
  MessageTemplateRepository.layer,
  EmailEventRepository.layer,
  PasswordLinkRepository.layer,
  MemberRepository.layer,
  OrderRepository.layer,
  OrganizationRepository.layer,
  ReportRepository.layer,
  PersonRepository.layer,
  ProjectRepository.layer,
  ProbeRepository.layer,
  RetentionRepository.layer,
  SecretKeyRepository.layer,
  SessionRepository.layer,
  SignInAttemptRepository.layer,
  ReviewRepository.layer,
  SubmissionRepository.layer,
  SuppressionRepository.layer,
  ComparisonRepository.layer,
  WorkspaceHomeRepository.layer,
).pipe(Layer.provideMerge(QueueNotifier.layer))
