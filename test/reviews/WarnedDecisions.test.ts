/** A score with warnings asks to confirm before a candidate is advanced or rejected, over HTTP, on each page that decides. */
import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../src/platform/database/Database.ts"
import { HiringStages } from "../../src/reviews/HiringStages.ts"
import { Overrides } from "../../src/reviews/Overrides.ts"
import { HiringStageId, SubmissionId } from "../../src/values/Ids.ts"
import * as Dossier from "../support/Dossier.ts"
import * as Members from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Settings from "../support/Settings.ts"

const asks = "may be unreliable"
const warning = "too few for a reliable rating"

/** A candidate whose answer has too few words, and the browser of an owner. */
const world = Effect.gen(function* () {
  const { organization, owner } = yield* Settings.begin
  const person = Effect.fnUntraced(function* (email: string, answer = "I ran PostgreSQL.") {
    const invited = yield* Scenario.invited(organization, email)
    yield* Scenario.completed(invited, answer)
    yield* Dossier.evaluateAll
    return SubmissionId.make(invited.subject.submission_id)
  })
  const decisionOf = Effect.fnUntraced(function* (submission: SubmissionId) {
    const { sql } = yield* Database
    const [row] = yield* sql<{ decision: string | null; changes: number }>`
      select decision, decision_changes as changes from submission where id = ${submission}::uuid`
    return row
  })
  return { organization, owner, browser: Settings.as(owner), person, decisionOf, ada: yield* person("ada@example.com") }
})

layer(Settings.layer({ evaluate: Pod.strong }))("a decision on a score with warnings", (it) => {
  it.effect("is asked for once more on the submission's page, and not saved before", () =>
    Effect.gen(function* () {
      const { ada, browser, decisionOf } = yield* world
      const path = `/submissions/${ada}/decision`
      for (const decision of ["advance", "reject"]) {
        const asked = yield* browser.post(path, { decision, reason: "Clear words", changes: "0" })
        assert.strictEqual(asked.status, 409)
        for (const text of [asks, warning, "Clear words", `name="knows" value="${decision}"`]) {
          assert.include(asked.text, text)
        }
      }
      const other = yield* browser.post(path, { decision: "reject", knows: "advance", reason: "", changes: "0" })
      assert.strictEqual(other.status, 409, "the confirmation is of one decision")
      assert.deepStrictEqual(yield* decisionOf(ada), { decision: null, changes: 0 })
      const confirmed = yield* browser.post(path, { decision: "advance", knows: "advance", reason: "", changes: "0" })
      assert.strictEqual(confirmed.status, 303)
      const reason = yield* browser.post(path, { decision: "advance", reason: "Another reason", changes: "1" })
      assert.strictEqual(reason.status, 303, "the reason of the same decision")
    }),
  )

  it.effect("is not asked for to hold or clear, of a sure, overridden or hidden score", () =>
    Effect.gen(function* () {
      const { ada, browser, organization, owner, person } = yield* world
      const sure = yield* person("bo@example.com", `${Scenario.answer} `.repeat(4))
      const overridden = yield* person("cy@example.com")
      yield* (yield* Overrides).override(Members.viewer(organization.id, owner), {
        submission: overridden,
        evaluation_type: "interview",
        score: 7,
        reason: "The answer is short and right.",
      })
      const decide = Effect.fnUntraced(function* (submission: string, decision: string, changes: number) {
        return (yield* browser.post(`/submissions/${submission}/decision`, { decision, changes: String(changes) }))
          .status
      })
      assert.strictEqual(yield* decide(ada, "hold", 0), 303)
      assert.strictEqual(yield* decide(ada, "none", 1), 303)
      assert.strictEqual(yield* decide(sure, "advance", 0), 303)
      assert.strictEqual(yield* decide(overridden, "reject", 0), 303)
      assert.strictEqual(yield* decide(ada, "advance", 2), 409)
      const { sql } = yield* Database
      yield* sql`update organization set hides_scores = true where id = ${organization.id}::int`
      assert.strictEqual(yield* decide(ada, "advance", 2), 303)
    }),
  )

  it.effect("is asked for in a comparison, on the board, and for many at once", () =>
    Effect.gen(function* () {
      const { ada, browser, decisionOf, organization, owner, person } = yield* world
      const bo = yield* person("bo@example.com")
      const fields = { ids: `${ada},${bo}`, decision: "reject", changes: "0" }
      const compared = yield* browser.post(`/submissions/${ada}/compared/decision`, fields)
      assert.strictEqual(compared.status, 409)
      assert.include(compared.text, warning)
      const stage = HiringStageId.make(randomUUID())
      const reviewer = Members.viewer(organization.id, owner)
      yield* (yield* HiringStages).add(reviewer, stage, { name: "Refused", decision: "reject" })
      const move = `/interview-sets/${organization.set.id}/board/${ada}`
      const moved = yield* browser.post(move, { to: stage, seen: "0.0", on: "board" })
      assert.strictEqual(moved.status, 409)
      for (const text of [asks, warning, `name="knows" value="${stage}"`]) assert.include(moved.text, text)
      const many = { decision: "advance", selected: `${bo}:0`, list: "", form: randomUUID() }
      const question = yield* browser.post("/submissions/decide", many)
      assert.strictEqual(question.status, 200)
      assert.include(question.text, "1 score of 1 may be unreliable")
      // confirmed on a page that was shown before the score had warnings
      const early = yield* browser.post("/submissions/decide", { ...many, confirmed: "yes" })
      assert.include(early.text, "The warnings of a score have changed meanwhile")
      assert.notStrictEqual(Settings.hidden(early.text, "confirmed"), "yes")
      for (const submission of [ada, bo]) {
        assert.deepStrictEqual(yield* decisionOf(submission), { decision: null, changes: 0 })
      }
      const again = { ...fields, knows: "reject" }
      assert.strictEqual((yield* browser.post(`/submissions/${bo}/compared/decision`, again)).status, 303)
      assert.strictEqual((yield* browser.post(move, { to: stage, seen: "0.0", knows: stage })).status, 303)
      assert.deepStrictEqual(yield* decisionOf(ada), { decision: "reject", changes: 1 })
      assert.deepStrictEqual(yield* decisionOf(bo), { decision: "reject", changes: 1 })
    }),
  )
})
