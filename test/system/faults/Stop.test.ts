/** Pods stopped with SIGTERM, as in a deployment: no delivery is lost or sent twice. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Latch } from "effect"
import * as Receiver from "../../support/Receiver.ts"
import * as Webhooks from "../../support/Webhooks.ts"
import { hiringSystem, isLarge, provide, startPod, stop, timeout, untilFinished, untilSync } from "./stage.ts"

describe("SIGTERM while requests are open", () => {
  const endpoints = 4
  const each = isLarge ? 5_000 : 300
  const total = endpoints * each
  const replaced = isLarge ? 12 : 3
  const open = 20
  const settings = { WEBHOOK_CONCURRENCY: `${open}`, WEBHOOK_ENDPOINT_CONCURRENCY: `${open}` }

  it.live(
    "loses no delivery, sends none twice, and exits with 0",
    () => {
      // the receiver responds while the gate is open
      const gate = Latch.makeUnsafe(false)
      let [waiting, closeAt] = [0, 0]
      return Effect.gen(function* () {
        const receiver = yield* Receiver.start({
          answer: (_, receipts) => {
            if (receipts.length === closeAt) gate.closeUnsafe()
            waiting++
            return Effect.map(gate.await, () => {
              waiting--
              return 200
            })
          },
        })
        let [oldest, other] = yield* Effect.all([startPod(settings), startPod(settings)], { concurrency: 2 })
        for (let i = 0; i < endpoints; i++) yield* (yield* hiringSystem(`${receiver.url}/${i}`)).publish(each)

        for (let i = 1; i <= replaced; i++) {
          yield* untilSync("both pods have the maximum of requests open", () => waiting === 2 * open)
          oldest.signal("SIGTERM")
          const stopping = oldest
          yield* untilSync("the pod drains", () => stopping.log().includes("webhook_delivery: finishing"))
          assert.isTrue(stopping.isRunning())
          closeAt = Math.floor((i * total) / (replaced + 1))
          gate.openUnsafe()
          assert.strictEqual(yield* stopping.ended, 0)
          const lines = stopping.log().split("\n")
          const warnings = lines.filter((line) => /"level":"(WARN|ERROR|FATAL)"/.test(line))
          assert.isEmpty(warnings.filter((line) => !line.includes("EMAIL=mailbox")))
          ;[oldest, other] = [other, yield* startPod(settings)]
        }
        gate.openUnsafe()
        yield* untilFinished(total)
        assert.deepStrictEqual(yield* stop(oldest, other), [0, 0])

        assert.strictEqual(receiver.receipts.length, total)
        assert.strictEqual(new Set(receiver.receipts.map(({ event, path }) => `${path} ${event}`)).size, total)
        assert.deepStrictEqual(yield* Webhooks.states, { "delivered 1": total })
      }).pipe(provide)
    },
    timeout,
  )
})
