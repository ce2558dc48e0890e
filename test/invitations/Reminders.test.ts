/** Reminders of invitations. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import { EmailNotSent } from "../../src/emails/EmailSender.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { InvitationReports } from "../../src/invitations/InvitationReports.ts"
import { Invitations } from "../../src/invitations/Invitations.ts"
import { InviteRequest } from "../../src/invitations/InviteRequest.ts"
import { Reminders } from "../../src/invitations/Reminders.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { InvitationId } from "../../src/values/Ids.ts"
import * as Mails from "../support/Mails.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const step = Effect.flatMap(Reminders, (reminders) => reminders.step)
const send = Effect.flatMap(EmailQueue, ({ queue }) => runOnce(queue))
/** The n-th of January, at the hour. */
const day = (n: number, hour = 0) => TestClock.setTime(Date.UTC(2026, 0, n, hour))

/** Invites a candidate on January 1 and sends the mail; the invitation expires on January 31. */
const begin = Effect.gen(function* () {
  yield* day(1)
  const organization = yield* Scenario.organization()
  const invited = yield* Scenario.invited(organization)
  yield* send
  const { invitation_id } = invited.subject
  return { ...invited, id: InvitationId.make(invitation_id ?? "") }
})

/** The mails other than invitations, oldest first. */
const others = Effect.gen(function* () {
  const { client: sql } = yield* Database
  const rows = yield* sql<{ mail: string }>`
    select kind || ' ' || state as mail from email where kind not in ('invitation', 'receipt') order by created_at, id`
  return rows.map(({ mail }) => mail)
})

const decisions = Effect.gen(function* () {
  const { client: sql } = yield* Database
  return (yield* sql<{ reminder: string | null }>`select reminder from invitation`).map(({ reminder }) => reminder)
})

const write = Effect.fnUntraced(function* (statement: string) {
  const { client: sql } = yield* Database
  yield* sql.unsafe(statement)
})

describe("the reminder", () => {
  it.effect("is sent once, three days before the deadline, with the same link, and changes nothing else", () =>
    Effect.gen(function* () {
      const { id, organization, token } = yield* begin
      const read = (yield* Invitations).find(operator(organization), id)
      const before = yield* read
      yield* day(27, 23)
      assert.strictEqual(yield* step, 0)
      yield* day(28)
      assert.strictEqual(yield* step, 1)
      assert.deepStrictEqual(yield* others, ["invitation_reminder queued"])
      assert.strictEqual(yield* send, 1)
      const mail = (yield* Mails.written).find(({ kind }) => kind === "invitation_reminder")
      assert.strictEqual(mail?.recipient, "ada@example.com")
      assert.strictEqual(mail?.subject, "Reminder of your interview: Backend Engineer")
      for (const part of [mail?.text, mail?.html]) {
        assert.include(part, `/i/${token}`)
        assert.include(part, "Saturday, 31 January 2026 at 00:00 UTC")
      }
      const after = yield* read
      assert.deepStrictEqual(after, { ...before, updated_at: after.updated_at })
      for (const n of [28, 29, 30, 31, 40]) {
        yield* day(n)
        assert.strictEqual(yield* step, 0)
      }
      assert.deepStrictEqual(yield* others, ["invitation_reminder sent"])
      assert.lengthOf(yield* Scenario.dataOf("invitation.status.update"), 1)
    }).pipe(Pod.provide()),
  )

  it.effect("is sent INVITATION_REMINDER before the deadline", () =>
    Effect.gen(function* () {
      yield* begin
      yield* day(30, 11)
      assert.strictEqual(yield* step, 0)
      yield* day(30, 12)
      assert.strictEqual(yield* step, 1)
      assert.deepStrictEqual(yield* others, ["invitation_reminder queued"])
    }).pipe(Pod.provide({ settings: { INVITATION_REMINDER: "12 hours" } })),
  )

  it.effect("is not sent without INVITATION_REMINDER", () =>
    Effect.gen(function* () {
      yield* begin
      yield* day(30)
      assert.strictEqual(yield* step, 0)
      assert.deepStrictEqual(yield* others, [])
    }).pipe(Pod.provide({ settings: { INVITATION_REMINDER: "none" } })),
  )

  it.effect.each<readonly [expires: string, at: number]>([
    ["5 days", 3],
    ["143 hours", 4],
  ])("is not sent when the invitation is too short: %s", ([expires, at]) =>
    Effect.gen(function* () {
      yield* begin
      yield* day(at)
      assert.strictEqual(yield* step, 1)
      assert.deepStrictEqual(yield* decisions, ["skipped"])
      assert.deepStrictEqual(yield* others, [])
      assert.strictEqual(yield* step, 0)
    }).pipe(Pod.provide({ settings: { INVITATION_EXPIRES: expires } })),
  )

  it.effect("is sent when the invitation is just long enough", () =>
    Effect.gen(function* () {
      yield* begin
      yield* day(4, 1)
      assert.strictEqual(yield* step, 1)
      assert.deepStrictEqual(yield* decisions, ["queued"])
    }).pipe(Pod.provide({ settings: { INVITATION_EXPIRES: "145 hours" } })),
  )

  it.effect("is sent to a candidate who has opened the page but not started", () =>
    Effect.gen(function* () {
      const { token } = yield* begin
      yield* (yield* Interviews).initiate(token)
      yield* day(28)
      yield* step
      yield* send
      assert.deepStrictEqual(yield* others, ["invitation_reminder sent"])
    }).pipe(Pod.provide()),
  )

  type Begun = Effect.Success<typeof begin>

  /** Reasons not to send a reminder; each may occur before or after it is queued. */
  const reasons = {
    "the candidate has started": ({ token }: Begun) => Effect.flatMap(Interviews, ({ start }) => start(token)),
    "the interview is completed": (begun: Begun) => Scenario.completed(begun),
    "the candidate has withdrawn": () => write("update submission set status = 'withdrawn'"),
    "the invitation is cancelled": ({ id, organization }: Begun) =>
      Effect.flatMap(Invitations, ({ cancel }) => cancel(operator(organization), id)),
    "its mail has failed": ({ id, organization }: Begun) =>
      Effect.flatMap(InvitationReports, ({ report }) => report("bounce", [{ id, organization_id: organization }])),
  } as const

  for (const [reason, happens] of Object.entries(reasons)) {
    it.effect(`is not queued once ${reason}`, () =>
      Effect.gen(function* () {
        const begun = yield* begin
        yield* happens(begun)
        yield* day(28)
        yield* step
        assert.deepStrictEqual(yield* others, [])
      }).pipe(Pod.provide()),
    )

    it.effect(`is not sent once ${reason}, although it was queued`, () =>
      Effect.gen(function* () {
        const begun = yield* begin
        yield* day(28)
        yield* step
        yield* happens(begun)
        yield* send
        assert.deepStrictEqual(yield* others, ["invitation_reminder cancelled"])
      }).pipe(Pod.provide()),
    )
  }

  it.effect.each([
    ["the invitation expired while it waited", TestClock.setTime(Date.UTC(2026, 0, 31))],
    [
      "the address was suppressed",
      write(
        "insert into suppression (organization_id, email, reason) select id, 'ada@example.com', 'x' from organization",
      ),
    ],
  ] as const)("is not sent when %s", ([, happens]) =>
    Effect.gen(function* () {
      yield* begin
      yield* day(28)
      yield* step
      yield* happens
      yield* send
      assert.deepStrictEqual(yield* others, ["invitation_reminder cancelled"])
    }).pipe(Pod.provide()),
  )

  it.effect("is not sent after a spam report or the deadline", () =>
    Effect.gen(function* () {
      const { id, organization } = yield* begin
      yield* (yield* InvitationReports).report("spam", [{ id, organization_id: organization }])
      yield* day(28)
      assert.strictEqual(yield* step, 1)
      yield* write("update invitation set reminder = null, spam_at = null")
      yield* day(31)
      assert.strictEqual(yield* step, 1)
      assert.deepStrictEqual(yield* decisions, ["skipped"])
      assert.deepStrictEqual(yield* others, [])
    }).pipe(Pod.provide()),
  )

  it.effect("is not sent soon after another mail or while one is queued", () =>
    Effect.gen(function* () {
      const { id, organization } = yield* begin
      const resend = (yield* Invitations).resend(operator(organization), id)
      yield* day(25, 1)
      yield* resend
      yield* send
      yield* day(28)
      assert.strictEqual(yield* step, 1)
      assert.deepStrictEqual(yield* decisions, ["skipped"])
      yield* write("update invitation set reminder = null")
      yield* write("update email set sent_at = '2026-01-01'")
      yield* resend
      assert.strictEqual(yield* step, 1)
      assert.deepStrictEqual(yield* decisions, ["skipped"])
      assert.deepStrictEqual(yield* others, [])
    }).pipe(Pod.provide()),
  )

  it.effect("waits for the invitation's first email", () =>
    Effect.gen(function* () {
      yield* day(1)
      yield* Scenario.invited(yield* Scenario.organization())
      yield* day(28)
      assert.strictEqual(yield* step, 0)
      yield* send
      assert.strictEqual(yield* step, 1)
      assert.deepStrictEqual(yield* decisions, ["skipped"])
    }).pipe(Pod.provide()),
  )

  it.effect("does not change the invitation or publish an event when it cannot be sent", () =>
    Effect.gen(function* () {
      const { id, organization } = yield* begin
      yield* day(28)
      yield* step
      yield* send
      assert.deepStrictEqual(yield* others, ["invitation_reminder failed"])
      assert.deepInclude(yield* (yield* Invitations).find(operator(organization), id), {
        status_text: "delivered",
        failure_reason: null,
      })
      assert.lengthOf(yield* Scenario.dataOf("invitation.status.update"), 1)
    }).pipe(
      Pod.provide({
        send: ({ subject }) =>
          subject.startsWith("Reminder")
            ? Effect.fail(new EmailNotSent({ reason: "no such user", permanent: true }))
            : Effect.succeed({ providerMessageId: null, delivered: true }),
      }),
    ),
  )

  it.effect("is sent once to each of many candidates by several pods", () =>
    Effect.gen(function* () {
      const { client: sql } = yield* Database
      yield* day(1)
      const { id, set } = yield* Scenario.organization()
      const candidates = Array.from({ length: 900 }, (_, i) => ({ email: `candidate-${i}@example.com` }))
      yield* Scenario.invite(operator(id), InviteRequest.make({ com_interview_set_id: set.id, candidates }))
      // half of them have started
      yield* sql`update invitation set status = 'sent', sent_at = created_at`
      yield* sql`update email set state = 'sent', due_at = null, sent_at = created_at`
      yield* sql`
        update submission set status = 'started' where get_byte(uuid_send(candidate_id), 15) % 2 = 0`
      const [{ open } = { open: 0 }] = yield* sql<{ open: number }>`
        select count(*)::int as open from submission where status = 'need_interview'`
      yield* day(28)
      const pods = yield* Effect.all([Pod.start(), Pod.start(), Pod.start()])
      const steps = [...pods, ...pods].map((pod) => Context.get(pod, Reminders).step)
      let decided = 0
      for (let round = 0; round < 3; round++) {
        const counts = yield* Effect.all(steps, { concurrency: "unbounded" })
        decided += counts.reduce((sum, count) => sum + count, 0)
      }
      assert.strictEqual(decided, 900)
      const [mails] = yield* sql`
        select count(*)::int as mails, count(distinct invitation_id)::int as invitations,
          count(*) filter (where b.status <> 'need_interview')::int as wrong
        from email e join invitation i on i.id = e.invitation_id join submission b on b.id = i.submission_id
        where kind = 'invitation_reminder'`
      assert.isAbove(open, 300)
      assert.deepStrictEqual(mails, { mails: open, invitations: open, wrong: 0 })
    }).pipe(Pod.provide()),
  )

  it.effect("uses its index", () =>
    Effect.gen(function* () {
      const { client: sql, transaction } = yield* Database
      yield* begin
      const plan = yield* transaction(
        Effect.andThen(
          sql`set local enable_seqscan = off`,
          sql`
            explain select id from invitation
            where reminder is null and status in ('sent', 'delivered', 'opened', 'clicked') and expires_at <= now()
            order by expires_at limit 500 for no key update skip locked`,
        ),
      )
      assert.include(JSON.stringify(plan), "invitation_reminder")
      assert.notInclude(JSON.stringify(plan), "Sort")
    }).pipe(Pod.provide()),
  )
})
