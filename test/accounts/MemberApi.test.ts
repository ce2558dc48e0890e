/** Members over the API. */

import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Organizations } from "../../src/accounts/Organizations.ts"
import { Database } from "../../src/platform/database/Database.ts"
import * as Api from "../support/Api.ts"
import * as Contract from "../support/Contract.ts"

const base = "/company/integration/members/v1"

layer(Api.layer({ settings: { RATE_LIMIT: "0" } }), { excludeTestServices: true })("members over the API", (it) => {
  it.effect("are listed newest first and read, without secrets and without those that were removed", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { key, organization } = yield* Api.account
      const organizations = yield* Organizations
      const password = Redacted.make("correct horse battery")
      for (const role of ["owner", "admin", "recruiter", "reviewer"] as const) {
        yield* organizations.addMember(organization, { email: `${role}@list.example`, password, role })
      }
      yield* sql`
        update member set password_hash = null, created_at = '2030-01-01' where email = 'reviewer@list.example'`
      yield* sql`
        update member set last_seen_at = '2026-11-01T10:00:00Z', name = 'Maria' where email = 'owner@list.example'`
      yield* sql`update member set deactivated_at = now() where email = 'recruiter@list.example'`
      const list = Effect.fnUntraced(function* (query: string) {
        const { body } = yield* Api.call("GET", base + query, { key })
        return body as { readonly results: ReadonlyArray<Api.Row>; readonly next_cursor: string | null }
      })
      const { next_cursor, results } = yield* list("")
      assert.isNull(next_cursor)
      assert.deepStrictEqual(
        results.map(({ email }) => email),
        ["reviewer@list.example", "admin@list.example", "owner@list.example"],
      )
      const [reviewer, , owner] = results
      assert.deepInclude(reviewer, { role: "reviewer", has_joined: false, last_seen_at: null, name: null })
      const { created_at: _, id, ...rest } = owner ?? {}
      assert.deepStrictEqual(rest, {
        email: "owner@list.example",
        name: "Maria",
        role: "owner",
        has_joined: true,
        has_second_factor: false,
        last_seen_at: "2026-11-01T10:00:00.000Z",
      })
      assert.deepStrictEqual(yield* Api.results(200, "GET", `${base}/${id}`, { key }), owner)
      const first = yield* list("?limit=1")
      const second = yield* list(`?limit=1&cursor=${first.next_cursor}`)
      assert.deepStrictEqual([...first.results, ...second.results], results.slice(0, 2))
      const [removed] = yield* sql<{ id: string }>`select id from member where email = 'recruiter@list.example'`
      Contract.problem(yield* Api.call("GET", `${base}/${removed?.id}`, { key }), 404, "not_found")
      Contract.problem(yield* Api.call("GET", `${base}?role=owner`, { key }), 422, "validation_failed")
      Contract.problem(yield* Api.call("POST", base, { key, json: {} }), 405, "method_not_allowed")
    }),
  )
})
