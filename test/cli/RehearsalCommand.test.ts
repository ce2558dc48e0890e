import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { verifyWebhook } from "../../src/webhooks/deliveries/WebhookVerification.ts"
import { read, receiver } from "../port/receivers.ts"
import * as cli from "../support/cli.ts"
import { onFreshDatabase } from "./onFreshDatabase.ts"

/** An endpoint whose receiver verifies, or accepts anything. */
const begin = Effect.fnUntraced(function* () {
  const state = { secret: "", isVerifying: true, requested: Promise.withResolvers<void>(), isSilent: false }
  const { url } = yield* receiver(async (request, response) => {
    const body = await read(request)
    state.requested.resolve()
    if (state.isSilent) return
    try {
      if (state.isVerifying) {
        verifyWebhook({ body, header: request.headers["x-webhook-signature"], secrets: [state.secret] })
      }
      response.writeHead(204).end()
    } catch {
      response.writeHead(401).end()
    }
  })
  const { environment, json } = yield* onFreshDatabase
  yield* json("organization", "create", "--name", "Acme")
  const allowing = { ...environment, OUTBOUND_ALLOW: "127.0.0.0/8" }
  const created = yield* cli.run(allowing, "webhook", "create", "--organization", "1", "--url", url, "--json")
  const { id, secret } = JSON.parse(created.stdout)
  state.secret = secret
  return { state, id: String(id), allowing }
})

describe("webhook rehearse", () => {
  it.live("prints each step, and exits with 0 when none failed, with 1 when one did", () =>
    Effect.gen(function* () {
      const { allowing, id, state } = yield* begin()
      const good = yield* cli.run(allowing, "webhook", "rehearse", id)
      assert.deepStrictEqual([good.code, good.stderr], [0, ""])
      assert.match(good.stdout, /^passed {3}Accepts an event\. Answered 204 within \d+ ms\.\n/)
      assert.match(good.stdout, /\n\n12 passed, 0 warnings, 0 failed, 1 skipped\n$/)
      state.isVerifying = false
      const bad = yield* cli.run(allowing, "webhook", "rehearse", id)
      assert.deepStrictEqual([bad.code, bad.stderr], [1, "error: the receiver failed 4 steps\n"])
      assert.match(
        bad.stdout,
        /^FAILED {3}Refuses an old signature\. The receiver accepted .*\n {9}Refuse a time t .* http\S+\/docs\/webhooks#verifying-webhooks$/m,
      )
      const json = yield* cli.run(allowing, "webhook", "rehearse", id, "--json")
      assert.strictEqual(json.code, 1)
      const { counts, state: end, steps } = JSON.parse(json.stdout)
      assert.deepStrictEqual(
        [end, counts, steps.length],
        ["done", { passed: 8, warning: 0, failed: 4, skipped: 1 }, 13],
      )
    }),
  )

  it.live("cancels the rehearsal when it is interrupted, and says that one is running", () =>
    Effect.gen(function* () {
      const { allowing, id, state } = yield* begin()
      state.isSilent = true
      const { ended, kill } = yield* cli.begin(allowing, "webhook", "rehearse", id)
      yield* Effect.promise(() => state.requested.promise)
      const second = yield* cli.run(allowing, "webhook", "rehearse", id)
      assert.match(second.stderr, /^error: a rehearsal of this endpoint is running: wait for its end/)
      kill("SIGINT")
      assert.strictEqual((yield* ended).code, 130)
      state.isSilent = false
      assert.strictEqual((yield* cli.run(allowing, "webhook", "rehearse", id)).code, 0)
      const unknown = yield* cli.run(allowing, "webhook", "rehearse", "0190b5a2-7c1e-7def-8abc-0123456789ab")
      assert.deepStrictEqual([unknown.code, unknown.stderr], [1, "error: there is no such webhook endpoint\n"])
    }),
  )
})
