/** Members who are asked to review candidates, and the workspace of reviewers, over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { Assignments } from "../../src/reviews/Assignments.ts"
import type { OrganizationId } from "../../src/values/Ids.ts"
import { SubmissionId } from "../../src/values/Ids.ts"
import { Server } from "../support/Api.ts"
import * as Dossier from "../support/Dossier.ts"
import { fieldsOf, get, post, settings, signedIn, viewer, withFields } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const pages = Server.layer.pipe(
  Layer.provide(App.serve(App.pages)),
  Layer.provideMerge(Pod.layer({ settings, evaluate: Dossier.evaluate })),
  Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(Date.parse("2026-11-02T09:42:00Z")))),
)

/** An organization with an evaluated candidate, another one who has not answered, and members. */
const furnished = Effect.gen(function* () {
  const whole = yield* Dossier.whole()
  const owner = yield* signedIn(whole.organization)
  const reviewer = yield* signedIn(whole.organization, "reviewer")
  const { subject } = yield* Scenario.invited({ id: whole.organization, set: whole.set }, "bo@example.com")
  const other = SubmissionId.make(subject.submission_id)
  const path = `/submissions/${whole.submission}`
  const ask = (member: { readonly id: string }, submission: string = whole.submission) =>
    post(`/submissions/${submission}/reviewers`, owner.cookie, { member: member.id })
  return { ...whole, owner, reviewer, other, path, ask }
})

const mails = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { sql } = yield* Database
  return yield* sql<{ recipient: string; subject: string; text: string }>`
    select recipient, subject, text from email
    where organization_id = ${organization}::int and kind = 'review_assignment' order by created_at, recipient`
})

const actions = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { sql } = yield* Database
  const rows = yield* sql<{ action: string; member: string }>`
    select action, detail ->> 'member' as member from audit_log
    where organization_id = ${organization}::int and action like 'submission.%assign' order by id`
  return rows.map(({ action, member }) => `${action} ${member}`)
})

layer(pages)("assignments", (it) => {
  it.effect("give a reviewer the candidate's page with a review, and nothing to decide or invite with", () =>
    Effect.gen(function* () {
      const { ask, organization, other, owner, path, reviewer } = yield* furnished
      assert.strictEqual((yield* get(path, reviewer.cookie)).status, 403)
      const empty = yield* get("/home", reviewer.cookie)
      assert.include(empty.text, "When a colleague asks you")
      assert.notInclude(empty.text, 'href="/submissions"')
      const asked = yield* ask(reviewer)
      assert.strictEqual(asked.location, `${path}?done=assigned`)
      const colleague = yield* signedIn(organization, "reviewer")
      assert.strictEqual((yield* get(path, colleague.cookie)).status, 403, "assigned to another reviewer")
      const home = yield* get("/home", reviewer.cookie)
      assert.include(home.text, "1 candidate waits for your review.")
      assert.include(home.text, `href="${path}"`)
      assert.notInclude(home.text, other)
      const page = yield* get(path, reviewer.cookie)
      assert.strictEqual(page.status, 200)
      assert.include(page.text, 'id="answers"')
      assert.include(page.text, 'id="cv"')
      assert.include(page.text, `action="${path}/review?list="`)
      const forms = [...page.text.matchAll(/<form method="post" action="([^"]*)"/g)].map(([, action]) => action)
      assert.deepStrictEqual(forms, ["/sign-out", `${path}/review?list=`])
      for (const absent of ["Original file", "Timeline", "Technical details", "ada@example.com", "/interview-sets/"])
        assert.notInclude(page.text, absent)
      const decision = yield* post(`${path}/decision`, reviewer.cookie, { decision: "advance", changes: "0" })
      assert.strictEqual(decision.status, 403)
      assert.include(decision.text, "This is for owners, admins and recruiters only")
      assert.include((yield* get(path, owner.cookie)).text, "not reviewed yet")
    }),
  )

  it.effect(
    "show a reviewer scores and other reviews only after the own review, also where the organization shows them",
    () =>
      Effect.gen(function* () {
        const { ask, organization, other, owner, path, reviewer } = yield* furnished
        const { sql } = yield* Database
        yield* sql`update organization set hides_scores = false, hides_reviews = false where id = ${organization}::int`
        const theirs = fieldsOf((yield* get(path, owner.cookie)).text, `${path}/review`)
        yield* post(`${path}/review`, owner.cookie, withFields(theirs, { note: "The owner's note.", do: "send" }))
        yield* ask(reviewer)
        yield* ask(reviewer, other)
        const before = (yield* get(path, reviewer.cookie)).text
        assert.include(before, "You see the score after you send your review.")
        assert.notMatch(before, /class="figure"|class="level"|The owner&#39;s note/)
        const shown = yield* post("/account/show-scores", reviewer.cookie, { back: path })
        assert.strictEqual(shown.status, 403)
        const own = fieldsOf(before, `${path}/review\\?list=`)
        const sent = yield* post(
          `${path}/review?list=`,
          reviewer.cookie,
          withFields(own, { note: "Good.", do: "send" }),
        )
        assert.strictEqual(sent.location, `${path}?done=reviewed&list=`)
        const after = (yield* get(sent.location ?? "", reviewer.cookie)).text
        assert.match(after, /class="figure"/)
        assert.include(after, "The owner&#39;s note.")
        assert.match(after, new RegExp(`href="/submissions/${other}\\?list=" autofocus>Next candidate`))
        const home = (yield* get("/home", reviewer.cookie)).text
        assert.isBelow(home.indexOf(other), home.indexOf(path), "open ones first")
        assert.include(home, "Reviewed</span>")
        assert.include((yield* get(path, owner.cookie)).text, "reviewed <time")
      }),
  )

  it.effect("send one email to each member who wants it, and are in the audit log and the timeline", () =>
    Effect.gen(function* () {
      const { ask, organization, owner, path, reviewer } = yield* furnished
      const quiet = yield* signedIn(organization, "admin")
      yield* post("/account/notifications", quiet.cookie, { mails_assignments: "off" })
      yield* ask(reviewer)
      yield* ask(reviewer)
      yield* ask(quiet)
      yield* ask(owner)
      const [mail, ...others] = yield* mails(organization)
      assert.isEmpty(others)
      assert.strictEqual(mail?.recipient, reviewer.email)
      assert.match(mail?.subject ?? "", /asks you to review a candidate$/)
      assert.include(mail?.text, path)
      assert.deepStrictEqual(
        yield* actions(organization),
        [reviewer, quiet, owner].map(({ email }) => `submission.assign ${email}`),
      )
      const page = (yield* get(path, owner.cookie)).text
      assert.include(page, `<bdi>${reviewer.email}</bdi> asked for a review`)
      const gone = yield* post(`${path}/reviewers/remove`, owner.cookie, { member: reviewer.id })
      assert.strictEqual(gone.location, `${path}?done=unassigned`)
      const again = yield* post(`${path}/reviewers/remove`, owner.cookie, { member: reviewer.id })
      assert.strictEqual(again.location, path)
      assert.strictEqual((yield* get(path, reviewer.cookie)).status, 403)
      assert.include(yield* actions(organization), `submission.unassign ${reviewer.email}`)
      const none = yield* post(`${path}/reviewers`, owner.cookie, { member: "" })
      assert.strictEqual(none.status, 422)
      assert.include(none.text, "Choose a colleague")
    }),
  )

  it.effect("are listed on the home of a member with other work, until the review is sent", () =>
    Effect.gen(function* () {
      const { ask, organization, path } = yield* furnished
      const admin = yield* signedIn(organization, "admin")
      yield* ask(admin)
      const home = (yield* get("/home", admin.cookie)).text
      assert.include(home, "1 review assigned to you")
      assert.include((yield* get("/submissions/assigned", admin.cookie)).text, `href="${path}"`)
      const own = fieldsOf((yield* get(path, admin.cookie)).text, `${path}/review`)
      yield* post(`${path}/review`, admin.cookie, withFields(own, { note: "Good.", do: "send" }))
      assert.notInclude((yield* get("/home", admin.cookie)).text, "assigned to you")
      assert.include((yield* get("/submissions/assigned", admin.cookie)).text, "You have reviewed all candidates")
    }),
  )

  it.effect("of a member who has sent the review before are reviewed from the start", () =>
    Effect.gen(function* () {
      const { ask, organization, path } = yield* furnished
      const admin = yield* signedIn(organization, "admin")
      const own = fieldsOf((yield* get(path, admin.cookie)).text, `${path}/review`)
      yield* post(`${path}/review`, admin.cookie, withFields(own, { note: "Good.", do: "send" }))
      yield* ask(admin)
      assert.notInclude((yield* get("/home", admin.cookie)).text, "assigned to you")
      const assigned = (yield* get("/submissions/assigned", admin.cookie)).text
      assert.include(assigned, "You have reviewed all candidates")
      assert.include(assigned, `href="${path}"`)
    }),
  )

  it.effect("leave out recruiters without access, members of other organizations, and erased candidates", () =>
    Effect.gen(function* () {
      const { ask, organization, owner, reviewer, submission } = yield* furnished
      const stranger = yield* signedIn(organization, "recruiter")
      const foreign = yield* furnished
      const { sql } = yield* Database
      assert.notInclude((yield* get(`/submissions/${submission}`, owner.cookie)).text, `value="${stranger.id}"`)
      yield* ask(stranger)
      yield* ask(foreign.reviewer)
      yield* ask(reviewer, foreign.submission)
      const by = viewer(organization, owner)
      const assignments = yield* Assignments
      assert.isEmpty(yield* assignments.assign(by, [foreign.submission], [reviewer.id]))
      yield* sql`
        update candidate c set erased_at = now() from submission b where b.id = ${submission}::uuid and c.id = b.candidate_id`
      yield* ask(reviewer)
      const rows = yield* sql`
        select from review_assignment where organization_id in (${organization}::int, ${foreign.organization}::int)`
      assert.isEmpty(rows)
    }),
  )

  it.effect("made twice at once ask once, and end with the member", () =>
    Effect.gen(function* () {
      const { ask, organization, owner, reviewer } = yield* furnished
      yield* Effect.all([ask(reviewer), ask(reviewer), ask(reviewer)], { concurrency: "unbounded" })
      assert.lengthOf(yield* mails(organization), 1)
      yield* post(`/settings/members/${reviewer.id}/remove`, owner.cookie)
      const { sql } = yield* Database
      assert.isEmpty(yield* sql`select from review_assignment where member_id = ${reviewer.id}::uuid`)
    }),
  )

  it.effect("are made for selected rows of the list, with one email to each colleague", () =>
    Effect.gen(function* () {
      const { ask, organization, other, owner, reviewer, submission } = yield* furnished
      yield* ask(reviewer)
      const list = (yield* get("/submissions", owner.cookie)).text
      const fields = fieldsOf(list, "/submissions/decide").filter(([name]) => name === "id" || name === "list")
      const selected = [...list.matchAll(/name="selected" value="([^"]*)"/g)].map(([, value = ""]) => value)
      assert.lengthOf(selected, 2)
      const rows = selected.map((value): [string, string] => ["selected", value])
      const question = yield* post("/submissions/assign", owner.cookie, [...fields, ...rows])
      assert.include(question.text, "Ask for reviews of 2 candidates")
      const form = fieldsOf(question.text, "/submissions/assign")
      const none = yield* post("/submissions/assign", owner.cookie, form)
      assert.strictEqual(none.status, 422)
      assert.include(none.text, "Choose at least one colleague.")
      const done = yield* post("/submissions/assign", owner.cookie, [...form, ["member", reviewer.id]])
      const result = (yield* get(done.location ?? "", owner.cookie)).text
      assert.include(result, "Colleagues were asked to review 1 candidate.")
      assert.include(result, "Skipped 1 candidate")
      yield* post("/submissions/assign", owner.cookie, [...form, ["member", reviewer.id]])
      assert.lengthOf(yield* mails(organization), 2)
      const home = (yield* get("/home", reviewer.cookie)).text
      for (const id of [other, submission]) assert.include(home, id)
    }),
  )

  it.effect("of several candidates are in one email with a link to the list", () =>
    Effect.gen(function* () {
      const { organization, other, owner, reviewer, submission } = yield* furnished
      const assignments = yield* Assignments
      yield* assignments.assign(viewer(organization, owner), [submission, other], [reviewer.id])
      const [mail, ...others] = yield* mails(organization)
      assert.isEmpty(others)
      assert.include(mail?.subject, "review 2 candidates")
      assert.include(mail?.text, "/submissions/assigned")
    }),
  )
})
