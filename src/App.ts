/**
 * All wiring: which layer stands behind which service. Read this first; a team that swaps a part builds its own App from
 * these pieces and puts its layer where ours is.
 *
 * ```
 * api, pages ─┐
 *             ├─→ services ─→ repositories ─→ database
 * workers ────┘      └──→ ports ←── adapters
 * ```
 */
import { NodeCrypto, NodeHttpServer } from "@effect/platform-node"
import { Duration, Effect, Layer } from "effect"
import { HttpIncomingMessage, HttpRouter } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import * as KeywordEvaluator from "./adapter/KeywordEvaluator.ts"
import * as MailboxEmailSender from "./adapter/MailboxEmailSender.ts"
import * as SendGridEmailSender from "./adapter/SendGridEmailSender.ts"
import * as SmtpEmailSender from "./adapter/SmtpEmailSender.ts"
import * as UndiciWebhookTransport from "./adapter/UndiciWebhookTransport.ts"
import { Api } from "./api/Api.ts"
import { Config, type EmailSettings } from "./Config.ts"
import * as AccountApi from "./http/Account.ts"
import * as ApiKeyPages from "./http/ApiKeyPages.ts"
import { Assets } from "./http/Assets.ts"
import * as Authentication from "./http/Authentication.ts"
import * as DeliveryPages from "./http/DeliveryPages.ts"
import * as Docs from "./http/Docs.ts"
import * as EventsApi from "./http/Events.ts"
import * as Health from "./http/Health.ts"
import * as Home from "./http/Home.ts"
import * as IdempotencyHeader from "./http/Idempotency.ts"
import * as InterviewAnswers from "./http/InterviewAnswers.ts"
import * as InterviewSetsApi from "./http/InterviewSets.ts"
import * as InterviewPages from "./http/Interviews.ts"
import * as InvitationPages from "./http/InvitationPages.ts"
import * as InvitationsApi from "./http/Invitations.ts"
import * as InvitePages from "./http/InvitePages.ts"
import * as MailboxPages from "./http/Mailbox.ts"
import * as MailLinkPages from "./http/MailLinks.ts"
import * as Problems from "./http/Problems.ts"
import * as ProjectPages from "./http/ProjectPages.ts"
import * as ProjectsApi from "./http/Projects.ts"
import * as RequestId from "./http/RequestId.ts"
import * as SendGridEvents from "./http/SendGridEvents.ts"
import * as Server from "./http/Server.ts"
import * as SetPages from "./http/SetPages.ts"
import * as SetPreview from "./http/SetPreview.ts"
import * as SignInPages from "./http/SignIn.ts"
import * as SubmissionList from "./http/SubmissionList.ts"
import * as SubmissionPages from "./http/SubmissionPages.ts"
import * as SubmissionsApi from "./http/Submissions.ts"
import * as TrialHost from "./http/TrialHost.ts"
import * as WebhookPages from "./http/WebhookPages.ts"
import * as WebhookTools from "./http/WebhookTools.ts"
import { Answers } from "./repository/Answers.ts"
import { ApiKeys as ApiKeysRepository } from "./repository/ApiKeys.ts"
import { AuditLog } from "./repository/AuditLog.ts"
import { BlobChunks } from "./repository/BlobChunks.ts"
import { Blobs } from "./repository/Blobs.ts"
import { Candidates as CandidatesRepository } from "./repository/Candidates.ts"
import { Deliveries as DeliveriesRepository } from "./repository/Deliveries.ts"
import { DeliveryHistory } from "./repository/DeliveryHistory.ts"
import { Dossiers as DossiersRepository } from "./repository/Dossiers.ts"
import { EmailHistory } from "./repository/EmailHistory.ts"
import { Emails as EmailsRepository } from "./repository/Emails.ts"
import { EndpointFacts } from "./repository/EndpointFacts.ts"
import { Endpoints as EndpointsRepository } from "./repository/Endpoints.ts"
import { Evaluations as EvaluationsRepository } from "./repository/Evaluations.ts"
import { Events as EventsRepository } from "./repository/Events.ts"
import { HolisticEvaluations } from "./repository/HolisticEvaluations.ts"
import { IdempotencyKeys } from "./repository/IdempotencyKeys.ts"
import { InterviewSets as InterviewSetsRepository } from "./repository/InterviewSets.ts"
import { Interviews as InterviewsRepository } from "./repository/Interviews.ts"
import { InvitationDetails as InvitationDetailsRepository } from "./repository/InvitationDetails.ts"
import { InvitationRecords as InvitationRecordsRepository } from "./repository/InvitationRecords.ts"
import { InvitationReminders } from "./repository/InvitationReminders.ts"
import { InvitationRenewals } from "./repository/InvitationRenewals.ts"
import { Invitations as InvitationsRepository } from "./repository/Invitations.ts"
import { Invites } from "./repository/Invites.ts"
import { MailReports as MailReportsRepository } from "./repository/MailReports.ts"
import { Organizations as OrganizationsRepository } from "./repository/Organizations.ts"
import { ProjectRecords as ProjectRecordsRepository } from "./repository/ProjectRecords.ts"
import { Projects as ProjectsRepository } from "./repository/Projects.ts"
import { Retention as RetentionRepository } from "./repository/Retention.ts"
import { Reviews as ReviewsRepository } from "./repository/Reviews.ts"
import { Sessions as SessionsRepository } from "./repository/Sessions.ts"
import { SetRecords as SetRecordsRepository } from "./repository/SetRecords.ts"
import { SignInAttempts } from "./repository/SignInAttempts.ts"
import { SubmissionDetails as SubmissionDetailsRepository } from "./repository/SubmissionDetails.ts"
import { SubmissionRecords as SubmissionRecordsRepository } from "./repository/SubmissionRecords.ts"
import { Submissions as SubmissionsRepository } from "./repository/Submissions.ts"
import { Suppressions } from "./repository/Suppressions.ts"
import { Wakeups } from "./repository/Wakeups.ts"
import { ApiKeys } from "./service/ApiKeys.ts"
import { Deliveries } from "./service/Deliveries.ts"
import { DeliveryEvidence } from "./service/DeliveryEvidence.ts"
import { DeliveryLog } from "./service/DeliveryLog.ts"
import { Dossiers } from "./service/Dossiers.ts"
import { Emails } from "./service/Emails.ts"
import { Endpoints } from "./service/Endpoints.ts"
import { Evaluations } from "./service/Evaluations.ts"
import { Events } from "./service/Events.ts"
import { Idempotency } from "./service/Idempotency.ts"
import { InterviewSets } from "./service/InterviewSets.ts"
import { Interviews } from "./service/Interviews.ts"
import { InvitationRecords } from "./service/InvitationRecords.ts"
import { Invitations } from "./service/Invitations.ts"
import { Invite } from "./service/Invite.ts"
import { Links } from "./service/Links.ts"
import { Mailbox } from "./service/Mailbox.ts"
import { MailLinks } from "./service/MailLinks.ts"
import { MailReports } from "./service/MailReports.ts"
import { MailSignals } from "./service/MailSignals.ts"
import { Organizations } from "./service/Organizations.ts"
import * as PasswordSignIn from "./service/PasswordSignIn.ts"
import * as PostgresBlobStore from "./service/PostgresBlobStore.ts"
import { ProjectRecords } from "./service/ProjectRecords.ts"
import { Projects } from "./service/Projects.ts"
import { Reminders } from "./service/Reminders.ts"
import { Retention } from "./service/Retention.ts"
import { Reviews } from "./service/Reviews.ts"
import { Sessions } from "./service/Sessions.ts"
import { SetRecords } from "./service/SetRecords.ts"
import { SignatureChecks } from "./service/SignatureChecks.ts"
import { SignIns } from "./service/SignIns.ts"
import { SubmissionRecords } from "./service/SubmissionRecords.ts"
import { Submissions } from "./service/Submissions.ts"
import { TestDeliveries } from "./service/TestDeliveries.ts"
import { Uploads } from "./service/Uploads.ts"
import { Vault } from "./service/Vault.ts"
import * as Workers from "./worker/Workers.ts"

/** Everything that reads or writes Postgres; needs a Database. */
export const repositories = Layer.mergeAll(
  Answers.layer,
  ApiKeysRepository.layer,
  AuditLog.layer,
  BlobChunks.layer,
  Blobs.layer,
  CandidatesRepository.layer,
  DeliveriesRepository.layer,
  DeliveryHistory.layer,
  DossiersRepository.layer,
  EmailHistory.layer,
  EmailsRepository.layer,
  EndpointFacts.layer,
  EndpointsRepository.layer,
  EvaluationsRepository.layer,
  EventsRepository.layer,
  HolisticEvaluations.layer,
  IdempotencyKeys.layer,
  InterviewsRepository.layer,
  InterviewSetsRepository.layer,
  InvitationDetailsRepository.layer,
  InvitationRecordsRepository.layer,
  InvitationReminders.layer,
  InvitationRenewals.layer,
  InvitationsRepository.layer,
  Invites.layer,
  MailReportsRepository.layer,
  OrganizationsRepository.layer,
  ProjectRecordsRepository.layer,
  ProjectsRepository.layer,
  RetentionRepository.layer,
  ReviewsRepository.layer,
  SessionsRepository.layer,
  SetRecordsRepository.layer,
  SignInAttempts.layer,
  SubmissionDetailsRepository.layer,
  SubmissionRecordsRepository.layer,
  SubmissionsRepository.layer,
  Suppressions.layer,
).pipe(Layer.provideMerge(Wakeups.layer))

/** How webhooks are sent. */
export const webhookTransport = Layer.unwrap(
  Effect.map(Config, ({ outboundAllow, webhookConcurrency, webhookTimeout }) =>
    UndiciWebhookTransport.layer({
      allowed: outboundAllow,
      timeout: webhookTimeout,
      connectionsPerOrigin: webhookConcurrency,
    }),
  ),
)

/** How mails leave. */
export const emailSender = (email: EmailSettings) => {
  switch (email._tag) {
    case "mailbox":
      return MailboxEmailSender.layer
    case "smtp":
      return SmtpEmailSender.layer(email)
    case "sendgrid":
      return SendGridEmailSender.layer(email)
  }
}

/** What is replaced by settings: how mails leave, who evaluates, how webhooks are sent; how members sign in, and where files are kept. */
export const adapters = Layer.unwrap(
  Effect.gen(function* () {
    const config = yield* Config
    const evaluators = { keyword: KeywordEvaluator.layer }
    return Layer.mergeAll(
      evaluators[config.evaluator],
      emailSender(config.email),
      PasswordSignIn.layer,
      PostgresBlobStore.layer,
      webhookTransport,
    )
  }),
)

/** Keys and records that an operator sets up or has evaluated again: all that needs neither a port nor a setting. */
export const administration = Layer.mergeAll(ApiKeys.layer, Projects.layer, Reviews.layer).pipe(
  Layer.provideMerge(Organizations.layer),
)

/** Taking in what is reported on mails; needs no setting. */
export const mailReports = MailReports.layer

/** Everything that needs SECRET_KEY. */
export const sealed = Layer.mergeAll(Endpoints.layer, Links.layer).pipe(
  Layer.provideMerge(Layer.unwrap(Effect.map(Config, ({ secretKeys }) => Vault.layer(secretKeys)))),
)

/** Invitations that were made; needs what is sealed. */
export const invitations = Invitations.layer.pipe(Layer.provide(Events.layer))

/** What people do with endpoints and deliveries; needs a transport. */
export const webhooks = Layer.mergeAll(
  DeliveryEvidence.layer,
  DeliveryLog.layer,
  SignatureChecks.layer,
  TestDeliveries.layer,
)

/** The use cases; needs repositories, Config and the ports. */
export const services = Layer.mergeAll(
  Deliveries.layer,
  Dossiers.layer,
  Emails.layer,
  InvitationRecords.layer,
  MailLinks.layer,
  MailSignals.layer,
  SignIns.layer,
  webhooks,
).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      administration,
      Evaluations.layer,
      Idempotency.layer,
      Interviews.layer,
      InterviewSets.layer,
      Invitations.layer,
      Invite.layer,
      mailReports,
      ProjectRecords.layer,
      Reminders.layer,
      Retention.layer,
      Sessions.layer,
      SetRecords.layer,
      SubmissionRecords.layer,
      Submissions.layer,
      Uploads.layer,
    ),
  ),
  Layer.provideMerge(Layer.merge(Events.layer, sealed)),
  Layer.provideMerge(NodeCrypto.layer),
)

/**
 * What routes and workers stand on; needs a Database and Config. Repositories stay out of it: a request copies the
 * services that its route could ask for, nine times in an invite of one candidate (counted).
 */
export const foundation = services.pipe(
  Layer.provideMerge(adapters),
  Layer.provide(repositories),
  Layer.provideMerge(Wakeups.layer),
)

/** The routes of the integration API, of its documentation, of the health checks and of what providers report. */
export const api = Layer.mergeAll(
  HttpApiBuilder.layer(Api).pipe(
    Layer.provide([
      AccountApi.layer,
      EventsApi.layer,
      InterviewSetsApi.layer,
      InvitationsApi.layer,
      ProjectsApi.layer,
      SubmissionsApi.layer,
    ]),
    Layer.provide([Authentication.layer, IdempotencyHeader.layer, Problems.requestFaults]),
  ),
  Docs.layer,
  Health.layer,
  SendGridEvents.layer,
)

/** The pages of members. */
export const workspace = Layer.mergeAll(
  ApiKeyPages.layer,
  DeliveryPages.layer,
  InvitationPages.layer,
  InvitePages.layer,
  ProjectPages.layer,
  SetPages.layer,
  SetPreview.layer,
  SignInPages.layer,
  SubmissionList.layer,
  SubmissionPages.layer,
  WebhookPages.layer,
  WebhookTools.layer,
)

/** The candidate's pages, and the workspace. */
export const pages = Layer.mergeAll(
  Assets.routes,
  InterviewAnswers.layer,
  InterviewPages.layer,
  MailLinkPages.layer,
  workspace,
)

/** What a machine has that somebody tries the product on: a first page and a mailbox; never part of `serve`. */
export const trial = Layer.mergeAll(Home.layer, MailboxPages.layer.pipe(Layer.provide(Mailbox.layer)), TrialHost.layer)

/** Serves routes on PORT, of every address or of `host` alone, with the one error shape and the body limit around them. */
export const serve = <E, R>(routes: Layer.Layer<never, E, R>, host?: string) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { maxBody, port } = yield* Config
      const bodyLimit = HttpRouter.middleware(Effect.provideService(HttpIncomingMessage.MaxBodySize, maxBody), {
        global: true,
      })
      return HttpRouter.serve(
        routes.pipe(
          Layer.provide([Problems.layer, bodyLimit]),
          Layer.provide(RequestId.layer),
          Layer.provide(Assets.layer),
        ),
        {
          disableLogger: true,
          disableListenLog: true,
        },
      ).pipe(
        Layer.provideMerge(
          NodeHttpServer.layer(Server.make, {
            port,
            ...(host === undefined ? {} : { host }),
            gracefulShutdownTimeout: Duration.seconds(10),
          }),
        ),
      )
    }),
  )

export const workers = Workers.layer
