/** What candidates need to take part, and the organization's answers, over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as App from "../../src/App.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { Server } from "../support/Api.ts"
import * as Mails from "../support/Mails.ts"
import { fieldsOf, get, post, settings, signedIn, withFields } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Workspace from "../support/Workspace.ts"

const pages = Server.layer.pipe(Layer.provide(App.serve(App.pages)), Layer.provideMerge(Pod.layer({ settings })))

const spoken = {
  title: "Tell us about yourself",
  question_mode: "interview",
  question_type: "text",
  attributes: { answer_with: ["audio"], speaking_only: true },
} as const

const why = { title: "Why?", question_mode: "interview", question_type: "text" } as const

/** A candidate of a timed set with a spoken question, a recruiter of the set, and a reviewer who is asked to review. */
const furnished = Effect.suspend(() => furnishedWith({ interview_duration: 20, iai_questions: [spoken, why] }))

const furnishedWith = Effect.fnUntraced(function* (changes: Parameters<typeof Scenario.organization>[0]) {
  const owned = yield* Scenario.organization(changes)
  const invited = yield* Scenario.invited(owned)
  const owner = yield* signedIn(invited.organization)
  const reviewer = yield* signedIn(invited.organization, "reviewer")
  const link = `/i/${invited.token}`
  const ask = (fields: ReadonlyArray<readonly [string, string]>) => post(`${link}/accommodation`, "", fields)
  return { ...invited, owner, reviewer, link, ask }
})

const own = (path: string) => Workspace.request("GET", path)

const action = "/accommodations/answer"

const answerWith = Effect.fnUntraced(function* (cookie: string, changes: Readonly<Record<string, string>>) {
  const page = (yield* get("/accommodations", cookie)).text
  return yield* post(action, cookie, withFields(fieldsOf(page, action), changes))
})

/** The texts of the answers' emails, with their links. */
const answerMails = Effect.map(Mails.written, (mails) =>
  mails.filter(({ kind }) => kind === "accommodation").map(({ text }) => text),
)

const linkOf = (text: string): string => new URL(/https?:\/\/\S+\/i\/\S+/.exec(text)?.[0] ?? "").pathname

const state = Effect.fnUntraced(function* (submission: string) {
  const { sql } = yield* Database
  const [row] = yield* sql<{ time_factor: number; typed: boolean; minutes: number | null }>`
    select time_factor::float8 as time_factor, typed_answers_allowed as typed,
      round(extract(epoch from answer_until - started_at) / 60)::int as minutes
    from submission where id = ${submission}::uuid`
  return row
})

layer(pages)("accommodations", (it) => {
  it.effect("are asked for on the first page, granted with one click, and told by email and on the page", () =>
    Effect.gen(function* () {
      const { ask, link, organization, owner, subject } = yield* furnished
      const first = (yield* own(link)).text
      assert.include(first, `<a href="${link}/accommodation">I need something else</a>`)
      const form = (yield* own(`${link}/accommodation`)).text
      for (const need of ["time", "typing", "other"]) assert.include(form, `name="need" value="${need}"`)
      const asked = yield* ask([
        ["need", "time"],
        ["need", "typing"],
        ["text", "I read <b>slowly</b>."],
      ])
      assert.strictEqual(asked.location, `${link}/accommodation`)
      assert.include((yield* own(`${link}/accommodation`)).text, "has your request")
      const home = (yield* get("/home", owner.cookie)).text
      assert.include(home, "1 candidate needs something else to take part")
      const list = (yield* get("/accommodations", owner.cookie)).text
      assert.include(list, "Asks for more time, typing instead of speaking")
      assert.include(list, "I read &lt;b&gt;slowly&lt;/b&gt;.")
      const granted = yield* answerWith(owner.cookie, { do: "grant", text: "Take your time." })
      assert.strictEqual(granted.location, "/accommodations?done=granted")
      assert.deepInclude(yield* state(subject.submission_id), { time_factor: 1.5, typed: true })
      const after = (yield* own(link)).text
      for (const text of ["You have 1.5 times as much time.", "You may type your answers.", "Take your time."])
        assert.include(after, text)
      assert.notInclude((yield* get("/home", owner.cookie)).text, "something else to take part")
      const { sql } = yield* Database
      const [mail] = yield* sql<{ subject: string; text: string; recipient: string }>`
        select subject, text, recipient from email where organization_id = ${organization}::int and kind = 'accommodation'`
      assert.strictEqual(mail?.recipient, subject.candidate_email)
      assert.include(mail?.subject, "The answer to your request: Backend Engineer")
      assert.match(
        mail?.text ?? "",
        /You have 1\.5 times as much time\.\nYou may type your answers\.\n\nTake your time\./,
      )
      const written = (yield* answerMails).at(-1) ?? ""
      assert.match(written, /\n\nYou can start until .+\n\nOpen the interview\nhttp/)
      assert.include((yield* own(linkOf(written))).text, "You may type your answers.")
      const timeline = (yield* get(`/submissions/${subject.submission_id}`, owner.cookie)).text
      assert.include(timeline, "Candidate asked for more time, typing instead of speaking")
      assert.include(timeline, "Request granted: 1.5× time, typing instead of speaking by <bdi>")
      assert.include(timeline, "Email “Answer to the request” is waiting to be sent")
      const [entry] = yield* sql<{ action: string; detail: object }>`
        select action, detail from audit_log where organization_id = ${organization}::int
          and action = 'submission.answer_accommodation'`
      assert.deepStrictEqual(entry?.detail, { granted: ["time", "typing"], time_factor: 1.5 })
    }),
  )

  it.effect("while the interview runs: the clock gets longer, and the spoken question a text field", () =>
    Effect.gen(function* () {
      const { ask, link, owner, set, subject } = yield* furnished
      yield* post(`${link}/start`, "")
      const before = (yield* own(`${link}/questions/1`)).text
      assert.include(before, `href="${link}/accommodation"`)
      assert.notInclude(before, "<textarea")
      const [question] = set.iai_questions
      const typedAnswer = [[`answer.${question?.id}`, "I type."]] as const
      yield* post(`${link}/answers`, "", typedAnswer)
      const { sql } = yield* Database
      const answers = sql`select from answer where submission_id = ${subject.submission_id}::uuid`
      assert.isEmpty(yield* answers, "typing is not offered")
      yield* ask([
        ["need", "time"],
        ["need", "typing"],
      ])
      assert.include((yield* own(`${link}/questions/1`)).text, "The time keeps running until then.")
      assert.include((yield* get("/accommodations", owner.cookie)).text, "The interview is running")
      yield* answerWith(owner.cookie, { do: "grant", factor: "2" })
      assert.deepStrictEqual(yield* state(subject.submission_id), { time_factor: 2, typed: true, minutes: 40 })
      assert.match((yield* answerMails).at(-1) ?? "", /You can answer until .+\n\nContinue the interview\nhttp/)
      assert.include((yield* own(`${link}/questions/1`)).text, "<textarea")
      yield* post(`${link}/answers`, "", typedAnswer)
      assert.lengthOf(yield* answers, 1)
      const taken = yield* answerWith(owner.cookie, { do: "decline" })
      assert.strictEqual(taken.status, 409)
      assert.include(taken.text, "the interview has begun with what was granted")
    }),
  )

  it.effect("have an answer that can be changed until the interview has begun with it", () =>
    Effect.gen(function* () {
      const { ask, organization, owner, subject } = yield* furnished
      yield* ask([
        ["need", "time"],
        ["need", "typing"],
      ])
      yield* answerWith(owner.cookie, { do: "decline", text: "Not possible." })
      const list = (yield* get("/accommodations", owner.cookie)).text
      for (const text of ["No open requests.", "<strong>Declined</strong>"]) assert.include(list, text)
      assert.include(list, "Change the answer")
      const seen = fieldsOf(list, action)
      yield* post(action, owner.cookie, withFields(seen, { do: "grant", factor: "2" }))
      assert.deepInclude(yield* state(subject.submission_id), { time_factor: 2, typed: true })
      yield* answerWith(owner.cookie, { do: "grant", factor: "1.25" })
      assert.deepInclude(yield* state(subject.submission_id), { time_factor: 1.25, typed: true })
      const minutes = "Granted: 25 minutes instead of 20, typing instead of speaking"
      assert.include((yield* get("/accommodations", owner.cookie)).text, minutes)
      yield* answerWith(owner.cookie, { do: "decline" })
      assert.deepInclude(yield* state(subject.submission_id), { time_factor: 1, typed: false })
      const unseen = withFields(seen, { do: "grant" }).filter(([name]) => name !== "answered")
      const stale = yield* post(action, owner.cookie, unseen)
      assert.strictEqual(stale.status, 409)
      assert.include(stale.text, "a colleague has answered it meanwhile")
      const { sql } = yield* Database
      const mails =
        yield* sql`select from email where organization_id = ${organization}::int and kind = 'accommodation'`
      assert.lengthOf(mails, 4)
      const timeline = (yield* get(`/submissions/${subject.submission_id}`, owner.cookie)).text
      assert.include(
        timeline,
        "Answer to the request changed, granted: 1.25× time, typing instead of speaking by <bdi>",
      )
    }),
  )

  it.effect("offer only what the set can grant", () =>
    Effect.gen(function* () {
      const { ask, link, owner } = yield* furnishedWith({ iai_questions: [why] })
      const form = (yield* own(`${link}/accommodation`)).text
      assert.notInclude(form, 'type="checkbox"')
      assert.include(form, '<input type="hidden" name="need" value="other">')
      yield* ask([["text", "I read slowly."]])
      const list = (yield* get("/accommodations", owner.cookie)).text
      assert.include(list, "Another way to take part")
      assert.notInclude(list, "Typing instead of speaking")
    }),
  )

  it.effect("are declined with a sentence, and asked again afterwards", () =>
    Effect.gen(function* () {
      const { ask, link, owner, subject } = yield* furnished
      yield* ask([
        ["need", "other"],
        ["text", "A call, please."],
      ])
      yield* answerWith(owner.cookie, { do: "decline", text: "We cannot call before the interview." })
      const page = (yield* own(link)).text
      assert.include(page, "cannot offer this.")
      assert.include(page, "We cannot call before the interview.")
      assert.deepInclude(yield* state(subject.submission_id), { time_factor: 1, typed: false })
      yield* ask([["need", "time"]])
      assert.include((yield* get("/accommodations", owner.cookie)).text, "Asks for more time")
    }),
  )

  it.effect("wait once, are answered once, and keep what was typed into a refused answer", () =>
    Effect.gen(function* () {
      const { ask, organization, owner } = yield* furnished
      yield* Effect.all([ask([["need", "time"]]), ask([["need", "time"]])], { concurrency: "unbounded" })
      const page = (yield* get("/accommodations", owner.cookie)).text
      assert.lengthOf([...page.matchAll(/action="\/accommodations\/answer"/g)], 1)
      const fields = fieldsOf(page, action)
      const nothing = yield* post(action, owner.cookie, [
        ...fields.filter(([name]) => name === "request"),
        ["do", "grant"],
        ["text", "Gladly."],
      ])
      assert.strictEqual(nothing.status, 422)
      assert.include(nothing.text, "choose what you grant, or decline")
      assert.include(nothing.text, "Gladly.")
      yield* post(action, owner.cookie, withFields(fields, { do: "grant" }))
      const second = yield* post(action, owner.cookie, withFields(fields, { do: "decline" }))
      assert.strictEqual(second.status, 409)
      assert.include(second.text, "a colleague has answered it meanwhile")
      const { sql } = yield* Database
      const mails =
        yield* sql`select from email where organization_id = ${organization}::int and kind = 'accommodation'`
      assert.lengthOf(mails, 1)
    }),
  )

  it.effect("need a choice or a text, end with the interview, and are for recruiters of the set only", () =>
    Effect.gen(function* () {
      const { ask, link, organization, owner, reviewer } = yield* furnished
      for (const fields of [[], [["need", "other"]], [["need", "unknown"]]] as const) {
        const refused = yield* ask(fields)
        assert.strictEqual(refused.status, 422)
        assert.include(refused.text, "Please choose what you need, or describe it.")
      }
      const long = yield* ask([["text", "a".repeat(1001)]])
      assert.strictEqual(long.status, 422)
      assert.include(long.text, "Please shorten this text to 1000 characters.")
      yield* ask([["need", "time"]])
      const stranger = yield* signedIn(organization, "recruiter")
      assert.notInclude((yield* get("/accommodations", stranger.cookie)).text, 'action="/accommodations/answer"')
      const asked = fieldsOf((yield* get("/accommodations", owner.cookie)).text, action)
      const declined = withFields(asked, { do: "decline" })
      assert.strictEqual((yield* post(action, stranger.cookie, declined)).status, 403)
      assert.strictEqual((yield* get("/accommodations", reviewer.cookie)).status, 403)
      assert.strictEqual((yield* post(action, reviewer.cookie, declined)).status, 403)
      yield* post(`${link}/decline`, "", { reason: "" })
      assert.strictEqual(
        (yield* ask([
          ["need", "other"],
          ["text", "Later"],
        ])).status,
        409,
      )
      const late = yield* answerWith(owner.cookie, { do: "grant" })
      assert.strictEqual(late.status, 409)
      assert.include(late.text, "more time is not possible")
    }),
  )
})
