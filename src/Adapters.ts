/**
 * What stands behind each port, and what a team puts in its place:
 *
 * ```ts
 * run({ emailSender: MyEmailSender.layer, retries: { webhook: Schedule.spaced("1 minute").pipe(Schedule.upTo({ times: 10 })) } })
 * ```
 *
 * A part that is not named is ours, as the settings have it. `ours` is there to build on: a layer that needs the port it
 * stands behind, `MyReader.pipe(Layer.provide(ours.cvReader))`, does some of the work and leaves ours the rest.
 */
import { NodeCrypto, type NodeServices } from "@effect/platform-node"
import { Context, Duration, Effect, Layer } from "effect"
import * as OpenIdSignIn from "./accounts/OpenIdSignIn.ts"
import * as PasswordSignIn from "./accounts/PasswordSignIn.ts"
import { Passwords } from "./accounts/Passwords.ts"
import { SignIn } from "./accounts/SignIn.ts"
import { type FileSettings, files, OwnEmailSender } from "./config/AdapterSettings.ts"
import { Config } from "./config/Config.ts"
import * as ChildCvReader from "./cv/ChildCvReader.ts"
import type { CvFetcher } from "./cv/CvFetcher.ts"
import { concurrency as cvConcurrency } from "./cv/CvQueue.ts"
import type { CvReader } from "./cv/CvReader.ts"
import * as GuardedCvFetcher from "./cv/GuardedCvFetcher.ts"
import { EmailSender } from "./emails/EmailSender.ts"
import * as MailboxEmailSender from "./emails/MailboxEmailSender.ts"
import * as SendGridEmailSender from "./emails/SendGridEmailSender.ts"
import * as SmtpEmailSender from "./emails/SmtpEmailSender.ts"
import * as ChildComputation from "./evaluations/computation/ChildComputation.ts"
import type { Computation } from "./evaluations/computation/Computation.ts"
import type { Evaluator } from "./evaluations/Evaluator.ts"
import * as KeywordEvaluator from "./evaluations/KeywordEvaluator.ts"
import * as ModelEvaluator from "./evaluations/ModelEvaluator.ts"
import type { BlobStore } from "./files/BlobStore.ts"
import * as RoutingBlobStore from "./files/RoutingBlobStore.ts"
import * as S3BlobStore from "./files/S3BlobStore.ts"
import type { repositories } from "./Repositories.ts"
import * as RetryPolicy from "./values/RetryPolicy.ts"
import * as UndiciWebhookTransport from "./webhooks/UndiciWebhookTransport.ts"
import type { WebhookTransport } from "./webhooks/WebhookTransport.ts"

/** The services that a part may require: settings, Node's services, computation in child processes, repositories. */
export type Ground = Computation | Config | NodeServices.NodeServices | Layer.Success<typeof repositories>

/** The layer of a port. An error ends the start with its message. */
type Part<I, R = Ground> = Layer.Layer<I, Error, R>

export interface Parts {
  /** How mails leave. EMAIL is then not read. */
  readonly emailSender?: Part<EmailSender>
  /** Who rates what candidates say. */
  readonly evaluator?: Part<Evaluator>
  /** How webhooks are sent; whoever sends them guards where they may go. */
  readonly webhookTransport?: Part<WebhookTransport>
  /** How the file behind a CV link is fetched; whoever fetches guards where that may lead. */
  readonly cvFetcher?: Part<CvFetcher>
  /** How files become text. */
  readonly cvReader?: Part<CvReader>
  /**
   * Where the content of files is kept. What was kept elsewhere before stays there and is not found. Commands that export
   * and erase people need it without settings.
   */
  readonly blobStore?: Part<BlobStore, Exclude<Ground, Computation | Config>>
  /** How members prove who they are. */
  readonly signIn?: Part<SignIn>
  /** How long until the next attempt, and when to give up. With one for webhooks, WEBHOOK_RETRY_… have no effect. */
  readonly retries?: RetryPolicy.Policies
}

export const Parts = Context.Reference<Parts>("interview-invitations/Parts", { defaultValue: () => ({}) })

/** These parts, in the place of ours, for every layer that is built upon this one. */
export const replacing = (parts: Parts): Layer.Layer<never> =>
  Layer.mergeAll(
    Layer.succeed(Parts, parts),
    Layer.succeed(OwnEmailSender, parts.emailSender !== undefined),
    Layer.succeed(RetryPolicy.Policies, parts.retries ?? {}),
  )

/** Where files are kept, by these settings. */
export const blobStoreOf = ({ s3, store }: FileSettings) =>
  RoutingBlobStore.layer(store, s3 === undefined ? undefined : S3BlobStore.layer(s3))

/** What stands behind each port unless a team says otherwise; some of it is chosen by settings. */
export const ours = {
  emailSender: Layer.unwrap(
    Effect.map(Config, ({ email }) => {
      switch (email._tag) {
        case "mailbox":
          return MailboxEmailSender.layer
        case "smtp":
          return SmtpEmailSender.layer(email)
        case "sendgrid":
          return SendGridEmailSender.layer(email)
        case "own":
          return Layer.effect(
            EmailSender,
            Effect.die(new Error("a sender of one's own is built on no setting of EMAIL")),
          )
      }
    }),
  ),
  evaluator: Layer.unwrap(
    Effect.map(Config, ({ evaluator }) =>
      evaluator._tag === "keyword" ? KeywordEvaluator.layer : ModelEvaluator.layer(evaluator),
    ),
  ),
  webhookTransport: Layer.unwrap(
    Effect.map(Config, ({ outboundAllow, webhookConcurrency, webhookTimeout }) =>
      UndiciWebhookTransport.layer({
        allowed: outboundAllow,
        timeout: webhookTimeout,
        connectionsPerOrigin: webhookConcurrency,
      }),
    ),
  ),
  /** 20 seconds for everything that a link leads through. */
  cvFetcher: Layer.unwrap(
    Effect.map(Config, ({ outboundAllow }) =>
      GuardedCvFetcher.layer({ allowed: outboundAllow, timeout: Duration.seconds(20), concurrency: cvConcurrency }),
    ),
  ),
  cvReader: ChildCvReader.layer(),
  /** Its settings are read apart from the others: commands that need nothing else need them. */
  blobStore: Layer.unwrap(Effect.map(files, blobStoreOf)),
  signIn: Layer.effect(
    SignIn,
    Effect.gen(function* () {
      const { openId } = yield* Config
      return SignIn.of({
        form: openId?.passwords === false ? undefined : yield* PasswordSignIn.make,
        provider: openId === undefined ? undefined : yield* OpenIdSignIn.make(openId),
      })
    }),
  ).pipe(Layer.provide([NodeCrypto.layer, Passwords.layer])),
}

/** The team's, or else ours. */
const orOurs = <I, T, E, R>(theirs: (parts: Parts) => Part<I, T> | undefined, ours: Layer.Layer<I, E, R>) =>
  Layer.unwrap(Effect.map(Parts, (parts): Layer.Layer<I, E | Error, R | T> => theirs(parts) ?? ours))

export const blobStore = orOurs((parts) => parts.blobStore, ours.blobStore)

/** One pool of child processes, started on first use. */
const computation = ChildComputation.layer()

export const webhookTransport = orOurs((parts) => parts.webhookTransport, ours.webhookTransport).pipe(
  Layer.provide(computation),
)

/** A layer for every port. */
export const adapters = Layer.mergeAll(
  orOurs((parts) => parts.emailSender, ours.emailSender),
  orOurs((parts) => parts.evaluator, ours.evaluator),
  orOurs((parts) => parts.cvFetcher, ours.cvFetcher),
  orOurs((parts) => parts.cvReader, ours.cvReader),
  orOurs((parts) => parts.signIn, ours.signIn),
  blobStore,
  webhookTransport,
).pipe(Layer.provideMerge(computation))
