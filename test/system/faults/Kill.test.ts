/** Pods ended by kill -9: no delivery is lost, and only those in flight are sent again. */
import { once } from "node:events"
import { createServer } from "node:http"
import { createServer as createTcpServer, type Server } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Latch, Random } from "effect"
import { operator } from "../../../src/accounts/Viewer.ts"
import { InviteRequest } from "../../../src/invitations/InviteRequest.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import type { Pod } from "../../support/Processes.ts"
import * as Receiver from "../../support/Receiver.ts"
import * as Scenario from "../../support/Scenario.ts"
import * as Webhooks from "../../support/Webhooks.ts"
import {
  endLeases,
  endLeasesOf,
  hiringSystem,
  isLarge,
  provide,
  startPod,
  stop,
  tally,
  timeout,
  until,
  untilFinished,
  untilSync,
} from "./stage.ts"

const kill = (pod: Pod) =>
  Effect.andThen(
    Effect.sync(() => pod.signal("SIGKILL")),
    pod.ended,
  )

/** Locks the rows of all endpoints, which blocks settlements; returns an effect that unlocks them. */
const lockEndpoints = Effect.gen(function* () {
  const { sql, transaction } = yield* Database
  const [locked, letGo] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const holder = yield* Effect.forkScoped(
    transaction(
      sql`select id from webhook_endpoint for no key update`.pipe(
        Effect.andThen(Deferred.succeed(locked, undefined)),
        Effect.andThen(Deferred.await(letGo)),
      ),
    ),
  )
  yield* Deferred.await(locked)
  return Effect.andThen(Deferred.succeed(letGo, undefined), Fiber.join(holder))
})

const isSettling = Effect.gen(function* () {
  const { sql } = yield* Database
  const rows = yield* sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return rows.length > 0
})

describe("kill -9 of a pod", () => {
  const each = 5

  it.live(
    "before sending, after sending or before settling: another pod sends its deliveries, as first attempts",
    () => {
      let first: Pod | undefined
      return Effect.gen(function* () {
        const receiver = yield* Receiver.start({
          answer: ({ path }, receipts) =>
            path === "/sent" && receipts.filter((receipt) => receipt.path === path).length <= each
              ? Effect.never
              : Effect.succeed(200),
          connected: (socket) => {
            if (first === undefined) return
            first.signal("SIGKILL")
            socket.destroy()
          },
        })
        const paths = ["/claimed", "/sent", "/answered"]
        const receivedCounts = () => paths.map((path) => receiver.receiptsAt(path).length)
        const claimed = yield* hiringSystem(`${receiver.url}/claimed`)
        const sent = yield* hiringSystem(`${receiver.url}/sent`)
        const answered = yield* hiringSystem(`${receiver.url}/answered`)

        first = yield* startPod()
        yield* claimed.publish(each)
        assert.isNull(yield* first.ended)
        first = undefined

        const second = yield* startPod()
        yield* sent.publish(each)
        yield* untilSync("all requests arrived", () => receivedCounts()[1] === each)
        assert.isNull(yield* kill(second))

        const third = yield* startPod()
        const unlock = yield* lockEndpoints
        yield* answered.publish(each)
        yield* until("the pod settles", isSettling)
        assert.isNull(yield* kill(third))
        yield* unlock

        assert.deepStrictEqual(receivedCounts(), [0, each, each])
        assert.deepInclude(yield* tally, { held: 3 * each, finished: 0 })
        // long before the leases end
        yield* startPod()
        yield* untilFinished(3 * each)
        assert.deepStrictEqual(receivedCounts(), [each, 2 * each, 2 * each])
        assert.deepStrictEqual(yield* Webhooks.states, { "delivered 1": 3 * each })
        for (const { endpoint } of [claimed, sent, answered]) yield* Webhooks.expectEndpoint(endpoint, "active", 0)
        for (const same of Map.groupBy(receiver.receipts, ({ event }) => event).values()) {
          assert.strictEqual(new Set(same.map(({ body }) => body.toString())).size, 1)
        }
      }).pipe(provide)
    },
    timeout,
  )
})

/** Accepts connections. Answers requests only while `isOpen`, with a text. */
const silentServer = (isOpen: () => boolean) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      let connections = 0
      const http = createServer((_, response) => void (isOpen() && response.end("I ran PostgreSQL for six years.")))
      const smtp = createTcpServer()
      for (const server of [http, smtp]) {
        server.on("connection", (socket) => {
          connections++
          socket.on("error", () => {})
        })
        await once(server.listen(0, "127.0.0.1"), "listening")
      }
      const portOf = (server: Server) => Object(server.address()).port
      return { http, smtp, ports: { http: portOf(http), smtp: portOf(smtp) }, connections: () => connections }
    }),
    ({ http, smtp }) =>
      Effect.sync(() => {
        http.close()
        smtp.close()
        http.closeAllConnections()
      }),
  )

it.live(
  "the work of a killed pod is taken over in all four queues, long before its leases end",
  () => {
    let isOpen = false
    return Effect.gen(function* () {
      const { sql } = yield* Database
      const { connections, ports } = yield* silentServer(() => isOpen)
      const url = `http://127.0.0.1:${ports.http}`
      const organization = yield* Scenario.organization()
      yield* Scenario.endpoint(organization.id, { url: `${url}/hook`, events: ["interview.status.update.completed"] })
      yield* Scenario.completed(yield* Scenario.invited(organization))
      yield* Scenario.invited(organization, "grace@example.com")
      const request = { com_interview_set_id: organization.set.id, candidates: [{ cv_link: `${url}/cv.txt` }] }
      yield* Scenario.invite(operator(organization.id), InviteRequest.make(request))

      const first = yield* startPod({
        APP_URL: url,
        ...{ EMAIL: "smtp", EMAIL_FROM: "jobs@acme.example", SMTP_URL: `smtp://127.0.0.1:${ports.smtp}` },
        ...{ EVALUATOR: "model", MODEL_URL: `${url}/v1`, MODEL_NAME: "silent" },
      })
      const held = sql<{ queue: string }>`
        select 'cv' as queue from cv where claim_id is not null union select 'email' from email where claim_id is not null
        union select 'evaluation' from evaluation where claim_id is not null
        union select 'webhook_delivery' from webhook_delivery where claim_id is not null`
      const countHeld = Effect.map(held, ({ length }) => length)
      yield* until(
        "the pod performs a job of each queue",
        Effect.map(countHeld, (count) => count === 4 && connections() >= 4),
      )
      assert.isNull(yield* kill(first))
      assert.strictEqual(yield* countHeld, 4)
      isOpen = true
      yield* startPod()
      const unfinished = sql`
        select 1 from cv where state = 'queued' union all select 1 from email where state = 'queued'
        union all select 1 from evaluation where state = 'queued' union all select 1 from webhook_delivery`
      yield* until(
        "another pod has performed them",
        Effect.map(unfinished, ({ length }) => length === 0),
      )
      const longest = sql<{ minutes: number }>`
        select (extract(epoch from max(leased_until) - now()) / 60)::float8 as minutes
        from (select leased_until from cv union all select leased_until from evaluation) l`
      assert.isAbove((yield* longest)[0]?.minutes ?? 0, 2)
    }).pipe(provide)
  },
  timeout,
)

describe("a job that kills its pod", () => {
  it.live(
    "ends with an error after five killed pods; the other jobs in flight are performed",
    () =>
      Effect.gen(function* () {
        const { sql } = yield* Database
        const organization = yield* Scenario.organization()
        const answers = ["Please kill the process.", "I ran PostgreSQL.", "I tuned PostgreSQL.", "I know SQL."]
        for (const [i, answer] of answers.entries()) {
          yield* Scenario.completed(yield* Scenario.invited(organization, `${i}@example.com`), answer)
        }
        for (let deaths = 0; deaths < 5; deaths++) {
          const pod = yield* startPod({}, "test/system/faults/poisonedPod.ts")
          assert.isNull(yield* pod.ended)
          yield* endLeasesOf("evaluation")
        }
        yield* startPod({}, "test/system/faults/poisonedPod.ts")
        const rows = sql<{ state: string }>`
          select state, unended_attempts, alone, error, result ->> 'score_status' as score_status, event_id is not null as has_event
          from evaluation order by created_at, id`
        yield* until(
          "all evaluations have ended",
          Effect.map(rows, (all) => all.every(({ state }) => state === "done")),
        )
        const ended = { state: "done", unended_attempts: 0, alone: null, has_event: true }
        assert.deepStrictEqual(yield* rows, [
          {
            ...ended,
            error: "Each attempt to perform this failed unexpectedly or ended its process.",
            score_status: "not_scored",
          },
          ...Array(3).fill({ ...ended, error: null, score_status: "scored" }),
        ])
      }).pipe(provide),
    timeout,
  )
})

describe("pods killed and started at random under load", () => {
  const endpoints = 5
  const each = isLarge ? 8_000 : 600
  const total = endpoints * each
  const pods = 3
  const rounds = isLarge ? 6 : 2
  const killsOfRound = isLarge ? 6 : 3
  const kills = rounds * killsOfRound
  const concurrency = 40
  /** A pod claims at most 20 times its concurrency, outcomes that wait to be settled included (platform/queue/Worker.ts). */
  const maxClaimedRatio = 20
  const settings = { WEBHOOK_CONCURRENCY: `${concurrency}`, WEBHOOK_ENDPOINT_CONCURRENCY: `${concurrency / 2}` }

  it.live(
    "lose no delivery, and send twice at most what each had in flight",
    () => {
      // responses wait while it is closed, until the killed pod is replaced
      const gate = Latch.makeUnsafe(true)
      let strike = { closeAt: 0, killAt: 0, kill: () => {} }
      return Effect.gen(function* () {
        const receiver = yield* Receiver.start({
          answer: (_, receipts) => {
            if (receipts.length === strike.killAt) strike.kill()
            if (receipts.length === strike.closeAt) gate.closeUnsafe()
            return Effect.as(gate.await, 200)
          },
        })
        for (let i = 0; i < endpoints; i++) yield* (yield* hiringSystem(`${receiver.url}/${i}`)).publish(each)

        const start = startPod(settings)
        for (let round = 0; round < rounds; round++) {
          gate.closeUnsafe()
          const living: Array<Pod> = yield* Effect.all(
            Array.from({ length: pods }, () => start),
            { concurrency: pods },
          )
          for (let i = 0; i < killsOfRound; i++) {
            const victim = yield* Effect.fromNullishOr(living[yield* Random.nextIntBetween(0, pods - 1)])
            const closeAt =
              receiver.receipts.length + (yield* Random.nextIntBetween(1, Math.floor((0.7 * total) / kills)))
            // while it sends, or when all its requests are open
            const killAt = (yield* Random.nextBoolean) ? closeAt : closeAt + concurrency
            strike = { closeAt, killAt, kill: () => victim.signal("SIGKILL") }
            gate.openUnsafe()
            assert.isNull(yield* victim.ended)
            living.splice(living.indexOf(victim), 1, yield* start)
          }
          gate.openUnsafe()
          assert.deepStrictEqual(yield* stop(...living), Array(pods).fill(0))
          yield* endLeases
        }
        const last = yield* start
        yield* untilFinished(total)
        assert.deepStrictEqual(yield* stop(last), [0])

        assert.deepStrictEqual(yield* Webhooks.states, { "delivered 1": total })
        const deliveries = Map.groupBy(receiver.receipts, ({ event, path }) => `${path} ${event}`)
        assert.strictEqual(deliveries.size, total)
        // requests that killed pods had open, or had not settled
        const again = [...deliveries.values()].flatMap((same) => same.slice(0, -1))
        const open = again.filter((receipt) => !receipt.isAnswered()).length
        assert.isAbove(again.length, 0)
        assert.isAtMost(again.length, kills * concurrency * maxClaimedRatio)
        assert.isAtMost(open, kills * concurrency)
      }).pipe(provide)
    },
    timeout,
  )
})
