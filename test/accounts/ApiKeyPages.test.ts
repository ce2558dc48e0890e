/** Settings → Integrations → API keys over real HTTP, as in a browser without scripts. */

import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { ApiKeys } from "../../src/accounts/api-keys/ApiKeys.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { Database } from "../../src/platform/database/Database.ts"
import type { OrganizationId } from "../../src/values/Ids.ts"
import * as Api from "../support/Api.ts"
import { passingTime } from "../support/passingTime.ts"
import * as Settings from "../support/Settings.ts"
import * as Workspace from "../support/Workspace.ts"

const base = "/settings/integrations/api-keys"
const value = /iv_live_[a-z0-9]{8}\.[\w-]{43}/

const listed = Effect.fnUntraced(function* (organization: OrganizationId) {
  return yield* (yield* ApiKeys).list(operator(organization))
})

/** Creates a key with the form; returns it with the page that showed its value. */
const create = Effect.fnUntraced(function* (
  browser: ReturnType<typeof Settings.as>,
  fields: Record<string, string> = {},
) {
  const form = yield* browser.get(`${base}/new`)
  const id = Settings.hidden(form.text, "id")
  const sent = { id, name: "ATS", description: "", access: "all", expires_at: "", ...fields }
  return { id, sent, response: yield* browser.post(base, sent) }
})

layer(Settings.layer())("the pages of API keys", (it) => {
  it.effect("creates a working key and shows its value once", () =>
    Effect.gen(function* () {
      const { organization, owner } = yield* Settings.begin
      const browser = Settings.as(owner)
      const empty = yield* browser.get(base)
      assert.include(empty.text, "No API keys yet")
      assert.include(empty.text, `href="${base}/new"`)
      const { id, response, sent } = yield* create(browser, {
        name: Settings.hostile,
        description: "Two\r\nlines",
        access: "some",
        scopes: "create_set",
        expires_at: "2099-01-31",
      })
      assert.strictEqual(response.status, 200)
      const [key = ""] = value.exec(response.text) ?? []
      const [prefix = "", secret = ""] = key.split(".")
      assert.strictEqual((yield* Api.call("GET", "/company/integration/me/v1", { key })).status, 200)
      assert.include(response.text, `X-API-Key: ${key}`)
      // a later reload creates no second key and shows no value
      yield* TestClock.adjust("30 seconds")
      const again = yield* browser.post(base, sent)
      assert.strictEqual(again.status, 409)
      assert.notMatch(again.text, value)
      const [one, ...more] = yield* listed(organization.id)
      assert.deepStrictEqual(more, [])
      assert.strictEqual(one?.id, id)
      assert.deepInclude(one, {
        name: Settings.hostile,
        description: "Two\nlines",
        scopes: ["create_set"],
        status: "active",
        expires_at: "2099-01-31T00:00:00.000Z",
      })
      const pages = yield* Effect.forEach([base, `${base}/${id}`, `${base}/${id}/delete`], browser.get)
      for (const { status, text } of pages) {
        assert.strictEqual(status, 200)
        assert.include(text, `${prefix}.****`)
        assert.notInclude(text, secret)
      }
      assert.include(pages[0]?.text, "Create interview sets</span>")
      assert.include(pages[0]?.text, "31 Jan 2099, 00:00 UTC")
      assert.notInclude(JSON.stringify(yield* Settings.audit(organization.id)), secret)
    }),
  )

  it.effect("creates one key on a double click, and both answers show its value", () =>
    Effect.gen(function* () {
      const { admin, organization, owner } = yield* Settings.begin
      const browser = Settings.as(owner)
      const id = Settings.hidden((yield* browser.get(`${base}/new`)).text, "id")
      const fields = { id, name: "ATS", description: "", access: "all", expires_at: "" }
      // a refused form creates no key and can be corrected
      assert.strictEqual((yield* browser.post(base, { ...fields, expires_at: "soon" })).status, 422)
      const send = browser.post(base, fields)
      const answers = yield* Effect.all([send, send, send], { concurrency: 3 })
      const values = answers.map(({ status, text }) => `${status} ${value.exec(text)?.[0]}`)
      assert.lengthOf(new Set(values), 1)
      assert.match(values[0] ?? "", /^200 iv_live_/)
      assert.lengthOf(yield* listed(organization.id), 1)
      assert.lengthOf(yield* Settings.audit(organization.id), 1)
      // another member does not see it
      const other = yield* Settings.as(admin).post(base, fields)
      assert.strictEqual(other.status, 409)
      assert.notMatch(other.text, value)
      // nothing stored contains it
      const [, secret = ""] = values[0]?.split(".") ?? []
      const { sql } = yield* Database
      const [kept] = yield* sql<{
        answer: Uint8Array
      }>`select response as answer from form_idempotency where form_id = ${id}::uuid`
      assert.notInclude(Buffer.from(kept?.answer ?? []).toString("latin1"), secret)
      // a deleted key is not created again
      yield* passingTime(browser.post(`${base}/${id}/delete`))
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual((yield* send).status, 409)
      assert.lengthOf(yield* listed(organization.id), 0)
    }),
  )

  it.effect("changes, deactivates, activates and deletes a key, with audit entries", () =>
    Effect.gen(function* () {
      const { admin, organization, owner } = yield* Settings.begin
      const browser = Settings.as(owner)
      const { id, response } = yield* create(browser)
      const [key = ""] = value.exec(response.text) ?? []
      const me = Api.call("GET", "/company/integration/me/v1", { key })
      const never = yield* browser.get(`${base}/${id}/delete`)
      assert.include(never.text, "never used")
      yield* me
      const { sql } = yield* Database
      yield* Effect.orDie(
        sql`update api_key set last_used_at = last_used_at - interval '30 days' where id = ${id}::uuid`,
      )
      assert.include((yield* browser.get(base)).text, "not used for 30 days")
      // until the key is looked up again
      yield* TestClock.adjust("1 second")
      yield* me
      assert.notInclude((yield* browser.get(base)).text, "not used for")
      const used = yield* browser.get(`${base}/${id}/delete`)
      assert.include(used.text, "last used less than a minute ago")

      const second = Settings.as(admin)
      const fields = { name: "CRM", description: "", access: "some", scopes: "read", status: "active" }
      const saved = yield* passingTime(second.post(`${base}/${id}`, fields))
      assert.strictEqual(saved.location, `${base}/${id}?done=saved`)
      assert.include((yield* second.get(saved.location ?? "")).text, "were saved")
      // the same change again adds no audit entry
      assert.strictEqual((yield* passingTime(second.post(`${base}/${id}`, fields))).status, 303)
      for (const [step, status] of [
        ["deactivate", 401],
        ["activate", 200],
      ] as const) {
        const answer = yield* passingTime(second.post(`${base}/${id}/${step}`))
        assert.strictEqual(answer.location, `${base}/${id}?done=${step}d`)
        assert.strictEqual((yield* me).status, status)
        assert.strictEqual((yield* second.get(`${base}/${id}/${step}`)).location, `${base}/${id}`)
      }
      const deleted = yield* passingTime(second.post(`${base}/${id}/delete`))
      assert.strictEqual(deleted.location, `${base}?done=deleted`)
      assert.strictEqual((yield* me).status, 401)
      assert.strictEqual((yield* second.post(`${base}/${id}/delete`)).location, `${base}?done=gone`)
      assert.strictEqual((yield* second.get(`${base}/${id}`)).status, 404)

      const noted = yield* Settings.audit(organization.id)
      assert.deepStrictEqual(
        noted.map(({ action, member_id, record_id }) => [action, member_id, record_id]),
        [
          ["api_key.create", owner.id, id],
          ["api_key.update", admin.id, id],
          ["api_key.update", admin.id, id],
          ["api_key.update", admin.id, id],
          ["api_key.delete", admin.id, id],
        ],
      )
      assert.deepStrictEqual(noted[1]?.detail, {
        before: { name: "ATS", scopes: [] },
        after: { name: "CRM", scopes: ["read"] },
      })
      assert.deepStrictEqual(noted[2]?.detail, { before: { status: "active" }, after: { status: "inactive" } })
    }),
  )

  it.effect("shows errors beside their fields and keeps the typed values", () =>
    Effect.gen(function* () {
      const { organization, owner } = yield* Settings.begin
      const browser = Settings.as(owner)
      const long = `${Settings.hostile}${"n".repeat(250)}`
      const wrong = [
        [{ name: long }, "name", "The name must have at most 250 characters."],
        [{ description: "d".repeat(2001) }, "description", "The description must have at most 2000 characters."],
        [{ access: "some", scopes: "everything" }, "scopes", "The access must be"],
        [{ access: "some" }, "scopes", "The access must be selected: at least one, or everything"],
        [{ expires_at: "soon" }, "expires_at", "The day must be an ISO 8601 date"],
        [{ expires_at: "2001-01-01" }, "expires_at", "The day has already begun"],
      ] as const
      for (const [fields, field, fault] of wrong) {
        const { response, sent } = yield* create(browser, { description: "kept", ...fields })
        assert.strictEqual(response.status, 422, field)
        assert.include(response.text, "Not created – ")
        assert.include(response.text, `id="${field}-error"`)
        assert.include(response.text, fault)
        assert.include(response.text, sent.description)
        // the corrected form creates the key
        assert.strictEqual(Settings.hidden(response.text, "id"), sent.id)
      }
      assert.deepStrictEqual(yield* listed(organization.id), [])
      const { id } = yield* create(browser)
      const changes = [
        [{ name: long }, "name"],
        [{ access: "some", scopes: "everything" }, "scopes"],
        [{ status: "gone" }, "status"],
      ] as const
      for (const [fields, field] of changes) {
        const answer = yield* browser.post(`${base}/${id}`, { name: "New", access: "all", status: "active", ...fields })
        assert.strictEqual(answer.status, 422)
        assert.include(answer.text, `id="${field}-error"`)
      }
      assert.strictEqual((yield* listed(organization.id))[0]?.name, "ATS")
      const without = yield* browser.post(base, { name: "ATS" })
      assert.strictEqual(without.location, `${base}/new`, "a form without an id is ignored")
      const large = yield* browser.post(base, { name: "x".repeat(3_000_000) })
      assert.strictEqual(large.status, 413)
    }),
  )

  it.effect("says who may open the settings, which recruiters do not see in their menu", () =>
    Effect.gen(function* () {
      const { owner, recruiter } = yield* Settings.begin
      assert.include((yield* Settings.as(recruiter).get(base)).text, "This is for owners and admins only")
      assert.notInclude((yield* Settings.as(recruiter).get("/submissions")).text, 'href="/settings"')
      assert.include((yield* Settings.as(owner).get("/submissions")).text, 'href="/settings"')
    }),
  )

  it.effect("does not create a key with the id of another organization's key", () =>
    Effect.gen(function* () {
      const { foreigner, organization, owner } = yield* Settings.begin
      const { id } = yield* create(Settings.as(owner))
      const before = yield* listed(organization.id)
      const sent = yield* Settings.as(foreigner).post(base, { id, name: "X", access: "all" })
      assert.strictEqual(sent.status, 409)
      assert.deepStrictEqual(yield* listed(organization.id), before)
    }),
  )

  it.effect("shows 50 keys a page", () =>
    Effect.gen(function* () {
      const { organization, owner } = yield* Settings.begin
      const keys = yield* ApiKeys
      const name = `${"&".repeat(240)}`
      yield* Effect.forEach(Array.from({ length: 101 }), () => keys.create(operator(organization.id), { name }))
      const browser = Settings.as(owner)
      const counts = yield* Effect.forEach(["", "?page=2", "?page=3", "?page=99", "?page=x"], (query) =>
        Effect.map(browser.get(`${base}${query}`), ({ text }) => text.split("<code>iv_live_").length - 1),
      )
      assert.deepStrictEqual(counts, [50, 50, 1, 1, 50])
      assert.strictEqual((yield* Workspace.request("GET", base)).location, `/sign-in?next=${encodeURIComponent(base)}`)
    }),
  )
})
