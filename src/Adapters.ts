/**
 * The adapter of each port, and how a custom program replaces it:
 *
 * ```ts
 * run({ emailSender: MyEmailSender.layer, retries: { webhook: Schedule.spaced("1 minute").pipe(Schedule.upTo({ times: 10 })) } })
 * ```
 *
 * A part can wrap a default: `MyReader.pipe(Layer.provide(ours.cvReader))`.
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

export type Ground = Computation | Config | NodeServices.NodeServices | Layer.Success<typeof repositories>

/** An error stops the start with its message. */
type Part<I, R = Ground> = Layer.Layer<I, Error, R>

export interface Parts {
  /** EMAIL is then ignored. */
  readonly emailSender?: Part<EmailSender>
  readonly evaluator?: Part<Evaluator>
  /** Must check the addresses itself. */
  readonly webhookTransport?: Part<WebhookTransport>
  /** Must check the addresses itself. */
  readonly cvFetcher?: Part<CvFetcher>
  readonly cvReader?: Part<CvReader>
  /** Files stored elsewhere before are not found. Commands that export and erase people use it without settings. */
  readonly blobStore?: Part<BlobStore, Exclude<Ground, Computation | Config>>
  readonly signIn?: Part<SignIn>
  /** With a schedule for webhooks, WEBHOOK_RETRY_… have no effect. */
  readonly retries?: RetryPolicy.Policies
}

export const Parts = Context.Reference<Parts>("interview-invitations/Parts", { defaultValue: () => ({}) })

export const replacing = (parts: Parts): Layer.Layer<never> =>
  Layer.mergeAll(
    Layer.succeed(Parts, parts),
    Layer.succeed(OwnEmailSender, parts.emailSender !== undefined),
    Layer.succeed(RetryPolicy.Policies, parts.retries ?? {}),
  )

export const blobStoreOf = ({ s3, store }: FileSettings) =>
  RoutingBlobStore.layer(store, s3 === undefined ? undefined : S3BlobStore.layer(s3))

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
          return Layer.effect(EmailSender, Effect.die(new Error("a custom emailSender has no default to build on")))
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
  cvFetcher: Layer.unwrap(
    Effect.map(Config, ({ outboundAllow }) =>
      GuardedCvFetcher.layer({ allowed: outboundAllow, timeout: Duration.seconds(20), concurrency: cvConcurrency }),
    ),
  ),
  cvReader: ChildCvReader.layer(),
  /** Reads only its own settings, for commands that need no others. */
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

const orOurs = <I, T, E, R>(theirs: (parts: Parts) => Part<I, T> | undefined, ours: Layer.Layer<I, E, R>) =>
  Layer.unwrap(Effect.map(Parts, (parts): Layer.Layer<I, E | Error, R | T> => theirs(parts) ?? ours))

export const blobStore = orOurs((parts) => parts.blobStore, ours.blobStore)

/** One pool of child processes, started on first use. */
const computation = ChildComputation.layer()

export const webhookTransport = orOurs((parts) => parts.webhookTransport, ours.webhookTransport).pipe(
  Layer.provide(computation),
)

export const adapters = Layer.mergeAll(
  orOurs((parts) => parts.emailSender, ours.emailSender),
  orOurs((parts) => parts.evaluator, ours.evaluator),
  orOurs((parts) => parts.cvFetcher, ours.cvFetcher),
  orOurs((parts) => parts.cvReader, ours.cvReader),
  orOurs((parts) => parts.signIn, ours.signIn),
  blobStore,
  webhookTransport,
).pipe(Layer.provideMerge(computation))
