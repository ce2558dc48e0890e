/** The one error shape where it depends on settings and on the database; test/http/specification has the rest. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, References } from "effect"
import { inject } from "vitest"
import { Database } from "../../src/repository/Database.ts"
import * as Api from "../support/Api.ts"
import { execute } from "../support/databases.ts"
import { createSet, detail, invite, nobodys, problem } from "./specification/support.ts"

describe("Problems", () => {
  it.live("413: a body larger than MAX_BODY", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const large = { title: "x", description: "x".repeat(64 * 1024) }
      problem(yield* Api.call("POST", createSet, { key, json: large }), 413, "body_too_large")
    }).pipe(Effect.provide(Api.layer({ settings: { MAX_BODY: "64 KiB" } }))),
  )

  it.live("503 with Retry-After on every route that needs the database, while it is away", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const { sql } = yield* Database
      const [row] = yield* sql<{ name: string }>`select current_database() as name`
      assert.strictEqual((yield* Api.call("GET", "/health/ready")).status, 200)
      yield* execute(inject("postgres").url, `drop database ${row?.name} with (force)`)
      for (const request of [
        Api.call("POST", createSet, { key, json: { title: "x" } }),
        Api.call("POST", invite, { key, json: {} }),
        Api.call("GET", detail(nobodys), { key }),
      ]) {
        const answer = yield* request
        problem(answer, 503, "unavailable")
        assert.match(answer.headers.get("retry-after") ?? "", /^\d+$/)
      }
      assert.strictEqual((yield* Api.call("GET", "/health/ready")).status, 503)
      assert.strictEqual((yield* Api.call("GET", "/health/live")).status, 200)
    }).pipe(Effect.provide(Layer.provide(Api.layer(), Layer.succeed(References.MinimumLogLevel, "None")))),
  )
})
