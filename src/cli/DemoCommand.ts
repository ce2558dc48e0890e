/** `npm run demo`: runs every step of an interview over HTTP, on free ports, with a temporary database. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { ConfigProvider, Console, Effect, Layer } from "effect"
import { Command } from "effect/cli"
import { FetchHttpClient } from "effect/http"
import * as App from "../App.ts"
import * as Config from "../config/Config.ts"
import { Held, type HeldPort, holdPort } from "../platform/http/HeldPort.ts"
import * as Observability from "../platform/telemetry/Observability.ts"
import { journey } from "./demo/Journey.ts"
import { type Receiver, startReceiver } from "./demo/Receiver.ts"
import { CommandFailed, embedded, localDefaults } from "./Environment.ts"
import { seed } from "./StartData.ts"

/** Ignores the environment. */
const isolated = (values: Record<string, string>) =>
  Layer.succeed(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(values))

const temporaryDirectory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "interview-demo-"))),
  (directory) => Effect.promise(() => rm(directory, { recursive: true, force: true })),
)

const product = (dataDir: string, held: HeldPort, receiver: Receiver) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const data = yield* seed(dataDir, receiver.url)
      receiver.setSecret(data.webhookSecret)
      const routes = Layer.mergeAll(App.api, App.pages, App.dev)
      return Layer.effectDiscard(journey(data, `http://localhost:${held.port}`, receiver)).pipe(
        Layer.provide(App.serve(routes, "127.0.0.1")),
        Layer.provide(App.requestLog),
        Layer.provide(App.workers),
      )
    }),
  ).pipe(
    Layer.provide(App.foundation),
    Layer.provide(App.repositories),
    Layer.provide(Observability.layer),
    Layer.provide(Config.Config.layer),
    Layer.provide(FetchHttpClient.layer),
    Layer.provide(embedded(dataDir, { ...localDefaults, PORT: String(held.port), LOG_LEVEL: "Warn" }, true)),
    Layer.provide(NodeServices.layer),
    Layer.provide([isolated({}), Layer.succeed(Held, held)]),
    // the recipients do not exist: use the mailbox, not a custom EmailSender
    Layer.provide(App.withAdapters({})),
  )

const runDemo = Effect.fn("DemoCommand.runDemo")(
  function* () {
    yield* Console.log("Starting a database and the service on free ports ...")
    const dataDir = yield* temporaryDirectory
    const held = yield* holdPort("127.0.0.1")
    yield* Layer.build(product(dataDir, held, yield* startReceiver))
  },
  Effect.scoped,
  Effect.timeoutOrElse({
    duration: "100 seconds",
    orElse: () => Effect.fail(new CommandFailed({ message: "the demo did not end within 100 seconds" })),
  }),
)

export const demoCommand = Command.make("demo", {}, runDemo).pipe(
  Command.withDescription("Run every step from the invitation to the webhooks with sample data, check each, and exit"),
)
