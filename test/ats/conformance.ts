/** Tests that every connector must pass, against a simulator of its hiring system. */
import { assert } from "@effect/vitest"
import { Duration, Effect, Redacted, Result, Schema } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { verifyingCredential } from "../../src/ats/Connector.ts"
import { connectors } from "../../src/ats/Connectors.ts"
import { systemNames } from "../../src/ats/HiringSystem.ts"
import { HiringSystemConnections } from "../../src/ats/HiringSystemConnections.ts"
import { ReportQueue } from "../../src/ats/ReportQueue.ts"
import { ReportRepository } from "../../src/ats/ReportRepository.ts"
import { EvaluationQueue } from "../../src/evaluations/EvaluationQueue.ts"
import { InterviewSets } from "../../src/interview-sets/InterviewSets.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { PersonReviewRequests } from "../../src/interviews/PersonReviewRequests.ts"
import { Invitations } from "../../src/invitations/Invitations.ts"
import { reencrypt } from "../../src/platform/crypto/SecretKeys.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { Ids } from "../../src/platform/NewIds.ts"
import { newClaim } from "../../src/platform/queue/QueueSql.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { People } from "../../src/privacy/People.ts"
import { CandidateId, QuestionId } from "../../src/values/Ids.ts"
import * as Api from "../support/Api.ts"
import * as Dossier from "../support/Dossier.ts"
import * as LogWatch from "../support/LogWatch.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Simulator from "./Simulator.ts"

const decodePerson = Schema.decodeUnknownEffect(
  Schema.Struct({
    submissions: Schema.Array(
      Schema.Struct({
        orders: Schema.Array(
          Schema.Struct({
            profile_url: Schema.NullOr(Schema.String),
            ordered_by: Schema.NullOr(Schema.String),
            job: Schema.NullOr(Schema.String),
          }),
        ),
      }),
    ),
  }),
)

const isRecord = Schema.is(Schema.Record(Schema.String, Schema.Unknown))

/** Copies `body` with another value at the path, such as `candidate.email`; undefined removes the field. */
const changed = (body: unknown, path: string, value: unknown): unknown => {
  const [name = "", ...rest] = path.split(".")
  const inner = (one: unknown) => (rest.length === 0 ? value : changed(one, rest.join("."), value))
  if (Array.isArray(body)) return body.map((one, at) => (String(at) === name ? inner(one) : one))
  return isRecord(body) ? { ...body, [name]: inner(body[name]) } : assert.fail(`the body has no ${path}`)
}

const start = Effect.fnUntraced(function* (submission: string) {
  yield* (yield* Interviews).start(yield* Simulator.tokenOf(submission))
})

const decline = Effect.fnUntraced(function* (submission: string) {
  yield* (yield* Interviews).decline(yield* Simulator.tokenOf(submission))
})

const claimAll = Effect.gen(function* () {
  const claim = yield* Effect.flatMap(Ids, (ids) => newClaim(ids, 10, Duration.minutes(1))).pipe(
    Effect.provide(Ids.layer),
  )
  return yield* (yield* ReportRepository).claim(claim, 10, new Map())
})

/** Tries the due reports until they are given up. */
const giveUp = Effect.gen(function* () {
  for (let attempt = 0; attempt < 36; attempt++) {
    yield* Simulator.report
    yield* TestClock.adjust("5 hours")
  }
})

const isClientError = (status: number) => status >= 400 && status < 500

export const conformance = (it: Simulator.Tests, play: Simulator.VendorPlay): void => {
  const name = systemNames[play.system]
  const begin = (organization?: string) => Simulator.start(play, organization)
  /** The first change of an interview that is reported, and its state. */
  const [change, changedState] =
    play.isToldOfEndsOnly === true ? ([decline, "The candidate declined"] as const) : ([start, "Started"] as const)

  it.effect("lists only the connection's organization's sets, without archived ones", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* begin()
      yield* Scenario.organization({ title: "Of others" }, "Elsewhere")
      const sets = yield* InterviewSets
      const second = yield* sets.create(operator(id), { title: "Designer" })
      assert.deepStrictEqual(yield* play.sets(connection), { [set.id]: "Backend Engineer", [second.id]: "Designer" })
      yield* sets.archive(operator(id), set.id, true)
      assert.deepStrictEqual(yield* play.sets(connection), { [second.id]: "Designer" })
    }),
  )

  it.effect("offers all sets, also when there are more than 100", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* begin()
      const { sql } = yield* Database
      yield* sql`
        insert into interview_set (id, organization_id, title, created_at)
        select gen_random_uuid(), ${id}::int, 'Newer ' || n, now() + n * interval '1 second' from generate_series(1, 120) n`
      const offered = yield* play.sets(connection)
      assert.lengthOf(Object.keys(offered), 121)
      assert.strictEqual(offered[set.id], "Backend Engineer")
    }),
  )

  it.effect("returns 401 for wrong keys and signatures, API keys, and keys of other connections", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* begin()
      const second = yield* Simulator.connect(id, play, "second-account")
      const elsewhere = yield* begin("Elsewhere")
      const apiKey = yield* Api.keyOf(id)
      assert.strictEqual((yield* Simulator.probe(connection)).status, 200)
      const own = Simulator.secretOf(play) === undefined ? [] : [second.key, elsewhere.connection.key]
      for (const wrong of ["ih_wrong", `${connection.key}x`, "%00", "", apiKey.key, ...own]) {
        const { headers, status } = yield* Simulator.probe(connection, wrong)
        assert.strictEqual(status, 401, wrong)
        assert.match(headers.get("www-authenticate") ?? "", play.challenge)
      }
      for (const headers of [
        {},
        { authorization: "Basic" },
        { authorization: "Bearer é" },
        { "x-kombo-signature": "" },
      ]) {
        const bare = yield* Api.call(play.probe.method, Simulator.pathOf(connection, play.probe.path), { headers })
        assert.strictEqual(bare.status, 401)
        assert.match(bare.headers.get("www-authenticate") ?? "", play.challenge)
      }
      const hiringApi = yield* Api.call("GET", "/company/integration/hiring/submissions/v1", { key: connection.key })
      assert.strictEqual(hiringApi.status, 401)
      // another organization's set
      assert.strictEqual((yield* Simulator.order(elsewhere.connection, { set: set.id })).status, play.goneStatus)
      assert.deepStrictEqual(
        [yield* Simulator.count("submission", elsewhere.id), yield* Simulator.count("submission", id)],
        [0, 0],
      )
    }),
  )

  it.effect("returns 401 for the key of a connection to another hiring system", () =>
    Effect.gen(function* () {
      const { connection, id } = yield* begin()
      for (const system of Object.values(connectors)) {
        if (system.system === play.system || system.authentication._tag === "Signature") continue
        const { key } = yield* (yield* HiringSystemConnections).create(operator(id), {
          system: system.system,
          name: "Other",
          ...(system.credentials.length === 0
            ? {}
            : { credentials: Object.fromEntries(system.credentials.map((field) => [field.name, "of-the-other"])) }),
        })
        if (key === undefined) return assert.fail("no key")
        assert.strictEqual((yield* Simulator.probe(connection, Redacted.value(key))).status, 401)
      }
    }),
  )

  it.effect("replaces the connection's key or secret, and refuses the former one at once", () =>
    Effect.gen(function* () {
      const { connection, id } = yield* begin()
      const connections = yield* HiringSystemConnections
      const rotated = yield* Effect.result(connections.rotateKey(operator(id), connection.id))
      let key = "another-webhook-secret"
      const secret = Simulator.secretOf(play)
      if (secret !== undefined) {
        assert.isTrue(Result.isFailure(rotated))
        yield* connections.setCredentials(operator(id), connection.id, { [secret]: key })
      } else {
        key = Redacted.value((yield* Effect.fromResult(rotated)).key)
      }
      LogWatch.secret(key)
      assert.strictEqual((yield* Simulator.probe(connection)).status, 401)
      assert.strictEqual((yield* Simulator.probe(connection, key)).status, 200)
    }),
  )

  it.effect("returns 404 or 422 for calls about unknown orders and orders of other connections", () =>
    Effect.gen(function* () {
      const { about } = play
      if (about === undefined) return
      const { connection, id, set } = yield* begin()
      const second = yield* Simulator.connect(id, play, "second-account")
      const elsewhere = yield* begin("Elsewhere")
      const { submission } = yield* Simulator.placed(connection, { set: set.id })
      const ask = (from: Simulator.Play, order: string) => {
        const { method, path, ...body } = about(order)
        return Effect.map(Simulator.call(from, method, path, body), ({ status }) => status)
      }
      for (const other of [second, elsewhere.connection]) assert.strictEqual(yield* ask(other, submission), 404)
      for (const wrong of ["", "17", set.id, connection.id]) {
        assert.oneOf(yield* ask(connection, wrong), [404, 422])
      }
      const { sql } = yield* Database
      const [row] = yield* sql<{ status: string }>`select status from submission where id = ${submission}::uuid`
      assert.strictEqual(row?.status, "need_interview")
      assert.strictEqual(yield* ask(connection, submission), 200)
    }),
  )

  it.effect("invites once when an order is repeated concurrently, and stores the order's fields", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* begin()
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, () => Simulator.order(connection, { set: set.id })),
        { concurrency: "unbounded" },
      )
      const [only, ...others] = new Set(answers.map(({ body, status }) => `${status} ${JSON.stringify(body)}`))
      assert.match(only ?? "", /^20[01] /)
      assert.isEmpty(others)
      const { submission } = yield* Simulator.placed(connection, { set: set.id })
      assert.deepStrictEqual(
        yield* Effect.forEach(["submission", "invitation", "email", "ats_order"], (table) =>
          Simulator.count(table, id),
        ),
        [1, 1, 1, 1],
      )
      const { sql } = yield* Database
      const [stored] = yield* sql`
        select c.firstname, c.lastname, c.email, o.profile_url, o.ordered_by, o.job from ats_order o
        join submission b on b.id = o.submission_id join candidate c on c.id = b.candidate_id
        where o.submission_id = ${submission}::uuid`
      assert.deepStrictEqual(stored, {
        firstname: "Ada",
        lastname: "Lovelace",
        email: "ada@example.com",
        ...play.stored,
      })
    }),
  )

  it.effect("answers another order for the same candidate and set with the existing interview", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* begin()
      const first = yield* Simulator.placed(connection, { set: set.id })
      const second = yield* Simulator.placed(connection, { set: set.id, number: 2 })
      assert.strictEqual(second.submission, first.submission)
      assert.deepStrictEqual(
        yield* Effect.forEach(["ats_order", "submission", "invitation"], (table) => Simulator.count(table, id)),
        [2, 1, 1],
      )
    }),
  )

  it.effect("accepts a person with one name, and names that are null or absent", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* begin()
      const { sql } = yield* Database
      const { first, last, preferred } = play.fields
      for (const [at, [given, family]] of (
        [
          ["Sukarno", null],
          ["Sukarno", undefined],
          [null, "Sukarno"],
          ["陳大文", ""],
        ] as const
      ).entries()) {
        const email = `person${at}@example.com`
        const whole = yield* Simulator.orderBody(connection, { set: set.id, number: at + 1, email })
        const unnamed = preferred === undefined ? whole : changed(whole, preferred, null)
        const json = changed(changed(unnamed, first, given), last, family)
        const { body, status } = yield* Simulator.call(connection, "POST", play.orderPath, { json })
        assert.isBelow(status, 300, JSON.stringify(body))
        const [row] = yield* sql<{ name: string }>`
          select concat(firstname, lastname) as name from candidate where email = ${email} and organization_id = ${id}::int`
        assert.strictEqual(row?.name, `${given ?? ""}${family ?? ""}`)
      }
    }),
  )

  it.effect("accepts orders with nulls, empty texts, unknown fields, other scripts and long descriptions", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* begin()
      const { fields } = play
      const { cv, phone } = fields
      const optional = [...fields.texts, fields.last, phone, cv].filter((path) => path !== undefined)
      const variants: ReadonlyArray<ReadonlyArray<readonly [string, unknown]>> = [
        ...[null, undefined, ""].map((value) => optional.map((path) => [path, value] as const)),
        [[fields.last, "Ñandú-O’Brien 🎉 عربى"]],
        ...(phone === undefined ? [] : [[[phone, 4930123] as const]]),
        [[fields.unread, [null, { deep: [[]] }]]],
        [[fields.unread, "ü".repeat(15_000)]],
        [[fields.email, " Person7@Example.com "]],
        ...(cv === undefined ? [] : ["http://example.com/cv", "not a link", "https://127.0.0.1/cv"]).map(
          (link) => [[cv ?? "", link]] as const,
        ),
      ]
      for (const [at, changes] of variants.entries()) {
        const whole: unknown = yield* Simulator.orderBody(connection, {
          set: set.id,
          number: at + 1,
          email: `person${at}@example.com`,
        })
        const json = changes.reduce((body, [path, value]) => changed(body, path, value), whole)
        const { body, status } = yield* Simulator.call(connection, "POST", play.orderPath, { json })
        assert.isBelow(status, 300, `${JSON.stringify(changes).slice(0, 200)} ${JSON.stringify(body)}`)
      }
      assert.strictEqual(yield* Simulator.count("email", id), variants.length)
    }),
  )

  it.effect("waits as long as Retry-After asks, at most 4 hours", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* begin()
      const { answer } = yield* Simulator.Simulator
      const order = yield* Simulator.placed(connection, { set: set.id })
      yield* change(order.submission)
      for (const [after, until] of [
        ["3600", 60],
        ["999999999", 240],
        ["soon", 8],
        ["-5", 16],
      ] as const) {
        Object.assign(answer, { status: 429, headers: { "retry-after": after } })
        assert.strictEqual(yield* Simulator.report, 1)
        yield* TestClock.adjust(`${until * 0.99} minutes`)
        assert.strictEqual(yield* Simulator.report, 0, after)
        yield* TestClock.adjust(`${until * 0.2} minutes`)
      }
      Object.assign(answer, { status: 200, headers: {} })
      yield* Simulator.report
      assert.strictEqual((yield* Simulator.queued(id))[0]?.state, "reported")
    }),
  )

  it.effect("reads answers that are no JSON, cut, very long or of another shape", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* begin()
      const { answer } = yield* Simulator.Simulator
      const order = yield* Simulator.placed(connection, { set: set.id })
      yield* change(order.submission)
      const cut = '{"success": tr'
      for (const raw of [
        "",
        cut,
        "<html>Sign in to the network</html>",
        "[]",
        "null",
        `{"message":"${"x".repeat(7_000_000)}"}`,
      ]) {
        for (const status of [200, 500, 302]) {
          Object.assign(answer, { status, raw })
          yield* Simulator.report
          const [report] = yield* Simulator.queued(id)
          // most vendors document success by the status only
          const isAccepted = status === 200 && connectors[play.system].isRefused === undefined
          assert.strictEqual(report?.state, isAccepted ? "reported" : "queued", `${status} ${raw.slice(0, 40)}`)
          assert.isBelow(report?.last_error?.length ?? 0, 400)
          yield* TestClock.adjust("5 hours")
          const { sql } = yield* Database
          yield* sql`
            update ats_report set state = 'queued', due_at = now() - interval '1 second', attempts = 0 where order_id is not null and organization_id = ${id}::int`
        }
      }
      Object.assign(answer, { status: 200, raw: undefined })
      yield* Simulator.report
      assert.strictEqual((yield* Simulator.queued(id))[0]?.state, "reported")
    }),
  )

  it.effect("refuses with a sentence about the candidate or the test, and logs the field", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* begin()
      const { sql } = yield* Database
      const whole = yield* Simulator.orderBody(connection, { set: set.id })
      yield* sql`insert into suppression (organization_id, email, reason) values (${id}::int, 'left@example.com', 'unsubscribed')`
      const { email, id: external, set: test } = play.fields
      const gone = "This test is no longer offered. Choose another one."
      for (const [path, value, status, sentence] of [
        [email, null, 422, "The candidate has no email address."],
        [email, undefined, 422, "The candidate has no email address."],
        [
          email,
          "bad@@x",
          422,
          "The candidate cannot be invited: the email address is not valid, it has more than one @.",
        ],
        [email, "left@example.com", 422, "The candidate cannot be invited: this address has unsubscribed."],
        [test, "removed-long-ago", play.goneStatus, gone],
        [test, "00000000-0000-4000-8000-000000000000", play.goneStatus, gone],
        [test, null, 422, "The order does not say which test to send."],
        ...(play.callback === undefined
          ? ([
              [external, null, 400, "The order could not be read. The log of the connection has the details."],
            ] as const)
          : ([
              [
                play.callback,
                "https://example.com/1",
                422,
                `The address for the results must be an https address of ${connectors[play.system].hosts[0]}.`,
              ],
            ] as const)),
      ] as const) {
        const { body, status: answered } = yield* Simulator.call(connection, "POST", play.orderPath, {
          json: changed(whole, path, value),
        })
        assert.deepStrictEqual([answered, play.sentence(body, answered)], [status, sentence])
      }
      yield* (yield* InterviewSets).archive(operator(id), set.id, true)
      const { body, status } = yield* Simulator.order(connection, { set: set.id })
      assert.deepStrictEqual([status, play.sentence(body, status)], [play.goneStatus, gone])
      const lines = (yield* Simulator.exchangesOf(connection)).join("\n")
      assert.include(lines, `${email.replaceAll(".", "/")} must be text`)
      const unsigned = yield* Simulator.probe(connection, "wrong")
      assert.isNotEmpty(play.sentence(unsigned.body, 401))
    }),
  )

  it.effect("logs the reason that the hiring system gives, cut and without the candidate", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* begin()
      const { answer } = yield* Simulator.Simulator
      const order = yield* Simulator.placed(connection, { set: set.id })
      yield* change(order.submission)
      for (const [status, body, reason] of [
        [422, { message: "the score of Ada Lovelace is not a number" }, ": the score of (candidate) is not a number"],
        [
          400,
          { status: "error", error: { code: "X", message: "no such order of ada@example.com" } },
          ": no such order of (address)",
        ],
        [
          404,
          { success: false, errors: ["assessment_not_found", { message: "gone" }] },
          ": assessment_not_found; gone",
        ],
        [
          403,
          { success: false, errors: ["missing_endpoint_permission"] },
          ": the credentials of this connection are not allowed to do this: missing_endpoint_permission",
        ],
        [500, { message: "x".repeat(5_000) }, `: ${"x".repeat(300)}`],
        [502, "<html><h1>Bad gateway", ""],
        [500, { errors: { email: ["wrong"] }, message: { a: 1 }, error: null }, ""],
        [500, null, ""],
      ] as const) {
        answer.status = status
        answer.body = () => body
        yield* Simulator.report
        const [report] = yield* Simulator.queued(id)
        assert.strictEqual(report?.last_error, `${name} answered ${status}${reason}`)
        yield* TestClock.adjust("5 hours")
      }
    }),
  )

  it.effect("takes the CV when the order has a CV link", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* begin()
      const { url } = yield* Simulator.Simulator
      yield* Simulator.placed(connection, { set: set.id, cvLink: `${url}/resume.pdf` })
      assert.strictEqual(yield* Simulator.count("cv", id), play.fields.cv === undefined ? 0 : 1)
    }),
  )

  it.effect("takes the score back while the candidate's request for a person is open", () =>
    Effect.gen(function* () {
      const { connection, set } = yield* begin()
      const order = yield* Simulator.placed(connection, { set: set.id })
      const token = yield* Simulator.tokenOf(order.submission)
      yield* Scenario.completed({ set, token })
      yield* runOnce((yield* EvaluationQueue).queue)
      yield* TestClock.adjust("25 hours")
      yield* (yield* EvaluationQueue).sendHeld
      yield* Simulator.report
      const { score } = yield* Simulator.told(connection, order)
      assert.isAbove(Number(score), 5)
      const requests = yield* PersonReviewRequests
      yield* requests.ask(token, "")
      assert.strictEqual(yield* Simulator.report, 1)
      // HiBob keeps a score: it has no status to take it back with
      if (play.isToldOfEndsOnly !== true) {
        const open = yield* Simulator.told(connection, order)
        assert.deepStrictEqual([open.state, open.score], ["Submitted", null])
      }
      yield* requests.withdraw(token)
      assert.strictEqual(yield* Simulator.report, 1)
      assert.strictEqual((yield* Simulator.told(connection, order)).score, score)
    }),
  )

  it.effect("reports the start, the submission and, after the improvement window, the score", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* begin()
      const order = yield* Simulator.placed(connection, { set: set.id })
      yield* Simulator.report
      const before = play.isToldOfInvitations === true ? 1 : 0
      assert.lengthOf(yield* Simulator.reportsOf(connection, order), before)
      const token = yield* Simulator.tokenOf(order.submission)
      const interviews = yield* Interviews
      yield* interviews.start(token)
      assert.strictEqual(yield* Simulator.report, 1)
      if (play.isToldOfEndsOnly !== true) {
        const started = yield* Simulator.told(connection, order)
        assert.deepStrictEqual([started.state, started.score], ["Started", null])
        assert.match(String(started.link), new RegExp(`/submissions/${order.submission}$`))
      }
      const [question] = set.iai_questions
      yield* interviews.finish(token, [
        { question_id: QuestionId.make(question?.id ?? ""), content: Scenario.answer, option_ids: [] },
      ])
      yield* runOnce((yield* EvaluationQueue).queue)
      assert.strictEqual(yield* Simulator.report, 1)
      if (play.isToldOfEndsOnly !== true) {
        const held = yield* Simulator.told(connection, order)
        assert.deepStrictEqual([held.state, held.score], ["Submitted", null])
      }
      yield* TestClock.adjust("25 hours")
      yield* (yield* EvaluationQueue).sendHeld
      assert.strictEqual(yield* Simulator.report, 1)
      const done = yield* Simulator.told(connection, order)
      assert.isAbove(Number(done.score), 5)
      assert.strictEqual(done.state, play.evaluated(done.score))
      assert.match(String(done.link), new RegExp(`/submissions/${order.submission}$`))
      assert.lengthOf(yield* Simulator.reportsOf(connection, order), before + (play.isToldOfEndsOnly === true ? 1 : 3))
      assert.deepStrictEqual(yield* Simulator.queued(id), [
        { state: "reported", attempts: 1, last_error: null, is_due: false },
      ])
    }),
  )

  it.effect("reports a decline, a cancellation and an expiry", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* begin()
      const [declined, cancelled, expired] = yield* Effect.all(
        ([1, 2, 3] as const).map((number) =>
          Simulator.placed(connection, { set: set.id, number, email: `person${number}@example.com` }),
        ),
      )
      if (!declined || !cancelled || !expired) return assert.fail("three orders")
      yield* (yield* Interviews).decline(yield* Simulator.tokenOf(declined.submission))
      const { sql } = yield* Database
      const [invitation] = yield* sql<{ id: string }>`
        select id from invitation where submission_id = ${cancelled.submission}::uuid`
      yield* (yield* Invitations).cancel(operator(id), invitation?.id ?? "")
      yield* sql`update submission set expires_at = now() - interval '1 day' where id = ${expired.submission}::uuid`
      yield* (yield* Interviews).expireUnstarted
      assert.strictEqual(yield* Simulator.report, 3)
      const states = yield* Effect.forEach([declined, cancelled, expired], (one) =>
        Effect.map(Simulator.told(connection, one), ({ state }) => state),
      )
      assert.deepStrictEqual(states, ["The candidate declined", "Cancelled", "Expired"])
    }),
  )

  it.effect("retries a report while the hiring system answers 503, and logs each attempt", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* begin()
      const { answer } = yield* Simulator.Simulator
      const order = yield* Simulator.placed(connection, { set: set.id })
      yield* change(order.submission)
      answer.status = 503
      assert.strictEqual(yield* Simulator.report, 1)
      assert.deepStrictEqual(yield* Simulator.queued(id), [
        { state: "queued", attempts: 1, last_error: `${name} answered 503`, is_due: true },
      ])
      assert.strictEqual(yield* Simulator.report, 0)
      yield* TestClock.adjust("1 hour")
      answer.status = 200
      assert.strictEqual(yield* Simulator.report, 1)
      assert.deepStrictEqual(yield* Simulator.queued(id), [
        { state: "reported", attempts: 2, last_error: null, is_due: false },
      ])
      assert.lengthOf(yield* Simulator.reportsOf(connection, order), 2)
      const exchanges = yield* Simulator.exchangesOf(connection)
      assert.deepStrictEqual(exchanges.slice(0, 2), ["report 200", `report 503: ${name} answered 503`])
      assert.match(exchanges[2] ?? "", new RegExp(`^${play.orderPath} 20[01]$`))
      assert.lengthOf(exchanges, 3)
    }),
  )

  it.effect("records that the hiring system does not accept the connection's credentials", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* begin()
      yield* change((yield* Simulator.placed(connection, { set: set.id })).submission)
      ;(yield* Simulator.Simulator).answer.status = 401
      yield* Simulator.report
      const [report] = yield* Simulator.queued(id)
      assert.strictEqual(
        report?.last_error,
        `${name} answered 401: it does not accept the credentials of this connection`,
      )
    }),
  )

  it.effect("reports the newest state once after the hiring system was down for an hour", () =>
    Effect.gen(function* () {
      const { connection, set } = yield* begin()
      const { answer, received } = yield* Simulator.Simulator
      const order = yield* Simulator.placed(connection, { set: set.id })
      yield* change(order.submission)
      answer.status = 503
      for (let minutes = 0; minutes < 60; minutes += 10) {
        yield* Simulator.report
        if (minutes === 30 && change !== decline) yield* decline(order.submission)
        yield* TestClock.adjust("10 minutes")
      }
      assert.isAbove((yield* Simulator.reportsOf(connection, order)).length, 2)
      answer.status = 200
      received.length = 0
      yield* TestClock.adjust("1 hour")
      yield* Simulator.report
      assert.lengthOf(yield* Simulator.reportsOf(connection, order), 1)
      assert.strictEqual((yield* Simulator.told(connection, order)).state, "The candidate declined")
      assert.strictEqual(yield* Simulator.report, 0)
    }),
  )

  it.effect(
    "parks reports while credentials are missing, and sends the reports once the credentials are complete",
    () =>
      Effect.gen(function* () {
        const { credentials } = connectors[play.system]
        const field = credentials.find(
          (one) => one.options === undefined && one.name !== verifyingCredential(connectors[play.system]),
        )
        // without its credentials, no access can be granted, and without access there are no orders
        if (field === undefined || connectors[play.system].oauth !== undefined) return
        const { connection: whole, id, set } = yield* begin()
        const connections = yield* HiringSystemConnections
        yield* connections.remove(operator(id), whole.id)
        const connection = yield* Simulator.connect(id, play, "later", field.name)
        const order = yield* Simulator.placed(connection, { set: set.id })
        yield* change(order.submission)
        yield* Simulator.report
        assert.isEmpty((yield* Simulator.Simulator).received)
        const waits = `Waits until these credentials are entered: ${field.label}`
        assert.deepStrictEqual(yield* Simulator.queued(id), [
          { state: "parked", attempts: 1, last_error: waits, is_due: false },
        ])
        assert.include(yield* Simulator.exchangesOf(connection), `report null: ${waits}`)
        const shown = yield* connections.show(operator(id), connection.id)
        assert.deepStrictEqual([shown.connection.missing, shown.connection.waiting], [[field.label], 1])
        // the other credentials keep their values
        yield* connections.setCredentials(operator(id), connection.id, {
          [field.name]: connection.vendor[field.name] ?? "",
        })
        assert.isEmpty((yield* connections.show(operator(id), connection.id)).connection.missing)
        yield* Simulator.report
        assert.strictEqual((yield* Simulator.told(connection, order)).state, changedState)
      }),
  )

  it.effect("sends a report again if the credentials are replaced while it is being sent", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* begin()
      if (connectors[play.system].credentials.length === 0) return
      const order = yield* Simulator.placed(connection, { set: set.id })
      yield* change(order.submission)
      const reports = yield* ReportRepository
      const jobs = yield* claimAll
      const job = jobs.find(({ order_id }) => order_id !== null) ?? assert.fail("no report is due")
      const connections = yield* HiringSystemConnections
      yield* connections.setCredentials(operator(id), connection.id, connection.vendor)
      const settlement = { id: job.id, claim_id: job.claim_id, changes: job.changes, delay: undefined }
      yield* reports.settleJobs([
        { ...settlement, state: "failed", sent: true, answered: false, status: 401, error: "refused" },
      ])
      yield* Simulator.report
      assert.lengthOf(yield* Simulator.reportsOf(connection, order), 1)
    }),
  )

  it.effect("sends failed reports again on request, and when the connection is resumed", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* begin()
      const { answer, received } = yield* Simulator.Simulator
      const connections = yield* HiringSystemConnections
      const order = yield* Simulator.placed(connection, { set: set.id })
      const second = yield* Simulator.placed(connection, { set: set.id, number: 2, email: "bo@example.com" })
      yield* Simulator.report
      yield* change(order.submission)
      const fail = Effect.gen(function* () {
        answer.status = 500
        yield* giveUp
        answer.status = 200
        received.length = 0
        assert.strictEqual((yield* connections.show(operator(id), connection.id)).connection.failed, 1)
      })
      yield* fail
      assert.strictEqual((yield* connections.sendFailed(operator(id), connection.id)).failed, 0)
      yield* Simulator.report
      assert.strictEqual((yield* Simulator.told(connection, order)).state, changedState)
      assert.strictEqual((yield* Simulator.queued(id))[0]?.state, "reported")
      yield* change(second.submission)
      yield* fail
      yield* connections.setStatus(operator(id), connection.id, "paused")
      const refused = yield* Effect.flip(connections.sendFailed(operator(id), connection.id))
      assert.strictEqual(refused._tag, "Conflict")
      yield* connections.setStatus(operator(id), connection.id, "active")
      yield* Simulator.report
      assert.strictEqual((yield* Simulator.told(connection, second)).state, changedState)
    }),
  )

  it.effect("sends a report for 5 days, and again when the hiring system answers a trial", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* begin()
      const { answer, received } = yield* Simulator.Simulator
      const connections = yield* HiringSystemConnections
      const orders = yield* Effect.forEach([1, 2, 3] as const, (number) =>
        Simulator.placed(connection, { set: set.id, number, email: `person${number}@example.com` }),
      )
      const [first, second, third] = orders
      if (!first || !second || !third) return assert.fail("three orders")
      answer.status = 503
      yield* change(first.submission)
      yield* change(second.submission)
      yield* change(third.submission)
      yield* Simulator.report
      yield* TestClock.adjust("4 days")
      yield* Simulator.report
      const states = Effect.map(Simulator.queued(id), (reports) => reports.map(({ state }) => state).toSorted())
      assert.deepStrictEqual(yield* states, ["queued", "queued", "queued"])
      yield* giveUp
      assert.deepStrictEqual(yield* states, ["failed", "failed", "failed"])
      // no trial takes an order of more than 90 days, and none waits for it
      const { sql } = yield* Database
      yield* sql`
        update ats_order set created_at = created_at - interval '100 days'
        where submission_id = ${third.submission}::uuid and organization_id = ${id}::int`
      yield* sql`
        update ats_report set failed_at = failed_at - interval '1 day' where organization_id = ${id}::int and order_id in (
          select o.id from ats_order o where o.submission_id = ${third.submission}::uuid)`
      // the trial of one report fails
      received.length = 0
      yield* TestClock.adjust("12 hours")
      yield* connections.queueSynchronizations
      yield* Simulator.report
      const sent = () => received.filter((one) => orders.some((order) => play.isReportOf(one, order)))
      assert.lengthOf(sent(), 1)
      assert.isFalse(sent().some((one) => play.isReportOf(one, third)))
      assert.deepStrictEqual(yield* states, ["failed", "failed", "failed"])
      yield* connections.queueSynchronizations
      yield* Simulator.report
      assert.lengthOf(sent(), 1)
      // the next one succeeds
      answer.status = 200
      yield* TestClock.adjust("13 hours")
      yield* connections.queueSynchronizations
      yield* Simulator.report
      yield* Simulator.report
      assert.deepStrictEqual(yield* states, ["reported", "reported", "reported"])
      assert.strictEqual((yield* Simulator.told(connection, first)).state, changedState)
      assert.strictEqual((yield* Simulator.told(connection, second)).state, changedState)
    }),
  )

  it.effect("sends waiting reports when another one is accepted, but a refused one only once", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* begin()
      const { answer } = yield* Simulator.Simulator
      const place = (number: number) =>
        Simulator.placed(connection, { set: set.id, number, email: `person${number}@example.com` })
      const [broken, waiting] = [yield* place(1), yield* place(2)]
      answer.status = 503
      for (const { submission } of [broken, waiting]) yield* change(submission)
      for (let attempt = 0; attempt < 10; attempt++) {
        yield* Simulator.report
        yield* TestClock.adjust(`${2 ** Math.min(attempt, 7) * 2.3} minutes`)
      }
      yield* Simulator.report
      answer.status = 200
      const accept = Effect.fnUntraced(function* (number: number) {
        const { submission } = yield* place(number)
        yield* change(submission)
        yield* Simulator.report
      })
      yield* accept(3)
      assert.lengthOf(yield* Simulator.reportsOf(connection, broken), 11)
      answer.refuse = (request) => play.isReportOf(request, broken)
      yield* Simulator.report
      assert.strictEqual((yield* Simulator.told(connection, waiting)).state, changedState)
      assert.lengthOf(yield* Simulator.reportsOf(connection, broken), 12)
      yield* accept(4)
      yield* accept(5)
      yield* Simulator.report
      assert.lengthOf(yield* Simulator.reportsOf(connection, broken), 12)
      assert.deepStrictEqual((yield* Simulator.queued(id)).map(({ state }) => state).toSorted(), [
        "queued",
        "reported",
        "reported",
        "reported",
        "reported",
      ])
    }),
  )

  it.effect("sends nothing to hosts that are not the vendor's", () =>
    Effect.gen(function* () {
      const { callback } = play
      if (callback === undefined) return
      const { connection, id, set } = yield* begin()
      const { received, url } = yield* Simulator.Simulator
      const [domain = ""] = connectors[play.system].hosts
      const addresses = [
        `https://${domain}.example.com/1`,
        `http://app.${domain}/1`,
        `https://not${domain}/1`,
        `${url.replace("://", "://user@")}/1`,
        "file:///etc/passwd",
        "nonsense",
      ]
      for (const [n, address] of addresses.entries()) {
        const email = `person${n}@example.com`
        const body = changed(yield* Simulator.orderBody(connection, { set: set.id, email }), callback, address)
        const refused = yield* Simulator.call(connection, "POST", play.orderPath, { json: body })
        assert.strictEqual(refused.status, 422)
        assert.include(JSON.stringify(refused.body), `must be an https address of ${domain}`)
      }
      assert.deepStrictEqual([yield* Simulator.count("ats_order", id), yield* Simulator.count("email", id)], [0, 0])
      const allowed = changed(
        yield* Simulator.orderBody(connection, { set: set.id }),
        callback,
        `https://app.${domain}/1`,
      )
      const taken = yield* Simulator.call(connection, "POST", play.orderPath, { json: allowed })
      assert.isBelow(taken.status, 300)
      // an address that was allowed when the order was taken
      const { sql } = yield* Database
      yield* sql`update ats_order set callback_url = ${addresses[0] ?? ""} where organization_id = ${id}::int`
      const [order] = yield* sql<{ id: string }>`
        select submission_id as id from ats_order where organization_id = ${id}::int`
      yield* change(order?.id ?? "")
      assert.strictEqual(yield* Simulator.report, 1)
      assert.isEmpty(received)
      assert.deepStrictEqual(
        (yield* Simulator.queued(id)).map(({ last_error, state }) => `${state} ${last_error}`),
        [`failed The address does not belong to ${name}`],
      )
    }),
  )

  it.effect("reports an order of an interview that exists already, with its state", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* begin()
      const first = yield* Simulator.placed(connection, { set: set.id })
      yield* start(first.submission)
      yield* Simulator.report
      const second = yield* Simulator.placed(connection, { set: set.id, number: 2 })
      assert.strictEqual(yield* Simulator.report, 2)
      if (change === start) assert.strictEqual((yield* Simulator.told(connection, second)).state, "Started")
      assert.deepStrictEqual(
        (yield* Simulator.queued(id)).map(({ state }) => state),
        ["reported", "reported"],
      )
    }),
  )

  it.effect("is not ended by the evaluation of a CV", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* begin()
      const order = yield* Simulator.placed(connection, { set: set.id })
      const token = yield* Simulator.tokenOf(order.submission)
      const { sql } = yield* Database
      yield* sql`
        insert into evaluation (id, organization_id, submission_id, evaluation_type, attempt, result, evaluator, evaluated_at, state, due_at, event_id)
        select gen_random_uuid(), ${id}::int, ${order.submission}::uuid, 'cv', 1, '{"score": 2.5}', 'keyword/6', now(), 'done', null, id
        from webhook_event where organization_id = ${id}::int order by id limit 1`
      const interviews = yield* Interviews
      yield* interviews.start(token)
      const question = QuestionId.make(set.iai_questions[0]?.id ?? "")
      yield* interviews.finish(token, [{ question_id: question, content: Scenario.answer, option_ids: [] }])
      yield* Simulator.report
      if (play.isToldOfEndsOnly === true) return assert.isEmpty(yield* Simulator.reportsOf(connection, order))
      const { score, state } = yield* Simulator.told(connection, order)
      assert.deepStrictEqual([state, score], ["Submitted", null])
    }),
  )

  it.effect("offers no set of CVs, and refuses an order of one", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* begin()
      const cvs = yield* (yield* InterviewSets).create(operator(id), { title: "CVs only", set_type: 2 })
      assert.deepStrictEqual(yield* play.sets(connection), { [set.id]: "Backend Engineer" })
      const { body, status } = yield* Simulator.order(connection, { set: cvs.id })
      assert.strictEqual(status, 422)
      assert.include(JSON.stringify(body), "This test has no interview to send.")
      assert.strictEqual(yield* Simulator.count("submission", id), 0)
    }),
  )

  it.effect("refuses an address that can never be invited, and takes the corrected order", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* begin()
      for (const email of ["bad@@x", "ada", "not an address"]) {
        assert.strictEqual((yield* Simulator.order(connection, { set: set.id, email })).status, 422, email)
      }
      assert.deepStrictEqual(
        yield* Effect.forEach(["submission", "candidate", "ats_order"], (table) => Simulator.count(table, id)),
        [0, 0, 0],
      )
      yield* Simulator.placed(connection, { set: set.id, email: "good@example.com" })
      assert.strictEqual(yield* Simulator.count("email", id), 1)
    }),
  )

  it.effect("logs an error of the hiring system without what Postgres cannot store, and cut", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* begin()
      if (connectors[play.system].isRefused === undefined) return
      const order = yield* Simulator.placed(connection, { set: set.id })
      yield* change(order.submission)
      const { answer } = yield* Simulator.Simulator
      for (const error of ["\u0000", "\ud800", `of ada@example.com ${"x".repeat(100_000)}`]) {
        answer.body = () => ({ success: false, errors: [error] })
        yield* Simulator.report
        const [report] = yield* Simulator.queued(id)
        assert.isBelow(report?.last_error?.length ?? 0, 600)
        assert.notInclude(report?.last_error ?? "", "ada@example.com")
        yield* TestClock.adjust("1 hour")
      }
      assert.strictEqual((yield* Simulator.queued(id))[0]?.attempts, 3)
    }),
  )

  it.effect("sends a report again if the order changes while it is being sent", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* begin()
      const order = yield* Simulator.placed(connection, { set: set.id })
      yield* start(order.submission)
      const reports = yield* ReportRepository
      const [job] = yield* claimAll
      if (job === undefined) return assert.fail("no report is due")
      yield* (yield* Interviews).decline(yield* Simulator.tokenOf(order.submission))
      assert.strictEqual(yield* Simulator.report, 0)
      const settlement = { id: job.id, claim_id: job.claim_id, changes: job.changes, delay: undefined }
      yield* reports.settleJobs([
        { ...settlement, state: "reported", sent: true, answered: true, status: 200, error: null },
      ])
      assert.deepStrictEqual(yield* Simulator.queued(id), [
        { state: "queued", attempts: 0, last_error: null, is_due: true },
      ])
      assert.strictEqual(yield* Simulator.report, 1)
      assert.strictEqual((yield* Simulator.told(connection, order)).state, "The candidate declined")
    }),
  )

  it.effect("answers malformed orders with 4xx, logs the errors, and stores nothing else", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* begin()
      const whole = yield* Simulator.orderBody(connection, { set: set.id })
      const { fields } = play
      const values: ReadonlyArray<readonly [path: string, values: ReadonlyArray<unknown>]> = [
        [fields.set, [undefined, null, 17, "17", "00000000-0000-4000-8000-000000000000"]],
        [fields.email, [undefined, null, "", "ada", "\u0000@example.com", ["ada@example.com"]]],
        [fields.last, [17, "\u0000"]],
        [fields.id, [undefined, null, ...(fields.hasNumericId ? [] : [17]), "x".repeat(3_000), "a\u0000b", "a\ud800b"]],
        ...fields.texts.map((path) => [path, [17, "a\u0000b", "a\ud800b"]] as const),
      ]
      const bodies = [
        null,
        [],
        "text",
        {},
        ...values.flatMap(([path, all]) => all.map((value) => changed(whole, path, value))),
      ]
      for (const body of bodies) {
        const raw = JSON.stringify(body)
        const { status } = yield* Simulator.call(connection, "POST", play.orderPath, { raw })
        assert.isTrue(isClientError(status), `${status} ${raw.slice(0, 600)}`)
      }
      for (const raw of ["{", "\xff", "", '{"a":', "\0", '{"email":ada@example.com}']) {
        assert.strictEqual((yield* Simulator.call(connection, "POST", play.orderPath, { raw })).status, 400)
      }
      const tables = ["submission", "candidate", "invitation", "email", "ats_order"]
      assert.deepStrictEqual([...new Set(yield* Effect.forEach(tables, (table) => Simulator.count(table, id)))], [0])
      const exchanges = yield* Simulator.exchangesOf(connection)
      assert.lengthOf(exchanges, bodies.length + 6)
      assert.notInclude(exchanges.join(), "ada@example.com")
      assert.isTrue(
        exchanges.every((line) => (play.deliver === undefined ? /^\S+ 4\d\d: ./ : /^\S+ [24]\d\d: ./).test(line)),
      )
      assert.strictEqual((yield* Simulator.order(connection, { set: set.id })).status < 300, true)
    }),
  )

  it.effect("refuses calls and keeps reports while paused, and sends the reports when resumed", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* begin()
      const connections = yield* HiringSystemConnections
      const [one, two] = yield* Effect.all(
        ([1, 2] as const).map((number) =>
          Simulator.placed(connection, { set: set.id, number, email: `person${number}@example.com` }),
        ),
      )
      if (!one || !two) return assert.fail("two orders")
      yield* change(one.submission)
      assert.strictEqual((yield* connections.setStatus(operator(id), connection.id, "paused")).status, "paused")
      yield* change(two.submission)
      assert.strictEqual(yield* Simulator.report, 0)
      for (const { headers, status } of [
        yield* Simulator.probe(connection),
        yield* Simulator.order(connection, { set: set.id, number: 3 }),
      ]) {
        // 503: a temporary error, unlike a wrong key
        assert.deepStrictEqual([status, headers.get("www-authenticate")], [503, null])
      }
      assert.isEmpty((yield* Simulator.Simulator).received)
      yield* connections.setStatus(operator(id), connection.id, "active")
      assert.strictEqual((yield* Simulator.probe(connection)).status, 200)
      yield* Simulator.report
      for (const order of [one, two]) {
        assert.strictEqual((yield* Simulator.told(connection, order)).state, changedState)
      }
      yield* connections.remove(operator(id), connection.id)
      assert.strictEqual((yield* Simulator.probe(connection)).status, 401)
      assert.deepStrictEqual(
        yield* Effect.forEach(["ats_connection", "ats_order", "ats_report", "ats_exchange", "submission"], (table) =>
          Simulator.count(table, id),
        ),
        [0, 0, 0, 0, 2],
      )
      const { sql } = yield* Database
      const actions = yield* sql<{ action: string }>`
        select action from audit_log where organization_id = ${id}::int and record_type = 'ats_connection' order by id`
      assert.deepStrictEqual(
        actions.map(({ action }) => action).filter((action) => action !== "ats_connection.grant_access"),
        ["ats_connection.create", "ats_connection.update", "ats_connection.update", "ats_connection.delete"],
      )
    }),
  )

  it.effect("sends nothing more when it is paused while a report is in flight", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* begin()
      const { answer } = yield* Simulator.Simulator
      const connections = yield* HiringSystemConnections
      const { queue } = yield* ReportQueue
      const [givenUp, inFlight] = yield* Effect.all(
        ([1, 2] as const).map((number) =>
          Simulator.placed(connection, { set: set.id, number, email: `person${number}@example.com` }),
        ),
      )
      if (!givenUp || !inFlight) return assert.fail("two orders")
      yield* change(givenUp.submission)
      answer.status = 500
      yield* giveUp
      answer.status = 200
      yield* change(inFlight.submission)
      const jobs = yield* queue.claim(10)
      const outcomes = yield* Effect.forEach(jobs, queue.perform)
      assert.strictEqual((yield* Simulator.told(connection, inFlight)).state, changedState)
      yield* connections.setStatus(operator(id), connection.id, "paused")
      // an accepted report otherwise queues those that were given up
      yield* queue.settle(outcomes)
      const states = Effect.map(Simulator.queued(id), (reports) => reports.map(({ state }) => state).toSorted())
      assert.deepStrictEqual(yield* states, ["failed", "parked"])
      yield* TestClock.adjust("5 hours")
      assert.strictEqual(yield* Simulator.report, 0)
      yield* connections.setStatus(operator(id), connection.id, "active")
      yield* Simulator.report
      assert.deepStrictEqual(yield* states, ["reported", "reported"])
    }),
  )

  it.effect("exports the order's personal data, and removes it when the person is erased", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* begin()
      yield* Simulator.placed(connection, { set: set.id })
      const { sql } = yield* Database
      const [row] = yield* sql<{ id: string }>`select id from candidate where organization_id = ${id}::int`
      const person = CandidateId.make(row?.id ?? "")
      const people = yield* People
      const { submissions } = yield* decodePerson(yield* Dossier.exported(id, person))
      assert.deepStrictEqual(submissions[0]?.orders, [play.stored])
      yield* people.erase(operator(id), person)
      const [order] = yield* sql`
        select external_id like 'erased %' as hidden, callback_url, profile_url, ordered_by, job from ats_order
        where organization_id = ${id}::int`
      assert.deepStrictEqual(order, {
        hidden: true,
        callback_url: null,
        profile_url: null,
        ordered_by: null,
        job: null,
      })
      yield* Simulator.report
      assert.isEmpty((yield* Simulator.Simulator).received)
      // a repeated order sends no invitation: an old webhook, or an order that is still open
      assert.isBelow((yield* Simulator.order(connection, { set: set.id })).status, 300)
      assert.deepStrictEqual(
        yield* Effect.forEach(["candidate", "ats_order", "invitation"], (table) => Simulator.count(table, id)),
        [1, 1, 1],
      )
    }),
  )

  it.effect("re-encrypts the connection's credentials", () =>
    Effect.gen(function* () {
      const { connection } = yield* begin()
      const { sql } = yield* Database
      const read = sql<{ credentials: Uint8Array }>`
        select credentials from ats_connection where id = ${connection.id}::uuid`
      const [before] = yield* read
      const { reencrypted, unreadable } = yield* reencrypt(false)
      const [after] = yield* read
      assert.isAbove(reencrypted, 0)
      assert.strictEqual(unreadable, 0)
      assert.notDeepEqual(after, before)
      assert.strictEqual((yield* Simulator.probe(connection)).status, 200)
    }),
  )

  // last, because later wrong keys get 429
  it.effect("wrong keys of others keep no connection from being served", () =>
    Effect.gen(function* () {
      const { connection } = yield* begin()
      const statuses = yield* Effect.forEach(
        Array.from({ length: 310 }, (_, n) => n),
        () => Effect.map(Simulator.probe(connection, "ih_wrong"), ({ status }) => status),
        { concurrency: 8 },
      )
      assert.deepStrictEqual([...new Set(statuses)].toSorted(), [401, 429])
      assert.strictEqual((yield* Simulator.probe(connection)).status, 200)
    }),
  )
}
