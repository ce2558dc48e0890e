/** `npm start`: runs everything on this machine, to try the product. */
import { ConfigProvider, Console, Context, Effect, Layer, Redacted } from "effect"
import { Command } from "effect/cli"
import { Adapters } from "../Adapters.ts"
import * as App from "../App.ts"
import { firstPlace } from "../accounts/pages/WorkspacePage.ts"
import * as Config from "../config/Config.ts"
import * as Receiver from "../dev/ReceiverPages.ts"
import * as SampleTranscriber from "../dev/SampleTranscriber.ts"
import { Held, holdPort } from "../platform/http/HeldPort.ts"
import * as Observability from "../platform/telemetry/Observability.ts"
import { local, untilStopped, wasStarted } from "./Environment.ts"
import { type StartData, seed } from "./StartData.ts"
import { keepSample } from "./sample/trialSample.ts"

/** One line each, with the texts below each other. */
const table = (rows: ReadonlyArray<readonly [name: string, address: string, text: string]>): string => {
  const width = Math.max(...rows.map(([, address]) => address.length))
  return rows.map(([name, address, text]) => `  ${name.padEnd(9)}  ${address.padEnd(width)}    ${text}`).join("\n")
}

const welcome = ({ apiKey, interviewSetId, member }: StartData, { apiUrl, appUrl, email }: Config.Settings) => `
Interview Invitations runs on this machine.

${table([
  ["Home", appUrl, "opens your workspace, or a sample with 40 candidates"],
  ["Workspace", `${appUrl}${firstPlace}`, `sign in as ${member.email}, password ${Redacted.value(member.password)}`],
  [
    "Mailbox",
    `${appUrl}/mailbox`,
    email._tag === "mailbox"
      ? "the emails to candidates"
      : `the emails to candidates, sent by ${email._tag === "own" ? "your own EmailSender" : `EMAIL=${email._tag}`}`,
  ],
  ["Receiver", `${appUrl}/receiver`, "the webhooks, each signature verified"],
  ["API", apiUrl, `documented at ${apiUrl}/docs`],
])}

  API key        ${Redacted.value(apiKey)}
  Interview set  ${interviewSetId}

Invite a candidate:

  curl -sS ${apiUrl}/company/integration/interview/candidate/invite/v1 \\
    -H 'X-API-Key: ${Redacted.value(apiKey)}' \\
    -H 'Content-Type: application/json' \\
    -d '{"com_interview_set_id":"${interviewSetId}","candidates":[{"email":"ada@example.com","name":"Ada Lovelace"}]}'

Open the mailbox, follow the link and answer. The receiver shows the webhooks and the workspace the result.
A second invite of the same address sends no email: use another address for another try.

Evaluate a CV without an invitation:

  curl -sS ${apiUrl}/company/integration/interview/candidate/invite/v1 \\
    -H 'X-API-Key: ${Redacted.value(apiKey)}' \\
    -H 'Content-Type: application/json' \\
    -d '{"com_interview_set_id":"${interviewSetId}","candidates":[{"cv_link":"${appUrl}/sample-cv"}]}'

Ctrl-C stops everything. Your data stays in DATA_DIR, by default .data/.
`

const receiverUrl = ({ port }: Config.Settings, path: string) => new URL(path, `http://127.0.0.1:${port}`).href

/** Without TRANSCRIBE_URL and without the transcriber of a custom program, recordings get sample transcripts. */
const trialAdapters = Layer.unwrap(
  Effect.gen(function* () {
    const custom = yield* Adapters
    const { transcriber } = yield* Config.Config
    const byDefault = transcriber === undefined ? { transcriber: SampleTranscriber.layer } : {}
    return Layer.succeed(Adapters, { ...byDefault, ...custom })
  }),
)

const everything = (isFirst: boolean) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const config = yield* Config.Config
      const data = yield* seed(yield* Config.dataDir, receiverUrl(config, "/receiver"))
      const routes = Layer.mergeAll(App.api, App.pages, App.dev, Receiver.layer(data)).pipe(
        Layer.provide(App.trialPlaces),
      )
      const receiver = receiverUrl(config, Receiver.sampleReceiverPath)
      return Layer.effectDiscard(
        Effect.andThen(Console.log(welcome(data, config)), Effect.forkScoped(keepSample({ isFirst, receiver }))),
      ).pipe(
        // the first page and the mailbox need no sign-in, so only this machine may reach them
        Layer.provide(App.serve(routes, "127.0.0.1")),
        Layer.provide(App.requestLog),
        Layer.merge(App.workers),
      )
    }),
  ).pipe(
    Layer.provide(App.foundation.pipe(Layer.provide(trialAdapters))),
    Layer.provide(App.repositories),
    Layer.provide(Observability.layer),
    Layer.provide(Config.Config.layer),
  )

/** With PORT=0, a free port, held until the server takes it over: links and the webhook receiver's address contain it. */
const withFreePort = Layer.effectContext(
  Effect.gen(function* () {
    const provider = yield* ConfigProvider.ConfigProvider
    const { host = "127.0.0.1", port } = yield* Config.listener
    if (port !== 0) return Context.make(ConfigProvider.ConfigProvider, provider)
    const held = yield* holdPort(host)
    const chosen = ConfigProvider.fromEnvRecord({ PORT: String(held.port) })
    return Context.make(ConfigProvider.ConfigProvider, ConfigProvider.orElse(chosen, provider)).pipe(
      Context.add(Held, held),
    )
  }),
)

export const startCommand = Command.make("start", {}, () =>
  Effect.gen(function* () {
    const isFirst = !(yield* wasStarted(yield* Config.dataDir))
    yield* Console.log(isFirst ? "starting: the first start takes a few seconds ..." : "starting ...")
    return yield* untilStopped(
      Layer.launch(everything(isFirst).pipe(Layer.provide(local({ isDev: true })), Layer.provide(withFreePort))),
    )
  }),
).pipe(
  Command.withDescription(
    "Run everything on this machine to try it: database, API, pages, workers, mailbox and webhook receiver",
  ),
)
