/** A model server that answers on the test's clock. */
import { Clock, Effect, Fiber } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"

/** `count` is 1 for the first request. */
export type ClockedServer = (count: number) => Effect.Effect<Response>

export const failure = (status: number, headers: Record<string, string> = {}) =>
  Effect.sync(() => new Response("{}", { status, headers }))

/**
 * Runs `use`, which sends its requests to `server`, while the clock runs. Returns the second of each request, the
 * outcome, and the second of the end.
 */
export const runOnClock = Effect.fnUntraced(function* <A, E>(
  server: ClockedServer,
  use: Effect.Effect<A, E, HttpClient.HttpClient>,
) {
  yield* TestClock.setTime(Date.UTC(2026, 0, 1))
  const start = yield* Clock.currentTimeMillis
  const asked: Array<number> = []
  const client = HttpClient.make((request) =>
    Effect.gen(function* () {
      asked.push(((yield* Clock.currentTimeMillis) - start) / 1000)
      return HttpClientResponse.fromWeb(request, yield* server(asked.length))
    }),
  )
  const fiber = yield* Effect.forkChild(Effect.exit(Effect.provideService(use, HttpClient.HttpClient, client)))
  let seconds = 0
  while (true) {
    // let the effects of an answer finish before the clock moves
    for (let turn = 0; turn < 5; turn += 1) yield* Effect.promise(() => new Promise(setImmediate))
    if (fiber.pollUnsafe() !== undefined) return { asked, ended: yield* Fiber.join(fiber), seconds }
    yield* TestClock.adjust("1 second")
    seconds += 1
  }
})
