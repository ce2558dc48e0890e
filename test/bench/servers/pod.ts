/** The services that pods under measurement share, with settings from the environment. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer } from "effect"
import * as App from "../../../src/App.ts"
import * as Config from "../../../src/config/Config.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import * as Observability from "../../../src/platform/telemetry/Observability.ts"

const database = Layer.unwrap(
  Effect.gen(function* () {
    const { databasePool } = yield* Config.Config
    return Database.layer({ ...(yield* Config.databaseUrls), maxConnections: databasePool })
  }),
)

export const foundation = App.foundation.pipe(
  Layer.provideMerge(database),
  Layer.provideMerge(Observability.layer),
  Layer.provideMerge(Config.Config.layer),
  Layer.provideMerge(NodeServices.layer),
)
