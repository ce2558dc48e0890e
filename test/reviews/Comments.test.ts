/** Comments on submissions and answers, over HTTP. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { maxComment, maxComments, mentionedIn } from "../../src/reviews/Comment.ts"
import type { OrganizationId } from "../../src/values/Ids.ts"
import { Server } from "../support/Api.ts"
import * as Dossier from "../support/Dossier.ts"
import { fieldsOf, get, post, settings, signedIn, withFields } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"

const pages = Server.layer.pipe(
  Layer.provide(App.serve(App.pages)),
  Layer.provideMerge(Pod.layer({ settings, evaluate: Dossier.evaluate })),
  Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(Date.parse("2026-11-02T09:42:00Z")))),
)

const furnished = Effect.gen(function* () {
  const whole = yield* Dossier.whole()
  const owner = yield* signedIn(whole.organization)
  const path = `/submissions/${whole.submission}`
  const page = (cookie: string) => Effect.map(get(path, cookie), ({ text }) => text)
  const write = Effect.fnUntraced(function* (cookie: string, text: string, about = "") {
    const form = fieldsOf(yield* page(cookie), `${path}/comments`)
    return yield* post(`${path}/comments`, cookie, withFields(form, { text, about }))
  })
  return { ...whole, owner, path, page, write }
})

const recipients = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { sql } = yield* Database
  const rows = yield* sql<{ recipient: string }>`
    select recipient from email where organization_id = ${organization}::int and kind = 'review_mention' order by created_at, recipient`
  return rows.map(({ recipient }) => recipient)
})

describe("mentions in a text", () => {
  const colleague = (name: string, email = `${name.replace(" ", ".").toLowerCase()}@example.com`) => ({ name, email })
  const [maya, mayaMeyer, li] = [colleague("Maya"), colleague("Maya Meyer"), colleague("李 娜", "li@example.com")]
  const all = [maya, mayaMeyer, li]

  it("are names or addresses after an @, the longest that fits", () => {
    assert.deepStrictEqual(mentionedIn("@Maya Meyer, please", all), [mayaMeyer])
    assert.deepStrictEqual(mentionedIn("Ask @maya. And @李 娜!", all), [maya, li])
    assert.deepStrictEqual(mentionedIn("@maya.meyer@example.com and @Maya Meyer", all), [mayaMeyer])
    assert.deepStrictEqual(mentionedIn("@Maya and @Maya Meyer", all), [mayaMeyer, maya])
  })

  it("are not parts of words or addresses", () => {
    assert.isEmpty(mentionedIn("@Mayan, x@Maya, Maya, @ Maya", all))
    assert.isEmpty(mentionedIn("@(.*", [colleague("(.*x", "a@b.example")]))
  })
})

layer(pages)("comments", (it) => {
  it.effect("are shown escaped, on the candidate or an answer, and in the timeline and the audit log", () =>
    Effect.gen(function* () {
      const { organization, owner, page, write } = yield* furnished
      assert.notInclude(yield* page(owner.cookie), "write after an @", "there is no colleague")
      const colleague = yield* signedIn(organization, "admin")
      assert.include(yield* page(owner.cookie), "write after an @ gets an email, such as <bdi>@")
      const question = /<option value="([0-9a-f-]{36})">/.exec(
        (yield* page(owner.cookie)).split('id="comment-about"')[1] ?? "",
      )?.[1]
      yield* write(owner.cookie, "<script>alert(1)</script>\nSecond line")
      yield* write(owner.cookie, "About the answer.", question)
      const shown = yield* page(colleague.cookie)
      assert.include(shown, "&lt;script&gt;alert(1)&lt;/script&gt;\nSecond line")
      assert.match(shown, new RegExp(`on <a href="#answer-1-${question}">`))
      assert.notInclude(shown, "/comments/change", "only the author changes a comment")
      assert.include(shown, "Comment written by <bdi>")
      assert.include((yield* get("/settings/audit", owner.cookie)).text, "commented on a submission")
    }),
  )

  it.effect("mention colleagues by an email each, once, and not members without access", () =>
    Effect.gen(function* () {
      const { organization, owner, page, path, write } = yield* furnished
      const colleague = yield* signedIn(organization, "admin")
      const quiet = yield* signedIn(organization, "admin")
      const stranger = yield* signedIn(organization, "recruiter")
      const reviewer = yield* signedIn(organization, "reviewer")
      yield* post("/account/notifications", quiet.cookie, { mails_mentions: "off" })
      const names = [colleague, quiet, stranger, reviewer, owner].map(({ email }) => `@${email}`).join(" ")
      yield* write(owner.cookie, `Please look: ${names}`)
      assert.deepStrictEqual(yield* recipients(organization), [colleague.email])
      const form = fieldsOf(yield* page(owner.cookie), `${path}/comments/change`)
      yield* post(`${path}/comments/change`, owner.cookie, withFields(form, { text: `Changed. ${names}` }))
      assert.deepStrictEqual(yield* recipients(organization), [colleague.email])
      assert.include(yield* page(owner.cookie), "Changed. @")
    }),
  )

  it.effect("are changed and deleted by their author only, and not by an outdated form, which keeps the text", () =>
    Effect.gen(function* () {
      const { organization, owner, page, path, write } = yield* furnished
      const colleague = yield* signedIn(organization, "admin")
      yield* write(owner.cookie, "First.")
      const form = fieldsOf(yield* page(owner.cookie), `${path}/comments/change`)
      const change = (cookie: string, changes: Readonly<Record<string, string>>) =>
        post(`${path}/comments/change`, cookie, withFields(form, changes))
      assert.strictEqual((yield* change(colleague.cookie, { text: "Taken." })).status, 403)
      yield* change(owner.cookie, { text: "Second." })
      const stale = yield* change(owner.cookie, { text: "Typed elsewhere." })
      assert.strictEqual(stale.status, 409)
      assert.include(stale.text, "Typed elsewhere.")
      assert.strictEqual((yield* change(owner.cookie, { do: "delete" })).status, 409)
      const fresh = fieldsOf(yield* page(owner.cookie), `${path}/comments/change`)
      const gone = yield* post(`${path}/comments/change`, owner.cookie, withFields(fresh, { do: "delete" }))
      assert.strictEqual(gone.location, `${path}?done=uncommented`)
      assert.notInclude(yield* page(owner.cookie), "Second.")
      const late = yield* post(`${path}/comments/change`, owner.cookie, withFields(fresh, { text: "Too late." }))
      assert.strictEqual(late.status, 409)
      assert.match(late.text, /id="comment-text"[^>]*>\nToo late\./)
    }),
  )

  it.effect("are shown ten at a time, the newest first, or those of one answer, and are changed on each page", () =>
    Effect.gen(function* () {
      const { organization, owner, page, path, submission } = yield* furnished
      const question = /<option value="([0-9a-f-]{36})">/.exec(
        (yield* page(owner.cookie)).split('id="comment-about"')[1] ?? "",
      )?.[1]
      const { sql } = yield* Database
      yield* sql`
        insert into submission_comment (id, organization_id, submission_id, question_id, member_id, text, created_at)
        select gen_random_uuid(), ${organization}::int, ${submission}::uuid, case when n % 8 = 0 then ${question ?? null}::uuid end,
          ${owner.id}::uuid, 'Comment ' || n || '.', now() + n * interval '1 minute' from generate_series(1, 23) n`
      const shown = Effect.fnUntraced(function* (query: string) {
        const { text } = yield* get(`${path}${query}`, owner.cookie)
        return {
          text,
          numbers: [...text.matchAll(/<p class="written" dir="auto">Comment (\d+)\./g)].map(([, number]) =>
            Number(number),
          ),
        }
      })
      const first = yield* shown("")
      assert.deepStrictEqual(first.numbers, [14, 15, 16, 17, 18, 19, 20, 21, 22, 23])
      assert.include(first.text, `href="${path}?comments=2#comments">Earlier comments<`)
      assert.notInclude(first.text, "Later comments")
      assert.include(first.text, `href="${path}?about=${question}#comments">2 comments<`)
      const last = yield* shown("?comments=99")
      assert.deepStrictEqual(last.numbers, [1, 2, 3])
      assert.notInclude(last.text, "Earlier comments")
      const one = yield* shown(`?about=${question}`)
      assert.deepStrictEqual(one.numbers, [8, 16])
      assert.include(one.text, "Show all comments")
      assert.include(one.text, `<option value="${question}" selected>`)
      assert.deepStrictEqual((yield* shown("?about=x")).numbers, first.numbers)
      const [, change = ""] = /action="([^"]*comments\/change\?comments=3)"/.exec(last.text) ?? []
      const form = fieldsOf(last.text, change.replace("?", "\\?"))
      yield* post(change, owner.cookie, withFields(form, { text: "Changed." }))
      const stale = yield* post(change, owner.cookie, withFields(form, { text: "Typed elsewhere." }))
      assert.strictEqual(stale.status, 409)
      assert.match(stale.text, /id="comment-1"[^>]*>\nTyped elsewhere\./)
    }),
  )

  it.effect("need a text of a limited length, are made once by a form sent twice, and are limited", () =>
    Effect.gen(function* () {
      const { organization, owner, page, path, submission, write } = yield* furnished
      for (const text of [" ", "x".repeat(maxComment + 1)]) {
        const refused = yield* write(owner.cookie, text)
        assert.strictEqual(refused.status, 422)
        assert.include(refused.text, "The comment was not saved.")
      }
      const form = withFields(fieldsOf(yield* page(owner.cookie), `${path}/comments`), { text: "x".repeat(maxComment) })
      for (const _ of [1, 2]) yield* post(`${path}/comments`, owner.cookie, form)
      const { sql } = yield* Database
      const count = Effect.map(
        sql`select from submission_comment where submission_id = ${submission}::uuid`,
        (rows) => rows.length,
      )
      assert.strictEqual(yield* count, 1)
      yield* sql`
        insert into submission_comment (id, organization_id, submission_id, member_id, text, created_at)
        select gen_random_uuid(), ${organization}::int, ${submission}::uuid, ${owner.id}::uuid, 'x', now()
        from generate_series(2, ${maxComments}::int)`
      assert.strictEqual((yield* write(owner.cookie, "One more.")).status, 409)
      assert.strictEqual(yield* count, maxComments)
      assert.isBelow((yield* get(path, owner.cookie)).bytes.length, 60_000)
    }),
  )
})
