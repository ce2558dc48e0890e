/** The log of API requests (docs/request-log.md): what is logged, what is left out, how long it is kept. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { ApiKeys } from "../../src/accounts/api-keys/ApiKeys.ts"
import { type EndedRequest, maxKept, maxPending, surplusCheck } from "../../src/accounts/requests/LoggedRequest.ts"
import { RequestLog } from "../../src/accounts/requests/RequestLog.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { type ApiKeyId, ApiKeyId as ApiKeyIdSchema, type OrganizationId } from "../../src/values/Ids.ts"
import * as Api from "../support/Api.ts"
import * as Pod from "../support/Pod.ts"
import { refusing } from "../support/RefusedStatements.ts"
import { nobodys } from "../support/Specification.ts"

const log = "/company/integration/requests/v1"
const sets = "/company/integration/hiring/interview-sets/v1"
const submissions = "/company/integration/hiring/submissions/v1"
const { createSet, detail, invite } = Api.paths

const write = Effect.flatMap(RequestLog, (requestLog) => requestLog.write)
const writeAll = Effect.repeat(write, { while: (written) => written > 0 })

interface Logged {
  readonly [name: string]: unknown
  readonly request_id: string
  readonly operation: string
  readonly status: number
}

/** Those of the list with this query, newest first, without the request of the list itself. */
const listed = Effect.fnUntraced(function* (key: string, query = "") {
  yield* write
  const { body, status } = yield* Api.call("GET", `${log}${query}`, { key })
  assert.strictEqual(status, 200, JSON.stringify(body))
  const { results } = body as { readonly results: ReadonlyArray<Logged> }
  return results.filter(({ operation }) => operation !== "listRequests")
})

const texts = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { sql } = yield* Database
  const rows = yield* sql<{ row: string }>`
    select to_jsonb(r)::text as row from api_request r where organization_id = ${organization}::int`
  return rows.map(({ row }) => row)
})

layer(Api.layer(), { excludeTestServices: true })("the request log", (it) => {
  it.effect("has the operation, path, status, duration and key of each request", () =>
    Effect.gen(function* () {
      const { id, key } = yield* Api.account
      const headers = { "x-request-id": "ours-1", "user-agent": "python-requests/2.32.3" }
      const before = Date.now()
      assert.strictEqual((yield* Api.call("GET", `${sets}?limit=5`, { key, headers })).status, 200)
      const found = yield* Api.call("GET", detail(nobodys), { key })
      const [read, list] = yield* listed(key)
      assert.deepStrictEqual<object>(
        { ...list, created_at: undefined, duration_ms: undefined },
        {
          request_id: "ours-1",
          created_at: undefined,
          duration_ms: undefined,
          api_key: { id, name: null },
          method: "GET",
          operation: "listInterviewSets",
          path: sets,
          query: { limit: "5" },
          status: 200,
          problem: null,
          warnings: [],
          requests: 1,
          idempotency_key: false,
          replayed: false,
          client: "python-requests/2.32.3",
        },
      )
      const began = Date.parse(String(list?.["created_at"]))
      // the database's clock and this process's may differ
      assert.isBelow(Math.abs(began - before), 60_000)
      assert.isAtLeast(Number(list?.["duration_ms"]), 0)
      assert.deepStrictEqual<object>(
        { ...read, created_at: 0, duration_ms: 0, api_key: 0, client: 0 },
        {
          created_at: 0,
          duration_ms: 0,
          api_key: 0,
          client: 0,
          method: "GET",
          idempotency_key: false,
          replayed: false,
          request_id: found.headers.get("x-request-id"),
          operation: "getSubmission",
          path: detail(nobodys),
          query: null,
          status: 404,
          problem: { code: "not_found", errors: [] },
          warnings: [],
          requests: 1,
        },
      )
      const one = yield* Api.results(200, "GET", `${log}/ours-1`, { key })
      assert.deepStrictEqual(one, list)
    }),
  )

  it.effect("has the pointers and codes of validation errors, and marks replayed responses", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const json = { com_interview_set_id: nobodys, candidates: [{ name: "x" }, { email: 1 }] }
      const sent = { key, json, headers: { "idempotency-key": "k" } }
      yield* Api.call("POST", invite, sent)
      yield* Api.call("POST", invite, sent)
      const [second, first] = yield* listed(key)
      const problem = { code: "validation_failed" }
      assert.deepInclude(first, { status: 422, idempotency_key: true, replayed: false })
      assert.deepInclude(second, { status: 422, idempotency_key: true, replayed: true })
      assert.deepInclude(first?.["problem"], problem)
      assert.deepStrictEqual(second?.["problem"], first?.["problem"])
      assert.include(JSON.stringify(first?.["problem"]), '{"pointer":"#/candidates/1/email","code":"wrong_type"}')
    }),
  )

  it.effect("has no personal data of the path, the query, the body or the headers", () =>
    Effect.gen(function* () {
      const { key, organization } = yield* Api.account
      const address = "zoe.lovelace@example.com"
      const agent = `ats/2.1 (${address}) Zoe.Lovelace/1`
      const headers = { "user-agent": agent, "x-request-id": address, "idempotency-key": address }
      const encoded = encodeURIComponent(address)
      const cursor = Buffer.from(address).toString("base64url")
      const requests = [
        ["GET", `${submissions}?email=${encoded}&external_id=zoe&status=${encoded}&limit=1`],
        ["GET", `${submissions}?${encoded}=1&zoe=2&cursor=${cursor}&updated_since=${encoded}&stage=${encoded}`],
        ["GET", `${submissions}?status=zoe-lovelace&decision=lovelace`],
        ["GET", `${submissions}?candidate_id=4915112345678&interview_set_id=4915112345678`],
        ["GET", detail(encoded)],
        ["GET", detail("zoe-lovelace")],
        ["GET", detail("4915112345678")],
        ["GET", `${log}/${encoded}`],
        ["GET", `${log}?operation=ZoeLovelace&problem=zoe`],
        ["POST", `/company/integration/hiring/invitations/v1/${encoded}/resend`],
      ] as const
      for (const [method, path] of requests) yield* Api.call(method, path, { key, headers })
      const metadata = { [address]: "Zoe Lovelace", zoe: 1, "zoe-lovelace": null }
      const candidates = [{ email: address, name: "Zoe Lovelace", metadata, zoe: address }]
      yield* Api.call("POST", invite, { key, headers, json: { candidates, lovelace: address } })
      yield* Api.call("POST", createSet, {
        key,
        headers,
        json: { title: "Zoe Lovelace", zoe: 1, iai_questions: [{ zoe: 1 }] },
      })
      yield* write
      const rows = yield* texts(organization)
      assert.lengthOf(rows, requests.length + 2)
      for (const row of rows) assert.notMatch(row, /zoe|lovelace|@|%40|49151/i)
      const [first] = (yield* listed(key)).filter(({ query }) => query !== null).slice(-1)
      assert.deepStrictEqual(first?.["query"], { email: null, external_id: null, status: null, limit: "1" })
      assert.deepInclude(first, { client: "ats/2.1" })
    }),
  )

  it.effect("has the name of a misspelt parameter, and of no other that the operation does not know", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const query = "interview_set=1&externalId=zoe&sinc=2030-01-31&zoe_email=1&zoe=2&emial=zoe&limit=5"
      yield* Api.call("GET", `${submissions}?${query}`, { key })
      const [logged] = yield* listed(key)
      const known = { interview_set: null, externalId: null, sinc: null, emial: null, limit: "5" }
      assert.deepStrictEqual(logged?.["query"], { ...known, "*": null })
    }),
  )

  it.effect("has a misspelt form of a word that a parameter allows, and no other word", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const events = "/company/integration/events/v1"
      yield* Api.call("GET", `${events}?event_type=interview.evaluations.update`, { key })
      yield* Api.call("GET", `${events}?event_type=zoe.lovelace.update`, { key })
      const [other, misspelt] = yield* listed(key)
      assert.deepStrictEqual(misspelt?.["query"], { event_type: "interview.evaluations.update" })
      assert.deepStrictEqual(other?.["query"], { event_type: null })
    }),
  )

  it.effect("has the places and codes of warnings, with misspelt names, and no other name of the client", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const json = {
        title: "Baker",
        zoe: 1,
        iai_question: [],
        description: ',"warnings":[{"pointer":"#/x","code":"y"}]',
      }
      yield* Api.call("POST", createSet, { key, json })
      yield* Api.call("POST", createSet, { key, json: { title: ',"warnings":[]}' } })
      const [without, logged] = yield* listed(key)
      assert.deepStrictEqual(logged?.["warnings"], [
        { pointer: "#/*", code: "unknown_field" },
        { pointer: "#/iai_question", code: "unknown_field" },
      ])
      assert.deepStrictEqual(without?.["warnings"], [])
    }),
  )

  it.effect("has values of parameters that name no person", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      for (const title of ["a", "b"]) yield* Api.call("POST", createSet, { key, json: { title } })
      const first = yield* Api.call("GET", `${sets}?limit=1`, { key })
      const cursor = String((first.body as { next_cursor: unknown }).next_cursor)
      const given = {
        limit: "1",
        cursor,
        updated_since: "2030-01-31T18:00:00+01:00",
        project_id: nobodys,
        set_type: "1",
      }
      yield* Api.call("GET", `${sets}?${new URLSearchParams(given)}`, { key })
      const states = { status: "completed", decision: "none", stage: "none", interview_set_id: nobodys }
      yield* Api.call("GET", `${submissions}?${new URLSearchParams(states)}`, { key })
      const [second, next] = yield* listed(key)
      assert.deepStrictEqual(next?.["query"], given)
      assert.deepStrictEqual(second?.["query"], states)
    }),
  )

  it.effect("has requests that were refused with a key of the organization, and no others", () =>
    Effect.gen(function* () {
      const { id, key, organization } = yield* Api.account
      const other = yield* Api.keyOf(organization, { scopes: ["read"] })
      const viewer = operator(organization)
      yield* Api.call("POST", createSet, { key: other.key, json: { title: "x" } })
      yield* (yield* ApiKeys).update(viewer, other.id, { status: "inactive" })
      const { sql } = yield* Database
      const old = yield* Api.keyOf(organization)
      yield* sql`update api_key set expires_at = now() - interval '1 hour' where id = ${old.id}::uuid`
      yield* Api.call("GET", sets, { key: other.key })
      yield* Api.call("GET", sets, { key: old.key })
      for (const wrong of [
        undefined,
        "x",
        `${key.split(".")[0]}.${"A".repeat(43)}`,
        `iv_live_zzzzzzzz.${"A".repeat(43)}`,
      ])
        assert.strictEqual((yield* Api.call("GET", sets, { key: wrong })).status, 401)
      assert.strictEqual((yield* Api.call("GET", "/company/integration/nothing/v1", { key })).status, 404)
      assert.strictEqual((yield* Api.call("PUT", sets, { key })).status, 405)
      const requests = yield* listed(key)
      assert.deepStrictEqual(
        requests.map(({ api_key, problem, status }) => [
          (api_key as { id: string }).id,
          status,
          (problem as { code: string }).code,
        ]),
        [
          [old.id, 401, "unauthorized"],
          [other.id, 401, "unauthorized"],
          [other.id, 403, "missing_scope"],
        ],
      )
      // kept after the key's deletion
      yield* (yield* ApiKeys).remove(viewer, other.id)
      assert.lengthOf(yield* listed(key, `?api_key_id=${other.id}`), 2)
      assert.lengthOf(yield* listed(key, `?api_key_id=${id}`), 0)
    }),
  )

  it.effect("is filtered by key, status, operation, problem and time, and read page by page", () =>
    Effect.gen(function* () {
      const { id, key, organization } = yield* Api.account
      const other = yield* Api.keyOf(organization)
      yield* Api.call("GET", sets, { key })
      yield* Api.call("POST", createSet, { key, json: {} })
      yield* Api.call("GET", detail(nobodys), { key: other.key })
      yield* Api.call("GET", sets, { key: other.key })
      const count = (query: string) => Effect.map(listed(key, query), ({ length }) => length)
      yield* write
      const { sql, time } = yield* Database
      // before the millisecond that `until` names
      yield* sql`
        update api_request set created_at = created_at - interval '1 second' where organization_id = ${organization}::int`
      const at = encodeURIComponent((yield* time).toISOString())
      for (const [query, expected] of [
        ["", 4],
        [`?api_key_id=${id}`, 2],
        [`?api_key_id=${id.toUpperCase()}&status=failed`, 1],
        ["?status=2xx", 2],
        ["?status=4xx", 2],
        ["?status=5xx", 0],
        ["?operation=listInterviewSets", 2],
        ["?operation=nothing", 0],
        ["?problem=not_found", 1],
        ["?status=failed&problem=validation_failed&operation=createInterviewSet", 1],
        ["?since=2100-01-01T00:00:00Z", 0],
        ["?until=2000-01-01T00:00:00Z", 0],
        [`?until=${at}`, 4],
      ] as const) {
        assert.strictEqual(yield* count(query), expected, query)
      }
      const pages: Array<string> = []
      let cursor = ""
      do {
        const query = `?until=${at}&limit=1${cursor === "" ? "" : `&cursor=${cursor}`}`
        const { body } = yield* Api.call("GET", `${log}${query}`, { key })
        const page = body as { results: ReadonlyArray<Logged>; next_cursor: string | null }
        pages.push(...page.results.map(({ operation }) => operation))
        cursor = page.next_cursor ?? ""
      } while (cursor !== "")
      assert.deepStrictEqual(pages, ["listInterviewSets", "getSubmission", "createInterviewSet", "listInterviewSets"])
    }),
  )

  it.effect("does not fail requests while it cannot be written, and is written once afterwards", () =>
    Effect.gen(function* () {
      const { key, organization } = yield* Api.account
      yield* writeAll
      const during = Effect.gen(function* () {
        assert.strictEqual((yield* Api.call("GET", sets, { key })).status, 200)
        assert.strictEqual((yield* Effect.exit(write))._tag, "Failure")
        assert.strictEqual((yield* Api.call("GET", sets, { key })).status, 200)
        assert.strictEqual((yield* Effect.exit(write))._tag, "Failure")
      })
      yield* refusing("api_request", "53100", during, "insert")
      assert.lengthOf(yield* texts(organization), 0)
      assert.strictEqual(yield* write, 2)
      assert.strictEqual(yield* write, 0)
      assert.lengthOf(yield* texts(organization), 2)
    }),
  )
})

const ended = (organization: OrganizationId, more: Partial<EndedRequest> = {}): EndedRequest => ({
  organization_id: organization,
  api_key_id: ApiKeyIdSchema.make(nobodys) satisfies ApiKeyId,
  request_id: "r",
  method: "GET",
  operation: "listEvents",
  path: "/company/integration/events/v1",
  query: null,
  status: 200,
  problem: null,
  errors: null,
  warnings: null,
  requests: 1,
  durationMs: 4,
  endedAt: 0,
  has_idempotency_key: false,
  is_replayed: false,
  client: null,
  ...more,
})

const kept = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { sql } = yield* Database
  const [row] = yield* sql<{ count: number; oldest: string | null }>`
    select count(*)::int as count, min(request_id) as oldest from api_request where organization_id = ${organization}::int`
  return row
})

describe("the request log", () => {
  it.effect("keeps a bounded number of requests in memory", () =>
    Effect.gen(function* () {
      const { organization } = yield* Api.account
      const { add } = yield* RequestLog
      for (let i = 0; i < maxPending + 500; i++) add(ended(organization, { request_id: String(i).padStart(6, "0") }))
      yield* writeAll
      assert.deepStrictEqual(yield* kept(organization), { count: maxPending, oldest: "000000" })
      add(ended(organization))
      yield* writeAll
      assert.strictEqual((yield* kept(organization))?.count, maxPending + 1)
    }).pipe(Pod.provide()),
  )

  it.effect("counts further requests beyond the limit of a key in one entry a minute", () =>
    Effect.gen(function* () {
      const { organization } = yield* Api.account
      const { sql } = yield* Database
      const { add, writeRest } = yield* RequestLog
      const refused = (request_id: string, endedAt: number, key = nobodys) =>
        ended(organization, { request_id, status: 429, endedAt, api_key_id: ApiKeyIdSchema.make(key) })
      const rows = sql<{ request_id: string; requests: number }>`
        select request_id, requests from api_request where organization_id = ${organization}::int order by request_id`
      const other = nobodys.replace(/.$/, "1")
      add(refused("a1", 0))
      for (let i = 2; i <= 5; i++) add(refused(`a${i}`, i))
      add(refused("b1", 3, other))
      add(ended(organization, { request_id: "c1" }))
      yield* write
      assert.deepStrictEqual(yield* rows, [
        { request_id: "a1", requests: 1 },
        { request_id: "b1", requests: 1 },
        { request_id: "c1", requests: 1 },
      ])
      yield* TestClock.adjust("59 seconds")
      assert.strictEqual(yield* write, 0)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* write, 1)
      assert.deepInclude(yield* rows, { request_id: "a5", requests: 4 })
      // a new minute; the rest is written when the process ends
      for (let i = 6; i <= 8; i++) add(refused(`a${i}`, 60_000 + i))
      yield* write
      yield* writeRest
      const all = yield* rows
      assert.deepStrictEqual(
        all.map(({ request_id, requests }) => [request_id, requests]),
        [
          ["a1", 1],
          ["a5", 4],
          ["a6", 1],
          ["a8", 2],
          ["b1", 1],
          ["c1", 1],
        ],
      )
      const failures = yield* (yield* RequestLog).failures(operator(organization), {}, 5)
      assert.deepStrictEqual(
        failures.map(({ requests }) => requests),
        [9],
      )
    }).pipe(Pod.provide()),
  )

  it.effect("is deleted after REQUEST_LOG_DAYS", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 0, 1))
      const { organization } = yield* Api.account
      const { add, forget } = yield* RequestLog
      add(ended(organization, { request_id: "1" }))
      yield* write
      yield* TestClock.adjust("2 days")
      add(ended(organization, { request_id: "2" }))
      yield* write
      yield* TestClock.adjust("1 day")
      assert.strictEqual(yield* forget, 0)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* forget, 1)
      assert.deepStrictEqual(yield* kept(organization), { count: 1, oldest: "2" })
      yield* TestClock.adjust("2 days")
      assert.strictEqual(yield* forget, 1)
    }).pipe(Pod.provide({ settings: { REQUEST_LOG_DAYS: "3" } })),
  )

  it.effect("has at most 100,000 requests of an organization: the oldest are deleted", () =>
    Effect.gen(function* () {
      const { organization } = yield* Api.account
      const other = yield* Api.account
      const { sql } = yield* Database
      yield* sql`
        insert into api_request (id, organization_id, api_key_id, request_id, method, operation, path, status, duration_ms,
          has_idempotency_key, is_replayed, created_at)
        select ('7fffffff-ffff-7fff-8fff-' || lpad(to_hex(n), 12, '0'))::uuid, ${organization}::int, ${nobodys}::uuid,
          lpad(n::text, 6, '0'), 'GET', 'listEvents', '/', 200, 1, false, false, timestamptz '2026-01-01' + n * interval '1 second'
        from generate_series(1, ${maxKept + 30}) n`
      const { add, forget } = yield* RequestLog
      add(ended(other.organization))
      yield* write
      assert.strictEqual(yield* forget, 30)
      assert.deepStrictEqual(yield* kept(organization), { count: maxKept, oldest: "000031" })
      assert.strictEqual(yield* forget, 0)
      assert.strictEqual((yield* kept(other.organization))?.count, 1)
    }).pipe(Pod.provide()),
  )

  it.effect("deletes the oldest of an organization with few new requests once a day", () =>
    Effect.gen(function* () {
      const { organization } = yield* Api.account
      const { sql } = yield* Database
      const day = Date.UTC(2026, 0, 2)
      yield* sql`
        insert into api_request (id, organization_id, api_key_id, request_id, method, operation, path, status, duration_ms,
          has_idempotency_key, is_replayed, created_at)
        select (${(day - 3_600_000).toString(16).padStart(12, "0")}::text || '70008' || lpad(to_hex(n), 15, '0'))::uuid,
          ${organization}::int, ${nobodys}::uuid, lpad(n::text, 6, '0'), 'GET', 'listEvents', '/', 200, 1, false, false,
          timestamptz '2026-01-01' + n * interval '1 second'
        from generate_series(1, ${maxKept + 3}) n`
      const { forget } = yield* RequestLog
      const { every, parts } = surplusCheck
      const turn = (Number(organization) - ((day / every) % parts) + parts) % parts
      yield* TestClock.setTime(day + ((turn + 1) % parts) * every)
      assert.strictEqual(yield* forget, 0)
      yield* TestClock.setTime(day + turn * every)
      assert.strictEqual(yield* forget, 3)
      assert.deepStrictEqual(yield* kept(organization), { count: maxKept, oldest: "000004" })
    }).pipe(Pod.provide()),
  )
})
