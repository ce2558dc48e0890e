/**
 * Pods whose clocks are wrong. Everything stored follows the database's clock, and so do signatures: receivers refuse a
 * timestamp that is minutes off.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Latch } from "effect"
import { Database } from "../../../src/platform/database/Database.ts"
import { findWebhookFault } from "../../../src/webhooks/deliveries/WebhookVerification.ts"
import { keyOf, paths } from "../../support/Api.ts"
import type { Pod } from "../../support/Processes.ts"
import * as Receiver from "../../support/Receiver.ts"
import * as Scenario from "../../support/Scenario.ts"
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

/** Starts a pod whose clock is `by` milliseconds off. Its lease and retry delay are shorter than the difference. */
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

/** The signature's timestamp in milliseconds, to the second. */
const signedAt = ({ headers }: Receiver.Receipt) => Number(headers["webhook-timestamp"]) * 1000

describe("a pod whose clock is five minutes slow and one whose clock is five minutes fast", () => {
  it.live(
    "send due deliveries only, respect each other's leases, and sign with the right time",
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
        const untilReceived = (path: string, count: number) =>
          untilSync(`${count} requests at ${path}`, () => receiver.receiptsAt(path).length === count)
        const holding = yield* hiringSystem(`${receiver.url}/held`)
        const failing = yield* hiringSystem(`${receiver.url}/failing`)
        const both = yield* hiringSystem(`${receiver.url}/meeting`)

        const slow = yield* startWrong(-fiveMinutes)
        yield* holding.publish(1)
        yield* failing.publish(1)
        yield* untilReceived("/held", 1)
        const hasFailed = Effect.map(deliveriesOf(failing.endpoint), ([delivery]) => delivery?.attempts === 1)
        yield* until("a retry is planned", hasFailed)
        // lease: three times the timeout plus 30 s; retry: up to 10 % later
        const planned = yield* sql<{ isRight: boolean }>`
          select case when claim_id is null then due_at else leased_until end between created_at + least_wait and clock_timestamp() + least_wait * 1.1 as "isRight"
          from webhook_delivery, lateral (
            select case when attempts = 0 then interval '210 seconds' else interval '4 minutes' end as least_wait
          ) w`
        assert.deepStrictEqual(planned, [{ isRight: true }, { isRight: true }])

        const fast = yield* startWrong(fiveMinutes)
        // each pod sends at most two requests to an endpoint at a time, so both pods are needed for four
        yield* both.publish(4)
        yield* untilReceived("/meeting", 4)
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

        // both pods sent some of these; a receiver with a tolerance of 60 s accepts all
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
        // a minute allows for a busy machine and is far from five minutes
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

const minutes = 60_000
const days = 86_400_000

interface Sent {
  readonly key?: string
  readonly json?: unknown
  readonly fields?: Record<string, string>
}

const send = ({ url }: Pod, path: string, { fields, json, key }: Sent) =>
  Effect.promise(async (signal) => {
    const response = await fetch(url + path, {
      method: json === undefined && fields === undefined ? "GET" : "POST",
      signal,
      redirect: "manual",
      headers: {
        ...(json === undefined ? {} : { "content-type": "application/json" }),
        ...(key === undefined ? {} : { "x-api-key": key }),
      },
      body: fields === undefined ? (json === undefined ? null : JSON.stringify(json)) : new URLSearchParams(fields),
    })
    assert.isBelow(response.status, 400, path)
    const text = await response.text()
    return json === undefined && key === undefined ? undefined : JSON.parse(text)
  })

interface Stored {
  readonly timestamp: string
  readonly status: string
  readonly millis: number
}

describe("a pod whose clock is ten minutes fast and one whose clock is 31 days slow", () => {
  it.live(
    "store the database's time: events are in order and stay, and no invitation expires",
    () =>
      Effect.gen(function* () {
        const { sql } = yield* Database
        const began = Date.now()
        const { id, set } = yield* Scenario.organization()
        const { key } = yield* keyOf(id)
        const fast = yield* startWrong(10 * minutes)
        const slow = yield* startWrong(-31 * days)
        assert.match(slow.log(), /the clock of this machine is wrong/)

        for (const [at, pods] of [
          [fast, slow, fast, slow],
          [slow, fast, slow, fast],
        ].entries()) {
          const [inviting = fast, starting = slow, answering = fast, finishing = slow] = pods
          const { results } = yield* send(inviting, paths.invite, {
            key,
            json: { com_interview_set_id: set.id, candidates: [{ email: `ada${at}@example.com` }] },
          })
          const { pathname } = new URL(results[0].submission.interview_url)
          yield* send(starting, `${pathname}/initiated`, { fields: {} })
          yield* send(answering, `${pathname}/start`, { fields: {} })
          const [question] = set.iai_questions
          yield* send(finishing, `${pathname}/finish`, { fields: { [`answer.${question?.id}`]: Scenario.answer } })
        }
        const evaluated = sql`select from webhook_event where event_type = 'interview.evaluation.update'`
        yield* until(
          "both are evaluated",
          Effect.map(evaluated, (rows) => rows.length === 2),
        )
        const stored = yield* sql<Stored & { submission_id: string }>`
          select submission_id, body::json ->> 'timestamp' as timestamp, status,
            ('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint::float8 as millis
          from webhook_event where event_type <> 'invitation.status.update' order by submission_id, xid, seq`
        assert.deepStrictEqual(
          stored.map(({ status }) => status),
          [...Array(2)].flatMap(() => ["initiated", "started", "completed", "scored"]),
        )
        for (const { millis, submission_id, timestamp } of stored) {
          const earlier = stored.filter((other) => other.submission_id === submission_id)
          const times = earlier.map((other) => other.timestamp)
          assert.deepStrictEqual(times, times.toSorted())
          for (const time of [Date.parse(timestamp), millis]) {
            assert.isAtLeast(time, began - 1_000)
            assert.isAtMost(time, Date.now() + 1_000)
          }
        }
        const [left] = yield* sql`
          select (select count(*)::int from webhook_event where event_type <> 'invitation.status.update') as events,
            (select count(*)::int from invitation where status = 'expired' or expires_at < now() + interval '29 days'
              or expires_at > now() + interval '31 days') as wrong`
        assert.deepStrictEqual(left, { events: 8, wrong: 0 })
        assert.deepStrictEqual(yield* stop(fast, slow), [0, 0])
      }).pipe(provide),
    timeout,
  )
})
