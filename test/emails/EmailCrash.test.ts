/** Crashes of a worker between sending a mail and settling it, with each sender. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Redacted, Ref, Scope } from "effect"
import { TestClock } from "effect/testing"
import { EmailEventProcessor } from "../../src/emails/EmailEventProcessor.ts"
import { EmailEventReceiver } from "../../src/emails/EmailEventReceiver.ts"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import type { OutgoingEmail } from "../../src/emails/EmailSender.ts"
import * as SendGridEmailSender from "../../src/emails/SendGridEmailSender.ts"
import * as SendGridEvents from "../../src/emails/SendGridEventRoutes.ts"
import * as SmtpEmailSender from "../../src/emails/SmtpEmailSender.ts"
import { Database } from "../../src/platform/database/Database.ts"
import * as Worker from "../../src/platform/queue/Worker.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { apiKey, sendGridApi } from "../port/sendGridApi.ts"
import { smtpServer } from "../port/smtpServer.ts"
import * as Pod from "../support/Pod.ts"
import { refusing } from "../support/RefusedStatements.ts"
import * as Scenario from "../support/Scenario.ts"
import { entry } from "../support/SendGrid.ts"

const from = { name: "Acme", address: "jobs@acme.example" }

const round = Effect.flatMap(EmailQueue, ({ queue }) => runOnce(queue))

/** A worker sends the mail and crashes. */
const crash = Effect.gen(function* () {
  const { queue } = yield* EmailQueue
  const jobs = yield* queue.claim(1)
  assert.lengthOf(jobs, 1)
  return yield* Effect.forEach(jobs, queue.perform)
})

/** Waits until the lease ends. */
const later = TestClock.adjust("4 minutes")

const begin = Effect.gen(function* () {
  yield* TestClock.setTime(Date.UTC(2026, 0, 1))
  return yield* Scenario.invited(yield* Scenario.organization())
})

const states = Effect.gen(function* () {
  const { sql } = yield* Database
  return yield* sql`
    select e.state, e.attempts, e.provider, i.status from email e join invitation i on i.id = e.invitation_id`
})

const statuses = Effect.map(Scenario.dataOf("invitation.status.update"), (all) => all.map(({ status }) => status))

describe("a mail whose statement meets an I/O error", () => {
  it.effect("is released without counting an attempt, and sent later", () =>
    Pod.provide({ send: () => Effect.succeed({ providerMessageId: null, delivered: true }) })(
      Effect.gen(function* () {
        const { sql } = yield* Database
        const { queue } = yield* EmailQueue
        yield* begin
        const isReleased = Effect.map(
          sql`select 1 from email where claim_id is null and due_at > created_at and unended_attempts = 0 and attempts = 0`,
          ({ length }) => length === 1,
        )
        const performed = Effect.scoped(
          Effect.gen(function* () {
            yield* Worker.run(queue)
            while (!(yield* isReleased)) yield* TestClock.adjust("50 millis")
          }),
        )
        yield* refusing("email", "58030", performed, "update of handed_at")
        yield* TestClock.adjust("10 seconds")
        assert.strictEqual(yield* round, 1)
        assert.deepStrictEqual(yield* states, [{ state: "sent", attempts: 1, provider: "test", status: "delivered" }])
      }),
    ),
  )
})

describe("a mail whose worker crashes before settling it", () => {
  it.effect("is sent again by SMTP with the same Message-ID and text", () =>
    Effect.gen(function* () {
      const { port, taken } = yield* smtpServer()
      const emailSender = SmtpEmailSender.layer({ url: Redacted.make(`smtp://127.0.0.1:${port}`), from })
      yield* Effect.gen(function* () {
        yield* begin
        const { sql } = yield* Database
        yield* crash
        const [recorded] = yield* sql<{ message_id: string; handed_at: Date; state: string }>`
          select message_id, handed_at, state from email`
        assert.match(recorded?.message_id ?? "", /^[0-9a-f-]{36}@localhost$/)
        assert.deepStrictEqual([recorded?.state, recorded?.handed_at], ["queued", new Date("2026-01-01T00:00:00Z")])
        yield* sql`update candidate set name = 'Somebody else'`
        assert.strictEqual(yield* round, 0)
        yield* later
        assert.strictEqual(yield* round, 1)
        assert.lengthOf(taken, 2)
        for (const { html, messageId, subject, text } of taken) {
          assert.strictEqual(messageId, `<${recorded?.message_id}>`)
          assert.deepStrictEqual([html, subject, text], [taken[0]?.html, taken[0]?.subject, taken[0]?.text])
        }
        assert.deepStrictEqual(yield* states, [{ state: "sent", attempts: 1, provider: "smtp", status: "sent" }])
      }).pipe(Pod.provide({ emailSender }))
    }),
  )

  it.effect.each(["processed", "delivered", "open", "deferred"])(
    "is not sent again after SendGrid reports %s",
    (kind) =>
      Effect.gen(function* () {
        const { baseUrl, requests } = yield* sendGridApi
        const emailSender = SendGridEmailSender.layer({ apiKey: Redacted.make(apiKey), from, baseUrl })
        yield* Effect.gen(function* () {
          yield* begin
          const late = yield* crash
          const email_id = requests[0]?.personalizations[0]?.custom_args?.["email_id"]
          yield* (yield* EmailEventReceiver).receive("sendgrid", [entry(kind, email_id)], SendGridEvents.read)
          assert.strictEqual(yield* (yield* EmailEventProcessor).apply, 1)
          yield* later
          assert.strictEqual(yield* round, 0)
          assert.lengthOf(requests, 1)
          const status = { open: "opened", delivered: "delivered" }[kind] ?? "sent"
          assert.deepStrictEqual(yield* states, [{ state: "sent", attempts: 1, provider: "sendgrid", status }])
          // the worker was only slow
          yield* (yield* EmailQueue).queue.settle(late)
          assert.deepStrictEqual(yield* states, [{ state: "sent", attempts: 1, provider: "sendgrid", status }])
          assert.lengthOf(yield* statuses, status === "sent" ? 0 : 1)
        }).pipe(Pod.provide({ emailSender }))
      }),
  )

  it.effect("is not sent again after a restore to before its attempt when SendGrid reports it", () =>
    Effect.gen(function* () {
      const { baseUrl, requests } = yield* sendGridApi
      const emailSender = SendGridEmailSender.layer({ apiKey: Redacted.make(apiKey), from, baseUrl })
      yield* Effect.gen(function* () {
        yield* begin
        const { sql } = yield* Database
        const [id] = (yield* sql<{ id: string }>`select id from email`).map((row) => row.id)
        yield* (yield* EmailEventReceiver).receive("sendgrid", [entry("delivered", id)], SendGridEvents.read)
        yield* (yield* EmailEventProcessor).apply
        assert.strictEqual(yield* round, 0)
        assert.lengthOf(requests, 0)
        assert.deepStrictEqual(yield* states, [
          { state: "sent", attempts: 1, provider: "sendgrid", status: "delivered" },
        ])
      }).pipe(Pod.provide({ emailSender }))
    }),
  )

  it.effect("is sent again with the same Message-ID when SendGrid reports nothing", () =>
    Effect.gen(function* () {
      const { baseUrl, requests, script } = yield* sendGridApi
      const emailSender = SendGridEmailSender.layer({ apiKey: Redacted.make(apiKey), from, baseUrl })
      yield* Effect.gen(function* () {
        yield* begin
        yield* crash
        yield* later
        assert.strictEqual(yield* round, 1)
        assert.lengthOf(requests, 2)
        assert.deepStrictEqual(requests[1], requests[0])
        assert.isUndefined(script.status)
        assert.deepStrictEqual(yield* states, [{ state: "sent", attempts: 1, provider: "sendgrid", status: "sent" }])
      }).pipe(Pod.provide({ emailSender }))
    }),
  )

  it.effect("is not settled by a worker whose claim was replaced", () =>
    Effect.gen(function* () {
      const { port, taken } = yield* smtpServer()
      const emailSender = SmtpEmailSender.layer({ url: Redacted.make(`smtp://127.0.0.1:${port}`), from })
      yield* Effect.gen(function* () {
        yield* begin
        const { queue } = yield* EmailQueue
        const stale = yield* queue.claim(1)
        yield* later
        assert.strictEqual(yield* round, 1)
        yield* queue.settle(yield* Effect.forEach(stale, queue.perform))
        assert.lengthOf(taken, 1)
        assert.deepStrictEqual(yield* states, [{ state: "sent", attempts: 1, provider: "smtp", status: "sent" }])
      }).pipe(Pod.provide({ emailSender }))
    }),
  )

  it.effect("bounces when the SMTP server refuses the recipient", () =>
    Effect.gen(function* () {
      const { port, script } = yield* smtpServer()
      script.recipient = 550
      const emailSender = SmtpEmailSender.layer({ url: Redacted.make(`smtp://127.0.0.1:${port}`), from })
      yield* Effect.gen(function* () {
        const { subject } = yield* begin
        yield* round
        assert.deepStrictEqual(yield* Scenario.dataOf("invitation.status.update"), [
          { ...subject, status: "invitation_email_failed", reason: "bounce" },
        ])
      }).pipe(Pod.provide({ emailSender }))
    }),
  )
})

describe("a mail in flight while its worker drains", () => {
  /** Drains a worker whose provider takes `seconds` to answer. */
  const drained = <A, E, R>(
    seconds: number,
    test: (sent: Effect.Effect<ReadonlyArray<OutgoingEmail>>) => Effect.Effect<A, E, R>,
  ) => {
    const mails = Ref.makeUnsafe<ReadonlyArray<OutgoingEmail>>([])
    let slow = true
    const taken = Effect.succeed({ providerMessageId: null, delivered: false })
    return Effect.gen(function* () {
      yield* begin
      const scope = yield* Scope.make()
      yield* Scope.provide(Worker.run((yield* EmailQueue).queue), scope)
      yield* Effect.repeat(Effect.andThen(TestClock.adjust("20 millis"), Ref.get(mails)), {
        until: (handed) => handed.length === 1,
      })
      slow = false
      const stopping = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* TestClock.adjust("44 seconds")
      // the test clock waits for the database, which takes real time
      yield* Effect.repeat(Effect.andThen(TestClock.adjust("50 millis"), states), {
        until: () => stopping.pollUnsafe() !== undefined,
      })
      yield* Fiber.join(stopping)
      return yield* test(Ref.get(mails))
    }).pipe(
      Pod.provide({
        mails,
        send: () => Effect.suspend(() => (slow ? Effect.delay(taken, `${seconds} seconds`) : taken)),
      }),
    )
  }

  it.effect("is settled when the provider answers within the grace", () =>
    drained(45, (sent) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* states, [{ state: "sent", attempts: 1, provider: "test", status: "sent" }])
        yield* later
        assert.strictEqual(yield* round, 0)
        assert.lengthOf(yield* sent, 1)
      }),
    ),
  )

  it.effect("is not sent again before its lease ends when the provider takes longer", () =>
    drained(3600, (sent) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* round, 0)
        assert.lengthOf(yield* sent, 1)
        yield* later
        assert.strictEqual(yield* round, 1)
        const [one, two] = yield* sent
        assert.strictEqual(two?.messageId, one?.messageId)
      }),
    ),
  )
})
