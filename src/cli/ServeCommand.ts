/** `serve`: runs one pod in production. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Duration, Effect, Layer } from "effect"
import { Command } from "effect/cli"
import { HttpServer } from "effect/http"
import * as App from "../App.ts"
import { Setup } from "../accounts/sign-in/Setup.ts"
import * as Config from "../config/Config.ts"
import { Drain } from "../platform/http/Drain.ts"
import * as Observability from "../platform/telemetry/Observability.ts"
import * as SubmissionPages from "../reviews/SubmissionPages.ts"
import { defaults, namedDatabase, untilStopped } from "./Environment.ts"

/** Frees what only the start needed: V8 would keep it for as long as the pod has little to do. */
const collectGarbage = Effect.sync(() => {
  setFlagsFromString("--expose-gc")
  const collect: unknown = runInNewContext("gc")
  if (typeof collect === "function") collect()
})

const announce = Layer.effectDiscard(
  Effect.gen(function* () {
    yield* collectGarbage
    yield* HttpServer.addressFormattedWith((address) => Effect.logInfo(`listening on ${address}`))
    const { email } = yield* Config.Config
    if (email._tag === "mailbox")
      yield* Effect.logWarning("EMAIL=mailbox: emails are stored in the database and not sent")
    // without the code, which is a secret
    // a lost connection must not stop the pod, which is ready by now
    const setup = yield* Setup
    if (yield* Effect.catchDefect(setup.isOpen, () => Effect.succeed(false)))
      yield* Effect.logInfo("there is no organization yet: run the command setup to create it")
  }),
)

/** Only a hanging database exceeds it; the leases of open jobs then expire. */
const maxDrain = Duration.seconds(50)

const endAfter = (wait: Duration.Duration) =>
  Effect.sleep(wait).pipe(
    Effect.andThen(Effect.logError("stopping took too long: other processes take over the open jobs")),
    Effect.andThen(Effect.sync(() => process.exit(1))),
    Effect.forkDetach,
  )

/** Finalizes before the layers that it depends on, so that they serve during the drain. */
const drain = Layer.effectDiscard(
  Effect.gen(function* () {
    const { drainWait } = yield* Config.Config
    const { begin } = yield* Drain
    yield* Effect.addFinalizer(() => Effect.andThen(endAfter(Duration.sum(drainWait, maxDrain)), begin(drainWait)))
  }),
)

const server = Layer.unwrap(
  Effect.gen(function* () {
    const { roles } = yield* Config.Config
    const routes = roles.has("api") ? Layer.mergeAll(App.api, App.pages, SubmissionPages.front) : App.health
    const log = roles.has("api") ? App.requestLog : Layer.empty
    return App.serve(routes).pipe(Layer.provide(log), Layer.merge(roles.has("worker") ? App.workers : Layer.empty))
  }),
)

const pod = announce.pipe(
  // acquired before the address is logged, so SIGTERM drains from then on
  Layer.provide(drain),
  Layer.provide(server),
  Layer.provide(App.foundation),
  Layer.provide(
    Layer.unwrap(
      Effect.gen(function* () {
        const urls = yield* Config.databaseUrls
        const { databasePool } = yield* Config.Config
        return namedDatabase({ ...urls, replicaUrl: yield* Config.replicaUrl }, databasePool)
      }),
    ),
  ),
  Layer.provide(Observability.layer),
  Layer.provide(Config.Config.layerOfServer),
  Layer.provide(defaults({ LOG_FORMAT: "json" })),
  Layer.provide(NodeServices.layer),
)

export const serveCommand = Command.make("serve", {}, () => untilStopped(Layer.launch(pod))).pipe(
  Command.withDescription("Run the API, the pages and the workers; needs DATABASE_URL, SECRET_KEY and EMAIL"),
)
