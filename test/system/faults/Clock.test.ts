/**
 * Pods whose clocks are wrong. When a delivery is due and when a lease ends is the database's clock to say, so these pods
 * do all their work; and they sign by that clock, for receivers refuse what is signed minutes too early or too late.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Latch } from "effect"
import { Database } from "../../../src/platform/database/Database.ts"
import { findWebhookFault } from "../../../src/webhooks/WebhookVerification.ts"
import * as Receiver from "../../support/Receiver.ts"
import {
  deliveriesOf,
  hiringSystem,
  provide,
  startPod,
  stop,
  timeout,
  until,
  untilFinished,
  untilSync,
} from "./stage.ts"

const fiveMinutes = 300_000

/** Starts a pod whose clock is wrong by so many milliseconds. Its lease and its retries are shorter than clocks differ. */
const startWrong = (by: number) => {
  const shift = `const right = Date.now.bind(Date)
    globalThis.Date = class extends Date {
      constructor(...given) { super(...(given.length > 0 ? given : [right() + ${by}])) }
      static now() { return right() + ${by} }
    }`
  return startPod({
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(shift)}`,
    WEBHOOK_ENDPOINT_CONCURRENCY: "2",
    WEBHOOK_TIMEOUT: "1 minute",
    WEBHOOK_RETRY_FIRST: "4 minutes",
  })
}

/** The time in a signature, in milliseconds; whole seconds. */
const signedAt = ({ headers }: Receiver.Receipt) => Number(headers["webhook-timestamp"]) * 1000

describe("a pod whose clock is five minutes slow and one whose clock is five minutes fast", () => {
  it.live(
    "send what is due, keep away from what is not and from each other's leases, and sign with the right time",
    () => {
      const [held, meeting] = [Latch.makeUnsafe(false), Latch.makeUnsafe(false)]
      const answer: Receiver.Manners["answer"] = ({ path }, receipts) => {
        if (path === "/held") return Effect.as(held.await, 200)
        if (path === "/meeting") return Effect.as(meeting.await, 200)
        return Effect.succeed(receipts.filter((receipt) => receipt.path === path).length === 1 ? 500 : 200)
      }
      return Effect.gen(function* () {
        const { sql } = yield* Database
        const began = Date.now()
        const receiver = yield* Receiver.start({ answer })
        const come = (path: string, count: number) =>
          untilSync(`${count} came to ${path}`, () => receiver.receiptsAt(path).length === count)
        const holding = yield* hiringSystem(`${receiver.url}/held`)
        const failing = yield* hiringSystem(`${receiver.url}/failing`)
        const both = yield* hiringSystem(`${receiver.url}/meeting`)

        const slow = yield* startWrong(-fiveMinutes)
        yield* holding.publish(1)
        yield* failing.publish(1)
        yield* come("/held", 1)
        const hasFailed = Effect.map(deliveriesOf(failing.endpoint), ([delivery]) => delivery?.attempts === 1)
        yield* until("a retry is planned", hasFailed)
        // lease: three times the timeout and 30 s; retry: up to 10 % later
        const planned = yield* sql<{ isRight: boolean }>`
          select due_at between created_at + least_wait and clock_timestamp() + least_wait * 1.1 as "isRight"
          from webhook_delivery, lateral (
            select case when attempts = 0 then interval '210 seconds' else interval '4 minutes' end as least_wait
          ) w`
        assert.deepStrictEqual(planned, [{ isRight: true }, { isRight: true }])

        const fast = yield* startWrong(fiveMinutes)
        // each has two places for an endpoint: of four requests that wait here, two are of each
        yield* both.publish(4)
        yield* come("/meeting", 4)
        yield* meeting.open
        yield* both.publish(50)
        yield* untilFinished(54)
        assert.strictEqual(receiver.receiptsAt("/held").length, 1)
        assert.strictEqual(receiver.receiptsAt("/failing").length, 1)

        yield* sql`update webhook_delivery set due_at = now() where endpoint_id = ${failing.endpoint}::uuid`
        yield* held.open
        yield* untilFinished(56)
        assert.deepStrictEqual(yield* stop(slow, fast), [0, 0])
        assert.strictEqual(receiver.receipts.length, 1 + 2 + 54)

        // both pods have sent some of these, and no receiver refuses them, strict as it may be
        for (const receipt of receiver.receiptsAt("/meeting")) {
          const fault = findWebhookFault({
            body: receipt.body,
            header: String(receipt.headers["x-webhook-signature"]),
            secrets: [both.secret],
            now: receipt.at / 1000,
            toleranceSeconds: 60,
          })
          assert.isUndefined(fault)
          assert.isAtLeast(signedAt(receipt), began - 60_000)
        }
        // as exact as two clocks can be compared on a busy machine, and far from five minutes
        const attempts = yield* sql<{ isRight: boolean }>`
          select (a.value ->> 'at')::timestamptz
            between h.created_at - interval '1 minute' and h.finished_at + interval '1 minute' as "isRight"
          from webhook_delivery_history h cross join lateral jsonb_array_elements(h.attempt_log) a`
        assert.strictEqual(attempts.length, 57)
        assert.isTrue(attempts.every(({ isRight }) => isRight))
      }).pipe(provide)
    },
    timeout,
  )
})
