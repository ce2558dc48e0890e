/**
 * All wiring: which layer stands behind which service. Read this first, then Adapters.ts, which has what stands behind the
 * ports: a team that swaps a part names it there, `run({ emailSender: MyEmailSender.layer })` (index.ts).
 *
 * ```
 * api, pages ─┐
 *             ├─→ services ─→ repositories ─→ database
 * workers ────┘      └──→ ports ←── adapters
 * ```
 */
import { NodeCrypto, NodeHttpServer } from "@effect/platform-node"
import { Context, Duration, Effect, Layer } from "effect"
import { HttpIncomingMessage, HttpRouter } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { adapters, blobStore, replacing, webhookTransport } from "./Adapters.ts"
import { Api } from "./api/Api.ts"
import { Config } from "./Config.ts"
import * as AccountApi from "./http/Account.ts"
import { Assets } from "./http/Assets.ts"
import * as Authentication from "./http/Authentication.ts"
import * as BodyBudget from "./http/BodyBudget.ts"
import * as ClientAddress from "./http/ClientAddress.ts"
import * as Docs from "./http/Docs.ts"
import { Drain } from "./http/Drain.ts"
import * as EventsApi from "./http/Events.ts"
import * as Health from "./http/Health.ts"
import * as Home from "./http/Home.ts"
import * as IdempotencyHeader from "./http/Idempotency.ts"
import * as InterviewAnswers from "./http/InterviewAnswers.ts"
import * as InterviewSetsApi from "./http/InterviewSets.ts"
import * as InterviewPages from "./http/Interviews.ts"
import * as InvitationsApi from "./http/Invitations.ts"
import * as MailboxPages from "./http/Mailbox.ts"
import * as MailLinkPages from "./http/MailLinks.ts"
import * as Problems from "./http/Problems.ts"
import * as ProjectsApi from "./http/Projects.ts"
import * as RequestHead from "./http/RequestHead.ts"
import * as RequestId from "./http/RequestId.ts"
import { counting, matching, routeShare } from "./http/RequestMetrics.ts"
import * as SampleCv from "./http/SampleCv.ts"
import * as SecurityHeaders from "./http/SecurityHeaders.ts"
import * as SendGridEvents from "./http/SendGridEvents.ts"
import * as Server from "./http/Server.ts"
import * as SubmissionsApi from "./http/Submissions.ts"
import { Throttle } from "./http/Throttle.ts"
import * as TrialHost from "./http/TrialHost.ts"
import * as UnknownLink from "./http/UnknownLink.ts"
import * as UnknownPath from "./http/UnknownPath.ts"
import * as WorkspacePages from "./http/WorkspacePages.ts"
import { Share } from "./repository/Connections.ts"
import { QueueNotifier } from "./repository/QueueNotifier.ts"
import { repositories } from "./repository/Repositories.ts"
import { Accounts } from "./service/Accounts.ts"
import { ApiKeys } from "./service/ApiKeys.ts"
import { AuditTrail } from "./service/AuditTrail.ts"
import { Cvs } from "./service/Cvs.ts"
import { Deliveries } from "./service/Deliveries.ts"
import { DeliveryInspector } from "./service/DeliveryInspector.ts"
import { DeliveryLog } from "./service/DeliveryLog.ts"
import { EmailEventProcessor } from "./service/EmailEventProcessor.ts"
import { EmailEvents } from "./service/EmailEvents.ts"
import { Emails } from "./service/Emails.ts"
import { Endpoints } from "./service/Endpoints.ts"
import { Evaluations } from "./service/Evaluations.ts"
import { Events } from "./service/Events.ts"
import { FormSubmissions } from "./service/FormSubmissions.ts"
import { Idempotency } from "./service/Idempotency.ts"
import { InterviewSets } from "./service/InterviewSets.ts"
import { Interviews } from "./service/Interviews.ts"
import { Invitations } from "./service/Invitations.ts"
import { Invite } from "./service/Invite.ts"
import { Links } from "./service/Links.ts"
import { Mailbox } from "./service/Mailbox.ts"
import { Members } from "./service/Members.ts"
import { Organizations } from "./service/Organizations.ts"
import { PasswordLinks } from "./service/PasswordLinks.ts"
import { Passwords } from "./service/Passwords.ts"
import { People } from "./service/People.ts"
import { Projects } from "./service/Projects.ts"
import { ProviderSignIns } from "./service/ProviderSignIns.ts"
import { Reminders } from "./service/Reminders.ts"
import { Retention } from "./service/Retention.ts"
import { Reviews } from "./service/Reviews.ts"
import { SecretBox } from "./service/SecretBox.ts"
import { checkSecretKeys } from "./service/SecretKeys.ts"
import { Sessions } from "./service/Sessions.ts"
import { Setup } from "./service/Setup.ts"
import { SignatureChecks } from "./service/SignatureChecks.ts"
import { SignIns } from "./service/SignIns.ts"
import { Submissions } from "./service/Submissions.ts"
import { TestDeliveries } from "./service/TestDeliveries.ts"
import { TrackingLinks } from "./service/TrackingLinks.ts"
import { Uploads } from "./service/Uploads.ts"
import * as WorkerMetrics from "./service/WorkerMetrics.ts"
import * as Workers from "./worker/Workers.ts"

export { adapters, replacing, repositories, webhookTransport }

/** Keys and records that an operator sets up or has evaluated again: all that needs neither a port nor a setting. */
export const administration = Layer.mergeAll(ApiKeys.layer, Projects.layer, Reviews.layer).pipe(
  Layer.provideMerge(Organizations.layer),
  Layer.provideMerge(Passwords.layer),
)

/** What people may ask for, with their files. */
export const people = People.layer.pipe(Layer.provide(blobStore))

/** Taking in what is reported on mails; needs no setting. */
export const mailReports = EmailEvents.layer

/** The vault without `checkSecretKeys`, for commands on a database that lost a key. */
export const uncheckedVault = Layer.unwrap(Effect.map(Config, ({ secretKeys }) => SecretBox.layer(secretKeys)))

/** The services that need SECRET_KEY. Fails with WrongSecretKey when the database was used with another key. */
export const sealed = Layer.mergeAll(Endpoints.layer, Links.layer, Setup.layer).pipe(
  Layer.provide(Passwords.layer),
  Layer.provideMerge(Layer.tap(uncheckedVault, (context) => Effect.provideContext(checkSecretKeys, context))),
)

/** Invitations that were made; needs what is sealed. */
export const invitations = Invitations.layer.pipe(Layer.provide(Events.layer))

/** What people do with endpoints and deliveries; needs a transport. */
export const webhooks = Layer.mergeAll(
  DeliveryInspector.layer,
  DeliveryLog.layer,
  SignatureChecks.layer,
  TestDeliveries.layer,
)

/** The use cases; needs repositories, Config and the ports. */
export const services = Layer.mergeAll(
  Accounts.layer,
  AuditTrail.layer,
  Cvs.layer,
  Deliveries.layer,
  Emails.layer,
  FormSubmissions.layer,
  TrackingLinks.layer,
  EmailEventProcessor.layer,
  Members.layer.pipe(Layer.provideMerge(PasswordLinks.layer)),
  People.layer,
  ProviderSignIns.layer,
  SignIns.layer,
  WorkerMetrics.layer,
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
      Reminders.layer,
      Retention.layer,
      Sessions.layer,
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
  Layer.provideMerge(QueueNotifier.layer),
)

/** What a process of any role answers. */
export const health = Health.layer

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
  health,
  SendGridEvents.layer,
)

/** The candidate's pages, and the workspace. */
export const pages = Layer.mergeAll(
  Assets.routes,
  InterviewAnswers.layer,
  InterviewPages.layer,
  MailLinkPages.layer,
  UnknownLink.layer,
  UnknownPath.layer,
  WorkspacePages.layer,
)

/** What a machine has that somebody tries the product on: a first page, a mailbox, a sample; never part of `serve`. */
export const trial = Layer.mergeAll(
  Home.layer,
  SampleCv.layer,
  MailboxPages.layer.pipe(Layer.provide(Mailbox.layer)),
  TrialHost.layer,
)

/** Serves routes on PORT, of every address or of `host` alone, with the one error shape and the body limit around them. */
export const serve = <E, R>(routes: Layer.Layer<never, E, R>, host?: string) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { appUrl, keepAlive, maxBody, port } = yield* Config
      const drain = yield* Drain
      const budget = yield* BodyBudget.make(Number(maxBody))
      // for the whole server: adding services to each request makes effect copy all its services more often
      const limits = Context.make(HttpIncomingMessage.MaxBodySize, maxBody).pipe(
        Context.add(BodyBudget.BodyBudget, budget),
        Context.add(Share, routeShare),
      )
      return HttpRouter.serve(
        routes.pipe(
          Layer.provide(matching),
          Layer.provide([Problems.layer, ClientAddress.layer]),
          Layer.provide([
            counting,
            SecurityHeaders.layer,
            RequestId.layer,
            RequestHead.layer,
            Assets.layer,
            Throttle.layer,
          ]),
        ),
        { disableLogger: true, disableListenLog: true },
      ).pipe(
        Layer.provide(Layer.succeedContext(limits)),
        Layer.provideMerge(
          NodeHttpServer.layer(
            () =>
              Server.make({ isDraining: drain.hasBegun, keepAlive, headers: SecurityHeaders.securityHeaders(appUrl) }),
            { port, ...(host === undefined ? {} : { host }), gracefulShutdownTimeout: Duration.seconds(10) },
          ),
        ),
      )
    }),
  )

export const workers = Workers.layer
