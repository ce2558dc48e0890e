/** The setup page over real HTTP, on an empty database. */
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Organizations } from "../../src/accounts/Organizations.ts"
import { Setup } from "../../src/accounts/sign-in/Setup.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { withoutPasswords } from "../support/Overload.ts"
import * as Settings from "../support/Settings.ts"
import * as Workspace from "../support/Workspace.ts"

const fields = (code: string, change: Record<string, string> = {}) => ({
  code,
  organization: " Nordlicht ",
  name: "Grace Hopper",
  email: "grace@example.com",
  password: Workspace.password,
  ...change,
})

const counts = Effect.gen(function* () {
  const { sql } = yield* Database
  return (yield* sql`
    select (select count(*)::int from organization) as organizations, (select count(*)::int from member) as members`)[0]
})

const codeOf = Effect.flatMap(Setup, ({ code }) => Effect.map(code, Redacted.value))

const provide = Effect.provide(Settings.layer(), { local: true })

it.effect("creates the first owner with the code, signs them in, and then closes the page", () =>
  Effect.gen(function* () {
    assert.strictEqual((yield* Workspace.request("GET", "/sign-in")).location, "/setup")
    const page = yield* Workspace.request("GET", "/setup")
    assert.strictEqual(page.status, 200)
    const code = yield* codeOf
    assert.notInclude(page.text, code)
    const refused = yield* withoutPasswords(Workspace.request("POST", "/setup", { fields: fields(code) }))
    assert.strictEqual(refused.status, 503)
    assert.strictEqual(refused.headers.get("retry-after"), "5")
    assert.include(refused.text, "The organization was not created.</strong> Too many passwords are being checked")
    assert.include(refused.text, 'value="grace@example.com"')
    const response = yield* Workspace.request("POST", "/setup", {
      fields: fields(` ${code} `, { time_zone: "Europe/Berlin" }),
    })
    assert.strictEqual(response.location, "/home")
    const cookie = response.cookies[0]?.split(";")[0]
    assert.include((yield* Workspace.request("GET", "/submissions", { cookie })).text, "Nordlicht")
    assert.include((yield* Workspace.request("GET", "/submissions", { cookie })).text, 'data-zone="Europe/Berlin"')
    const again = yield* Workspace.request("POST", "/setup", { fields: fields(code, { email: "eve@example.com" }) })
    assert.strictEqual(again.location, "/sign-in")
    assert.deepStrictEqual(again.cookies, [])
    assert.strictEqual((yield* Workspace.request("GET", "/setup")).location, "/sign-in")
    assert.deepInclude(yield* counts, { organizations: 1, members: 1 })
    assert.strictEqual((yield* Effect.flip(codeOf))._tag, "Conflict")
    yield* Workspace.signIn("grace@example.com")
    const { sql } = yield* Database
    assert.deepStrictEqual(
      (yield* sql<{ action: string }>`select action from audit_log order by id`).map(({ action }) => action),
      ["organization.create", "member.create"],
    )
  }).pipe(provide),
)

it.effect("refuses a wrong code, another site and invalid fields, and keeps the typed values", () =>
  Effect.gen(function* () {
    const code = yield* codeOf
    for (const wrong of ["", "AAAAAAAAAAAAAAAAAAAAAA", `${code}A`, code.slice(0, -2), Settings.hostile]) {
      const answer = yield* Workspace.request("POST", "/setup", { fields: fields(wrong) })
      assert.strictEqual(answer.status, 422)
      assert.include(answer.text, "The code is not the one")
      assert.include(answer.text, "grace@example.com")
    }
    const faulty = fields(code, { organization: " ", email: "grace", password: "short", name: Settings.hostile })
    const answer = yield* Workspace.request("POST", "/setup", { fields: faulty })
    assert.strictEqual(answer.status, 422)
    for (const name of ["organization", "email", "password"]) assert.include(answer.text, `id="${name}-error"`)
    assert.notInclude(answer.text, "<img")
    assert.notInclude(answer.text, "short")
    const foreign = yield* Workspace.request("POST", "/setup", {
      fields: fields(code),
      headers: { origin: "https://evil.example" },
    })
    assert.strictEqual(foreign.status, 403)
    assert.deepInclude(yield* counts, { organizations: 0, members: 0 })
  }).pipe(provide),
)

it.effect("creates one organization when many forms are sent at once", () =>
  Effect.gen(function* () {
    const code = yield* codeOf
    const all = yield* Effect.forEach(
      Array.from({ length: 6 }, (_, i) => `owner${i}@example.com`),
      (email) => Workspace.request("POST", "/setup", { fields: fields(code, { email }) }),
      { concurrency: "unbounded" },
    )
    assert.lengthOf(
      all.filter(({ location }) => location === "/home"),
      1,
    )
    assert.deepInclude(yield* counts, { organizations: 1, members: 1 })
  }).pipe(provide),
)

it.effect("closes the page when a command has created an organization", () =>
  Effect.gen(function* () {
    const code = yield* codeOf
    yield* (yield* Organizations).create("Made by a command")
    assert.strictEqual((yield* Workspace.request("POST", "/setup", { fields: fields(code) })).location, "/sign-in")
    assert.deepInclude(yield* counts, { organizations: 1, members: 0 })
  }).pipe(provide),
)
