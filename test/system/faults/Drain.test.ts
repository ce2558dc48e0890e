/** Pods that are replaced while hiring systems call: no call fails, and whoever does not want to wait need not. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Redacted, Schedule } from "effect"
import { ApiKeys } from "../../../src/accounts/ApiKeys.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import type { Pod } from "../../support/Processes.ts"
import * as Receiver from "../../support/Receiver.ts"
import * as Scenario from "../../support/Scenario.ts"
import { hiringSystem, isLarge, provide, startPod, stop, timeout, untilSync } from "./stage.ts"

const path = "/company/integration/interview/candidate/invite/v1"

/** Sends requests to pods that say they are ready, as a router of traffic does. */
const router = Effect.fnUntraced(function* (first: ReadonlyArray<Pod>) {
  let pods = first
  let ready = first
  const look = Effect.gen(function* () {
    const looked = pods
    const answers = yield* Effect.all(
      looked.map(({ url }) =>
        Effect.promise(() =>
          fetch(`${url}/health/ready`).then(
            ({ ok }) => ok,
            () => false,
          ),
        ),
      ),
      { concurrency: "unbounded" },
    )
    ready = looked.filter((_, index) => answers[index])
  })
  yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced("20 millis")))
  let turn = 0
  return {
    next: () => ready[turn++ % ready.length] ?? first[0],
    isReady: (pod: Pod) => ready.includes(pod),
    replace: (old: Pod, by: Pod) => {
      pods = [...pods.filter((pod) => pod !== old), by]
    },
  }
})

describe("Pods that are replaced under load", () => {
  const replaced = isLarge ? 12 : 2
  const callers = 8

  it.live(
    "drop no request",
    () =>
      Effect.gen(function* () {
        const { sql } = yield* Database
        const organization = yield* Scenario.organization()
        const key = yield* (yield* ApiKeys).create(organization.id, { name: "ATS", scopes: ["invite_candidates"] })
        // long enough for the router to look, whatever else this machine does
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

        let [eldest, other] = pods
        for (let i = 0; i < replaced; i++) {
          const before = outcomes.length
          yield* untilSync("requests come through", () => outcomes.length > before + 50)
          const fresh = yield* startPod(settings)
          eldest.signal("SIGTERM")
          const stopping = eldest
          yield* untilSync("the router knows", () => !isReady(stopping))
          replace(eldest, fresh)
          assert.strictEqual(yield* eldest.ended, 0)
          yield* untilSync("the new one is ready", () => isReady(fresh))
          ;[eldest, other] = [other, fresh]
        }
        isOver = true
        yield* Fiber.join(load)
        assert.deepStrictEqual([...new Set(outcomes)], ["200"])
        const [row] = yield* sql<{ count: number }>`select count(*)::int as count from invitation`
        assert.strictEqual(row?.count, outcomes.length)
        assert.deepStrictEqual(yield* stop(eldest, other), [0, 0])
      }).pipe(provide),
    timeout,
  )
})

describe("A second signal", () => {
  it.live(
    "stops at once what the first one drains",
    () =>
      Effect.gen(function* () {
        const receiver = yield* Receiver.start({ answer: () => Effect.never })
        const pod = yield* startPod()
        yield* (yield* hiringSystem(receiver.url)).publish(1)
        yield* untilSync("a request is open", () => receiver.receipts.length === 1)
        pod.signal("SIGTERM")
        yield* untilSync("it drains", () => pod.log().includes("webhook_delivery: finishing"))
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
