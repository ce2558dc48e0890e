/** Forms of pages that were opened in one mode, sent while the session is in the other (docs/test-mode.md). */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../src/platform/database/Database.ts"
import * as Settings from "../support/Settings.ts"
import * as Workspace from "../support/Workspace.ts"

const keysHref = "/settings/integrations/api-keys"

const actionsOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/<form method="post" action="([^"]*)"/g)].map(([, action = ""]) => action.replaceAll("&amp;", "&"))

layer(Settings.layer())("a form of live mode", (it) => {
  it.effect("changes nothing of the test space after test mode was entered in another tab", () =>
    Effect.gen(function* () {
      const { organization, owner } = yield* Settings.begin
      const { sql } = yield* Database
      const browser = Settings.as(owner)
      const { text } = yield* browser.get(`${keysHref}/new`)
      const action = actionsOf(text).find((one) => one.startsWith(keysHref)) ?? ""
      const fields = { id: Settings.hidden(text, "id"), name: "CI", description: "", access: "all", expires_at: "" }

      yield* browser.post("/test-mode/enter")
      const refused = yield* browser.post(action, fields)
      assert.strictEqual(refused.status, 409)
      assert.include(refused.text, "You have entered test mode")
      assert.lengthOf(yield* sql`select from api_key where name = 'CI'`, 0)
      // the switch and the account mean the same in both modes
      assert.strictEqual((yield* browser.post("/test-mode/enter")).status, 303)
      assert.strictEqual((yield* browser.post("/account/name", { name: "Grace" })).status, 303)

      const leave = actionsOf(refused.text).find((one) => one.startsWith("/test-mode/leave")) ?? ""
      yield* browser.post(leave)
      assert.match((yield* browser.post(action, fields)).text, /iv_live_/)
      assert.lengthOf(
        yield* sql`select from api_key where organization_id = ${organization.id}::int and name = 'CI'`,
        1,
      )
    }),
  )

  it.effect("of a script is of the mode of its page", () =>
    Effect.gen(function* () {
      const { owner } = yield* Settings.begin
      const browser = Settings.as(owner)
      assert.include((yield* browser.get("/interview-sets/new")).text, 'data-draft="/interview-sets/drafts"')
      yield* browser.post("/test-mode/enter")
      assert.include((yield* browser.get("/interview-sets/new")).text, 'data-draft="/interview-sets/drafts?mode=test"')
    }),
  )
})

layer(Settings.layer())("a form of test mode", (it) => {
  it.effect("changes nothing of the organization after test mode was left in another tab or by another sign-in", () =>
    Effect.gen(function* () {
      const { organization, owner } = yield* Settings.begin
      const { sql } = yield* Database
      const browser = Settings.as(owner)
      yield* browser.post("/test-mode/enter")
      const { text } = yield* browser.get(`${keysHref}/new`)
      const action = actionsOf(text).find((one) => one.startsWith(keysHref)) ?? ""
      const fields = { id: Settings.hidden(text, "id"), name: "CI", description: "", access: "all", expires_at: "" }
      const liveKeys = sql`select from api_key where organization_id = ${organization.id}::int and name = 'CI'`

      yield* browser.post("/test-mode/leave")
      const again = yield* Workspace.signIn(owner.email)
      for (const member of [owner, again]) {
        const refused = yield* Settings.as(member).post(action, fields)
        assert.strictEqual(refused.status, 409)
        assert.include(refused.text, "You have left test mode")
      }
      assert.lengthOf(yield* liveKeys, 0)

      yield* browser.post("/test-mode/enter")
      assert.match((yield* browser.post(action, fields)).text, /iv_test_/)
      assert.lengthOf(yield* liveKeys, 0)
    }),
  )

  it.effect("may leave test mode again, and change the account, which is the same in both modes", () =>
    Effect.gen(function* () {
      const { owner } = yield* Settings.begin
      const browser = Settings.as(owner)
      yield* browser.post("/test-mode/enter")
      const actions = actionsOf((yield* browser.get("/account")).text)
      yield* browser.post("/test-mode/leave")
      for (const path of ["/test-mode/leave", "/account/name"]) {
        const action = actions.find((one) => one.startsWith(path)) ?? ""
        assert.strictEqual((yield* browser.post(action, { name: "Grace" })).status, 303, path)
      }
    }),
  )
})
