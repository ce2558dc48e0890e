/** Scores that an organization hides from members until they have sent a review, over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { Server } from "../support/Api.ts"
import * as Dossier from "../support/Dossier.ts"
import { fieldsOf, get, post, settings, signedIn, withFields } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const pages = Server.layer.pipe(
  Layer.provide(App.serve(App.pages)),
  Layer.provideMerge(Pod.layer({ settings, evaluate: Dossier.evaluate })),
  Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(Date.parse("2026-11-02T09:42:00Z")))),
)

const hiding = Effect.gen(function* () {
  const whole = yield* Dossier.whole()
  const { sql } = yield* Database
  yield* sql`update organization set hides_scores = true where id = ${whole.organization}::int`
  const { cookie } = yield* signedIn(whole.organization)
  const path = `/submissions/${whole.submission}`
  const text = (of: string) => Effect.map(get(of, cookie), (page) => page.text)
  return { ...whole, cookie, path, text }
})

/** What tells the score on each page. */
const tells = {
  page: /<span class="figure">|class="total"|class="level">|class="dots"|<strong class="tag|>Strengths<|Suggested questions|could be rated/,
  list: /<b>\d+\.\d<\/b>|role="img" aria-label="\d of/,
  csv: /,With a score,/,
  home: /<desc id="h0-d">/,
  comparison: /out of 10|class="tag (met|partly-met)"|class="dots"/,
}

layer(pages)("hidden scores", (it) => {
  it.effect("are on no page, list, comparison and export until the member has sent a review", () =>
    Effect.gen(function* () {
      const { cookie, organization, path, set, submission, text } = yield* hiding
      const { subject } = yield* Scenario.invited({ id: organization, set }, "bo@example.com")
      const all = Effect.all({
        page: text(path),
        list: text("/submissions"),
        csv: text("/submissions.csv"),
        comparison: text(`/submissions/compare?ids=${submission},${subject.submission_id}`),
        home: text("/home"),
      })
      const before = yield* all
      for (const name of ["page", "list", "csv", "comparison", "home"] as const)
        assert.notMatch(before[name], tells[name], name)
      assert.include(before.home, "Hidden until you review.")
      assert.include(before.page, "Hidden until you send your review, so that it does not sway you.")
      assert.include(before.page, "<blockquote", "quotes are texts of the candidate")
      assert.include(before.list, "<span>Hidden</span>")
      assert.include(before.comparison, "Score hidden</span>")
      assert.include(before.csv, "Hidden until you send a review")
      const review = fieldsOf(before.page, `${path}/review`)
      yield* post(`${path}/review/draft`, cookie, withFields(review, { note: "Read." }))
      assert.notMatch(yield* text(path), tells.page, "a draft is not enough")
      yield* post(`${path}/review`, cookie, withFields(fieldsOf(yield* text(path), `${path}/review`), { do: "send" }))
      const after = yield* all
      for (const name of ["page", "list", "csv", "comparison", "home"] as const)
        assert.match(after[name], tells[name], name)
    }),
  )

  it.effect("do not show by an order or filter of the list, nor by the neighbours", () =>
    Effect.gen(function* () {
      const { path, text } = yield* hiding
      for (const query of ["order=best", "order=fewest_met", "score=cannot_evaluate"]) {
        const list = yield* text(`/submissions?${query}`)
        assert.include(list, path, query)
        assert.include(list, "Submissions, last active first")
        assert.notInclude(list, "order=weakest")
      }
      assert.include(yield* text(`${path}?list=order%3Dbest`), 'href="/submissions"')
    }),
  )

  it.effect("are shown for twelve hours after the member asks, which the audit log records", () =>
    Effect.gen(function* () {
      const { cookie, organization, path, text } = yield* hiding
      const { cookie: colleague } = yield* signedIn(organization)
      const form = fieldsOf(yield* text(path), "/account/show-scores")
      const shown = yield* post("/account/show-scores", cookie, form)
      assert.strictEqual(shown.location, path)
      assert.match(yield* text(path), tells.page)
      assert.match(yield* text("/submissions?order=best"), tells.list)
      assert.notMatch((yield* get(path, colleague)).text, tells.page)
      const { sql } = yield* Database
      const entries = yield* sql`
        select 1 from audit_log where organization_id = ${organization}::int and action = 'member.show_scores'`
      assert.lengthOf(entries, 1)
      yield* TestClock.adjust("12 hours")
      assert.notMatch(yield* text(path), tells.page)
      const abroad = yield* post("/account/show-scores", cookie, { back: "https://evil.example/" })
      assert.strictEqual(abroad.location, "/submissions")
    }),
  )

  it.effect("are a setting of the organization, on by default", () =>
    Effect.gen(function* () {
      const { cookie, path, text } = yield* hiding
      const settingsPath = "/settings/organization"
      const setting = fieldsOf(yield* text(settingsPath), settingsPath)
      assert.deepInclude(setting, ["hides_scores", "yes"])
      yield* post(
        settingsPath,
        cookie,
        setting.filter(([name]) => name !== "hides_scores"),
      )
      assert.match(yield* text(path), tells.page)
      const { sql } = yield* Database
      const [row] = yield* sql<{ hides_scores: boolean }>`
        insert into organization (name) values ('By default') returning hides_scores`
      assert.isTrue(row?.hides_scores)
    }),
  )
})
