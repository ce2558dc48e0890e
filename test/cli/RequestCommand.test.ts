/** The command `requests`. */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as cli from "../support/cli.ts"
import { onFreshDatabase } from "./onFreshDatabase.ts"

const requests = `
  insert into api_request (id, organization_id, api_key_id, request_id, method, operation, path, query, status, problem, errors,
    warnings, requests, duration_ms, has_idempotency_key, is_replayed, client, created_at)
  select gen_random_uuid(), 1 + n / 4, '01970000-0000-7000-8000-000000000000', 'r' || n, 'GET', 'listEvents',
    '/company/integration/events/v1', '{"limit":"5","email":null}', status,
    case when status >= 400 then 'rate_limited' end, case when n = 2 then '[{"pointer":"#/a","code":"required"}]'::jsonb end,
    case when n = 1 then '[{"pointer":"#/b","code":"unknown_field"}]'::jsonb end, 1 + n, 3, true, n = 1, 'curl/8.5.0',
    timestamptz '2026-01-01' + n * interval '1 hour'
  from (values (0, 200), (1, 201), (2, 429), (3, 500), (4, 200)) r (n, status)`

describe("request commands", () => {
  it.live("list logged requests by status, time, operation and key, page by page, and show one", () =>
    Effect.gen(function* () {
      const { environment, json, refused } = yield* onFreshDatabase
      const run = (...args: ReadonlyArray<string>) => cli.run(environment, ...args)
      yield* json("organization", "create", "--name", "Acme")
      yield* json("organization", "create", "--name", "Other")
      yield* Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe(requests).unprepared).pipe(
        Effect.provide(PgClient.layer({ url: Redacted.make(environment.DATABASE_URL) }), { local: true }),
      )
      const list = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
        const found = yield* json("requests", "list", "--organization", "1", ...args)
        const { next_cursor, results } = found as {
          readonly results: ReadonlyArray<{ readonly request_id: string }>
          readonly next_cursor: string | null
        }
        return { ids: results.map(({ request_id }) => request_id), next_cursor }
      })
      for (const [args, ids] of [
        [[], ["r3", "r2", "r1", "r0"]],
        [
          ["--status", "failed"],
          ["r3", "r2"],
        ],
        [["--status", "2xx", "--since", "2026-01-01T01:00:00Z"], ["r1"]],
        [["--until", "2026-01-01T01:00:00Z"], ["r0"]],
        [["--operation", "listSubmissions"], []],
        [
          ["--problem", "rate_limited", "--key", "01970000-0000-7000-8000-000000000000"],
          ["r3", "r2"],
        ],
        [["--key", "01970000-0000-7000-8000-000000000001"], []],
      ] as const) {
        assert.deepStrictEqual<ReadonlyArray<string>>((yield* list(...args)).ids, ids, args.join(" "))
      }
      const first = yield* list("--limit", "3")
      assert.deepStrictEqual(first.ids, ["r3", "r2", "r1"])
      const second = yield* list("--limit", "3", "--cursor", first.next_cursor ?? "")
      assert.deepStrictEqual(second, { ids: ["r0"], next_cursor: null })
      const text = yield* run("requests", "list", "--organization", "1", "--limit", "1")
      assert.match(text.stdout, /500 +GET +\/company\/integration\/events\/v1 +rate_limited/)
      assert.match(text.stdout, /\nmore: --cursor \S+/)

      const shown = yield* run("requests", "show", "--organization", "1", "r2")
      assert.match(shown.stdout, /request: +GET \/company\/integration\/events\/v1\?email&limit=5\n/)
      assert.match(shown.stdout, /errors: +#\/a required\n/)
      assert.match(shown.stdout, /requests: +3\n/)
      assert.match(
        (yield* run("requests", "show", "--organization", "1", "r1")).stdout,
        /sent, the response is replayed/,
      )
      assert.strictEqual(yield* refused("requests", "show", "--organization", "2", "r2"), "there is no such request")
      assert.strictEqual(yield* refused("requests", "list", "--organization", "9"), "there is no such organization")
      assert.strictEqual(
        yield* refused("requests", "list", "--organization", "1", "--cursor", "x"),
        "--cursor is not one that requests list has printed",
      )
    }),
  )
})
