/** The candidate's pages and the mailbox over HTTP, as a browser without scripts uses them. */

import { get } from "node:http"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { Organizations } from "../../src/accounts/Organizations.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { FollowUpRepository } from "../../src/invitations/FollowUpRepository.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { SubmissionId } from "../../src/values/Ids.ts"
import { Server } from "../support/Api.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const pages = Server.layer.pipe(
  Layer.provide(App.serve(Layer.mergeAll(App.api, App.pages, App.dev))),
  Layer.provideMerge(Pod.layer({ settings: { PORT: "0" } })),
)

const request = Effect.fnUntraced(function* (
  method: string,
  path: string,
  options: { readonly fields?: Record<string, string>; readonly headers?: Record<string, string> } = {},
) {
  const { url } = yield* Server
  return yield* Effect.promise(async () => {
    const body = options.fields === undefined ? {} : { body: new URLSearchParams(options.fields) }
    const headers = { accept: "text/html", ...options.headers }
    const response = await fetch(url + path, { method, redirect: "manual", headers, ...body })
    return { status: response.status, headers: response.headers, text: await response.text() }
  })
})

/** The state that a visit could change. */
const state = (submission: string) =>
  Effect.gen(function* () {
    const { sql } = yield* Database
    return yield* sql`
      select b.status, b.initiated_at, b.started_at, b.completed_at, i.status as invitation, i.opened_at, i.clicked_at,
        (select count(*)::int from webhook_event) as events, (select count(*)::int from answer) as answers
      from submission b join invitation i on i.submission_id = b.id where b.id = ${submission}::uuid`
  })

layer(pages)("candidate pages", (it) => {
  it.effect("changes nothing on GET and HEAD", () =>
    Effect.gen(function* () {
      const { subject, token } = yield* Scenario.invited(yield* Scenario.organization())
      const before = yield* state(subject.submission_id)
      const visit = yield* request("GET", `/i/${token}`)
      assert.strictEqual(visit.status, 200)
      assert.include(visit.text, "Backend Engineer")
      assert.strictEqual((yield* request("HEAD", `/i/${token}`)).status, 200)
      assert.deepStrictEqual(yield* state(subject.submission_id), before)
    }),
  )

  it.effect("leads through the interview with plain forms", () =>
    Effect.gen(function* () {
      const { set, subject, token } = yield* Scenario.invited(
        yield* Scenario.organization({
          iai_questions: [
            { title: "Why?", question_mode: "interview", question_type: "text" },
            {
              title: "Which?",
              question_mode: "pre_screening",
              question_type: "radio",
              options: [{ title: "A" }, { title: "B" }],
            },
          ],
        }),
      )
      const [why, which] = set.iai_questions
      assert.isDefined(why)
      assert.isDefined(which)
      const started = yield* request("POST", `/i/${token}/start`)
      assert.strictEqual(started.status, 303)
      const page = (step: string) => Effect.map(request("GET", `/i/${token}/${step}`), ({ text }) => text)
      const first = (yield* request("GET", `/i/${token}`)).headers.get("location")
      assert.strictEqual(first, `/i/${token}/questions/1`)
      assert.include(yield* page("questions/1"), `name="option.${which.id}"`, "pre-screening comes first")
      const fields = {
        [`answer.${why.id}`]: `<b>"Because" & 'so'</b>`,
        [`option.${which.id}`]: "2",
        "answer.unknown": "x",
      }
      assert.strictEqual((yield* request("POST", `/i/${token}/answers`, { fields })).status, 303)
      assert.include(yield* page("questions/1"), 'max="2" value="2"', "both questions are answered")
      for (const step of ["questions/2", "review"]) {
        assert.include(yield* page(step), "&lt;b&gt;&quot;Because&quot; &amp;")
        assert.notInclude(yield* page(step), "<b>")
      }
      assert.strictEqual((yield* request("GET", `/i/${token}`)).headers.get("location"), `/i/${token}/review`)
      assert.strictEqual((yield* request("POST", `/i/${token}/finish`, { fields })).status, 303)
      const receipt = yield* request("GET", `/i/${token}`)
      assert.include(receipt.text, "Your answers are submitted")
      assert.notInclude(receipt.text, "<textarea")
      const { sql } = yield* Database
      const answers = yield* sql`
        select content, option_ids from answer where submission_id = ${subject.submission_id}::uuid order by content`
      assert.deepEqual(answers, [
        { content: `<b>"Because" & 'so'</b>`, option_ids: [] },
        { content: null, option_ids: ["2"] },
      ])
      const late = yield* request("POST", `/i/${token}/answers`, { fields })
      assert.strictEqual(late.status, 409)
      // shows the late answers for the candidate to copy
      assert.include(late.text, "Your answers are already submitted")
      assert.match(late.text, /Written, but not sent in time[\s\S]*&lt;b&gt;&quot;Because&quot; &amp;/)
    }),
  )

  it.effect(
    "are shown in the language that the candidate chooses among those of the set, and so are later emails",
    () =>
      Effect.gen(function* () {
        const { organization, subject, token } = yield* Scenario.invited(
          yield* Scenario.organization({ cfg_lingual_ids: [1, 2, 13] }),
        )
        const first = yield* request("GET", `/i/${token}`)
        assert.include(first.text, '<html lang="en"')
        for (const name of ["English", "Deutsch", "العربية"]) assert.include(first.text, `>${name}</button>`)
        assert.notInclude(first.text, ">Français</button>")
        const choose = (language: string) => request("POST", `/i/${token}/language`, { fields: { language } })
        assert.strictEqual((yield* choose("ar")).status, 303)
        assert.include((yield* request("GET", `/i/${token}`)).text, '<html lang="ar" dir="rtl"')
        // not of the set
        for (const other of ["fr", "", "constructor"]) yield* choose(other)
        yield* choose("de")
        yield* request("POST", `/i/${token}/start`)
        assert.include((yield* request("GET", `/i/${token}/questions/1`)).text, '<html lang="de"')
        yield* request("POST", `/i/${token}/finish`)
        const [view] = yield* (yield* FollowUpRepository).views(organization, [
          SubmissionId.make(subject.submission_id),
        ])
        assert.deepStrictEqual(view?.languages.slice(0, 2), ["de", "en"])
      }),
  )

  it.effect("reports newer revisions to the script", () =>
    Effect.gen(function* () {
      const { set, token } = yield* Scenario.invited(yield* Scenario.organization())
      const [question] = set.iai_questions
      assert.isDefined(question)
      yield* request("POST", `/i/${token}/start`)
      const save = Effect.fnUntraced(function* (content: string, known: string) {
        const fields = { [`answer.${question.id}`]: content, [`revision.${question.id}`]: known, attempt: "1" }
        const headers = { accept: "application/json" }
        const { status, text } = yield* request("POST", `/i/${token}/answers`, { fields, headers })
        return [status, JSON.parse(text)]
      })
      const saved = (revision: number) => [{ question_id: question.id, revision }]
      assert.deepStrictEqual(yield* save("one", "0"), [200, { saved: saved(1) }])
      assert.deepStrictEqual(yield* save("two", "1"), [200, { saved: saved(2) }])
      const newer = [{ question_id: question.id, content: "two", option_ids: [], revision: 2 }]
      assert.deepStrictEqual(yield* save("late", "1"), [412, { saved: [], newer }])
      for (const [index, unclear] of ["", "-1", "1.5", "9".repeat(40)].entries()) {
        assert.deepStrictEqual(yield* save("three", unclear), [200, { saved: saved(3 + index) }])
      }
    }),
  )

  it.effect("refuses forms of other sites", () =>
    Effect.gen(function* () {
      const { subject, token } = yield* Scenario.invited(yield* Scenario.organization())
      const before = yield* state(subject.submission_id)
      for (const origin of ["https://evil.example", "null"]) {
        assert.strictEqual((yield* request("POST", `/i/${token}/start`, { headers: { origin } })).status, 403)
      }
      assert.deepStrictEqual(yield* state(subject.submission_id), before)
    }),
  )

  it.effect("refuses texts that are too long, in the candidate's language", () =>
    Effect.gen(function* () {
      const { set, token } = yield* Scenario.invited(yield* Scenario.organization({ cfg_lingual_ids: [2] }))
      yield* request("POST", `/i/${token}/start`)
      const fields = { [`answer.${set.iai_questions[0]?.id}`]: "x".repeat(20_001) }
      const page = yield* request("POST", `/i/${token}/finish`, { fields })
      assert.strictEqual(page.status, 413)
      for (const text of ['<html lang="de">', "Das ist zu groß", "Acme", `href="/i/${token}"`]) {
        assert.include(page.text, text)
      }
      const unknown = yield* request("POST", "/i/x/finish", { fields })
      assert.strictEqual(unknown.status, 404)
    }),
  )

  it.effect("returns 404 for an unknown link", () =>
    Effect.gen(function* () {
      const { token } = yield* Scenario.invited(yield* Scenario.organization())
      const altered = `${token.slice(0, -2)}${token.endsWith("AA") ? "BB" : "AA"}`
      for (const path of [`/i/${altered}`, "/i/x", "/i/%00", `/i/${token}x`]) {
        const answer = yield* request("GET", path)
        assert.strictEqual(answer.status, 404, path)
        assert.include(answer.headers.get("content-type"), "text/html", path)
      }
    }),
  )

  it.effect("forbids foreign scripts, caches, frames and search engines", () =>
    Effect.gen(function* () {
      const { token } = yield* Scenario.invited(yield* Scenario.organization())
      const { headers, text } = yield* request("GET", `/i/${token}`)
      assert.include(headers.get("content-security-policy"), "default-src 'none'")
      assert.include(headers.get("content-security-policy"), "frame-ancestors 'none'")
      assert.notInclude(headers.get("content-security-policy"), "unsafe")
      assert.strictEqual(headers.get("cache-control"), "no-store")
      assert.strictEqual(headers.get("x-robots-tag"), "noindex")
      assert.notMatch(text, /(src|href)="(https?:)?\/\//, "nothing comes from elsewhere")
    }),
  )

  it.effect("expires an interview that was not started in time, with its invitation", () =>
    Effect.gen(function* () {
      const { subject, token } = yield* Scenario.invited(yield* Scenario.organization())
      yield* TestClock.adjust("31 days")
      const answer = yield* request("POST", `/i/${token}/start`)
      assert.strictEqual(answer.status, 409)
      assert.isAbove(yield* (yield* Interviews).expireUnstarted, 0)
      const [row] = yield* state(subject.submission_id)
      assert.deepInclude(row, { status: "expired", invitation: "expired" })
    }),
  )
})

layer(pages)("mailbox", (it) => {
  it.effect("reports a mail as delivered when stored, opened when viewed, clicked when its link is followed", () =>
    Effect.gen(function* () {
      assert.include((yield* request("GET", "/mailbox")).text, "No emails yet")
      const organization = yield* Scenario.organization()
      yield* (yield* Organizations).update(operator(organization.id), { contact: "jobs@bücher.example" })
      const { subject, token } = yield* Scenario.invited(organization)
      const { sql } = yield* Database
      const statuses = Effect.map(sql<{ status: string }>`select status from webhook_event order by seq`, (rows) =>
        rows.map(({ status }) => status),
      )
      assert.strictEqual(yield* runOnce((yield* EmailQueue).queue), 1)
      assert.deepStrictEqual(yield* statuses, ["invitation_email_delivered"])

      const list = yield* request("GET", "/mailbox")
      assert.notInclude(list.text, "No emails yet")
      const path = /\/mailbox\/[0-9a-f-]{36}/.exec(list.text)?.[0] ?? "none"
      assert.deepStrictEqual(yield* statuses, ["invitation_email_delivered"], "the list opens nothing")
      const mail = yield* request("GET", path)
      assert.strictEqual(mail.status, 200)
      for (const header of [
        "<dt>From</dt><dd><bdi>Acme &lt;interviews@example.com&gt;</bdi>",
        "<dt>To</dt><dd><bdi>ada@example.com</bdi>",
        "<dt>Reply-To</dt><dd><bdi>jobs@xn--bcher-kva.example</bdi>",
        "<dt>List-Unsubscribe</dt><dd><bdi>&lt;http://localhost",
        "<dt>Message-ID</dt><dd><bdi>&lt;",
      ]) {
        assert.include(mail.text, header)
      }
      assert.notMatch(mail.text, /href=(&quot;|")https?:/, "every link leads through the mailbox")
      yield* request("GET", path)
      const link = /\/mailbox\/[0-9a-f-]{36}\/links\/\d+/.exec(mail.text)?.[0] ?? "none"
      for (const _ of [1, 2]) {
        const followed = yield* request("GET", link)
        assert.strictEqual(followed.status, 303)
        assert.match(followed.headers.get("location") ?? "", new RegExp(`/i/${token}$`))
      }
      assert.deepStrictEqual(yield* statuses, [
        "invitation_email_delivered",
        "invitation_email_opened",
        "invitation_email_clicked",
      ])
      const [row] = yield* state(subject.submission_id)
      assert.deepInclude(row, { status: "need_interview", invitation: "clicked" })
    }),
  )

  it.effect("answers only requests for a local host name", () =>
    Effect.gen(function* () {
      const { port } = new URL((yield* Server).url)
      const statusOf = (host: string) =>
        Effect.callback<number | undefined>((resume) => {
          get({ host: "127.0.0.1", port, path: "/mailbox", headers: { host } }, (response) => {
            response.resume()
            resume(Effect.succeed(response.statusCode))
          })
        })
      assert.strictEqual(yield* statusOf(`localhost:${port}`), 200)
      assert.strictEqual(yield* statusOf(`evil.example:${port}`), 421)
    }),
  )

  it.effect("returns 404 for an unknown mail", () =>
    Effect.gen(function* () {
      for (const path of ["/mailbox/x", "/mailbox/01a1fc2b-eba1-777f-ab46-00a52c95b908", "/mailbox/x/links/0"]) {
        assert.strictEqual((yield* request("GET", path)).status, 404, path)
      }
    }),
  )
})
