/** Leases that expire: of a pod that is suspended and resumed, and of one that still waits for a response. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Latch } from "effect"
import { Database } from "../../../src/platform/database/Database.ts"
import * as Receiver from "../../support/Receiver.ts"
import * as Webhooks from "../../support/Webhooks.ts"
import {
  deliveriesOf,
  endLeases,
  hiringSystem,
  provide,
  startPod,
  stop,
  timeout,
  until,
  untilFinished,
  untilSync,
} from "./stage.ts"

describe("a pod resumed after another pod claimed its deliveries", () => {
  it.live(
    "settles only deliveries that it still holds",
    () => {
      const [frozen, late] = [Latch.makeUnsafe(false), Latch.makeUnsafe(false)]
      /** Responses to the first and the second pod; some wait until the first has stopped. */
      const answers: Record<string, readonly [first: number, second: Effect.Effect<number>]> = {
        "/failed-delivered": [500, Effect.succeed(200)],
        "/delivered-failed": [200, Effect.succeed(500)],
        "/failed-open": [500, Effect.as(late.await, 200)],
        "/delivered-open": [200, Effect.as(late.await, 500)],
        "/kept": [500, Effect.never],
      }
      const answer: Receiver.Manners["answer"] = ({ path }, receipts) => {
        const [first, second] = answers[path] ?? [404, Effect.succeed(404)]
        const isFirst = receipts.filter((receipt) => receipt.path === path).length === 1
        return isFirst ? Effect.as(frozen.await, first) : second
      }

      return Effect.gen(function* () {
        const { sql } = yield* Database
        const receiver = yield* Receiver.start({ answer })
        const system = (path: string) => hiringSystem(receiver.url + path)
        const failedDelivered = yield* system("/failed-delivered")
        const deliveredFailed = yield* system("/delivered-failed")
        const failedOpen = yield* system("/failed-open")
        const deliveredOpen = yield* system("/delivered-open")
        const kept = yield* system("/kept")
        const reclaimed = [failedDelivered, deliveredFailed, failedOpen, deliveredOpen]

        const first = yield* startPod()
        for (const { publish } of [...reclaimed, kept]) yield* publish(1)
        yield* untilSync("the first pod has sent all", () => receiver.receipts.length === 5)
        first.signal("SIGSTOP")
        // a claim that it sent before would otherwise take the deliveries again when their leases have ended
        const active = sql`select from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and state = 'active'`
        const isIdle = Effect.map(Effect.replicateEffect(active, 20), (all) => all.every(({ length }) => length === 0))
        yield* until("the first pod's statements have ended", isIdle)
        yield* frozen.open

        // only this lease stays valid, so the first pod settles only this delivery
        yield* sql`update webhook_delivery set leased_until = leased_until + interval '1 hour', claimed_by = null
          where endpoint_id = ${kept.endpoint}::uuid`
        yield* sql`update webhook_delivery set leased_until = now() where endpoint_id <> ${kept.endpoint}::uuid`
        const second = yield* startPod()
        yield* untilSync("the second pod has sent what it claimed", () => receiver.receipts.length === 9)
        yield* untilFinished(1)
        const outcomes = Effect.forEach([...reclaimed, kept], ({ endpoint }) =>
          Effect.gen(function* () {
            const [delivery] = yield* deliveriesOf(endpoint)
            const [{ failures, last_success_at } = { failures: -1, last_success_at: null }] =
              yield* Webhooks.endpointOf(endpoint)
            return { ...delivery, failures, succeeded: last_success_at !== null }
          }),
        )
        const delivered = {
          state: "delivered",
          attempts: 1,
          held: false,
          statuses: [200],
          failures: 0,
          succeeded: true,
        }
        const failed = { state: "queued", attempts: 1, held: false, statuses: [500], failures: 1, succeeded: false }
        const open = { state: "queued", attempts: 0, held: true, statuses: [], failures: 0, succeeded: false }
        yield* until(
          "the second pod has settled",
          Effect.map(outcomes, ([, failing]) => failing?.attempts === 1),
        )
        assert.deepStrictEqual(yield* outcomes, [delivered, failed, open, open, open])

        first.signal("SIGCONT")
        assert.deepStrictEqual(yield* stop(first), [0])
        assert.deepStrictEqual(yield* outcomes, [delivered, failed, open, open, failed])

        yield* late.open
        yield* untilFinished(2)
        yield* until(
          "the second pod has settled",
          Effect.map(outcomes, (all) => all[3]?.attempts === 1),
        )
        assert.deepStrictEqual(yield* outcomes, [delivered, failed, delivered, failed, failed])
        assert.deepStrictEqual(yield* stop(second), [0])
        assert.strictEqual(receiver.receipts.length, 9)
      }).pipe(provide)
    },
    timeout,
  )
})

describe("a pod whose lease expires while it waits for a response", () => {
  it.live(
    "counts the attempt of its new claim only",
    () => {
      const open = Latch.makeUnsafe(false)
      return Effect.gen(function* () {
        const receiver = yield* Receiver.start({ answer: () => Effect.as(open.await, 500) })
        const { endpoint, publish } = yield* hiringSystem(receiver.url)
        const pod = yield* startPod()
        yield* publish(3)
        yield* untilSync("the first attempts are open", () => receiver.receipts.length === 3)
        assert.strictEqual(yield* endLeases, 3)
        yield* untilSync("the second attempts are open", () => receiver.receipts.length === 6)
        // responds to all at once, so that they are settled together
        yield* open.open
        const isSettled = Effect.map(deliveriesOf(endpoint), (all) => all.every(({ attempts }) => attempts === 1))
        yield* until("all are settled", isSettled)
        assert.deepStrictEqual(yield* stop(pod), [0])
        yield* Webhooks.expectEndpoint(endpoint, "active", 3)
        assert.deepStrictEqual(yield* Webhooks.states, { "queued 1": 3 })
      }).pipe(provide)
    },
    timeout,
  )
})
