/** The workspace's pages of submissions over HTTP: access, content and forms. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Ref, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { CvNotFetched } from "../../src/cv/CvFetcher.ts"
import { CvQueue } from "../../src/cv/CvQueue.ts"
import { EvaluatorUnavailable } from "../../src/evaluations/Evaluator.ts"
import { InterviewSets } from "../../src/interview-sets/InterviewSets.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Uploads } from "../../src/interviews/Uploads.ts"
import { InviteRequest } from "../../src/invitations/InviteRequest.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { Overrides } from "../../src/reviews/Overrides.ts"
import { QuestionId, SubmissionId } from "../../src/values/Ids.ts"
import { Server } from "../support/Api.ts"
import * as Dossier from "../support/Dossier.ts"
import { fieldsOf } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Workspace from "../support/Workspace.ts"

/** True while the evaluator is unavailable. */
const isAway = Ref.makeUnsafe(false)
/** True when a retry may succeed. */
const isRetryable = Ref.makeUnsafe(false)

const pages = Server.layer.pipe(
  Layer.provide(App.serve(App.pages)),
  Layer.provideMerge(
    Pod.layer({
      settings: { PORT: "0", TRUSTED_PROXIES: "127.0.0.1/32,::1/128" },
      fetchCv: () => Effect.fail(new CvNotFetched({ reason: "the server's <answer> was 404", permanent: true })),
      evaluate: (input) =>
        Effect.flatMap(Effect.all([Ref.get(isAway), Ref.get(isRetryable)]), ([away, retryable]) =>
          away
            ? Effect.fail(new EvaluatorUnavailable({ reason: "the model is away", retryable }))
            : Dossier.evaluate(input),
        ),
    }),
  ),
  Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(Date.parse("2026-11-02T09:42:00Z")))),
)

let made = 0
const signedIn = Effect.fnUntraced(function* (
  organization: Parameters<typeof Workspace.member>[0],
  role: Parameters<typeof Workspace.member>[2] = "owner",
  email = `m${++made}@example.com`,
) {
  yield* Workspace.member(organization, email, role)
  const { cookie } = yield* Workspace.signIn(email, { headers: { "x-forwarded-for": `203.0.113.${made}` } })
  return { cookie, email }
})

const invited = (changes: Parameters<typeof Scenario.organization>[0] = {}) =>
  Effect.map(Effect.flatMap(Scenario.organization(changes), Scenario.invited), (one) => ({
    ...one,
    submission: SubmissionId.make(one.subject.submission_id),
  }))

const { get, post } = {
  get: (path: string, cookie: string) => Workspace.request("GET", path, { cookie }),
  post: (path: string, cookie: string, fields: Record<string, string> = {}) =>
    Workspace.request("POST", path, { cookie, fields }),
}

layer(pages)("submissions in the workspace", (it) => {
  it.effect("shows the score with its computation, the quotes, the timeline and the evaluation details", () =>
    Effect.gen(function* () {
      const { organization, submission } = yield* Dossier.whole()
      const { cookie } = yield* signedIn(organization)
      const { bytes, headers, status, text } = yield* get(`/submissions/${submission}`, cookie)
      assert.strictEqual(status, 200)
      assert.isBelow(bytes.length, 60_000)
      assert.include(headers.get("content-security-policy") ?? "", "default-src 'none'")
      for (const part of [
        "Senior Backend Engineer, Payments",
        "ada@example.com",
        "CV and interview score",
        "2\u00a0of\u00a04\u00a0met, 1\u00a0partly\u00a0met, 1\u00a0not\u00a0rated",
        "Must Have: 1\u00a0of\u00a01\u00a0met",
        '<b class="score-value">10.0</b>',
        "Interview</a> by words 2",
        "Technical details",
        "Preliminary.",
        ">Not rated</strong>",
        "One requirement that could not be rated does not count.",
        "Invited at",
      ]) {
        assert.include(text, part)
      }
      assert.match(text, /<span class="hash"[^>]*>[0-9a-f]{64}</)
      // overlapping quotes of one requirement are one mark
      assert.include(
        text,
        '<mark id="quote-1-1" data-of="1"><span id="quote-1-2"></span>I built the payment gateway of a shop platform in TypeScript',
      )
      assert.include(text, 'requests a second.<a class="ref" href="#requirement-1"')
      // a quote of two requirements has both numbers
      assert.match(
        text,
        /<mark id="quote-2-\d" data-of="1 2">TypeScript on Node\.js, PostgreSQL 12 to 16\.<a class="ref" href="#requirement-1"[^>]*>1<\/a><a class="ref" href="#requirement-2"/,
      )
      assert.match(
        text,
        /<mark id="quote-3-1" data-of="3">Mentored two juniors, who both lead teams today\.<a class="ref" href="#requirement-3"/,
      )
      // every quote links to its source
      const targets = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
      assert.isAbove(targets.length, 8)
      for (const id of targets) assert.include(text, `id="${id}"`)
      const interview = yield* get(`/submissions/${submission}?evaluation=interview`, cookie)
      for (const part of [
        "Interview score",
        "<dd>words 2</dd>",
        "<dd>example-model-7</dd>",
        "Ask how a release was rolled back",
      ]) {
        assert.include(interview.text, part)
      }
      assert.notInclude(interview.text, "Mentored two juniors, who both lead teams today.<a")
      assert.include(
        (yield* get(`/submissions/${submission}?evaluation=nothing`, cookie)).text,
        "CV and interview score",
      )
    }),
  )

  it.effect("marks the places of one requirement in the answers, without a script by its link", () =>
    Effect.gen(function* () {
      const { organization, submission } = yield* Dossier.whole()
      const { cookie } = yield* signedIn(organization)
      const path = `/submissions/${submission}`
      const { text } = yield* get(path, cookie)
      assert.notMatch(text, /<mark[^>]*class="on"/)
      const [, href = ""] = /class="places-of" href="([^"]*requirement=2[^"]*)"/.exec(text) ?? []
      assert.match(href, /#quote-2-\d$/)
      const marked = (yield* get(href.replaceAll("&amp;", "&").split("#")[0] ?? "", cookie)).text
      const of = (isOn: boolean) =>
        [...marked.matchAll(/<mark[^>]* data-of="([^"]*)"( class="on")?>/g)].flatMap(([, numbers = "", on]) =>
          (on !== undefined) === isOn ? [numbers.split(" ").includes("2")] : [],
        )
      assert.isNotEmpty(of(true))
      assert.isTrue(of(true).every((one) => one))
      assert.isFalse(of(false).some((one) => one))
      for (const wrong of ["0", "99", "x", "1e1"])
        assert.notMatch((yield* get(`${path}?requirement=${wrong}`, cookie)).text, /<mark[^>]*class="on"/)
    }),
  )

  it.effect("says beside the number, also in the header, that it is overridden and preliminary", () =>
    Effect.gen(function* () {
      const { organization, submission } = yield* Dossier.whole()
      const { cookie } = yield* signedIn(organization)
      const path = `/submissions/${submission}`
      const header = Effect.map(
        get(path, cookie),
        ({ text }) => /<header class="lead person">.*?<\/header>/s.exec(text)?.[0],
      )
      assert.match((yield* header) ?? "", /out of 10<\/span><\/a> <span class="tag">preliminary<\/span>/)
      yield* post(`${path}/override`, cookie, {
        evaluation_type: "holistic",
        score: "8.5",
        reason: "I have met the candidate.",
      })
      assert.match(
        (yield* header) ?? "",
        />8\.5<\/span>.*<\/a> <span class="tag">overridden<\/span> <span class="tag">preliminary<\/span>/,
      )
    }),
  )

  it.effect("says what happened and what to do when there are no answers", () =>
    Effect.gen(function* () {
      const one = yield* invited(Dossier.set)
      const { cookie } = yield* signedIn(one.organization)
      const { sql } = yield* Database
      const standing = Effect.map(
        get(`/submissions/${one.submission}`, cookie),
        ({ text }) => /aria-labelledby="standing">.*?<\/section>/s.exec(text)?.[0] ?? "",
      )
      const set = (change: string) =>
        sql`update submission set ${sql.literal(change)} where id = ${one.submission}::uuid`
      const again = `href="/interview-sets/${one.set.id}/invite?again=${one.submission}">Invite again</a>`
      // the invitation is in the panel, the review folded
      const waiting = yield* standing
      assert.match(waiting, />Waiting for the candidate<[\s\S]*>Send the email again<[\s\S]*>Cancel invitation/)
      assert.match(waiting, /data-copy="link"[\s\S]*>Give more time</)
      const whole = (yield* get(`/submissions/${one.submission}`, cookie)).text
      assert.match(whole, /<details class="rate-anyway"><summary><h2 id="review">Rate anyway</)
      assert.notInclude(whole, 'id="score"')
      assert.notInclude(whole, 'class="jump"')
      yield* set("status = 'started', started_at = now()")
      assert.match(yield* standing, />The candidate is answering<[\s\S]*>Cancel invitation/)
      yield* set("status = 'expired', started_at = null")
      assert.include(yield* standing, ">The deadline has passed<")
      assert.include(yield* standing, again)
      yield* set("status = 'withdrawn'")
      assert.include(yield* standing, ">Cancelled<")
      const form = yield* get(`/interview-sets/${one.set.id}/invite?again=${one.submission}`, cookie)
      const filled = fieldsOf(form.text, `/interview-sets/${one.set.id}/invite`)
      assert.deepInclude(filled, ["c.0.email", "ada@example.com"])
      assert.deepInclude(filled, ["c.0.name", "Ada"])
      yield* set("declined_at = now()")
      assert.include(yield* standing, ">The candidate declined<")
      assert.include(yield* standing, again)
    }),
  )

  it.effect("shows recruiters only submissions of sets that are shared with them", () =>
    Effect.gen(function* () {
      const name = `Rec${++made}@Example.com`
      const { organization, submission } = yield* Dossier.whole({ com_accesses: [{ email: name }] })
      const other = yield* (yield* InterviewSets).create(operator(organization), { title: "Another set" })
      const hidden = yield* Scenario.invited({ id: organization, set: other }, "bo@example.com")
      const named = yield* signedIn(organization, "recruiter", name.toLowerCase())
      const stranger = yield* signedIn(organization, "recruiter")
      const admin = yield* signedIn(organization, "admin")
      const path = `/submissions/${submission}`
      const refused = yield* get(path, stranger.cookie)
      assert.strictEqual(refused.status, 403)
      assert.include(refused.text, "You may not see this submission")
      for (const { cookie } of [named, admin]) assert.strictEqual((yield* get(path, cookie)).status, 200)
      const lists = yield* Effect.forEach([named, stranger, admin], ({ cookie }) => get("/submissions", cookie))
      assert.deepStrictEqual(
        lists.map(({ text }) => [text.includes(submission), text.includes(hidden.subject.submission_id)]),
        [
          [true, false],
          [false, false],
          [true, true],
        ],
      )
    }),
  )

  it.effect("says that there is no such submission", () =>
    Effect.gen(function* () {
      const { id: organization } = yield* Scenario.organization()
      const { cookie } = yield* signedIn(organization)
      for (const id of ["0190b5a2-7c1e-7def-8abc-0123456789ab", "nothing"]) {
        const answer = yield* get(`/submissions/${id}`, cookie)
        assert.strictEqual(answer.status, 404)
        assert.include(answer.text, "There is no such submission")
      }
    }),
  )

  it.effect("redirects to the sign-in without a session, and back to the page of a form", () =>
    Effect.gen(function* () {
      const { submission } = yield* invited()
      const path = `/submissions/${submission}`
      for (const [asked, next] of [
        [Workspace.request("GET", path), path],
        [Workspace.request("GET", `${path}/cv`), `${path}/cv`],
        [
          Workspace.request("POST", `${path}/override`, {
            headers: { referer: `http://localhost:8080${path}?evaluation=cv` },
          }),
          `${path}?evaluation=cv`,
        ],
      ] as const) {
        const answer = yield* asked
        assert.strictEqual(answer.status, 303)
        assert.strictEqual(answer.location, `/sign-in?next=${encodeURIComponent(next)}`)
        assert.strictEqual(answer.text, "")
      }
    }),
  )

  it.effect(
    "calls a keyword evaluator's score a keyword match, computes it in tenths, and links to the answers if there is no match",
    () =>
      Effect.gen(function* () {
        const { organization, submission } = yield* Dossier.whole()
        const { cookie } = yield* signedIn(organization)
        const { sql } = yield* Database
        yield* sql`
        update evaluation set evaluator = 'keyword/6', result = jsonb_set(jsonb_set(jsonb_set(result,
          '{criteria,0,score}', '0.1'), '{criteria,1,score}', '4.1'), '{criteria,1,weight}', '3')
        where submission_id = ${submission}::uuid and evaluation_type = 'interview'`
        const { text } = yield* get(`/submissions/${submission}?evaluation=interview`, cookie)
        assert.include(text, "Interview keyword match")
        assert.include(text, "A keyword match compares words")
        assert.include(text, "How the keyword match is computed")
        assert.match(
          text,
          />No match found<\/strong>\n<p class="rating"><span class="to-read">please <a href="#answers">read the answers<\/a>/,
        )
        assert.notInclude(text, "0.1 out of 10")
        assert.include(text, "<td>3</td><td>4.1</td><td>12.3</td>")
      }),
  )

  it.effect("begins with the requirements, sorted by importance, then in the order of the set", () =>
    Effect.gen(function* () {
      const { organization, submission } = yield* Dossier.whole({
        iai_requirements: [
          { title: "Mentoring colleagues", cfg_importance_id: 245 },
          { title: "TypeScript services in production", cfg_importance_id: 273 },
          { title: "PostgreSQL: query plans and indexes", cfg_importance_id: 273 },
          { title: "Speaks Vietnamese", cfg_importance_id: 273 },
        ],
      })
      const { cookie } = yield* signedIn(organization)
      const { sql } = yield* Database
      yield* sql`
        update evaluation set result = jsonb_set(jsonb_set(result, '{criteria,1,score}', '0'), '{criteria,2,score}', '2.5')
        where submission_id = ${submission}::uuid and evaluation_type = 'interview'`
      const { text } = yield* get(`/submissions/${submission}?evaluation=interview`, cookie)
      const requirements = [
        ...text.matchAll(
          /<h3 dir="auto"><span class="ordinal">\d<\/span> ([^<]*)<\/h3>\n<strong[^>]*>([^<]*)<\/strong>\n<p class="rating">.*?<span>([\w ]*)<\/span>/g,
        ),
      ].map(([, title, outcome, importance]) => [title, outcome, importance])
      assert.deepStrictEqual(requirements, [
        ["TypeScript services in production", "No match found", "Must Have"],
        ["PostgreSQL: query plans and indexes", "Partly met", "Must Have"],
        ["Speaks Vietnamese", "Not rated", "Must Have"],
        ["Mentoring colleagues", "No match found", "Important"],
      ])
      const spaced = text.replaceAll("\u00a0", " ")
      assert.include(spaced, ">0 of 4 met, 1 partly met, 1 not rated, 2 no match found<")
      assert.include(spaced, ">Must Have: 0 of 3 met, 1 partly met, 1 not rated, 1 no match found<")
      // its quotes are in its details, and link to their places
      const of = text.slice(text.indexOf('id="requirement-2"'), text.indexOf('id="requirement-3"'))
      assert.match(
        of,
        /<summary>\d quotes?<[\s\S]*EXPLAIN ANALYZE showed[^<]*<\/blockquote><p class="note">from <a class="place" href="#quote-2-1"><bdi>A data/,
      )
      assert.isBelow(text.indexOf('id="requirements"'), text.indexOf('id="summary"'))
    }),
  )

  it.effect("shows strengths and gaps of a model, but not those of the keyword evaluator", () =>
    Effect.gen(function* () {
      const { organization, submission } = yield* Dossier.whole()
      const { cookie } = yield* signedIn(organization)
      const text = Effect.map(get(`/submissions/${submission}?evaluation=interview`, cookie), (page) => page.text)
      for (const part of ["Strengths</h3>", "Nothing about tests", "Ran a payment service"]) {
        assert.include(yield* text, part)
      }
      const { sql } = yield* Database
      yield* sql`update evaluation set evaluator = 'keyword/6' where submission_id = ${submission}::uuid and evaluation_type = 'interview'`
      const restated = yield* text
      for (const part of ["Strengths</h3>", "Nothing about tests", "Ran a payment service"]) {
        assert.notInclude(restated, part)
      }
      assert.match(restated, /Suggested questions<\/h2><ul><li dir="auto">Ask how a release was rolled back/)
      const holistic = yield* get(`/submissions/${submission}`, cookie)
      assert.notInclude(holistic.text, "Strengths</h3>")
    }),
  )

  it.effect("says at the top that a rating may be unreliable, and links to the text", () =>
    Effect.gen(function* () {
      const one = yield* invited(Dossier.set)
      yield* (yield* Interviews).start(one.token)
      yield* Dossier.answerAll(one, { built: "I built it in TypeScript.", problem: "None." })
      yield* Dossier.evaluateAll
      const { cookie } = yield* signedIn(one.organization)
      const text = Effect.map(get(`/submissions/${one.submission}`, cookie), (page) => page.text)
      const { sql } = yield* Database
      const update = (evaluator: string, result: object) => sql`
        update evaluation set evaluator = ${evaluator}, result = result || ${JSON.stringify(result)}::text::jsonb
        where submission_id = ${one.submission}::uuid`
      yield* update("keyword/6", { score: 0, score_status: "scored" })
      const note = /<strong>The rating may be unreliable:<\/strong> <a href="#answers">read the answers<\/a>/
      const short = yield* text
      assert.match(short, note)
      assert.include(short, "<li>The written answers have 6 words in total, too few for a reliable rating.</li>")
      assert.isBelow(short.search(note), short.indexOf('id="requirements"'))
      const unread = { code: "part_not_read", message: "Text in <b> was not read." }
      yield* update("keyword/6", { summary: `Requirements: 0 of 4 met.\n${unread.message}`, warnings: [unread] })
      const remarked = yield* text
      assert.include(remarked, "<li>Text in &lt;b&gt; was not read.</li>")
      assert.notInclude(remarked, "Requirements: 0 of 4 met.")
      yield* update("words 2", { summary: "First line.\nSecond line.", warnings: [] })
      const whole = yield* text
      assert.notMatch(whole, note)
      assert.include(whole, "First line.\nSecond line.</p>")
    }),
  )

  it.effect("shows questions without an answer in the order of the set", () =>
    Effect.gen(function* () {
      const one = yield* invited({ ...Dossier.set, number_of_retakes: 0 })
      const interviews = yield* Interviews
      yield* interviews.start(one.token)
      const { questions } = yield* interviews.view(one.token)
      const answered = questions.filter(({ title }) => title === "A database problem")
      assert.lengthOf(answered, 1)
      yield* interviews.finish(
        one.token,
        answered.map(({ id }) => ({ question_id: id, content: "An index was missing.", option_ids: [] })),
      )
      const { cookie } = yield* signedIn(one.organization)
      const { text } = yield* get(`/submissions/${one.submission}`, cookie)
      const shown = [
        ...text.matchAll(/<li id="answer-1-[^"]*" class="answer"><h3 dir="auto">([^<]*)<\/h3>(.*?)<\/li>/gs),
      ]
      assert.deepStrictEqual(
        shown.map(([, title, content]) => [title, content?.includes("No answer.")]),
        (Dossier.set.iai_questions ?? []).map(({ title }) => [title, title !== "A database problem"]),
      )
    }),
  )

  it.effect("shows what the hiring system stores with the candidate and the set", () =>
    Effect.gen(function* () {
      const one = yield* invited({ ...Dossier.set, external_id: "<job> 182" })
      const { sql } = yield* Database
      yield* sql`
        update submission set external_id = '<id> 4711', metadata = '{"source": "<fair>", "by": "Mira"}'
        where id = ${one.submission}::uuid`
      const { cookie } = yield* signedIn(one.organization)
      const { text } = yield* get(`/submissions/${one.submission}`, cookie)
      assert.include(text, ">&lt;id&gt; 4711</bdi>")
      assert.match(text, /by: Mira; source: &lt;fair&gt;|source: &lt;fair&gt;; by: Mira/)
      assert.include((yield* get(`/interview-sets/${one.set.id}`, cookie)).text, "<bdi>&lt;job&gt; 182</bdi>")
    }),
  )

  it.effect("gives the reason once when no requirement could be rated, and calls the state Not scored", () =>
    Effect.gen(function* () {
      const { organization, set, submission } = yield* Dossier.whole({
        iai_requirements: [{ title: "Speaks Vietnamese" }, { title: "Speaks Thai" }],
      })
      const { cookie } = yield* signedIn(organization)
      const { text } = yield* get(`/submissions/${submission}?evaluation=interview`, cookie)
      assert.include(text, "Cannot be evaluated")
      assert.lengthOf([...text.matchAll(/Nothing in the texts says anything about it\./g)], 1)
      assert.include(text, 'This is not a score of zero. Please <a href="#answers">read the answers</a>.')
      assert.include(text, '<span class="tag todo">Not scored</span>')
      assert.include(text, "<span>Interview: no requirement could be rated</span>")
      for (const path of ["/submissions", `/interview-sets/${set.id}/board`])
        assert.include((yield* get(path, cookie)).text, '<b class="todo">Not scored</b>')
    }),
  )

  it.effect("overrides a score, idempotently, and removes the override", () =>
    Effect.gen(function* () {
      const { organization, submission } = yield* Dossier.whole()
      const { cookie, email } = yield* signedIn(organization)
      const path = `/submissions/${submission}`
      const fields = { evaluation_type: "interview", score: "8,5", reason: "I have met\r\nthe candidate." }
      for (let i = 0; i < 2; i++) {
        const saved = yield* post(`${path}/override`, cookie, fields)
        assert.strictEqual(saved.status, 303)
        assert.strictEqual(saved.location, `${path}?evaluation=interview&done=saved`)
      }
      const { text } = yield* get(`${path}?evaluation=interview&done=saved`, cookie)
      assert.include(text, "The override was saved.")
      assert.include(text, '<span class="total">8.5</span>')
      assert.match(
        text,
        /<span class="total">\d\.\d<\/span>[\s\S]*The evaluator's score[\s\S]*<span class="total">8\.5<\/span>/,
      )
      assert.include(text, `Override by <bdi>${email}</bdi>`)
      assert.include(text, "I have met\nthe candidate.")
      const { sql } = yield* Database
      const [stored] = yield* sql<{ override: object }>`
        select override from evaluation where submission_id = ${submission}::uuid and override is not null`
      assert.deepInclude(stored?.override, { score: 8.5, reason: "I have met\nthe candidate." })
      const back = yield* post(`${path}/override/withdraw`, cookie, { evaluation_type: "interview" })
      assert.strictEqual(back.location, `${path}?evaluation=interview&done=withdrawn`)
      assert.notInclude((yield* get(`${path}?evaluation=interview`, cookie)).text, "The evaluator's score")
      yield* post(`${path}/override/withdraw`, cookie, { evaluation_type: "interview" })
    }),
  )

  it.effect("shows errors beside the fields of an override and keeps the input", () =>
    Effect.gen(function* () {
      const { organization, submission } = yield* Dossier.whole()
      const { cookie } = yield* signedIn(organization)
      const path = `/submissions/${submission}/override`
      const reason = `short "></textarea><script>alert(1)</script>`
      const both = yield* post(path, cookie, { evaluation_type: "cv", score: "11", reason: "no" })
      assert.strictEqual(both.status, 422)
      assert.include(both.text, 'id="score-error">The score must be from 0 to 10')
      assert.include(both.text, 'id="reason-error">The reason must have at least 10 characters')
      assert.include(both.text, '<details class="override-form" id="override" open>')
      for (const score of ["", "ten", "1e1", "-1", "8.55", "10.1", "0x8", "NaN", "٨"]) {
        const answer = yield* post(path, cookie, { evaluation_type: "cv", score, reason })
        assert.strictEqual(answer.status, 422, score)
        assert.notInclude(answer.text, "reason-error")
        assert.notInclude(answer.text, "<script>alert")
        assert.include(answer.text, "short &quot;&gt;&lt;/textarea&gt;&lt;script&gt;alert(1)&lt;/script&gt;</textarea>")
      }
      assert.strictEqual((yield* post(path, cookie, { score: "5", reason })).location, path.replace("/override", ""))
      const long = { evaluation_type: "cv", score: "5", reason: "x".repeat(3_000_000) }
      assert.strictEqual((yield* post(path, cookie, long)).status, 413)
      const { sql } = yield* Database
      const rows =
        yield* sql`select id from evaluation where submission_id = ${submission}::uuid and override is not null`
      assert.deepStrictEqual(rows, [])
    }),
  )

  it.effect("offers to evaluate again when there is no score, and queues one evaluation", () =>
    Effect.gen(function* () {
      const one = yield* invited({ ...Dossier.set, number_of_retakes: 0 })
      yield* (yield* Interviews).start(one.token)
      yield* Dossier.answerAll(one)
      yield* Ref.set(isAway, true)
      yield* Dossier.evaluateAll
      yield* Ref.set(isAway, false)
      const { cookie } = yield* signedIn(one.organization)
      const path = `/submissions/${one.submission}`
      const before = yield* get(path, cookie)
      assert.include(before.text, "The evaluator was unavailable")
      assert.include(before.text, ">Evaluate again</button>")
      assert.notInclude(before.text, "the model is away", "only operators see the reason")
      yield* TestClock.adjust("1 minute")
      const queued = yield* post(`${path}/evaluate`, cookie)
      assert.include(
        (yield* get(`${path}?done=queued`, cookie)).text,
        "The submission is being evaluated again. Reload the page",
      )
      assert.strictEqual(queued.location, `${path}?done=queued`)
      const again = yield* post(`${path}/evaluate`, cookie)
      assert.strictEqual(again.status, 409)
      assert.include(again.text, "The evaluation was not requested: the submission is being evaluated already.")
      assert.notInclude(again.text, ">Evaluate again</button>")
      yield* Dossier.evaluateAll
      const after = yield* get(path, cookie)
      assert.match(after.text, /<span class="total">\d+\.\d<\/span>/)
      assert.notInclude(after.text, ">Evaluate again</button>")
    }),
  )

  it.effect("says that the evaluator is unavailable, and shows the full text of questions", () =>
    Effect.gen(function* () {
      const one = yield* invited({
        ...Dossier.set,
        number_of_retakes: 0,
        iai_questions: [
          {
            title: "A service you built",
            content: "What was <your> part?",
            question_mode: "interview",
            question_type: "text",
          },
        ],
        iai_requirements: [
          { title: "TypeScript services in production", content: "Has run <two> of them." },
          { title: "Mentoring colleagues", content: "Mentoring colleagues" },
        ],
      })
      yield* (yield* Interviews).start(one.token)
      yield* Dossier.answerAll(one)
      yield* Ref.set(isAway, true)
      yield* Ref.set(isRetryable, true)
      yield* Dossier.evaluateAll
      yield* Ref.set(isAway, false)
      yield* Ref.set(isRetryable, false)
      const { cookie } = yield* signedIn(one.organization)
      const text = Effect.map(get(`/submissions/${one.submission}`, cookie), (page) => page.text)
      assert.include(yield* text, "The evaluator is unavailable.")
      assert.include(yield* text, "What was &lt;your&gt; part?")
      yield* TestClock.adjust("15 minutes")
      yield* Dossier.evaluateAll
      const after = yield* text
      assert.notInclude(after, "The evaluator is unavailable.")
      assert.include(after, "Has run &lt;two&gt; of them.")
      assert.notInclude(after, ">Mentoring colleagues</p>")
    }),
  )

  it.effect("shows missing information: no interview, an unreadable CV, a running attempt", () =>
    Effect.gen(function* () {
      const one = yield* invited(Dossier.set)
      const { cookie } = yield* signedIn(one.organization)
      const text = Effect.map(get(`/submissions/${one.submission}`, cookie), (page) => page.text)
      assert.include(yield* text, "The interview can be started until")
      assert.include(yield* text, "Deadline to start")
      yield* Dossier.addCv(one.organization, one.submission, {
        text: null,
        error: "The file is protected by a password. Send one <without>.",
      })
      assert.include(yield* text, "The file is protected by a password. Send one &lt;without&gt;.")
      const { sql } = yield* Database
      yield* sql`update cv set state = 'queued', due_at = now() + interval '1 hour' where submission_id = ${one.submission}::uuid`
      assert.include(yield* text, "&lt;without&gt;.</bdi> It is retried for about 40 minutes.")
      yield* sql`update cv set state = 'failed', due_at = null where submission_id = ${one.submission}::uuid`
      const interviews = yield* Interviews
      yield* interviews.start(one.token)
      yield* Dossier.answerAll(one)
      yield* Dossier.evaluateAll
      yield* interviews.reopen(one.token)
      assert.include(yield* text, "Answers are shown after they are submitted.")
      assert.include(yield* text, "This score is for attempt 1.")
      assert.include(yield* text, Dossier.texts.problem.slice(0, 20))
      const { questions } = yield* interviews.view(one.token)
      const built = questions.find(({ title }) => title === "A service you built")
      assert.isDefined(built)
      yield* Scenario.save(interviews, one.token, [
        { question_id: built.id, content: "A secret draft.", option_ids: [] },
      ])
      assert.notInclude(yield* text, "A secret draft.")
      yield* Dossier.answerAll(one, { built: "Now I say it better." })
      const after = yield* text
      assert.include(after, "Answers of attempt 2")
      assert.include(after, "Answers of attempt 1</summary>")
      assert.include(after, "Now I say it better.")
    }),
  )

  it.effect("shows once why a CV failed, with forms that try again and correct the link", () =>
    Effect.gen(function* () {
      const { id, set } = yield* Scenario.organization({ ...Dossier.set, set_type: 2 })
      const [result] = yield* Scenario.invite(
        operator(id),
        InviteRequest.make({
          com_interview_set_id: set.id,
          candidates: [{ email: "ada@example.com", cv_link: "https://cv.example/ada.pdf" }],
        }),
      )
      const submission = result?.submission?.id ?? assert.fail()
      const { sql } = yield* Database
      const { queue } = yield* CvQueue
      yield* runOnce(queue)
      yield* Dossier.evaluateAll
      const [cv] = yield* sql<{ error: string; state: string }>`
        select error, state from cv where submission_id = ${submission}::uuid`
      assert(cv !== undefined)
      assert.strictEqual(cv.state, "failed")
      const { cookie } = yield* signedIn(id)
      const path = `/submissions/${submission}`
      const { text } = yield* get(path, cookie)
      const escaped = cv.error.replaceAll("'", "&#39;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
      assert.lengthOf(text.split(escaped), 2, cv.error)
      const box = text.slice(text.indexOf("failed-cv"), text.indexOf('class="sources"'))
      assert.include(box, escaped)
      // there is nothing to review until a CV was read
      const waiting = Effect.map(get("/submissions?status=waiting", cookie), (page) => page.text.includes(submission))
      const isPending = Effect.map(get("/home", cookie), (page) => page.text.includes(submission))
      const state = Effect.map(
        get("/submissions", cookie),
        (page) => /<td><b class="(\w+)">([^<]*)<\/b>/.exec(page.text)?.slice(1) ?? [],
      )
      assert.deepStrictEqual([yield* waiting, yield* isPending], [false, false])
      assert.deepStrictEqual(yield* state, ["failed", "CV not readable"])
      assert.include(text, '<span class="tag failed">CV not readable</span>')
      assert.include((yield* get("/submissions?status=cv_unreadable", cookie)).text, submission)
      assert.notInclude((yield* get("/submissions?status=evaluated", cookie)).text, submission)
      yield* TestClock.adjust("1 minute")
      yield* Dossier.addCv(id, SubmissionId.make(submission), { text: Dossier.texts.cv })
      yield* (yield* Overrides).evaluateAgain(operator(id), SubmissionId.make(submission))
      yield* Dossier.evaluateAll
      assert.deepStrictEqual([yield* waiting, yield* isPending], [true, true])
      assert.deepStrictEqual(yield* state, ["done", "Evaluated"])
      assert.include(box, `action="${path}/cv/retry"><button class="secondary">Try again</button>`)
      assert.match(
        box,
        new RegExp(`action="${path}/cv/link"[\\s\\S]*name="cv_link" type="url"[^>]*value="https://cv.example/ada.pdf"`),
      )
    }),
  )

  it.effect("sends only submitted files, as downloads", () =>
    Effect.gen(function* () {
      const one = yield* invited(Dossier.set)
      const portfolio = one.set.iai_questions[3]
      assert.isDefined(portfolio)
      const question = QuestionId.make(portfolio.id)
      yield* (yield* Interviews).start(one.token)
      const name = `Über "mich"; <b>\u202e.pdf`
      const bytes = Buffer.from("%PDF-1.7 <script>alert(1)</script>")
      yield* (yield* Uploads).attach({ token: one.token, question }, name, Stream.make(bytes))
      const { cookie } = yield* signedIn(one.organization)
      const path = `/submissions/${one.submission}`
      const file = `${path}/files/1/${question}`
      assert.strictEqual((yield* get(file, cookie)).status, 404, "it was not submitted")
      yield* Dossier.answerAll(one)
      assert.include((yield* get(path, cookie)).text, `href="${file}"`)
      const answer = yield* get(file, cookie)
      assert.strictEqual(answer.status, 200)
      assert.isTrue(answer.bytes.equals(bytes))
      assert.deepInclude(Object.fromEntries(answer.headers), {
        "content-type": "application/pdf",
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; sandbox",
        "cache-control": "no-store",
      })
      assert.match(
        answer.headers.get("content-disposition") ?? "",
        /^attachment; filename="[\w. -]+"; filename\*=UTF-8''[\w%.-]+$/,
      )
      // for viewing: PDFs and images only, without scripts, frames and other sites
      const viewed = yield* get(`${file}?show=1`, cookie)
      assert.deepInclude(Object.fromEntries(viewed.headers), {
        "content-type": "application/pdf",
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; frame-ancestors 'self'",
      })
      const framing = yield* get(path, cookie)
      assert.include(framing.text, `<iframe class="preview" src="${file}?show=1#navpanes=0" title="Über`)
      assert.include(framing.headers.get("content-security-policy") ?? "", "; frame-src 'self';")
      assert.match(viewed.headers.get("content-disposition") ?? "", /^inline; filename="[\w. -]+";/)
      const { sql } = yield* Database
      const typed = (type: string) =>
        sql`update answer set file_type = ${type} where submission_id = ${one.submission}::uuid`
      yield* typed("image/png")
      const image = yield* get(`${file}?show=1`, cookie)
      assert.strictEqual(
        image.headers.get("content-security-policy"),
        "default-src 'none'; frame-ancestors 'none'; sandbox",
      )
      assert.match((yield* get(path, cookie)).text, new RegExp(`<img class="preview" src="${file}\\?show=1" alt="Über`))
      yield* typed("image/heic")
      const heic = (yield* get(path, cookie)).text
      assert.include(heic, "Most browsers do not show pictures of this format (HEIC): download it to see it.")
      assert.notInclude(heic, '<img class="preview"')
      for (const type of ["text/html", "text/plain", "image/svg+xml", "application/msword"]) {
        yield* typed(type)
        const sent = yield* get(`${file}?show=1`, cookie)
        assert.match(sent.headers.get("content-disposition") ?? "", /^attachment;/, type)
        assert.strictEqual(sent.headers.get("content-security-policy"), "default-src 'none'; sandbox")
        assert.notInclude((yield* get(path, cookie)).text, "?show=1")
      }
      for (const wrong of [
        `${path}/files/2/${question}`,
        `${path}/files/0/${question}`,
        `${path}/files/1/x`,
        `${path}/cv`,
      ]) {
        assert.strictEqual((yield* get(wrong, cookie)).status, 404, wrong)
      }
      yield* Dossier.addCv(one.organization, one.submission, {
        text: Dossier.texts.cv,
        notes: ["Hidden text was left out: <b>white</b> on white."],
      })
      const shown = yield* get(path, cookie)
      assert.include(shown.text, "Hidden text was left out: &lt;b&gt;white&lt;/b&gt; on white.")
      const cv = yield* get(`${path}/cv`, cookie)
      assert.strictEqual(cv.text, "%PDF-1.7")
      assert.match(cv.headers.get("content-disposition") ?? "", /^attachment; filename="CV\.pdf"/)
      assert.strictEqual(cv.headers.get("content-security-policy"), "default-src 'none'; sandbox")
    }),
  )

  it.effect("lists submissions last active first, by page", () =>
    Effect.gen(function* () {
      const { id, set } = yield* Scenario.organization()
      const { cookie } = yield* signedIn(id)
      assert.include((yield* get("/submissions", cookie)).text, "No submissions yet.")
      for (let i = 0; i < 51; i++) yield* Scenario.invited({ id, set }, `c${i}@example.com`)
      const first = yield* get("/submissions", cookie)
      assert.lengthOf([...first.text.matchAll(/href="\/submissions\/[0-9a-f-]{36}\?list=/g)], 50)
      const [, cursor = ""] = /href="(\/submissions\?cursor=[\w-]+)">Older/.exec(first.text) ?? []
      const second = yield* get(cursor, cookie)
      assert.lengthOf([...second.text.matchAll(/href="\/submissions\/[0-9a-f-]{36}\?list=/g)], 1)
      assert.notInclude(second.text, ">Older")
      assert.include(second.text, ">Newest")
      assert.strictEqual((yield* get("/submissions?cursor=x", cookie)).location, "/submissions")
    }),
  )
})
