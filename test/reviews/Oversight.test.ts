/** The report on oversight: decisions with and without the answers, beside what the scores say. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Database } from "../../src/platform/database/Database.ts"
import { Reviews } from "../../src/reviews/Reviews.ts"
import { SubmissionId } from "../../src/values/Ids.ts"
import * as Dossier from "../support/Dossier.ts"
import * as Members from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Settings from "../support/Settings.ts"

const href = "/settings/oversight"

/** The cells of each row, as text. */
const rowsOf = (page: string): ReadonlyArray<ReadonlyArray<string>> =>
  [...page.matchAll(/<tr><th scope="row">([\s\S]*?)<\/tr>/g)].map(([row]) =>
    [...row.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell]) =>
      (cell ?? "").replaceAll(/<[^>]*>/g, "").trim(),
    ),
  )

layer(Settings.layer({ evaluate: Pod.strong }))("oversight", (it) => {
  it.effect("counts decisions without the answers, and how many of them follow the score", () =>
    Effect.gen(function* () {
      const { foreigner, organization, owner, recruiter } = yield* Settings.begin
      const browser = Settings.as(owner)
      const { sql } = yield* Database
      assert.include((yield* browser.get(href)).text, "No candidate was advanced or rejected")
      const people: Array<SubmissionId> = []
      for (let n = 0; n < 12; n++) {
        const invited = yield* Scenario.invited(organization, `c${n}@example.com`)
        yield* Scenario.completed(invited, `${Scenario.answer} `.repeat(4))
        people.push(SubmissionId.make(invited.subject.submission_id))
      }
      yield* Dossier.evaluateAll
      // the first six below the median of the set, the others above it
      yield* sql`
        update submission_score k set score = n.score from (
          select id, row_number() over (order by id) * 0.5 as score from submission
          where id = any(${people}::uuid[])) n where k.submission_id = n.id`
      const [own, reviewed, ...others] = people
      yield* (yield* Reviews).save(Members.viewer(organization.id, owner), reviewed ?? assert.fail(), {
        ratings: {},
        note: "I have read the answers.",
        mentioned: [],
        changes: 0,
        isSent: true,
      })
      const one = yield* browser.post(`/submissions/${own}/decision`, { decision: "reject", changes: "0" })
      assert.strictEqual(one.status, 303)
      const decide = Effect.fnUntraced(function* (decision: string, chosen: ReadonlyArray<SubmissionId | undefined>) {
        const fields = [
          ["decision", decision],
          ["confirmed", "yes"],
          ["list", ""],
        ] as const
        const selected = chosen.map((id) => ["selected", `${id}:0`] as const)
        const answered = yield* browser.post("/submissions/decide", [...fields, ...selected])
        assert.strictEqual(answered.status, 303, answered.text)
      })
      // the reviewed one was read; of the others, the fourth is above the median
      yield* decide("reject", [reviewed, ...others.slice(0, 3), others[4]])
      yield* decide("advance", others.slice(5, 6))
      const shown = yield* browser.get(href)
      assert.deepStrictEqual(rowsOf(shown.text), [["Backend Engineer", "7", "71 %", "too few", "80 %"]])
      assert.include(shown.text, "<strong>7 decisions</strong>")
      assert.strictEqual((yield* Settings.as(recruiter).get(href)).status, 403)
      assert.include((yield* Settings.as(foreigner).get(href)).text, "No candidate was advanced or rejected")
      yield* TestClock.adjust("91 days")
      const { cookie } = yield* Members.signedIn(organization.id, "owner")
      assert.include((yield* Settings.as({ cookie }).get(href)).text, "No candidate was advanced or rejected")
    }),
  )
})
