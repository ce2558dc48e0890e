/** An unavailable collector takes no memory, and is logged without a flood of lines. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Logger } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { watched } from "../../../src/platform/telemetry/Observability.ts"

const traces = HttpClientRequest.post("http://collector:4318/v1/traces", { headers: { "x-key": "a-secret" } })
const logs = HttpClientRequest.post("http://collector:4318/v1/logs")

/** Runs an effect and returns the logged lines. */
const listening = <A, E, R>(effect: (lines: ReadonlyArray<string>) => Effect.Effect<A, E, R>) => {
  const lines: Array<string> = []
  const logger = Logger.make(({ logLevel, message }) => void lines.push(`${logLevel} ${String(message)}`))
  return Effect.provide(effect(lines), Logger.layer([logger]))
}

describe("a collector", () => {
  it.effect("that does not answer times out after ten seconds", () =>
    listening((lines) =>
      Effect.gen(function* () {
        const client = watched(HttpClient.make(() => Effect.never))
        const request = yield* Effect.forkChild(Effect.exit(client.execute(traces)))
        yield* TestClock.adjust("10 seconds")
        const exit = yield* Fiber.join(request)
        // a defect is not retried
        assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
        assert.deepStrictEqual(lines, [
          "Warn http://collector:4318/v1/traces rejects exports, which are dropped: no answer in 10 seconds",
        ])
      }),
    ),
  )

  it.effect("that rejects exports is logged once for logs and once for traces, and once when it recovers", () =>
    listening((lines) =>
      Effect.gen(function* () {
        let status = 401
        const client = watched(
          HttpClient.make((request) =>
            Effect.succeed(
              HttpClientResponse.fromWeb(
                request,
                new Response(null, { status: request.url.endsWith("logs") ? 200 : status }),
              ),
            ),
          ),
        )
        for (const _ of [1, 2, 3]) {
          yield* client.execute(traces)
          yield* client.execute(logs)
        }
        status = 200
        yield* client.execute(traces)
        yield* client.execute(traces)
        assert.deepStrictEqual(lines, [
          "Warn http://collector:4318/v1/traces rejects exports, which are dropped: status 401",
          "Info http://collector:4318/v1/traces accepts exports again",
        ])
      }),
    ),
  )
})
