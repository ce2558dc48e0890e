/** Processes of the service with ports that tests drive: one on a fresh database, or several on the same one. */
import { NodeCrypto } from "@effect/platform-node"
import { Effect, Layer, Ref } from "effect"
import { type blobStoreOf, defaults } from "../../src/Adapters.ts"
import * as App from "../../src/App.ts"
import type { SignIn } from "../../src/accounts/SignIn.ts"
import { CvFetcher } from "../../src/cv/CvFetcher.ts"
import { CvReader } from "../../src/cv/CvReader.ts"
import { EmailSender, type OutgoingEmail } from "../../src/emails/EmailSender.ts"
import { Evaluator } from "../../src/evaluations/Evaluator.ts"
import * as PostgresBlobStore from "../../src/files/PostgresBlobStore.ts"
import { type TransportResult, WebhookTransport } from "../../src/webhooks/WebhookTransport.ts"
import * as Computation from "./Computation.ts"
import * as Mails from "./Mails.ts"
import * as TestApp from "./TestApp.ts"
import * as TestDatabase from "./TestDatabase.ts"

export interface Ports {
  /** What receivers answer; 200 unless told. */
  readonly receive?: WebhookTransport["Service"]["post"]
  /** What the mail's provider answers; delivered unless told. */
  readonly send?: EmailSender["Service"]["send"]
  readonly mails?: Ref.Ref<ReadonlyArray<OutgoingEmail>>
  /** In place of one that answers as `send` does. */
  readonly emailSender?: Layer.Layer<EmailSender>
  /** What is behind a CV link; a sentence of text unless told. */
  readonly fetchCv?: CvFetcher["Service"]["fetch"]
  /** What is read from a CV; the bytes as text unless told. */
  readonly readCv?: CvReader["Service"]["read"]
  /** What the evaluator answers; full marks without a quote unless told. */
  readonly evaluate?: Evaluator["Service"]["evaluate"]
  /** How members sign in; as the settings say unless told, which is by password. */
  readonly signIn?: Layer.Layer<SignIn>
  /** Where files are kept; in the database unless told. */
  readonly blobStore?: ReturnType<typeof blobStoreOf>
  readonly settings?: Record<string, string>
}

/** A receiver's answer. */
export const answered = (status: number, body = ""): TransportResult => ({
  _tag: "Answered",
  status,
  body,
  truncated: false,
  durationMs: 7,
})

const delivered: EmailSender["Service"]["send"] = () => Effect.succeed({ providerMessageId: null, delivered: true })

const cv: CvFetcher["Service"]["fetch"] = () => Effect.succeed(new TextEncoder().encode("I ran PostgreSQL."))

/** Rates every requirement as strong, with the first answer for evidence. */
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

/** All services of one process; needs a Database. */
export const services = ({
  blobStore,
  emailSender,
  evaluate,
  fetchCv,
  mails,
  readCv,
  receive,
  send,
  settings,
  signIn,
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
        Evaluator.layerTest(evaluate ?? strong),
        Computation.inProcess,
        CvFetcher.layerTest(fetchCv ?? cv),
        CvReader.layerTest(readCv),
        blobStore ?? PostgresBlobStore.layer,
        signIn ?? defaults.signIn,
      ),
    ),
    Layer.provideMerge(App.repositories),
    Layer.provideMerge(TestApp.config(settings)),
  )

/** One process on a fresh database. */
export const layer = (ports?: Ports) => services(ports).pipe(Layer.provideMerge(TestDatabase.layer))

/** Runs a test in such a process. What the test starts beside it ends before the database does. */
export const provide =
  (ports?: Ports) =>
  <A, E, R>(test: Effect.Effect<A, E, R>) =>
    Effect.provide(Effect.scoped(test), layer(ports), { local: true })

/** Starts one more process on the database at hand, sharing nothing else with the others; lives as long as the scope. */
export const start = Effect.fnUntraced(function* (ports?: Ports) {
  return yield* Layer.buildWithMemoMap(services(ports), yield* Layer.makeMemoMap, yield* Effect.scope)
})

/** The vault without the check that its keys belong to the database. */
export const unchecked = (settings: Record<string, string>) =>
  App.uncheckedSecretBox.pipe(
    Layer.provideMerge(App.repositories),
    Layer.provideMerge(TestApp.config(settings)),
    Layer.provide(NodeCrypto.layer),
  )
