/** Endpoints that people change while deliveries to them are under way. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Redacted } from "effect"
import { verifySignature } from "../../src/domain/Signature.ts"
import { Database } from "../../src/repository/Database.ts"
import { DeliveryLog } from "../../src/service/DeliveryLog.ts"
import { Endpoints } from "../../src/service/Endpoints.ts"
import { Retention } from "../../src/service/Retention.ts"
import type { Pod } from "../support/Processes.ts"
import * as Receiver from "../support/Receiver.ts"
import * as Webhooks from "../support/Webhooks.ts"
import { hiringSystem, provide, startPod, stop, tally, timeout, until, untilFinished, untilSync } from "./stage.ts"

/** Retries come at once, and two requests to one endpoint are open at most. */
const settings = { WEBHOOK_RETRY_FIRST: "1 millis", WEBHOOK_ENDPOINT_CONCURRENCY: "2" }

/** A receiver each of whose answers the test gives by hand, and a pod that sends to it. */
const begin = Effect.gen(function* () {
  const requests: Array<Deferred.Deferred<number>> = []
  const receiver = yield* Receiver.start({
    answer: ({ path }) => {
      if (path === "/at-once") return Effect.succeed(200)
      const request = Deferred.makeUnsafe<number>()
      requests.push(request)
      return Deferred.await(request)
    },
  })
  return {
    receiver,
    pod: yield* startPod(settings),
    untilOpen: (count: number) => untilSync(`${count} requests came`, () => requests.length === count),
    /** Answers the next of the requests that wait. */
    reply: (nth: number, status: number) =>
      Effect.flatMap(Effect.fromNullishOr(requests[nth]), Deferred.succeed(status)),
  }
})

/** The pod ends in order, and nothing went wrong in it. */
const expectSound = Effect.fnUntraced(function* (pod: Pod) {
  assert.deepStrictEqual(yield* stop(pod), [0])
  assert.notMatch(pod.log(), /"level":"(ERROR|FATAL)"/)
})
