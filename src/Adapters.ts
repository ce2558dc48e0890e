/**
 * The adapter of each port. A custom program replaces some:
 *
 * ```ts
 * run({ emailSender: MyEmailSender.layer, retries: { webhook: Schedule.spaced("1 minute").pipe(Schedule.upTo({ times: 10 })) } })
 * ```
 *
 * An adapter can wrap a default: `MyReader.pipe(Layer.provide(defaults.cvReader))`.
 */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import type * as NodeServices from "@effect/platform-node/NodeServices"
import { Context, Duration, Effect, Layer } from "effect"
import * as OpenIdSignIn from "./accounts/sign-in/OpenIdSignIn.ts"
import * as PasswordSignIn from "./accounts/sign-in/PasswordSignIn.ts"
import { Passwords } from "./accounts/sign-in/Passwords.ts"
import { SignIn } from "./accounts/sign-in/SignIn.ts"
import { cvOcr, type FileSettings, files } from "./config/AdapterSettings.ts"
import { Config, type Settings } from "./config/Config.ts"
import { OwnEmailSender, type ProviderSettings } from "./config/EmailSettings.ts"
import * as ChildCvReader from "./cv/ChildCvReader.ts"
import type { CvFetcher } from "./cv/CvFetcher.ts"
import { concurrency as cvConcurrency } from "./cv/CvQueue.ts"
import type { CvReader } from "./cv/CvReader.ts"
import * as GuardedCvFetcher from "./cv/GuardedCvFetcher.ts"
import { EmailSender } from "./emails/EmailSender.ts"
import * as MailboxEmailSender from "./emails/MailboxEmailSender.ts"
import * as MailgunEmailSender from "./emails/MailgunEmailSender.ts"
import * as PostmarkEmailSender from "./emails/PostmarkEmailSender.ts"
import * as SendGridEmailSender from "./emails/SendGridEmailSender.ts"
import * as SesEmailSender from "./emails/SesEmailSender.ts"
import * as SmtpEmailSender from "./emails/SmtpEmailSender.ts"
import * as ChildComputation from "./evaluations/computation/ChildComputation.ts"
import type { Computation } from "./evaluations/computation/Computation.ts"
import { Embedder } from "./evaluations/Embedder.ts"
import type { Evaluator } from "./evaluations/Evaluator.ts"
import * as KeywordEvaluator from "./evaluations/KeywordEvaluator.ts"
import * as ModelEvaluator from "./evaluations/ModelEvaluator.ts"
import * as OpenAiEmbedder from "./evaluations/OpenAiEmbedder.ts"
import type { BlobStore } from "./files/BlobStore.ts"
import * as RoutingBlobStore from "./files/RoutingBlobStore.ts"
import * as S3BlobStore from "./files/S3BlobStore.ts"
import type { repositories } from "./Repositories.ts"
import * as OpenAiTranscriber from "./recordings/OpenAiTranscriber.ts"
import { Transcriber } from "./recordings/Transcriber.ts"
import { definedOnly } from "./values/definedOnly.ts"
import * as RetryPolicy from "./values/RetryPolicy.ts"
import * as UndiciWebhookTransport from "./webhooks/deliveries/UndiciWebhookTransport.ts"
import type { WebhookTransport } from "./webhooks/deliveries/WebhookTransport.ts"

export type AdapterServices = Computation | Config | NodeServices.NodeServices | Layer.Success<typeof repositories>

/** An error stops the program at startup, with its message. */
type Adapter<I, R = AdapterServices> = Layer.Layer<I, Error, R>

export interface Adapters {
  /** EMAIL is then ignored. */
  readonly emailSender?: Adapter<EmailSender>
  readonly evaluator?: Adapter<Evaluator>
  /** For the default evaluator. EMBEDDINGS_… then have no effect. */
  readonly embedder?: Adapter<Embedder>
  /** TRANSCRIBE_… then have no effect. */
  readonly transcriber?: Adapter<Transcriber>
  /** Must check the addresses itself. */
  readonly webhookTransport?: Adapter<WebhookTransport>
  /** Must check the addresses itself. */
  readonly cvFetcher?: Adapter<CvFetcher>
  readonly cvReader?: Adapter<CvReader>
  /**
   * Files stored earlier by another store are not found. The commands that export and erase people use it without
   * Config.
   */
  readonly blobStore?: Adapter<BlobStore, Exclude<AdapterServices, Computation | Config>>
  readonly signIn?: Adapter<SignIn>
  /** With a schedule for webhooks, WEBHOOK_RETRY_… have no effect. */
  readonly retries?: RetryPolicy.Policies
}

export const Adapters = Context.Reference<Adapters>("interview-invitations/Adapters", { defaultValue: () => ({}) })

export const withAdapters = (custom: Adapters): Layer.Layer<never> =>
  Layer.mergeAll(
    Layer.succeed(Adapters, custom),
    Layer.succeed(OwnEmailSender, custom.emailSender !== undefined),
    Layer.succeed(RetryPolicy.Policies, custom.retries ?? {}),
  )

export const blobStoreOf = ({ s3, store }: FileSettings) =>
  RoutingBlobStore.layer(store, s3 === undefined ? undefined : S3BlobStore.layer(s3))

const orDefault = <I, T, E, R>(
  chosen: (custom: Adapters) => Adapter<I, T> | undefined,
  byDefault: Layer.Layer<I, E, R>,
) => Layer.unwrap(Effect.map(Adapters, (custom): Layer.Layer<I, E | Error, R | T> => chosen(custom) ?? byDefault))

const defaultEmbedder = Layer.unwrap(
  Effect.map(Config, ({ embeddings, outboundProxy }) =>
    embeddings === undefined ? Embedder.off : OpenAiEmbedder.layer({ ...embeddings, proxy: outboundProxy }),
  ),
)

/** The sender of the settings; for `email test`, `trace` gets the dialogue with the SMTP server. */
export const providerSender = (
  {
    appUrl,
    email,
    outboundProxy: proxy,
  }: Pick<Settings, "appUrl" | "outboundProxy"> & { readonly email: ProviderSettings },
  trace?: (line: string) => void,
) => {
  switch (email._tag) {
    case "smtp":
      return SmtpEmailSender.layer(definedOnly({ ...email, name: SmtpEmailSender.greetingOf(appUrl), trace, proxy }))
    case "sendgrid":
      return SendGridEmailSender.layer({ ...email, proxy })
    case "ses":
      return SesEmailSender.layer({ ...email, proxy })
    case "mailgun":
      return MailgunEmailSender.layer({ ...email, proxy })
    case "postmark":
      return PostmarkEmailSender.layer({ ...email, proxy })
  }
}

export const defaults = {
  emailSender: Layer.unwrap(
    Effect.map(Config, ({ appUrl, email, outboundProxy }) => {
      switch (email._tag) {
        case "mailbox":
          return MailboxEmailSender.layer
        case "own":
          return Layer.effect(EmailSender, Effect.die(new Error("a custom emailSender has no default to build on")))
        default:
          return providerSender({ appUrl, email, outboundProxy })
      }
    }),
  ),
  evaluator: Layer.unwrap(
    Effect.map(Config, ({ evaluator, outboundProxy }) =>
      evaluator._tag === "keyword"
        ? KeywordEvaluator.layer.pipe(Layer.provide(orDefault((custom) => custom.embedder, defaultEmbedder)))
        : ModelEvaluator.layer({ ...evaluator, proxy: outboundProxy }),
    ),
  ),
  embedder: defaultEmbedder,
  transcriber: Layer.unwrap(
    Effect.map(Config, ({ outboundProxy, transcriber }) =>
      transcriber === undefined ? Transcriber.off : OpenAiTranscriber.layer({ ...transcriber, proxy: outboundProxy }),
    ),
  ),
  webhookTransport: Layer.unwrap(
    Effect.map(Config, ({ outboundAllow, outboundProxy, webhookConcurrency, webhookTimeout }) =>
      UndiciWebhookTransport.layer({
        allowed: outboundAllow,
        timeout: webhookTimeout,
        connectionsPerOrigin: webhookConcurrency,
        proxy: outboundProxy,
      }),
    ),
  ),
  cvFetcher: Layer.unwrap(
    Effect.map(Config, ({ outboundAllow, outboundProxy }) =>
      GuardedCvFetcher.layer({
        allowed: outboundAllow,
        timeout: Duration.seconds(20),
        concurrency: cvConcurrency,
        proxy: outboundProxy,
      }),
    ),
  ),
  /** Reads only its own setting. */
  cvReader: Layer.unwrap(
    Effect.map(cvOcr, (isOn) => ChildCvReader.layer(isOn ? ChildCvReader.childLimits : ChildCvReader.withoutOcr)),
  ),
  /** Reads only its own settings, because commands need no others. */
  blobStore: Layer.unwrap(Effect.map(files, blobStoreOf)),
  signIn: Layer.effect(
    SignIn,
    Effect.gen(function* () {
      const { openId, outboundProxy } = yield* Config
      return SignIn.of({
        form: openId?.passwords === false ? undefined : yield* PasswordSignIn.make,
        provider: openId === undefined ? undefined : yield* OpenIdSignIn.make({ ...openId, proxy: outboundProxy }),
      })
    }),
  ).pipe(Layer.provide([NodeCrypto.layer, Passwords.layer])),
}

export const blobStore = orDefault((custom) => custom.blobStore, defaults.blobStore)

/** One pool of child processes, started on first use. */
const computation = ChildComputation.layer()

export const webhookTransport = orDefault((custom) => custom.webhookTransport, defaults.webhookTransport).pipe(
  Layer.provide(computation),
)

const chosenEvaluator = orDefault((custom) => custom.evaluator, defaults.evaluator)

/** For commands that evaluate. `isDefault`: the evaluator of the settings, also in a program with its own. */
export const evaluation = (isDefault: boolean) =>
  (isDefault ? defaults.evaluator : chosenEvaluator).pipe(Layer.provideMerge(computation))

export const adapters = Layer.mergeAll(
  orDefault((custom) => custom.emailSender, defaults.emailSender),
  chosenEvaluator,
  orDefault((custom) => custom.cvFetcher, defaults.cvFetcher),
  orDefault((custom) => custom.cvReader, defaults.cvReader),
  orDefault((custom) => custom.signIn, defaults.signIn),
  orDefault((custom) => custom.transcriber, defaults.transcriber),
  blobStore,
  webhookTransport,
).pipe(Layer.provideMerge(computation))
