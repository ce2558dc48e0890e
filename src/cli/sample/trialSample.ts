/** The sample organization of `npm start`. */
import { Console, Effect } from "effect"
import { operator } from "../../accounts/Viewer.ts"
import { monotonicMillis } from "../../platform/Monotonic.ts"
import { Samples } from "../../sample/Samples.ts"
import { Endpoints } from "../../webhooks/endpoints/Endpoints.ts"
import { fillSample, workingHookName } from "./SampleFilling.ts"

/** Deliveries go to this process, which may listen on another port than the last one. */
const connect = Effect.fnUntraced(function* (viewer: ReturnType<typeof operator>, receiver: string) {
  const endpoints = yield* Endpoints
  const hook = yield* endpoints.findByName(viewer, workingHookName)
  if (hook !== undefined && hook.url !== receiver) yield* endpoints.update(viewer, hook.id, { url: receiver })
})

const fill = Effect.fnUntraced(function* (receiver: string) {
  const begun = yield* monotonicMillis
  const { candidates } = yield* fillSample(receiver)
  const seconds = Math.round(((yield* monotonicMillis) - begun) / 1000)
  yield* Console.log(`The sample is ready: ${candidates} candidates, after ${seconds} seconds.`)
})

/**
 * On the first start, fills the sample. On later ones, fills it again if the last process was stopped meanwhile; a sample
 * that was removed stays removed.
 */
export const keepSample = Effect.fn("keepSample")(
  function* ({ isFirst, receiver }: { readonly isFirst: boolean; readonly receiver: string }) {
    const samples = yield* Samples
    const found = yield* samples.find
    if (found?.state === "ready") return yield* connect(operator(found.id), receiver)
    if (found === undefined && !isFirst) return
    if (found !== undefined) yield* samples.remove(found.id)
    yield* fill(receiver)
  },
  Effect.catchCause((cause) =>
    Effect.gen(function* () {
      // a member has removed it meanwhile
      if ((yield* (yield* Samples).find) === undefined) return
      yield* Effect.logWarning("the sample was not filled", cause)
    }),
  ),
)
