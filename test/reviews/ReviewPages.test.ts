/** Decisions and reviews on the page of a submission, over HTTP. */

import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { People } from "../../src/privacy/People.ts"
import type { CandidateId, SubmissionId } from "../../src/values/Ids.ts"
import { Server } from "../support/Api.ts"
import * as Dossier from "../support/Dossier.ts"
import { fieldsOf, get, post, settings, signedIn, withFields } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const pages = Server.layer.pipe(
  Layer.provide(App.serve(App.pages)),
  Layer.provideMerge(Pod.layer({ settings, evaluate: Dossier.evaluate })),
  Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(Date.parse("2026-11-02T09:42:00Z")))),
)

const hostile = `<script>alert(1)</script>"'&`

const decisionOf = Effect.fnUntraced(function* (submission: SubmissionId) {
  const { sql } = yield* Database
  const [row] = yield* sql<{ decision: string | null; decision_reason: string | null; decision_changes: number }>`
    select decision, decision_reason, decision_changes from submission where id = ${submission}::uuid`
  return [row?.decision, row?.decision_reason, row?.decision_changes]
})

const reviewsOf = Effect.fnUntraced(function* (submission: SubmissionId) {
  const { sql } = yield* Database
  return yield* sql<{ note: string; is_sent: boolean; changes: number; rated: number }>`
    select note, sent_at is not null as is_sent, changes, (select count(*)::int from jsonb_object_keys(ratings)) as rated
    from review where submission_id = ${submission}::uuid order by changes desc`
})

/** A member with the page of a submission open. */
const visit = Effect.fnUntraced(function* (
  organization: Parameters<typeof signedIn>[0],
  submission: SubmissionId,
  role: Parameters<typeof signedIn>[1] = "owner",
) {
  const { cookie, email, id } = yield* signedIn(organization, role)
  const path = `/submissions/${submission}`
  const open = Effect.map(get(path, cookie), ({ text }) => text)
  const form = (name: string) => Effect.map(open, (text) => fieldsOf(text, `${path}/${name}`))
  const decide = (fields: Parameters<typeof withFields>[0], changes: Record<string, string>) =>
    post(`${path}/decision`, cookie, withFields(fields, changes))
  return { cookie, email, id, path, open, form, decide }
})

layer(pages)("the decision on the page of a submission", (it) => {
  it.effect("is made with a reason, shown with its author, undone and cleared", () =>
    Effect.gen(function* () {
      const { organization, submission } = yield* Dossier.whole()
      const { cookie, decide, email, form, open, path } = yield* visit(organization, submission)
      const before = yield* open
      assert.include(before, ">Undecided</span>")
      assert.include(before, "The candidate is not notified.")
      assert.notInclude(before, 'value="none"')
      const reason = `Strong.\r\n${hostile}`
      const made = yield* decide(yield* form("decision"), { decision: "advance", reason })
      assert.strictEqual(made.location, `${path}?done=decided`)
      assert.deepStrictEqual(yield* decisionOf(submission), ["advance", `Strong.\n${hostile}`, 1])
      const shown = yield* get(`${path}?done=decided`, cookie)
      assert.include(
        shown.text,
        '<div class="info done" tabindex="-1" autofocus><p role="status">The decision was saved. The candidate was not notified.</p>',
      )
      assert.match(
        shown.text,
        new RegExp(`<strong>Advanced</strong> by <bdi>${email}</bdi>, <time datetime="2026-11-02`),
      )
      assert.include(shown.text, "Strong.\n&lt;script&gt;")
      assert.notInclude(shown.text, "<script>alert")
      assert.include(
        shown.text,
        `Decision: <strong>Advanced</strong> by <bdi>${email}</bdi> – <bdi>Strong.\n&lt;script&gt;`,
      )
      assert.notInclude(yield* open, ">Undo</button>", "only the notice has the button")
      const undo = fieldsOf(shown.text, `${path}/decision/undo`)
      assert.strictEqual((yield* post(`${path}/decision/undo`, cookie, undo)).location, `${path}?done=undone`)
      assert.deepStrictEqual(yield* decisionOf(submission), [null, null, 2])
      const twice = yield* post(`${path}/decision/undo`, cookie, undo)
      assert.strictEqual(twice.status, 409)
      assert.include(twice.text, "The decision was not undone: the decision has changed since you opened the page.")
      yield* decide(yield* form("decision"), { decision: "reject", reason: "" })
      assert.include(yield* open, 'value="none"')
      const cleared = yield* decide(yield* form("decision"), { decision: "none", reason: "" })
      assert.strictEqual(cleared.location, `${path}?done=cleared`)
      assert.deepStrictEqual(yield* decisionOf(submission), [null, null, 4])
      assert.include(yield* open, `Cleared by <bdi>${email}</bdi>`)
      assert.include(yield* open, `Decision cleared by <bdi>${email}</bdi>`)
      const { sql } = yield* Database
      assert.lengthOf(yield* sql`select from email where organization_id = ${organization}::int`, 1, "the invitation's")
    }),
  )

  it.effect("by two members at once is saved once; the other member sees it and keeps the typed reason", () =>
    Effect.gen(function* () {
      const { organization, submission } = yield* Dossier.whole()
      const grace = yield* visit(organization, submission)
      const ada = yield* visit(organization, submission, "admin")
      const [one, other] = [yield* grace.form("decision"), yield* ada.form("decision")]
      const answers = yield* Effect.all(
        [
          grace.decide(one, { decision: "advance", reason: "Knows the field." }),
          ada.decide(other, { decision: "reject", reason: "Too little about tests." }),
        ],
        { concurrency: 2 },
      )
      assert.sameMembers(
        answers.map(({ status }) => status),
        [303, 409],
      )
      const isFirst = answers[0]?.status === 303
      const [lost, kept] = isFirst ? [answers[1], "Too little about tests."] : [answers[0], "Knows the field."]
      const text = lost?.text ?? ""
      assert.include(text, "The decision was not saved: the decision has changed since you opened the page.")
      assert.include(
        text,
        `<strong>${isFirst ? "Advanced" : "Rejected"}</strong> by <bdi>${isFirst ? grace.email : ada.email}</bdi>`,
      )
      assert.include(text, `${kept}</textarea>`)
      assert.deepStrictEqual((yield* decisionOf(submission))[2], 1)
      // the shown form has the new version, and decides
      const loser = isFirst ? ada : grace
      const again = yield* loser.decide(fieldsOf(text, `${loser.path}/decision`), { decision: "hold" })
      assert.strictEqual(again.status, 303)
      assert.deepStrictEqual(yield* decisionOf(submission), ["hold", kept, 2])
    }),
  )

  it.effect("is refused twice, with a long reason, outdated or without a choice, and keeps what was typed", () =>
    Effect.gen(function* () {
      const { organization, submission } = yield* Dossier.whole()
      const { decide, form, path } = yield* visit(organization, submission)
      const fields = yield* form("decision")
      const long = yield* decide(fields, { decision: "hold", reason: `${"é".repeat(2000)}!` })
      assert.strictEqual(long.status, 422)
      assert.include(long.text, 'id="decision-reason-error">The reason must have at most 2000 characters.')
      assert.include(long.text, '<li><a href="#decision-reason">')
      assert.include(long.text, "é!</textarea>")
      for (const decision of ["", "maybe", "ADVANCE"]) {
        const refused = yield* decide(fields, { decision, reason: "Kept." })
        assert.strictEqual(refused.status, 422)
        assert.include(refused.text, "Choose Advance, Hold or Reject.")
        assert.include(refused.text, "Kept.</textarea>")
      }
      for (const changes of ["", "-1", "1e1", "7", "99999999999"]) {
        const refused = yield* decide(fields, { decision: "hold", changes })
        assert.strictEqual(refused.status, 409, changes)
      }
      assert.deepStrictEqual(yield* decisionOf(submission), [null, null, 0])
      const twice = yield* Effect.all(
        [1, 2].map(() => decide(fields, { decision: "hold" })),
        { concurrency: 2 },
      )
      assert.sameMembers(
        twice.map(({ status }) => status),
        [303, 409],
      )
      assert.include(
        twice.find(({ status }) => status === 409)?.text ?? "",
        "The decision was not saved: the decision and its reason are unchanged.",
      )
      assert.deepStrictEqual(yield* decisionOf(submission), ["hold", null, 1])
      assert.strictEqual((yield* decide(fields, { reason: "x".repeat(3_000_000) })).status, 413)
      for (const step of ["decision", "decision/undo", "review"]) {
        const { cookie } = yield* visit(organization, submission)
        assert.strictEqual((yield* get(`${path}/${step}`, cookie)).location, path)
      }
    }),
  )

  it.effect("and a review are refused about an erased person", () =>
    Effect.gen(function* () {
      const { organization, subject, submission } = yield* Dossier.whole()
      const owner = yield* visit(organization, submission)
      const fields = { changes: "0", decision: "advance", reason: "Mine.", note: "Mine.", do: "send" }
      yield* (yield* People).erase(operator(organization), subject.candidate_id as CandidateId)
      const page = yield* owner.open
      assert.include(page, "no decision can be made")
      assert.notInclude(page, `action="${owner.path}/decision"`)
      assert.notInclude(page, `action="${owner.path}/review"`)
      for (const step of ["decision", "review"]) {
        const refused = yield* post(`${owner.path}/${step}`, owner.cookie, fields)
        assert.strictEqual(refused.status, 409)
        assert.include(refused.text, "the candidate&#39;s personal data was erased")
      }
      assert.deepStrictEqual(yield* decisionOf(submission), [null, null, 0])
      assert.deepStrictEqual(yield* reviewsOf(submission), [])
    }),
  )
})

layer(pages)("reviews on the page of a submission", (it) => {
  const requirement = (set: Scenario.Invited["set"], index: number) => `rating.${set.iai_requirements[index]?.id}`

  it.effect("are private as drafts; reviews by others and the average are shown after the member sends one", () =>
    Effect.gen(function* () {
      const { organization, set, submission } = yield* Dossier.whole()
      const [grace, ada] = [yield* visit(organization, submission), yield* visit(organization, submission, "admin")]
      const first = requirement(set, 0)
      const empty = yield* grace.form("review")
      assert.deepInclude(empty, ["changes", "0"])
      assert.deepInclude(empty, [first, ""], "not rated")
      const send = (who: typeof grace, fields: Parameters<typeof withFields>[0], changes: Record<string, string>) =>
        post(`${who.path}/review`, who.cookie, withFields(fields, changes))
      const draft = yield* send(grace, empty, { [first]: "3", note: `Read.\r\n${hostile}`, do: "draft" })
      assert.strictEqual(draft.location, `${grace.path}?done=draft`)
      const own = yield* get(draft.location ?? "", grace.cookie)
      assert.include(own.text, "Your draft was saved. Only you can see it.")
      assert.include(own.text, "<strong>Draft,</strong> saved")
      assert.include(own.text, `name="${first}" value="3" checked`)
      assert.notInclude(own.text, "<script>alert")
      for (const hidden of ["Read.", "Reviews by others"]) assert.notInclude(yield* ada.open, hidden)
      // drafts can be cleared
      yield* send(grace, yield* grace.form("review"), { [first]: "", do: "draft" })
      assert.include(yield* grace.open, `name="${first}" value="" checked`)
      yield* send(grace, yield* grace.form("review"), { [first]: "4", do: "send" })
      const waiting = yield* ada.open
      assert.include(waiting, `<bdi>${grace.email}</bdi> sent a review. You can see it after you send yours.`)
      assert.notInclude(waiting, "Read.")
      assert.notInclude(waiting, "1 review: <b>")
      const sent = yield* send(ada, yield* ada.form("review"), { [first]: "1", note: "Unsure.", do: "send" })
      assert.strictEqual(sent.location, `${ada.path}?done=reviewed`)
      const seen = yield* ada.open
      assert.match(
        seen,
        new RegExp(`<h3><bdi>${grace.email}</bdi>[\\s\\S]*Strong yes</strong>[\\s\\S]*Read\\.\\n&lt;script`),
      )
      assert.include(seen, "2 reviews: <b>6.3</b>")
      assert.include(seen, `name="${first}" value="1" checked`)
      assert.include(seen, ">Save changes</button>")
      assert.notInclude(seen, ">Save draft</button>")
      assert.include(seen, `Review sent by <bdi>${grace.email}</bdi>`)
      assert.deepStrictEqual(
        (yield* reviewsOf(submission)).map(({ changes, is_sent, rated }) => [changes, is_sent, rated]),
        [
          [3, true, 1],
          [1, true, 1],
        ],
      )
    }),
  )

  it.effect("keep what was typed when they are empty, too long, or changed in another window", () =>
    Effect.gen(function* () {
      const { organization, set, submission } = yield* Dossier.whole()
      const { cookie, form, path } = yield* visit(organization, submission)
      const colleague = yield* visit(organization, submission, "admin")
      const [first, second] = [requirement(set, 0), requirement(set, 1)]
      const fields = yield* form("review")
      const send = (changes: Record<string, string>) => post(`${path}/review`, cookie, withFields(fields, changes))
      const blank = yield* send({ do: "send" })
      assert.strictEqual(blank.status, 422)
      assert.include(
        blank.text,
        'id="note-error">The note is empty: rate a requirement or write a note before you send.',
      )
      const long = yield* send({ do: "draft", [first]: "2", note: "é".repeat(5001), mention: colleague.id })
      assert.strictEqual(long.status, 422)
      assert.include(long.text, 'id="note-error">The note must have at most 5000 characters.')
      assert.include(long.text, "é</textarea>")
      assert.include(long.text, `name="${first}" value="2" checked`)
      assert.include(long.text, `value="${colleague.id}" checked`)
      assert.include(long.text, '<details class="mentions" id="mentioned" open>')
      const unknown = yield* send({ do: "draft", "rating.0190b5a2-7c1e-7def-8abc-0123456789ab": "1" })
      assert.strictEqual(unknown.status, 422)
      assert.include(
        unknown.text,
        'id="ratings-error">The review names a requirement that the interview set does not have.',
      )
      assert.deepStrictEqual(yield* reviewsOf(submission), [])
      const both = yield* Effect.all(
        [
          send({ do: "draft", note: "One window.", [first]: "0" }),
          send({ do: "draft", note: "Other window.", [second]: "4" }),
        ],
        { concurrency: 2 },
      )
      assert.sameMembers(
        both.map(({ status }) => status),
        [303, 409],
      )
      const [saved, lost] =
        both[0]?.status === 303 ? ["One window.", "Other window."] : ["Other window.", "One window."]
      const text = both.find(({ status }) => status === 409)?.text ?? ""
      assert.include(text, "Your review was not saved: you changed the review in another window or on another device.")
      assert.match(text, new RegExp(`Saved in the other window:[\\s\\S]*${saved}</blockquote>`))
      assert.include(text, `${lost}</textarea>`)
      assert.include(text, 'data-unsaved="refused"')
      const again = yield* post(`${path}/review`, cookie, withFields(fieldsOf(text, `${path}/review`), { do: "send" }))
      assert.strictEqual(again.status, 303)
      assert.deepStrictEqual(
        (yield* reviewsOf(submission)).map(({ changes, note }) => [changes, note]),
        [[2, lost]],
      )
    }),
  )

  it.effect(
    "notify mentioned colleagues by one email, and are shown at once if the organization does not hide them",
    () =>
      Effect.gen(function* () {
        const { organization, submission } = yield* Dossier.whole()
        const [grace, ada] = [yield* visit(organization, submission), yield* visit(organization, submission, "admin")]
        const stranger = yield* signedIn(organization, "recruiter")
        const quiet = yield* visit(organization, submission, "admin")
        assert.strictEqual(
          (yield* post("/account/notifications", quiet.cookie, { mails_mentions: "off" })).location,
          "/account?done=notifications",
        )
        const shown = yield* grace.open
        assert.include(shown, `value="${ada.id}"> <span><bdi>${ada.email}</bdi>`)
        assert.match(shown, /id="note-hint">Names in the note do not notify colleagues[^<]*“Mention colleagues”/)
        assert.match(shown, /<textarea id="note" [^>]*aria-describedby="note-hint"/)
        assert.notInclude(shown, stranger.id)
        assert.notInclude(shown, `name="mention" value="${grace.id}"`)
        yield* post(`${grace.path}/review`, grace.cookie, [
          ...withFields(yield* grace.form("review"), { note: "Please look.", do: "send" }),
          ["mention", ada.id],
          ["mention", quiet.id],
          ["mention", stranger.id],
          ["mention", "nobody"],
        ])
        const { sql } = yield* Database
        const mails = Effect.map(
          sql<{ recipient: string }>`
          select recipient from email where organization_id = ${organization}::int and kind = 'review_mention'`,
          (rows) => rows.map(({ recipient }) => recipient),
        )
        assert.deepStrictEqual(yield* mails, [ada.email])
        assert.include(yield* grace.open, `<bdi>${ada.email}</bdi> <span class="note">notified</span>`)
        assert.notInclude(yield* ada.open, "Please look.")
        const settingsPath = "/settings/organization"
        const setting = fieldsOf((yield* get(settingsPath, grace.cookie)).text, settingsPath)
        assert.deepInclude(setting, ["hides_reviews", "yes"], "on by default")
        const without = setting.filter(([name]) => name !== "hides_reviews")
        assert.strictEqual((yield* post(settingsPath, grace.cookie, without)).location, `${settingsPath}?done=saved`)
        assert.include(yield* ada.open, "Please look.")
        assert.notMatch((yield* get(settingsPath, grace.cookie)).text, /name="hides_reviews"[^>]*checked/)
        const [entry] = yield* sql<{ detail: object }>`
        select detail from audit_log where organization_id = ${organization}::int and action = 'organization.update'`
        assert.deepStrictEqual(entry?.detail, { before: { hides_reviews: true }, after: { hides_reviews: false } })
        // a refused form keeps the choice
        const refused = yield* post(settingsPath, grace.cookie, withFields(setting, { name: "", hides_reviews: "yes" }))
        assert.strictEqual(refused.status, 422)
        assert.match(refused.text, /name="hides_reviews" value="yes" checked/)
      }),
  )

  it.effect("are saved as drafts while the member types; an older window shows what another one saved meanwhile", () =>
    Effect.gen(function* () {
      const { organization, set, submission } = yield* Dossier.whole()
      const { cookie, form, open, path } = yield* visit(organization, submission)
      const [first, second] = [requirement(set, 0), requirement(set, 1)]
      const fields = yield* form("review")
      assert.include(yield* open, `data-draft="${path}/review/draft"`)
      const save = (changes: Record<string, string>) =>
        Effect.map(post(`${path}/review/draft`, cookie, withFields(fields, changes)), ({ status, text }) => [
          status,
          JSON.parse(text),
        ])
      assert.deepStrictEqual(yield* save({ [first]: "3", note: "Read" }), [200, { changes: 1 }])
      assert.deepStrictEqual(yield* save({ [first]: "3", note: "Read all.", changes: "1" }), [200, { changes: 2 }])
      const stale = yield* save({ [second]: "0", note: "Other device.", changes: "1" })
      assert.deepStrictEqual(stale, [
        409,
        {
          reason: "you changed the review in another window or on another device",
          changes: 2,
          note: "Read all.",
          ratings: { [first.slice("rating.".length)]: 3 },
        },
      ])
      const long = yield* save({ note: "é".repeat(5001), changes: "2" })
      assert.deepStrictEqual(long, [422, { reason: "Not saved. The note must have at most 5000 characters." }])
      assert.deepStrictEqual(yield* reviewsOf(submission), [
        { note: "Read all.", is_sent: false, changes: 2, rated: 1 },
      ])
      const sent = yield* post(`${path}/review`, cookie, withFields(yield* form("review"), { do: "send" }))
      assert.strictEqual(sent.status, 303)
      assert.notInclude(yield* open, "data-draft", "a sent review changes only by its button")
      const late = yield* save({ note: "Late.", changes: "3" })
      assert.deepStrictEqual(late, [
        409,
        { reason: "you have sent the review: copy what you typed, then reload the page" },
      ])
      assert.deepStrictEqual((yield* reviewsOf(submission))[0]?.note, "Read all.")
    }),
  )

  it.effect("keep the list that the member came from, with its neighbours", () =>
    Effect.gen(function* () {
      const one = yield* Scenario.organization(Dossier.set)
      const [, middle] = [
        yield* Scenario.invited(one, "a@example.com"),
        yield* Effect.andThen(TestClock.adjust("1 minute"), Scenario.invited(one, "b@example.com")),
      ]
      yield* TestClock.adjust("1 minute")
      yield* Scenario.invited(one, "c@example.com")
      const { cookie } = yield* signedIn(one.id)
      const path = `/submissions/${middle.subject.submission_id}`
      const list = `set=${one.set.id}`
      const from = `?${new URLSearchParams({ list })}`
      const { text } = yield* get(path + from, cookie)
      assert.include(text, `href="/submissions?set=${one.set.id}"><span aria-hidden="true">← </span>Back to the list`)
      const next = /<a href="([^"]*)" rel="next">/.exec(text)?.[1] ?? ""
      const previous = /<a href="([^"]*)" rel="prev">/.exec(text)?.[1] ?? ""
      assert.include((yield* get(next.replaceAll("&amp;", "&"), cookie)).text, "a@example.com")
      assert.include((yield* get(previous.replaceAll("&amp;", "&"), cookie)).text, "c@example.com")
      const form = fieldsOf(text, `${path}/decision\\${from}`)
      const made = yield* post(`${path}/decision${from}`, cookie, withFields(form, { decision: "hold" }))
      assert.strictEqual(made.location, `${path}?done=decided&${new URLSearchParams({ list })}`)
      assert.include((yield* get(made.location ?? "", cookie)).text, 'rel="next"')
      const review = yield* post(
        `${path}/review${from}`,
        cookie,
        withFields(fieldsOf(text, `${path}/review\\${from}`), { note: "Read.", do: "send" }),
      )
      const reviewed = yield* get(review.location ?? "", cookie)
      assert.include(reviewed.text, `<a class="button secondary" href="${next}" autofocus>Next candidate</a>`)
      const last = yield* get(`${next.replaceAll("&amp;", "&")}&done=reviewed`, cookie)
      assert.include(last.text, "Your review was sent. This was the last candidate of the list.")
      const plain = yield* get(path, cookie)
      assert.notInclude(plain.text, 'rel="next"')
      assert.include(plain.text, "All submissions")
      const hostileList = yield* get(`${path}?${new URLSearchParams({ list: `q=${hostile}` })}`, cookie)
      assert.notInclude(hostileList.text, "<script>alert")
    }),
  )
})
