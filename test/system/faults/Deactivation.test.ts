/**
 * Failures and successes of one endpoint that arrive at once, in two pods. 15 failures in a row deactivate it; a success
 * resets the count (spec, Webhook delivery and endpoint).
 */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Random } from "effect"
import * as Receiver from "../../support/Receiver.ts"
import * as Scenario from "../../support/Scenario.ts"
import * as Webhooks from "../../support/Webhooks.ts"
import { deliveriesOf, provide, startPod, stop, timeout, until, untilSync } from "./stage.ts"

/** Deliveries of an endpoint, all in flight: half of them in each pod. */
const open = 16
const settings = {
  WEBHOOK_CONCURRENCY: "1000",
  WEBHOOK_ENDPOINT_CONCURRENCY: `${open / 2}`,
  // so that emails follow deactivations
  WEBHOOK_PROBE_FIRST: "0",
}

/** Responses sent at once; the next wave follows when all are settled. */
type Waves = ReadonlyArray<{ readonly failures: number; readonly successes: number }>
const failures = (count: number) => ({ failures: count, successes: 0 })
const success = { failures: 0, successes: 1 }

interface Script {
  readonly what: string
  readonly endpoints: number
  readonly waves: Waves
  readonly isRight: (status: string, counter: number) => boolean
}

const scripts: ReadonlyArray<Script> = [
  {
    what: "15 failures and a success at once",
    endpoints: 20,
    waves: [{ failures: 15, successes: 1 }],
    // the success may be settled first, last, or between
    isRight: (status, counter) => (status === "inactive" ? counter === 15 || counter === 0 : counter < 15),
  },
  {
    what: "16 failures at once",
    endpoints: 5,
    waves: [failures(16)],
    isRight: (status, counter) => status === "inactive" && counter === 16,
  },
  {
    what: "a success, then 15 failures at once",
    endpoints: 5,
    waves: [success, failures(15)],
    isRight: (status, counter) => status === "inactive" && counter === 15,
  },
  {
    what: "14 failures at once, a success, then a failure",
    endpoints: 5,
    waves: [failures(14), success, failures(1)],
    isRight: (status, counter) => status === "active" && counter === 1,
  },
  {
    what: "15 failures at once, then another one",
    endpoints: 5,
    waves: [failures(15), failures(1)],
    isRight: (status, counter) => status === "inactive" && counter === 16,
  },
  {
    what: "15 failures at once, then a success",
    endpoints: 5,
    waves: [failures(15), success],
    isRight: (status, counter) => status === "inactive" && counter === 0,
  },
]

describe("15 failures at once", () => {
  it.live(
    "deactivate an endpoint once, unless a success is settled between them",
    () => {
      const waiting = new Map<string, Array<Deferred.Deferred<number>>>()
      const answer: Receiver.Manners["answer"] = ({ path }) =>
        Effect.suspend(() => {
          const mine = Deferred.makeUnsafe<number>()
          waiting.set(path, [...(waiting.get(path) ?? []), mine])
          return Deferred.await(mine)
        })

      return Effect.gen(function* () {
        const receiver = yield* Receiver.start({ answer })
        const organization = yield* Scenario.organization()
        yield* Webhooks.addMembers(organization.id, "acme.example")
        const races = yield* Effect.forEach(
          scripts.flatMap((script, n) =>
            Array.from({ length: script.endpoints }, (_, i) => ({ ...script, path: `/${n}/${i}` })),
          ),
          (race) => {
            const endpoint = { url: receiver.url + race.path, events: ["interview.status.update"] }
            return Effect.map(Scenario.endpoint(organization.id, endpoint), ({ id }) => ({ ...race, endpoint: id }))
          },
        )
        const pods = yield* Effect.all([startPod(settings), startPod(settings)], { concurrency: 2 })
        yield* Scenario.publish(yield* Scenario.invited(organization), open)
        yield* untilSync("all requests are open", () => receiver.receipts.length === races.length * open)

        yield* Effect.forEach(
          races,
          Effect.fnUntraced(function* ({ endpoint, path, waves }) {
            const left = yield* Random.shuffle(waiting.get(path) ?? [])
            let settled = 0
            for (const { failures, successes } of waves) {
              const statuses = [...Array<number>(failures).fill(500), ...Array<number>(successes).fill(200)]
              for (const [i, request] of left.splice(0, statuses.length).entries()) {
                yield* Deferred.succeed(request, statuses[i] ?? 0)
              }
              settled += statuses.length
              const isSettled = Effect.map(
                deliveriesOf(endpoint),
                (all) => all.filter(({ attempts }) => attempts === 1).length === settled,
              )
              yield* until(`${settled} settled at ${path}`, isSettled)
            }
          }),
          { concurrency: "unbounded" },
        )
        assert.deepStrictEqual(yield* stop(...pods), [0, 0])

        let deactivated = 0
        for (const { endpoint, isRight, waves, what } of races) {
          const [row] = yield* Webhooks.endpointOf(endpoint)
          const { deactivated_at, failures: counter, status } = yield* Effect.fromNullishOr(row)
          assert.isTrue(isRight(status, counter), `${what}: ${status} at ${counter}`)
          assert.strictEqual(deactivated_at !== null, status === "inactive", what)
          if (status === "inactive") deactivated++
          const succeeded = waves.reduce((sum, { successes }) => sum + successes, 0)
          const states = [
            ...Array<string>(succeeded).fill("delivered 200"),
            ...Array<string>(open - succeeded).fill(status === "inactive" ? "parked 500" : "queued 500"),
          ]
          const deliveries = yield* deliveriesOf(endpoint)
          assert.deepStrictEqual(deliveries.map(({ state, statuses }) => `${state} ${statuses}`).sort(), states, what)
        }
        assert.strictEqual((yield* Webhooks.deactivationMails).length, 2 * deactivated)
        assert.strictEqual(receiver.receipts.length, races.length * open)
      }).pipe(provide)
    },
    timeout,
  )
})
