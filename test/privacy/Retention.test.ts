/** Periods of retention and legal holds over HTTP, and what the step deletes, verified in the tables. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { Uploads } from "../../src/interviews/Uploads.ts"
import { InviteRequest } from "../../src/invitations/InviteRequest.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { DataRetention } from "../../src/privacy/DataRetention.ts"
import { People } from "../../src/privacy/People.ts"
import { Decisions } from "../../src/reviews/Decisions.ts"
import { Overrides } from "../../src/reviews/Overrides.ts"
import { CandidateId, InterviewSetId, SubmissionId } from "../../src/values/Ids.ts"
import * as Dossier from "../support/Dossier.ts"
import * as Members from "../support/Members.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Settings from "../support/Settings.ts"
import { placesOf } from "../support/Tables.ts"

const base = "/settings/retention"

const answer = "I kept a lighthouse in Tromsø, and wrote its logbook."
const cv = "Keeper of a lighthouse"
const inTexts = placesOf(["lighthouse"])

const empty = { recordings: "180", cvs: "", answers: "", candidates: "", events: "", audit: "", from: "end" }

/** An owner, and two candidates of one set who have answered and have CVs: Ada, then Bo. */
const world = Effect.gen(function* () {
  const settings = yield* Settings.begin
  const person = Effect.fnUntraced(function* (email: string) {
    const invited = yield* Scenario.invited(settings.organization, email)
    yield* Scenario.completed(invited, answer)
    const submission = SubmissionId.make(invited.subject.submission_id)
    yield* Dossier.addCv(invited.organization, submission, { text: cv })
    yield* Dossier.evaluateAll
    yield* (yield* Overrides).evaluateAgain(operator(invited.organization), submission)
    yield* Dossier.evaluateAll
    return { ...invited, submission, candidate: CandidateId.make(invited.subject.candidate_id) }
  })
  const ada = yield* person("ada@example.com")
  const bo = yield* person("bo@example.com")
  return { ...settings, ada, bo }
})

const version = (text: string) => Settings.hidden(text, "version")

/** Signs in again, because sessions end while time passes. */
const browserOf = Effect.fnUntraced(function* (organization: Parameters<typeof Members.signedIn>[0]) {
  const { cookie } = yield* Members.signedIn(organization, "owner")
  return Settings.as({ cookie })
})

const stored = Effect.fnUntraced(function* (submission: SubmissionId) {
  const { sql } = yield* Database
  const [row] = yield* sql<Record<string, number | boolean>>`
    select (select count(*)::int from answer where submission_id = b.id) as answers,
      (select count(*)::int from cv where submission_id = b.id) as cvs,
      (select count(*)::int from evaluation e where e.submission_id = b.id and e.state = 'done') as evaluations,
      (select count(*)::int from evaluation e where e.submission_id = b.id and e.input is not null) as inputs,
      (select c.erased_at is not null from candidate c where c.id = b.candidate_id) as is_erased
    from submission b where b.id = ${submission}::uuid`
  return row
})

const save = Effect.fnUntraced(function* (browser: ReturnType<typeof Settings.as>, periods: Partial<typeof empty>) {
  const shown = yield* browser.get(base)
  const answered = yield* browser.post(base, { ...empty, ...periods, version: version(shown.text) })
  assert.strictEqual(answered.status, 303, answered.text)
})

const everything = Effect.gen(function* () {
  const { step } = yield* DataRetention
  let total = 0
  while (true) {
    const deleted = yield* step
    total += deleted
    if (deleted === 0) return total
  }
})

layer(Settings.layer({ evaluate: Dossier.evaluate }))("retention", (it) => {
  it.effect("deletes answers and CVs after their days, keeps evaluations with quotes, and says so on the page", () =>
    Effect.gen(function* () {
      const { ada, bo, organization, owner } = yield* world
      yield* save(Settings.as(owner), { cvs: "30", answers: "60" })
      const before = yield* stored(ada.submission)
      assert.deepInclude(before, { answers: 1, cvs: 1 })
      yield* TestClock.adjust("29 days")
      assert.strictEqual(yield* everything, 0)
      yield* TestClock.adjust("1 day")
      assert.strictEqual(yield* everything, 2)
      assert.deepInclude(yield* stored(ada.submission), {
        answers: 1,
        cvs: 0,
        evaluations: before?.["evaluations"] ?? 0,
      })
      const browser = yield* browserOf(organization.id)
      assert.include((yield* browser.get(`/submissions/${ada.submission}`)).text, "The CV was deleted on")
      yield* TestClock.adjust("30 days")
      assert.strictEqual(yield* everything, 2)
      for (const { submission } of [ada, bo]) {
        assert.deepInclude(yield* stored(submission), { answers: 0, cvs: 0, inputs: 0, is_erased: false })
      }
      const places = (yield* inTexts).filter(
        (place) => !/^(?:evaluation\.result|record_entry\.content|webhook_event)/.test(place),
      )
      assert.deepStrictEqual(places, [])
      yield* (yield* Uploads).removeErased
      const { sql } = yield* Database
      assert.lengthOf(yield* sql`select from blob where organization_id = ${organization.id}::int`, 0)
      const again = yield* browserOf(organization.id)
      assert.include((yield* again.get(`/submissions/${ada.submission}`)).text, "The answers were deleted")
      const refused = yield* again.post(`/submissions/${ada.submission}/evaluate`)
      assert.include(refused.text, "nothing to evaluate")
      const log = yield* Settings.audit(organization.id)
      assert.deepStrictEqual(
        log.filter(({ action }) => action === "organization.delete_old").map(({ detail }) => detail),
        [{ cvs: 2 }, { answers: 2 }],
      )
    }),
  )

  it.effect("counts from the decision where the organization wants that; what is undecided stays", () =>
    Effect.gen(function* () {
      const { ada, bo, organization, owner } = yield* world
      yield* save(Settings.as(owner), { answers: "10", from: "decision" })
      yield* TestClock.adjust("20 days")
      assert.strictEqual(yield* everything, 0)
      const reviewer = Members.viewer(organization.id, owner)
      yield* (yield* Decisions).decide(reviewer, ada.submission, 0, { decision: "reject", reason: "" })
      yield* TestClock.adjust("9 days")
      assert.strictEqual(yield* everything, 0)
      yield* TestClock.adjust("1 day")
      assert.strictEqual(yield* everything, 1)
      assert.deepInclude(yield* stored(ada.submission), { answers: 0 })
      assert.deepInclude(yield* stored(bo.submission), { answers: 1 })
    }),
  )

  it.effect("erases a candidate after the last interview, not while another one is open", () =>
    Effect.gen(function* () {
      const { ada, bo, organization, owner } = yield* world
      yield* save(Settings.as(owner), { candidates: "40" })
      yield* TestClock.adjust("35 days")
      const { sql } = yield* Database
      yield* sql`
        insert into interview_set (id, organization_id, title) select gen_random_uuid(), organization_id, 'Another'
        from interview_set where id = ${organization.set.id}::uuid`
      const [other] = yield* sql<{ id: string }>`
        select id from interview_set where organization_id = ${organization.id}::int and title = 'Another'`
      yield* Scenario.invite(
        operator(organization.id),
        InviteRequest.make({
          com_interview_set_id: InterviewSetId.make(other?.id ?? ""),
          candidates: [{ email: "ada@example.com" }],
        }),
      )
      yield* TestClock.adjust("5 days")
      assert.strictEqual(yield* everything, 1)
      assert.deepInclude(yield* stored(ada.submission), { answers: 1, is_erased: false })
      assert.deepInclude(yield* stored(bo.submission), { answers: 0, is_erased: true })
    }),
  )

  it.effect("deletes nothing under a legal hold, of a candidate or of a set, and refuses the erasure", () =>
    Effect.gen(function* () {
      const { ada, bo, organization, owner } = yield* world
      const browser = Settings.as(owner)
      yield* save(browser, { recordings: "1", cvs: "1", answers: "1", candidates: "5", audit: "184" })
      const form = `/settings/people/${ada.candidate}/hold`
      assert.include((yield* browser.get(form)).text, "Legal hold on")
      assert.strictEqual((yield* browser.post(form, { reason: "short" })).status, 422)
      const placed = yield* browser.post(form, { reason: "Lawsuit 4711/26" })
      assert.strictEqual(placed.status, 303)
      assert.include((yield* browser.get(placed.headers.get("location") ?? "")).text, "is on legal hold.")
      const twice = yield* browser.post(form, { reason: "Lawsuit 4711/26" })
      assert.strictEqual(twice.status, 409)
      assert.include(twice.text, "in force already")
      yield* TestClock.adjust("200 days")
      assert.isAbove(yield* everything, 0)
      assert.deepInclude(yield* stored(ada.submission), { answers: 1, cvs: 1, is_erased: false })
      assert.deepInclude(yield* stored(bo.submission), { answers: 0, cvs: 0, is_erased: true })
      const { sql } = yield* Database
      const oldest = yield* sql<{ at: Date }>`
        select min(created_at) as at from audit_log where organization_id = ${organization.id}::int`
      assert.strictEqual(oldest[0]?.at.toISOString().slice(0, 10), "2026-11-02", "the audit log stays during a hold")
      const later = yield* browserOf(organization.id)
      const person = yield* later.get(`/settings/people/${ada.candidate}`)
      assert.include(person.text, "Lawsuit 4711/26")
      assert.notInclude(person.text, `${ada.candidate}/erase"`)
      assert.strictEqual(
        (yield* later.post(`/settings/people/${ada.candidate}/erase`, { confirm: "erase" })).status,
        409,
      )
      const refusal = yield* Effect.flip((yield* People).erase(operator(organization.id), ada.candidate))
      assert.deepInclude(refusal, { _tag: "Conflict" })
      assert.deepInclude(yield* stored(ada.submission), { answers: 1, cvs: 1, is_erased: false })
      const list = (yield* later.get(base)).text
      const release = /href="(\/settings\/retention\/holds\/[^"]+\/release)"/.exec(list)?.[1] ?? assert.fail("no hold")
      assert.include((yield* later.get(release)).text, "Release the hold")
      assert.strictEqual((yield* later.post(release)).status, 303)
      assert.strictEqual((yield* later.post(release)).status, 404)
      const set = `/interview-sets/${organization.set.id}/hold`
      assert.strictEqual((yield* later.post(set, { reason: "Audit of the whole job" })).status, 303)
      assert.strictEqual(yield* everything, 0)
      assert.deepInclude(yield* stored(ada.submission), { answers: 1, is_erased: false })
      yield* sql`update legal_hold set released_at = ${yield* (yield* Database).now}`
      assert.isAbove(yield* everything, 0)
      assert.deepInclude(yield* stored(ada.submission), { answers: 0, is_erased: true })
      const actions = (yield* Settings.audit(organization.id)).map(({ action }) => action)
      for (const action of ["candidate.release_hold", "interview_set.hold", "candidate.erase"]) {
        assert.include(actions, action)
      }
      assert.notInclude(actions, "candidate.hold", "older than 184 days, and no hold is in force")
    }),
  )

  it.effect("counts what would be deleted, and changes nothing", () =>
    Effect.gen(function* () {
      const { ada, organization, owner } = yield* world
      yield* Settings.as(owner).post(`/settings/people/${ada.candidate}/hold`, { reason: "Lawsuit 4711/26" })
      yield* TestClock.adjust("50 days")
      const browser = yield* browserOf(organization.id)
      const shown = version((yield* browser.get(base)).text)
      const counted = yield* browser.post(base, {
        ...empty,
        answers: "50",
        cvs: "51",
        candidates: "50",
        events: "30",
        do: "count",
        version: shown,
      })
      assert.strictEqual(counted.status, 200)
      assert.include(counted.text, "<strong>1 submission&#39;s answers</strong> would be deleted now")
      assert.include(counted.text, "a legal hold keeps 1 submission&#39;s answers")
      assert.include(counted.text, "<strong>No submissions&#39; CVs</strong> would be deleted now")
      assert.include(counted.text, "<strong>1 candidate</strong> would be deleted now")
      assert.match(counted.text, /<strong>\d+ events<\/strong> would be deleted now/)
      assert.match(counted.text, /a legal hold keeps \d+ events/)
      assert.strictEqual(yield* everything, 0)
    }),
  )

  it.effect("asks before it saves periods that delete data at once", () =>
    Effect.gen(function* () {
      const { ada, bo, organization, owner } = yield* world
      yield* save(Settings.as(owner), { cvs: "40" })
      yield* TestClock.adjust("20 days")
      const browser = yield* browserOf(organization.id)
      const shown = (yield* browser.get(base)).text
      const own = { ...empty, cvs: "40", candidates: "1", version: version(shown) }
      const asked = yield* browser.post(base, own)
      assert.strictEqual(asked.status, 409)
      assert.include(asked.text, "Nothing is saved yet.")
      assert.include(asked.text, "2 candidates would be deleted within ten minutes")
      assert.strictEqual(yield* everything, 0)
      const confirmed = Settings.hidden(asked.text, "confirmed")
      const other = yield* browser.post(base, { ...own, candidates: "2", confirmed })
      assert.strictEqual(other.status, 409, "the confirmation is of the periods that were shown")
      assert.strictEqual(
        (yield* browser.post(base, { ...own, candidates: "30" })).status,
        303,
        "deletes nothing at once",
      )
      const later = version((yield* browser.get(base)).text)
      assert.strictEqual((yield* browser.post(base, { ...own, version: later, confirmed })).status, 303)
      assert.strictEqual(yield* everything, 2)
      for (const { submission } of [ada, bo]) assert.deepInclude(yield* stored(submission), { is_erased: true })
      const page = (yield* browser.get(`/submissions/${ada.submission}`)).text
      assert.include(page, "The personal data was erased")
      assert.notInclude(page, "submitted without answers")
      const list = (yield* browser.get("/submissions")).text
      assert.include(list, "Erased candidate")
      assert.notInclude(list, "Candidate without a name")
      const log = (yield* browser.get("/settings/audit?type=candidate.erase")).text
      assert.include(log, "The service")
    }),
  )

  it.effect("refuses wrong periods, stale forms and other roles; nothing is saved", () =>
    Effect.gen(function* () {
      const { ada, admin, foreigner, organization, owner, recruiter } = yield* world
      const browser = Settings.as(owner)
      const shown = version((yield* browser.get(base)).text)
      for (const wrong of [
        { recordings: "" },
        { recordings: "0" },
        { cvs: "3651" },
        { answers: "1.5" },
        { candidates: "-1" },
        { events: "31" },
        { audit: "183" },
      ]) {
        const refused = yield* browser.post(base, { ...empty, ...wrong, version: shown })
        assert.strictEqual(refused.status, 422, JSON.stringify(wrong))
        assert.include(refused.text, "Nothing was saved")
      }
      yield* save(Settings.as(admin), { cvs: "90" })
      const stale = yield* browser.post(base, { ...empty, cvs: "80", version: shown })
      assert.strictEqual(stale.status, 409)
      assert.include(stale.text, "90")
      const replaced = yield* browser.post(base, {
        ...empty,
        cvs: "80",
        replaced: Settings.hidden(stale.text, "version"),
      })
      assert.include([303, 409], replaced.status)
      assert.strictEqual((yield* Settings.as(recruiter).get(base)).status, 403)
      const held = yield* Settings.as(foreigner).post(`/settings/people/${ada.candidate}/hold`, {
        reason: "Of another organization",
      })
      assert.strictEqual(held.status, 404)
      const { sql } = yield* Database
      assert.lengthOf(yield* sql`select from legal_hold where organization_id = ${organization.id}::int`, 0)
    }),
  )
})
