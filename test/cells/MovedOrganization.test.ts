/** What pods do with an organization while it is moved, and while another cell has it. */
import { randomUUID } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Organizations } from "../../src/accounts/Organizations.ts"
import { RequestLog } from "../../src/accounts/requests/RequestLog.ts"
import { PasswordLinks } from "../../src/accounts/sign-in/PasswordLinks.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { ReportQueue } from "../../src/ats/ReportQueue.ts"
import * as State from "../../src/cells/MoveStateSql.ts"
import * as Tables from "../../src/cells/MoveTablesSql.ts"
import * as Triggers from "../../src/cells/MoveTriggersSql.ts"
import { CvQueue } from "../../src/cv/CvQueue.ts"
import { EmailLinks } from "../../src/emails/EmailLinks.ts"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import { EvaluationQueue } from "../../src/evaluations/EvaluationQueue.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { TestSpaces } from "../../src/test-mode/TestSpaces.ts"
import { type EmailId, InvitationId, type OrganizationId } from "../../src/values/Ids.ts"
import { periodicSteps } from "../../src/Workers.ts"
import { DeliveryQueue } from "../../src/webhooks/deliveries/DeliveryQueue.ts"
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

/** Rows on which the periodic steps of `steps` act, besides those of `own`. */
const addWork = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { sql } = yield* Database
  const { id: key } = yield* Api.keyOf(organization)
  const ids = { connection: randomUUID(), order: randomUUID(), submission: randomUUID(), candidate: randomUUID() }
  const [past, future] = [sql`timestamptz 'epoch'`, sql`timestamptz '2099-01-01'`]
  const of = sql`organization_id = ${organization}::int`
  yield* sql`insert into candidate (id, organization_id) values (${ids.candidate}::uuid, ${organization}::int)`
  yield* sql`
    insert into submission (id, organization_id, interview_set_id, candidate_id, flow, status, expires_at, started_at, answer_until)
    select ${ids.submission}::uuid, organization_id, id, ${ids.candidate}::uuid, 'interview', 'started', ${past}, ${past}, ${past}
    from interview_set where ${of} limit 1`
  yield* sql`
    insert into invitation (id, organization_id, interview_set_id, candidate_id, submission_id, email, status, expires_at)
    select gen_random_uuid(), organization_id, interview_set_id, candidate_id, id, 'a@example.com', 'sent', ${past}
    from submission where id = ${ids.submission}::uuid`
  yield* sql`
    insert into email_event (organization_id, email_id, provider, provider_event_id, kind, body, created_at, applied_at)
    select organization_id, id, 'sendgrid', id || n::text, 'bounce', '{}', ${past}, case n when 1 then ${past} end
    from (select * from email where ${of} limit 1) m, generate_series(1, 2) n`
  yield* sql`
    insert into webhook_endpoint (id, organization_id, name, url, events, secret, status, next_probe_at, resume_at, deleted_at)
    select gen_random_uuid(), ${organization}::int, 'n', 'https://a.example', '{x}', '', case n when 1 then 'inactive' else 'active' end,
      case n when 1 then ${past} end, case n when 2 then ${past} end, case when n > 2 then ${past} end
    from generate_series(1, 4) n`
  yield* sql`
    insert into webhook_delivery (organization_id, endpoint_id, event_id, state, due_at)
    select organization_id, id, gen_random_uuid(), 'parked', null from webhook_endpoint
    where ${of} and deleted_at is not null limit 1`
  yield* sql`
    insert into webhook_delivery_history (id, organization_id, endpoint_id, event_id, attempt_log, created_at, finished_at,
      state, attempts)
    values (1000000, ${organization}::int, gen_random_uuid(), gen_random_uuid(), '[]', ${past}, ${past}, 'failed', 1)`
  yield* sql`
    insert into blob (id, organization_id, erased, created_at)
    select gen_random_uuid(), ${organization}::int, n = 1, case n when 1 then ${future} else ${past} end
    from generate_series(1, 2) n`
  yield* sql`
    insert into recording (id, organization_id, submission_id, attempt, question_id, kind, started_at, received_at, state)
    select gen_random_uuid(), organization_id, ${ids.submission}::uuid, 1, question_id, 'audio', ${past}, ${past},
      case n when 1 then 'recording' else 'done' end
    from (select * from recording where ${of} limit 1) r, generate_series(1, 2) n`
  yield* sql`
    insert into trial_evaluation (id, organization_id, interview_set_id, requirements, submissions, created_at, next_at)
    select gen_random_uuid(), organization_id, interview_set_id, requirements, submissions, created_at, ${past}
    from trial_evaluation where ${of} limit 1`
  yield* sql`
    insert into counterfactual_audit (id, organization_id, interview_set_id, kinds, submissions, content, names, made_at, next_at)
    select gen_random_uuid(), organization_id, interview_set_id, kinds, submissions, content, names, made_at, ${past}
    from counterfactual_audit where ${of} limit 1`
  yield* sql`
    insert into rehearsal (id, organization_id, endpoint_id, url, created_at, next_at)
    select gen_random_uuid(), organization_id, endpoint_id, 'https://former.example', created_at, ${past}
    from rehearsal where ${of} limit 1`
  yield* sql`
    update organization set events_kept_days = 1, result_page = 'evaluation', result_page_since = ${past}
    where id = ${organization}::int`
  yield* sql`update submission set completed_at = ${future} where ${of} and completed_at is not null`
  yield* sql`
    insert into ats_connection (id, organization_id, system, name, key_hash, credentials)
    values (${ids.connection}::uuid, ${organization}::int, 'ashby', 'n', 'h', 'c')`
  yield* sql`
    insert into ats_order (id, organization_id, connection_id, external_id, created_at)
    values (${ids.order}::uuid, ${organization}::int, ${ids.connection}::uuid, 'e', ${future})`
  yield* sql`
    insert into ats_report (id, order_id, organization_id, connection_id, state, due_at, last_error, failed_at)
    values (${ids.connection}::uuid, null, ${organization}::int, ${ids.connection}::uuid, 'reported', null, null, null),
      (${ids.order}::uuid, ${ids.order}::uuid, ${organization}::int, ${ids.connection}::uuid, 'failed', null, 'e', ${past})`
  yield* sql`
    insert into ats_exchange (organization_id, connection_id, at, operation)
    values (${organization}::int, ${ids.connection}::uuid, ${past}, 'report')`
  yield* sql`
    insert into idempotency_key (organization_id, api_key_id, key, request_hash, status, body, created_at)
    values (${organization}::int, ${key}::uuid, 'k', 'h', 200, '', ${past})`
  yield* sql`
    insert into api_request (id, organization_id, api_key_id, request_id, method, operation, path, status, duration_ms,
      has_idempotency_key, is_replayed, created_at)
    values ('00000000-0000-7000-8000-000000000000'::uuid, ${organization}::int, ${key}::uuid, 'r', 'GET', 'o', '/', 200, 1,
      false, false, ${past})`
  const requestLog = yield* RequestLog
  requestLog.add({
    organization_id: organization,
    api_key_id: key,
    request_id: "r",
    method: "GET",
    operation: "o",
    path: "/",
    query: null,
    status: 200,
    problem: null,
    errors: null,
    warnings: null,
    requests: 1,
    durationMs: 1,
    endedAt: 0,
    has_idempotency_key: false,
    is_replayed: false,
    client: null,
  })
  yield* sql`
    insert into password_link (token_hash, organization_id, member_id, created_at, expires_at)
    select 't', organization_id, id, ${past}, ${past} from member where ${of} limit 1`
  yield* sql`
    insert into member_notice (organization_id, member_id, kind, created_at)
    select organization_id, id, 'submitted', ${past} from member where ${of} limit 1`
})

/** All periodic steps, by name. */
const steps = Effect.gen(function* () {
  const { write } = yield* RequestLog
  const periodic = (yield* periodicSteps).map(({ name, step }) => [name, step] as const)
  return new Map([...periodic, ["writing the request log", write] as const])
})

/** That write no row of `own` and `addWork`, with the reason. A step that is missing here needs rows in `addWork`. */
const idleSteps: Readonly<Record<string, string>> = {
  "storing counts of jobs and steps": "its rows are the installation's",
  "measuring recordings": "only reads",
  "emptying test spaces": "would delete the rows of all other steps: has a test of its own",
}

/** All jobs and periodic steps, more than a year later. */
const workLater = Effect.gen(function* () {
  yield* TestClock.adjust("400 days")
  yield* runOnce((yield* DeliveryQueue).queue)
  yield* runOnce((yield* EmailQueue).queue)
  yield* runOnce((yield* EvaluationQueue).queue)
  yield* runOnce((yield* CvQueue).queue)
  yield* runOnce((yield* ReportQueue).queue)
  for (const step of (yield* steps).values()) yield* Effect.repeat(step, { while: (done) => done > 0, times: 10 })
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
        yield* addWork(organization)
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

  it.effect("has rows that each periodic step writes otherwise", () =>
    Effect.gen(function* () {
      const { organization } = yield* own
      yield* addWork(organization)
      const { client: sql } = yield* Database
      // the guards record the changed rows
      yield* setState(organization, "draining")
      yield* TestClock.adjust("400 days")
      const idle: Array<string> = []
      for (const [name, step] of yield* steps) {
        yield* State.clearChanges(sql)
        yield* Effect.repeat(step, { while: (done) => done > 0, times: 10 })
        if ((yield* State.changes(sql)).size === 0) idle.push(name)
      }
      assert.sameMembers(idle, Object.keys(idleSteps))
    }).pipe(provide),
  )

  it.effect("is not emptied as a test space, and does not keep other spaces waiting", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const space = Effect.flatMap(organizations.create("Live"), (live) => organizations.openTestSpace(operator(live)))
      const [moved, other] = [yield* space, yield* space]
      const { client: sql } = yield* Database
      yield* sql`insert into suppression (organization_id, email, reason) values (${moved}::int, 'a@example.com', 'spam')`
      yield* sql`update organization set emptied_since = timestamptz 'epoch' where id = ${moved}::int`
      yield* sql`update organization set emptied_since = now() where id = ${other}::int`
      yield* setState(moved, "moved")
      const before = yield* rowsOf(moved)
      const { step } = yield* TestSpaces
      yield* Effect.repeat(step, { while: (done) => done > 0, times: 10 })
      assert.deepStrictEqual(yield* rowsOf(moved), before)
      const waiting = yield* sql`select id from organization where emptied_since is not null`
      assert.deepStrictEqual(waiting, [{ id: moved }])
    }).pipe(provide),
  )

  it.effect("answers 503 to its keys, sessions and links", () =>
    Effect.gen(function* () {
      const furniture = yield* own
      const { key } = yield* Api.keyOf(furniture.organization)
      // not accepted before, so it is looked up
      const another = yield* Api.keyOf(furniture.organization)
      const { client: sql } = yield* Database
      const [member] = yield* sql<{ email: string }>`select email from member where id = ${furniture.owner.id}::uuid`
      yield* (yield* PasswordLinks).request(member?.email ?? "", "192.0.2.1")
      assert.deepStrictEqual(yield* reads(furniture, key), [found, found, found, found, found])
      yield* setState(furniture.organization, "moved")
      assert.deepStrictEqual(yield* reads(furniture, another.key), [refused, refused, refused, refused, refused])
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
