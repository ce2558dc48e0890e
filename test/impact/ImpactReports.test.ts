/** Reports of impact ratios: their numbers, who may make and read them, and what they and other pages never show. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { operator } from "../../src/accounts/Viewer.ts"
import { maxReportsPerDay } from "../../src/impact/ImpactReports.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { People } from "../../src/privacy/People.ts"
import { CandidateId } from "../../src/values/Ids.ts"
import { fieldsOf, signedIn, withFields } from "../support/Members.ts"
import * as Settings from "../support/Settings.ts"
import { type Group, people } from "./people.ts"

const href = "/settings/impact-ratios"

const unknown = "00000000-0000-7000-8000-000000000000"

type Browser = ReturnType<typeof Settings.as>

const begin = Effect.gen(function* () {
  const { admin, organization, ...rest } = yield* Settings.begin
  const browser = Settings.as(admin)
  const add = (group: Group, set = organization.set.id) => people(organization.id, set, group)
  return { ...rest, organization, browser, add }
})

/** The form's answer. */
const send = Effect.fnUntraced(function* (browser: Browser, changes: Readonly<Record<string, string>> = {}) {
  const form = fieldsOf((yield* browser.get(href)).text, href)
  return yield* browser.post(
    href,
    withFields(form, { from: "2026-09", to: "2026-10", outcome: "advanced", ...changes }),
  )
})

const make = Effect.fnUntraced(function* (browser: Browser, changes: Readonly<Record<string, string>> = {}) {
  const { location } = yield* send(browser, changes)
  assert.match(location ?? "", /^\/settings\/impact-ratios\/[\da-f-]{36}$/)
  const csv = (yield* browser.get(`${location}/csv`)).text.replace(/^\ufeff/, "")
  return { path: location ?? "", text: (yield* browser.get(location ?? "")).text, csv }
})

/** The rows of a table, as cells of text. */
const rowsOf = (page: string, table: string): ReadonlyArray<string> => {
  const [, section = ""] = page.split(`<h2 id="${table}">`)
  const [body = ""] = section.split("<h2 ")
  return [...body.matchAll(/<tr><th scope="row">(.*?)<\/tr>/gs)].map(([, row = ""]) =>
    row
      .replaceAll(/<\/t[hd]>\s*/g, "|")
      .replaceAll(/<[^>]+>/g, "")
      .replaceAll(/\|$/g, ""),
  )
}

layer(Settings.layer())("reports of impact ratios", (test) => {
  test.effect("have the rates, ratios and marks of each category, on the page and as CSV", () =>
    Effect.gen(function* () {
      const { add, browser, owner } = yield* begin
      yield* add({ count: 40, sex: "female", ethnicity: "white", decision: "advance" })
      yield* add({ count: 60, sex: "female", ethnicity: "white", decision: "reject" })
      yield* add({ count: 60, sex: "male", ethnicity: "black", decision: "advance" })
      yield* add({ count: 40, sex: "male", ethnicity: "black" })
      yield* add({ count: 12, decision: "advance" })
      // in other months, and answered too late
      yield* add({ count: 9, sex: "female", decision: "advance", at: "2026-08-31T23:59:59Z" })
      yield* add({ count: 9, sex: "female", decision: "advance", at: "2026-11-01T00:00:00Z" })
      yield* add({ count: 8, sex: "female", decision: "reject", answered: "2026-11-01" })
      const { csv, path, text } = yield* make(browser)
      assert.deepStrictEqual(rowsOf(text, "sex"), [
        "Female|100|40|40.0 %|0.667|Below four fifths|p = 0.007, hardly chance",
        "Male|100|60|60.0 %|1.000|Highest rate|–",
      ])
      assert.deepStrictEqual(rowsOf(text, "crossed"), [
        "Female, White (not Hispanic or Latino)|100|40|40.0 %|0.667|Below four fifths|p = 0.007, hardly chance",
        "Male, Black or African American (not Hispanic or Latino)|100|60|60.0 %|1.000|Highest rate|–",
      ])
      for (const part of [
        "All interview sets</bdi>, September 2026 to October 2026",
        "<dt>People</dt><dd>220</dd>",
        "<dt>Selected</dt><dd>112</dd>",
        "Unknown: 20",
        "not legal advice",
        "29 CFR 1607.4 D",
        "Not shown: 1 category",
      ])
        assert.include(text, part)
      for (const line of [
        "Table,Category,People,Selected,Rate,Impact ratio,Four-fifths rule,p,Remark",
        "Sex,Female,100,40,0.4,0.667,Below four fifths,0.0071,",
        "Sex,Male,100,60,0.6,1,Highest rate,,",
        "Sex,Unknown,20,,,,,,",
        "Sex,Another,,,,,,,Not shown",
        "Report,Interview set,,,,,,,All interview sets",
      ])
        assert.include(csv, `${line}\r\n`)
      // the same for another owner, and in the list
      assert.strictEqual((yield* Settings.as(owner).get(path)).text.includes("Below four fifths"), true)
      assert.include((yield* browser.get(href)).text, `href="${path}"`)
    }),
  )

  test.effect("count scores above the median, and hiding stages or later ones", () =>
    Effect.gen(function* () {
      const { add, browser, organization } = yield* begin
      const { sql } = yield* Database
      const stages = yield* sql<{ id: string }>`
        select id from hiring_stage where organization_id = ${organization.id}::int order by position`
      const [phone = "", site = ""] = stages.map(({ id }) => id)
      yield* add({ count: 20, sex: "female", score: 8, stage: site })
      yield* add({ count: 20, sex: "female", score: 5, stage: phone })
      yield* add({ count: 10, sex: "male", score: 8 })
      yield* add({ count: 30, sex: "male", score: 5, stage: phone })
      yield* add({ count: 10, sex: "male" })
      const scored = yield* make(browser, { outcome: "scored" })
      assert.include(scored.text, "Above the median")
      assert.deepStrictEqual(
        rowsOf(scored.text, "sex").map((row) => row.split("|").slice(0, 5).join("|")),
        ["Female|40|20|50.0 %|1.000", "Male|40|10|25.0 %|0.500"],
      )
      const reached = yield* make(browser, { outcome: phone })
      assert.include(reached.text, "Reached “Phone call”")
      assert.deepStrictEqual(
        rowsOf(reached.text, "sex").map((row) => row.split("|").slice(0, 4).join("|")),
        ["Female|40|40|100.0 %", "Male|50|30|60.0 %"],
      )
    }),
  )

  test.effect("show no number of fewer than five people, nor one that reveals it", () =>
    Effect.gen(function* () {
      const { add, browser } = yield* begin
      for (const decision of ["advance", "reject"] as const) {
        yield* add({ count: 20, sex: "female", own: "Yes", decision })
        yield* add({ count: 30, sex: "male", own: "No", decision })
      }
      yield* add({ count: 3, sex: "another", own: "No", decision: "advance" })
      const { csv, text } = yield* make(browser)
      assert.deepStrictEqual(rowsOf(text, "sex"), ["Male|60|30|50.0 %|1.000|Highest rate|–"])
      assert.include(text, "Not shown: 2 categories")
      assert.include(text, "Fewer than 5 people")
      for (const line of ["Sex,Female,,,,,,,Not shown", "Sex,Another,,,,,,,Not shown"]) assert.include(csv, line)
    }),
  )

  test.effect("hide what a withdrawn answer or an erased person would reveal beside an earlier report", () =>
    Effect.gen(function* () {
      const { add, browser, organization } = yield* begin
      const { sql } = yield* Database
      for (const decision of ["advance", "reject"] as const) {
        yield* add({ count: 30, sex: "male", decision })
        yield* add({ count: 20, sex: "another", decision })
      }
      const women = yield* add({ count: 40, sex: "female", decision: "advance" })
      const first = yield* make(browser)
      assert.lengthOf(rowsOf(first.text, "sex"), 3)
      const [withdrawn, erased] = women
      yield* sql`delete from self_identification where submission_id = ${withdrawn ?? null}::uuid`
      const second = yield* make(browser)
      // none, because a single one would be the answer of the person who withdrew it
      assert.deepStrictEqual(rowsOf(second.text, "sex"), [])
      // also of one set, or a month less, if these are the same people
      const part = yield* make(browser, { to: "2026-09", set: organization.set.id })
      assert.deepStrictEqual(rowsOf(part.text, "sex"), [])
      const [person] = yield* sql<{ candidate_id: string }>`
        select candidate_id from submission where id = ${erased ?? null}::uuid`
      yield* (yield* People).erase(operator(organization.id), CandidateId.make(person?.candidate_id ?? ""))
      const third = yield* make(browser)
      assert.deepStrictEqual(rowsOf(third.text, "sex"), [])
      assert.include(third.text, "<dt>People</dt><dd>140</dd>")
      // with more people, only the categories that differ by few
      yield* add({ count: 10, sex: "male", decision: "reject", at: "2026-08-15T12:00:00Z" })
      const longer = yield* make(browser, { from: "2026-08" })
      assert.deepStrictEqual(
        rowsOf(longer.text, "sex").map((row) => row.split("|")[0]),
        ["Male"],
      )
      // a report keeps its numbers
      assert.strictEqual((yield* browser.get(first.path)).text, first.text)
    }),
  )

  test.effect("are made by owners and admins only, and noted", () =>
    Effect.gen(function* () {
      const { add, browser, foreigner, organization, recruiter } = yield* begin
      yield* add({ count: 10, sex: "female" })
      const { path } = yield* make(browser)
      const reviewer = yield* signedIn(organization.id, "reviewer")
      for (const member of [recruiter, reviewer]) {
        const refused = Settings.as(member)
        for (const page of [href, path, `${path}/csv`]) assert.strictEqual((yield* refused.get(page)).status, 403)
        assert.strictEqual((yield* refused.post(href, { from: "2026-09", to: "2026-09" })).status, 403)
      }
      for (const page of [path, `${path}/csv`])
        assert.strictEqual((yield* Settings.as(foreigner).get(page)).status, 404)
      assert.notInclude((yield* Settings.as(foreigner).get(href)).text, path)
      const entries = yield* Settings.audit(organization.id)
      assert.deepInclude(
        entries.map(({ action, detail }) => ({ action, detail })),
        {
          action: "organization.make_impact_report",
          detail: { set: "all", from: "2026-09", to: "2026-10", outcome: "advanced" },
        },
      )
    }),
  )

  test.effect("are refused for months that are not over, few people, unknown choices, and beyond a day's number", () =>
    Effect.gen(function* () {
      const { add, browser, organization } = yield* begin
      const { sql } = yield* Database
      assert.include((yield* browser.get(href)).text, "open this page in December 2026")
      yield* add({ count: 4, sex: "female" })
      const cases: ReadonlyArray<readonly [Record<string, string>, string]> = [
        [{}, "The last month gives fewer than 5 people"],
        [{ to: "2026-11" }, "The last month must be a whole past month"],
        [{ from: "constructor" }, "The first month must be a whole past month"],
        [{ from: "2026-10", to: "2026-09" }, "The last month must not be before the first one"],
        [{ set: unknown }, "The interview set was not found"],
        [{ outcome: unknown }, "The outcome must be one of the list"],
      ]
      for (const [changes, message] of cases) {
        const refused = yield* send(browser, changes)
        assert.strictEqual(refused.status, 422)
        assert.include(refused.text, message)
      }
      yield* add({ count: 4, sex: "female" })
      yield* make(browser)
      yield* sql`
        insert into impact_report (id, organization_id, first_month, last_month, stage, names, content, made_at)
        select gen_random_uuid(), ${organization.id}::int, first_month, last_month, stage, names, content, made_at
        from impact_report, generate_series(2, ${maxReportsPerDay}::int) where organization_id = ${organization.id}::int`
      const many = yield* send(browser)
      assert.strictEqual(many.status, 409)
      assert.include(many.text, `has made ${maxReportsPerDay} reports in the last 24 hours`)
    }),
  )
})
