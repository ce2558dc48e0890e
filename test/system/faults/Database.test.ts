/** Postgres fails under load and comes back: no event is lost or sent twice, and no pod is restarted. */

import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Latch, Redacted, References, Schedule } from "effect"
import { ApiKeys } from "../../../src/accounts/api-keys/ApiKeys.ts"
import { operator } from "../../../src/accounts/Viewer.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import * as OwnPostgres from "../../support/OwnPostgres.ts"
import type { Pod } from "../../support/Processes.ts"
import * as Receiver from "../../support/Receiver.ts"
import { refusing } from "../../support/RefusedStatements.ts"
import { amount } from "../../support/thorough.ts"
import * as Webhooks from "../../support/Webhooks.ts"
import {
  endLeases,
  hiringSystem,
  isLarge,
  on,
  provide,
  startPod,
  stop,
  tally,
  timeout,
  until,
  untilSync,
} from "./stage.ts"

/** Retries until the effect succeeds; it may have run more than once. */
const persistently = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(Effect.sandbox, Effect.retry(Schedule.spaced("20 millis")), Effect.orDie)

describe("Postgres failing while pods work", () => {
  const settings = {
    WEBHOOK_CONCURRENCY: "40",
    WEBHOOK_ENDPOINT_CONCURRENCY: "40",
    // no deactivation, so that the counter equals the number of failures
    WEBHOOK_DEACTIVATE_AFTER: "1000000",
  }
  /** More requests than both pods have in flight: after these, the pods have claimed and settled again. */
  const recovered = 150
  const rounds = isLarge ? 10 : 1

  it.live(
    "loses no event, sends and counts none twice, and needs no restart of a pod",
    () =>
      Effect.gen(function* () {
        const { cutConnections, restart, url } = yield* OwnPostgres.start
        const test = Effect.gen(function* () {
          const { sql } = yield* Database
          const receiver = yield* Receiver.start({
            answer: ({ path }) => Effect.succeed(path === "/sound" ? 200 : 500),
          })
          const sound = yield* hiringSystem(`${receiver.url}/sound`)
          const broken = yield* hiringSystem(`${receiver.url}/broken`)
          const pods = yield* Effect.all([startPod(settings), startPod(settings)], { concurrency: 2 })

          // a publish that fails may have been committed; one that succeeds must have been
          const confirmed: Array<string> = []
          let isOver = false
          const publishing = yield* Effect.forkScoped(
            Effect.gen(function* () {
              while (!isOver) {
                for (const { publish } of [sound, broken]) confirmed.push(...(yield* persistently(publish(25))))
                yield* untilSync(
                  "the receiver keeps up",
                  () => isOver || confirmed.length < receiver.receipts.length + 400,
                )
              }
            }),
          )
          const [cut, fast, crash] = [cutConnections, restart("fast"), restart("immediate")]
          const faults = Array.from({ length: rounds }, () => [cut, cut, fast, cut, crash, cut, cut, crash]).flat()
          for (const fault of faults) {
            const before = receiver.receipts.length
            yield* fault
            yield* untilSync("pods work again", () => receiver.receipts.length >= before + recovered)
          }
          isOver = true
          yield* Fiber.join(publishing)
          yield* persistently(sound.publish(recovered))
          yield* until(
            "all deliveries have been claimed",
            Effect.map(persistently(tally), ({ waiting }) => waiting === 0),
          )
          const exitCodes = yield* stop(...pods)
          assert.deepStrictEqual(exitCodes, [0, 0], pods.map((pod) => pod.log().slice(-2000)).join("\n---\n"))

          // no pod knows of a claim whose response was lost; its lease expires. The pods released what they had not started.
          yield* endLeases
          yield* startPod(settings)
          yield* until(
            "all is finished",
            Effect.map(tally, ({ held, waiting }) => held + waiting === 0),
          )
          const rows = yield* sql<{ id: string }>`
            select id from webhook_event where event_type = 'interview.status.update'`
          const [events, received] = [
            new Set(rows.map(({ id }) => id)),
            new Set(receiver.receipts.map(({ event }) => event)),
          ]
          assert.isEmpty(
            confirmed.filter((id) => !events.has(id)),
            "published events that are missing",
          )
          assert.isEmpty(
            [...events].filter((id) => !received.has(id)),
            "events that were not sent",
          )
          assert.strictEqual(receiver.receipts.length, events.size)
          const failed = receiver.receiptsAt("/broken").length
          assert.deepStrictEqual(yield* Webhooks.states, { "delivered 1": events.size - failed, "queued 1": failed })
          yield* Webhooks.expectEndpoint(sound.endpoint, "active", 0)
          yield* Webhooks.expectEndpoint(broken.endpoint, "active", failed)
        })
        yield* Effect.provide(Effect.scoped(test), on(url), { local: true })
      }).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "None")),
    timeout,
  )
})

describe("webhook deliveries whose statements fail with an error of the database", () => {
  const perEndpoint = 5

  it.live.each(["58030", "25P03"])(
    "are sent once, with one attempt, when claiming and then settling fail with SQLSTATE %s for a while",
    (code) =>
      provide(
        Effect.gen(function* () {
          const answering = Latch.makeUnsafe(false)
          const receiver = yield* Receiver.start({
            answer: ({ path }) => Effect.as(answering.await, path === "/sound" ? 200 : 500),
          })
          const sound = yield* hiringSystem(`${receiver.url}/sound`)
          const broken = yield* hiringSystem(`${receiver.url}/broken`)
          const whileRefused = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
            refusing("webhook_delivery", code, effect, "update or delete")
          const untilLogged = (pod: Pod, act: string) => {
            const message = `webhook_delivery: ${act} failed: waiting for the database`
            return untilSync(message, () => pod.log().includes(message))
          }

          for (const { publish } of [sound, broken]) yield* publish(perEndpoint)
          const pod = yield* whileRefused(Effect.tap(startPod(), (pod) => untilLogged(pod, "claiming")))
          yield* untilSync("all are in flight", () => receiver.receipts.length === 2 * perEndpoint)
          yield* whileRefused(Effect.andThen(answering.open, untilLogged(pod, "settling")))
          yield* until(
            "all are settled",
            Effect.map(tally, ({ held }) => held === 0),
          )

          assert.deepStrictEqual(yield* Webhooks.states, {
            "delivered 1": perEndpoint,
            "queued 1": perEndpoint,
          })
          yield* Webhooks.expectEndpoint(sound.endpoint, "active", 0)
          yield* Webhooks.expectEndpoint(broken.endpoint, "active", perEndpoint)
          const { sql } = yield* Database
          assert.isEmpty(yield* sql`select from webhook_delivery where unended_attempts > 0`)
          assert.strictEqual(new Set(receiver.receipts.map(({ event }) => event)).size, 2 * perEndpoint)
          assert.lengthOf(receiver.receipts, 2 * perEndpoint)
          assert.deepStrictEqual(yield* stop(pod), [0])
        }),
      ).pipe(Effect.provideService(References.MinimumLogLevel, "None")),
    timeout,
  )
})

describe("Postgres stopped for a while", () => {
  const downtime = isLarge ? Duration.minutes(1) : Duration.zero

  it.live(
    "makes the API return 503 with Retry-After; afterwards requests and deliveries go on, and no event is lost",
    () =>
      Effect.gen(function* () {
        const { start, stop: stopDatabase, url } = yield* OwnPostgres.start
        const test = Effect.gen(function* () {
          const receiver = yield* Receiver.start({ answer: () => Effect.succeed(200) })
          const system = yield* hiringSystem(receiver.url, ["invitation.status.update"])
          const key = yield* (yield* ApiKeys).create(operator(system.organization), {
            name: "ATS",
            scopes: ["invite_candidates"],
          })
          const pods = yield* Effect.all([startPod(), startPod()], { concurrency: 2 })
          let sent = 0
          const invite = (pod: Pod) =>
            Effect.promise(() => {
              sent++
              return fetch(`${pod.url}/company/integration/interview/candidate/invite/v1`, {
                method: "POST",
                headers: { "x-api-key": Redacted.value(key.value), "content-type": "application/json" },
                body: JSON.stringify({
                  com_interview_set_id: system.set,
                  candidates: [{ email: `grace-${sent}@example.com`, name: "Grace" }],
                }),
              })
            })
          const everyPod = <A, E, R>(call: (pod: Pod) => Effect.Effect<A, E, R>) =>
            Effect.forEach(pods, call, { concurrency: "unbounded" })
          const health = (pod: Pod) => Effect.promise(() => fetch(`${pod.url}/health/ready`))

          const before = yield* everyPod(invite)
          assert.deepStrictEqual(
            before.map(({ status }) => status),
            [200, 200],
          )
          // a claim whose response is lost would delay its deliveries until the lease expires
          yield* untilSync("events of the first invitations arrived", () => receiver.receipts.length === 1 + 2)
          yield* stopDatabase
          yield* Effect.sleep(downtime)
          for (let i = 0; i < 20; i++) {
            for (const answer of yield* everyPod(invite)) {
              assert.strictEqual(answer.status, 503)
              assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
              assert.strictEqual(answer.headers.get("content-type"), "application/problem+json")
              assert.deepInclude(yield* Effect.promise(() => answer.json()), { code: "unavailable" })
            }
          }
          assert.deepStrictEqual(
            (yield* everyPod(health)).map(({ status }) => status),
            [503, 503],
          )
          yield* start
          for (const pod of pods) {
            yield* until(
              "the pod is ready",
              Effect.map(health(pod), ({ ok }) => ok),
            )
          }
          const after = yield* everyPod(invite)
          assert.deepStrictEqual(
            after.map(({ status }) => status),
            [200, 200],
          )
          yield* untilSync("all events arrived", () => receiver.receipts.length === 1 + 4)
          const { sql } = yield* Database
          const [row] = yield* sql<{ count: number }>`select count(*)::int as count from invitation`
          assert.strictEqual(row?.count, 1 + 4)
          assert.deepStrictEqual(yield* stop(...pods), [0, 0])
        })
        yield* Effect.provide(Effect.scoped(test), on(url), { local: true })
      }).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "None")),
    timeout,
  )
})

describe("the log of a pod during an outage of Postgres", () => {
  /** Longer than many rounds of each worker, and many pauses of a second. */
  const outage = Duration.seconds(amount(10, 20))
  /** The beginning, the end, and one more. */
  const maxRepeats = 3

  it.live(
    "repeats no message each second, and tells the end",
    () =>
      Effect.gen(function* () {
        const { start, stop: stopDatabase, url } = yield* OwnPostgres.start
        const test = Effect.gen(function* () {
          const { sql } = yield* Database
          const receiver = yield* Receiver.start({
            answer: ({ path }) => Effect.succeed(path === "/sound" ? 200 : 500),
          })
          const systems = yield* Effect.forEach(["/sound", "/broken", "/paced"], (path) =>
            hiringSystem(`${receiver.url}${path}`),
          )
          const [sound, broken, paced] = systems
          if (sound === undefined || broken === undefined || paced === undefined) return
          yield* sql`update webhook_endpoint set max_per_minute = 60 where id = ${paced.endpoint}::uuid`
          const key = yield* (yield* ApiKeys).create(operator(sound.organization), {
            name: "ATS",
            scopes: ["invite_candidates"],
          })
          const pod = yield* startPod({ WEBHOOK_RETRY_FIRST: "1 second" })
          const headers = { "x-api-key": Redacted.value(key.value), "content-type": "application/json" }
          const requests: ReadonlyArray<readonly [string, RequestInit]> = [
            [
              "/company/integration/interview/candidate/invite/v1",
              {
                method: "POST",
                headers,
                body: JSON.stringify({ com_interview_set_id: sound.set, candidates: [{ email: "grace@example.com" }] }),
              },
            ],
            ["/company/integration/interview/set/list/v1", { headers }],
            ["/login", {}],
            ["/i/1", {}],
            ["/health/ready", {}],
            ["/metrics", {}],
          ]
          const request = Effect.forEach(
            requests,
            ([path, init]) => Effect.promise(() => fetch(`${pod.url}${path}`, init).then((answer) => answer.text())),
            { concurrency: "unbounded", discard: true },
          )
          for (const { publish } of systems) yield* publish(50)
          yield* untilSync("the pod works", () => receiver.receipts.length > 20)
          // a step of ten minutes whose first run fails tells the end after ten minutes
          yield* until(
            "the first run of each step has ended",
            Effect.map(
              sql`select from periodic_step where name = 'deleting expired password links' and ran_at is not null`,
              (rows) => rows.length > 0,
            ),
          )
          const before = pod.log().length
          yield* stopDatabase
          yield* request.pipe(Effect.repeat(Schedule.spaced("200 millis")), Effect.timeoutOption(outage))
          yield* start
          yield* until(
            "the pod is ready",
            Effect.promise(() => fetch(`${pod.url}/health/ready`).then(({ ok }) => ok)),
          )
          const received = receiver.receiptsAt("/sound").length
          yield* persistently(sound.publish(1))
          yield* untilSync("the pod works again", () => receiver.receiptsAt("/sound").length > received)
          const messages = () =>
            pod
              .log()
              .slice(before)
              .split("\n")
              .filter((line) => line.startsWith("{"))
              .map((line): string => JSON.parse(line).message)
          const failed = " failed: waiting for the database"
          const interrupted = () =>
            messages()
              .filter((message) => message.endsWith(failed))
              .map((message) => message.slice(0, -failed.length))
          assert.isNotEmpty(interrupted())
          yield* untilSync("each loop that failed tells the end", () =>
            interrupted().every((name) => messages().includes(`${name} works again`)),
          )
          const counts = Object.entries(Object.groupBy(messages(), String)).map(
            ([message, all]) => [message, all?.length ?? 0] as const,
          )
          assert.isEmpty(counts.filter(([message, count]) => message !== "request" && count > maxRepeats))
        })
        yield* Effect.provide(Effect.scoped(test), on(url), { local: true })
      }).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "None")),
    timeout,
  )
})
