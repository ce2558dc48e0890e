/** Reasons of an organization: the settings, a rejection and a candidate who declines. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../src/platform/database/Database.ts"
import { fieldsOf, get, post, signedIn, withFields } from "../support/Members.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Settings from "../support/Settings.ts"
import * as Workspace from "../support/Workspace.ts"

const href = "/settings/reasons"

layer(Settings.layer())("the reasons of an organization", (it) => {
  it.effect("are lines, and a save of an outdated form is refused without a loss", () =>
    Effect.gen(function* () {
      const { id } = yield* Scenario.organization()
      const { cookie } = yield* signedIn(id)
      const fields = fieldsOf((yield* get(href, cookie)).text, href)
      const saved = withFields(fields, {
        reject_reasons: " Salary \r\n\r\nSkills\r\nSalary",
        decline_reasons: "No time",
      })
      assert.strictEqual((yield* post(href, cookie, saved)).location, `${href}?done=saved`)
      const now = fieldsOf((yield* get(href, cookie)).text, href)
      assert.deepInclude(now, ["reject_reasons", "Salary\nSkills"])
      const stale = yield* post(href, cookie, withFields(fields, { reject_reasons: "Other" }))
      assert.strictEqual(stale.status, 409)
      assert.include(stale.text, "Saved are, for rejecting: Salary; Skills.")
      assert.deepInclude(fieldsOf(stale.text, href), ["reject_reasons", "Other"])
      const long = yield* post(href, cookie, withFields(now, { decline_reasons: "x".repeat(101) }))
      assert.strictEqual(long.status, 422)
      assert.include(long.text, "The list must have at most 100 characters.")
    }),
  )

  it.effect("are offered for a rejection, and to a candidate who declines", () =>
    Effect.gen(function* () {
      const organization = yield* Scenario.organization()
      const { cookie } = yield* signedIn(organization.id)
      const { sql } = yield* Database
      yield* sql`
        update organization set reject_reasons = '{Salary}', decline_reasons = '{No time}' where id = ${organization.id}::int`
      const { subject, token } = yield* Scenario.invited(organization)
      const page = `/submissions/${subject.submission_id}`
      assert.include((yield* get(page, cookie)).text, "<option>Salary</option>")
      const rejection = { decision: "reject", changes: "0", common: "Salary", reason: "Far above the range" }
      assert.strictEqual((yield* post(`${page}/decision`, cookie, rejection)).status, 303)
      assert.include((yield* get(page, cookie)).text, "Salary – Far above the range")
      const form = `/i/${token}/decline`
      assert.include((yield* Workspace.request("GET", form)).text, 'value="No time"')
      yield* Workspace.request("POST", form, { fields: { choice: "No time", reason: "Sorry" } })
      const [row] = yield* sql<{ status: string; decline_reason: string }>`
        select status, decline_reason from submission where id = ${subject.submission_id}::uuid`
      assert.deepStrictEqual({ ...row }, { status: "withdrawn", decline_reason: "No time – Sorry" })
      assert.include((yield* get(page, cookie)).text, "Reason: <bdi>No time – Sorry</bdi>")
    }),
  )
})
