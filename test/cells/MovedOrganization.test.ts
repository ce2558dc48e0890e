/** What pods do with an organization while it is moved, and while another cell has it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Idempotency } from "../../src/accounts/Idempotency.ts"
import { Organizations } from "../../src/accounts/Organizations.ts"
import { PasswordLinks } from "../../src/accounts/PasswordLinks.ts"
import { SignInAttempts } from "../../src/accounts/SignInAttempts.ts"
import { HiringSystemConnections } from "../../src/ats/HiringSystemConnections.ts"
import { ReportQueue } from "../../src/ats/ReportQueue.ts"
import * as State from "../../src/cells/MoveStateSql.ts"
import * as Tables from "../../src/cells/MoveTablesSql.ts"
import * as Triggers from "../../src/cells/MoveTriggersSql.ts"
import { CvQueue } from "../../src/cv/CvQueue.ts"
import { EmailEventProcessor } from "../../src/emails/EmailEventProcessor.ts"
import { EmailEventReceiver } from "../../src/emails/EmailEventReceiver.ts"
import { EmailLinks } from "../../src/emails/EmailLinks.ts"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import { EvaluationQueue } from "../../src/evaluations/EvaluationQueue.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Uploads } from "../../src/interviews/Uploads.ts"
import { Reminders } from "../../src/invitations/Reminders.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { FormSubmissions } from "../../src/platform/http/FormSubmissions.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { type EmailId, InvitationId, type OrganizationId } from "../../src/values/Ids.ts"
import { DeliveryQueue } from "../../src/webhooks/DeliveryQueue.ts"
import { Retention } from "../../src/webhooks/Retention.ts"
import * as Api from "../support/Api.ts"
import { type Furnished, furnished } from "../support/Furnished.ts"
import * as Members from "../support/Members.ts"
import { setMoveState } from "../support/MoveState.ts"
import * as SendGrid from "../support/SendGrid.ts"
import { rowsOf } from "../support/Tables.ts"
import { stageWith } from "../support/Walk.ts"
import * as Workspace from "../support/Workspace.ts"

const provide = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.provide(Effect.scoped(test), stageWith({ SENDGRID_EVENTS_KEY: SendGrid.eventsKey }), { local: true })

const own = furnished((what) => `Our ${what} in words`)

/** Sets the state, with the triggers of a move. */
const setState = Effect.fnUntraced(function* (organization: OrganizationId, state: State.MoveState) {
  const { client: sql } = yield* Database
  yield* setMoveState(sql, organization, state)
  yield* Triggers.addGuards(sql, yield* Tables.tables(sql), organization)
})

/** All jobs and periodic steps (src/Workers.ts), more than a year later. */
const workLater = Effect.gen(function* () {
  yield* TestClock.adjust("400 days")
  const uploads = yield* Uploads
  const interviews = yield* Interviews
  const connections = yield* HiringSystemConnections
  yield* runOnce((yield* DeliveryQueue).queue)
  yield* runOnce((yield* EmailQueue).queue)
  yield* runOnce((yield* EvaluationQueue).queue)
  yield* runOnce((yield* CvQueue).queue)
  yield* runOnce((yield* ReportQueue).queue)
  const steps = [
    (yield* EvaluationQueue).sendHeld,
    interviews.finishOverdue,
    interviews.expireUnstarted,
    (yield* EmailEventProcessor).apply,
    (yield* EmailEventReceiver).forget,
    (yield* Reminders).step,
    uploads.sweep,
    uploads.removeErased,
    (yield* Retention).step,
    connections.queueSynchronizations,
    connections.forgetExchanges,
    (yield* Idempotency).forget,
    (yield* FormSubmissions).forget,
    (yield* SignInAttempts).forget,
    (yield* PasswordLinks).forget,
  ]
  for (const step of steps) yield* Effect.repeat(step, { while: (done) => done > 0, times: 10 })
})

const answerOf = <E, R>(request: Effect.Effect<{ readonly status: number; readonly headers: Headers }, E, R>) =>
  Effect.map(request, ({ headers, status }) => [status, headers.get("retry-after")] as const)

const readByKey = (key: string) => answerOf(Api.call("GET", "/company/integration/events/v1", { key }))

const byLink = (url: string) => answerOf(Workspace.request("GET", new URL(url).pathname))

/** With an API key, a session, and the links of a candidate and of a member. */
const reads = Effect.fnUntraced(function* ({ ids, owner, tokens }: Furnished, key: string) {
  const { client: sql } = yield* Database
  const links = yield* EmailLinks
  const [reset] = yield* sql<{ id: EmailId }>`select id from email where kind = 'password_reset'`
  return yield* Effect.all([
    readByKey(key),
    answerOf(Members.get("/submissions", owner.cookie)),
    answerOf(Workspace.request("GET", `/i/${tokens.waiting}`)),
    byLink(links.mail("Unsubscribe", InvitationId.make(ids.invitation))),
    byLink(links.password(reset?.id ?? assert.fail("no email"))),
  ])
})

const [found, refused] = [
  [200, null],
  [503, "5"],
] as const

describe("an organization that another cell has", () => {
  for (const state of ["moved", "arriving"] as const) {
    it.effect(`is not written by jobs and periodic steps: ${state}`, () =>
      Effect.gen(function* () {
        const { organization } = yield* own
        const { client: sql } = yield* Database
        yield* Triggers.addHolds(sql, "source", organization)
        yield* Triggers.holdJobs(sql, organization)
        yield* setState(organization, state)
        const before = yield* rowsOf(organization)
        yield* workLater
        assert.deepStrictEqual(yield* rowsOf(organization), before)
      }).pipe(provide),
    )
  }

  it.effect("is written by jobs and periodic steps otherwise", () =>
    Effect.gen(function* () {
      const { organization } = yield* own
      const before = yield* rowsOf(organization)
      yield* workLater
      assert.notDeepEqual(yield* rowsOf(organization), before)
    }).pipe(provide),
  )

  it.effect("answers 503 to its keys, sessions and links", () =>
    Effect.gen(function* () {
      const furniture = yield* own
      const { key } = yield* Api.keyOf(furniture.organization)
      const { client: sql } = yield* Database
      const [member] = yield* sql<{ email: string }>`select email from member where id = ${furniture.owner.id}::uuid`
      yield* (yield* PasswordLinks).request(member?.email ?? "", "192.0.2.1")
      assert.deepStrictEqual(yield* reads(furniture, key), [found, found, found, found, found])
      yield* setState(furniture.organization, "moved")
      assert.deepStrictEqual(yield* reads(furniture, key), [refused, refused, refused, refused, refused])
    }).pipe(provide),
  )

  it.effect("does not refuse sessions of another organization, whose members the planner reads with its own", () =>
    Effect.gen(function* () {
      const { organization } = yield* own
      const other = yield* (yield* Organizations).create("Other")
      const { cookie } = yield* Members.signedIn(other)
      const { client: sql } = yield* Database
      yield* setState(organization, "moved")
      yield* sql`analyze`
      assert.deepStrictEqual(yield* answerOf(Members.get("/submissions", cookie)), found)
    }).pipe(provide),
  )
})

describe("an organization whose writes are refused", () => {
  it.effect("can be read and answers 503 to writes, until the pause ends by itself", () =>
    Effect.gen(function* () {
      const { organization } = yield* own
      const { client: sql } = yield* Database
      const { key } = yield* Api.keyOf(organization)
      const write = answerOf(Api.call("POST", Api.paths.createSet, { key, json: { title: "Nurse" } }))
      const created = [201, null] as const
      yield* setState(organization, "draining")
      assert.deepStrictEqual(yield* write, created)
      yield* State.pause(sql, organization, 10)
      assert.deepStrictEqual(yield* write, refused)
      assert.deepStrictEqual(yield* readByKey(key), found)
      yield* sql`update organization_move set paused_until = now()`
      assert.isFalse(yield* State.leave(sql, organization))
      assert.deepStrictEqual(yield* write, created)
      // the rows of both accepted writes are compared again
      const { interview_set: changed = [] } = Object.fromEntries(yield* State.changes(sql))
      assert.lengthOf(changed, 2)
    }).pipe(provide),
  )
})

describe("a report of an email provider", () => {
  const accepted = [204, null] as const

  const emailOf = Effect.fnUntraced(function* (organization: OrganizationId) {
    const { client: sql } = yield* Database
    const [email] = yield* sql<{
      id: string
    }>`select id from email where organization_id = ${organization}::int limit 1`
    return email?.id
  })

  /** The organizations of the stored reports. */
  const stored = Effect.gen(function* () {
    const { client: sql } = yield* Database
    const rows = yield* sql<{ organization_id: OrganizationId }>`
      select organization_id from email_event order by organization_id`
    return rows.map(({ organization_id }) => organization_id)
  })

  it.effect(
    "is refused with 503 until the organization has arrived, and stored once; reports of others are stored at once",
    () =>
      Effect.gen(function* () {
        const { organization } = yield* own
        const { organization: other } = yield* own
        const reports = [
          SendGrid.entry("bounce", yield* emailOf(organization)),
          SendGrid.entry("bounce", yield* emailOf(other)),
        ]
        yield* setState(organization, "arriving")
        assert.deepStrictEqual(yield* answerOf(SendGrid.post(reports)), refused)
        assert.deepStrictEqual(yield* stored, [other])
        yield* setState(organization, "arrived")
        assert.deepStrictEqual(yield* answerOf(SendGrid.post(reports)), accepted)
        assert.deepStrictEqual(yield* answerOf(SendGrid.post(reports)), accepted)
        assert.deepStrictEqual(yield* stored, [organization, other])
      }).pipe(provide),
  )

  it.effect("is refused with 503 while writes are refused, and left to the other cell afterwards", () =>
    Effect.gen(function* () {
      const { organization } = yield* own
      const { client: sql } = yield* Database
      const report = answerOf(SendGrid.post([SendGrid.entry("bounce", yield* emailOf(organization))]))
      yield* setState(organization, "draining")
      yield* State.pause(sql, organization, 10)
      assert.deepStrictEqual(yield* report, refused)
      yield* setState(organization, "moved")
      assert.deepStrictEqual(yield* report, accepted)
      assert.deepStrictEqual(yield* stored, [])
    }).pipe(provide),
  )
})
