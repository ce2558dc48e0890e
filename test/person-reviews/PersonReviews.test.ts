/** Candidates ask for a person, members answer, and no score is used meanwhile, over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { EvaluationQueue } from "../../src/evaluations/EvaluationQueue.ts"
import type { Evaluator } from "../../src/evaluations/Evaluator.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { People } from "../../src/privacy/People.ts"
import { HiringStages } from "../../src/reviews/HiringStages.ts"
import { Overrides } from "../../src/reviews/Overrides.ts"
import { CandidateId, HiringStageId } from "../../src/values/Ids.ts"
import type { EventType } from "../../src/webhooks/events/WebhookEvent.ts"
import * as Api from "../support/Api.ts"
import * as Contract from "../support/Contract.ts"
import * as Mails from "../support/Mails.ts"
import { fieldsOf, get, post, settings, signedIn, viewer, withFields } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Workspace from "../support/Workspace.ts"

/** What happens while an evaluation runs. */
const meanwhile: { run: Effect.Effect<void> } = { run: Effect.void }

/** Rates the usual answer as strong, and every other text as weak. */
const rate: Evaluator["Service"]["evaluate"] = (input) =>
  Effect.map(Effect.andThen(meanwhile.run, Pod.strong(input)), (output) => {
    const level = input.sources.some(({ text }) => text === Scenario.answer) ? "strong" : "weak"
    return { ...output, ratings: output.ratings.map((rating) => ({ ...rating, level })) }
  })

const served = Api.Server.layer.pipe(
  Layer.provide(App.serve(Layer.merge(App.api, App.pages))),
  Layer.provideMerge(Pod.layer({ settings, evaluate: rate })),
)

const action = "/person-reviews/answer"

const eventsOf = (type: EventType, submission: string) =>
  Effect.map(Scenario.dataOf(type), (all) => all.filter(({ submission_id }) => submission_id === submission))

/** A candidate, an owner, and a reviewer who is asked to review. */
const furnished = Effect.gen(function* () {
  yield* TestClock.setTime(Date.UTC(2026, 0, 1))
  const invited = yield* Scenario.invited(yield* Scenario.organization())
  const owner = yield* signedIn(invited.organization)
  const link = `/i/${invited.token}`
  const { key } = yield* Api.keyOf(invited.organization)
  const ask = (text = "") => post(`${link}/person`, "", { do: "ask", text })
  const detail = Api.results<Record<string, unknown>>(200, "GET", Api.paths.detail(invited.subject.submission_id), {
    key,
  })
  const page = Effect.map(get(`/submissions/${invited.subject.submission_id}`, owner.cookie), ({ text }) => text)
  const reviewEvents = Effect.map(eventsOf("submission.review", invited.subject.submission_id), (all) =>
    all.map(({ kind, outcome, status }) => [status, kind, outcome]),
  )
  const evaluationEvents = Effect.map(
    eventsOf("interview.evaluation.update", invited.subject.submission_id),
    (all) => all.length,
  )
  return { ...invited, owner, link, key, ask, detail, page, reviewEvents, evaluationEvents }
})

const own = (path: string) => Effect.map(Workspace.request("GET", path), ({ text }) => text)

const evaluate = Effect.flatMap(EvaluationQueue, ({ queue }) => runOnce(queue))
const sendHeld = Effect.flatMap(EvaluationQueue, (evaluations) => evaluations.sendHeld)

const answerWith = Effect.fnUntraced(function* (cookie: string, fields: Readonly<Record<string, string>>) {
  const page = (yield* get("/person-reviews", cookie)).text
  return yield* post(action, cookie, withFields(fieldsOf(page, action), fields))
})

const actions = Effect.fnUntraced(function* (organization: number) {
  const { sql } = yield* Database
  const rows = yield* sql<{ action: string; detail: object }>`
    select action, detail from audit_log where organization_id = ${organization}::int and action like '%person%' order by id`
  return rows.map(({ action, detail }) => [action, detail])
})

layer(served)("a request for a person", (it) => {
  it.effect("before the start keeps the evaluator from evaluating, until it is declined", () =>
    Effect.gen(function* () {
      const { ask, detail, evaluationEvents, link, organization, owner, reviewEvents, subject, ...candidate } =
        yield* furnished
      assert.include(yield* own(link), `<a href="${link}/person">Ask for a person instead of software</a>`)
      assert.include(yield* own(`${link}/person`), "software does not rate them")
      assert.strictEqual((yield* ask("I <b>stutter</b>.")).location, `${link}/person`)
      const asked = yield* own(`${link}/person`)
      for (const text of ["has your request", "I &lt;b&gt;stutter&lt;/b&gt;.", "Withdraw the request"])
        assert.include(asked, text)
      yield* Scenario.completed(candidate)
      yield* TestClock.adjust("2 hours")
      yield* evaluate
      assert.strictEqual(yield* evaluationEvents, 0)
      assert.deepInclude(yield* detail, { status_text: "completed", score: null, score_status: "not_scored" })
      const box = `The candidate asks for a review by a person. Answer by`
      const read = Effect.map(get(`/submissions/${subject.submission_id}`, owner.cookie), ({ text }) => text)
      assert.match(yield* read, /Answer by <b>.*?<\/b>\. <a href="\/person-reviews">Read and answer/)
      assert.include((yield* get("/home", owner.cookie)).text, "1 candidate asks for a review by a person")
      const list = (yield* get("/person-reviews", owner.cookie)).text
      for (const text of ["a person instead of the evaluator", "I &lt;b&gt;stutter&lt;/b&gt;.", "answer by"])
        assert.include(list, text)
      const declined = yield* answerWith(owner.cookie, { outcome: "declined", text: "We read all answers ourselves." })
      assert.strictEqual(declined.location, "/person-reviews?done=answered")
      assert.notInclude(yield* read, box)
      yield* evaluate
      assert.strictEqual(yield* evaluationEvents, 1)
      assert.deepInclude(yield* detail, { status_text: "evaluated", score: 7.5, score_status: "scored" })
      assert.include(yield* own(link), "We read all answers ourselves.")
      assert.deepStrictEqual(yield* reviewEvents, [
        ["requested", "instead", null],
        ["answered", "instead", "declined"],
      ])
      assert.deepStrictEqual(yield* actions(organization), [
        ["submission.request_person", { kind: "instead" }],
        ["submission.answer_person_request", { kind: "instead", outcome: "declined" }],
      ])
      const { sql } = yield* Database
      const mails = yield* sql<{ kind: string; recipient: string }>`
        select kind, recipient from email where organization_id = ${organization}::int and kind like 'person%' order by id`
      assert.sameDeepMembers(
        [...mails],
        [
          { kind: "person_review_request", recipient: owner.email },
          { kind: "person_review", recipient: subject.candidate_email ?? "" },
        ],
      )
      const written = (yield* Mails.written).find(({ kind }) => kind === "person_review")
      assert.match(
        written?.text ?? "",
        /It does not decide; .+\n\nWe read all answers ourselves\.\n\nGo to your interview\nhttp/,
      )
    }),
  )

  it.effect("that is granted keeps the evaluator from evaluating for good", () =>
    Effect.gen(function* () {
      const { ask, detail, evaluationEvents, link, owner, page, reviewEvents, subject, ...candidate } = yield* furnished
      yield* ask()
      assert.include(yield* own(link), "Software reads your answers")
      yield* answerWith(owner.cookie, { outcome: "by_person" })
      assert.notInclude(yield* own(link), "Software reads your answers")
      assert.notInclude(yield* own(link), "evaluated in this way")
      assert.include(yield* own(link), "stores your answers, and that a person reads them, to consider")
      yield* Scenario.completed({ ...candidate })
      yield* TestClock.adjust("2 hours")
      yield* evaluate
      yield* sendHeld
      assert.deepInclude(yield* detail, { score: null, score_status: "not_scored" })
      assert.strictEqual(yield* evaluationEvents, 0)
      assert.include(yield* page, "The candidate asked for a review by a person")
      assert.notInclude(yield* page, "Evaluate again")
      const refused = yield* Effect.flip(
        (yield* Overrides).evaluateAgain(operator(candidate.organization), subject.submission_id),
      )
      assert.strictEqual(refused._tag, "Conflict")
      assert.include(yield* own(link), "A person reviews your interview.")
      assert.notInclude(yield* own(link), "Your answers are evaluated")
      const log = (yield* get("/settings/audit", owner.cookie)).text
      assert.include(log, 'The candidate</bdi> <span class="deed">asked for a review by a person')
      assert.notInclude(yield* own(`${link}/person`), "<textarea")
      yield* ask("Again")
      assert.lengthOf(yield* reviewEvents, 2)
    }),
  )

  it.effect("after the result takes the score out of every place, until a person confirms it", () =>
    Effect.gen(function* () {
      const { ask, evaluationEvents, key, link, organization, owner, reviewEvents, set, subject, ...candidate } =
        yield* furnished
      const other = yield* Scenario.invited({ id: organization, set }, "bob@example.com")
      for (const one of [{ set, ...candidate }, other])
        yield* Scenario.completed(one, one === other ? "Nothing." : undefined)
      yield* evaluate
      const { submission_id: id } = subject
      const read = (path: string) => Effect.map(get(path, owner.cookie), ({ text }) => text)
      const api = (path: string) => Effect.map(Api.call("GET", path, { key }), ({ body }) => JSON.stringify(body))
      const row = (text: string) =>
        text
          .split("\n")
          .filter((line) => line.includes(id))
          .join("\n")
      const places = {
        list: Effect.map(read("/submissions?order=best"), row),
        csv: Effect.map(read("/submissions.csv"), row),
        page: read(`/submissions/${id}`),
        compare: read(`/submissions/compare?ids=${id},${other.subject.submission_id}`),
        board: Effect.map(read(`/interview-sets/${set.id}/board`), (text) =>
          text.slice(text.indexOf(id)).slice(0, 2000),
        ),
        api: api(Api.paths.detail(id)),
        apiList: Effect.map(api(`/company/integration/hiring/submissions/v1`), (text) => text.slice(text.indexOf(id))),
      }
      const shown = Effect.map(Effect.all(places), (all) =>
        Object.entries(all).flatMap(([place, text]) => (/\b7\.5\b/.test(text) ? [place] : [])),
      )
      assert.deepStrictEqual(yield* shown, Object.keys(places))
      assert.include(yield* own(link), `<a href="${link}/person">Ask a person to look at it again</a>`)
      yield* ask("My answer was misread.")
      assert.deepStrictEqual(yield* shown, [])
      const { sql } = yield* Database
      // the home, oversight and impact ratios read this table
      const kept = yield* sql<object>`
        select score, score_status, has_warnings, met from submission_score where submission_id = ${id}::uuid`
      assert.deepStrictEqual([...kept], [{ score: null, score_status: "not_scored", has_warnings: false, met: null }])
      assert.include(yield* read("/submissions"), id)
      assert.notInclude(yield* read("/submissions?score=scored"), id)
      const form = fieldsOf(yield* places.page, `/submissions/${id}/decision`)
      yield* post(`/submissions/${id}/decision`, owner.cookie, withFields(form, { decision: "hold" }))
      const decided = yield* sql`select from submission where id = ${id}::uuid and decision = 'hold'`
      assert.lengthOf(decided, 1, "members decide without the score")
      yield* answerWith(owner.cookie, { outcome: "confirmed", text: "We have read it again." })
      assert.deepStrictEqual(yield* shown, Object.keys(places))
      assert.include(yield* own(link), "the rating stays")
      yield* ask("Please, another person.")
      yield* answerWith(owner.cookie, { outcome: "by_person" })
      assert.deepStrictEqual(yield* shown, [])
      const override = { evaluation_type: "interview", score: "9.2", reason: "Read and talked about in a call." }
      yield* post(`/submissions/${id}/override`, owner.cookie, override)
      assert.include(yield* places.list, "9.2", "a member's own score counts")
      assert.deepStrictEqual(yield* shown, [])
      assert.strictEqual(yield* evaluationEvents, 1)
      assert.deepStrictEqual(yield* reviewEvents, [
        ["requested", "again", null],
        ["answered", "again", "confirmed"],
        ["requested", "again", null],
        ["answered", "again", "by_person"],
      ])
    }),
  )

  it.effect("lets an API key decide and move without the score and its warnings, as members do", () =>
    Effect.gen(function* () {
      const { ask, detail, key, organization, owner, subject, ...candidate } = yield* furnished
      yield* Scenario.completed(candidate, "I ran PostgreSQL.")
      yield* evaluate
      const offer = HiringStageId.make(crypto.randomUUID())
      yield* (yield* HiringStages).add(viewer(organization, owner), offer, { name: "An offer", decision: "advance" })
      const post = (path: string, json: object) =>
        Api.call("POST", `/company/integration/hiring/submissions/${subject.submission_id}/${path}/v1`, { key, json })
      const requests = [
        ["decision", { decision: "advance", version: 0 }],
        ["stage", { stage_id: offer, version: 0, decision_version: 0 }],
      ] as const
      for (const [path, json] of requests) {
        assert.include(Contract.problem(yield* post(path, json), 409, "conflict").detail, "too few")
      }
      yield* ask()
      assert.strictEqual((yield* post("decision", { decision: "reject", version: 0 })).status, 200)
      const stage = { stage_id: offer, version: 0, decision_version: 1 }
      assert.strictEqual((yield* post("stage", stage)).status, 200)
      const { decision, score, score_status } = yield* detail
      assert.deepStrictEqual([score, score_status], [null, "not_scored"])
      assert.deepInclude(decision, { decision: "advance" })
      yield* answerWith(owner.cookie, { outcome: "confirmed" })
      const again = yield* post("decision", { decision: "reject", version: 2 })
      assert.include(Contract.problem(again, 409, "conflict").detail, "too few", "the score counts again")
    }),
  )

  it.effect("holds what is reported about an evaluation that was running, until the candidate withdraws it", () =>
    Effect.gen(function* () {
      const { ask, detail, evaluationEvents, link, reviewEvents, ...candidate } = yield* furnished
      yield* Scenario.completed(candidate)
      const context = yield* Effect.context<Api.Server>()
      meanwhile.run = Effect.provideContext(Effect.asVoid(ask()), context)
      yield* evaluate
      meanwhile.run = Effect.void
      yield* sendHeld
      assert.strictEqual(yield* evaluationEvents, 0)
      assert.deepInclude(yield* detail, { status_text: "completed", score: null, score_status: "not_scored" })
      yield* post(`${link}/person`, "", { do: "withdraw" })
      yield* sendHeld
      assert.strictEqual(yield* evaluationEvents, 1)
      assert.deepInclude(yield* detail, { status_text: "evaluated", score: 7.5 })
      assert.include(yield* own(`${link}/person`), "You have withdrawn your request for a person.")
      assert.deepStrictEqual(yield* reviewEvents, [
        ["requested", "instead", null],
        ["withdrawn", "instead", "withdrawn"],
      ])
    }),
  )

  it.effect("that is open at an erasure keeps the score unused, and its event unsent", () =>
    Effect.gen(function* () {
      const { ask, evaluationEvents, organization, subject, ...candidate } = yield* furnished
      yield* Scenario.completed(candidate)
      const context = yield* Effect.context<Api.Server>()
      meanwhile.run = Effect.provideContext(Effect.asVoid(ask("I am Ada.")), context)
      yield* evaluate
      meanwhile.run = Effect.void
      yield* (yield* People).erase(operator(organization), CandidateId.make(subject.candidate_id))
      yield* sendHeld
      assert.strictEqual(yield* evaluationEvents, 0)
      const { sql } = yield* Database
      const rows = yield* sql`
        select r.text, r.outcome, k.score from person_review r join submission_score k on k.submission_id = r.submission_id
        where r.organization_id = ${organization}::int`
      assert.deepStrictEqual({ ...rows[0] }, { text: "", outcome: "by_person", score: null })
    }),
  )

  it.effect("can be sent and withdrawn ten times", () =>
    Effect.gen(function* () {
      const { ask, link, organization } = yield* furnished
      for (let i = 0; i < 12; i++) {
        yield* ask(String(i))
        yield* post(`${link}/person`, "", { do: "withdraw" })
      }
      const { sql } = yield* Database
      const rows = yield* sql`select from person_review where organization_id = ${organization}::int`
      assert.lengthOf(rows, 10)
      const page = yield* own(`${link}/person`)
      assert.include(page, "You have withdrawn your request for a person.")
      assert.notInclude(page, "<textarea")
    }),
  )

  it.effect("is answered once, by members who may see the candidate, and not with another request's answer", () =>
    Effect.gen(function* () {
      const { ask, link, organization, owner } = yield* furnished
      const long = yield* ask("a".repeat(1001))
      assert.strictEqual(long.status, 422)
      assert.include(long.text, "Please shorten this text to 1000 characters.")
      yield* Effect.all([ask("1"), ask("2")], { concurrency: "unbounded" })
      const page = (yield* get("/person-reviews", owner.cookie)).text
      assert.lengthOf([...page.matchAll(/action="\/person-reviews\/answer"/g)], 1)
      const fields = fieldsOf(page, action)
      const stranger = yield* signedIn(organization, "recruiter")
      const reviewer = yield* signedIn(organization, "reviewer")
      assert.notInclude((yield* get("/person-reviews", stranger.cookie)).text, `action="${action}"`)
      assert.strictEqual(
        (yield* post(action, stranger.cookie, withFields(fields, { outcome: "declined" }))).status,
        403,
      )
      assert.strictEqual((yield* get("/person-reviews", reviewer.cookie)).status, 403)
      const none = yield* post(action, owner.cookie, withFields(fields, { text: "Gladly." }))
      assert.strictEqual(none.status, 422)
      assert.match(none.text, /<li class="card">.*choose an answer.*Gladly\..*<\/li>/s, "in the card of the candidate")
      const wrong = yield* post(action, owner.cookie, withFields(fields, { outcome: "confirmed" }))
      assert.strictEqual(wrong.status, 409)
      yield* post(action, owner.cookie, withFields(fields, { outcome: "declined" }))
      const second = yield* post(action, owner.cookie, withFields(fields, { outcome: "by_person" }))
      assert.strictEqual(second.status, 409)
      assert.include(second.text, "a colleague has answered it meanwhile")
      yield* ask()
      yield* TestClock.adjust("31 days")
      const { sql } = yield* Database
      const [open] = yield* sql<{ days: number }>`
        select extract(day from due_at - requested_at)::int as days from person_review
        where organization_id = ${organization}::int and answered_at is null`
      assert.strictEqual(open?.days, 30)
      const later = yield* signedIn(organization)
      assert.include((yield* get("/home", later.cookie)).text, "1 answer is overdue")
      assert.include((yield* get("/person-reviews", later.cookie)).text, "Answer was due")
      yield* sql`update submission set status = 'withdrawn' where organization_id = ${organization}::int`
      assert.strictEqual((yield* ask()).status, 409)
      assert.include(yield* own(`${link}/person`), "Your request is sent")
    }),
  )
})
