import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Logger, Ref } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { EmailQueue, retries } from "../../src/emails/EmailQueue.ts"
import { EmailRepository as Repository } from "../../src/emails/EmailRepository.ts"
import { EmailNotSent, type OutgoingEmail } from "../../src/emails/EmailSender.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Invitations } from "../../src/invitations/Invitations.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { ProviderStanding } from "../../src/platform/queue/ProviderStanding.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { EmailId, InvitationId } from "../../src/values/Ids.ts"
import * as RetryPolicy from "../../src/values/RetryPolicy.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const round = Effect.flatMap(EmailQueue, ({ queue }) => runOnce(queue))
const events = Scenario.dataOf("invitation.status.update")
const failure = (permanent: boolean) => Effect.fail(new EmailNotSent({ reason: "mailbox full", permanent }))

/** The mails with their invitations. */
const mails = Effect.gen(function* () {
  const { sql } = yield* Database
  return yield* sql`
    select e.state, e.attempts, e.error, i.status, i.failure_reason from email e left join invitation i on i.id = e.invitation_id
    order by e.created_at, e.id`
})
const cancel = Effect.gen(function* () {
  const { sql } = yield* Database
  yield* sql`update invitation set status = 'cancelled'`
})

const begin = Effect.gen(function* () {
  yield* TestClock.setTime(Date.UTC(2026, 0, 1))
  const organization = yield* Scenario.organization()
  return yield* Scenario.invited(organization)
})

const started = Effect.fnUntraced(function* ({ token }: Scenario.Invited) {
  yield* (yield* Interviews).start(token)
}, Effect.orDie)

/** Runs a test with its own sender and the mails sent through it. */
const withSender = <A, E, R>(
  send: NonNullable<Pod.Ports["send"]>,
  test: (sent: Effect.Effect<ReadonlyArray<OutgoingEmail>>) => Effect.Effect<A, E, R>,
) => {
  const sent = Ref.makeUnsafe<ReadonlyArray<OutgoingEmail>>([])
  return Pod.provide({ send, mails: sent })(test(Ref.get(sent)))
}

describe("an invitation's mail", () => {
  it.effect("delivers the invitation with one event when the sender delivers at once", () =>
    withSender(
      () => Effect.succeed({ providerMessageId: null, delivered: true }),
      (sent) =>
        Effect.gen(function* () {
          const { set, subject, token } = yield* begin
          assert.strictEqual(yield* round, 1)
          assert.deepStrictEqual(yield* mails, [
            { state: "sent", attempts: 1, error: null, status: "delivered", failure_reason: null },
          ])
          assert.deepStrictEqual(yield* events, [
            { ...subject, status: "invitation_email_delivered", reason: "delivered" },
          ])
          const [mail] = yield* sent
          assert.strictEqual(mail?.to, "ada@example.com")
          assert.include(mail?.subject, set.title)
          for (const text of [mail?.text, mail?.html]) assert.include(text, `/i/${token}`)
          assert.strictEqual(yield* round, 0)
        }),
    ),
  )

  it.effect("marks the invitation as sent with the provider's message id and no event", () =>
    withSender(
      () => Effect.succeed({ providerMessageId: "m-1", delivered: false }),
      () =>
        Effect.gen(function* () {
          const { sql } = yield* Database
          yield* begin
          yield* round
          assert.deepStrictEqual(yield* mails, [
            { state: "sent", attempts: 1, error: null, status: "sent", failure_reason: null },
          ])
          assert.deepStrictEqual(yield* events, [])
          const kept = yield* sql`select provider, provider_message_id, sent_at from email`
          const sent_at = new Date("2026-01-01T00:00:00Z")
          assert.deepStrictEqual(kept, [{ provider: "test", provider_message_id: "m-1", sent_at }])
        }),
    ),
  )

  it.effect("is retried on its Schedule with the same text, then dropped", () =>
    withSender(
      () => failure(false),
      (sent) =>
        Effect.gen(function* () {
          const { sql } = yield* Database
          const { subject } = yield* begin
          const delays = yield* RetryPolicy.delays(RetryPolicy.schedule(retries))
          assert.isAbove(delays.length, 2)
          assert.strictEqual(yield* round, 1)
          for (const delay of delays.map(Duration.toMillis)) {
            assert.deepStrictEqual(yield* events, [])
            yield* sql`update candidate set name = coalesce(name, '') || 'x'`
            yield* TestClock.adjust(delay - 1)
            assert.strictEqual(yield* round, 0)
            yield* TestClock.adjust(delay * 0.1 + 1)
            assert.strictEqual(yield* round, 1)
          }
          const attempts = delays.length + 1
          assert.deepStrictEqual(yield* mails, [
            { state: "failed", attempts, error: "mailbox full", status: "failed", failure_reason: "dropped" },
          ])
          assert.deepStrictEqual(yield* events, [{ ...subject, status: "invitation_email_failed", reason: "dropped" }])
          const handed = yield* sent
          assert.strictEqual(handed.length, attempts)
          for (const mail of handed) assert.deepStrictEqual(mail, handed[0])
          yield* TestClock.adjust("7 days")
          assert.strictEqual(yield* round, 0)
        }),
    ),
  )

  it.effect("logs each failed mail, and retries once a minute, without the address", () => {
    const logged: Array<unknown> = []
    const logger = Logger.make(({ logLevel, message }) => {
      if (logLevel === "Warn") logged.push(message)
    })
    let permanent = false
    const send = ({ to }: OutgoingEmail) =>
      Effect.fail(new EmailNotSent({ reason: `550 <${to.toUpperCase()}>: no such user (${to})`, permanent }))
    return withSender(send, () =>
      Effect.gen(function* () {
        const organization = yield* Scenario.organization()
        const invite = (n: number) => Scenario.invited(organization, `o'ada${n}@bücher.example`)
        yield* Effect.forEach([1, 2, 3], invite)
        yield* round
        const { sql } = yield* Database
        const reason = "550 <(address)>: no such user ((address))"
        const facts = { kind: "invitation", organization: organization.id, reason }
        assert.lengthOf(logged, 1)
        const [text, told] = logged[0] as [string, Record<string, unknown> & { mail: string }]
        assert.strictEqual(text, "emails could not be sent and are retried, for example this one")
        assert.deepInclude(told, { ...facts, attempt: 1 })
        assert.lengthOf(yield* sql`select from email where id = ${told.mail}::uuid`, 1)
        yield* TestClock.adjust("1 minute")
        yield* round
        assert.lengthOf(logged, 2)
        yield* sql`update email set due_at = ${new Date(0)}`
        permanent = true
        yield* round
        assert.deepStrictEqual(
          logged.slice(2).map((message) => (message as [string])[0]),
          Array.from({ length: 3 }, () => "an email failed and is not retried"),
        )
        assert.notMatch(JSON.stringify(logged), /@|o'/i)
      }).pipe(Effect.provide(Logger.layer([logger]))),
    )
  })

  it.effect(
    "is retried when the server refuses this service, which the log and readiness name until a mail is sent",
    () => {
      const refusal = "it does not relay for this service"
      const logged: Array<unknown> = []
      const logger = Logger.make(({ logLevel, message }) => {
        if (logLevel === "Warn") logged.push(message)
      })
      let isRefused = true
      const send = () =>
        isRefused
          ? Effect.fail(new EmailNotSent({ reason: "554 5.7.1 Relay access denied", permanent: false, refusal }))
          : Effect.succeed({ providerMessageId: null, delivered: false })
      return withSender(send, () =>
        Effect.gen(function* () {
          yield* begin
          const standing = yield* ProviderStanding
          yield* round
          const [text, fields] = logged[0] as [string, object]
          assert.include(text, "retried")
          assert.deepInclude(fields, { refused: "this service", because: refusal })
          assert.strictEqual(standing.refusal(), refusal)
          isRefused = false
          yield* TestClock.adjust("1 minute")
          yield* round
          assert.isUndefined(standing.refusal())
          assert.deepInclude((yield* mails)[0], { state: "sent", attempts: 2, failure_reason: null })
        }).pipe(Effect.provide(Logger.layer([logger]))),
      )
    },
  )

  it.effect(
    "that the server refuses for this service, and that is not retried, is named by log and readiness too",
    () => {
      const refusal = "it refuses the address in EMAIL_FROM"
      const logged: Array<unknown> = []
      const logger = Logger.make(({ logLevel, message }) => {
        if (logLevel === "Warn") logged.push(message)
      })
      const send = () =>
        Effect.fail(new EmailNotSent({ reason: "550 5.7.1 Sender rejected", permanent: true, refusal }))
      return withSender(send, () =>
        Effect.gen(function* () {
          yield* begin
          yield* round
          const [[text, fields] = [], ...more] = logged as ReadonlyArray<readonly [string?, object?]>
          assert.deepStrictEqual(more, [])
          assert.strictEqual(text, "an email failed and is not retried")
          assert.deepInclude(fields, { refused: "this service", because: refusal })
          assert.strictEqual((yield* ProviderStanding).refusal(), refusal)
          assert.deepInclude((yield* mails)[0], { state: "failed", attempts: 1 })
        }).pipe(Effect.provide(Logger.layer([logger]))),
      )
    },
  )

  it.effect("is dropped at once on a permanent refusal", () =>
    withSender(
      () => failure(true),
      () =>
        Effect.gen(function* () {
          const { subject } = yield* begin
          yield* round
          assert.deepStrictEqual(yield* mails, [
            { state: "failed", attempts: 1, error: "mailbox full", status: "failed", failure_reason: "dropped" },
          ])
          assert.deepStrictEqual(yield* events, [{ ...subject, status: "invitation_email_failed", reason: "dropped" }])
        }),
    ),
  )

  it.effect.each([0, 1])("is cancelled with its invitation, after %s attempts", (attempts) =>
    withSender(
      () => failure(false),
      (sent) =>
        Effect.gen(function* () {
          yield* begin
          if (attempts > 0) yield* round
          yield* cancel
          yield* TestClock.adjust("1 hour")
          assert.strictEqual(yield* round, 1)
          assert.strictEqual((yield* sent).length, attempts)
          assert.deepStrictEqual(yield* mails, [
            { state: "cancelled", attempts: attempts + 1, error: null, status: "cancelled", failure_reason: null },
          ])
          assert.deepStrictEqual(yield* events, [])
        }),
    ),
  )

  it.effect("is not dropped by a failed worker whose lease has ended", () => {
    let calls = 0
    const delivered = Effect.succeed({ providerMessageId: null, delivered: true })
    return withSender(
      () => Effect.suspend(() => (calls++ === 0 ? failure(true) : delivered)),
      () =>
        Effect.gen(function* () {
          const { queue } = yield* EmailQueue
          const { subject } = yield* begin
          const late = yield* Effect.flatMap(queue.claim(1), Effect.forEach(queue.perform))
          yield* TestClock.adjust("3 minutes")
          assert.strictEqual(yield* round, 1)
          yield* queue.settle(late)
          assert.deepStrictEqual(yield* events, [
            { ...subject, status: "invitation_email_delivered", reason: "delivered" },
          ])
          assert.deepStrictEqual(yield* mails, [
            { state: "sent", attempts: 1, error: null, status: "delivered", failure_reason: null },
          ])
        }),
    )
  })
})

describe("another mail of a delivered invitation", () => {
  const delivered = Effect.succeed({ providerMessageId: null, delivered: true })

  /** The first email is delivered, the second is queued for a retry. */
  const begun = Effect.fnUntraced(function* (refuse: () => void) {
    const invited = yield* begin
    yield* round
    const id = InvitationId.make(invited.subject.invitation_id ?? "")
    yield* TestClock.adjust("1 hour")
    refuse()
    yield* (yield* Invitations).resend(operator(invited.organization), id)
    yield* round
    return { ...invited, id }
  })

  it.effect("does not change the invitation when it cannot be sent", () => {
    let answer: ReturnType<NonNullable<Pod.Ports["send"]>> = delivered
    return withSender(
      () => answer,
      (sent) =>
        Effect.gen(function* () {
          const { subject } = yield* begun(() => {
            answer = failure(false)
          })
          answer = failure(true)
          yield* TestClock.adjust("1 hour")
          yield* round
          const invitation = { status: "delivered", failure_reason: null }
          assert.deepStrictEqual(yield* mails, [
            { state: "sent", attempts: 1, error: null, ...invitation },
            { state: "failed", attempts: 2, error: "mailbox full", ...invitation },
          ])
          assert.lengthOf(yield* sent, 3)
          assert.deepStrictEqual(yield* events, [
            { ...subject, status: "invitation_email_delivered", reason: "delivered" },
          ])
        }),
    )
  })

  it.effect("fails the invitation when it bounces", () => {
    let answer: ReturnType<NonNullable<Pod.Ports["send"]>> = delivered
    return withSender(
      () => answer,
      () =>
        Effect.gen(function* () {
          yield* begun(() => {
            answer = Effect.fail(new EmailNotSent({ reason: "no such user", permanent: true, bounced: true }))
          })
          assert.deepInclude((yield* mails)[0], { status: "failed", failure_reason: "bounce" })
          assert.lengthOf(yield* events, 2)
        }),
    )
  })

  it.effect.each([
    { what: "has submitted", act: Scenario.completed, goes: false },
    { what: "has started", act: started, goes: true },
    { what: "had too little time", act: () => TestClock.adjust("30 days"), goes: false },
  ])("is sent to a candidate who $what: $goes", ({ act, goes }) => {
    let answer: ReturnType<NonNullable<Pod.Ports["send"]>> = delivered
    return withSender(
      () => answer,
      (sent) =>
        Effect.gen(function* () {
          const { sql } = yield* Database
          yield* act(
            yield* begun(() => {
              answer = failure(false)
            }),
          )
          answer = delivered
          // the receipt of submitted answers is another email
          yield* sql`delete from email where kind = 'receipt'`
          const before = (yield* sent).length
          yield* TestClock.adjust("1 hour")
          assert.strictEqual(yield* round, 1)
          assert.lengthOf(yield* sent, before + (goes ? 1 : 0))
          assert.deepInclude((yield* mails)[1], { state: goes ? "sent" : "cancelled" })
        }),
    )
  })
})

describe("an email without an invitation", () => {
  it.effect("is sent as stored, in the organization's name, without an event", () =>
    withSender(
      () => Effect.succeed({ providerMessageId: null, delivered: true }),
      (sent) =>
        Effect.gen(function* () {
          const { sql } = yield* Database
          const { organization } = yield* begin
          yield* sql`delete from email`
          yield* sql`insert into member (id, organization_id, email, role)
            values (gen_random_uuid(), ${organization}::int, 'owner@example.com', 'owner')`
          const content = { subject: "Subject", html: "<p>Text</p>", text: "Text" }
          const id = EmailId.make("00000000-0000-7000-8000-000000000001")
          yield* (yield* Repository).insert(organization, [
            { id, invitation_id: null, kind: "password_changed", recipient: "owner@example.com", content },
          ])
          assert.strictEqual(yield* round, 1)
          const [mail] = yield* sent
          assert.deepStrictEqual(mail, {
            id: mail?.id ?? "",
            messageId: `${mail?.id}@localhost`,
            to: "owner@example.com",
            fromName: "Acme",
            senderName: null,
            replyTo: null,
            unsubscribeUrl: null,
            ...content,
          })
          assert.deepStrictEqual(yield* mails, [
            { state: "sent", attempts: 1, error: null, status: null, failure_reason: null },
          ])
          assert.deepStrictEqual(yield* events, [])
        }),
    ),
  )
})
