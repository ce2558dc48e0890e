/** Fixtures of tests of settings pages: a member of each role, and another organization's owner. */
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { Database } from "../../src/platform/database/Database.ts"
import type { OrganizationId } from "../../src/values/Ids.ts"
import { Server } from "./Api.ts"
import * as Pod from "./Pod.ts"
import * as Scenario from "./Scenario.ts"
import * as Workspace from "./Workspace.ts"

export const layer = (ports: Pod.Ports = {}) =>
  Server.layer.pipe(
    Layer.provide(App.serve(Layer.mergeAll(App.api, App.pages))),
    Layer.provideMerge(Pod.layer({ ...ports, settings: { PORT: "0", ...ports.settings } })),
  )

/** HTML that runs a script or closes the surrounding element when it is not escaped. */
export const hostile = `</pre></textarea><script>alert(1)</script><img src=x onerror=alert(1)>"'&`

let memberCount = 0

const signedIn = Effect.fnUntraced(function* (organization: OrganizationId, role: "owner" | "admin" | "recruiter") {
  const { email, id } = yield* Workspace.member(organization, `${role}${++memberCount}@example.com`, role)
  return { email, id, cookie: (yield* Workspace.signIn(email)).cookie }
})

export const begin = Effect.gen(function* () {
  yield* TestClock.setTime(Date.parse("2026-11-02T09:42:00Z"))
  const organization = yield* Scenario.organization()
  const other = yield* Scenario.organization({}, "Other")
  const owner = yield* signedIn(organization.id, "owner")
  const admin = yield* signedIn(organization.id, "admin")
  const recruiter = yield* signedIn(organization.id, "recruiter")
  const foreigner = yield* signedIn(other.id, "owner")
  return { organization, other, owner, admin, recruiter, foreigner }
})

type Fields = Record<string, string> | ReadonlyArray<readonly [string, string]>

/** Requests of one member; checks that each page is escaped, at most 60 kB, and not cached. */
export const as = ({ cookie }: { readonly cookie: string }) => {
  const request = Effect.fnUntraced(function* (method: string, path: string, options: Workspace.RequestOptions = {}) {
    const answer = yield* Workspace.request(method, path, { cookie, ...options })
    if (answer.headers.get("content-type")?.startsWith("text/html")) {
      assert.notInclude(answer.text, "<script>alert")
      assert.notInclude(answer.text, "<img src=x")
      assert.isAtMost(answer.bytes.length, 60_000)
      assert.strictEqual(answer.headers.get("cache-control"), "no-store")
    }
    return answer
  })
  return {
    get: (path: string) => request("GET", path),
    post: (path: string, fields: Fields = {}, headers: Record<string, string> = {}) =>
      request("POST", path, { fields: new URLSearchParams([...pairs(fields)]), headers }),
  }
}

const pairs = (fields: Fields): Array<[string, string]> =>
  Array.isArray(fields) ? fields.map(([name, value]) => [name, value]) : Object.entries(fields)

export const hidden = (text: string, name: string): string =>
  new RegExp(`<input type="hidden" name="${name}" value="([^"]*)">`).exec(text)?.[1] ?? assert.fail(`no ${name}`)

/** The audit log, oldest first, without the entries of the fixtures. */
export const audit = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { sql } = yield* Database
  return yield* sql<{ member_id: string | null; action: string; record_id: string; detail: Record<string, unknown> }>`
    select member_id, action, record_id, detail from audit_log
    where organization_id = ${organization}::int and not (action in ('member.create', 'organization.create') and member_id is null) order by id`
})
