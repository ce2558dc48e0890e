/** Tests the HiBob connector, and access that an administrator grants, against a simulator over HTTP. */
import { createHash, createHmac } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { callPath } from "../../src/ats/CallAddress.ts"
import { HiBobConnector } from "../../src/ats/HiBobConnector.ts"
import { HiringSystemConnections } from "../../src/ats/HiringSystemConnections.ts"
import { EvaluationQueue } from "../../src/evaluations/EvaluationQueue.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { WorkspaceHomeRepository } from "../../src/reviews/WorkspaceHomeRepository.ts"
import * as Api from "../support/Api.ts"
import * as LogWatch from "../support/LogWatch.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Settings from "../support/Settings.ts"
import * as Simulator from "./Simulator.ts"
import { greenhouse } from "./systems.ts"

const webhookSecret = "webhook-secret-of-the-app"
const clientSecret = "client-secret-of-the-app"
for (const secret of [webhookSecret, clientSecret]) LogWatch.secret(secret)
const redirect = "https://interviews.example/settings/integrations/hiring-systems/access"
const session = Redacted.make("the-member's-session")
const tokenPath = "/oauth2/v1/apps/token"

interface Vendor {
  /** The status and body of the next answers to token requests; undefined: tokens. */
  refusal: { readonly status: number; readonly body: Record<string, string> } | undefined
  /** The number of tokens that were issued; the newest is accepted. */
  issued: number
  /** Accepts no token. */
  isUninstalled: boolean
  details: Record<string, unknown>
}

let company = 0

/** An organization with a connection to HiBob, whose access was not granted yet. */
const begin = Effect.fnUntraced(function* (name?: string) {
  const whole = yield* Simulator.start(greenhouse, name)
  const { answer, received, url } = yield* Simulator.Simulator
  const vendor: Vendor = { refusal: undefined, issued: 0, isUninstalled: false, details: {} }
  answer.body = ({ path }) => {
    if (path !== tokenPath) return JSON.parse(JSON.stringify(vendor.details))
    if (vendor.refusal !== undefined) return vendor.refusal.body
    vendor.issued++
    return {
      access_token: `access-${vendor.issued}`,
      refresh_token: `refresh-${vendor.issued}`,
      expires_in: 3600,
      token_type: "Bearer",
    }
  }
  answer.statusOf = ({ headers, path }) => {
    if (path === tokenPath) return vendor.refusal?.status ?? 200
    const isAccepted = !vendor.isUninstalled && headers.authorization === `Bearer access-${vendor.issued}`
    return isAccepted ? undefined : 401
  }
  const connections = yield* HiringSystemConnections
  const company_id = String(900_000 + ++company)
  const credentials = {
    company_id,
    client_id: "client-1",
    client_secret: clientSecret,
    install_url: `${url}/app-marketplace/install/app-1`,
    webhook_secret: webhookSecret,
  }
  yield* connections.remove(operator(whole.id), whole.connection.id)
  const { connection, key } = yield* connections.create(operator(whole.id), {
    system: "hibob",
    name: "Bob",
    credentials,
  })
  assert.isUndefined(key)
  received.length = 0
  return { ...whole, connection, connections, company_id, manager: operator(whole.id), received, vendor }
})

type Begun = Effect.Success<ReturnType<typeof begin>>

const grant = Effect.fnUntraced(function* ({ connection, connections, manager }: Begun) {
  const page = new URL(yield* connections.beginGrant(manager, connection.id, session, redirect))
  const state = page.searchParams.get("state") ?? ""
  return yield* connections.endGrant(manager, { state, code: "code-1" }, session, redirect)
})

const granted = Effect.fnUntraced(function* (name?: string) {
  const begun = yield* begin(name)
  yield* grant(begun)
  yield* Simulator.report
  begun.received.length = 0
  return begun
})

const forms = ({ received }: Begun) =>
  received.flatMap(({ body, path }) => (path === tokenPath ? [Object.fromEntries(new URLSearchParams(body))] : []))

const paths = ({ received }: Begun) => received.map(({ method, path }) => `${method} ${path}`)

const send = (companyId: unknown, event: object, secret = webhookSecret) => {
  const raw = JSON.stringify({ companyId, ...event })
  const signature = createHmac("sha512", secret).update(raw).digest("base64")
  const headers = { "content-type": "application/json", "bob-signature": signature }
  return Api.call("POST", callPath(HiBobConnector, "", "events"), { headers, raw })
}

const triggered = (assessmentRequestId: unknown) => ({ type: "assessment.triggered", data: { assessmentRequestId } })

const detailsOf = (set: string, email = "ada@example.com") => ({
  candidate: { id: 17, firstName: "Ada", surname: "Lovelace", email },
  package: { id: set, name: "Backend Engineer" },
  jobOpening: { id: 3, title: "Engineer" },
  requester: { id: "9", email: "recruiter@acme.example" },
})

/** Places the order 4711 and returns its submission. */
const order = Effect.fnUntraced(function* (begun: Begun) {
  begun.vendor.details = detailsOf(begun.set.id)
  assert.strictEqual((yield* send(begun.company_id, triggered("4711"))).status, 200)
  const { sql } = yield* Database
  const [row] = yield* sql<{ id: string }>`
    select submission_id as id from ats_order where organization_id = ${begun.id}::int`
  return row?.id ?? assert.fail("no order")
})

/** Queues a report that is sent: the candidate's decline. */
const decline = Effect.fnUntraced(function* (submission: string) {
  yield* (yield* Interviews).decline(yield* Simulator.tokenOf(submission))
})

layer(Simulator.layer())("access that an administrator of HiBob grants", (it) => {
  it.effect("is bound to the member's session, proves the code's receiver, and is stored encrypted", () =>
    Effect.gen(function* () {
      const begun = yield* begin()
      const { connection, connections, id, manager } = begun
      assert.isTrue(connection.lacks_access)
      const page = new URL(yield* connections.beginGrant(manager, connection.id, session, redirect))
      assert.strictEqual(page.pathname, "/app-marketplace/install/app-1")
      const { code_challenge, state = "", ...rest } = Object.fromEntries(page.searchParams)
      assert.deepStrictEqual(rest, {
        response_type: "code",
        client_id: "client-1",
        redirect_uri: redirect,
        scope: "hiring.integrations:write",
        code_challenge_method: "S256",
      })
      const end = (answer: object, by = session, who = manager) =>
        Effect.flip(connections.endGrant(who, { state, code: "code-1", ...answer }, by, redirect))
      assert.strictEqual((yield* end({}, Redacted.make("another-session")))._tag, "Conflict")
      for (const other of [undefined, "", "x", `A${state}`, state.slice(1)]) {
        assert.strictEqual((yield* end({ state: other }))._tag, "Conflict")
      }
      const elsewhere = yield* Scenario.organization({}, "Elsewhere")
      assert.strictEqual((yield* end({}, session, operator(elsewhere.id)))._tag, "NotFound")
      const denied = yield* end({ code: undefined, error: "access_denied <b>" })
      assert.deepInclude(denied, { reason: "HiBob did not grant the access (access_deniedb)" })
      assert.isEmpty(begun.received)
      yield* connections.endGrant(manager, { state, code: "code-1" }, session, redirect)
      const [form] = forms(begun)
      const { code_verifier = "", ...sent } = form ?? {}
      assert.strictEqual(createHash("sha256").update(code_verifier).digest("base64url"), code_challenge)
      assert.deepStrictEqual(sent, {
        grant_type: "authorization_code",
        code: "code-1",
        redirect_uri: redirect,
        client_id: "client-1",
        client_secret: clientSecret,
      })
      assert.isFalse((yield* connections.show(manager, connection.id)).connection.lacks_access)
      const { sql } = yield* Database
      const [row] = yield* sql<{
        credentials: Uint8Array
      }>`select credentials from ats_connection where organization_id = ${id}::int`
      assert.notInclude(Buffer.from(row?.credentials ?? []).toString("latin1"), "access-1")
      yield* TestClock.adjust("15 minutes")
      assert.strictEqual((yield* end({}))._tag, "Conflict")
    }),
  )

  it.effect("sends the interview sets once it is granted", () =>
    Effect.gen(function* () {
      const begun = yield* begin()
      yield* Simulator.report
      assert.isEmpty(begun.received)
      yield* grant(begun)
      yield* Simulator.report
      const pushed = begun.received.at(-1)
      assert.deepStrictEqual(
        [pushed?.method, pushed?.path, pushed?.headers.authorization],
        ["PUT", "/v1/hiring/assessments/packages", "Bearer access-1"],
      )
      const title = "Backend Engineer"
      assert.deepStrictEqual(Simulator.jsonOf(pushed?.body), {
        packages: [{ id: begun.set.id, name: title, description: title }],
      })
    }),
  )

  it.effect("is renewed before it ends, once for concurrent requests, with the newest refresh token", () =>
    Effect.gen(function* () {
      const begun = yield* granted()
      const submission = yield* order(begun)
      yield* decline(submission)
      yield* begun.connections.queueSynchronizations
      begun.received.length = 0
      yield* TestClock.adjust("56 minutes")
      yield* (yield* Database)
        .sql`update ats_report set state = 'queued', due_at = now() - interval '1 second' where organization_id = ${begun.id}::int`
      assert.strictEqual(yield* Simulator.report, 2)
      assert.deepStrictEqual(
        forms(begun).map(({ grant_type, refresh_token }) => [grant_type, refresh_token]),
        [["refresh_token", "refresh-1"]],
      )
      assert.lengthOf(
        begun.received.filter(({ headers }) => headers.authorization === "Bearer access-2"),
        2,
      )
      yield* TestClock.adjust("56 minutes")
      yield* (yield* Database)
        .sql`update ats_report set state = 'queued', due_at = now() - interval '1 second' where organization_id = ${begun.id}::int`
      yield* Simulator.report
      assert.deepStrictEqual(forms(begun).at(-1)?.["refresh_token"], "refresh-2")
    }),
  )

  it.effect("is renewed when HiBob does not accept the access token, and the request is sent again", () =>
    Effect.gen(function* () {
      const begun = yield* granted()
      const submission = yield* order(begun)
      begun.received.length = 0
      // HiBob issued another token meanwhile
      begun.vendor.issued++
      yield* decline(submission)
      yield* Simulator.report
      const patch = "PATCH /v1/hiring/assessments/4711"
      assert.deepStrictEqual(paths(begun), [patch, `POST ${tokenPath}`, patch])
      assert.strictEqual((yield* Simulator.queued(begun.id))[0]?.state, "reported")
    }),
  )

  it.effect("that HiBob revoked is shown on Home with what to do, and reports wait until it is granted again", () =>
    Effect.gen(function* () {
      const begun = yield* granted()
      const { connection, connections, id, manager, vendor } = begun
      const submission = yield* order(begun)
      vendor.isUninstalled = true
      vendor.refusal = { status: 400, body: { error: "invalid_grant" } }
      yield* decline(submission)
      yield* Simulator.report
      const reason = "HiBob revoked the access: an administrator of HiBob grants it again on the page of the connection"
      assert.deepStrictEqual(yield* Simulator.queued(id), [
        { state: "parked", attempts: 1, last_error: reason, is_due: false },
      ])
      assert.isTrue((yield* connections.show(manager, connection.id)).connection.lacks_access)
      const home = yield* (yield* WorkspaceHomeRepository).failingConnections(id)
      assert.deepStrictEqual(
        home.rows.map(({ error, name }) => [name, error]),
        [["Bob", reason]],
      )
      // calls are answered with 503, which HiBob repeats
      const { status } = yield* send(begun.company_id, triggered("4712"))
      assert.strictEqual(status, 503)
      Object.assign(vendor, { isUninstalled: false, refusal: undefined })
      yield* grant(begun)
      yield* Simulator.report
      assert.strictEqual((yield* Simulator.queued(id))[0]?.state, "reported")
      assert.isEmpty((yield* (yield* WorkspaceHomeRepository).failingConnections(id)).rows)
    }),
  )

  it.effect("is kept while HiBob cannot renew it, and the report is tried again", () =>
    Effect.gen(function* () {
      const begun = yield* granted()
      const submission = yield* order(begun)
      for (const [status, error] of [
        [503, "temporarily_unavailable"],
        [401, "invalid_client"],
      ] as const) {
        begun.vendor.refusal = { status, body: { error } }
        yield* TestClock.adjust("2 hours")
        if (status === 503) yield* decline(submission)
        yield* Simulator.report
        const [report] = yield* Simulator.queued(begun.id)
        assert.strictEqual(report?.state, "queued")
        assert.include(report?.last_error ?? "", `HiBob answered ${status}`)
      }
      begun.vendor.refusal = undefined
      yield* TestClock.adjust("5 hours")
      yield* Simulator.report
      assert.strictEqual((yield* Simulator.queued(begun.id))[0]?.state, "reported")
    }),
  )
})

layer(Simulator.layer())("HiBob", (it) => {
  it.effect("orders an interview by an event, whose details are fetched, and repeats change nothing", () =>
    Effect.gen(function* () {
      const begun = yield* granted()
      const { id } = begun
      const submission = yield* order(begun)
      for (const again of ["4711", 4711])
        assert.strictEqual((yield* send(begun.company_id, triggered(again))).status, 200)
      assert.deepStrictEqual(
        yield* Effect.forEach(["submission", "invitation", "email", "ats_order"], (table) =>
          Simulator.count(table, id),
        ),
        [1, 1, 1, 1],
      )
      const { sql } = yield* Database
      const [stored] = yield* sql`
        select c.firstname, c.lastname, c.email, o.external_id, o.ordered_by, o.job from ats_order o
        join submission b on b.id = o.submission_id join candidate c on c.id = b.candidate_id
        where o.submission_id = ${submission}::uuid`
      assert.deepStrictEqual(stored, {
        firstname: "Ada",
        lastname: "Lovelace",
        email: "ada@example.com",
        external_id: "4711",
        ordered_by: "recruiter@acme.example",
        job: "Engineer",
      })
    }),
  )

  it.effect("finds the connection by the company, and refuses other signatures, companies and bodies", () =>
    Effect.gen(function* () {
      const one = yield* granted("One")
      const two = yield* granted("Two")
      one.vendor.details = detailsOf(one.set.id)
      const { isUninstalled } = one.vendor
      assert.isFalse(isUninstalled)
      for (const [account, event, secret, status] of [
        [one.company_id, triggered("1"), "another-secret", 401],
        ["000", triggered("1"), webhookSecret, 401],
        [undefined, triggered("1"), webhookSecret, 401],
        [Number(two.company_id), { type: "employee.updated", data: {} }, webhookSecret, 200],
        [two.company_id, triggered(undefined), webhookSecret, 400],
        [two.company_id, triggered({}), webhookSecret, 400],
        [two.company_id, { data: {} }, webhookSecret, 400],
      ] as const) {
        assert.strictEqual((yield* send(account, event, secret)).status, status, JSON.stringify(event))
      }
      assert.deepStrictEqual(
        [yield* Simulator.count("ats_order", one.id), yield* Simulator.count("ats_order", two.id)],
        [0, 0],
      )
      const taken = { system: "hibob", name: "Same company", credentials: { company_id: one.company_id } }
      const refused = yield* Effect.flip(one.connections.create(two.manager, taken))
      assert.strictEqual(refused._tag, "Invalid")
      assert.include(JSON.stringify(refused), "is that of another connection")
      yield* one.connections.setCredentials(one.manager, one.connection.id, { company_id: "777" })
      assert.strictEqual((yield* send(one.company_id, { type: "employee.updated" })).status, 401)
      assert.strictEqual((yield* send(777, { type: "employee.updated" })).status, 200)
    }),
  )

  it.effect("shows the recruiter why an order is refused, and cancels an order", () =>
    Effect.gen(function* () {
      const begun = yield* granted()
      begun.vendor.details = detailsOf(begun.set.id, "bad@@x")
      assert.strictEqual((yield* send(begun.company_id, triggered("1"))).status, 200)
      const reported = begun.received.at(-1)
      assert.strictEqual(`${reported?.method} ${reported?.path}`, "PATCH /v1/hiring/assessments/1")
      assert.deepStrictEqual(Simulator.jsonOf(reported?.body), {
        status: "failed",
        comments: "The candidate cannot be invited: the email address is not valid, it has more than one @.",
      })
      const submission = yield* order(begun)
      const cancel = send(begun.company_id, { type: "assessment.cancelled", data: { assessmentRequestId: "4711" } })
      for (let time = 0; time < 2; time++) assert.strictEqual((yield* cancel).status, 200)
      const { sql } = yield* Database
      const [row] = yield* sql<{ status: string }>`select status from submission where id = ${submission}::uuid`
      assert.strictEqual(row?.status, "withdrawn")
      begun.received.length = 0
      yield* Simulator.report
      assert.notInclude(paths(begun).join(), "/4711")
    }),
  )

  it.effect("reports the evaluation with its score, and nothing before it", () =>
    Effect.gen(function* () {
      const begun = yield* granted()
      const submission = yield* order(begun)
      begun.received.length = 0
      const token = yield* Simulator.tokenOf(submission)
      yield* Scenario.completed({ set: begun.set, token })
      yield* runOnce((yield* EvaluationQueue).queue)
      yield* Simulator.report
      assert.isEmpty(paths(begun))
      yield* TestClock.adjust("25 hours")
      yield* (yield* EvaluationQueue).sendHeld
      yield* Simulator.report
      const patch = begun.received.find(({ method }) => method === "PATCH")
      assert.strictEqual(patch?.path, "/v1/hiring/assessments/4711")
      const { score, ...rest } = Simulator.jsonOf(patch?.body)
      assert.isAbove(Number(score), 5)
      // the address of the workspace in tests is no https address
      assert.deepStrictEqual(rest, { status: "completed", providerAssessmentId: submission, comments: "Evaluated" })
    }),
  )
})

layer(Settings.layer())("the page of a connection to HiBob", (it) => {
  it.effect("leads to HiBob, and refuses answers that the member did not begin", () =>
    Effect.gen(function* () {
      const { owner, recruiter } = yield* Settings.begin
      const browser = Settings.as(owner)
      const base = "/settings/integrations/hiring-systems"
      const id = Settings.hidden((yield* browser.get(`${base}/new?system=hibob`)).text, "id")
      const fields = {
        "credential-company_id": "1",
        "credential-client_id": "client-1",
        "credential-client_secret": clientSecret,
        "credential-install_url": "https://app.hibob.com/app-marketplace/install/app-1?source=x",
        "credential-webhook_secret": webhookSecret,
      }
      const made = yield* browser.post(base, { id, system: "hibob", name: "Bob", ...fields })
      const [href = ""] = new RegExp(`${base}/[0-9a-f-]{36}`).exec(made.text) ?? []
      assert.include((yield* browser.get(href)).text, "until an administrator of HiBob grants access")
      assert.include((yield* browser.get(base)).text, "Access missing")
      const started = yield* browser.post(`${href}/grant`)
      const page = new URL(started.location ?? "")
      assert.deepStrictEqual(
        [started.status, page.origin, page.searchParams.get("source"), page.searchParams.get("redirect_uri")],
        [303, "https://app.hibob.com", "x", `http://localhost:8080${base}/access`],
      )
      const state = encodeURIComponent(page.searchParams.get("state") ?? "")
      for (const query of ["code=1", "code=1&state=x", ""]) {
        const refused = yield* browser.get(`${base}/access?${query}`)
        assert.strictEqual(refused.status, 200)
        assert.include(refused.text, "press “Grant access”")
      }
      const denied = yield* browser.get(`${base}/access?error=access_denied&state=${state}`)
      assert.include(denied.text, "HiBob did not grant the access (access_denied)")
      assert.strictEqual((yield* Settings.as(recruiter).get(`${base}/access?code=1&state=${state}`)).status, 403)
      yield* browser.post(`${href}/credentials`, { "credential-install_url": "https://app.hibob.com.evil.example/" })
      const elsewhere = yield* browser.post(`${href}/grant`)
      assert.strictEqual(elsewhere.status, 409)
      assert.include(elsewhere.text, "is not one of HiBob")
    }),
  )
})

layer(Simulator.layer({ settings: { DATABASE_POOL: "2" } }))("renewals of access", (it) => {
  it.effect("leave connections to the database while HiBob does not answer", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { answer, received } = yield* Simulator.Simulator
      const asked = Promise.withResolvers<void>()
      const answered = Promise.withResolvers<void>()
      const begun = yield* granted()
      const { connections, manager } = begun
      const credentials = {
        company_id: "another",
        client_id: "client-1",
        client_secret: clientSecret,
        install_url: "https://app.hibob.com/",
        webhook_secret: webhookSecret,
      }
      const { connection } = yield* connections.create(manager, { system: "hibob", name: "Bob 2", credentials })
      yield* grant({ ...begun, connection })
      yield* Simulator.report
      const { body } = answer
      answer.body = async (request) => {
        if (request.path === tokenPath) {
          asked.resolve()
          await answered.promise
        }
        return body(request)
      }
      yield* TestClock.adjust("56 minutes")
      yield* sql`update ats_report set state = 'queued', due_at = now() - interval '1 second' where organization_id = ${begun.id}::int`
      received.length = 0
      const reports = yield* Effect.forkChild(Simulator.report)
      yield* Effect.promise(() => asked.promise)
      yield* Effect.repeat(sql`select 1`, { times: 200 })
      answered.resolve()
      yield* Fiber.join(reports)
      assert.lengthOf(
        received.filter(({ path }) => path === tokenPath),
        2,
      )
    }),
  )
})
