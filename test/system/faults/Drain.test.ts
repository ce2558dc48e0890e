/** Rolling replacement of pods under load, and a second SIGTERM. */

import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Redacted, Schedule } from "effect"
import { ApiKeys } from "../../../src/accounts/api-keys/ApiKeys.ts"
import { operator } from "../../../src/accounts/Viewer.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import type { Pod } from "../../support/Processes.ts"
import * as Receiver from "../../support/Receiver.ts"
import * as Scenario from "../../support/Scenario.ts"
import { hiringSystem, isLarge, provide, startPod, stop, timeout, untilSync } from "./stage.ts"

const path = "/company/integration/interview/candidate/invite/v1"

/** Sends requests to pods whose /health/ready succeeds, as a load balancer does. */
const router = Effect.fnUntraced(function* (first: ReadonlyArray<Pod>) {
  let pods = first
  let ready = first
  const probe = Effect.gen(function* () {
    const probed = pods
    const answers = yield* Effect.all(
      probed.map(({ url }) =>
        Effect.promise(() =>
          fetch(`${url}/health/ready`).then(
            ({ ok }) => ok,
            () => false,
          ),
        ),
      ),
      { concurrency: "unbounded" },
    )
    ready = probed.filter((_, index) => answers[index])
  })
  yield* Effect.forkScoped(Effect.repeat(probe, Schedule.spaced("20 millis")))
  let turn = 0
  return {
    next: () => ready[turn++ % ready.length] ?? first[0],
    isReady: (pod: Pod) => ready.includes(pod),
    replace: (old: Pod, by: Pod) => {
      pods = [...pods.filter((pod) => pod !== old), by]
    },
  }
})

describe("pods replaced under load", () => {
  const replaced = isLarge ? 12 : 2
  const callers = 8

  it.live(
    "drop no request",
    () =>
      Effect.gen(function* () {
        const { sql } = yield* Database
        const organization = yield* Scenario.organization()
        const key = yield* (yield* ApiKeys).create(operator(organization.id), {
          name: "ATS",
          scopes: ["invite_candidates"],
        })
        // gives the router time to see that the pod is not ready, even on a busy machine
        const settings = { DRAIN_WAIT: "3 seconds", RATE_LIMIT: "0" }
        const pods = yield* Effect.all([startPod(settings), startPod(settings)], { concurrency: 2 })
        const { isReady, next, replace } = yield* router(pods)

        const outcomes: Array<string> = []
        let isOver = false
        const invite = (email: string) =>
          Effect.promise(async () => {
            try {
              const answer = await fetch(`${next()?.url}${path}`, {
                method: "POST",
                headers: { "x-api-key": Redacted.value(key.value), "content-type": "application/json" },
                body: JSON.stringify({
                  com_interview_set_id: organization.set.id,
                  candidates: [{ email, name: "Ada" }],
                }),
              })
              await answer.text()
              return `${answer.status}`
            } catch (error) {
              return `${error instanceof Error ? error.cause : error}`
            }
          })
        const load = yield* Effect.forkScoped(
          Effect.forEach(
            Array.from({ length: callers }, (_, caller) => caller),
            Effect.fnUntraced(function* (caller) {
              for (let i = 0; !isOver; i++) outcomes.push(yield* invite(`ada-${caller}-${i}@example.com`))
            }),
            { concurrency: "unbounded" },
          ),
        )

        let [oldest, other] = pods
        for (let i = 0; i < replaced; i++) {
          const before = outcomes.length
          yield* untilSync("requests succeed", () => outcomes.length > before + 50)
          const fresh = yield* startPod(settings)
          oldest.signal("SIGTERM")
          const stopping = oldest
          yield* untilSync("the router has removed the pod", () => !isReady(stopping))
          replace(oldest, fresh)
          assert.strictEqual(yield* oldest.ended, 0)
          yield* untilSync("the new pod is ready", () => isReady(fresh))
          ;[oldest, other] = [other, fresh]
        }
        isOver = true
        yield* Fiber.join(load)
        assert.deepStrictEqual([...new Set(outcomes)], ["200"])
        const [row] = yield* sql<{ count: number }>`select count(*)::int as count from invitation`
        assert.strictEqual(row?.count, outcomes.length)
        assert.deepStrictEqual(yield* stop(oldest, other), [0, 0])
      }).pipe(provide),
    timeout,
  )
})

describe("a second SIGTERM", () => {
  it.live(
    "ends a draining pod at once",
    () =>
      Effect.gen(function* () {
        const receiver = yield* Receiver.start({ answer: () => Effect.never })
        const pod = yield* startPod()
        yield* (yield* hiringSystem(receiver.url)).publish(1)
        yield* untilSync("a request is open", () => receiver.receipts.length === 1)
        pod.signal("SIGTERM")
        yield* untilSync("the pod drains", () => pod.log().includes("webhook_delivery: finishing"))
        yield* Effect.forkScoped(
          Effect.repeat(
            Effect.sync(() => pod.signal("SIGTERM")),
            Schedule.spaced("200 millis"),
          ),
        )
        assert.strictEqual(yield* pod.ended, 143)
        assert.notInclude(pod.log(), "did not end in time")
      }).pipe(provide),
    timeout,
  )
})
