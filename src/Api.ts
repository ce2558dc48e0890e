/** The contract of the integration API, which clients import; it has no handlers. */
import { Account } from "./accounts/AccountApi.ts"
import { Members } from "./accounts/members/MemberApi.ts"
import { RequestLogGroup } from "./accounts/requests/RequestLogApi.ts"
import { documentation } from "./api-reference/Documentation.ts"
import { InterviewSetChanges, InterviewSets } from "./interview-sets/InterviewSetApi.ts"
import { Projects } from "./interview-sets/ProjectApi.ts"
import { Invitations } from "./invitations/InvitationApi.ts"
import { Suppressions } from "./invitations/SuppressionApi.ts"
import { integrationApi } from "./platform/http/IntegrationApi.ts"
import { Candidates } from "./privacy/PersonApi.ts"
import { Recordings } from "./recordings/RecordingApi.ts"
import { Decisions } from "./reviews/DecisionApi.ts"
import { Files } from "./submissions/FileApi.ts"
import { Submissions } from "./submissions/SubmissionApi.ts"
import { TestMode } from "./test-mode/TestModeApi.ts"
import { WebhookDeliveries } from "./webhooks/deliveries/DeliveryApi.ts"
import { WebhookEndpoints } from "./webhooks/endpoints/EndpointApi.ts"
import { Events } from "./webhooks/events/EventApi.ts"
import { WebhookRehearsals } from "./webhooks/rehearsals/RehearsalApi.ts"

export class Api extends integrationApi(
  InterviewSets,
  InterviewSetChanges,
  Invitations,
  Submissions,
  Files,
  Decisions,
  Recordings,
  Candidates,
  Projects,
  Events,
  WebhookEndpoints,
  WebhookDeliveries,
  RequestLogGroup,
  WebhookRehearsals,
  Suppressions,
  Members,
  TestMode,
  Account,
).annotateMerge(documentation) {}
