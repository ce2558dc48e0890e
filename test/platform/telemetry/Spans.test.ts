/** Names and attributes of spans: OpenTelemetry's semantic conventions. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Exit, Option, Tracer } from "effect"
import { SqlError } from "effect/sql"
import { guardedTracer } from "../../../src/platform/telemetry/Observability.ts"

const begin = (name: string): Tracer.Span => {
  const native = Tracer.make({ span: (options) => new Tracer.NativeSpan(options) })
  return guardedTracer(native, 1).span({
    name,
    kind: "server",
    parent: Option.none(),
    annotations: Context.empty(),
    links: [],
    startTime: 0n,
    root: false,
    sampled: true,
  })
}

const attributesOf = (span: Tracer.Span) => Object.fromEntries(span.attributes)

describe("a span", () => {
  it("of a request is named after its method and route, and keeps neither path nor address", () => {
    const span = begin("GET")
    span.attribute("http.route", "/i/:token")
    span.attribute("url.path", "/i/secret")
    span.attribute("client.address", "192.0.2.1")
    assert.strictEqual(span.name, "GET /i/:token")
    assert.deepStrictEqual(attributesOf(span), { "http.route": "/i/:token" })
  })

  it("of a request has an error type for 5xx only", () => {
    const typeAfter = (status: number) => {
      const span = begin("GET")
      span.attribute("http.response.status_code", status)
      span.end(1n, Exit.succeed(undefined))
      return span.attributes.get("error.type")
    }
    assert.deepStrictEqual([200, 404, 499, 500, 503].map(typeAfter), [undefined, undefined, undefined, "500", "503"])
  })

  it("that failed has the state of Postgres, the tag or the name of its error; an interrupted one has none", () => {
    const typeAfter = (exit: Exit.Exit<unknown, unknown>) => {
      const span = begin("work")
      span.end(1n, exit)
      return attributesOf(span)
    }
    const cause = Object.assign(new Error("duplicate"), { code: "23505" })
    const statement = new SqlError.SqlError({ reason: new SqlError.UnknownError({ cause }) })
    assert.deepStrictEqual(typeAfter(Exit.fail(statement)), {
      "error.type": "23505",
      "db.response.status_code": "23505",
    })
    assert.deepStrictEqual(typeAfter(Exit.fail({ _tag: "NotFound" })), { "error.type": "NotFound" })
    assert.deepStrictEqual(typeAfter(Exit.die(new TypeError("x"))), { "error.type": "TypeError" })
    assert.deepStrictEqual(typeAfter(Exit.interrupt(1)), {})
    assert.deepStrictEqual(typeAfter(Exit.void), {})
  })
})
