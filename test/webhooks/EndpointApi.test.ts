/** Webhook endpoints over the API (docs/webhooks.md), with a receiver on this machine. */

import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { operator } from "../../src/accounts/Viewer.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { EndpointId } from "../../src/values/Ids.ts"
import * as UndiciWebhookTransport from "../../src/webhooks/deliveries/UndiciWebhookTransport.ts"
import { WebhookTransport } from "../../src/webhooks/deliveries/WebhookTransport.ts"
import { verifyWebhook } from "../../src/webhooks/deliveries/WebhookVerification.ts"
import { EndpointSecrets } from "../../src/webhooks/endpoints/EndpointSecrets.ts"
import { Endpoints } from "../../src/webhooks/endpoints/Endpoints.ts"
import { loopback, read, receiver } from "../port/receivers.ts"
import * as Api from "../support/Api.ts"
import * as Contract from "../support/Contract.ts"
import * as LogWatch from "../support/LogWatch.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Tables from "../support/Tables.ts"
import { round } from "../support/Webhooks.ts"

const base = "/company/integration/webhooks/v1"
const url = "https://receiver.example/hook?token=hidden"
const unknown = "0190b5a2-7c1e-7def-8abc-0123456789ab"

/** The API with the real transport. A delivery fails after one attempt. */
const services = Layer.unwrap(
  Effect.map(WebhookTransport, ({ post }) =>
    Api.layer({ receive: post, settings: { RATE_LIMIT: "0", WEBHOOK_RETRY_TIMES: "0" } }),
  ),
).pipe(
  Layer.provide(
    UndiciWebhookTransport.layer({ allowed: loopback, timeout: Duration.seconds(30), connectionsPerOrigin: 4 }),
  ),
)

interface Received {
  readonly header: string
  readonly body: Buffer
}

/** A receiver that responds with each of the statuses in turn, then with 200. */
const receiving = Effect.fnUntraced(function* (...statuses: ReadonlyArray<number>) {
  const received: Array<Received> = []
  const { url } = yield* receiver(async (request, response) => {
    received.push({ header: String(request.headers["x-webhook-signature"]), body: await read(request) })
    response.writeHead(statuses[received.length - 1] ?? 200).end("seen")
  })
  return { url, received }
})

const isSigned = (delivery: Received | undefined, secret: string): boolean => {
  if (delivery === undefined) return false
  try {
    verifyWebhook({ ...delivery, secrets: [secret] })
    return true
  } catch {
    return false
  }
}

/** Creates an endpoint over the API. The test fails if its secret is logged. */
const created = Effect.fnUntraced(function* (key: string, fields: object, headers: Record<string, string> = {}) {
  const json = { name: "ATS", ...fields }
  const { secret, ...endpoint } = yield* Api.results(201, "POST", base, { key, json, headers })
  assert.match(String(secret), /^whsec_[0-9a-f]{64}$/)
  LogWatch.secret(String(secret))
  return { id: String(endpoint["id"]), secret: String(secret), endpoint }
})

const listOf = ({ body }: Api.Answer) =>
  body as { readonly results: ReadonlyArray<Api.Row>; readonly next_cursor: string | null }

const errorsOf = (answer: Api.Answer) =>
  (Contract.problem(answer, 422, "validation_failed").errors ?? []).map(({ code, pointer }) => `${pointer} ${code}`)

layer(services, { excludeTestServices: true })("webhook endpoints over the API", (it) => {
  it.effect("have headers with masked values, a rate and a choice; PATCH keeps, replaces and removes them", () =>
    Effect.gen(function* () {
      const organization = yield* Scenario.organization()
      const { key } = yield* Api.keyOf(organization.id)
      const { set } = yield* Scenario.organization({}, "Foreign")
      const value = "Bearer 0123-secret-of-the-gateway"
      LogWatch.secret(value)
      const choice = { interview_set_ids: [organization.set.id.toUpperCase()], project_ids: [] }
      const headers = [
        { name: "Authorization", value },
        { name: "X-Tenant", value: "acme" },
      ]
      const { endpoint, id } = yield* created(key, { url, headers, max_per_minute: 600, ...choice })
      const masked = (...names: ReadonlyArray<string>) => names.map((name) => ({ name, value: "****" }))
      const expected = {
        headers: masked("Authorization", "X-Tenant"),
        max_per_minute: 600,
        interview_set_ids: [String(organization.set.id)],
        project_ids: [],
      }
      assert.deepInclude(endpoint, expected)
      const path = `${base}/${id}`
      assert.deepInclude(yield* Api.results(200, "GET", path, { key }), expected)
      const patch = (json: object) => Api.results(200, "PATCH", path, { key, json })
      // null means absent
      const absent = { headers: null, max_per_minute: null, interview_set_ids: null, project_ids: null }
      assert.deepInclude(yield* patch({ name: "New", ...absent }), expected)
      // a masked value is kept, as a client sends back what it read
      assert.deepInclude(yield* patch({ headers: [...masked("Authorization"), { name: "X-New", value: "1" }] }), {
        headers: masked("Authorization", "X-New"),
      })
      const { sql } = yield* Database
      const [row] = yield* sql<{ headers: Uint8Array }>`select headers from webhook_endpoint where id = ${id}::uuid`
      const opened = yield* (yield* EndpointSecrets).openHeaders(EndpointId.make(id), row?.headers ?? new Uint8Array())
      assert.deepStrictEqual(opened, [
        { name: "Authorization", value },
        { name: "X-New", value: "1" },
      ])
      const refused = (json: object) => Effect.map(Api.call("PATCH", path, { key, json }), errorsOf)
      assert.deepStrictEqual(yield* refused({ max_per_minute: 60_001 }), ["#/max_per_minute out_of_range"])
      assert.deepStrictEqual(yield* refused({ project_ids: ["nonsense"] }), ["#/project_ids/0 invalid_uuid"])
      const wrong = [{ name: "Host", value: "a" }, { name: "X-A", value: "a\nb" }, { name: "x-a" }]
      const foreign = { interview_set_ids: [organization.set.id, set.id] }
      assert.sameMembers(yield* refused({ headers: [...masked("X-Unknown"), ...wrong], ...foreign }), [
        "#/headers/0/value required",
        "#/headers/1/name invalid",
        "#/headers/2/value invalid",
        "#/headers/3/name duplicate",
        "#/interview_set_ids/1 not_found",
      ])
      const removed = { headers: [], max_per_minute: null, interview_set_ids: [], project_ids: [] }
      assert.deepInclude(yield* patch({ ...removed, max_per_minute: 0 }), removed)
      const log = yield* sql`select detail from audit_log where organization_id = ${organization.id}::int`
      assert.notInclude(JSON.stringify(log), "secret-of")
    }),
  )

  it.effect("are created, read, changed, listed newest first and deleted; the audit log names the key", () =>
    Effect.gen(function* () {
      const { id: keyId, key, organization } = yield* Api.account
      const { endpoint, id } = yield* created(key, { url, events: ["interview.status.update.completed"] })
      assert.deepInclude(endpoint, {
        name: "ATS",
        url,
        description: null,
        events: ["interview.status.update.completed"],
        status: "active",
        consecutive_failures: 0,
        previous_secret_until: null,
      })
      const second = yield* created(key, { name: "CRM", url: "https://crm.example/hook" })
      assert.lengthOf(second.endpoint["events"] as ReadonlyArray<string>, 3)
      assert.deepStrictEqual(yield* Api.results(200, "GET", `${base}/${id}`, { key }), endpoint)

      const changed = yield* Api.results(200, "PATCH", `${base}/${id}`, {
        key,
        json: { name: "ATS 2", description: "the new one", url: null, unknown: 1 },
      })
      assert.deepStrictEqual(changed, { ...endpoint, name: "ATS 2", description: "the new one" })
      const emptied = yield* Api.results(200, "PATCH", `${base}/${id}`, { key, json: { description: "" } })
      assert.isNull(emptied["description"])
      assert.deepStrictEqual(yield* Api.results(200, "PATCH", `${base}/${id}`, { key, json: {} }), emptied)

      const first = listOf(yield* Api.call("GET", `${base}?limit=1`, { key }))
      assert.deepStrictEqual(first.results, [second.endpoint])
      const rest = listOf(yield* Api.call("GET", `${base}?limit=1&cursor=${first.next_cursor}`, { key }))
      assert.deepStrictEqual([rest.results, rest.next_cursor], [[emptied], null])

      // ids are accepted in upper case, as everywhere in the API
      const upper = `${base}/${id.toUpperCase()}`
      assert.deepStrictEqual(yield* Api.results(200, "DELETE", upper, { key }), { id, deleted: true })
      for (const method of ["GET", "DELETE", "PATCH"]) {
        const answer = yield* Api.call(method, `${base}/${id}`, { key, ...(method === "PATCH" ? { json: {} } : {}) })
        Contract.problem(answer, 404, "not_found")
      }
      const { sql } = yield* Database
      const log = yield* sql<{ action: string; api_key: string; detail: object }>`
        select action, api_key, detail from audit_log
        where organization_id = ${organization}::int and record_id = ${id} order by id`
      const [prefix] = key.split(".")
      assert.deepStrictEqual(
        log.map(({ action, api_key }) => [action, api_key]),
        ["create", "update", "update", "delete"].map((action) => [`webhook_endpoint.${action}`, prefix]),
      )
      assert.notInclude(JSON.stringify(log), "hidden")
      yield* sql`delete from api_key where id = ${keyId}::uuid`
      const kept = yield* sql`select id from audit_log where record_id = ${id} and api_key = ${prefix}`
      assert.lengthOf(kept, 4)
    }),
  )

  it.effect("report all validation errors at once, the same as on the pages", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const { endpoint, id } = yield* created(key, { url })
      const wrong = { name: " ", url: "http://10.0.0.1/", description: "x".repeat(2001), events: ["interview"] }
      const refused = ["#/name required", "#/url refused_url", "#/description too_long", "#/events unknown_event"]
      for (const [method, path] of [
        ["POST", base],
        ["PATCH", `${base}/${id}`],
      ] as const) {
        const send = (json: unknown) => Effect.map(Api.call(method, path, { key, json }), errorsOf)
        assert.sameMembers(
          yield* send({ ...wrong, description: "\u0007" }),
          refused.map((one) => one.replace("too_long", "unstorable_text")),
        )
        // the schema refuses the description, the rules refuse the rest
        assert.sameMembers(yield* send(wrong), refused)
        assert.sameMembers(yield* send({ name: "x", url, events: [] }), ["#/events too_few"])
        assert.sameMembers(yield* send({ name: "x", url, events: Array(51).fill("x") }), ["#/events too_many"])
        assert.sameMembers(yield* send({ name: 1, url: [], events: {} }), [
          "#/name wrong_type",
          "#/url wrong_type",
          "#/events wrong_type",
        ])
      }
      assert.sameMembers(errorsOf(yield* Api.call("POST", base, { key, json: {} })), [
        "#/name required",
        "#/url required",
      ])
      const status = yield* Api.call("PATCH", `${base}/${id}`, { key, json: { status: "on", send_parked: 1 } })
      assert.sameMembers(errorsOf(status), ["#/status not_one_of", "#/send_parked wrong_type"])
      assert.deepStrictEqual(yield* Api.results(200, "GET", `${base}/${id}`, { key }), endpoint)
    }),
  )

  it.effect("return the secret only on creation and replacement, and never store it in plain text", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const headers = { "idempotency-key": "make" }
      const { id, secret } = yield* created(key, { url }, headers)
      const rotation = { key, headers: { "idempotency-key": "rotate" } }
      const rotated = yield* Api.results(200, "POST", `${base}/${id}/rotate-secret`, rotation)
      LogWatch.secret(String(rotated["secret"]))
      assert.notStrictEqual(rotated["secret"], secret)
      assert.isString(rotated["previous_secret_until"])

      // a repeated request gets the same response
      const again = yield* Api.call("POST", base, { key, json: { name: "ATS", url }, headers })
      assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
      assert.deepInclude((again.body as { results: object }).results, { id, secret })
      const rotatedAgain = yield* Api.call("POST", `${base}/${id}/rotate-secret`, rotation)
      assert.strictEqual(rotatedAgain.headers.get("idempotency-replayed"), "true")
      assert.deepStrictEqual(rotatedAgain.body, { results: rotated })
      assert.lengthOf(listOf(yield* Api.call("GET", base, { key })).results, 1)

      const hexes = [secret, String(rotated["secret"])].map((one) => one.replace("whsec_", ""))
      assert.deepStrictEqual(yield* Tables.placesOf(hexes), [])
      for (const path of [base, `${base}/${id}`, `${base}/${id}/deliveries`]) {
        assert.notMatch(JSON.stringify((yield* Api.call("GET", path, { key })).body), /whsec_|"secret"/)
      }
      const changed = yield* Api.call("PATCH", `${base}/${id}`, { key, json: { name: "x" } })
      assert.notMatch(JSON.stringify(changed.body), /whsec_|"secret"/)

      // the old secret still signs
      const tooSoon = yield* Api.call("POST", `${base}/${id}/rotate-secret`, { key })
      assert.include(
        Contract.problem(tooSoon, 409, "conflict").detail,
        "or first remove the old secret under Settings → Webhooks",
      )

      const { sql } = yield* Database
      yield* sql`update idempotency_key set encrypted_body = ${new Uint8Array(40)} where key = 'make'`
      const lost = yield* Api.call("POST", base, { key, json: { name: "ATS", url }, headers })
      assert.include(Contract.problem(lost, 409, "conflict").detail, "can no longer be decrypted")
    }),
  )

  it.effect("end the old secret early, and replace a leaked one while an older one still signs", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const { received, url } = yield* receiving()
      const { id, secret } = yield* created(key, { url })
      const secrets = [secret]
      const rotate = Effect.fnUntraced(function* (json?: object) {
        const options = json === undefined ? { key } : { key, json }
        const { previous_secret_until, secret } = yield* Api.results(
          200,
          "POST",
          `${base}/${id}/rotate-secret`,
          options,
        )
        LogWatch.secret(String(secret))
        secrets.push(String(secret))
        return previous_secret_until
      })
      const signing = Effect.gen(function* () {
        yield* Api.results(200, "POST", `${base}/${id}/test`, { key })
        return secrets.map((one) => isSigned(received.at(-1), one))
      })
      const patch = (end_old_secret: boolean) =>
        Api.results(200, "PATCH", `${base}/${id}`, { key, json: { end_old_secret } })
      assert.isString(yield* rotate())
      assert.isString((yield* patch(false))["previous_secret_until"])
      assert.deepStrictEqual(yield* signing, [true, true])
      assert.isNull((yield* patch(true))["previous_secret_until"])
      assert.deepStrictEqual(yield* signing, [false, true])
      // without an old secret, nothing is to be ended
      assert.isNull((yield* patch(true))["previous_secret_until"])
      yield* rotate()
      assert.deepStrictEqual(yield* signing, [false, true, true])
      Contract.problem(yield* Api.call("POST", `${base}/${id}/rotate-secret`, { key, json: {} }), 409, "conflict")
      assert.isNull(yield* rotate({ end_old_secret: true }))
      assert.deepStrictEqual(yield* signing, [false, false, false, true])
      const wrong = yield* Api.call("POST", `${base}/${id}/rotate-secret`, { key, json: { end_old_secret: 1 } })
      assert.deepStrictEqual(errorsOf(wrong), ["#/end_old_secret wrong_type"])
    }).pipe(Effect.scoped),
  )

  it.effect("sign with both secrets after a rotation, also for an id in upper case", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const { received, url } = yield* receiving()
      const { id, secret } = yield* created(key, { url })
      const upper = `${base}/${id.toUpperCase()}`
      const { secret: next } = yield* Api.results(200, "POST", `${upper}/rotate-secret`, { key })
      LogWatch.secret(String(next))
      yield* Api.results(200, "POST", `${upper}/test`, { key })
      assert.deepStrictEqual(
        [secret, String(next), `whsec_${"0".repeat(64)}`].map((one) => isSigned(received[0], one)),
        [true, true, false],
      )
    }).pipe(Effect.scoped),
  )

  it.effect("send a test event and return the receiver's response", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const { received, url } = yield* receiving(204, 500)
      const { endpoint, id, secret } = yield* created(key, { url, events: ["interview.evaluation.update"] })
      const path = `${base}/${id}/test`
      const headers = { "idempotency-key": "test" }
      const sent = yield* Api.results(200, "POST", path, { key, headers })
      assert.deepInclude(sent, { delivered: true, event: "interview.evaluation.update.scored" })
      assert.deepInclude(sent["attempt"], { status: 204, error: null })
      assert.isTrue(isSigned(received[0], secret))
      assert.strictEqual(received[0]?.body.toString(), sent["body"])
      assert.isTrue(JSON.parse(String(sent["body"])).is_test)

      // the header is ignored
      const event = "interview.status.update.completed"
      const failed = yield* Api.results(200, "POST", path, { key, headers, json: { event } })
      assert.deepInclude(failed, { delivered: false, event })
      assert.deepInclude(failed["attempt"], { status: 500, error: "The receiver answered 500", answer: "seen" })
      assert.lengthOf(received, 2)

      assert.deepStrictEqual(errorsOf(yield* Api.call("POST", path, { key, json: { event: "interview" } })), [
        "#/event unknown_event",
      ])
      const form = { key, raw: "event=x", headers: { "content-type": "text/plain" } }
      Contract.problem(yield* Api.call("POST", path, form), 415, "unsupported_media_type")
      assert.lengthOf(received, 2)
      // neither listed nor counted
      assert.deepStrictEqual(yield* Api.results(200, "GET", `${base}/${id}`, { key }), endpoint)
      assert.isEmpty(listOf(yield* Api.call("GET", `${base}/${id}/deliveries`, { key })).results)
    }).pipe(Effect.scoped),
  )

  it.effect("get no test at an address that OUTBOUND_ALLOW no longer allows", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const { id } = yield* created(key, { url })
      const { sql } = yield* Database
      yield* sql`update webhook_endpoint set url = 'http://169.254.169.254/' where id = ${id}::uuid`
      const { attempt, delivered } = yield* Api.results(200, "POST", `${base}/${id}/test`, { key })
      assert.isFalse(delivered)
      assert.propertyVal(attempt, "status", null)
    }),
  )

  it.effect("list deliveries by state, page by page, and send one again", () =>
    Effect.gen(function* () {
      const organization = yield* Scenario.organization()
      const { key } = yield* Api.keyOf(organization.id)
      const { received, url } = yield* receiving(200, 503)
      const { id } = yield* created(key, { url })
      const other = yield* created(key, { url: "https://other.example/", events: ["interview.evaluation.update"] })
      const candidate = yield* Scenario.invited(organization)
      yield* Scenario.publish(candidate)
      yield* round
      yield* Scenario.publish(candidate)
      yield* round
      const path = `${base}/${id}/deliveries`
      const list = (query: string) => Effect.map(Api.call("GET", `${path}${query}`, { key }), listOf)

      const { next_cursor, results } = yield* list("")
      assert.isNull(next_cursor)
      const [failed = {}, delivered = {}] = results
      assert.deepInclude(failed, { state: "failed", event: "interview.status.update.started", resent_at: null })
      assert.deepInclude((failed["attempts"] as ReadonlyArray<object>)[0], {
        status: 503,
        error: "The receiver answered 503",
        answer: "seen",
      })
      assert.deepInclude(delivered, { state: "delivered", next_attempt_at: null })
      assert.deepStrictEqual((yield* list("?state=failed")).results, [failed])
      assert.deepStrictEqual((yield* list("?state=queued")).results, [])
      const first = yield* list("?limit=1")
      assert.deepStrictEqual(first.results, [failed])
      const second = yield* list(`?limit=1&cursor=${first.next_cursor}`)
      assert.deepStrictEqual([second.results, second.next_cursor], [[delivered], null])
      for (const cursor of ["x", Buffer.from("webhook-deliveries 0").toString("base64url")]) {
        assert.deepStrictEqual(errorsOf(yield* Api.call("GET", `${path}?cursor=${cursor}`, { key })), [
          "#/cursor invalid_cursor",
        ])
      }
      assert.deepStrictEqual(errorsOf(yield* Api.call("GET", `${path}?state=x&limit=0`, { key })), [
        "#/limit out_of_range",
        "#/state not_one_of",
      ])

      // once per Idempotency-Key
      const again = `${path}/${failed["id"]}/resend`
      const headers = { "idempotency-key": "again" }
      const resent = yield* Api.results(200, "POST", again, { key, headers })
      assert.deepInclude(resent, { state: "queued", event_id: failed["event_id"], attempts: [] })
      assert.deepStrictEqual(yield* Api.results(200, "POST", again, { key, headers }), resent)
      yield* round
      assert.lengthOf(received, 3)
      assert.deepStrictEqual(received[2]?.body, received[1]?.body)
      const [newest, old] = (yield* list("")).results
      assert.deepInclude(newest, { id: resent["id"], state: "delivered" })
      assert.isString(old?.["resent_at"])

      // a delivery of another endpoint, an unknown one, and no number
      for (const wrong of [
        `${base}/${other.id}/deliveries/${failed["id"]}/resend`,
        `${base}/${unknown}/deliveries/${failed["id"]}/resend`,
        `${path}/999999/resend`,
        `${path}/0/resend`,
        `${path}/x/resend`,
      ]) {
        Contract.problem(yield* Api.call("POST", wrong, { key }), 404, "not_found")
      }
      yield* round
      assert.lengthOf(received, 3)
    }).pipe(Effect.scoped),
  )

  it.effect("are deactivated and activated by PATCH, which sends parked deliveries on request", () =>
    Effect.gen(function* () {
      const organization = yield* Scenario.organization()
      const { key } = yield* Api.keyOf(organization.id)
      const { received, url } = yield* receiving()
      const { id } = yield* created(key, { url })
      const patch = (json: object) => Api.call("PATCH", `${base}/${id}`, { key, json })
      const statusOf = (answer: Api.Answer) => (answer.body as { results: Api.Row }).results["status"]
      assert.strictEqual(statusOf(yield* patch({ status: "inactive" })), "inactive")
      yield* Scenario.publish(yield* Scenario.invited(organization), 2)
      yield* round
      const parked = listOf(yield* Api.call("GET", `${base}/${id}/deliveries?state=parked`, { key })).results
      assert.lengthOf(parked, 2)
      const early = yield* Api.call("POST", `${base}/${id}/deliveries/${parked[0]?.["id"]}/resend`, { key })
      assert.match(Contract.problem(early, 409, "conflict").detail, /setting its status to active$/)

      // a refused change changes nothing
      for (const json of [
        { name: "x", send_parked: true },
        { name: "x", status: "inactive", send_parked: true },
      ]) {
        Contract.problem(yield* patch(json), 409, "conflict")
      }
      const endpoints = yield* Endpoints
      assert.strictEqual((yield* endpoints.show(operator(organization.id), EndpointId.make(id))).name, "ATS")

      assert.strictEqual(statusOf(yield* patch({ status: "active" })), "active")
      yield* round
      assert.isEmpty(received)
      assert.strictEqual(statusOf(yield* patch({ send_parked: true, status: "active" })), "active")
      yield* Effect.repeat(round, { until: () => received.length === 2 })
      const { sql } = yield* Database
      const log = yield* sql<{ action: string }>`
        select action from audit_log where record_id = ${id} and api_key is not null order by id`
      assert.deepStrictEqual(
        log.map(({ action }) => action.replace("webhook_endpoint.", "")),
        ["create", "disable", "enable", "send_parked"],
      )
    }).pipe(Effect.scoped),
  )

  it.effect("are limited to 100 per organization", () =>
    Effect.gen(function* () {
      const { key, organization } = yield* Api.account
      const endpoints = yield* Endpoints
      yield* Effect.forEach(Array(100).keys(), (n) => endpoints.create(operator(organization), { name: `${n}`, url }))
      assert.deepStrictEqual(errorsOf(yield* Api.call("POST", base, { key, json: { name: "x", url } })), [
        "#/url too_many",
      ])
      assert.lengthOf(listOf(yield* Api.call("GET", `${base}?limit=100`, { key })).results, 100)
    }),
  )
})
