/** The service as `serve` runs it, without workers, as the peers have none. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import * as App from "../../../src/App.ts"
import * as Config from "../../../src/config/Config.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import * as Observability from "../../../src/platform/telemetry/Observability.ts"
import { ready } from "../support/child.ts"

const announce = Layer.effectDiscard(
  Effect.map(HttpServer.HttpServer, ({ address }) => ready("port" in address ? address.port : 0)),
)

const database = Layer.unwrap(
  Effect.gen(function* () {
    const { databasePool } = yield* Config.Config
    const replicaUrl = yield* Config.replicaUrl
    return Database.layer({ ...(yield* Config.databaseUrls), replicaUrl, maxConnections: databasePool })
  }),
)

const service = announce.pipe(
  Layer.provide(App.serve(Layer.merge(App.api, App.pages), "127.0.0.1")),
  Layer.provide(App.requestLog),
  Layer.provide(App.foundation),
  Layer.provide(database),
  Layer.provide(Observability.layer),
  Layer.provide(Config.Config.layer),
  Layer.provide(NodeServices.layer),
)

NodeRuntime.runMain(Layer.launch(service))
