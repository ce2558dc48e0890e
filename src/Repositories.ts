import { Layer } from "effect"
import { AppearanceRepository } from "./accounts/AppearanceRepository.ts"
import { AuditLogRepository } from "./accounts/AuditLogRepository.ts"
import { AuditSubjectRepository } from "./accounts/AuditSubjectRepository.ts"
import { ApiKeyRepository } from "./accounts/api-keys/ApiKeyRepository.ts"
import { OtherModeRepository } from "./accounts/api-keys/OtherModeRepository.ts"
import { MemberRepository } from "./accounts/members/MemberRepository.ts"
import { NotificationRepository } from "./accounts/members/NotificationRepository.ts"
import { OrganizationRepository } from "./accounts/OrganizationRepository.ts"
import { RequestLogRepository } from "./accounts/requests/RequestLogRepository.ts"
import { PasskeyRepository } from "./accounts/sign-in/PasskeyRepository.ts"
import { PasswordLinkRepository } from "./accounts/sign-in/PasswordLinkRepository.ts"
import { SecondFactorRepository } from "./accounts/sign-in/SecondFactorRepository.ts"
import { SessionRepository } from "./accounts/sign-in/SessionRepository.ts"
import { SignInAttemptRepository } from "./accounts/sign-in/SignInAttemptRepository.ts"
import { ConnectionRepository } from "./ats/ConnectionRepository.ts"
import { OrderRepository } from "./ats/OrderRepository.ts"
import { ReportRepository } from "./ats/ReportRepository.ts"
import { CandidateRepository } from "./candidates/CandidateRepository.ts"
import { CounterfactualAuditRepository } from "./counterfactual/CounterfactualAuditRepository.ts"
import { CvRepository } from "./cv/CvRepository.ts"
import { EmailEventRepository } from "./emails/EmailEventRepository.ts"
import { EmailRepository } from "./emails/EmailRepository.ts"
import { SuppressionRepository } from "./emails/SuppressionRepository.ts"
import { EvaluationRepository } from "./evaluations/EvaluationRepository.ts"
import { BlobChunkRepository } from "./files/BlobChunkRepository.ts"
import { BlobRepository } from "./files/BlobRepository.ts"
import { ImpactReportRepository } from "./impact/ImpactReportRepository.ts"
import { SelfIdentificationRepository } from "./impact/SelfIdentificationRepository.ts"
import { InterviewSetRepository } from "./interview-sets/InterviewSetRepository.ts"
import { ProjectRepository } from "./interview-sets/ProjectRepository.ts"
import { SetDraftRepository } from "./interview-sets/SetDraftRepository.ts"
import { SetLibraryRepository } from "./interview-sets/SetLibraryRepository.ts"
import { AccommodationRepository } from "./interviews/AccommodationRepository.ts"
import { AnswerRepository } from "./interviews/AnswerRepository.ts"
import { InterviewRepository } from "./interviews/InterviewRepository.ts"
import { EmailSubjectRepository } from "./invitations/EmailSubjectRepository.ts"
import { FollowUpRepository } from "./invitations/FollowUpRepository.ts"
import { InvitationReportRepository } from "./invitations/InvitationReportRepository.ts"
import { InvitationRepository } from "./invitations/InvitationRepository.ts"
import { InviteRepository } from "./invitations/InviteRepository.ts"
import { MessageTemplateRepository } from "./invitations/MessageTemplateRepository.ts"
import { NoticeRepository } from "./notices/NoticeRepository.ts"
import { CandidateRightsRepository } from "./person-reviews/CandidateRightsRepository.ts"
import { PersonReviewRepository } from "./person-reviews/PersonReviewRepository.ts"
import { ResultRepository } from "./person-reviews/ResultRepository.ts"
import { SecretKeyRepository } from "./platform/crypto/SecretKeyRepository.ts"
import { FormIdempotencyRepository } from "./platform/http/FormIdempotencyRepository.ts"
import { IdempotencyKeyRepository } from "./platform/http/IdempotencyKeyRepository.ts"
import { QueueActivityRepository } from "./platform/queue/QueueActivityRepository.ts"
import { QueueNotifier } from "./platform/queue/QueueNotifier.ts"
import { QueueRepository } from "./platform/queue/QueueRepository.ts"
import { DataRetentionRepository } from "./privacy/DataRetentionRepository.ts"
import { LegalHoldRepository } from "./privacy/LegalHoldRepository.ts"
import { PersonRepository } from "./privacy/PersonRepository.ts"
import { QueueConsoleRepository } from "./queues/QueueConsoleRepository.ts"
import { RecordRepository } from "./record/RecordRepository.ts"
import { RecordingConsentRepository } from "./recordings/RecordingConsentRepository.ts"
import { RecordingRepository } from "./recordings/RecordingRepository.ts"
import { AssignmentRepository } from "./reviews/AssignmentRepository.ts"
import { BoardRepository } from "./reviews/BoardRepository.ts"
import { CommentRepository } from "./reviews/CommentRepository.ts"
import { ComparisonRepository } from "./reviews/ComparisonRepository.ts"
import { DigestRepository } from "./reviews/DigestRepository.ts"
import { GuestLinkRepository } from "./reviews/GuestLinkRepository.ts"
import { HistoryRepository } from "./reviews/HistoryRepository.ts"
import { OversightRepository } from "./reviews/OversightRepository.ts"
import { ReviewRepository } from "./reviews/ReviewRepository.ts"
import { SavedViewRepository } from "./reviews/SavedViewRepository.ts"
import { WorkspaceHomeRepository } from "./reviews/WorkspaceHomeRepository.ts"
import { SampleRepository } from "./sample/SampleRepository.ts"
import { HiringStageRepository } from "./submissions/HiringStageRepository.ts"
import { SetFigureRepository } from "./submissions/SetFigureRepository.ts"
import { SubmissionRepository } from "./submissions/SubmissionRepository.ts"
import { TagRepository } from "./submissions/TagRepository.ts"
import { TestMailRepository } from "./test-mode/TestMailRepository.ts"
import { TestSpaceRepository } from "./test-mode/TestSpaceRepository.ts"
import { TrialEvaluationRepository } from "./trial-evaluations/TrialEvaluationRepository.ts"
import { TrialRepository } from "./trial-evaluations/TrialRepository.ts"
import { ChatRepository } from "./webhooks/chat/ChatRepository.ts"
import { DeliveryClaimRepository } from "./webhooks/deliveries/DeliveryClaimRepository.ts"
import { DeliveryRepository } from "./webhooks/deliveries/DeliveryRepository.ts"
import { DeliverySettlementRepository } from "./webhooks/deliveries/DeliverySettlementRepository.ts"
import { RetentionRepository } from "./webhooks/deliveries/RetentionRepository.ts"
import { EndpointFilterRepository } from "./webhooks/endpoints/EndpointFilterRepository.ts"
import { EndpointRepository } from "./webhooks/endpoints/EndpointRepository.ts"
import { ProbeRepository } from "./webhooks/endpoints/ProbeRepository.ts"
import { EventRepository } from "./webhooks/events/EventRepository.ts"
import { RehearsalRepository } from "./webhooks/rehearsals/RehearsalRepository.ts"

/** All repositories; needs a Database. */
export const repositories = Layer.mergeAll(
  AnswerRepository.layer,
  ApiKeyRepository.layer,
  OtherModeRepository.layer,
  AppearanceRepository.layer,
  AuditLogRepository.layer,
  AuditSubjectRepository.layer,
  AccommodationRepository.layer,
  PersonReviewRepository.layer,
  CandidateRightsRepository.layer,
  ResultRepository.layer,
  AssignmentRepository.layer,
  BlobChunkRepository.layer,
  BlobRepository.layer,
  BoardRepository.layer,
  CandidateRepository.layer,
  ChatRepository.layer,
  CommentRepository.layer,
  ConnectionRepository.layer,
  CounterfactualAuditRepository.layer,
  CvRepository.layer,
  DeliveryClaimRepository.layer,
  DeliveryRepository.layer,
  DeliverySettlementRepository.layer,
  DigestRepository.layer,
  EmailRepository.layer,
  EmailSubjectRepository.layer,
  EndpointFilterRepository.layer,
  EndpointRepository.layer,
  EvaluationRepository.layer,
  EventRepository.layer,
  FollowUpRepository.layer,
  FormIdempotencyRepository.layer,
  GuestLinkRepository.layer,
  HiringStageRepository.layer,
  HistoryRepository.layer,
  IdempotencyKeyRepository.layer,
  ImpactReportRepository.layer,
  InterviewSetRepository.layer,
  InterviewRepository.layer,
  InvitationReportRepository.layer,
  InvitationRepository.layer,
  InviteRepository.layer,
  MessageTemplateRepository.layer,
  SavedViewRepository.layer,
  EmailEventRepository.layer,
  PasswordLinkRepository.layer,
  RequestLogRepository.layer,
  QueueActivityRepository.layer,
  QueueConsoleRepository.layer,
  QueueRepository.layer,
  DataRetentionRepository.layer,
  OversightRepository.layer,
  LegalHoldRepository.layer,
  NoticeRepository.layer,
  RecordRepository.layer,
  RecordingConsentRepository.layer,
  RecordingRepository.layer,
  MemberRepository.layer,
  NotificationRepository.layer,
  OrderRepository.layer,
  OrganizationRepository.layer,
  ReportRepository.layer,
  SetDraftRepository.layer,
  SetLibraryRepository.layer,
  PersonRepository.layer,
  ProjectRepository.layer,
  ProbeRepository.layer,
  RehearsalRepository.layer,
  RetentionRepository.layer,
  SampleRepository.layer,
  PasskeyRepository.layer,
  SecondFactorRepository.layer,
  SecretKeyRepository.layer,
  SelfIdentificationRepository.layer,
  SessionRepository.layer,
  SignInAttemptRepository.layer,
  ReviewRepository.layer,
  SetFigureRepository.layer,
  SubmissionRepository.layer,
  SuppressionRepository.layer,
  TagRepository.layer,
  TestMailRepository.layer,
  TestSpaceRepository.layer,
  TrialEvaluationRepository.layer,
  TrialRepository.layer,
  ComparisonRepository.layer,
  WorkspaceHomeRepository.layer,
).pipe(Layer.provideMerge(QueueNotifier.layer))
