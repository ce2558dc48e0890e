/** Settings → Hiring stages: adding, renaming, ordering and archiving, and two members at once. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../src/platform/database/Database.ts"
import { fieldsOf, get, post, signedIn, withFields } from "../support/Members.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Settings from "../support/Settings.ts"

const begin = Effect.gen(function* () {
  const organization = yield* Scenario.organization()
  const { cookie } = yield* signedIn(organization.id, "admin")
  const { sql } = yield* Database
  const stored = sql<{ id: string; name: string; decision: string | null }>`
    select id, name, decision from hiring_stage
    where organization_id = ${organization.id}::int and archived_at is null order by position`
  const names = Effect.map(stored, (rows) =>
    rows.map(({ decision, name }) => [name, decision].filter(Boolean).join(" ")),
  )
  const idOf = (name: string) =>
    Effect.map(stored, (rows) => rows.find((one) => one.name === name)?.id ?? assert.fail(name))
  return { organization, cookie, names, idOf, sql }
})

const href = "/settings/stages"

layer(Settings.layer())("the settings of hiring stages", (it) => {
  it.effect("adds stages, with the error at its field and nothing typed lost", () =>
    Effect.gen(function* () {
      const { cookie, names } = yield* begin
      const { text } = yield* get(href, cookie)
      const fields = fieldsOf(text, href)
      const hired = withFields(fields, { name: "Hired", decision: "advance" })
      for (const _ of ["once", "again"]) {
        assert.strictEqual((yield* post(href, cookie, hired)).location, `${href}?done=added`)
      }
      assert.deepStrictEqual(yield* names, ["Phone call", "On site", "Offer", "Hired advance"])
      const again = withFields(fieldsOf((yield* get(href, cookie)).text, href), { name: "OFFER", decision: "hold" })
      const refused = yield* post(href, cookie, again)
      assert.strictEqual(refused.status, 422)
      assert.include(refused.text, "The name is the name of another stage.")
      assert.deepInclude(fieldsOf(refused.text, href), ["name", "OFFER"])
      assert.deepInclude(fieldsOf(refused.text, href), ["decision", "hold"])
    }),
  )

  it.effect("exchanges neighbours, and refuses an order that has changed", () =>
    Effect.gen(function* () {
      const { cookie, idOf, names } = yield* begin
      const order = { before: yield* idOf("Phone call"), after: yield* idOf("On site") }
      assert.strictEqual((yield* post(`${href}/exchange`, cookie, order)).location, `${href}?done=ordered`)
      const refused = yield* post(`${href}/exchange`, cookie, order)
      assert.strictEqual(refused.status, 409)
      assert.include(refused.text, "another member has changed the stages since you opened the page")
      assert.deepStrictEqual(yield* names, ["On site", "Phone call", "Offer"])
    }),
  )

  it.effect("renames a stage, and keeps what was typed when another member was faster", () =>
    Effect.gen(function* () {
      const { cookie, idOf, names } = yield* begin
      const action = `${href}/${yield* idOf("On site")}`
      const fields = fieldsOf((yield* get(action, cookie)).text, action)
      const saved = yield* post(action, cookie, withFields(fields, { name: "Visit", decision: "hold" }))
      assert.strictEqual(saved.location, `${href}?done=saved`)
      const refused = yield* post(action, cookie, withFields(fields, { name: "Half a day" }))
      assert.strictEqual(refused.status, 409)
      assert.include(refused.text, "another member has changed the stages")
      const shown = fieldsOf(refused.text, action)
      assert.deepInclude(shown, ["name", "Half a day"])
      assert.deepInclude(shown, ["seen_name", "Visit"])
      assert.deepStrictEqual(yield* names, ["Phone call", "Visit hold", "Offer"])
      assert.strictEqual((yield* post(action, cookie, shown)).status, 303)
      assert.deepStrictEqual(yield* names, ["Phone call", "Half a day", "Offer"])
    }),
  )

  it.effect("says how many candidates an archived stage has, and moves them where the member chooses", () =>
    Effect.gen(function* () {
      const { cookie, idOf, names, organization, sql } = yield* begin
      const { subject } = yield* Scenario.invited(organization)
      const [call, offer] = [yield* idOf("Phone call"), yield* idOf("Offer")]
      yield* sql`update submission set stage_id = ${call}::uuid where id = ${subject.submission_id}::uuid`
      const { text } = yield* get(`${href}/${call}`, cookie)
      assert.include(text, "1 candidate is in this stage.")
      const action = `${href}/${call}/archive`
      const archived = yield* post(action, cookie, withFields(fieldsOf(text, action), { into: offer }))
      assert.strictEqual(archived.location, `${href}?done=archived`)
      assert.deepStrictEqual(yield* names, ["On site", "Offer"])
      assert.include((yield* get(`${href}/${offer}`, cookie)).text, "1 candidate is in this stage.")
      assert.strictEqual((yield* get(`${href}/${call}`, cookie)).status, 404)
      const timeline = (yield* get(`/submissions/${subject.submission_id}`, cookie)).text
      assert.include(timeline, "Moved to <bdi>Offer</bdi> by")
    }),
  )
})
