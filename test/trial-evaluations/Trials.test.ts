import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { EvaluatorUnavailable } from "../../src/evaluations/Evaluator.ts"
import { InterviewSets } from "../../src/interview-sets/InterviewSets.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { People } from "../../src/privacy/People.ts"
import { Reviews } from "../../src/reviews/Reviews.ts"
import { maxTrials, trialsKeptDays } from "../../src/trial-evaluations/Trial.ts"
import { Trials } from "../../src/trial-evaluations/Trials.ts"
import { CandidateId, InterviewSetId, type OrganizationId, SubmissionId } from "../../src/values/Ids.ts"
import { Server } from "../support/Api.ts"
import { fieldsOf, get, post, settings, signedIn, viewer, withFields } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import { byTitle, evaluated } from "./evaluated.ts"

const both = "I ran PostgreSQL on Kubernetes."
const one = "I ran PostgreSQL for years."
const neither = "I baked bread."

/** What the evaluator does. */
const evaluator = { isUp: true, isRetryable: true, calls: 0, takes: Duration.zero }

const evaluate: typeof byTitle = (input) => {
  evaluator.calls += 1
  return evaluator.isUp
    ? Effect.andThen(TestClock.adjust(evaluator.takes), byTitle(input))
    : Effect.fail(new EvaluatorUnavailable({ reason: "overloaded", retryable: evaluator.isRetryable }))
}

const pagesWith = (ports: Pod.Ports) =>
  Server.layer.pipe(
    Layer.provide(App.serve(App.pages)),
    Layer.provideMerge(Pod.layer({ settings, evaluate, ...ports })),
    Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(Date.UTC(2026, 0, 1)))),
  )

const steps = Effect.gen(function* () {
  const { step } = yield* Trials
  while ((yield* step) > 0);
})

const begin = Effect.fnUntraced(function* (answers: ReadonlyArray<string>) {
  const world = yield* evaluated(answers)
  const owner = yield* signedIn(world.id)
  return { ...world, owner, base: `/interview-sets/${world.set.id}/trials` }
})

const formOf = Effect.fnUntraced(function* (base: string, cookie: string, changes: Record<string, string>) {
  const { text } = yield* get(base, cookie)
  return withFields(fieldsOf(text, base), { do: "try", ...changes })
})

/** Posts the form with changes; returns the page of the trial. */
const tried = Effect.fnUntraced(function* (base: string, cookie: string, changes: Record<string, string>) {
  const { location, status } = yield* post(base, cookie, yield* formOf(base, cookie, changes))
  assert.strictEqual(status, 303)
  return location ?? ""
})

const alike = { "r.0.importance": "244" }
const bread = { "r.0.title": "bread" }

const plainOf = (page: string) => page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ")

const trialsOf = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { sql } = yield* Database
  return yield* sql<{ state: string; evaluated: number; submissions: number; failures: number }>`
    select state, evaluated, submissions, failures from trial_evaluation
    where organization_id = ${organization}::int order by created_at, id`
})

const outcomesOf = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { sql } = yield* Database
  return yield* sql`
    select o.direction, o.before::float8 as before, o.after::float8 as after, o.met_before, o.met_after,
      jsonb_array_length(o.criteria) as criteria
    from trial_outcome o join submission b on b.id = o.submission_id where o.organization_id = ${organization}::int
    order by b.created_at`
})

const scores = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { sql } = yield* Database
  return yield* sql`
    select k.score::float8 as score, k.updated_at from submission_score k where k.organization_id = ${organization}::int
    order by k.submission_id`
})

layer(pagesWith({}))("what would change", (it) => {
  it.effect("is linked where the requirements of a set are fixed, and shows who would move and why", () =>
    Effect.gen(function* () {
      const { base, candidates, id, owner, set } = yield* begin([both, one, neither])
      assert.include((yield* get(`/interview-sets/${set.id}/edit`, owner.cookie)).text, `href="${base}"`)
      const before = yield* scores(id)
      const path = yield* tried(base, owner.cookie, bread)
      const running = yield* get(path, owner.cookie)
      assert.include(running.text, "data-refresh")
      assert.include(plainOf(running.text), "Evaluated 0 of 3 candidates.")
      yield* steps
      assert.deepStrictEqual(yield* outcomesOf(id), [
        { direction: "down", before: 10, after: 2, met_before: 2, met_after: 1, criteria: 1 },
        { direction: "down", before: 8, after: 0, met_before: 1, met_after: 0, criteria: 1 },
        { direction: "up", before: 0, after: 8, met_before: 0, met_after: 1, criteria: 1 },
      ])
      assert.deepStrictEqual(yield* scores(id), before)
      const { text } = yield* get(path, owner.cookie)
      assert.notInclude(text, "data-refresh")
      const shown = plainOf(text)
      for (const part of ["3 All", "1 Up", "2 Down", "0 Unchanged", "0 Not comparable"]) assert.include(shown, part)
      assert.include(shown, "Now PostgreSQL Tried bread")
      assert.match(shown, /0\.0 → , then 8\.0 3 → , then 1 0 → , then 1 Why : Ada bread : 0\.0 \(no match found\)/)
      assert.include(shown, "Found now: bread")
      assert.include(shown, "No longer counted: PostgreSQL")
      assert.include(text, `/submissions/${candidates[0]?.subject.submission_id}`)
      const up = plainOf((yield* get(`${path}?direction=up`, owner.cookie)).text)
      assert.include(up, "0.0 → , then 8.0")
      assert.notInclude(up, "10.0 → , then 2.0")
      const [requirement, other] = set.iai_requirements
      const ofOne = yield* get(`${path}?requirement=${requirement?.id}`, owner.cookie)
      assert.include(plainOf(ofOne.text), "8.0 → , then 0.0")
      assert.include(plainOf((yield* get(`${path}?requirement=${other?.id}`, owner.cookie)).text), "No candidate here.")
      for (const wrong of ["?direction=sideways&page=-1", "?requirement=%00&page=9999999999"]) {
        assert.strictEqual((yield* get(`${path}${wrong}`, owner.cookie)).status, 200)
      }
      const csv = yield* get(`${path}/csv`, owner.cookie)
      assert.strictEqual(csv.status, 200)
      assert.include(csv.text, "Ada,Up,0,8,3,1,0,1,")
    }),
  )

  it.effect("lets others go first after ten seconds, and goes on afterwards", () =>
    Effect.gen(function* () {
      const long = yield* begin(Array.from({ length: 21 }, () => both))
      const short = yield* begin([both])
      yield* tried(long.base, long.owner.cookie, bread)
      yield* TestClock.adjust("1 second")
      yield* tried(short.base, short.owner.cookie, bread)
      const { step } = yield* Trials
      evaluator.takes = Duration.seconds(1)
      yield* step
      assert.deepInclude((yield* trialsOf(long.id))[0], { state: "running", evaluated: 20 })
      yield* step
      assert.deepInclude((yield* trialsOf(short.id))[0], { state: "done", evaluated: 1 })
      evaluator.takes = Duration.zero
      yield* steps
      assert.deepInclude((yield* trialsOf(long.id))[0], { state: "done", evaluated: 21 })
    }),
  )

  it.effect("asks no evaluator for a change of importance", () =>
    Effect.gen(function* () {
      const { base, id, owner } = yield* begin([both, one, neither])
      evaluator.calls = 0
      const path = yield* tried(base, owner.cookie, alike)
      yield* steps
      assert.strictEqual(evaluator.calls, 0)
      assert.deepStrictEqual(
        (yield* outcomesOf(id)).map(({ after, before, direction }) => [direction, before, after]),
        [
          ["unchanged", 10, 10],
          ["down", 8, 5],
          ["unchanged", 0, 0],
        ],
      )
      assert.include(plainOf((yield* get(path, owner.cookie)).text), "Counts 1× instead of 4×")
    }),
  )

  it.effect("adopts the requirements in a copy of the set, once, with the effect in the audit log", () =>
    Effect.gen(function* () {
      const { base, id, owner, set } = yield* begin([both, one, neither])
      const path = yield* tried(base, owner.cookie, {
        ...alike,
        "r.2.id": "",
        "r.2.title": "bread",
        "r.2.importance": "273",
      })
      const early = yield* post(`${path}/adopt`, owner.cookie, { id: "01980000-0000-7000-8000-00000000000a" })
      assert.strictEqual(early.status, 409)
      assert.include(early.text, "the trial has not ended")
      yield* steps
      const shown = yield* get(path, owner.cookie)
      const fields = fieldsOf(shown.text, `${path}/adopt`)
      const adopted = yield* post(`${path}/adopt`, owner.cookie, fields)
      const copy = InterviewSetId.make(/sets\/([0-9a-f-]{36})\/edit/.exec(adopted.location ?? "")?.[1] ?? "")
      assert.strictEqual((yield* post(`${path}/adopt`, owner.cookie, fields)).location, adopted.location)
      const interviewSets = yield* InterviewSets
      const made = yield* interviewSets.find(operator(id), copy)
      assert.strictEqual(made.title, `Copy of ${set.title}`)
      assert.deepStrictEqual(
        made.iai_requirements.map(({ cfg_importance_id, title }) => [title, cfg_importance_id]),
        [
          ["PostgreSQL", 244],
          ["Kubernetes", 244],
          ["bread", 273],
        ],
      )
      assert.deepStrictEqual((yield* interviewSets.find(operator(id), set.id)).iai_requirements, set.iai_requirements)
      const { sql } = yield* Database
      assert.deepStrictEqual(
        yield* sql`
          select member_id, record_id, detail from audit_log
          where organization_id = ${id}::int and action = 'interview_set.adopt_trial'`,
        [
          {
            member_id: owner.id,
            record_id: copy,
            detail: {
              from: set.id,
              title: set.title,
              requirements: 3,
              submissions: 3,
              up: 1,
              down: 2,
              unchanged: 0,
              not_comparable: 0,
            },
          },
        ],
      )
      const after = yield* get(path, owner.cookie)
      assert.include(after.text, "These requirements were adopted")
      assert.notInclude(after.text, `action="${path}/adopt"`)
      // the form can start from what was tried
      assert.include((yield* get(`${base}?from=${path.split("/").at(-1)}`, owner.cookie)).text, 'value="bread"')
    }),
  )

  it.effect("says what to do when nothing was changed, nothing has a score, or a requirement is too long", () =>
    Effect.gen(function* () {
      const { base, id, owner } = yield* begin([one])
      const same = yield* post(base, owner.cookie, yield* formOf(base, owner.cookie, {}))
      assert.strictEqual(same.status, 422)
      assert.include(same.text, "change a requirement or its importance")
      const long = yield* post(base, owner.cookie, yield* formOf(base, owner.cookie, { "r.0.title": "x".repeat(5001) }))
      assert.strictEqual(long.status, 422)
      assert.include(long.text, "The trial was not started.")
      const added = yield* post(base, owner.cookie, yield* formOf(base, owner.cookie, { do: "r.add" }))
      assert.strictEqual(added.status, 200)
      assert.include(added.text, 'name="r.2.title"')
      const fresh = yield* (yield* InterviewSets).create(operator(id), { title: "New" })
      const empty = `/interview-sets/${fresh.id}/trials`
      assert.include((yield* get(empty, owner.cookie)).text, "has a score yet")
      const nothing = yield* post(empty, owner.cookie, { part: "requirements", "r.0.title": "Go", do: "try" })
      assert.strictEqual(nothing.status, 409)
      assert.deepStrictEqual(yield* trialsOf(id), [])
    }),
  )

  it.effect("runs one trial of a set at a time, which can be cancelled and deleted", () =>
    Effect.gen(function* () {
      const { base, id, owner } = yield* begin([one])
      const path = yield* tried(base, owner.cookie, alike)
      const second = yield* post(base, owner.cookie, yield* formOf(base, owner.cookie, bread))
      assert.strictEqual(second.status, 409)
      assert.include(second.text, "a trial of this set is running")
      assert.include(second.text, 'value="bread"')
      assert.strictEqual((yield* post(`${path}/cancel`, owner.cookie)).location, path)
      yield* steps
      assert.deepStrictEqual(yield* trialsOf(id), [{ state: "cancelled", evaluated: 0, submissions: 1, failures: 0 }])
      assert.include((yield* get(path, owner.cookie)).text, "The trial was cancelled: 0 of 1 candidates")
      assert.strictEqual((yield* post(`${path}/delete`, owner.cookie)).location, base)
      assert.deepStrictEqual(yield* trialsOf(id), [])
      assert.strictEqual((yield* get(path, owner.cookie)).status, 404)
    }),
  )

  it.effect("goes on where another process stopped", () =>
    Effect.gen(function* () {
      const { base, id, owner } = yield* begin(Array.from({ length: 23 }, () => one))
      yield* tried(base, owner.cookie, bread)
      const { sql } = yield* Database
      yield* steps
      assert.deepStrictEqual(yield* trialsOf(id), [{ state: "done", evaluated: 23, submissions: 23, failures: 0 }])
      // as a process leaves it that ends after the first batch
      yield* sql`
        with position as (
          select id, created_at from submission where organization_id = ${id}::int order by created_at, id offset 19 limit 1
        ), removed as (
          delete from trial_outcome o using submission b, position p
          where b.id = o.submission_id and (b.created_at, b.id) > (p.created_at, p.id) returning o.submission_id
        )
        update trial_evaluation t set state = 'running', ended_at = null, next_at = now(), evaluated = 20,
          read_created = p.created_at, read_id = p.id, claim_id = gen_random_uuid(), leased_until = now() + interval '1 minute'
        from position p where t.organization_id = ${id}::int`
      evaluator.calls = 0
      yield* TestClock.setTime(Date.now())
      yield* steps
      assert.strictEqual(evaluator.calls, 0)
      yield* TestClock.adjust("2 minutes")
      yield* steps
      assert.strictEqual(evaluator.calls, 3)
      assert.deepStrictEqual(yield* trialsOf(id), [{ state: "done", evaluated: 23, submissions: 23, failures: 0 }])
      assert.strictEqual((yield* outcomesOf(id)).length, 23)
    }),
  )

  it.effect("waits for an evaluator that is unavailable, and ends after five failures in a row", () =>
    Effect.gen(function* () {
      const { base, id, owner } = yield* begin([one])
      const path = yield* tried(base, owner.cookie, bread)
      evaluator.isUp = false
      yield* steps
      assert.deepStrictEqual(yield* trialsOf(id), [{ state: "running", evaluated: 0, submissions: 1, failures: 1 }])
      for (const _ of [2, 3, 4]) {
        yield* TestClock.adjust("31 seconds")
        yield* steps
      }
      assert.deepStrictEqual(yield* trialsOf(id), [{ state: "running", evaluated: 0, submissions: 1, failures: 4 }])
      yield* TestClock.adjust("31 seconds")
      yield* steps
      assert.deepStrictEqual(yield* trialsOf(id), [{ state: "failed", evaluated: 0, submissions: 1, failures: 5 }])
      assert.include((yield* get(path, owner.cookie)).text, "because the evaluator did not answer")
      yield* tried(base, owner.cookie, bread)
      evaluator.isRetryable = false
      yield* steps
      assert.deepStrictEqual(
        (yield* trialsOf(id)).map(({ state }) => state),
        ["failed", "failed"],
      )
    }).pipe(Effect.ensuring(Effect.sync(() => Object.assign(evaluator, { isUp: true, isRetryable: true })))),
  )

  it.effect("lists the candidates whose scores the member may see", () =>
    Effect.gen(function* () {
      const { base, candidates, id, owner } = yield* begin([one, both])
      const path = yield* tried(base, owner.cookie, bread)
      yield* steps
      const { sql } = yield* Database
      yield* sql`update organization set hides_scores = true where id = ${id}::int`
      const { text } = yield* get(path, owner.cookie)
      assert.include(plainOf(text), "2 Down")
      assert.include(text, "only candidates whom you have reviewed are listed")
      assert.notInclude(text, "8.0")
      assert.notInclude((yield* get(`${path}/csv`, owner.cookie)).text, "Ada")
      yield* (yield* Reviews).save(viewer(id, owner), SubmissionId.make(candidates[0]?.subject.submission_id ?? ""), {
        ratings: {},
        note: "I read it.",
        mentioned: [],
        changes: 0,
        isSent: true,
      })
      const reviewed = plainOf((yield* get(path, owner.cookie)).text)
      assert.include(reviewed, "8.0 → , then 0.0")
      assert.notInclude(reviewed, "10.0 → , then 2.0")
    }),
  )

  it.effect("leaves out candidates whose score is not used", () =>
    Effect.gen(function* () {
      const { base, candidates, id, owner } = yield* begin([one, both])
      const path = yield* tried(base, owner.cookie, bread)
      yield* steps
      const { sql } = yield* Database
      yield* sql`update submission set score_unused = true where id = ${candidates[0]?.subject.submission_id ?? ""}::uuid`
      const shown = plainOf((yield* get(path, owner.cookie)).text)
      assert.include(shown, "1 Down")
      assert.notInclude(shown, "8.0 → , then 0.0")
      yield* tried(base, owner.cookie, alike)
      yield* steps
      assert.deepStrictEqual(
        (yield* trialsOf(id)).map((trial) => trial.submissions),
        [2, 1],
      )
    }),
  )

  it.effect("keeps the newest trials of a set for some days, and no outcome of an erased person", () =>
    Effect.gen(function* () {
      const { base, candidates, id, owner, set } = yield* begin([one, both])
      for (let i = 0; i <= maxTrials; i++) {
        yield* TestClock.adjust("1 second")
        yield* tried(base, owner.cookie, i % 2 === 0 ? alike : bread)
        yield* steps
      }
      assert.strictEqual((yield* trialsOf(id)).length, maxTrials)
      assert.strictEqual((yield* outcomesOf(id)).length, 2 * maxTrials)
      const candidate = CandidateId.make(candidates[0]?.subject.candidate_id ?? "")
      yield* (yield* People).erase(viewer(id, owner), candidate)
      assert.strictEqual((yield* outcomesOf(id)).length, maxTrials)
      const trials = yield* Trials
      assert.strictEqual(yield* trials.forget, 0)
      yield* TestClock.adjust(Duration.sum(Duration.days(trialsKeptDays), Duration.minutes(1)))
      assert.isAtLeast(yield* trials.forget, maxTrials)
      assert.deepStrictEqual(yield* trials.list(viewer(id, owner), set.id), [])
    }),
  )
})

layer(pagesWith({ evaluatorRequests: 3 }))("what would change, by an evaluator that sends requests", (it) => {
  it.effect("evaluates a sample, after it has shown the number of requests", () =>
    Effect.gen(function* () {
      const { base, id, owner } = yield* begin([both, one, neither])
      const form = yield* get(base, owner.cookie)
      assert.include(plainOf(form.text), "about 3 requests to a server")
      const wrong = yield* post(base, owner.cookie, yield* formOf(base, owner.cookie, { ...bread, sample: "0" }))
      assert.strictEqual(wrong.status, 422)
      assert.include(wrong.text, "a whole number from 1 to")
      const asked = yield* post(base, owner.cookie, yield* formOf(base, owner.cookie, { ...bread, sample: "2" }))
      assert.strictEqual(asked.status, 200)
      assert.include(plainOf(asked.text), "2 candidates are evaluated again: about 6 requests")
      assert.deepStrictEqual(yield* trialsOf(id), [])
      const fields = withFields(fieldsOf(asked.text, base), { do: "back" })
      assert.include((yield* post(base, owner.cookie, fields)).text, 'value="bread"')
      evaluator.calls = 0
      const started = yield* post(base, owner.cookie, withFields(fieldsOf(asked.text, base), { do: "start" }))
      assert.strictEqual(started.status, 303)
      yield* steps
      assert.strictEqual(evaluator.calls, 2)
      assert.deepStrictEqual(yield* trialsOf(id), [{ state: "done", evaluated: 2, submissions: 2, failures: 0 }])
      evaluator.calls = 0
      const { text } = yield* get(started.location ?? "", owner.cookie)
      assert.include(text, "A sample of 2 candidates.")
      assert.include(plainOf(text), "bread")
      // no request for reasons
      assert.strictEqual(evaluator.calls, 0)
    }),
  )

  it.effect("asks nothing before a change of importance, which needs no request", () =>
    Effect.gen(function* () {
      const { base, id, owner } = yield* begin([both, one, neither])
      evaluator.calls = 0
      yield* tried(base, owner.cookie, { ...alike, sample: "1" })
      yield* steps
      assert.strictEqual(evaluator.calls, 0)
      assert.deepStrictEqual(yield* trialsOf(id), [{ state: "done", evaluated: 3, submissions: 3, failures: 0 }])
    }),
  )
})
