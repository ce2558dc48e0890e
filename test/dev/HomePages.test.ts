/** The first page of `npm start`: one click opens the sample or the own workspace. */
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import * as App from "../../src/App.ts"
import { Organizations } from "../../src/accounts/Organizations.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { memberEmail } from "../../src/dev/pages/HomePage.ts"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { Samples } from "../../src/sample/Samples.ts"
import * as Api from "../support/Api.ts"
import { settings } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Workspace from "../support/Workspace.ts"

const dataDir = ConfigProvider.layer(ConfigProvider.fromEnvRecord({ DATA_DIR: "/srv/trial data" }))

const stage = Api.Server.layer.pipe(
  Layer.provide(
    App.serve(Layer.merge(App.pages, App.dev).pipe(Layer.provide(App.trialPlaces), Layer.provide(dataDir))),
  ),
  Layer.provideMerge(Pod.layer({ settings })),
)

const open = (path: string, headers: Record<string, string> = {}) => Workspace.request("POST", path, { headers })

const cookieOf = ({ cookies }: { readonly cookies: ReadonlyArray<string> }) => cookies[0]?.split(";")[0]

layer(stage)("the first page of npm start", (it) => {
  it.effect("signs in to the own workspace and to the sample, and removes the sample", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const samples = yield* Samples
      const own = yield* Scenario.organization()
      yield* Workspace.member(own.id, memberEmail)
      const first = () => Workspace.request("GET", "/")

      assert.include((yield* first()).text, "DATA_DIR=&#39;/srv/trial data&#39; npx node src/main.ts sample add")
      assert.strictEqual((yield* open("/try/sample")).location, "/")

      const sample = yield* samples.create
      const filling = yield* first()
      assert.include(filling.text, "being filled")
      assert.strictEqual(filling.headers.get("refresh"), "3")
      assert.notInclude(filling.text, `action="/try/sample"`)
      yield* Workspace.member(sample, "maya@sample.example")
      assert.include((yield* first()).text, `action="/try/sample"`)
      yield* sql`update organization set sample = 'ready' where id = ${sample}::int`
      const ready = yield* first()
      assert.isNull(ready.headers.get("refresh"))
      assert.include(ready.text, `action="/try/sample/remove"`)

      const opened = yield* open("/try/sample")
      assert.deepStrictEqual([opened.status, opened.location], [303, "/home"])
      const home = yield* Workspace.request("GET", "/home", { cookie: cookieOf(opened) })
      assert.include(home.text, "This is a sample")
      const back = yield* open("/try/own")
      const ownHome = yield* Workspace.request("GET", "/home", { cookie: cookieOf(back) })
      assert.include(ownHome.text, memberEmail)
      assert.include(ownHome.text, `<a href="/mailbox">mailbox</a>`)
      assert.notInclude(ownHome.text, "This is a sample")

      assert.strictEqual((yield* open("/try/sample/remove")).location, "/")
      assert.isUndefined(yield* samples.find)
      assert.strictEqual((yield* open("/try/sample/remove")).location, "/")
      assert.strictEqual((yield* Workspace.request("GET", "/home", { cookie: cookieOf(back) })).status, 200)
    }),
  )

  it.effect("refuses its forms from another site", () =>
    Effect.gen(function* () {
      const id = yield* (yield* Samples).create
      for (const path of ["/try/own", "/try/sample", "/try/sample/remove"]) {
        const { cookies, status } = yield* open(path, { origin: "https://evil.example" })
        assert.deepStrictEqual([status, cookies], [403, []], path)
      }
      assert.strictEqual((yield* (yield* Samples).find)?.id, id)
      yield* (yield* Samples).remove(id)
    }),
  )

  it.effect("lists emails of the sample apart from others", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const ofSample = yield* Scenario.organization()
      yield* Scenario.invited(ofSample, "sam@sample.example")
      yield* Scenario.invited(yield* Scenario.organization(), "olu@own.example")
      yield* sql`update organization set sample = 'ready' where id = ${ofSample.id}::int`
      yield* runOnce((yield* EmailQueue).queue)
      const lists = [yield* Workspace.request("GET", "/mailbox"), yield* Workspace.request("GET", "/mailbox/sample")]
      assert.deepStrictEqual(
        lists.map(({ text }) => ["sam@sample.example", "olu@own.example"].filter((one) => text.includes(one))),
        [["olu@own.example"], ["sam@sample.example"]],
      )
    }),
  )

  it.effect("marks emails of test mode in the mailbox", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const organization = yield* Scenario.organization()
      const space = yield* (yield* Organizations).openTestSpace(operator(organization.id))
      yield* sql`
        insert into email (id, organization_id, kind, recipient, subject, html, text, state, due_at, sent_at)
        select gen_random_uuid(), id, 'member_invitation', 'mia@example.com', 'For ' || id, '<p>x</p>', 'x', 'sent', null, now()
        from organization where id in (${organization.id}::int, ${space}::int)`
      const { text } = yield* Workspace.request("GET", "/mailbox")
      assert.include(text, `<span class="tag off">Test mode</span> For ${space}<`)
      assert.include(text, `<span class="row-text" dir="auto">For ${organization.id}<`)
    }),
  )
})
