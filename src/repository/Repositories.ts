/** All repositories as one layer. */
import { Layer } from "effect"
import { Answers } from "./Answers.ts"
import { ApiKeys } from "./ApiKeys.ts"
import { AuditLog } from "./AuditLog.ts"
import { BlobChunks } from "./BlobChunks.ts"
import { Blobs } from "./Blobs.ts"
import { Candidates } from "./Candidates.ts"
import { Cvs } from "./Cvs.ts"
import { Deliveries } from "./Deliveries.ts"
import { DeliveryHistory } from "./DeliveryHistory.ts"
import { EmailHistory } from "./EmailHistory.ts"
import { EmailRepository } from "./EmailRepository.ts"
import { EndpointFacts } from "./EndpointFacts.ts"
import { Endpoints } from "./Endpoints.ts"
import { Erasures } from "./Erasures.ts"
import { Evaluations } from "./Evaluations.ts"
import { Events } from "./Events.ts"
import { FormAnswers } from "./FormAnswers.ts"
import { HolisticEvaluations } from "./HolisticEvaluations.ts"
import { IdempotencyKeys } from "./IdempotencyKeys.ts"
import { InterviewSetRepository } from "./InterviewSetRepository.ts"
import { Interviews } from "./Interviews.ts"
import { InvitationRepository } from "./InvitationRepository.ts"
import { Invites } from "./Invites.ts"
import { MailReports } from "./MailReports.ts"
import { MemberIdentities } from "./MemberIdentities.ts"
import { MemberLinks } from "./MemberLinks.ts"
import { Members } from "./Members.ts"
import { Organizations } from "./Organizations.ts"
import { People } from "./People.ts"
import { ProjectRepository } from "./ProjectRepository.ts"
import { Retention } from "./Retention.ts"
import { Reviews } from "./Reviews.ts"
import { SecretKeys } from "./SecretKeys.ts"
import { Sessions } from "./Sessions.ts"
import { SignInAttempts } from "./SignInAttempts.ts"
import { SubmissionRepository } from "./SubmissionRepository.ts"
import { Suppressions } from "./Suppressions.ts"
import { Wakeups } from "./Wakeups.ts"

/** Everything that reads or writes Postgres; needs a Database. */
export const repositories = Layer.mergeAll(
  Answers.layer,
  ApiKeys.layer,
  AuditLog.layer,
  BlobChunks.layer,
  Blobs.layer,
  Candidates.layer,
  Cvs.layer,
  Deliveries.layer,
  DeliveryHistory.layer,
  EmailHistory.layer,
  EmailRepository.layer,
  EndpointFacts.layer,
  Endpoints.layer,
  Evaluations.layer,
  Events.layer,
  FormAnswers.layer,
  HolisticEvaluations.layer,
  IdempotencyKeys.layer,
  InterviewSetRepository.layer,
  Interviews.layer,
  InvitationRepository.layer,
  Invites.layer,
  MailReports.layer,
  MemberIdentities.layer,
  MemberLinks.layer,
  Members.layer,
  Organizations.layer,
  People.layer.pipe(Layer.provide(Erasures.layer)),
  ProjectRepository.layer,
  Retention.layer,
  Reviews.layer,
  SecretKeys.layer,
  Sessions.layer,
  SignInAttempts.layer,
  SubmissionRepository.layer,
  Suppressions.layer,
).pipe(Layer.provideMerge(Wakeups.layer))
