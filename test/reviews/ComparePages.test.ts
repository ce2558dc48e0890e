/** The comparison of candidates over HTTP: contents, limits, visible reviews, refusals. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { InterviewSets } from "../../src/interview-sets/InterviewSets.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { answerLength } from "../../src/reviews/ComparisonLimits.ts"
import { Decisions } from "../../src/reviews/Decisions.ts"
import { Reviews } from "../../src/reviews/Reviews.ts"
import type { OrganizationId } from "../../src/values/Ids.ts"
import { Server } from "../support/Api.ts"
import * as Dossier from "../support/Dossier.ts"
import { get, post, settings, signedIn, viewer } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const pages = Server.layer.pipe(
  Layer.provide(App.serve(App.pages)),
  Layer.provideMerge(Pod.layer({ settings, evaluate: Dossier.evaluate })),
  Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(Date.parse("2026-11-02T09:42:00Z")))),
)

const unknown = "0190b5a2-7c1e-7def-8abc-0123456789ab"

/** Renames the candidate of a submission. */
const rename = Effect.fnUntraced(function* (submission: string, name: string) {
  const { sql } = yield* Database
  yield* sql`update candidate set name = ${name} where id = (select candidate_id from submission where id = ${submission}::uuid)`
})

/** Invites to the set a candidate who answers `built`. */
const answered = Effect.fnUntraced(function* (
  organization: OrganizationId,
  set: Scenario.Invited["set"],
  name: string,
  built: string,
) {
  const invited = yield* Scenario.invited({ id: organization, set }, `${name.toLowerCase()}@example.com`)
  yield* (yield* Interviews).start(invited.token)
  yield* Dossier.answerAll(invited, { built })
  yield* Dossier.evaluateAll
  yield* rename(invited.subject.submission_id, name)
  return invited.subject.submission_id
})

/** Ada with a CV, and Bo. */
const two = Effect.gen(function* () {
  const { organization, set, submission: ada } = yield* Dossier.whole()
  const bo = yield* answered(organization, set, "Bo", "I built nothing.")
  const owner = yield* signedIn(organization)
  const show = (...ids: ReadonlyArray<string>) => get(`/submissions/compare?ids=${ids.join(",")}`, owner.cookie)
  return { organization, set, ada, bo, owner, show }
})

/** The part of a question or requirement, by its title. */
const partOf = (text: string, title: string): string => {
  const at = text.indexOf(`dir="auto">${title}`)
  assert.isAbove(at, 0, title)
  return text.slice(at).split("</section>")[0] ?? ""
}

const cellsOf = (part: string): ReadonlyArray<string> =>
  part
    .split('<p class="whose"')
    .slice(1)
    .map((cell) =>
      cell
        .replaceAll(/<[^>]*>/g, " ")
        .replaceAll(/\s+/g, " ")
        .trim(),
    )

const hrefsOf = (text: string) => [...text.matchAll(/href="([^"]*)"/g)].map(([, href]) => href ?? "")

describe("answers in a comparison", () => {
  it("are shortened so that their total length is bounded", () => {
    assert.strictEqual(answerLength(2, 3), 2000)
    assert.strictEqual(answerLength(4, 10), 600)
    assert.strictEqual(answerLength(4, 40), 150)
    for (const candidates of [2, 3, 4]) {
      for (let questions = 1; questions <= 40; questions++) {
        assert.isAtMost(candidates * questions * answerLength(candidates, questions), 24_000)
      }
    }
  })
})

layer(pages)("comparing candidates", (it) => {
  it.effect("shows requirements, answers and CVs of both side by side, with links to the sources", () =>
    Effect.gen(function* () {
      const { ada, bo, show } = yield* two
      const { status, text } = yield* show(ada, bo)
      assert.strictEqual(status, 200)
      const [first, second] = cellsOf(partOf(text, "TypeScript services in production"))
      assert.match(first ?? "", /^dir="auto">Ada .*Met 10\.0 .*payment gateway/)
      assert.match(second ?? "", /^dir="auto">Bo No match found$/)
      const built = partOf(text, "A service you built")
      assert.include(cellsOf(built)[0] ?? "", "I built the payment gateway")
      assert.include(cellsOf(built)[1] ?? "", "I built nothing.")
      assert.isBelow(text.indexOf("TypeScript services in production"), text.indexOf("A service you built"))
      assert.isBelow(text.indexOf("A service you built"), text.indexOf('<h2 id="cvs">'))
      assert.include(text, "Senior Backend Engineer")
      assert.include(text, "No CV was provided.")
      assert.includeMembers(hrefsOf(text), [
        `/submissions/${ada}#decision`,
        `/submissions/${ada}/cv`,
        `/submissions/compare?ids=${bo}`,
        `/submissions/compare?ids=${ada}`,
      ])
    }),
  )

  it.effect("shows requirements in the order of the submission page and the list", () =>
    Effect.gen(function* () {
      const { organization, set, submission } = yield* Dossier.whole({
        iai_requirements: [
          { title: "Speaks Vietnamese" },
          { title: "Mentoring colleagues", cfg_importance_id: 245 },
          { title: "Juggling", cfg_importance_id: 273 },
          { title: "TypeScript services in production", cfg_importance_id: 273 },
        ],
      })
      const bo = yield* answered(organization, set, "Bo", "I built nothing.")
      const { cookie } = yield* signedIn(organization)
      const titles = (text: string) =>
        [...text.matchAll(/<h3 [^>]*dir="auto">(?:<span class="ordinal">\d<\/span> )?([\w ]+?) ?</g)].map(
          ([, title]) => title,
        )
      const order = ["Juggling", "TypeScript services in production", "Mentoring colleagues", "Speaks Vietnamese"]
      const page = yield* get(`/submissions/${submission}`, cookie)
      assert.deepStrictEqual(titles(page.text.slice(page.text.indexOf('id="requirements"'))).slice(0, 4), order)
      const compared = yield* get(`/submissions/compare?ids=${submission},${bo}`, cookie)
      assert.deepStrictEqual(titles(compared.text).slice(0, 4), order)
      const list = yield* get("/submissions", cookie)
      assert.include(list.text, ">–<b></b><u></u>–</i>")
      for (const { text } of [page, compared]) {
        const [dots = ""] = /<span class="dots">.*?<\/span><\/span>/.exec(text) ?? []
        assert.strictEqual(dots.replaceAll(/<[^>]*>/g, "").slice(0, 4), "–●◐–")
      }
    }),
  )

  it.effect("accepts ids in upper case", () =>
    Effect.gen(function* () {
      const { ada, bo, show } = yield* two
      const { status, text } = yield* show(ada.toUpperCase(), bo)
      assert.strictEqual(status, 200)
      assert.include(text, `/submissions/compare?ids=${ada}`)
      assert.strictEqual((yield* show(ada.toUpperCase(), ada, bo)).status, 200)
    }),
  )

  it.effect("shows chosen options, files as links and who decided", () =>
    Effect.gen(function* () {
      const { ada, bo, organization, owner, show } = yield* two
      const { sql } = yield* Database
      const decisions = yield* Decisions
      yield* decisions.decide(viewer(organization, owner, "owner", "Rita"), ada as never, 0, {
        decision: "advance",
        reason: "Explains plans.",
      })
      const [question] = yield* sql<{ id: string }>`
        select q.id from question q join submission b on b.interview_set_id = q.interview_set_id
        where b.id = ${ada}::uuid and q.title = 'A database problem'`
      const [blob] = yield* sql<{
        id: string
      }>`select id from blob where organization_id = ${organization}::int limit 1`
      yield* sql`update answer set content = null, blob_id = ${blob?.id ?? ""}::uuid, file_name = 'plan.pdf'
        where submission_id = ${ada}::uuid and question_id = ${question?.id ?? ""}::uuid`
      const { text } = yield* show(bo, ada)
      assert.include(text, "<strong>Advanced</strong> by <bdi>Rita</bdi>")
      assert.include(text, "Explains plans.")
      assert.include(text, "Undecided")
      assert.match(
        partOf(text, "A database problem"),
        new RegExp(`/submissions/${ada}/files/\\d/${question?.id}" download><bdi>plan.pdf`),
      )
      assert.match(text, /<ul class="chosen"><li dir="auto">[^<]+<\/li><\/ul>/)
    }),
  )

  it.effect("shows transcripts of spoken answers, and says where there is none", () =>
    Effect.gen(function* () {
      const { ada, bo, show } = yield* two
      const { sql } = yield* Database
      const speak = (submission: string, segments: string | null) => sql`
        with spoken as (
          insert into recording (id, organization_id, submission_id, attempt, question_id, kind, content_type, started_at,
            received_at, ended_at, segments, state)
          select gen_random_uuid(), a.organization_id, a.submission_id, a.attempt, a.question_id, 'audio', 'audio/webm', now(),
            now(), now(), ${segments}::jsonb, 'done'
          from answer a join question q on q.id = a.question_id
          where a.submission_id = ${submission}::uuid and q.title = 'A database problem' returning *
        )
        update answer a set content = null, recording_id = spoken.id from spoken
        where a.submission_id = spoken.submission_id and a.question_id = spoken.question_id`
      yield* speak(ada, '[{"start":0,"end":2,"text":"The planner chose"},{"start":2,"end":3,"text":"a nested loop."}]')
      yield* speak(bo, null)
      const shown = partOf((yield* show(ada, bo)).text, "A database problem")
      assert.include(shown, "The planner chose a nested loop.")
      assert.lengthOf(shown.match(/>Listen</g) ?? [], 2)
      assert.lengthOf(shown.match(/There is no transcript\./g) ?? [], 1)
    }),
  )

  it.effect("decides about each candidate, refuses an outdated form in words, and undoes", () =>
    Effect.gen(function* () {
      const { ada, bo, organization, owner, show } = yield* two
      const compared = `/submissions/compare?ids=${ada},${bo}`
      const of = (submission: string, form: string) => `/submissions/${submission}/compared/${form}`
      const sent = (submission: string, changes: number, decision = "advance") =>
        post(of(submission, "decision"), owner.cookie, { ids: `${ada},${bo}`, changes: String(changes), decision })
      const first = (yield* show(ada, bo)).text
      assert.include(
        first,
        `action="${of(bo, "decision")}" class="decide-here"><input type="hidden" name="ids" value="${ada},${bo}"><input type="hidden" name="changes" value="0">`,
      )
      const decided = yield* sent(ada, 0)
      assert.strictEqual(decided.location, `${compared}&decided=${ada}`)
      const told = (yield* get(decided.location ?? "", owner.cookie)).text
      assert.match(told, /Ada<\/bdi>: advanced\. The candidate was not notified\./)
      assert.match(told, /value="advance" class="chosen advance" aria-current="true">Advance<span class="unseen"> Ada</)
      // another member decided meanwhile
      const rita = yield* signedIn(organization)
      yield* (yield* Decisions).decide(viewer(organization, rita, "owner", "Rita"), bo, 0, {
        decision: "hold",
        reason: "Later.",
      })
      const refused = yield* sent(bo, 0, "reject")
      assert.strictEqual(refused.status, 409)
      assert.include(refused.text, "The decision was not saved: the decision has changed since you opened the page.")
      assert.include(refused.text, "<strong>On hold</strong> by <bdi>Rita</bdi>")
      // the same decision again keeps the reason
      const same = yield* sent(bo, 1, "hold")
      assert.include(same.text, "the decision and its reason are unchanged")
      assert.include(same.text, "Later.")
      const undone = yield* post(of(ada, "undo"), owner.cookie, { ids: `${ada},${bo}`, changes: "1" })
      assert.strictEqual(undone.location, `${compared}&undone=${ada}`)
      const { sql } = yield* Database
      assert.deepStrictEqual(
        yield* sql`select decision from submission where id = any(${[ada, bo]}::uuid[]) order by created_at`,
        [{ decision: null }, { decision: "hold" }],
      )
      yield* sql`update evaluation set state = 'queued', due_at = now() + interval '1 hour' where submission_id = ${bo}::uuid`
      yield* sql`update submission set status = 'completed' where id = ${bo}::uuid`
      assert.include((yield* show(ada, bo)).text, '<span class="tag running">Being evaluated</span>')
      const reviewer = yield* signedIn(organization, "reviewer")
      const denied = yield* post(of(ada, "decision"), reviewer.cookie, { ids: ada, changes: "2", decision: "hold" })
      assert.strictEqual(denied.status, 403)
    }),
  )

  it.effect("shows the average of reviews only to members who may see them", () =>
    Effect.gen(function* () {
      const { ada, bo, organization, owner, set, show } = yield* two
      const { sql } = yield* Database
      const reviews = yield* Reviews
      const [requirement] = yield* sql<{ id: string }>`
        select id from requirement where interview_set_id = ${set.id}::uuid order by ordinal limit 1`
      const rita = yield* signedIn(organization)
      const change = (rating: 0 | 4, isSent: boolean) => ({
        ratings: { [requirement?.id ?? ""]: rating },
        note: "",
        mentioned: [],
        changes: 0,
        isSent,
      })
      const averages = Effect.map(show(ada, bo), ({ text }) => [
        ...[...text.matchAll(/(\d) reviews?: <strong>([\d.]+)<\/strong>/g)].map(([, n, score]) => `${score} of ${n}`),
        ...[...text.matchAll(/(\d) review is hidden/g)].map(([, n]) => `${n} hidden`),
      ])
      yield* reviews.save(viewer(organization, rita), ada, change(4, true))
      assert.deepStrictEqual(yield* averages, ["1 hidden"])
      yield* reviews.save(viewer(organization, owner), ada, change(0, false))
      assert.deepStrictEqual(yield* averages, ["1 hidden"])
      yield* sql`update organization set hides_reviews = false where id = ${organization}::int`
      assert.deepStrictEqual(yield* averages, ["10.0 of 1"])
      yield* sql`update organization set hides_reviews = true where id = ${organization}::int`
      yield* reviews.save(viewer(organization, owner), ada, { ...change(0, true), changes: 1 })
      assert.deepStrictEqual(yield* averages, ["5.0 of 2"])
    }),
  )

  it.effect("shows submitted answers only", () =>
    Effect.gen(function* () {
      const { ada, bo, show } = yield* two
      const { sql } = yield* Database
      yield* sql`update submission set status = 'started' where id = ${bo}::uuid`
      const { text } = yield* show(ada, bo)
      assert.notInclude(text, "I built nothing.")
      assert.include(cellsOf(partOf(text, "A service you built"))[1] ?? "", "Nothing submitted yet.")
    }),
  )

  it.effect("stays below 60 KB with four candidates with long texts, and links to the full answers", () =>
    Effect.gen(function* () {
      const { ada, bo, organization, set, show } = yield* two
      const others = [
        yield* answered(organization, set, "Cy", "x".repeat(20_000)),
        yield* answered(organization, set, "Di", "y ".repeat(9_000)),
      ]
      const { sql } = yield* Database
      yield* sql`update answer set content = repeat('A long answer. ', 1000) where organization_id = ${organization}::int and content is not null`
      yield* sql`update cv set text = repeat('A long CV. ', 5000) where organization_id = ${organization}::int`
      const { bytes, status, text } = yield* show(ada, bo, ...others)
      assert.strictEqual(status, 200)
      assert.isBelow(bytes.length, 60_000)
      assert.match(text, /Texts longer than \d+ characters are shortened\./)
      assert.match(
        partOf(text, "A service you built"),
        new RegExp(`href="/submissions/${ada}#answer-1-[0-9a-f-]{36}">Full answer`),
      )
      assert.notInclude(text, "Add a candidate")
    }),
  )

  it.effect("adds a candidate of the set with answers, by name", () =>
    Effect.gen(function* () {
      const { ada, bo, organization, owner, set, show } = yield* two
      const [zoe, cy] = [
        yield* answered(organization, set, "Zoe", "Yes."),
        yield* answered(organization, set, "Cy", "No."),
      ]
      yield* Scenario.invited({ id: organization, set }, "waiting@example.com")
      const erased = yield* answered(organization, set, "Erased", "No.")
      const { sql } = yield* Database
      yield* sql`update candidate set erased_at = now() where name = 'Erased' and organization_id = ${organization}::int`
      for (const given of [[ada], [ada, bo]]) {
        const { status, text } = yield* show(...given)
        assert.strictEqual(status, 200)
        const options = [...text.matchAll(/<option value="([^"]+)">([^<]*)</g)].map(([, id, name]) => [name, id])
        assert.deepStrictEqual(
          options.slice(-2),
          [
            ["Cy", cy],
            ["Zoe", zoe],
          ],
          erased,
        )
        assert.lengthOf(options, given.length === 1 ? 3 : 2)
      }
      const { location, status } = yield* get(`/submissions/compare?ids=${ada}%2C${bo}&add=${cy}`, owner.cookie)
      assert.deepStrictEqual([status, location], [303, `/submissions/compare?ids=${ada},${bo},${cy}`])
    }),
  )

  it.effect("explains what to do with none, one and five candidates, different sets and erased persons", () =>
    Effect.gen(function* () {
      const { ada, bo, organization, set, show } = yield* two
      const more: Array<string> = []
      for (const name of ["Cy", "Di", "Ed"]) more.push(yield* answered(organization, set, name, "Yes."))
      const other = yield* (yield* InterviewSets).create(operator(organization), { title: "Another set" })
      const elsewhere = (yield* Scenario.invited({ id: organization, set: other }, "el@example.com")).subject
        .submission_id
      const expect = Effect.fnUntraced(function* (ids: ReadonlyArray<string>, status: number, title: string) {
        const shown = yield* show(...ids)
        assert.deepStrictEqual([shown.status, /<h1>([^<]*)</.exec(shown.text)?.[1]], [status, title])
        return hrefsOf(shown.text)
      })
      yield* expect([], 200, "Choose candidates to compare")
      yield* expect([ada, ada], 200, "Choose another candidate")
      const five = yield* expect([ada, bo, ...more], 422, "At most 4 candidates can be compared")
      assert.include(five, `/submissions/compare?ids=${[bo, ...more].join(",")}`)
      const sets = yield* expect([ada, elsewhere, bo], 422, "The candidates belong to different interview sets")
      assert.includeMembers(sets, [`/submissions/compare?ids=${ada},${bo}`])
      const { sql } = yield* Database
      yield* sql`update candidate set erased_at = now() where organization_id = ${organization}::int and name = 'Cy'`
      const erased = yield* expect([ada, bo, more[0] ?? ""], 422, "A candidate&#39;s personal data was erased")
      assert.include(erased, `/submissions/compare?ids=${ada},${bo}`)
    }),
  )

  it.effect("refuses submissions without access, of other organizations and unknown ones", () =>
    Effect.gen(function* () {
      const { ada, bo, organization } = yield* two
      const recruiter = yield* signedIn(organization, "recruiter")
      const foreign = yield* signedIn((yield* Scenario.organization({}, "Other")).id)
      const owner = yield* signedIn(organization)
      const status = (cookie: string, ids: string) =>
        Effect.map(get(`/submissions/compare?ids=${ids}`, cookie), (answer) => {
          assert.notMatch(answer.text, /I built|payment gateway/)
          return answer.status
        })
      for (const ids of [ada, `${ada},${bo}`]) {
        assert.strictEqual(yield* status(recruiter.cookie, ids), 403)
        assert.strictEqual(yield* status(foreign.cookie, ids), 404)
      }
      for (const ids of [`${ada},${unknown}`, `${ada},x`, "%00", `${ada},${bo}'`]) {
        assert.strictEqual(yield* status(owner.cookie, ids), 404, ids)
      }
    }),
  )
})
