/** What browsers get when the service cannot answer a request: pages. Programs get problems. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, References } from "effect"
import { HttpRouter } from "effect/http"
import { inject } from "vitest"
import * as App from "../../../src/App.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import { catalogues, type Language } from "../../../src/texts/Texts.ts"
import * as Api from "../../support/Api.ts"
import { execute } from "../../support/databases.ts"
import * as Pod from "../../support/Pod.ts"
import * as Scenario from "../../support/Scenario.ts"
import { problem } from "../../support/Specification.ts"
import * as Workspace from "../../support/Workspace.ts"

const defect = HttpRouter.use((router) => router.add("GET", "/defect", Effect.die(new Error("a bug"))))

const service = Api.Server.layer.pipe(
  Layer.provide(App.serve(Layer.mergeAll(App.api, App.pages, defect))),
  Layer.provideMerge(Pod.layer({ settings: { PORT: "0" } })),
  Layer.provide(Layer.succeed(References.MinimumLogLevel, "None")),
)

type Page = Effect.Success<ReturnType<typeof Workspace.request>>

const isPage = ({ headers, status, text }: Page, expected: number, language: Language = "en") => {
  assert.strictEqual(status, expected, text)
  assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8")
  assert.include(headers.get("content-security-policy") ?? "", "default-src 'none'")
  assert.strictEqual(headers.get("cache-control"), "no-store")
  assert.include(text, `<html lang="${language}">`)
  assert.notMatch(text, /database|cell|problem|500|503/i)
}

const isUnavailable = (page: Page, language: Language = "en") => {
  isPage(page, 503, language)
  assert.strictEqual(page.headers.get("retry-after"), "5")
  assert.include(page.text, `<h1>${catalogues[language].failure.unavailable}</h1>`)
}

const asProgram = { headers: { accept: "*/*" } }

describe("A browser", () => {
  it.live("gets pages with 503 and Retry-After while the database is down", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const invited = yield* Scenario.invited(yield* Scenario.organization())
      const { email } = yield* Workspace.member(invited.organization)
      const { cookie } = yield* Workspace.signIn(email)
      const { key } = yield* Api.keyOf(invited.organization)
      const [row] = yield* sql<{ name: string }>`select current_database() as name`
      yield* execute(inject("postgres").url, `drop database ${row?.name} with (force)`)
      const interview = `/i/${invited.token}`
      const { again, resend } = catalogues.en.failure
      for (const [path, options] of [
        ["/sign-in", {}],
        ["/submissions", { cookie }],
        [interview, {}],
      ] as const) {
        const page = yield* Workspace.request("GET", path, options)
        isUnavailable(page)
        assert.include(page.text, `href="">${again}</a>`)
      }
      const form = yield* Workspace.request("POST", `${interview}/start`, { fields: {} })
      isUnavailable(form)
      assert.include(form.text, resend)
      assert.notInclude(form.text, again)
      isUnavailable(yield* Workspace.request("GET", interview, { headers: { "accept-language": "de-AT,en" } }), "de")
      for (const path of ["/sign-in", interview]) problem(yield* Api.call("GET", path, asProgram), 503, "unavailable")
      const api = Api.call("GET", "/company/integration/events/v1", { key, headers: { accept: "text/html" } })
      problem(yield* api, 503, "unavailable")
    }).pipe(Effect.provide(service, { local: true })),
  )

  it.live("gets pages with 503 for an organization that moves to another cell", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { organization, token } = yield* Scenario.invited(yield* Scenario.organization())
      const { email } = yield* Workspace.member(organization)
      const { cookie } = yield* Workspace.signIn(email)
      yield* sql`insert into organization_move (organization_id, state) values (${organization}, 'moved')`
      isUnavailable(yield* Workspace.request("GET", "/submissions", { cookie }))
      isUnavailable(yield* Workspace.request("GET", `/i/${token}`))
      const { body } = yield* Api.call("GET", `/i/${token}`, asProgram)
      assert.propertyVal(body, "detail", "the organization is being moved to another cell: try again in 5 seconds")
    }).pipe(Effect.provide(service, { local: true })),
  )

  it.live("gets a page with 403 for a form of another site", () =>
    Effect.gen(function* () {
      const foreign = { origin: "https://attacker.example" }
      const page = yield* Workspace.request("POST", "/sign-in", { fields: {}, headers: foreign })
      isPage(page, 403)
      assert.include(page.text, `<h1>${catalogues.en.failure.foreign}</h1>`)
      const program = {
        headers: { ...foreign, ...asProgram.headers, "content-type": "application/x-www-form-urlencoded" },
      }
      problem(yield* Api.call("POST", "/sign-in", program), 403, "bad_request")
    }).pipe(Effect.provide(service, { local: true })),
  )

  it.live("gets a page with 500 for an unexpected error", () =>
    Effect.gen(function* () {
      const page = yield* Workspace.request("GET", "/defect")
      isPage(page, 500)
      assert.include(page.text, `<h1>${catalogues.en.failure.failed}</h1>`)
      assert.notInclude(page.text, "bug")
      problem(yield* Api.call("GET", "/defect", asProgram), 500, "internal_error")
    }).pipe(Effect.provide(service, { local: true })),
  )
})
