/**
 * Requests that only a raw connection can send: invalid requests, unusual framing, bodies that never end, disconnects.
 */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../src/platform/database/Database.ts"
import * as Api from "../../support/Api.ts"
import * as Contract from "../../support/Contract.ts"
import { connect } from "../../support/RawHttp.ts"
import * as Tables from "../../support/Tables.ts"

const me = "/company/integration/me/v1"
const { createSet, invite } = Api.paths
const body = '{"title":"x"}'
const json = `Content-Type: application/json\nContent-Length: ${body.length}\n`
const chunks = '5\r\n{"tit\r\n8\r\nle":"x"}\r\n0\r\n\r\n'
const chunked = "Content-Type: application/json\nTransfer-Encoding: chunked\n"

/** The first response to a request on its own connection; `head` has no empty line at its end. */
const answerTo = (head: string, sent: string | Uint8Array = "") =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* connect
      yield* connection.send(`${head}\n`, sent)
      const answer = yield* connection.answer
      assert(answer, `no answer to ${head.slice(0, 100)}`)
      return answer
    }),
  )

const start = (method: string, path: string, key: string) => `${method} ${path} HTTP/1.1\nHost: x\nX-API-Key: ${key}\n`

layer(Api.layer({ settings: { RATE_LIMIT: "0" } }), { excludeTestServices: true })("Raw HTTP", (it) => {
  it.effect("survives clients that disconnect before their pipelined requests are answered", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const get = `${start("GET", me, key)}\n`
      const part = `${start("POST", createSet, key)}Content-Type: application/json\nContent-Length: 60000\n\n{"title":`
      for (let delay = 0; delay < 40; delay++) {
        yield* Effect.scoped(
          Effect.gen(function* () {
            const connection = yield* connect
            yield* connection.send(get.repeat(3) + part)
            yield* Effect.sleep(delay % 10)
            yield* connection.reset
          }),
        )
      }
      assert.strictEqual((yield* Api.call("GET", me, { key })).status, 200)
    }),
  )

  it.effect("answers bytes that are not a request with a problem", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const get = start("GET", me, key)
      const post = start("POST", createSet, key)
      const broken = {
        "a TLS greeting": "\x16\x03\x01\x02\x00\x01\x00\n",
        "no request line": "HELLO\n",
        "HTTP/2": "PRI * HTTP/2.0\n\nSM\n",
        "an unknown version": `GET ${me} HTTP/1.7\nHost: x\n`,
        "a path without a slash": start("GET", "company", key),
        "bytes in a path": start("GET", "/company/integration/\u00e9", key),
        "an unknown method": start("BREW", me, key),
        "a method in lower case": start("get", me, key),
        "a tunnel": start("CONNECT", "x:443", key),
        "U+0000 in a header": `${get}X: a\0b\n`,
        "a blank before the colon": `${get}X : a\n`,
        "a folded header": `${get}X: a\n b\n`,
        "a length that is not a number": `${post}Content-Length: abc\n`,
        "a length below zero": `${post}Content-Length: -1\n`,
        "a length beyond all numbers": `${post}Content-Length: 99999999999999999999999\n`,
        "two lengths": `${post}${json}Content-Length: 5\n`,
        "a length and chunks": `${post}${json}Transfer-Encoding: chunked\n`,
        "the same length twice": `${post}${json}Content-Length: ${body.length}\n`,
        "two lengths in one header": `${post}Content-Length: 5, 5\n`,
        "a length with a sign": `${post}Content-Length: +5\n`,
        "an empty length": `${post}Content-Length:\n`,
        "a coding that never ends": `${post}Transfer-Encoding: gzip\n`,
        "an unknown coding": `${post}Transfer-Encoding: xchunked\n`,
        "a coding within chunks": `${post}Transfer-Encoding: gzip, chunked\n`,
        "chunks within another coding": `${post}Transfer-Encoding: chunked, identity\n`,
        "chunks twice": `${post}${chunked}Transfer-Encoding: chunked\n`,
        "two codings": `${post}${chunked}Transfer-Encoding: identity\n`,
        "chunks in HTTP/1.0": `POST ${createSet} HTTP/1.0\nX-API-Key: ${key}\n${chunked}`,
        "no Host": `GET ${me} HTTP/1.1\nX-API-Key: ${key}\n`,
        "two Hosts": `${get}Host: y\n`,
        "the same Host twice": `${get}host: x\n`,
        "two Hosts in HTTP/1.0": `${get.replace("1.1", "1.0")}Host: y\n`,
        "two Hosts beside an absolute target": `${start("GET", `http://x${me}`, key)}Host: y\n`,
        ...Object.fromEntries(
          ["x y", "x,y", "x/", "user@x", "x:port", "[::1", "\u00e9"].map((host) => [
            `the Host ${host}`,
            get.replace("Host: x", `Host: ${host}`),
          ]),
        ),
        "a chunk without its size": `${post}${chunked}\nxyz\n`,
      }
      for (const [name, head] of Object.entries(broken)) {
        const answer = yield* answerTo(head)
        assert.strictEqual(Contract.problem(answer, 400, "bad_request").title, "Bad Request", name)
        assert.strictEqual(answer.headers.get("connection"), "close", name)
      }
      const many = "X-Many: 1\n".repeat(2_500)
      for (const head of [
        `${get}X: ${"x".repeat(20_000)}\n`,
        get + many,
        start("GET", `/${"x".repeat(20_000)}`, key),
      ]) {
        Contract.problem(yield* answerTo(head), 431, "headers_too_large")
      }
      for (const host of ["x", "x.example:8080", "127.0.0.1", "[::1]:80", "a_b", "X:", ""]) {
        assert.strictEqual((yield* answerTo(get.replace("Host: x", `Host: ${host}`))).status, 200, host)
      }
      assert.strictEqual((yield* answerTo(`GET ${me} HTTP/1.0\nX-API-Key: ${key}\n`)).status, 200)
    }),
  )

  it.effect("returns 404 for unknown paths and 405 for unknown methods", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const set = "/company/integration/hiring/interview-sets/v1"
      const long = `/company/integration/${"x".repeat(12_000)}`
      const nowhere = [
        "/company/integration/%ZZ",
        `${set}/%ZZ`,
        `${set}/%00`,
        `${set}/%ED%A0%80`,
        `${me}/..`,
        "//x/y",
        long,
      ]
      for (const path of nowhere) {
        Contract.problem(yield* answerTo(start("GET", path, key)), 404, "not_found")
      }
      Contract.problem(yield* answerTo(start("OPTIONS", "*", key)), 404, "not_found")
      Contract.problem(yield* answerTo(start("PROPFIND", me, key)), 404, "not_found")
      for (const method of ["OPTIONS", "TRACE", "QUERY", "DELETE"]) {
        const answer = yield* answerTo(start(method, me, key))
        Contract.problem(answer, 405, "method_not_allowed")
        assert.strictEqual(answer.headers.get("allow"), "GET, HEAD")
      }
    }),
  )

  it.effect("answers HEAD like GET without the body, on every route", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      for (const path of new Set(Contract.endpoints.map((endpoint) => endpoint.path))) {
        const hasGet = Contract.endpoints.some((endpoint) => endpoint.path === path && endpoint.method === "GET")
        const get = yield* answerTo(start("GET", path, key))
        const connection = yield* connect
        yield* connection.send(`${start("HEAD", path, key)}\n`)
        const head = yield* connection.head
        assert(head)
        assert.strictEqual(head.status, hasGet ? get.status : 405, path)
        for (const name of ["content-type", "content-length", "allow"]) {
          if (hasGet) assert.strictEqual(head.headers.get(name), get.headers.get(name), path)
        }
        // the next response begins where this one ended
        yield* connection.send(`${start("GET", "/health/live", key)}\n`)
        assert.deepInclude((yield* connection.answer)?.body, { status: "live" })
      }
    }),
  )

  it.effect("answers a HEAD that cannot be parsed without a body", () =>
    Effect.gen(function* () {
      const connection = yield* connect
      yield* connection.send(`HEAD ${me}?a b HTTP/1.1\nHost: x\n\n`)
      assert.strictEqual((yield* connection.head)?.status, 400)
      assert.isUndefined(yield* connection.head)
    }),
  )

  it.effect("answers a request before the invalid bytes that follow it", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      for (const [more, close] of [
        ["not a request\r\n\r\n", ""],
        [`${start("GET", me, key)}\n`.replaceAll("\n", "\r\n"), "Connection: close\n"],
      ] as const) {
        const connection = yield* connect
        yield* connection.send(`${start("POST", createSet, key)}${json}${close}\n`, body + more)
        const answer = yield* connection.answer
        assert.strictEqual(answer?.status, 201)
        assert.strictEqual(answer?.headers.get("connection"), "close")
        assert.isUndefined(yield* connection.answer)
      }
    }),
  )

  it.effect("reads a body sent whole, in chunks, after 100 Continue, or with an Upgrade header", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const post = start("POST", createSet, key)
      const h2c = "Connection: Upgrade, HTTP2-Settings\nUpgrade: h2c\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABk\n"
      const webSocket = "Connection: Upgrade\nUpgrade: websocket\n"
      for (const [head, sent] of [
        [post + json, body],
        [post + chunked, chunks],
        [`${post}${json}Expect: nothing-known\n`, body],
        [post + json + h2c, body],
        [post + chunked + h2c, chunks],
        [post + json + webSocket, body],
        [`POST ${createSet} HTTP/1.0\nX-API-Key: ${key}\n${json}`, body],
        [`POST http://elsewhere.example${createSet} HTTP/1.1\nHost: x\nX-API-Key: ${key}\n${json}`, body],
      ] as const) {
        const answer = yield* answerTo(head, sent)
        assert.strictEqual(answer.status, 201, head)
        assert.deepInclude((answer.body as { readonly results: unknown }).results, { title: "x" })
      }
      const connection = yield* connect
      yield* connection.send(`${post}${json}Expect: 100-continue\n\n`)
      assert.strictEqual((yield* connection.answer)?.status, 100)
      yield* connection.send("", body)
      assert.strictEqual((yield* connection.answer)?.status, 201)
      // a refused body is not requested
      const expect = "Content-Length: 13\nExpect: 100-continue\n"
      Contract.problem(yield* answerTo(start("POST", createSet, "x") + expect), 401, "unauthorized")
      Contract.problem(yield* answerTo(post + expect), 415, "unsupported_media_type")
      Contract.problem(
        yield* answerTo(post + chunked, `200001\r\n${"x".repeat(0x200001)}\r\n0\r\n\r\n`),
        413,
        "body_too_large",
      )
    }),
  )

  it.effect("answers requests on one connection in order", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const connection = yield* connect
      const post = `${start("POST", createSet, key)}${json}\n`
      yield* connection.send(post, body + `${start("GET", "/nowhere", key)}\n`.replaceAll("\n", "\r\n"))
      yield* connection.send(`${start("GET", me, key)}\n${start("GET", me, "x")}\n`)
      for (const status of [201, 404, 200, 401]) assert.strictEqual((yield* connection.answer)?.status, status)
    }),
  )

  it.effect("serves other requests while bodies do not end, and reads those that arrive", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      // more than there are database connections
      const slow = yield* Effect.forEach(Array.from({ length: 20 }), (_, i) =>
        Effect.gen(function* () {
          const connection = yield* connect
          const unique = `Idempotency-Key: slow-${i}\n`
          yield* connection.send(`${start("POST", createSet, key)}${json}${unique}\n`, body.slice(0, 5))
          return connection
        }),
      )
      const others = Array.from({ length: 20 }, () => Api.call("POST", createSet, { key, json: { title: "x" } }))
      for (const { status } of yield* Effect.all(others, { concurrency: "unbounded" })) assert.strictEqual(status, 201)
      for (const connection of slow) {
        yield* connection.send("", body.slice(5))
        assert.strictEqual((yield* connection.answer)?.status, 201)
      }
    }),
  )

  it.effect("changes nothing when a body ends too early", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const before = yield* Tables.writes
      for (const [head, sent] of [
        [json, body.slice(0, 12)],
        // complete JSON, shorter than announced
        [json.replace("13", "14"), body],
        [chunked, chunks.slice(0, -5)],
        [chunked, "5\r\n{}"],
      ] as const) {
        const connection = yield* connect
        yield* connection.send(`${start("POST", createSet, key)}${head}\n`, sent)
        yield* connection.end
        const answer = yield* connection.answer
        if (answer !== undefined) Contract.problem(answer, 400, "bad_request")
      }
      assert.strictEqual((yield* Api.call("GET", me, { key })).status, 200)
      assert.deepStrictEqual(yield* Tables.writes, before)
    }),
  )

  it.effect.each([
    { table: "candidate", headers: {} },
    { table: "submission", headers: {} },
    { table: "invitation", headers: {} },
    { table: "email", headers: {} },
    { table: "email", headers: { "idempotency-key": "gone" } },
    { table: "idempotency_key", headers: { "idempotency-key": "gone" } },
  ])(
    "writes all or nothing, once, when a client disconnects while 1,000 candidates wait at $table",
    ({ headers, table }) =>
      Effect.gen(function* () {
        const { key, organization } = yield* Api.account
        const { sql, transaction } = yield* Database
        const { id } = yield* Api.results(201, "POST", createSet, { key, json: { title: "x" } })
        const candidates = Array.from({ length: 1_000 }, (_, i) => ({ email: `candidate-${i}@example.com` }))
        const request = JSON.stringify({ com_interview_set_id: id, candidates })
        const running = (name: string) =>
          Effect.map(sql`select from pg_locks where virtualtransaction = ${name}`, (locks) => locks.length > 0)

        // waits while this transaction holds the table
        const name = yield* transaction(
          Effect.gen(function* () {
            yield* sql`lock table ${sql(table)} in share mode`
            const connection = yield* connect
            const sent = { ...headers, "content-type": "application/json", "content-length": request.length }
            const lines = Object.entries(sent).map(([header, value]) => `${header}: ${value}\n`)
            yield* connection.send(`${start("POST", invite, key)}${lines.join("")}\n`, request)
            const waiting = sql<{ name: string }>`
              select virtualtransaction as name from pg_locks
              where relation = ${table}::regclass and not granted
                and database = (select oid from pg_database where datname = current_database())`
            let [found] = yield* waiting
            while (found === undefined) [found] = yield* waiting
            yield* connection.reset
            // gives the server time to notice
            for (let turn = 0; turn < 100 && (yield* running(found.name)); turn++);
            return found.name
          }),
        )
        while (yield* running(name));
        const counts = Effect.gen(function* () {
          const [row] = yield* sql<Record<string, number>>`
            select (select count(*)::int from candidate where organization_id = ${organization}::int) as candidates,
              (select count(*)::int from submission where organization_id = ${organization}::int) as submissions,
              (select count(*)::int from invitation where organization_id = ${organization}::int) as invitations,
              (select count(*)::int from email where organization_id = ${organization}::int) as mails`
          return Object.values(row ?? {})
        })
        const all = [1_000, 1_000, 1_000, 1_000]
        const written = yield* counts
        assert.deepStrictEqual(written, written[0] === 0 ? [0, 0, 0, 0] : all)
        const repeated = { key, raw: request, headers: { ...headers, "content-type": "application/json" } }
        const again = yield* Api.call("POST", invite, repeated)
        assert.strictEqual(again.status, 200)
        const isReplayed = "idempotency-key" in headers && written[0] !== 0
        assert.strictEqual(again.headers.has("idempotency-replayed"), isReplayed)
        assert.deepStrictEqual(yield* counts, all)
      }),
  )
})
