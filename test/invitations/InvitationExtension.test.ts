/** Extending invitations. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import { EmailNotSent } from "../../src/emails/EmailSender.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Invitations } from "../../src/invitations/Invitations.ts"
import { Reminders } from "../../src/invitations/Reminders.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { InvitationId } from "../../src/values/Ids.ts"
import type { Conflict, Invalid, NotAllowed, NotFound } from "../../src/values/Problem.ts"
import * as Mails from "../support/Mails.ts"
import * as Pod from "../support/Pod.ts"
import { many, overtaken } from "../support/races.ts"
import * as Scenario from "../support/Scenario.ts"

/** The n-th day of the year. */
const day = (n: number) => new Date(Date.UTC(2026, 0, n)).toISOString()
const goTo = (n: number) => TestClock.setTime(Date.UTC(2026, 0, n))

/** Invites a candidate on January 1 and sends the mail; the invitation expires on January 31. */
const begin = Effect.gen(function* () {
  yield* goTo(1)
  const organization = yield* Scenario.organization()
  const invited = yield* Scenario.invited(organization)
  const id = InvitationId.make(invited.subject.invitation_id ?? "")
  const invitations = yield* Invitations
  return {
    ...invited,
    id,
    read: invitations.find(operator(organization.id), id),
    extend: (n: number) => invitations.extend(operator(organization.id), id, { expires_at: day(n) }),
    cancel: invitations.cancel(operator(organization.id), id),
  }
})

const send = Effect.flatMap(EmailQueue, ({ queue }) => runOnce(queue))

/** All mails with kind and state. */
const mails = Effect.gen(function* () {
  const { sql } = yield* Database
  const rows = yield* sql<{ mail: string }>`select kind || ' ' || state as mail from email`
  return rows.map(({ mail }) => mail).toSorted()
})

const why = <A, R>(effect: Effect.Effect<A, Conflict | Invalid | NotAllowed | NotFound, R>) =>
  Effect.map(Effect.flip(effect), (error) => {
    if (error._tag === "Conflict") return error.reason
    return error._tag === "Invalid" ? error.errors.map(({ message }) => message).join() : error._tag
  })

describe("extending an invitation", () => {
  it.effect("moves both deadlines and sends one mail", () =>
    Effect.gen(function* () {
      const { extend, read, token } = yield* begin
      const interviews = yield* Interviews
      yield* send
      const before = yield* read
      yield* goTo(30)
      const expected = yield* extend(41)
      assert.deepStrictEqual<unknown>(expected, {
        ...before,
        email_status: "queued",
        expires_at: day(41),
        updated_at: expected.updated_at,
      })
      assert.deepStrictEqual<unknown>(yield* extend(41), expected)
      assert.deepStrictEqual(yield* mails, ["invitation sent", "invitation_extension queued"])
      yield* send
      const mail = (yield* Mails.written).find(({ kind }) => kind === "invitation_extension")
      assert.strictEqual(mail?.subject, "More time for your interview: Backend Engineer")
      assert.include(mail?.text, `/i/${token}`)
      assert.include(mail?.text, "You can now start until Tuesday, 10 February 2026 at 00:00 UTC.")
      assert.deepStrictEqual<unknown>(yield* read, { ...expected, email_status: null })
      assert.lengthOf(yield* Scenario.dataOf("invitation.status.update"), 1)
      yield* goTo(40)
      assert.strictEqual(yield* interviews.expireUnstarted, 0)
      assert.strictEqual((yield* interviews.view(token)).state, "open")
      yield* goTo(41)
      assert.strictEqual(yield* interviews.expireUnstarted, 1)
    }).pipe(Pod.provide()),
  )

  it.effect("is contained in a queued invitation mail", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { extend } = yield* begin
      yield* extend(41)
      yield* extend(42)
      assert.deepStrictEqual(yield* mails, ["invitation queued"])
      yield* send
      const [mail] = yield* sql<{ text: string }>`select text from email`
      assert.include(mail?.text, "Wednesday, 11 February 2026")
    }).pipe(Pod.provide()),
  )

  it.effect("sends its own mail once the invitation mail is rendered or claimed", () =>
    Effect.gen(function* () {
      const { extend } = yield* begin
      const { queue } = yield* EmailQueue
      const jobs = yield* queue.claim(1)
      yield* extend(41)
      assert.deepStrictEqual(yield* mails, ["invitation queued", "invitation_extension queued"])
      yield* queue.settle(yield* Effect.forEach(jobs, queue.perform))
      yield* (yield* Database).sql`delete from email where kind = 'invitation_extension'`
      assert.deepStrictEqual(yield* mails, ["invitation queued"])
      yield* extend(42)
      assert.deepStrictEqual(yield* mails, ["invitation queued", "invitation_extension queued"])
    }).pipe(Pod.provide({ send: () => Effect.fail(new EmailNotSent({ reason: "try later", permanent: false })) })),
  )

  it.effect("makes a skipped reminder due again, but never sends a second one", () =>
    Effect.gen(function* () {
      const { extend } = yield* begin
      const reminders = yield* Reminders
      yield* send
      yield* goTo(4)
      assert.strictEqual(yield* reminders.step, 1)
      yield* extend(20)
      yield* send
      yield* goTo(17)
      assert.strictEqual(yield* reminders.step, 1)
      yield* send
      yield* extend(40)
      yield* send
      yield* goTo(38)
      assert.strictEqual(yield* reminders.step, 0)
      assert.deepStrictEqual(yield* mails, [
        "invitation sent",
        "invitation_extension sent",
        "invitation_extension sent",
        "invitation_reminder sent",
      ])
    }).pipe(Pod.provide({ settings: { INVITATION_EXPIRES: "5 days" } })),
  )

  it.effect("raises the time factor in the mail, on the page and on the clock", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { id, organization, read, token } = yield* begin
      const { extend } = yield* Invitations
      const interviews = yield* Interviews
      yield* sql`update interview_set set interview_duration = 25`
      yield* send
      const before = yield* read
      for (const time_factor of [1.5, 1.5, 1.501, null]) {
        const { time_factor: given } = yield* extend(operator(organization), id, {
          time_factor,
          expires_at: before.expires_at,
        })
        assert.strictEqual(given, 1.5)
      }
      assert.deepStrictEqual<unknown>(yield* read, { ...before, email_status: "queued", time_factor: 1.5 })
      assert.deepStrictEqual(yield* mails, ["invitation sent", "invitation_time queued"])
      yield* send
      const [mail] = yield* sql<{ subject: string; text: string }>`
        select subject, text from email where kind = 'invitation_time'`
      assert.strictEqual(mail?.subject, "More time to answer: Backend Engineer")
      assert.include(mail?.text, "has given you more time to answer this interview")
      assert.include(mail?.text, "You can start until Saturday, 31 January 2026 at 00:00 UTC.")
      assert.include(mail?.text, "38 minutes")
      assert.strictEqual((yield* interviews.view(token)).minutes, 38)
      const less = extend(operator(organization), id, { expires_at: day(41), time_factor: 1.25 })
      assert.strictEqual(yield* why(less), "must not be less than the current factor, 1.5")
      assert.deepStrictEqual<unknown>(yield* read, { ...before, time_factor: 1.5 }, "nothing of it is done")
      const both = yield* extend(operator(organization), id, { expires_at: day(41), time_factor: 2 })
      assert.deepInclude(both, { expires_at: day(41), time_factor: 2 })
      assert.lengthOf(yield* mails, 3)
      yield* send
      yield* interviews.start(token)
      assert.strictEqual((yield* interviews.view(token)).secondsLeft, 50 * 60)
      const queued = (yield* mails).length
      yield* TestClock.adjust("49 minutes")
      const longer = yield* extend(operator(organization), id, { time_factor: 3 })
      assert.strictEqual(longer.time_factor, 3)
      assert.strictEqual((yield* interviews.view(token)).secondsLeft, (75 - 49) * 60)
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual(yield* interviews.finishOverdue, 0)
      assert.lengthOf(yield* mails, queued, "the page tells it")
      for (const time_factor of [1, 1.25]) {
        assert.strictEqual(
          yield* why(extend(operator(organization), id, { time_factor })),
          "the candidate has started: extra time can no longer be removed",
        )
      }
      assert.match(
        yield* why(extend(operator(organization), id, { time_factor: 4, expires_at: day(42) })),
        /the deadline to start can no longer be changed/,
      )
      yield* TestClock.adjust("24 minutes")
      assert.match(yield* why(extend(operator(organization), id, { time_factor: 4 })), /the candidate's time is over/)
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(yield* interviews.finishOverdue, 1)
    }).pipe(Pod.provide()),
  )

  it.effect.each([
    { minutes: 100, time_factor: 1.1, expected: 110 },
    { minutes: 30, time_factor: 1.15, expected: 35 },
    { minutes: 100, time_factor: 1.15, expected: 115 },
  ])(
    "makes $expected minutes of $minutes by $time_factor, in the mail, on the page and on the clock",
    ({ expected, minutes, time_factor }) =>
      Effect.gen(function* () {
        const { sql } = yield* Database
        const { id, organization, token } = yield* begin
        const interviews = yield* Interviews
        yield* sql`update interview_set set interview_duration = ${minutes}::int, number_of_retakes = 1`
        yield* (yield* Invitations).extend(operator(organization), id, { time_factor })
        yield* send
        const [mail] = yield* sql<{ text: string }>`select text from email`
        assert.include(mail?.text, `${expected} minutes`)
        assert.strictEqual((yield* interviews.view(token)).minutes, expected)
        yield* interviews.start(token)
        assert.strictEqual((yield* interviews.view(token)).secondsLeft, expected * 60)
        yield* interviews.finish(token, [])
        yield* interviews.reopen(token)
        assert.strictEqual(
          yield* why((yield* Invitations).extend(operator(organization), id, { time_factor: 4 })),
          "the candidate is improving a submitted interview: its time can no longer be changed",
        )
        assert.strictEqual((yield* interviews.view(token)).secondsLeft, expected * 60)
      }).pipe(Pod.provide()),
  )

  it.effect("excludes a start at the same moment", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { id, organization, token } = yield* begin
      const interviews = yield* Interviews
      yield* sql`update interview_set set interview_duration = 30`
      const extend = (yield* Invitations).extend(operator(organization), id, { time_factor: 2 })
      yield* Effect.flatMap(overtaken(extend, interviews.start(token)), Effect.fromResult)
      assert.deepInclude(yield* interviews.view(token), { state: "running", minutes: 60, secondsLeft: 3600 })
    }).pipe(Pod.provide()),
  )

  it.effect("refuses a time factor without a time limit", () =>
    Effect.gen(function* () {
      const { id, organization, read } = yield* begin
      const { extend } = yield* Invitations
      yield* send
      const before = yield* read
      for (const request of [{ time_factor: 2 }, { time_factor: 2, expires_at: day(41) }]) {
        assert.match(yield* why(extend(operator(organization), id, request)), /^the interview has no time limit/)
      }
      assert.deepStrictEqual(yield* read, before)
      assert.deepStrictEqual(yield* mails, ["invitation sent"])
      assert.deepInclude(yield* extend(operator(organization), id, { time_factor: 1, expires_at: day(41) }), {
        expires_at: day(41),
      })
    }).pipe(Pod.provide()),
  )

  it.effect("sends no mail to an unsubscribed address and returns mails_stopped", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { extend, organization } = yield* begin
      yield* send
      assert.isFalse((yield* extend(41)).mails_stopped)
      yield* sql`delete from email where state = 'queued'`
      yield* sql`insert into suppression (organization_id, email, reason)
        values (${organization}::int, 'ada@example.com', 'unsubscribed')`
      assert.deepInclude(yield* extend(42), { expires_at: day(42), mails_stopped: true })
      assert.deepStrictEqual(yield* mails, ["invitation sent"])
    }).pipe(Pod.provide()),
  )

  it.effect("refuses with what to do instead, and changes nothing", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { extend, id, organization, read } = yield* begin
      const invitations = yield* Invitations
      yield* send
      const before = yield* read
      assert.strictEqual(yield* why(extend(30)), `must be later than the current deadline, ${day(31)}`)
      assert.strictEqual(yield* why(extend(-5)), `must be later than the current deadline, ${day(31)}`)
      assert.strictEqual(yield* why(extend(368)), `must not be later than ${day(367)}`)
      assert.deepStrictEqual(yield* read, before)
      const cases = [
        ["need_interview", "failed", "the invitation's email has failed: send it again first"],
        ["withdrawn", "cancelled", "the invitation was cancelled: invite the candidate again"],
        ["expired", "expired", "the invitation has expired: invite the candidate again"],
        [
          "started",
          "clicked",
          "the candidate has started: the deadline to start can no longer be changed. For more time to answer, give a time_factor",
        ],
        ["completed", "clicked", "the interview is completed: there is nothing left to answer"],
        ["evaluated", "clicked", "the interview is completed: there is nothing left to answer"],
      ] as const
      for (const [submission, invitation, reason] of cases) {
        yield* sql`update submission set status = ${submission}`
        yield* sql`update invitation set status = ${invitation}`
        assert.strictEqual(yield* why(extend(60)), reason)
        assert.deepInclude(yield* read, { expires_at: day(31) })
      }
      yield* sql`update submission set status = 'need_interview'`
      yield* sql`update invitation set status = 'delivered'`
      yield* goTo(31)
      assert.strictEqual(yield* why(extend(60)), "the invitation has expired: invite the candidate again")
      const foreign = yield* Scenario.organization()
      for (const until of [60, 9999]) {
        const expires_at = day(until)
        assert.strictEqual(yield* why(invitations.extend(operator(foreign.id), id, { expires_at })), "NotFound")
      }
      const deadlines =
        yield* sql`select distinct expires_at from submission where organization_id = ${organization}::int`
      assert.deepStrictEqual(deadlines, [{ expires_at: new Date(day(31)) }])
      assert.deepStrictEqual(yield* mails, ["invitation sent"])
    }).pipe(Pod.provide()),
  )

  it.effect("happens once when ten extend, and is atomic with a cancel", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      for (let round = 0; round < 5; round++) {
        const { cancel, extend } = yield* begin
        yield* send
        yield* sql`delete from email`
        yield* many(extend(41))
        assert.deepStrictEqual(yield* mails, ["invitation_extension queued"])
        yield* send
        yield* Effect.all([many(Effect.result(extend(50))), many(cancel)], { concurrency: "unbounded" })
        yield* send
        const rows = yield* sql<{ state: string }>`
          select b.status || ' ' || i.status as state from submission b join invitation i on i.submission_id = b.id`
        assert.isTrue(rows.every(({ state }) => state === "withdrawn cancelled"))
        assert.notInclude(yield* mails, "invitation_extension queued")
      }
    }).pipe(Pod.provide()),
  )
})
