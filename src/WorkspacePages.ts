/** The pages of members. */
import { Layer } from "effect"
import * as AppearancePages from "./accounts/AppearancePages.ts"
import * as AuditPages from "./accounts/AuditPages.ts"
import * as ApiKeyPages from "./accounts/api-keys/ApiKeyPages.ts"
import * as AccountPages from "./accounts/members/AccountPages.ts"
import * as MemberPages from "./accounts/members/MemberPages.ts"
import * as OrganizationPages from "./accounts/OrganizationPages.ts"
import * as ReasonPages from "./accounts/ReasonPages.ts"
import * as RequestLogPages from "./accounts/requests/RequestLogPages.ts"
import * as PasskeyPages from "./accounts/sign-in/PasskeyPages.ts"
import * as Passwords from "./accounts/sign-in/PasswordPages.ts"
import * as SecondFactors from "./accounts/sign-in/SecondFactorPages.ts"
import * as Setup from "./accounts/sign-in/SetupPages.ts"
import * as SignIn from "./accounts/sign-in/SignInPages.ts"
import * as HiringSystemPages from "./ats/HiringSystemPages.ts"
import * as CounterfactualPages from "./counterfactual/CounterfactualPages.ts"
import * as CvCorrectionPages from "./cv/CvCorrectionPages.ts"
import * as ImpactRatioPages from "./impact/ImpactRatioPages.ts"
import * as VoluntaryQuestionPages from "./impact/VoluntaryQuestionPages.ts"
import * as ProjectPages from "./interview-sets/ProjectPages.ts"
import * as SetForms from "./interview-sets/SetFormPages.ts"
import * as AppearancePreview from "./interviews/AppearancePreviewPages.ts"
import * as SetPreview from "./interviews/PreviewPages.ts"
import * as EmailSubjectPages from "./invitations/EmailSubjectPages.ts"
import * as InviteColumnsPages from "./invitations/InviteColumnsPages.ts"
import * as InvitePages from "./invitations/InvitePages.ts"
import * as MessageTemplatePages from "./invitations/MessageTemplatePages.ts"
import * as NoticePages from "./notices/NoticePages.ts"
import * as CandidateRightsPages from "./person-reviews/CandidateRightsPages.ts"
import * as PersonReviewListPages from "./person-reviews/PersonReviewListPages.ts"
import * as LegalHoldPages from "./privacy/LegalHoldPages.ts"
import * as PeoplePages from "./privacy/PeoplePages.ts"
import * as RetentionPages from "./privacy/RetentionPages.ts"
import * as QueuePages from "./queues/QueuePages.ts"
import * as RecordPages from "./record/RecordPages.ts"
import * as RecordingConsentPages from "./recordings/RecordingConsentPages.ts"
import * as AccommodationListPages from "./reviews/AccommodationListPages.ts"
import * as AssignmentPages from "./reviews/AssignmentPages.ts"
import * as BoardPages from "./reviews/BoardPages.ts"
import * as CommentPages from "./reviews/CommentPages.ts"
import * as ComparePages from "./reviews/ComparePages.ts"
import * as GuestLinkPages from "./reviews/GuestLinkPages.ts"
import * as HiringStagePages from "./reviews/HiringStagePages.ts"
import * as InvitationPages from "./reviews/InvitationPages.ts"
import * as LetterPages from "./reviews/LetterPages.ts"
import * as OversightPages from "./reviews/OversightPages.ts"
import * as ReviewPages from "./reviews/ReviewPages.ts"
import * as SavedViewPages from "./reviews/SavedViewPages.ts"
import * as SelectedSubmissions from "./reviews/SelectedSubmissionPages.ts"
import * as SetPages from "./reviews/SetPages.ts"
import * as SubmissionList from "./reviews/SubmissionListPages.ts"
import * as SubmissionPages from "./reviews/SubmissionPages.ts"
import * as SubmissionRecordPages from "./reviews/SubmissionRecordPages.ts"
import * as TagPages from "./reviews/TagPages.ts"
import * as TagSettingsPages from "./reviews/TagSettingsPages.ts"
import * as WorkspaceHome from "./reviews/WorkspaceHomePages.ts"
import * as SamplePages from "./sample/SamplePages.ts"
import * as TestModePages from "./test-mode/TestModePages.ts"
import * as TrialPages from "./trial-evaluations/TrialPages.ts"
import * as ChannelPages from "./webhooks/chat/ChannelPages.ts"
import * as DeliveryPages from "./webhooks/deliveries/DeliveryPages.ts"
import * as WebhookPages from "./webhooks/endpoints/EndpointPages.ts"
import * as WebhookTools from "./webhooks/endpoints/WebhookToolPages.ts"
import * as RehearsalPages from "./webhooks/rehearsals/RehearsalPages.ts"

export const layer = Layer.mergeAll(
  AccommodationListPages.layer,
  PersonReviewListPages.layer,
  CandidateRightsPages.layer,
  AccountPages.layer,
  ApiKeyPages.layer,
  AppearancePages.layer,
  AppearancePreview.layer,
  AuditPages.layer,
  AssignmentPages.layer,
  BoardPages.layer,
  CounterfactualPages.layer,
  CvCorrectionPages.layer,
  CommentPages.layer,
  ComparePages.layer,
  DeliveryPages.layer,
  GuestLinkPages.layer,
  HiringStagePages.layer,
  HiringSystemPages.layer,
  ImpactRatioPages.layer,
  InvitationPages.layer,
  InviteColumnsPages.layer,
  InvitePages.layer,
  LetterPages.layer,
  MemberPages.layer,
  NoticePages.layer,
  EmailSubjectPages.layer,
  MessageTemplatePages.layer,
  SavedViewPages.layer,
  OrganizationPages.layer,
  OversightPages.layer,
  QueuePages.layer,
  RehearsalPages.layer,
  Passwords.layer,
  LegalHoldPages.layer,
  PeoplePages.layer,
  RetentionPages.layer,
  ProjectPages.layer,
  ReasonPages.layer,
  RequestLogPages.layer,
  RecordPages.layer,
  RecordingConsentPages.layer,
  ReviewPages.layer,
  SamplePages.layer,
  SetForms.layer,
  SetPages.layer,
  SetPreview.layer,
  PasskeyPages.layer,
  SecondFactors.layer,
  Setup.layer,
  SignIn.layer,
  SelectedSubmissions.layer,
  SubmissionList.layer,
  SubmissionPages.layer,
  SubmissionRecordPages.layer,
  TagPages.layer,
  TagSettingsPages.layer,
  TestModePages.layer,
  TrialPages.layer,
  VoluntaryQuestionPages.layer,
  ChannelPages.layer,
  WebhookPages.layer,
  WebhookTools.layer,
  WorkspaceHome.layer,
)
