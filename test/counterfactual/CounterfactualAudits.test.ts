/** Audits of sets: what is found, who may begin and read them, and what is stored. */
import { assert, describe, layer } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { CounterfactualAudits } from "../../src/counterfactual/CounterfactualAudits.ts"
import { type Evaluator, EvaluatorUnavailable } from "../../src/evaluations/Evaluator.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { People } from "../../src/privacy/People.ts"
import { CandidateId, type OrganizationId } from "../../src/values/Ids.ts"
import { Server } from "../support/Api.ts"
import { fieldsOf, get, post, settings, signedIn } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import { byTitle, evaluated } from "../trial-evaluations/evaluated.ts"

const href = "/settings/counterfactual-audit"

const unknown = "00000000-0000-7000-8000-000000000000"

/** What the evaluator does. */
const evaluator = { isUp: true, isRetryable: true, isFair: false, calls: 0, isNoisy: false, takes: Duration.zero }

/** Finds titles of requirements, and, if it is unfair, nothing where a waitress wrote. */
const evaluate: Evaluator["Service"]["evaluate"] = (input) => {
  evaluator.calls += 1
  if (!evaluator.isUp)
    return Effect.fail(new EvaluatorUnavailable({ reason: "overloaded", retryable: evaluator.isRetryable }))
  const isHidden = !evaluator.isFair && input.sources.some(({ text }) => text.includes("waitress"))
  const isNoise = evaluator.isNoisy && evaluator.calls % 2 === 0
  const rated = byTitle(
    isHidden || isNoise
      ? {
          ...input,
          sources: input.sources.map((one) => ({ ...one, text: `${one.text.replaceAll("PostgreSQL", "…")}` })),
        }
      : input,
  )
  return Effect.andThen(TestClock.adjust(evaluator.takes), rated)
}

const pagesWith = (ports: Pod.Ports) =>
  Server.layer.pipe(
    Layer.provide(App.serve(App.pages)),
    Layer.provideMerge(Pod.layer({ settings, evaluate, ...ports })),
    Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(Date.UTC(2026, 0, 1)))),
  )

const steps = Effect.gen(function* () {
  const { step } = yield* CounterfactualAudits
  while ((yield* step) > 0);
})

const waiter = "I ran PostgreSQL in Berlin. I was a waiter there, and he was my boss."
const cook = "I ran PostgreSQL on Kubernetes."

const requirements = [
  { title: "PostgreSQL", cfg_importance_id: 273 },
  { title: "Berlin", cfg_importance_id: 244 },
]

const begin = Effect.fnUntraced(function* (answers: ReadonlyArray<string>) {
  Object.assign(evaluator, { isUp: true, isRetryable: true, isFair: false, isNoisy: false, calls: 0 })
  const world = yield* evaluated(answers, { iai_requirements: requirements })
  const { cookie: owner } = yield* signedIn(world.id)
  evaluator.calls = 0
  return { ...world, owner }
})

/** Posts the form of the page; returns the audit's page. */
const audited = Effect.fnUntraced(function* (cookie: string, changes: Readonly<Record<string, string>> = {}) {
  const form = fieldsOf((yield* get(href, cookie)).text, href)
  const { location, status } = yield* post(
    href,
    cookie,
    form.map(([name, value]) => [name, changes[name] ?? value] as const),
  )
  assert.strictEqual(status, 303)
  assert.match(location ?? "", /^\/settings\/counterfactual-audit\/[\da-f-]{36}$/)
  return location ?? ""
})

const plainOf = (page: string) => page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ")

/** The rows of the tables, as cells of text. */
const rowsOf = (page: string): ReadonlyArray<string> =>
  [...page.matchAll(/<tr><th scope="row">(.*?)<\/tr>/gs)].map(([, row = ""]) =>
    row
      .replaceAll(/<\/t[hd]>\s*/g, "|")
      .replaceAll(/<span class="unseen">.*?<\/span>/g, "")
      .replaceAll(/<[^>]+>/g, "")
      .replaceAll(/\|$/g, ""),
  )

const auditsOf = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { sql } = yield* Database
  return yield* sql<{ state: string; failures: number; moves: number }>`
    select a.state, a.failures, (select count(*)::int from counterfactual_move m
      where m.counterfactual_audit_id = a.id) as moves
    from counterfactual_audit a where a.organization_id = ${organization}::int order by a.made_at, a.id`
})

/** What an audit must not change. */
const databaseState = Effect.gen(function* () {
  const { sql } = yield* Database
  return yield* sql`
    select (select jsonb_agg(to_jsonb(e) order by e.id) from evaluation e) as evaluations,
      (select jsonb_agg(to_jsonb(k) order by k.submission_id) from submission_score k) as scores,
      (select jsonb_agg(to_jsonb(c) order by c.id) from candidate c) as candidates,
      (select count(*)::int from webhook_event) as events, (select count(*)::int from record_entry) as entries`
})

describe("counterfactual audits", () => {
  layer(pagesWith({}))((it) => {
    it.effect("let others go first after ten seconds, and go on afterwards", () =>
      Effect.gen(function* () {
        const { id, owner } = yield* begin(Array.from({ length: 21 }, () => cook))
        yield* audited(owner)
        const { step } = yield* CounterfactualAudits
        evaluator.takes = Duration.seconds(1)
        yield* step
        assert.deepInclude((yield* auditsOf(id))[0], { state: "running" })
        evaluator.takes = Duration.zero
        yield* steps
        assert.deepInclude((yield* auditsOf(id))[0], { state: "done" })
      }),
    )

    it.effect("find the scores that a swap moves, and change nothing else", () =>
      Effect.gen(function* () {
        const { candidates, owner } = yield* begin([waiter, cook, "I baked bread."])
        const before = yield* databaseState
        const path = yield* audited(owner)
        const running = yield* get(path, owner)
        assert.include(running.text, "running")
        yield* steps
        assert.deepStrictEqual(yield* databaseState, before)
        const { text } = yield* get(path, owner)
        const rows = rowsOf(text)
        assert.deepStrictEqual(
          rows.filter((row) => row.startsWith("Words for") || row.startsWith("Places in") || row.startsWith("15")),
          [
            "Words for women|1|1|0|10.0|−8.00",
            "Places in Africa, Asia and South America|1|0|1|–|−2.00",
            "Places in Europe, North America and Australia|1|0|1|–|−2.00",
          ],
        )
        assert.include(text, "Nothing to swap was found in these submissions: not tested.")
        assert.deepStrictEqual(
          rows.filter((row) => /^(?:PostgreSQL|Berlin)/.test(row)),
          [
            "PostgreSQL|Words for women|1|10.0|–",
            "Berlin|Places in Africa, Asia and South America|1|10.0|names what was swapped",
            "Berlin|Places in Europe, North America and Australia|1|10.0|names what was swapped",
            "PostgreSQL|Words for women|10.0|0.0|Why",
            "Berlin|Places in Europe, North America and Australia (as asked)|10.0|0.0|Why",
            "Berlin|Places in Africa, Asia and South America (as asked)|10.0|0.0|Why",
          ],
        )
        assert.include(plainOf(text), "Scores moved with: Words for women.")
        // twice, and words of the other sex, two places; of the others twice
        assert.strictEqual(evaluator.calls, 5 + 2 + 2)
        const why = yield* get(`${path}/moves/${candidates[0]?.subject.submission_id}/female`, owner)
        assert.include(why.text, "I was a waiter there, and he was my boss.")
        assert.include(why.text, "I was a waitress there, and she was my boss.")
        const csv = (yield* get(`${path}/csv`, owner)).text
        assert.include(csv, "Swaps,Pronouns and gendered words,Words for women,,1,1,0,10,-8,\r\n")
        assert.include(csv, "Audit,Evaluator,,,,,,,,title/1\r\n")
        const annex = yield* get(`${path}/annex`, owner)
        assert.include(rowsOf(annex.text), "Words for men|0|0|0|–|–")
        for (const page of [csv, annex.text]) {
          assert.notInclude(page, "waiter")
          assert.notInclude(page, String(candidates[0]?.subject.submission_id))
        }
        assert.notInclude(annex.text.slice(annex.text.indexOf("<h1>")), "ada0@example.com")
        assert.include((yield* get(href, owner)).text, `href="${path}"`)
      }),
    )

    it.effect("show no effect of a fair evaluator, and the noise of one that differs by chance", () =>
      Effect.gen(function* () {
        const { owner } = yield* begin([waiter])
        evaluator.isFair = true
        const fair = yield* audited(owner)
        yield* steps
        assert.include(plainOf((yield* get(fair, owner)).text), "No score moved that should not have.")
        evaluator.isNoisy = true
        const noisy = yield* audited(owner)
        yield* steps
        const { text } = yield* get(noisy, owner)
        assert.include(text, "two evaluations of the same texts differ in 1 submissions, by up to 10.0")
        assert.include(plainOf(text), "No score moved that should not have.")
      }),
    )

    it.effect("run one at a time, are cancelled and deleted, and have errors for wrong input", () =>
      Effect.gen(function* () {
        const { id, owner } = yield* begin([cook])
        const path = yield* audited(owner)
        const set = fieldsOf((yield* get(href, owner)).text, href).find(([name]) => name === "set")?.[1] ?? ""
        const again = yield* post(href, owner, { set, kinds: "name", sample: "" })
        assert.strictEqual(again.status, 409)
        assert.include(again.text, "another audit is running")
        yield* post(`${path}/cancel`, owner)
        yield* steps
        assert.deepStrictEqual(yield* auditsOf(id), [{ state: "cancelled", failures: 0, moves: 0 }])
        for (const [fields, message] of [
          [{ set: unknown, kinds: "name" }, "The interview set must be one of the list"],
          [{ set, kinds: "hair" }, "What is swapped must be at least one of the list"],
          [{ set, kinds: "name", sample: "0" }, "must be a whole number from 1 to 10,000"],
          [{ set, kinds: "name", sample: "all" }, "must be a whole number from 1 to 10,000"],
        ] as const) {
          const refused = yield* post(href, owner, fields)
          assert.strictEqual(refused.status, 422)
          assert.include(plainOf(refused.text), message)
        }
        assert.strictEqual((yield* get(`${path}/delete`, owner)).status, 200)
        assert.strictEqual((yield* post(`${path}/delete`, owner)).location, href)
        assert.strictEqual((yield* get(path, owner)).status, 404)
        const { text } = yield* get("/settings/audit", owner)
        assert.include(text, "began a counterfactual audit")
        assert.include(text, "deleted a counterfactual audit")
      }),
    )

    it.effect("are not for recruiters and other organizations", () =>
      Effect.gen(function* () {
        const { candidates, id, owner } = yield* begin([waiter])
        const path = yield* audited(owner)
        yield* steps
        const { cookie: recruiter } = yield* signedIn(id, "recruiter")
        const { cookie: other } = yield* signedIn((yield* begin([cook])).id)
        for (const page of ["", "/annex", "/csv", "/delete", `/moves/${candidates[0]?.subject.submission_id}/female`]) {
          assert.strictEqual((yield* get(`${path}${page}`, owner)).status, 200, page)
          assert.strictEqual((yield* get(`${path}${page}`, recruiter)).status, 403, page)
          assert.strictEqual((yield* get(`${path}${page}`, other)).status, 404, page)
        }
        assert.strictEqual((yield* get(`${path}/moves/${unknown}/female`, owner)).status, 404)
        assert.strictEqual(
          (yield* get(`${path}/moves/${candidates[0]?.subject.submission_id}/male`, owner)).status,
          404,
        )
      }),
    )

    it.effect("wait for an evaluator that is unavailable, and end after five times", () =>
      Effect.gen(function* () {
        const { id, owner } = yield* begin([waiter])
        evaluator.isUp = false
        yield* audited(owner)
        yield* steps
        assert.deepStrictEqual(yield* auditsOf(id), [{ state: "running", failures: 1, moves: 0 }])
        evaluator.isUp = true
        yield* TestClock.adjust(Duration.seconds(30))
        yield* steps
        assert.deepStrictEqual(yield* auditsOf(id), [{ state: "done", failures: 0, moves: 3 }])
        evaluator.isUp = false
        const path = yield* audited(owner)
        for (let time = 0; time < 5; time += 1) {
          yield* steps
          yield* TestClock.adjust(Duration.seconds(30))
        }
        assert.strictEqual((yield* auditsOf(id)).at(-1)?.state, "failed")
        assert.include((yield* get(path, owner)).text, "the evaluator was unavailable")
      }),
    )

    it.effect("show no move of a candidate who has asked for a person", () =>
      Effect.gen(function* () {
        const { candidates, owner } = yield* begin([waiter, waiter])
        const path = yield* audited(owner)
        yield* steps
        const one = candidates[0]
        const move = `${path}/moves/${one?.subject.submission_id}/female`
        const isShown = Effect.map(get(path, owner), ({ text }) => text.includes(move))
        assert.isTrue(yield* isShown)
        assert.strictEqual((yield* get(move, owner)).status, 200)
        yield* post(`/i/${one?.token}/person`, "", { do: "ask", text: "" })
        assert.isFalse(yield* isShown)
        assert.strictEqual((yield* get(move, owner)).status, 404)
        yield* post(`/i/${one?.token}/person`, "", { do: "withdraw" })
        assert.isTrue(yield* isShown)
      }),
    )

    it.effect("keep no move of an erased person", () =>
      Effect.gen(function* () {
        const { candidates, id, owner } = yield* begin([waiter, waiter])
        const path = yield* audited(owner)
        yield* steps
        assert.strictEqual((yield* auditsOf(id))[0]?.moves, 6)
        const [first] = candidates
        const people = yield* People
        yield* people.erase(operator(id), CandidateId.make(first?.subject.candidate_id ?? ""))
        assert.strictEqual((yield* auditsOf(id))[0]?.moves, 3)
        assert.strictEqual((yield* get(path, owner)).status, 200)
        // its texts are gone, so that the next audit leaves it out
        const next = yield* audited(owner)
        yield* steps
        assert.match(plainOf((yield* get(next, owner)).text), /Not computed 1 /)
      }),
    )
  })

  layer(pagesWith({ evaluatorRequests: 3 }))("by an evaluator that sends requests", (it) => {
    it.effect("show their number and cost before they begin", () =>
      Effect.gen(function* () {
        const { id, owner } = yield* begin([waiter, cook])
        const page = (yield* get(href, owner)).text
        const set = fieldsOf(page, href).find(([name]) => name === "set")?.[1] ?? ""
        const kinds = [
          ["kinds", "gender"],
          ["kinds", "place"],
        ] as const
        const without = yield* post(href, owner, [["set", set], ...kinds, ["sample", ""]])
        assert.strictEqual(without.status, 422)
        assert.include(without.text, "must be a whole number from 1 to 100")
        const plan = yield* post(href, owner, [["set", set], ...kinds, ["sample", "20"], ["price", "0,5"]])
        assert.strictEqual(plan.status, 200)
        assert.include(plainOf(plan.text), "Evaluations 7 Requests about 21 Cost 10.50")
        assert.strictEqual(evaluator.calls, 0)
        assert.deepStrictEqual(yield* auditsOf(id), [])
        const begun = yield* post(href, owner, fieldsOf(plan.text, href))
        assert.strictEqual(begun.status, 303)
        yield* steps
        assert.strictEqual(evaluator.calls, 7)
        // why a score moved is shown without further requests
        const why = yield* get(`${begun.location}`, owner)
        const [, move = ""] = /href="([^"]*\/moves\/[^"]*\/female)"/.exec(why.text) ?? []
        assert.include((yield* get(move, owner)).text, "I was a waitress there")
        assert.strictEqual(evaluator.calls, 7)
      }),
    )
  })
})
