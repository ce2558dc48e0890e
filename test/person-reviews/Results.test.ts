/** Candidates see their result, and send corrections and remarks, over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { EvaluationQueue } from "../../src/evaluations/EvaluationQueue.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { ResultOffers } from "../../src/person-reviews/ResultOffers.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { Server } from "../support/Api.ts"
import * as Mails from "../support/Mails.ts"
import { fieldsOf, get, post, settings, signedIn, withFields } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Workspace from "../support/Workspace.ts"

const pages = Server.layer.pipe(Layer.provide(App.serve(App.pages)), Layer.provideMerge(Pod.layer({ settings })))

const form = "/settings/candidate-rights"

const own = (path: string) => Workspace.request("GET", path)
const evaluate = Effect.flatMap(EvaluationQueue, ({ queue }) => runOnce(queue))
const offer = Effect.flatMap(ResultOffers, ({ step }) => step)

/** An owner saves the settings; candidates can improve their answers for a day if the set says so. */
const furnished = Effect.fnUntraced(function* (
  rights: Readonly<Record<string, string>>,
  changes: Parameters<typeof Scenario.organization>[0] = {},
) {
  yield* TestClock.setTime(Date.UTC(2026, 0, 1))
  const owned = yield* Scenario.organization(changes)
  const owner = yield* signedIn(owned.id)
  const save = Effect.fnUntraced(function* (fields: Readonly<Record<string, string>>) {
    return yield* post(form, owner.cookie, withFields(fieldsOf((yield* get(form, owner.cookie)).text, form), fields))
  })
  if (Object.keys(rights).length > 0) assert.strictEqual((yield* save(rights)).location, `${form}?done=saved`)
  const invited = yield* Scenario.invited(owned)
  const link = `/i/${invited.token}`
  const send = (fields: Readonly<Record<string, string>>) => post(`${link}/result`, "", fields)
  return { ...invited, owner, save, link, send }
})

const mailed = Effect.fnUntraced(function* (organization: number) {
  const { sql } = yield* Database
  return (yield* sql`select from email where organization_id = ${organization}::int and kind = 'result'`).length
})

const isOpen = (link: string) => Effect.map(own(`${link}/result`), ({ status }) => status === 200)

layer(pages)("the page with the result", (it) => {
  it.effect("is closed unless the organization opens it", () =>
    Effect.gen(function* () {
      const { link, organization, send, ...candidate } = yield* furnished({})
      yield* Scenario.completed(candidate)
      yield* evaluate
      const closed = yield* own(`${link}/result`)
      assert.strictEqual(closed.location, link)
      assert.notInclude((yield* own(link)).text, `${link}/result`)
      assert.strictEqual((yield* send({ kind: "remark", text: "Hello." })).status, 409)
      yield* offer
      assert.strictEqual(yield* mailed(organization), 0)
    }),
  )

  it.effect("opens after the evaluation when the answers can no longer be improved, and one email says so", () =>
    Effect.gen(function* () {
      const rights = { result_page: "evaluation" }
      const { link, organization, owner, ...candidate } = yield* furnished(rights, { number_of_retakes: 1 })
      yield* Scenario.completed(candidate)
      yield* evaluate
      assert.isFalse(yield* isOpen(link))
      yield* offer
      assert.strictEqual(yield* mailed(organization), 0)
      yield* TestClock.adjust("25 hours")
      assert.include((yield* own(link)).text, `href="${link}/result">See your result</a>`)
      const page = (yield* own(`${link}/result`)).text
      for (const text of [
        "PostgreSQL",
        "Found",
        "From your answers:",
        Scenario.answer,
        "No person has read your interview yet.",
      ])
        assert.include(page, text)
      assert.include(page, "Your answers were short.")
      assert.notMatch(page, /7\.5|out of 10/)
      yield* Effect.all([offer, offer], { concurrency: "unbounded" })
      yield* offer
      assert.strictEqual(yield* mailed(organization), 1)
      const mail = (yield* Mails.written).findLast(({ kind }) => kind === "result")
      assert.match(
        mail?.text ?? "",
        /You can now see how software read your interview with Acme: Backend Engineer\n\n.+\n\nSee your result\nhttp/,
      )
      const { sql } = yield* Database
      yield* sql`update submission set reviewed_at = now() where organization_id = ${organization}::int`
      assert.include((yield* own(`${link}/result`)).text, "</bdi> has read your interview.")
    }),
  )

  it.effect("is closed after an improvement until the new answers are evaluated, and no email is sent before", () =>
    Effect.gen(function* () {
      const rights = { result_page: "evaluation" }
      const { link, organization, set, token } = yield* furnished(rights, { number_of_retakes: 1 })
      yield* Scenario.completed({ set, token })
      yield* evaluate
      yield* (yield* Interviews).reopen(token)
      yield* (yield* Interviews).finish(token, [])
      const { sql } = yield* Database
      const [again] = yield* sql<{ attempt: number; status: string }>`
        select attempt, status from submission where organization_id = ${organization}::int`
      assert.deepStrictEqual({ ...again }, { attempt: 2, status: "completed" })
      yield* offer
      assert.isFalse(yield* isOpen(link))
      assert.strictEqual(yield* mailed(organization), 0)
      yield* evaluate
      yield* offer
      assert.isTrue(yield* isOpen(link))
      assert.strictEqual(yield* mailed(organization), 1)
    }),
  )

  it.effect("is closed while a person was asked for instead, also of an evaluation that had begun", () =>
    Effect.gen(function* () {
      const { link, organization, owner, ...candidate } = yield* furnished({ result_page: "evaluation" })
      yield* post(`${link}/person`, "", { do: "ask", text: "" })
      yield* Scenario.completed(candidate)
      const { sql } = yield* Database
      // a worker had claimed it before
      yield* sql`update submission set score_unused = false where organization_id = ${organization}::int`
      yield* sql`update evaluation set due_at = '2026-01-01' where organization_id = ${organization}::int`
      yield* evaluate
      yield* sql`update submission set score_unused = true where organization_id = ${organization}::int`
      yield* offer
      assert.isFalse(yield* isOpen(link))
      assert.strictEqual(yield* mailed(organization), 0)
      yield* post(`${link}/person`, "", { do: "withdraw" })
      yield* offer
      assert.isTrue(yield* isOpen(link))
      assert.strictEqual(yield* mailed(organization), 1)
    }),
  )

  it.effect("opens after the decision, without naming it, and shows the score only if the organization says so", () =>
    Effect.gen(function* () {
      const { link, organization, save, ...candidate } = yield* furnished({ result_page: "decision" })
      yield* Scenario.completed(candidate)
      yield* evaluate
      const { sql } = yield* Database
      yield* sql`update submission set decision = 'hold' where organization_id = ${organization}::int`
      assert.isFalse(yield* isOpen(link))
      yield* sql`update submission set decision = 'reject' where organization_id = ${organization}::int`
      yield* offer
      assert.strictEqual(yield* mailed(organization), 1)
      yield* save({ result_shows_score: "yes" })
      const page = (yield* own(`${link}/result`)).text
      assert.include(page, "</bdi> has decided about your application.")
      assert.notMatch(page, /reject/i)
      assert.include(page, "7.5 out of 10")
      yield* post(`${link}/person`, "", { do: "ask", text: "" })
      const contested = (yield* own(`${link}/result`)).text
      assert.notInclude(contested, "out of 10", "a score that is not used is not shown")
      assert.include(contested, "has your request")
    }),
  )

  it.effect("takes corrections and remarks, which members and reviewers read", () =>
    Effect.gen(function* () {
      const { link, organization, owner, send, subject, ...candidate } = yield* furnished({ result_page: "evaluation" })
      yield* Scenario.completed({ ...candidate })
      yield* evaluate
      for (const [text, error] of [
        [" ", "Please write what is wrong"],
        ["a".repeat(1001), "Please shorten this text to 1000 characters."],
      ] as const) {
        const refused = yield* send({ kind: "correction", text })
        assert.strictEqual(refused.status, 422)
        assert.include(refused.text, error)
      }
      const sent = yield* send({ kind: "correction", text: "It was <b>five</b> years." })
      assert.strictEqual(sent.location, `${link}/result?sent`)
      assert.include((yield* own(`${link}/result?sent`)).text, "It was &lt;b&gt;five&lt;/b&gt; years.")
      for (let i = 1; i < 10; i++) yield* send({ kind: "remark", text: `Remark ${i}` })
      const full = yield* send({ kind: "remark", text: "One more" })
      assert.strictEqual(full.status, 422)
      assert.include(full.text, "You cannot send more than 10 texts.")
      const reviewer = yield* signedIn(organization, "reviewer")
      const { sql } = yield* Database
      const mails = yield* sql<{ recipient: string; content: string }>`
        select recipient, subject || text as content from email
        where organization_id = ${organization}::int and kind = 'candidate_remark' order by created_at, id`
      assert.lengthOf(mails, 10)
      assert.isTrue(mails.every(({ recipient }) => recipient === owner.email))
      assert.match(mails[0]?.content ?? "", /A candidate corrects the result: Backend Engineer.*\/submissions\//s)
      assert.match(mails[1]?.content ?? "", /A candidate adds a remark: Backend Engineer/)
      assert.notMatch(mails.map(({ content }) => content).join(), /five|Remark 1/, "without what was written")
      yield* sql`
        insert into review_assignment (submission_id, member_id, organization_id, assigned_at)
        select ${subject.submission_id}::uuid, id, organization_id, now() from member
        where organization_id = ${organization}::int and role = 'reviewer'`
      for (const cookie of [owner.cookie, reviewer.cookie]) {
        const page = (yield* get(`/submissions/${subject.submission_id}`, cookie)).text
        for (const text of ["From the candidate", "It was &lt;b&gt;five&lt;/b&gt; years.", "Remark 9"])
          assert.include(page, text)
      }
      const [queued] = yield* sql<{ count: number }>`
        select count(*)::int as count from evaluation where submission_id = ${subject.submission_id}::uuid`
      assert.strictEqual(queued?.count, 1, "remarks are not evaluated")
      const noted = yield* sql<{ detail: object }>`
        select detail from audit_log where organization_id = ${organization}::int and action = 'submission.candidate_remark'
        order by id`
      assert.deepStrictEqual(noted[0]?.detail, { kind: "correction" })
    }),
  )

  it.effect("has settings that owners and admins change, each change once", () =>
    Effect.gen(function* () {
      const { organization, owner, save } = yield* furnished({})
      const opened = fieldsOf((yield* get(form, owner.cookie)).text, form)
      for (const days of ["0", "91", "1.5", "soon", ""]) {
        const refused = yield* save({ person_review_days: days })
        assert.strictEqual(refused.status, 422)
        assert.include(refused.text, "The number of days must be a whole number from 1 to 90.")
      }
      yield* save({ person_review_days: "7" })
      const late = yield* post(form, owner.cookie, withFields(opened, { person_review_days: "14" }))
      assert.strictEqual(late.status, 409)
      assert.include(late.text, "Days to answer")
      const recruiter = yield* signedIn(organization, "recruiter")
      assert.strictEqual((yield* get(form, recruiter.cookie)).status, 403)
      const { sql } = yield* Database
      const [entry] = yield* sql<{ detail: object }>`
        select detail from audit_log where organization_id = ${organization}::int
          and action = 'organization.set_candidate_rights'`
      assert.deepStrictEqual(entry?.detail, { before: { person_review_days: 30 }, after: { person_review_days: 7 } })
    }),
  )
})
