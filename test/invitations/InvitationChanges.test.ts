/** Resending and cancelling invitations. */
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import { EmailNotSent } from "../../src/emails/EmailSender.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { InvitationReports } from "../../src/invitations/InvitationReports.ts"
import { InvitationRepository } from "../../src/invitations/InvitationRepository.ts"
import { Invitations } from "../../src/invitations/Invitations.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { type EmailId, InvitationId } from "../../src/values/Ids.ts"
import type { Conflict, NotAllowed, NotFound } from "../../src/values/Problem.ts"
import * as Mails from "../support/Mails.ts"
import * as Pod from "../support/Pod.ts"
import { many, overtaken } from "../support/races.ts"
import * as Scenario from "../support/Scenario.ts"

const at = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString()

/** Invites a candidate on January 1; the invitation expires on January 31. */
const begin = Effect.gen(function* () {
  yield* TestClock.setTime(Date.UTC(2026, 0, 1))
  const organization = yield* Scenario.organization()
  const invited = yield* Scenario.invited(organization)
  const id = yield* Effect.fromNullishOr(invited.subject.invitation_id)
  const invitations = yield* Invitations
  return {
    ...invited,
    id,
    submission: invited.subject.submission_id,
    resend: invitations.resend(operator(organization.id), id),
    cancel: invitations.cancel(operator(organization.id), id),
    read: invitations.find(operator(organization.id), id),
    again: Scenario.invited(organization),
  }
})

const send = Effect.flatMap(EmailQueue, ({ queue }) => runOnce(queue))
const events = Effect.map(Scenario.dataOf("invitation.status.update"), (all) => all.map(({ status }) => status))

/** The states of all mails. */
const mails = Effect.gen(function* () {
  const { sql } = yield* Database
  return (yield* sql<{ state: string }>`select state from email order by state desc`).map(({ state }) => state)
})

/** The statuses of all submissions with those of their invitations, oldest first. */
const statuses = Effect.gen(function* () {
  const { sql } = yield* Database
  const rows = yield* sql<{ submission: string; invitation: string }>`
    select b.status as submission, i.status as invitation from submission b left join invitation i on i.submission_id = b.id
    order by b.created_at, b.id`
  return rows.map(({ invitation, submission }) => `${submission} ${invitation}`)
})

const set = Effect.fnUntraced(function* (table: "submission" | "invitation", status: string) {
  const { sql } = yield* Database
  yield* sql`update ${sql(table)} set status = ${status}`
})

const sent = (times: number): ReadonlyArray<string> => Array.from({ length: times }, () => "sent")

const reasonOf = <A, R>(effect: Effect.Effect<A, Conflict | NotAllowed | NotFound, R>) =>
  Effect.map(Effect.flip(effect), (error) => (error._tag === "Conflict" ? error.reason : error._tag))

describe("resending an invitation", () => {
  it.effect("queues another mail with the same link, and publishes no event twice", () =>
    Effect.gen(function* () {
      const { read, resend, token } = yield* begin
      yield* send
      const before = yield* read
      yield* TestClock.adjust("1 day")
      assert.strictEqual(before.email_status, null)
      assert.deepStrictEqual(yield* resend, { ...before, email_status: "queued" })
      assert.deepStrictEqual(yield* mails, ["sent", "queued"])
      assert.strictEqual(yield* send, 1)
      assert.deepStrictEqual(yield* read, before)
      assert.deepStrictEqual(yield* events, ["invitation_email_delivered"])
      for (const { recipient, text } of yield* Mails.written) {
        assert.include(text, `/i/${token}`)
        assert.strictEqual(recipient, "ada@example.com")
      }
    }).pipe(Pod.provide()),
  )

  it.effect("queues nothing while an email is queued, also when ten resend at once", () =>
    Effect.gen(function* () {
      const { read, resend } = yield* begin
      assert.deepStrictEqual(yield* resend, yield* read)
      assert.deepStrictEqual(yield* mails, ["queued"])
      for (let round = 1; round <= 5; round++) {
        yield* send
        yield* many(resend)
        assert.deepStrictEqual(yield* mails, [...sent(round), "queued"])
      }
    }).pipe(Pod.provide()),
  )

  it.effect("works while the candidate can answer, and keeps the status", () =>
    Effect.gen(function* () {
      const { read, resend } = yield* begin
      let times = 0
      for (const submission of ["need_interview", "initiated", "started"]) {
        for (const invitation of ["sent", "delivered", "opened", "clicked"] as const) {
          times += yield* send
          yield* set("submission", submission)
          yield* set("invitation", invitation)
          assert.deepInclude(yield* resend, { status_text: invitation })
          assert.deepStrictEqual(yield* mails, [...sent(times), "queued"])
        }
      }
      assert.strictEqual(times, 12)
      yield* send
      assert.deepInclude(yield* read, { status_text: "clicked" })
    }).pipe(Pod.provide()),
  )

  it.effect("refuses with what to do instead, and queues nothing", () =>
    Effect.gen(function* () {
      const { organization, resend } = yield* begin
      const { sql } = yield* Database
      const invitations = yield* Invitations
      yield* send
      const cases = [
        ["withdrawn", "cancelled", "the invitation was cancelled: invite the candidate again"],
        ["expired", "expired", "the invitation has expired: invite the candidate again"],
        ["completed", "clicked", "the interview is completed: there is nothing left to answer"],
        ["evaluated", "clicked", "the interview is completed: there is nothing left to answer"],
        [
          "withdrawn",
          "clicked",
          "the submission can no longer be answered: cancel the invitation and invite the candidate again",
        ],
      ] as const
      for (const [submission, invitation, reason] of cases) {
        yield* set("submission", submission)
        yield* set("invitation", invitation)
        assert.strictEqual(yield* reasonOf(resend), reason)
      }
      yield* set("submission", "need_interview")
      yield* set("invitation", "delivered")
      yield* sql`insert into suppression (organization_id, email, reason) values (${organization}::int, 'ada@example.com', 'spam')`
      assert.strictEqual(yield* reasonOf(resend), "this address has unsubscribed: invite the candidate at another one")
      yield* sql`delete from suppression`
      yield* TestClock.setTime(Date.UTC(2026, 0, 31))
      assert.strictEqual(yield* reasonOf(resend), "the invitation has expired: invite the candidate again")
      yield* set("submission", "started")
      assert.include(yield* reasonOf(resend), "continues under the same link")
      const unknown = InvitationId.make("00000000-0000-4000-8000-000000000000")
      assert.strictEqual(yield* reasonOf(invitations.resend(operator(organization), unknown)), "NotFound")
      assert.deepStrictEqual(yield* mails, ["sent"])
    }).pipe(Pod.provide()),
  )

  it.effect("makes a failed invitation pending again, and publishes its events again", () =>
    Effect.gen(function* () {
      const { cancel, id, organization, read, resend, token } = yield* begin
      const invitationReports = yield* InvitationReports
      yield* send
      const { sql } = yield* Database
      const [mail] = yield* sql<{ id: EmailId }>`select id from email`
      const ref = [{ id, organization_id: organization, email_id: mail?.id ?? assert.fail() }]
      for (const signal of ["dropped", "bounce"] as const) {
        yield* invitationReports.report(signal, ref)
        assert.deepInclude(yield* read, { status_text: "failed", failure_reason: signal })
        const pending = { status_text: "pending", failure_reason: null, failed_at: null, delivered_at: null } as const
        assert.deepInclude(yield* resend, pending)
        assert.deepInclude(yield* resend, pending)
        assert.strictEqual(yield* send, 1)
        assert.deepInclude(yield* read, { status_text: "delivered", failure_reason: null })
      }
      assert.deepStrictEqual(yield* mails, sent(3))
      const round = ["invitation_email_delivered", "invitation_email_failed"]
      assert.deepStrictEqual(yield* events, [...round, ...round, "invitation_email_delivered"])
      assert.strictEqual((yield* (yield* Interviews).view(token)).state, "open")
      yield* invitationReports.report("bounce", ref)
      yield* cancel
      assert.strictEqual(yield* reasonOf(resend), "the invitation was cancelled: invite the candidate again")
    }).pipe(Pod.provide()),
  )

  it.effect("refuses a failed invitation whose address is invalid or that was replaced", () =>
    Effect.gen(function* () {
      const { again, id, organization, resend } = yield* begin
      const invitationReports = yield* InvitationReports
      const invitations = yield* Invitations
      const { sql } = yield* Database
      yield* send
      yield* invitationReports.report("bounce", [{ id, organization_id: organization }])
      yield* sql`update invitation set failure_reason = 'invalid_email'`
      assert.include(yield* reasonOf(resend), "the email address is not valid")
      yield* sql`update invitation set failure_reason = 'bounce'`
      yield* again
      assert.strictEqual(yield* reasonOf(resend), "the candidate was invited again since: send that invitation again")
      const [anew] = yield* sql<{ id: InvitationId }>`select id from invitation where status = 'pending'`
      yield* invitations.resend(operator(organization), anew?.id ?? id)
      assert.deepStrictEqual(yield* mails, ["sent", "queued"])
    }).pipe(Pod.provide()),
  )

  it.effect("leaves one open invitation when the candidate is invited again at the same moment", () =>
    Effect.gen(function* () {
      const { again, id, organization, resend } = yield* begin
      const { sql } = yield* Database
      const invitationReports = yield* InvitationReports
      const invitations = yield* Invitations
      for (let round = 0; round < 5; round++) {
        yield* send
        yield* invitationReports.report("bounce", [{ id, organization_id: organization }])
        yield* sql`update invitation set status = 'failed', failure_reason = 'bounce'`
        yield* Effect.all([many(Effect.result(resend)), many(again)], { concurrency: "unbounded" })
        const living = yield* sql`select id from invitation where status = 'pending'`
        assert.lengthOf(living, 1)
      }
      const kept = invitations.resend(operator(organization), id)
      yield* sql`update invitation set status = 'failed', failure_reason = 'bounce' where id = ${id}::uuid`
      yield* sql`update invitation set status = 'cancelled' where id <> ${id}::uuid`
      const anew = Result.getOrThrow(yield* overtaken(kept, again))
      assert.strictEqual(anew.token, (yield* again).token)
      assert.lengthOf(yield* sql`select id from invitation where status = 'pending'`, 1)
    }).pipe(Pod.provide()),
  )
})

describe("cancelling an invitation", () => {
  it.effect("cancels its mails and withdraws its submission without an event, once", () =>
    Effect.gen(function* () {
      const { cancel, read, token } = yield* begin
      yield* TestClock.adjust("1 day")
      const before = yield* read
      const expected = {
        ...before,
        status_text: "cancelled",
        email_status: null,
        cancelled_at: at(2),
        submission: { ...before.submission, status_text: "withdrawn" },
      }
      const cancelled = yield* cancel
      assert.deepStrictEqual<unknown>(cancelled, { ...expected, updated_at: cancelled.updated_at })
      assert.notStrictEqual(cancelled.updated_at, before.updated_at)
      assert.deepStrictEqual(yield* mails, ["cancelled"])
      yield* TestClock.adjust("1 day")
      assert.deepStrictEqual<unknown>(yield* cancel, cancelled)
      assert.strictEqual(yield* send, 0)
      assert.deepStrictEqual(yield* events, [])
      assert.strictEqual((yield* (yield* Interviews).view(token)).state, "cancelled")
    }).pipe(Pod.provide()),
  )

  it.effect("works in each state before submission", () =>
    Effect.gen(function* () {
      const { cancel } = yield* begin
      for (const submission of ["need_interview", "initiated", "started"]) {
        for (const invitation of ["pending", "sent", "delivered", "opened", "clicked"]) {
          yield* set("submission", submission)
          yield* set("invitation", invitation)
          assert.deepInclude(yield* cancel, { status_text: "cancelled" })
          assert.deepStrictEqual(yield* statuses, ["withdrawn cancelled"])
        }
      }
    }).pipe(Pod.provide()),
  )

  it.effect("refuses ended invitations and changes nothing", () =>
    Effect.gen(function* () {
      const { cancel, organization } = yield* begin
      const invitations = yield* Invitations
      const cases = [
        ["expired", "expired", "the invitation has expired: there is nothing to cancel"],
        ["completed", "clicked", "the interview is completed: it can no longer be cancelled"],
        ["evaluated", "delivered", "the interview is completed: it can no longer be cancelled"],
      ] as const
      for (const [submission, invitation, reason] of cases) {
        yield* set("submission", submission)
        yield* set("invitation", invitation)
        assert.strictEqual(yield* reasonOf(cancel), reason)
        assert.deepStrictEqual(yield* statuses, [`${submission} ${invitation}`])
        assert.deepStrictEqual(yield* mails, ["queued"])
      }
      const unknown = InvitationId.make("00000000-0000-4000-8000-000000000000")
      assert.strictEqual(yield* reasonOf(invitations.cancel(operator(organization), unknown)), "NotFound")
    }).pipe(Pod.provide()),
  )

  it.effect("refuses a submitted interview, also during a retake", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { cancel, token, ...invited } = yield* begin
      const interviews = yield* Interviews
      yield* sql`update interview_set set number_of_retakes = 1`
      yield* Scenario.completed({ ...invited, token })
      assert.strictEqual(yield* reasonOf(cancel), "the interview is completed: it can no longer be cancelled")
      yield* interviews.reopen(token)
      assert.strictEqual(
        yield* reasonOf(cancel),
        "the interview was submitted, and the candidate is improving it: it can no longer be cancelled",
      )
      assert.deepInclude(yield* interviews.view(token), { state: "running", attempt: 2 })
      assert.deepStrictEqual(yield* statuses, ["started pending"])
    }).pipe(Pod.provide()),
  )

  it.effect("happens once when ten cancel, and leaves no mail of a concurrent resend", () =>
    Effect.gen(function* () {
      const { cancel, read, resend } = yield* begin
      const all = yield* many(cancel)
      for (const one of all) assert.deepStrictEqual(one, yield* read)
      for (let round = 0; round < 10; round++) {
        yield* set("submission", "need_interview")
        yield* set("invitation", "delivered")
        yield* Effect.all([many(Effect.result(resend)), many(cancel)], { concurrency: "unbounded" })
        assert.deepStrictEqual(yield* statuses, ["withdrawn cancelled"])
        assert.notInclude(yield* mails, "queued")
      }
    }).pipe(Pod.provide()),
  )

  it.effect("happens once when two cancel at the same moment", () =>
    Effect.gen(function* () {
      const { id, organization } = yield* begin
      const rows = yield* InvitationRepository
      const cancel = rows.cancel(organization, id)
      assert.deepStrictEqual(yield* overtaken(cancel, cancel), Result.succeed(false))
    }).pipe(Pod.provide()),
  )

  it.effect("is atomic with a bounce at the same moment", () =>
    Effect.gen(function* () {
      const { cancel, id, organization } = yield* begin
      const report = (yield* InvitationReports).report("bounce", [{ id, organization_id: organization }])
      yield* Effect.flatMap(overtaken(report, cancel), Effect.fromResult)
      assert.deepStrictEqual(yield* statuses, ["withdrawn cancelled"])
    }).pipe(Pod.provide()),
  )

  it.effect("excludes a submit at the same moment", () =>
    Effect.gen(function* () {
      const interviews = yield* Interviews
      for (let round = 0; round < 10; round++) {
        const { cancel, submission, token } = yield* begin
        const { sql } = yield* Database
        yield* interviews.start(token)
        const [cancelled] = yield* Effect.all([Effect.result(cancel), Effect.result(interviews.finish(token, []))], {
          concurrency: "unbounded",
        })
        const [row] = yield* sql<{ state: string; evaluations: number }>`
          select b.status || ' ' || i.status as state,
            (select count(*)::int from evaluation where submission_id = b.id) as evaluations
          from submission b join invitation i on i.submission_id = b.id where b.id = ${submission}::uuid`
        assert.deepStrictEqual(
          row,
          Result.isSuccess(cancelled)
            ? { state: "withdrawn cancelled", evaluations: 0 }
            : { state: "completed pending", evaluations: 1 },
        )
      }
    }).pipe(Pod.provide()),
  )

  it.effect("records a mail that a worker is sending as sent, and stays cancelled", () =>
    Effect.gen(function* () {
      const { cancel } = yield* begin
      const { queue } = yield* EmailQueue
      const jobs = yield* queue.claim(1)
      const outcomes = yield* Effect.forEach(jobs, queue.perform)
      yield* cancel
      assert.deepStrictEqual(yield* mails, ["cancelled"])
      yield* queue.settle(outcomes)
      assert.deepStrictEqual(yield* mails, ["sent"])
      assert.deepStrictEqual(yield* statuses, ["withdrawn cancelled"])
      assert.deepStrictEqual(yield* events, ["invitation_email_delivered"])
      assert.strictEqual(yield* send, 0)
    }).pipe(Pod.provide()),
  )

  it.effect("does not retry a mail whose sending failed", () =>
    Effect.gen(function* () {
      const { cancel } = yield* begin
      const { queue } = yield* EmailQueue
      const jobs = yield* queue.claim(1)
      const outcomes = yield* Effect.forEach(jobs, queue.perform)
      yield* cancel
      yield* queue.settle(outcomes)
      yield* TestClock.adjust("1 day")
      yield* send
      assert.deepStrictEqual(yield* mails, ["cancelled"])
      assert.deepStrictEqual(yield* events, [])
    }).pipe(Pod.provide({ send: () => Effect.fail(new EmailNotSent({ reason: "try later", permanent: false })) })),
  )

  it.effect("prevents mails that are claimed or released afterwards", () =>
    Effect.gen(function* () {
      const { cancel, resend } = yield* begin
      const { queue } = yield* EmailQueue
      const claimed = yield* queue.claim(1)
      yield* cancel
      yield* queue.settle(yield* Effect.forEach(claimed, queue.perform))
      assert.deepStrictEqual(yield* mails, ["cancelled"])
      yield* set("submission", "need_interview")
      yield* set("invitation", "sent")
      yield* resend
      const given = yield* queue.claim(1)
      yield* cancel
      yield* queue.release(given, Duration.zero, "unclaimed")
      assert.strictEqual(yield* send, 0)
      assert.deepStrictEqual(yield* mails, ["cancelled", "cancelled"])
      assert.deepStrictEqual(yield* events, [])
    }).pipe(Pod.provide()),
  )

  it.effect("lets a new invite create a new submission; the old link stays closed", () =>
    Effect.gen(function* () {
      const { again, cancel, id, submission, token } = yield* begin
      const interviews = yield* Interviews
      yield* cancel
      yield* TestClock.adjust("1 second")
      const anew = yield* again
      assert.notStrictEqual(anew.subject.invitation_id, id)
      assert.notStrictEqual(anew.subject.submission_id, submission)
      assert.deepStrictEqual(yield* statuses, ["withdrawn cancelled", "need_interview pending"])
      assert.strictEqual((yield* interviews.view(token)).state, "cancelled")
      assert.strictEqual((yield* interviews.view(anew.token)).state, "open")
      assert.deepStrictEqual((yield* again).subject, anew.subject)
      yield* cancel
      assert.deepStrictEqual(yield* statuses, ["withdrawn cancelled", "need_interview pending"])
    }).pipe(Pod.provide()),
  )
})
