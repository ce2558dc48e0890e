/** All repositories as one layer. */
import { Layer } from "effect"
import { AnswerRepository } from "./AnswerRepository.ts"
import { ApiKeyRepository } from "./ApiKeyRepository.ts"
import { AuditLogRepository } from "./AuditLogRepository.ts"
import { BlobChunkRepository } from "./BlobChunkRepository.ts"
import { BlobRepository } from "./BlobRepository.ts"
import { CandidateRepository } from "./CandidateRepository.ts"
import { CvRepository } from "./CvRepository.ts"
import { DeliveryHistoryRepository } from "./DeliveryHistoryRepository.ts"
import { DeliveryRepository } from "./DeliveryRepository.ts"
import { EmailEventRepository } from "./EmailEventRepository.ts"
import { EmailRepository } from "./EmailRepository.ts"
import { EndpointRepository } from "./EndpointRepository.ts"
import { ErasureRepository } from "./ErasureRepository.ts"
import { EvaluationRepository } from "./EvaluationRepository.ts"
import { EventRepository } from "./EventRepository.ts"
import { FormSubmissionRepository } from "./FormSubmissionRepository.ts"
import { IdempotencyKeyRepository } from "./IdempotencyKeyRepository.ts"
import { InterviewRepository } from "./InterviewRepository.ts"
import { InterviewSetRepository } from "./InterviewSetRepository.ts"
import { InvitationRepository } from "./InvitationRepository.ts"
import { InviteRepository } from "./InviteRepository.ts"
import { MemberRepository } from "./MemberRepository.ts"
import { OrganizationRepository } from "./OrganizationRepository.ts"
import { PasswordLinkRepository } from "./PasswordLinkRepository.ts"
import { PersonRepository } from "./PersonRepository.ts"
import { ProjectRepository } from "./ProjectRepository.ts"
import { QueueNotifier } from "./QueueNotifier.ts"
import { RetentionRepository } from "./RetentionRepository.ts"
import { SecretKeyRepository } from "./SecretKeyRepository.ts"
import { SessionRepository } from "./SessionRepository.ts"
import { SignInAttemptRepository } from "./SignInAttemptRepository.ts"
import { SubmissionRepository } from "./SubmissionRepository.ts"
import { SuppressionRepository } from "./SuppressionRepository.ts"

/** Everything that reads or writes Postgres; needs a Database. */
export const repositories = Layer.mergeAll(
  AnswerRepository.layer,
  ApiKeyRepository.layer,
  AuditLogRepository.layer,
  BlobChunkRepository.layer,
  BlobRepository.layer,
  CandidateRepository.layer,
  CvRepository.layer,
  DeliveryRepository.layer,
  DeliveryHistoryRepository.layer,
  EmailRepository.layer,
  EndpointRepository.layer,
  EvaluationRepository.layer,
  EventRepository.layer,
  FormSubmissionRepository.layer,
  IdempotencyKeyRepository.layer,
  InterviewSetRepository.layer,
  InterviewRepository.layer,
  InvitationRepository.layer,
  InviteRepository.layer,
  EmailEventRepository.layer,
  PasswordLinkRepository.layer,
  MemberRepository.layer,
  OrganizationRepository.layer,
  PersonRepository.layer.pipe(Layer.provide(ErasureRepository.layer)),
  ProjectRepository.layer,
  RetentionRepository.layer,
  SecretKeyRepository.layer,
  SessionRepository.layer,
  SignInAttemptRepository.layer,
  SubmissionRepository.layer,
  SuppressionRepository.layer,
).pipe(Layer.provideMerge(QueueNotifier.layer))
