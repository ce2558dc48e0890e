/** Service instances in the test process, with adapters that tests control. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Effect, Layer, Ref } from "effect"
import { type blobStoreOf, defaults } from "../../src/Adapters.ts"
import * as App from "../../src/App.ts"
import type { SignIn } from "../../src/accounts/sign-in/SignIn.ts"
import { CvFetcher } from "../../src/cv/CvFetcher.ts"
import { CvReader } from "../../src/cv/CvReader.ts"
import { EmailSender, type OutgoingEmail } from "../../src/emails/EmailSender.ts"
import { Evaluator } from "../../src/evaluations/Evaluator.ts"
import * as PostgresBlobStore from "../../src/files/PostgresBlobStore.ts"
import { type SpeechTranscriber, Transcriber } from "../../src/recordings/Transcriber.ts"
import { type OutboundResult, WebhookTransport } from "../../src/webhooks/deliveries/WebhookTransport.ts"
import * as Computation from "./Computation.ts"
import * as Mails from "./Mails.ts"
import * as TestApp from "./TestApp.ts"
import * as TestDatabase from "./TestDatabase.ts"

export interface Ports {
  /** Status 200 by default. */
  readonly receive?: WebhookTransport["Service"]["post"]
  /** Delivered by default. */
  readonly send?: EmailSender["Service"]["send"]
  readonly mails?: Ref.Ref<ReadonlyArray<OutgoingEmail>>
  /** Replaces `send`. */
  readonly emailSender?: Layer.Layer<EmailSender>
  /** A sentence of text by default. */
  readonly fetchCv?: CvFetcher["Service"]["fetch"]
  /** The bytes as text by default. */
  readonly readCv?: CvReader["Service"]["read"]
  /** Recordings are not transcribed by default. */
  readonly transcribe?: SpeechTranscriber["transcribe"]
  /** `strong` by default. */
  readonly evaluate?: Evaluator["Service"]["evaluate"]
  /** The languages that the evaluator reads; all by default. */
  readonly evaluatedLanguages?: ReadonlyArray<string>
  /** Requests that an evaluation sends to a server; none by default. */
  readonly evaluatorRequests?: number
  /** By default as the settings say, which is by password. */
  readonly signIn?: Layer.Layer<SignIn>
  /** The database by default. */
  readonly blobStore?: ReturnType<typeof blobStoreOf>
  readonly settings?: Record<string, string>
}

export const answered = (status: number, body = ""): OutboundResult => ({
  _tag: "Answered",
  status,
  body,
  truncated: false,
  durationMs: 7,
})

const delivered: EmailSender["Service"]["send"] = () => Effect.succeed({ providerMessageId: null, delivered: true })

const cv: CvFetcher["Service"]["fetch"] = () => Effect.succeed(new TextEncoder().encode("I ran PostgreSQL."))

/** Rates every requirement as strong, with the whole first source as evidence. */
export const strong: Evaluator["Service"]["evaluate"] = ({ requirements, sources }) =>
  Effect.succeed({
    evaluator: "test 1",
    model: null,
    raw: null,
    summary: "Good.",
    strengths: [],
    gaps: [],
    recommendations: [],
    ratings: requirements.map(({ id }) => ({
      requirement_id: id,
      level: "strong" as const,
      rationale: "It says so.",
      evidence: sources.slice(0, 1).map(({ question_id, source, text }) => ({ quote: text, source, question_id })),
    })),
  })

export const services = ({
  blobStore,
  emailSender,
  evaluate,
  evaluatedLanguages,
  evaluatorRequests,
  fetchCv,
  mails,
  readCv,
  receive,
  send,
  settings,
  signIn,
  transcribe,
}: Ports = {}) =>
  App.services.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        WebhookTransport.layerTest(receive ?? (() => Effect.succeed(answered(200)))),
        emailSender ??
          EmailSender.layerTest(
            (mail) =>
              Effect.andThen(
                Effect.sync(() => Mails.watch(mail)),
                (send ?? delivered)(mail),
              ),
            mails ?? Ref.makeUnsafe<ReadonlyArray<OutgoingEmail>>([]),
          ),
        Evaluator.layerTest(evaluate ?? strong, evaluatedLanguages, evaluatorRequests),
        Computation.inProcess,
        CvFetcher.layerTest(fetchCv ?? cv),
        transcribe === undefined ? Transcriber.off : Transcriber.layerTest(transcribe),
        CvReader.layerTest(readCv),
        blobStore ?? PostgresBlobStore.layer,
        signIn ?? defaults.signIn,
      ),
    ),
    Layer.provideMerge(App.repositories),
    Layer.provideMerge(TestApp.config(settings)),
  )

/** One instance on a fresh database. */
export const layer = (ports?: Ports) => services(ports).pipe(Layer.provideMerge(TestDatabase.layer))

/** The test's scope closes before the database is dropped. */
export const provide =
  (ports?: Ports) =>
  <A, E, R>(test: Effect.Effect<A, E, R>) =>
    Effect.provide(Effect.scoped(test), layer(ports), { local: true })

/** Starts another instance on the current database; it shares nothing else. */
export const start = Effect.fnUntraced(function* (ports?: Ports) {
  return yield* Layer.buildWithMemoMap(services(ports), yield* Layer.makeMemoMap, yield* Effect.scope)
})

/** The SecretBox without the check that its keys belong to the database. */
export const unchecked = (settings: Record<string, string>) =>
  App.uncheckedSecretBox.pipe(
    Layer.provideMerge(App.repositories),
    Layer.provideMerge(TestApp.config(settings)),
    Layer.provide(NodeCrypto.layer),
  )
