/** The workers of one pod as `serve` runs them, without HTTP, between the commands `start` and `stop`. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Exit, Layer, Scope } from "effect"
import * as App from "../../../src/App.ts"
import { measured } from "../deliveries/measured.ts"
import { foundation } from "./pod.ts"

const worker = Effect.gen(function* () {
  const context = yield* Layer.build(foundation)
  const workers = App.workers.pipe(Layer.provide(Layer.succeedContext(context)), Layer.fresh)
  measured(async () => {
    const scope = Scope.makeUnsafe()
    await Effect.runPromiseWith(context)(Layer.buildWithScope(workers, scope))
    return () => Effect.runPromiseWith(context)(Scope.close(scope, Exit.void))
  })
  return yield* Effect.never
})

NodeRuntime.runMain(Effect.scoped(worker))
