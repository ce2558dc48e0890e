/** The connector of Greenhouse, against a simulator over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { HiringSystemConnections } from "../../src/ats/HiringSystemConnections.ts"
import { ReportRepository } from "../../src/ats/ReportRepository.ts"
import { EvaluationQueue } from "../../src/evaluations/EvaluationQueue.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Invitations } from "../../src/invitations/Invitations.ts"
import { reencrypt } from "../../src/platform/crypto/SecretKeys.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { Ids } from "../../src/platform/NewIds.ts"
import { newClaim } from "../../src/platform/queue/QueueSql.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { People } from "../../src/privacy/People.ts"
import { CandidateId, type ConnectionId, type OrganizationId, QuestionId } from "../../src/values/Ids.ts"
import * as Api from "../support/Api.ts"
import * as Scenario from "../support/Scenario.ts"
import { conformance } from "./conformance.ts"
import * as Simulator from "./GreenhouseSimulator.ts"
import * as Shared from "./Simulator.ts"
import { greenhouse } from "./systems.ts"

const service = Simulator.layer()

const start = Effect.fnUntraced(function* (name?: string) {
  const one = yield* Scenario.organization({ number_of_retakes: 1 }, name)
  const connection = yield* Simulator.connect(one.id)
  const { answer, patches } = yield* Simulator.Greenhouse
  // after the database's clock, which queues reports
  yield* TestClock.setTime(Date.now() + 60_000)
  yield* (yield* Database).sql`delete from ats_report`
  answer.status = 200
  patches.length = 0
  return { ...one, connection, key: connection.key }
})

const idOf = ({ body }: Api.Answer) => (body as { partner_interview_id: string }).partner_interview_id

const count = Effect.fnUntraced(function* (table: string, organization: number) {
  const { sql } = yield* Database
  const [row] = yield* sql<{ n: number }>`
    select count(*)::int as n from ${sql(table)} where organization_id = ${organization}::int`
  return row?.n
})

/** The candidate's link. */
const tokenOf = Effect.fnUntraced(function* (submission: string) {
  const { sql } = yield* Database
  const [row] = yield* sql<{ id: string; organization_id: OrganizationId }>`
    select id, organization_id from invitation where submission_id = ${submission}::uuid`
  const { id, organization_id } = yield* Effect.fromNullishOr(row)
  const url = (yield* (yield* Invitations).read(operator(organization_id), id)).detail.interview_url ?? ""
  return url.slice(url.lastIndexOf("/") + 1)
})

const reportsOf = Effect.fnUntraced(function* (organization: number) {
  const { sql } = yield* Database
  return yield* sql<{ state: string; attempts: number; last_error: string | null; is_due: boolean }>`
    select state, attempts, last_error, due_at is not null as is_due from ats_report
    where organization_id = ${organization}::int order by id`
})

const exchangesOf = Effect.fnUntraced(function* ({
  id,
  organization,
}: {
  readonly id: ConnectionId
  readonly organization: OrganizationId
}) {
  const { exchanges } = yield* (yield* HiringSystemConnections).show(operator(organization), id)
  return exchanges.map(({ error, operation, status }) => `${operation} ${status}${error === null ? "" : `: ${error}`}`)
})

const decodePerson = Schema.decodeUnknownEffect(
  Schema.Struct({
    submissions: Schema.Array(Schema.Struct({ orders: Schema.Array(Schema.Struct({ profile_url: Schema.String })) })),
  }),
)

layer(service)("Greenhouse", (it) => {
  it.effect("lists the sets that are not archived, of the key's organization only", () =>
    Effect.gen(function* () {
      const { key, set } = yield* start()
      yield* start("Elsewhere")
      const { body, status } = yield* Simulator.call(key, "GET", "list_tests")
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body, [{ partner_test_id: set.id, partner_test_name: "Backend Engineer" }])
    }),
  )

  it.effect("refuses wrong keys with 401, and the key of one connection for another's orders with 404", () =>
    Effect.gen(function* () {
      const { connection, id, key, set } = yield* start()
      const elsewhere = yield* start("Elsewhere")
      for (const wrong of ["ih_wrong", `${key}x`, "%00", ""]) {
        const { headers, status } = yield* Simulator.call(wrong, "GET", "list_tests")
        assert.strictEqual(status, 401)
        assert.match(headers.get("www-authenticate") ?? "", /^Basic realm=/)
      }
      assert.strictEqual((yield* Api.call("GET", "/hiring-systems/greenhouse/list_tests")).status, 401)
      const apiKey = yield* Api.keyOf(id)
      assert.strictEqual((yield* Simulator.call(apiKey.key, "GET", "list_tests")).status, 401)
      assert.strictEqual((yield* Api.call("GET", "/company/integration/hiring/submissions/v1", { key })).status, 401)
      const submission = idOf(yield* Simulator.sendTest(key, set.id))
      const path = `test_status?partner_interview_id=${submission}`
      assert.strictEqual((yield* Simulator.call(elsewhere.key, "GET", path)).status, 404)
      const second = yield* Simulator.connect(id, "Second account")
      assert.strictEqual((yield* Simulator.call(second.key, "GET", path)).status, 404)
      assert.strictEqual((yield* Simulator.sendTest(elsewhere.key, set.id)).status, 404)
      assert.strictEqual(yield* count("submission", elsewhere.id), 0)

      const connections = yield* HiringSystemConnections
      const rotated = yield* connections.rotateKey(operator(id), connection.id)
      assert.strictEqual((yield* Simulator.call(key, "GET", path)).status, 401)
      assert.strictEqual((yield* Simulator.call(Redacted.value(rotated.key), "GET", path)).status, 200)
    }),
  )

  it.effect("invites once, however often and concurrently a test is sent", () =>
    Effect.gen(function* () {
      const { id, key, set } = yield* start()
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, () => Simulator.sendTest(key, set.id)),
        { concurrency: "unbounded" },
      )
      assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [200])
      const [submission, ...others] = new Set(answers.map(idOf))
      assert.isEmpty(others)
      assert.deepStrictEqual(
        yield* Effect.forEach(["submission", "invitation", "email", "ats_order"], (table) => count(table, id)),
        [1, 1, 1, 1],
      )
      const { sql } = yield* Database
      const [stored] = yield* sql`
        select c.firstname, c.lastname, c.email, o.profile_url, o.ordered_by from ats_order o
        join submission b on b.id = o.submission_id join candidate c on c.id = b.candidate_id
        where o.submission_id = ${submission ?? ""}::uuid`
      assert.deepStrictEqual(stored, {
        firstname: "Ada",
        lastname: "Lovelace",
        email: "ada@example.com",
        profile_url: Simulator.candidate.greenhouse_profile_url,
        ordered_by: "recruiter@acme.example",
      })
    }),
  )

  it.effect("takes a CV at once, and answers another order of the same candidate with the same interview", () =>
    Effect.gen(function* () {
      const { id, key, set } = yield* start()
      const { url } = yield* Simulator.Greenhouse
      const first = yield* Simulator.sendTest(key, set.id, { resume_url: `${url}/resume.pdf` })
      assert.strictEqual(yield* count("cv", id), 1)
      const second = yield* Simulator.sendTest(key, set.id, { url: `${url}/take_home_tests/2` })
      assert.strictEqual(idOf(second), idOf(first))
      assert.deepStrictEqual([yield* count("ats_order", id), yield* count("invitation", id)], [2, 1])
    }),
  )

  it.effect("reports the start, the submission and the score, and says complete after the improvement window", () =>
    Effect.gen(function* () {
      const { id, key, set } = yield* start()
      const { patches } = yield* Simulator.Greenhouse
      const submission = idOf(yield* Simulator.sendTest(key, set.id))
      assert.strictEqual(yield* Simulator.report, 0)
      assert.strictEqual((yield* Simulator.statusOf(key, submission))["partner_status"], "Invited")
      const interviews = yield* Interviews
      const token = yield* tokenOf(submission)
      yield* interviews.start(token)
      assert.strictEqual(yield* Simulator.report, 1)
      assert.deepStrictEqual(patches, [
        { path: "PATCH /take_home_tests/1", authorization: Simulator.basic(key), body: "" },
      ])
      assert.strictEqual((yield* Simulator.statusOf(key, submission))["partner_status"], "Started")
      const [question] = set.iai_questions
      yield* interviews.finish(token, [
        { question_id: QuestionId.make(question?.id ?? ""), content: Scenario.answer, option_ids: [] },
      ])
      yield* runOnce((yield* EvaluationQueue).queue)
      assert.strictEqual(yield* Simulator.report, 1)
      const held = yield* Simulator.statusOf(key, submission)
      assert.strictEqual(held["partner_status"], "Submitted")
      assert.isNull(held["partner_score"])
      yield* TestClock.adjust("25 hours")
      yield* (yield* EvaluationQueue).sendHeld
      assert.strictEqual(yield* Simulator.report, 1)
      assert.lengthOf(patches, 3)
      const done = yield* Simulator.statusOf(key, submission)
      assert.strictEqual(done["partner_status"], "complete")
      assert.isAbove(Number(done["partner_score"]), 5)
      assert.match(String(done["partner_profile_url"]), new RegExp(`/submissions/${submission}$`))
      assert.isTrue(
        Object.values(done["metadata"] as object).every((value) => typeof value !== "object" || value === null),
      )
      assert.deepStrictEqual(yield* reportsOf(id), [
        { state: "reported", attempts: 1, last_error: null, is_due: false },
      ])
    }),
  )

  it.effect("reports a decline, a cancellation and an expiry", () =>
    Effect.gen(function* () {
      const { id, key, set } = yield* start()
      const { url } = yield* Simulator.Greenhouse
      const send = (n: number) =>
        Effect.map(
          Simulator.sendTest(key, set.id, { url: `${url}/take_home_tests/${n}`, email: `person${n}@example.com` }),
          idOf,
        )
      const [declined, cancelled, expired] = [yield* send(1), yield* send(2), yield* send(3)]
      yield* (yield* Interviews).decline(yield* tokenOf(declined))
      const { sql } = yield* Database
      const [invitation] = yield* sql<{
        id: string
      }>`select id from invitation where submission_id = ${cancelled}::uuid`
      yield* (yield* Invitations).cancel(operator(id), invitation?.id ?? "")
      yield* sql`update submission set expires_at = now() - interval '1 day' where id = ${expired}::uuid`
      yield* (yield* Interviews).expireUnstarted
      assert.strictEqual(yield* Simulator.report, 3)
      const statuses = yield* Effect.forEach([declined, cancelled, expired], (one) =>
        Effect.map(Simulator.statusOf(key, one), (status) => status["partner_status"]),
      )
      assert.deepStrictEqual(statuses, ["The candidate declined", "Cancelled", "Expired"])
    }),
  )

  it.effect("retries a report while Greenhouse is down, and logs each attempt", () =>
    Effect.gen(function* () {
      const { connection, id, key, set } = yield* start()
      const { answer, patches } = yield* Simulator.Greenhouse
      const submission = idOf(yield* Simulator.sendTest(key, set.id))
      yield* (yield* Interviews).start(yield* tokenOf(submission))
      answer.status = 503
      assert.strictEqual(yield* Simulator.report, 1)
      assert.deepStrictEqual(yield* reportsOf(id), [
        { state: "queued", attempts: 1, last_error: "Greenhouse answered 503", is_due: true },
      ])
      assert.strictEqual(yield* Simulator.report, 0)
      yield* TestClock.adjust("1 hour")
      answer.status = 200
      assert.strictEqual(yield* Simulator.report, 1)
      assert.deepStrictEqual(yield* reportsOf(id), [
        { state: "reported", attempts: 2, last_error: null, is_due: false },
      ])
      assert.lengthOf(patches, 2)
      assert.deepStrictEqual(yield* exchangesOf(connection), [
        "report 200",
        "report 503: Greenhouse answered 503",
        "send_test 200",
      ])
    }),
  )

  it.effect("sends a report again that changed while it was sent", () =>
    Effect.gen(function* () {
      const { id, key, set } = yield* start()
      const submission = idOf(yield* Simulator.sendTest(key, set.id))
      const token = yield* tokenOf(submission)
      yield* (yield* Interviews).start(token)
      const reports = yield* ReportRepository
      const [job] = yield* reports.claim(yield* newClaim(10, Duration.minutes(1)).pipe(Effect.provide(Ids.layer)))
      assert.isDefined(job)
      if (job === undefined) return
      yield* (yield* Interviews).decline(token)
      assert.strictEqual(yield* Simulator.report, 0)
      const settlement = { id: job.id, claim_id: job.claim_id, changes: job.changes, delay: undefined }
      yield* reports.settle([{ ...settlement, state: "reported", sent: true, status: 200, error: null }])
      assert.deepStrictEqual(yield* reportsOf(id), [{ state: "queued", attempts: 0, last_error: null, is_due: true }])
      assert.strictEqual(yield* Simulator.report, 1)
    }),
  )

  it.effect("sends nothing to other hosts", () =>
    Effect.gen(function* () {
      const { id, key, set } = yield* start()
      const { patches, url } = yield* Simulator.Greenhouse
      const addresses = [
        "https://greenhouse.io.example.com/1",
        "http://app.greenhouse.io/1",
        "https://notgreenhouse.io/1",
        `${url.replace("://", "://user@")}/1`,
        "file:///etc/passwd",
        "nonsense",
      ]
      for (const [n, url] of addresses.entries()) {
        const submission = idOf(yield* Simulator.sendTest(key, set.id, { url, email: `person${n}@example.com` }))
        yield* (yield* Interviews).start(yield* tokenOf(submission))
      }
      assert.strictEqual(yield* Simulator.report, addresses.length)
      assert.isEmpty(patches)
      assert.deepStrictEqual(
        [...new Set((yield* reportsOf(id)).map(({ last_error, state }) => `${state} ${last_error}`))],
        ["failed The address is not one of Greenhouse's"],
      )
    }),
  )

  it.effect("answers malformed calls with 4xx, stores nothing and logs them", () =>
    Effect.gen(function* () {
      const { connection, id, key, set } = yield* start()
      const whole = { partner_test_id: set.id, candidate: Simulator.candidate, url: "https://app.greenhouse.io/1" }
      const { candidate, ...withoutCandidate } = whole
      const bodies: ReadonlyArray<unknown> = [
        null,
        [],
        "text",
        {},
        withoutCandidate,
        { ...whole, partner_test_id: "17" },
        { ...whole, partner_test_id: "00000000-0000-4000-8000-000000000000" },
        { ...whole, candidate: { ...candidate, email: null } },
        { ...whole, candidate: { ...candidate, email: "" } },
        { ...whole, candidate: { ...candidate, email: "\u0000@example.com" } },
        { ...whole, candidate: { ...candidate, last_name: 17 } },
        { ...whole, url: `https://app.greenhouse.io/${"x".repeat(3_000)}` },
      ]
      for (const body of bodies) {
        const { status } = yield* Simulator.call(key, "POST", "send_test", body)
        assert.isTrue(status >= 400 && status < 500, `${status} ${JSON.stringify(body)?.slice(0, 200)}`)
      }
      for (const raw of ["{", "\xff", ""]) {
        const headers = { authorization: Simulator.basic(key), "content-type": "application/json" }
        const { status } = yield* Api.call("POST", "/hiring-systems/greenhouse/send_test", { headers, raw })
        assert.strictEqual(status, 400)
      }
      for (const query of [
        "",
        "?partner_interview_id=",
        "?partner_interview_id=17",
        `?partner_interview_id=${set.id}`,
      ]) {
        const { status } = yield* Simulator.call(key, "GET", `test_status${query}`)
        assert.oneOf(status, [404, 422])
      }
      const tables = ["submission", "candidate", "invitation", "email", "ats_order", "ats_report"]
      assert.deepStrictEqual([...new Set(yield* Effect.forEach(tables, (table) => count(table, id)))], [0])
      const { status } = yield* Simulator.call(key, "POST", "response_error", {
        api_call: "test_status",
        errors: ["partner_score of ada@example.com must be a number"],
        partner_interview_id: "17",
      })
      assert.strictEqual(status, 200)
      const exchanges = yield* exchangesOf(connection)
      assert.lengthOf(exchanges, bodies.length + 3 + 4 + 1)
      assert.strictEqual(
        exchanges[0],
        "response_error 200: Greenhouse refused the answer to test_status: partner_score of (address) must be a number",
      )
    }),
  )

  it.effect("refuses calls and keeps reports while paused, and sends them when resumed", () =>
    Effect.gen(function* () {
      const { connection, id, key, set } = yield* start()
      const { patches } = yield* Simulator.Greenhouse
      const connections = yield* HiringSystemConnections
      const [one, two] = yield* Effect.forEach([1, 2], (n) =>
        Effect.map(
          Simulator.sendTest(key, set.id, { url: `https://app.greenhouse.io/${n}`, email: `person${n}@example.com` }),
          idOf,
        ),
      )
      yield* (yield* Interviews).start(yield* tokenOf(one ?? ""))
      assert.strictEqual((yield* connections.setStatus(operator(id), connection.id, "paused")).status, "paused")
      yield* (yield* Interviews).start(yield* tokenOf(two ?? ""))
      assert.strictEqual(yield* Simulator.report, 0)
      assert.strictEqual((yield* Simulator.call(key, "GET", "list_tests")).status, 401)
      const { waiting } = yield* connections.setStatus(operator(id), connection.id, "active")
      assert.strictEqual(waiting, 2)
      assert.strictEqual((yield* Simulator.call(key, "GET", "list_tests")).status, 200)
      assert.isEmpty(patches)
      yield* connections.remove(operator(id), connection.id)
      assert.strictEqual((yield* Simulator.call(key, "GET", "list_tests")).status, 401)
      assert.deepStrictEqual(
        yield* Effect.forEach(["ats_connection", "ats_order", "ats_report", "ats_exchange", "submission"], (table) =>
          count(table, id),
        ),
        [0, 0, 0, 0, 2],
      )
      const actions = (yield* (yield* Database).sql<{ action: string }>`
        select action from audit_log where organization_id = ${id}::int and record_type = 'ats_connection' order by id`).map(
        ({ action }) => action,
      )
      assert.deepStrictEqual(actions, [
        "ats_connection.create",
        "ats_connection.update",
        "ats_connection.update",
        "ats_connection.delete",
      ])
    }),
  )

  it.effect("forgets the candidate's order on erasure, and exports it before", () =>
    Effect.gen(function* () {
      const { id, key, set } = yield* start()
      yield* Simulator.sendTest(key, set.id)
      const { sql } = yield* Database
      const [row] = yield* sql<{ id: string }>`select id from candidate where organization_id = ${id}::int`
      const person = CandidateId.make(row?.id ?? "")
      const people = yield* People
      const { submissions } = yield* decodePerson(yield* people.everything(id, person))
      assert.strictEqual(submissions[0]?.orders[0]?.profile_url, Simulator.candidate.greenhouse_profile_url)
      yield* people.erase(id, person)
      const [order] = yield* sql`
        select external_id = id::text as hidden, callback_url, profile_url, ordered_by from ats_order
        where organization_id = ${id}::int`
      assert.deepStrictEqual(order, { hidden: true, callback_url: null, profile_url: null, ordered_by: null })
      yield* Simulator.report
      assert.isEmpty((yield* Simulator.Greenhouse).patches)
    }),
  )

  it.effect("encrypts the connections' keys again", () =>
    Effect.gen(function* () {
      const { connection } = yield* start()
      const { sql } = yield* Database
      const read = sql<{
        credentials: Uint8Array
      }>`select credentials from ats_connection where id = ${connection.id}::uuid`
      const [before] = yield* read
      const { reencrypted, unreadable } = yield* reencrypt(false)
      const [after] = yield* read
      assert.isAbove(reencrypted, 0)
      assert.strictEqual(unreadable, 0)
      assert.notDeepEqual(after, before)
    }),
  )
})

layer(Shared.layer())("Greenhouse, like every connector", (it) => {
  conformance(it, greenhouse)
})
