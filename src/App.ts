/**
 * All wiring. Adapters.ts has the adapters of ports.
 *
 * ```
 * api, pages ─┐
 *             ├─→ services ─→ repositories ─→ database
 * workers ────┘      └──→ ports ←── adapters
 * ```
 */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Context, Duration, Effect, Layer, Redacted } from "effect"
import { HttpIncomingMessage, HttpRouter } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { adapters, blobStore, webhookTransport, withAdapters } from "./Adapters.ts"
import { Api } from "./Api.ts"
import * as AccountApi from "./accounts/AccountApiHandlers.ts"
import { Appearances } from "./accounts/Appearances.ts"
import { AuditLog } from "./accounts/AuditLog.ts"
import { ApiKeys } from "./accounts/api-keys/ApiKeys.ts"
import * as Authentication from "./accounts/api-keys/AuthenticationApiHandlers.ts"
import * as IdempotencyHeader from "./accounts/api-keys/IdempotencyApiHandlers.ts"
import { ModeHints } from "./accounts/api-keys/ModeHints.ts"
import * as MembersApi from "./accounts/members/MemberApiHandlers.ts"
import { Members } from "./accounts/members/Members.ts"
import * as NotificationPages from "./accounts/members/NotificationPages.ts"
import { Notifications } from "./accounts/members/Notifications.ts"
import { OwnAccount } from "./accounts/members/OwnAccount.ts"
import { Organizations } from "./accounts/Organizations.ts"
import { RequestLog } from "./accounts/requests/RequestLog.ts"
import * as RequestLogApi from "./accounts/requests/RequestLogApiHandlers.ts"
import { Passkeys } from "./accounts/sign-in/Passkeys.ts"
import { PasswordLinks } from "./accounts/sign-in/PasswordLinks.ts"
import { Passwords } from "./accounts/sign-in/Passwords.ts"
import { ProviderSignIns } from "./accounts/sign-in/ProviderSignIns.ts"
import { SecondFactors } from "./accounts/sign-in/SecondFactors.ts"
import { Sessions } from "./accounts/sign-in/Sessions.ts"
import { Setup } from "./accounts/sign-in/Setup.ts"
import { SignInAttempts } from "./accounts/sign-in/SignInAttempts.ts"
import { TrialPlaces } from "./accounts/TrialPlaces.ts"
import { unknownPath } from "./accounts/Workspace.ts"
import { ApiDocument, operationReference } from "./api-reference/ApiDocument.ts"
import * as Docs from "./api-reference/DocsRoutes.ts"
import { ConnectionAuthentication } from "./ats/ConnectionAuthentication.ts"
import { GrantedTokens } from "./ats/GrantedTokens.ts"
import { HiringSystemConnections } from "./ats/HiringSystemConnections.ts"
import * as HiringSystemRoutes from "./ats/HiringSystemRoutes.ts"
import { Orders } from "./ats/Orders.ts"
import { ReportQueue } from "./ats/ReportQueue.ts"
import { Config, secretKeys } from "./config/Config.ts"
import { CounterfactualAudits } from "./counterfactual/CounterfactualAudits.ts"
import { SwapEvaluations } from "./counterfactual/SwapEvaluations.ts"
import { CvCorrections } from "./cv/CvCorrections.ts"
import { CvQueue } from "./cv/CvQueue.ts"
import * as Home from "./dev/HomePages.ts"
import * as LocalHost from "./dev/LocalHost.ts"
import { Mailbox } from "./dev/Mailbox.ts"
import * as MailboxPages from "./dev/MailboxPages.ts"
import * as SampleCv from "./dev/SampleCvPages.ts"
import { BounceMailbox } from "./emails/BounceMailbox.ts"
import { EmailEventProcessor } from "./emails/EmailEventProcessor.ts"
import { EmailEventReceiver } from "./emails/EmailEventReceiver.ts"
import { EmailLinks } from "./emails/EmailLinks.ts"
import { EmailQueue } from "./emails/EmailQueue.ts"
import * as MailgunEvents from "./emails/MailgunEventRoutes.ts"
import * as PostmarkEvents from "./emails/PostmarkEventRoutes.ts"
import * as SendGridEvents from "./emails/SendGridEventRoutes.ts"
import * as SesEvents from "./emails/SesEventRoutes.ts"
import { EvaluationQueue } from "./evaluations/EvaluationQueue.ts"
import { Evaluator } from "./evaluations/Evaluator.ts"
import { UsedEvaluator } from "./evaluations/UsedEvaluator.ts"
import { ImpactReports } from "./impact/ImpactReports.ts"
import { VoluntaryQuestions } from "./impact/VoluntaryQuestions.ts"
import { EvaluatedLanguages } from "./interview-sets/EvaluatedLanguages.ts"
import * as InterviewSetsApi from "./interview-sets/InterviewSetApiHandlers.ts"
import { InterviewSets } from "./interview-sets/InterviewSets.ts"
import * as ProjectsApi from "./interview-sets/ProjectApiHandlers.ts"
import { Projects } from "./interview-sets/Projects.ts"
import { SetDrafts } from "./interview-sets/SetDrafts.ts"
import { SetLibrary } from "./interview-sets/SetLibrary.ts"
import * as AccommodationPages from "./interviews/AccommodationPages.ts"
import { Accommodations } from "./interviews/Accommodations.ts"
import * as CandidateNoticePages from "./interviews/CandidateNoticePages.ts"
import { CandidateNotices } from "./interviews/CandidateNotices.ts"
import { CandidateResults } from "./interviews/CandidateResults.ts"
import * as InterviewAnswers from "./interviews/InterviewAnswerPages.ts"
import * as InterviewPages from "./interviews/InterviewPages.ts"
import { Interviews } from "./interviews/Interviews.ts"
import * as LinkRepair from "./interviews/LinkRepairPages.ts"
import * as PersonReviewPages from "./interviews/PersonReviewPages.ts"
import { PersonReviewRequests } from "./interviews/PersonReviewRequests.ts"
import * as RecordingPages from "./interviews/RecordingPages.ts"
import * as ResultPages from "./interviews/ResultPages.ts"
import * as SelfIdentificationPages from "./interviews/SelfIdentificationPages.ts"
import { SelfIdentifications } from "./interviews/SelfIdentifications.ts"
import { Uploads } from "./interviews/Uploads.ts"
import { EmailSubjects } from "./invitations/EmailSubjects.ts"
import { FollowUps } from "./invitations/FollowUps.ts"
import * as InvitationsApi from "./invitations/InvitationApiHandlers.ts"
import * as InvitationEmailsAdapter from "./invitations/InvitationEmailsAdapter.ts"
import { InvitationReports } from "./invitations/InvitationReports.ts"
import { Invitations } from "./invitations/Invitations.ts"
import { Invite } from "./invitations/Invite.ts"
import { InviteCheck } from "./invitations/InviteCheck.ts"
import { MessageTemplates } from "./invitations/MessageTemplates.ts"
import { Reminders } from "./invitations/Reminders.ts"
import * as SuppressionsApi from "./invitations/SuppressionApiHandlers.ts"
import { Suppressions } from "./invitations/Suppressions.ts"
import * as MailLinkPages from "./invitations/TrackingLinkPages.ts"
import { TrackingLinks } from "./invitations/TrackingLinks.ts"
import { NoticeGifts } from "./notices/NoticeGifts.ts"
import { Notices } from "./notices/Notices.ts"
import * as PublicNoticePages from "./notices/PublicNoticePages.ts"
import { CandidateRightsSettings } from "./person-reviews/CandidateRightsSettings.ts"
import { PersonReviews } from "./person-reviews/PersonReviews.ts"
import { ResultOffers } from "./person-reviews/ResultOffers.ts"
import { SecretBox } from "./platform/crypto/SecretBox.ts"
import { checkSecretKeys } from "./platform/crypto/SecretKeys.ts"
import { Share } from "./platform/database/Connections.ts"
import { Assets } from "./platform/http/Assets.ts"
import { BodyBudget, makeBodyBudget } from "./platform/http/BodyReader.ts"
import * as ClientAddress from "./platform/http/ClientAddress.ts"
import { Drain } from "./platform/http/Drain.ts"
import { FormIdempotency } from "./platform/http/FormIdempotency.ts"
import * as Health from "./platform/http/HealthRoutes.ts"
import * as HeldPort from "./platform/http/HeldPort.ts"
import { Idempotency } from "./platform/http/Idempotency.ts"
import * as Middleware from "./platform/http/Middleware.ts"
import * as Problems from "./platform/http/ProblemApiHandlers.ts"
import * as Server from "./platform/http/Server.ts"
import { Throttle } from "./platform/http/Throttle.ts"
import { Ids } from "./platform/NewIds.ts"
import { QueueActivity } from "./platform/queue/QueueActivity.ts"
import { QueueNotifier } from "./platform/queue/QueueNotifier.ts"
import { QueueStatistics } from "./platform/queue/QueueStatistics.ts"
import { WorkerLiveness } from "./platform/queue/WorkerLiveness.ts"
import { Metrics } from "./platform/telemetry/Metrics.ts"
import { DataRetention } from "./privacy/DataRetention.ts"
import { LegalHolds } from "./privacy/LegalHolds.ts"
import { People } from "./privacy/People.ts"
import * as CandidatesApi from "./privacy/PersonApiHandlers.ts"
import { QueueConsole } from "./queues/QueueConsole.ts"
import { repositories } from "./Repositories.ts"
import { RecordEntries } from "./record/RecordEntries.ts"
import { RecordExports } from "./record/RecordExports.ts"
import { RecordKeys } from "./record/RecordKeys.ts"
import { RecordSealer } from "./record/RecordSealer.ts"
import * as RecordingsApi from "./recordings/RecordingApiHandlers.ts"
import { RecordingConsents } from "./recordings/RecordingConsents.ts"
import { RecordingQueue } from "./recordings/RecordingQueue.ts"
import { Recordings } from "./recordings/Recordings.ts"
import { Assignments } from "./reviews/Assignments.ts"
import { Boards } from "./reviews/Boards.ts"
import { Comments } from "./reviews/Comments.ts"
import { Comparison } from "./reviews/Comparison.ts"
import * as DecisionsApi from "./reviews/DecisionApiHandlers.ts"
import { Decisions } from "./reviews/Decisions.ts"
import { Digests } from "./reviews/Digests.ts"
import { GuestLinks } from "./reviews/GuestLinks.ts"
import { HiringStages } from "./reviews/HiringStages.ts"
import { Overrides } from "./reviews/Overrides.ts"
import { Oversight } from "./reviews/Oversight.ts"
import { Reviews } from "./reviews/Reviews.ts"
import { SavedViews } from "./reviews/SavedViews.ts"
import * as SharedPages from "./reviews/SharedPages.ts"
import { StageMoves } from "./reviews/StageMoves.ts"
import { SubmissionChanges } from "./reviews/SubmissionChanges.ts"
import { SubmissionOverviews } from "./reviews/SubmissionOverviews.ts"
import { Tags } from "./reviews/Tags.ts"
import { WorkspaceHome } from "./reviews/WorkspaceHome.ts"
import { Samples } from "./sample/Samples.ts"
import * as FilesApi from "./submissions/FileApiHandlers.ts"
import { SetFigures } from "./submissions/SetFigures.ts"
import * as SubmissionsApi from "./submissions/SubmissionApiHandlers.ts"
import { Submissions } from "./submissions/Submissions.ts"
import { TestCandidates } from "./test-mode/TestCandidates.ts"
import { TestMailbox } from "./test-mode/TestMailbox.ts"
import * as TestModeApi from "./test-mode/TestModeApiHandlers.ts"
import { TestSpaces } from "./test-mode/TestSpaces.ts"
import { TrialEvaluations } from "./trial-evaluations/TrialEvaluations.ts"
import { Trials } from "./trial-evaluations/Trials.ts"
import * as Workers from "./Workers.ts"
import * as WorkspacePages from "./WorkspacePages.ts"
import { ChatMessages } from "./webhooks/chat/ChatMessages.ts"
import { Deliveries } from "./webhooks/deliveries/Deliveries.ts"
import * as WebhookDeliveriesApi from "./webhooks/deliveries/DeliveryApiHandlers.ts"
import { DeliveryInspector } from "./webhooks/deliveries/DeliveryInspector.ts"
import { DeliveryQueue } from "./webhooks/deliveries/DeliveryQueue.ts"
import { Retention } from "./webhooks/deliveries/Retention.ts"
import * as WebhookEndpointsApi from "./webhooks/endpoints/EndpointApiHandlers.ts"
import { EndpointProbes } from "./webhooks/endpoints/EndpointProbes.ts"
import { EndpointSecrets } from "./webhooks/endpoints/EndpointSecrets.ts"
import { Endpoints } from "./webhooks/endpoints/Endpoints.ts"
import { SignatureChecks } from "./webhooks/endpoints/SignatureChecks.ts"
import { TestDeliveries } from "./webhooks/endpoints/TestDeliveries.ts"
import * as EventsApi from "./webhooks/events/EventApiHandlers.ts"
import { Events } from "./webhooks/events/Events.ts"
import * as RehearsalsApi from "./webhooks/rehearsals/RehearsalApiHandlers.ts"
import { Rehearsals } from "./webhooks/rehearsals/Rehearsals.ts"

export { adapters, repositories, webhookTransport, withAdapters }

/** Of all services: needs the repositories of the audit log and of the record. */
const common = Layer.mergeAll(AuditLog.layer, Ids.layer, RecordEntries.layer)

/** For commands; needs neither ports nor settings. */
export const administration = Layer.mergeAll(
  ApiKeys.layer,
  Projects.layer,
  Overrides.layer,
  QueueConsole.layer,
  Suppressions.layer,
).pipe(Layer.provideMerge(Organizations.layer), Layer.provideMerge(Passwords.layer), Layer.provide(common))

export const mailReports = EmailEventReceiver.layer

/** Without `checkSecretKeys`, for commands on a database whose key was lost. */
export const uncheckedSecretBox = Layer.unwrap(Effect.map(Config, (config) => SecretBox.layer(config.secretKeys)))

const unknownKey = [Redacted.make(new Uint8Array(32))]

/** Needs no SECRET_KEY; without it, erasing a person deletes the stored results of all forms of the organization. */
export const people = People.layer.pipe(
  Layer.provide([
    blobStore,
    FormIdempotency.layer.pipe(
      Layer.provide(
        Layer.unwrap(
          Effect.map(
            Effect.orElseSucceed(secretKeys, () => unknownKey),
            SecretBox.layer,
          ),
        ),
      ),
    ),
    common,
  ]),
)

/** For the command that removes the sample organization; needs no SECRET_KEY. */
export const samples = Samples.layer.pipe(
  Layer.provide(TestSpaces.layer),
  Layer.provide([blobStore, common]),
  Layer.provide(NodeCrypto.layer),
)

/** For the commands of test mode; needs no SECRET_KEY. */
export const testSpaces = TestSpaces.layer.pipe(Layer.provide([blobStore, common]), Layer.provide(NodeCrypto.layer))

const endpoints = Endpoints.layer.pipe(Layer.provideMerge(EndpointSecrets.layer))

/** Fails with WrongSecretKey when the database was used with another key. */
export const secretServices = Layer.mergeAll(endpoints, EmailLinks.layer, Setup.layer).pipe(
  Layer.provide([Passwords.layer, common]),
  Layer.provideMerge(Layer.tap(uncheckedSecretBox, (context) => Effect.provideContext(checkSecretKeys, context))),
)

export const invitations = Invitations.layer.pipe(Layer.provide(common))

export const emailEvents = EmailEventProcessor.layer.pipe(
  Layer.provide(
    InvitationEmailsAdapter.layer.pipe(Layer.provide(InvitationReports.layer), Layer.provide(Events.layer)),
  ),
  Layer.provide(common),
)

export const hiringSystems = HiringSystemConnections.layer.pipe(Layer.provide(common))

export const webhooks = Layer.mergeAll(
  DeliveryInspector.layer,
  Deliveries.layer,
  Rehearsals.layer,
  SignatureChecks.layer,
  TestDeliveries.layer,
).pipe(Layer.provide([ChatMessages.layer, common]))

/** The record of evaluations and decisions; needs SECRET_KEY. */
export const record = Layer.merge(RecordExports.layer, RecordSealer.layer).pipe(
  Layer.provideMerge(RecordKeys.layer),
  Layer.provide(common),
)

const evaluatedLanguages = Layer.effect(
  EvaluatedLanguages,
  Effect.map(Evaluator, ({ languages }) => languages ?? null),
)

const usedEvaluator = Layer.effect(
  UsedEvaluator,
  Effect.gen(function* () {
    const { embeddings } = yield* Config
    const { description } = yield* Evaluator
    if (description === undefined) return null
    const isEmbedding = description.model !== null && description.host === null && embeddings !== undefined
    return isEmbedding ? { ...description, host: new URL(embeddings.url).host } : description
  }),
)

const monitoring = Health.Readiness.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(WorkerLiveness.layer, Metrics.layer, QueueActivity.layer, QueueStatistics.layer)),
)

export const services = Layer.mergeAll(
  OwnAccount.layer,
  CvCorrections.layer,
  CvQueue.layer,
  GrantedTokens.layer,
  ConnectionAuthentication.layer,
  hiringSystems,
  Layer.provideMerge(ReportQueue.layer, Orders.layer),
  Layer.provideMerge(DeliveryQueue.layer, EndpointProbes.layer),
  TestCandidates.layer.pipe(
    Layer.provide(EmailQueue.immediate),
    Layer.provideMerge(Layer.merge(EmailQueue.layer.pipe(Layer.provide(InvitationEmailsAdapter.layer)), emailEvents)),
  ),
  TrackingLinks.layer,
  Members.layer.pipe(Layer.provideMerge(PasswordLinks.layer)),
  Layer.merge(DataRetention.layer, LegalHolds.layer).pipe(
    Layer.provideMerge(People.layer.pipe(Layer.provideMerge(FormIdempotency.layer))),
  ),
  ProviderSignIns.layer,
  Layer.merge(Passkeys.layer, SignInAttempts.layer).pipe(Layer.provideMerge(SecondFactors.layer)),
  Layer.provideMerge(SubmissionOverviews.layer, Layer.merge(Comments.layer, GuestLinks.layer)),
  monitoring,
  record,
  Layer.provideMerge(
    Layer.merge(Trials.layer, Layer.provide(CounterfactualAudits.layer, SwapEvaluations.layer)),
    TrialEvaluations.layer,
  ),
  webhooks,
).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      administration,
      Appearances.layer,
      Boards.layer,
      CandidateNotices.layer,
      Comparison.layer,
      Decisions.layer,
      Digests.layer,
      EmailSubjects.layer,
      Oversight.layer,
      EvaluationQueue.layer,
      FollowUps.layer,
      Idempotency.layer,
      ImpactReports.layer,
      Interviews.layer,
      InterviewSets.layer,
      InvitationReports.layer,
      Invitations.layer,
      Invite.layer,
      InviteCheck.layer,
      MessageTemplates.layer,
      Notices.layer,
      SavedViews.layer,
      Layer.provideMerge(BounceMailbox.layer, mailReports),
      RecordingConsents.layer,
      Layer.provideMerge(RecordingQueue.layer, Recordings.layer),
      Reminders.layer,
      RequestLog.layer,
      ModeHints.layer,
      Retention.layer,
      HiringStages.layer,
      Reviews.layer,
      SelfIdentifications.layer,
      CandidateResults.layer,
      CandidateRightsSettings.layer,
      ResultOffers.layer,
      StageMoves.layer,
      SubmissionChanges.layer,
      Tags.layer,
      TestMailbox.layer.pipe(Layer.provide(InvitationReports.layer)),
      Layer.provide(Samples.layer, TestSpaces.layer),
      Sessions.layer,
      SetDrafts.layer,
      SetLibrary.layer,
      SetFigures.layer,
      Submissions.layer,
      TestSpaces.layer,
      Uploads.layer,
      VoluntaryQuestions.layer,
      Layer.provideMerge(
        Layer.merge(PersonReviewRequests.layer, WorkspaceHome.layer),
        Layer.mergeAll(Accommodations.layer, Assignments.layer, PersonReviews.layer),
      ),
    ),
  ),
  Layer.provideMerge(Notifications.layer),
  Layer.provideMerge(Layer.mergeAll(ChatMessages.layer, Events.layer, NoticeGifts.layer, secretServices)),
  Layer.provideMerge(common),
  Layer.provideMerge(Layer.mergeAll(evaluatedLanguages, usedEvaluator, NodeCrypto.layer)),
)

/**
 * The services of routes and workers; needs Database and Config. Routes get no repositories, because effect copies the
 * services of a request's routes several times (nine for an invite).
 */
export const foundation = services.pipe(
  Layer.provideMerge(adapters),
  Layer.provide(repositories),
  Layer.provideMerge(QueueNotifier.layer),
)

export const health = Health.layer

/** Shared by `api` and `pages`: built once. */
const document = ApiDocument.layer(Api)

export const api = Layer.mergeAll(
  HttpApiBuilder.layer(Api).pipe(
    Layer.provide([
      AccountApi.layer,
      RequestLogApi.layer,
      EventsApi.layer,
      InterviewSetsApi.layer,
      InvitationsApi.layer,
      ProjectsApi.layer,
      SubmissionsApi.layer,
      FilesApi.layer,
      CandidatesApi.layer,
      SuppressionsApi.layer,
      MembersApi.layer,
      DecisionsApi.layer,
      RecordingsApi.layer,
      TestModeApi.layer,
      WebhookEndpointsApi.layer,
      WebhookDeliveriesApi.layer,
      RehearsalsApi.layer,
    ]),
    Layer.provide([Authentication.layer, IdempotencyHeader.layer, Problems.requestErrors]),
  ),
  Docs.layer.pipe(Layer.provide(document)),
  health,
  HiringSystemRoutes.layer,
  SendGridEvents.layer,
  PostmarkEvents.layer,
  MailgunEvents.layer,
  SesEvents.layer,
)

export const pages = Layer.mergeAll(
  Assets.routes,
  InterviewAnswers.layer,
  RecordingPages.layer,
  AccommodationPages.layer,
  PersonReviewPages.layer,
  ResultPages.layer,
  SelfIdentificationPages.layer,
  CandidateNoticePages.layer,
  PublicNoticePages.layer,
  InterviewPages.layer,
  MailLinkPages.layer,
  NotificationPages.layer,
  LinkRepair.layer,
  SharedPages.layer,
  unknownPath,
  WorkspacePages.layer.pipe(Layer.provide(operationReference.pipe(Layer.provide(document)))),
)

/** Pages of `npm start` and the demo. */
export const dev = Layer.mergeAll(
  Home.layer,
  SampleCv.layer,
  MailboxPages.layer.pipe(Layer.provide(Mailbox.layer)),
  LocalHost.layer,
)

/** The workspace's pages link to those of `npm start`. */
export const trialPlaces = Layer.succeed(TrialPlaces, { mailbox: "/mailbox", receiver: "/receiver" })

/** Listens on the port that the process holds, else on PORT of HOST; without HOST on `host`, or, when it is undefined, on all addresses. */
export const serve = <E, R>(routes: Layer.Layer<never, E, R>, defaultHost?: string) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { appUrl, host = defaultHost, keepAlive, maxBody, port } = yield* Config
      const drain = yield* Drain
      const held = yield* HeldPort.Held
      const options = { gracefulShutdownTimeout: Duration.seconds(10) }
      const budget = yield* makeBodyBudget(Number(maxBody))
      // provided once for the server, because effect copies a request's services several times
      const limits = Context.make(HttpIncomingMessage.MaxBodySize, maxBody).pipe(
        Context.add(BodyBudget, budget),
        Context.add(Share, Middleware.routeShare),
      )
      return HttpRouter.serve(
        routes.pipe(
          Layer.provide(Middleware.matching),
          Layer.provide([Problems.layer(Api), ClientAddress.layer]),
          Layer.provide([Middleware.requests, Assets.layer, Throttle.layer]),
        ),
        { disableLogger: true, disableListenLog: true },
      ).pipe(
        Layer.provide(Layer.succeedContext(limits)),
        Layer.provideMerge(
          NodeHttpServer.layer(
            () => Server.make({ isDraining: drain.hasBegun, keepAlive, headers: Middleware.standardHeaders(appUrl) }),
            held === undefined ? { ...options, port, host } : HeldPort.takeOver(held, options),
          ),
        ),
      )
    }),
  )

/** For processes that serve the API: the server depends on it, so that the last requests are written after its end. */
export const requestLog = RequestLog.writer

export const workers = Workers.layer
