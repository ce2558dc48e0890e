/** A pod as `serve` runs it: API and workers. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import * as App from "../../../src/App.ts"
import { ready } from "../support/child.ts"
import { foundation } from "./pod.ts"

const announce = Layer.effectDiscard(
  Effect.map(HttpServer.HttpServer, ({ address }) => ready("port" in address ? address.port : 0)),
)

const pod = announce.pipe(
  Layer.provide(App.serve(App.api, "127.0.0.1")),
  Layer.provide(App.requestLog),
  Layer.provide(App.workers),
  Layer.provide(foundation),
)

NodeRuntime.runMain(Layer.launch(pod))
