/** Tests the HiBob connector, and access that an administrator grants, against a simulator over HTTP. */
import { createHash } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { HiringSystemConnections } from "../../src/ats/HiringSystemConnections.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { WorkspaceHomeRepository } from "../../src/reviews/WorkspaceHomeRepository.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Settings from "../support/Settings.ts"
import { conformance } from "./conformance.ts"
import * as Simulator from "./Simulator.ts"
import { hibob } from "./systems.ts"

const { redirect } = Simulator
const session = Redacted.make("the-member's-session")
const tokenPath = "/oauth2/v1/apps/token"

// HiBob accepts only https addresses of results
layer(Simulator.layer({ settings: { APP_URL: "https://interviews.example" } }))("HiBob", (it) => {
  conformance(it, hibob)
})

/** An organization with a connection whose access was granted, and what HiBob does with requests for tokens. */
const begin = Effect.fnUntraced(function* (name?: string) {
  const whole = yield* Simulator.start(hibob, name)
  const { answer, received } = yield* Simulator.Simulator
  const vendor: {
    /** The answer to requests for tokens; undefined: tokens. */
    refusal: { readonly status: number; readonly body: Record<string, string> } | undefined
    /** Whether HiBob accepts the access token. */
    accepts: (token: string) => boolean
    /** The forms of requests for tokens. */
    readonly forms: Array<Record<string, string>>
  } = { refusal: undefined, accepts: () => true, forms: [] }
  answer.serve = (request) => {
    if (request.path !== tokenPath) {
      const isAccepted = vendor.accepts((request.headers.authorization ?? "").replace("Bearer ", ""))
      return isAccepted ? hibob.serve?.(request) : undefined
    }
    vendor.forms.push(Object.fromEntries(new URLSearchParams(request.body)))
    return vendor.refusal === undefined ? hibob.serve?.(request) : undefined
  }
  answer.statusOf = ({ headers, path }) => {
    if (path === tokenPath) return vendor.refusal?.status
    return vendor.accepts((headers.authorization ?? "").replace("Bearer ", "")) ? undefined : 401
  }
  answer.body = ({ path }) => (path === tokenPath ? (vendor.refusal?.body ?? {}) : {})
  const connections = yield* HiringSystemConnections
  return { ...whole, connections, manager: operator(whole.id), received, vendor }
})

/** A further connection, of the same or another company, without access. */
const another = ({ connection: { organization } }: { connection: Simulator.Play }, company: string) =>
  Simulator.connect(organization, hibob, company)

/** Queues a report that is sent: the candidate's decline. */
const decline = Effect.fnUntraced(function* (submission: string) {
  yield* (yield* Interviews).decline(yield* Simulator.tokenOf(submission))
})

const due = Effect.fnUntraced(function* (organization: number) {
  yield* (yield* Database).sql`
    update ats_report set state = 'queued', due_at = now() - interval '1 second'
    where organization_id = ${organization}::int`
})

const patch = "PATCH /v1/hiring/assessments/1"

layer(Simulator.layer())("access that an administrator of HiBob grants", (it) => {
  it.effect("is bound to the member's session, proves the code's receiver, and is stored encrypted", () =>
    Effect.gen(function* () {
      const begun = yield* begin()
      const { connections, manager, received, vendor } = begun
      const { id } = yield* another(begun, "later")
      assert.isTrue((yield* connections.show(manager, id)).connection.lacks_access)
      yield* Simulator.report
      received.length = 0
      const page = new URL(yield* connections.beginGrant(manager, id, session, redirect))
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
      assert.isEmpty(vendor.forms)
      yield* connections.endGrant(manager, { state, code: "code-1" }, session, redirect)
      const { code_verifier = "", ...sent } = vendor.forms[0] ?? {}
      assert.strictEqual(createHash("sha256").update(code_verifier).digest("base64url"), code_challenge)
      assert.deepStrictEqual(sent, {
        grant_type: "authorization_code",
        code: "code-1",
        redirect_uri: redirect,
        client_id: "client-1",
        client_secret: "client-secret-later",
      })
      assert.isFalse((yield* connections.show(manager, id)).connection.lacks_access)
      const { sql } = yield* Database
      const [row] = yield* sql<{ credentials: Uint8Array }>`
        select credentials from ats_connection where id = ${id}::uuid`
      assert.notInclude(Buffer.from(row?.credentials ?? []).toString("latin1"), "access code-1")
      // what waited for it
      assert.isEmpty(received)
      yield* Simulator.report
      assert.deepStrictEqual(
        received.map(({ headers, method, path }) => [method, path, headers.authorization]),
        [["PUT", "/v1/hiring/assessments/packages", "Bearer access code-1 1"]],
      )
      yield* TestClock.adjust("15 minutes")
      assert.strictEqual((yield* end({}))._tag, "Conflict")
    }),
  )

  it.effect("is renewed before it ends, once for concurrent requests, with the newest refresh token", () =>
    Effect.gen(function* () {
      const { connection, connections, id, received, set, vendor } = yield* begin()
      yield* decline((yield* Simulator.placed(connection, { set: set.id })).submission)
      yield* connections.queueSynchronizations
      received.length = 0
      yield* TestClock.adjust("56 minutes")
      yield* due(id)
      assert.strictEqual(yield* Simulator.report, 2)
      const renewed = () => vendor.forms.map(({ grant_type, refresh_token }) => [grant_type, refresh_token])
      const first = ["refresh_token", `refresh ${connection.id} 1`]
      assert.deepStrictEqual(renewed(), [first])
      assert.deepStrictEqual(
        received.map(({ headers }) => headers.authorization),
        Array.from({ length: 2 }, () => `Bearer access ${connection.id} 2`),
      )
      yield* TestClock.adjust("56 minutes")
      yield* due(id)
      yield* Simulator.report
      assert.deepStrictEqual(renewed(), [first, ["refresh_token", `refresh ${connection.id} 2`]])
    }),
  )

  it.effect("is renewed when HiBob does not accept the access token, and the request is sent again", () =>
    Effect.gen(function* () {
      const { connection, id, received, set, vendor } = yield* begin()
      const { submission } = yield* Simulator.placed(connection, { set: set.id })
      received.length = 0
      vendor.accepts = (token) => token === `access ${connection.id} 2`
      yield* decline(submission)
      yield* Simulator.report
      assert.deepStrictEqual(
        received.map(({ method, path }) => `${method} ${path}`),
        [patch, patch],
      )
      assert.lengthOf(vendor.forms, 1)
      assert.strictEqual((yield* Simulator.queued(id))[0]?.state, "reported")
    }),
  )

  it.effect("that HiBob revoked is shown on Home with what to do, and reports wait until it is granted again", () =>
    Effect.gen(function* () {
      const { connection, connections, id, manager, set, vendor } = yield* begin()
      const { submission } = yield* Simulator.placed(connection, { set: set.id })
      vendor.accepts = () => false
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
        home.rows.map(({ error }) => error),
        [reason],
      )
      // 503, after which HiBob repeats the event
      assert.strictEqual((yield* Simulator.order(connection, { set: set.id, number: 2 })).status, 503)
      Object.assign(vendor, { accepts: () => true, refusal: undefined })
      yield* Simulator.grant(connection)
      yield* Simulator.report
      assert.strictEqual((yield* Simulator.queued(id))[0]?.state, "reported")
      assert.isEmpty((yield* (yield* WorkspaceHomeRepository).failingConnections(id)).rows)
    }),
  )

  it.effect("is kept while HiBob cannot renew it, and the report is tried again", () =>
    Effect.gen(function* () {
      const { connection, id, set, vendor } = yield* begin()
      const { submission } = yield* Simulator.placed(connection, { set: set.id })
      for (const [status, error] of [
        [503, "temporarily_unavailable"],
        [401, "invalid_client"],
      ] as const) {
        vendor.refusal = { status, body: { error } }
        yield* TestClock.adjust("2 hours")
        if (status === 503) yield* decline(submission)
        yield* Simulator.report
        const [report] = yield* Simulator.queued(id)
        assert.strictEqual(report?.state, "queued")
        assert.include(report?.last_error ?? "", `HiBob answered ${status}`)
      }
      vendor.refusal = undefined
      yield* TestClock.adjust("5 hours")
      yield* Simulator.report
      assert.strictEqual((yield* Simulator.queued(id))[0]?.state, "reported")
    }),
  )
})

layer(Simulator.layer())("the company of a connection to HiBob", (it) => {
  /** The connection that gets the company's events. */
  const holderOf = Effect.fnUntraced(function* (company: string) {
    const { sql } = yield* Database
    const hash = createHash("sha256").update(`hibob ${company}`).digest()
    return (yield* sql<{ id: string }>`select id from ats_connection where key_hash = ${hash}`)[0]?.id
  })

  it.effect("is found by the event, and other signatures, companies and bodies are refused", () =>
    Effect.gen(function* () {
      const { connection, id } = yield* begin("One")
      const two = yield* begin("Two")
      const send = (body: object, key?: string) =>
        Effect.map(
          Simulator.call({ ...connection, play: { ...hibob, orderPath: "" } }, "POST", "events", {
            json: body,
            ...(key === undefined ? {} : { key }),
          }),
          ({ status }) => status,
        )
      const companyId = connection.vendor["company_id"]
      const triggered = (assessmentRequestId: unknown) => ({
        type: "assessment.triggered",
        data: { assessmentRequestId },
      })
      assert.strictEqual(yield* send({ companyId, ...triggered("1") }, "another-secret"), 401)
      assert.strictEqual(yield* send({ companyId: "000", ...triggered("1") }), 401)
      assert.strictEqual(yield* send({ companyId: two.connection.vendor["company_id"], ...triggered("1") }), 401)
      assert.strictEqual(yield* send(triggered("1")), 401)
      for (const event of [triggered(undefined), triggered({}), triggered("1/../2"), { data: {} }]) {
        assert.strictEqual(yield* send({ companyId, ...event }), 400, JSON.stringify(event))
      }
      assert.strictEqual(yield* Simulator.count("ats_order", id), 0)
    }),
  )

  it.effect("is not kept from the company by an organization that entered or was granted it first", () =>
    Effect.gen(function* () {
      const squatter = yield* begin("Squatter")
      const owner = yield* begin("Owner")
      // entered first, without access
      const company = "4711"
      const entered = yield* another(squatter, company)
      const own = yield* another(owner, company)
      assert.isUndefined(yield* holderOf(company))
      assert.strictEqual((yield* Simulator.probe(own)).status, 401)
      yield* Simulator.grant(own)
      assert.strictEqual(yield* holderOf(company), own.id)
      assert.strictEqual((yield* Simulator.probe(own)).status, 200)
      // with the access of another company
      yield* Simulator.grant(entered)
      assert.strictEqual(yield* holderOf(company), entered.id)
      const { connection, exchanges } = yield* owner.connections.show(owner.manager, own.id)
      assert.isTrue(connection.lacks_access)
      assert.include(exchanges[0]?.error ?? "", "HiBob granted another connection access for the same company")
      yield* Simulator.grant(own)
      // the owner's access reads its orders; then no other connection gets the company
      yield* Simulator.placed(own, { set: owner.set.id })
      const refused = yield* Effect.flip(Simulator.grant(entered))
      assert.include(JSON.stringify(refused), "another connection has access to this company of HiBob")
      assert.strictEqual(yield* holderOf(company), own.id)
      assert.strictEqual((yield* Simulator.order(own, { set: owner.set.id, number: 2 })).status, 200)
      // access that was granted for a company is not that to another one
      const free = yield* another(squatter, "4712")
      yield* Simulator.grant(free)
      yield* squatter.connections.setCredentials(squatter.manager, free.id, { company_id: company })
      assert.isTrue((yield* squatter.connections.show(squatter.manager, free.id)).connection.lacks_access)
      yield* owner.connections.remove(owner.manager, own.id)
      yield* Simulator.grant(entered)
      assert.strictEqual(yield* holderOf(company), entered.id)
    }),
  )

  it.effect("is not kept from the company by a connection that has orders of another one", () =>
    Effect.gen(function* () {
      const squatter = yield* begin("Squatter with orders")
      const owner = yield* begin("Owner of 4713")
      const company = "4713"
      const own = yield* another(owner, company)
      yield* Simulator.placed(squatter.connection, { set: squatter.set.id })
      const { connection, connections, manager } = squatter
      const changed = yield* Effect.result(connections.setCredentials(manager, connection.id, { company_id: company }))
      yield* Simulator.grant(connection)
      yield* Simulator.grant(own)
      assert.strictEqual(yield* holderOf(company), own.id)
      assert.include(JSON.stringify(changed), "connect the other company with a new connection")
      const same = { company_id: connection.vendor["company_id"] ?? "" }
      assert.isFalse((yield* connections.setCredentials(manager, connection.id, same)).lacks_access)
    }),
  )

  it.effect("goes to one of two grants that end at once, and neither fails", () =>
    Effect.gen(function* () {
      const { answer } = yield* Simulator.Simulator
      const begun = yield* begin("Two grants at once")
      const company = "5001"
      const holder = yield* another(begun, company)
      const newer = yield* another(begun, company)
      yield* Simulator.grant(holder)
      const both = Promise.withResolvers<void>()
      const { serve } = answer
      let asked = 0
      answer.serve = (request) => (request.path === tokenPath ? undefined : serve(request))
      answer.body = async (request) => {
        if (request.path !== tokenPath) return {}
        if (++asked === 2) both.resolve()
        await both.promise
        return serve(request) ?? {}
      }
      yield* Effect.all([Simulator.grant(newer), Simulator.grant(holder)], { concurrency: "unbounded" })
      const granted = yield* Effect.filter([holder, newer], ({ id }) =>
        Effect.map(begun.connections.show(begun.manager, id), ({ connection }) => !connection.lacks_access),
      )
      assert.deepStrictEqual(
        granted.map(({ id }) => id),
        [yield* holderOf(company)],
      )
    }).pipe(Effect.repeat({ times: 3 })),
  )

  it.effect("is not given to a connection whose company was changed while HiBob was asked", () =>
    Effect.gen(function* () {
      const { answer } = yield* Simulator.Simulator
      const begun = yield* begin("Changed meanwhile")
      const own = yield* another(begun, "5002")
      const { serve } = answer
      const asked = Promise.withResolvers<void>()
      const changed = Promise.withResolvers<void>()
      answer.serve = (request) => (request.path === tokenPath ? undefined : serve(request))
      answer.body = async (request) => {
        if (request.path !== tokenPath) return {}
        asked.resolve()
        await changed.promise
        return serve(request) ?? {}
      }
      const grant = yield* Effect.forkChild(Effect.flip(Simulator.grant(own)))
      yield* Effect.promise(() => asked.promise)
      yield* begun.connections.setCredentials(begun.manager, own.id, { company_id: "5003" })
      changed.resolve()
      assert.include(JSON.stringify(yield* Fiber.join(grant)), "the company of this connection was changed meanwhile")
      assert.isUndefined(yield* holderOf("5002"))
      assert.isUndefined(yield* holderOf("5003"))
    }),
  )
})

layer(Simulator.layer())("events of HiBob", (it) => {
  it.effect("cancel an order, once, and what was cancelled is not reported", () =>
    Effect.gen(function* () {
      const { connection, received, set } = yield* begin()
      const { submission } = yield* Simulator.placed(connection, { set: set.id })
      const json = {
        companyId: connection.vendor["company_id"],
        type: "assessment.cancelled",
        data: { assessmentRequestId: "1" },
      }
      for (let time = 0; time < 2; time++) {
        const plain = { ...connection, play: { ...hibob, orderPath: "" } }
        assert.strictEqual((yield* Simulator.call(plain, "POST", "events", { json })).status, 200)
      }
      const { sql } = yield* Database
      const [row] = yield* sql<{ status: string }>`select status from submission where id = ${submission}::uuid`
      assert.strictEqual(row?.status, "withdrawn")
      received.length = 0
      yield* Simulator.report
      assert.isEmpty(received)
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
        "credential-client_secret": "client-secret-of-the-app",
        "credential-install_url": "https://app.hibob.com/app-marketplace/install/app-1?source=x",
        "credential-webhook_secret": "webhook-secret-of-the-app",
      }
      const made = yield* browser.post(base, { id, system: "hibob", name: "Bob", ...fields })
      const [href = ""] = new RegExp(`${base}/[0-9a-f-]{36}`).exec(made.text) ?? []
      assert.include((yield* browser.get(href)).text, "until an administrator of HiBob grants access")
      assert.include((yield* browser.get(base)).text, "Access missing")
      const started = yield* browser.get(`${href}/grant`)
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
      const elsewhere = yield* browser.get(`${href}/grant`)
      assert.strictEqual(elsewhere.status, 200)
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
      const begun = yield* begin()
      yield* Simulator.grant(yield* another(begun, "another"))
      yield* Simulator.report
      const { serve } = answer
      // requests for tokens wait
      answer.serve = (request) => (request.path === tokenPath ? undefined : serve(request))
      answer.body = async (request) => {
        if (request.path !== tokenPath) return {}
        asked.resolve()
        await answered.promise
        return serve(request) ?? {}
      }
      yield* TestClock.adjust("56 minutes")
      yield* due(begun.id)
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
