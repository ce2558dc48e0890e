/** The sample organization: what is in it, that nothing leaves it, and that its removal leaves nothing. */
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Ref } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { fillSample } from "../../src/cli/sample/SampleFilling.ts"
import * as ChildCvReader from "../../src/cv/ChildCvReader.ts"
import { CvReader } from "../../src/cv/CvReader.ts"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import type { OutgoingEmail } from "../../src/emails/EmailSender.ts"
import { Evaluator } from "../../src/evaluations/Evaluator.ts"
import { Invitations } from "../../src/invitations/Invitations.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { Samples } from "../../src/sample/Samples.ts"
import { Server } from "../support/Api.ts"
import { keywordEvaluator } from "../support/Computation.ts"
import { furnished } from "../support/Furnished.ts"
import { get, post, settings, signedIn } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Tables from "../support/Tables.ts"
import * as Workspace from "../support/Workspace.ts"

const begun = Date.parse("2026-11-26T15:20:00Z")

const mails = Ref.makeUnsafe<ReadonlyArray<OutgoingEmail>>([])

const pod = Layer.unwrap(
  Effect.map(Effect.all([CvReader, Evaluator]), ([{ read }, { evaluate }]) =>
    Pod.layer({ settings, mails, evaluate, readCv: read }),
  ),
).pipe(Layer.provide([ChildCvReader.layer(), keywordEvaluator]))

const stage = Server.layer.pipe(
  Layer.provide(App.serve(App.pages)),
  Layer.provideMerge(pod),
  Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(begun))),
)

class Sample extends Context.Service<Sample>()("interview-invitations/test/Sample", {
  make: Effect.gen(function* () {
    // a job of another organization that has been due since before the sample begins
    yield* TestClock.setTime(begun - 60 * 86_400_000)
    const other = yield* Scenario.organization()
    yield* Scenario.invited(other)
    yield* TestClock.setTime(begun)
    const filled = yield* fillSample("https://hiring.example/hooks")
    const signedInAs = (role: "owner" | "admin" | "recruiter", email: string) =>
      signedIn(filled.organization, role, email)
    return {
      ...filled,
      other: other.id,
      owner: yield* signedInAs("owner", "owner@sample.example"),
      recruiter: yield* signedInAs("recruiter", "recruiter@sample.example"),
    }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}

const valuesOf = Effect.fnUntraced(function* (table: string, column: string) {
  const { client } = yield* Database
  const { organization } = yield* Sample
  const rows = yield* client.unsafe<{ value: string }>(
    `select distinct ${column} as value from ${table} where organization_id = ${organization} and ${column} is not null order by 1`,
  )
  return rows.map(({ value }) => value)
})

layer(Sample.layer.pipe(Layer.provideMerge(stage)), { timeout: "120 seconds" })("the sample organization", (it) => {
  it.effect("has 40 candidates, and submissions, invitations, scores and decisions in every state", () =>
    Effect.gen(function* () {
      const { candidates, organization } = yield* Sample
      assert.strictEqual(candidates, 40)
      assert.strictEqual(yield* Tables.count("candidate", organization), 40)
      const statuses = ["completed", "cv_processing", "evaluated", "expired", "initiated", "need_interview", "started"]
      assert.deepStrictEqual(yield* valuesOf("submission", "status"), [...statuses, "withdrawn"])
      assert.deepStrictEqual(yield* valuesOf("invitation", "status"), [
        ...["cancelled", "clicked", "delivered", "expired", "failed", "opened"],
      ])
      assert.deepStrictEqual(yield* valuesOf("invitation", "failure_reason"), ["bounce", "dropped", "invalid_email"])
      assert.deepStrictEqual(yield* valuesOf("submission_score", "score_status"), ["cannot_evaluate", "scored"])
      assert.deepStrictEqual(yield* valuesOf("submission", "decision"), ["advance", "hold", "reject"])
      assert.deepStrictEqual(yield* valuesOf("cv", "state"), ["failed", "queued", "read"])
      assert.deepStrictEqual(yield* valuesOf("evaluation", "evaluation_type"), ["cv", "holistic", "interview"])
      assert.deepStrictEqual(yield* valuesOf("webhook_delivery_history", "state"), ["delivered", "failed"])
      assert.lengthOf(yield* valuesOf("submission", "declined_at"), 2)
      assert.lengthOf(yield* valuesOf("review", "member_id"), 3)
      assert.lengthOf(yield* valuesOf("review_assignment", "submission_id"), 2)
      assert.lengthOf(yield* valuesOf("guest_link", "id"), 1)
      assert.lengthOf(yield* valuesOf("submission_score", "override_score"), 1)
      assert.isAbove((yield* valuesOf("submission_score", "score")).length, 12)
    }),
  )

  it.effect("has times of the last weeks, in order, and none in the future", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { organization } = yield* Sample
      const now = new Date(begun)
      const rows = yield* sql<{ wrong: number; days: number }>`
        select count(*) filter (where not (b.created_at <= coalesce(b.initiated_at, b.created_at)
            and coalesce(b.initiated_at, b.created_at) <= coalesce(b.started_at, ${now}) and coalesce(b.started_at, b.created_at) <= coalesce(b.completed_at, ${now})
            and coalesce(b.completed_at, b.created_at) <= coalesce(b.reviewed_at, ${now}) and coalesce(b.reviewed_at, b.created_at) <= coalesce(b.decided_at, ${now})
            and greatest(b.created_at, b.initiated_at, b.started_at, b.completed_at, b.reviewed_at, b.decided_at, b.updated_at) <= ${now}))::int as wrong,
          count(distinct b.created_at::date)::int as days
        from submission b where b.organization_id = ${organization}::int`
      assert.deepStrictEqual(rows[0]?.wrong, 0)
      assert.isAbove(rows[0]?.days ?? 0, 14)
      const late = yield* sql`
        select from webhook_event where organization_id = ${organization}::int and created_at > ${now}
        union all select from email where organization_id = ${organization}::int and greatest(created_at, sent_at) > ${now}
        union all select from audit_log where organization_id = ${organization}::int and created_at > ${now}
        union all select from evaluation where organization_id = ${organization}::int and evaluated_at > ${now}`
      assert.lengthOf(late, 0)
    }),
  )

  it.effect(
    "has spoken answers with sample transcripts, whose quotes link to seconds, and a request for more time",
    () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* Sample
        const { sql } = yield* Database
        const recordings = yield* sql<{
          id: string
          seconds: number
          last: number
          submission_id: string
          size: number
        }>`
        select r.id, r.seconds::float8 as seconds, r.submission_id, f.size::float8 as size,
          (r.segments -> -1 ->> 'end')::float8 as last
        from recording r join blob f on f.id = r.blob_id join answer a on a.recording_id = r.id
        where r.organization_id = ${organization}::int and r.state = 'done' and r.error is null order by r.started_at`
        assert.lengthOf(recordings, 3)
        for (const { id, last, seconds, size, submission_id } of recordings) {
          assert.closeTo(seconds, last, 1)
          assert.isBelow(size, 250_000)
          const { text } = yield* get(`/submissions/${submission_id}`, owner.cookie)
          assert.include(text, "This transcript is a sample: no speech was recognized.")
          assert.include(text, `src="/submissions/${submission_id}/recordings/${id}"`)
        }
        const pages = yield* Effect.forEach(recordings, (one) => get(`/submissions/${one.submission_id}`, owner.cookie))
        assert.isTrue(pages.some(({ text }) => /Quoted at <a href="[^"]*#t=[1-9]/.test(text)))
        const { text } = yield* get("/accommodations", owner.cookie)
        assert.include(text, "Elif Yıldız")
        assert.include(text, "I am dyslexic")
      }),
  )

  it.effect("leaves no job that a worker would perform", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { organization } = yield* Sample
      const due = yield* sql`
        select from email where organization_id = ${organization}::int and due_at < ${new Date(begun + 86_400_000)}
        union all select from cv where organization_id = ${organization}::int and due_at < ${new Date(begun + 86_400_000)}
        union all select from evaluation where organization_id = ${organization}::int and due_at < ${new Date(begun + 86_400_000)}
        union all select from recording where organization_id = ${organization}::int and due_at < ${new Date(begun + 86_400_000)}
        union all select from webhook_delivery where organization_id = ${organization}::int`
      assert.lengthOf(due, 0)
    }),
  )

  it.effect("leaves due jobs of other organizations to the workers", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { other } = yield* Sample
      const jobs = yield* sql`select state, attempts, claim_id from email where organization_id = ${other}::int`
      assert.deepStrictEqual(jobs, [{ state: "queued", attempts: 0, claim_id: null }])
    }),
  )

  it.effect("shows every candidate in the list and on a page, and its home says that it is a sample", () =>
    Effect.gen(function* () {
      const { organization, owner, recruiter } = yield* Sample
      const { sql } = yield* Database
      const home = (yield* get("/home", owner.cookie)).text
      assert.include(home, "This is a sample")
      assert.include(home, `action="/sample/remove"`)
      assert.include(home, "Failing: 12 failures in a row")
      assert.notInclude((yield* get("/home", recruiter.cookie)).text, `action="/sample/remove"`)
      const rows = yield* sql<{ id: string; name: string }>`
        select b.id, c.name from submission b join candidate c on c.id = b.candidate_id
        where b.organization_id = ${organization}::int`
      assert.lengthOf(rows, 40)
      const { text: csv } = yield* get("/submissions.csv", owner.cookie)
      for (const { id, name } of rows) {
        assert.include(csv, name)
        const page = yield* get(`/submissions/${id}`, owner.cookie)
        assert.strictEqual(page.status, 200, name)
        assert.include(page.text, name)
      }
    }),
  )

  it.effect("never hands its emails to the server's EmailSender, unlike other organizations", () =>
    Effect.gen(function* () {
      const { organization } = yield* Sample
      const { sql } = yield* Database
      const { queue } = yield* EmailQueue
      assert.lengthOf(yield* Ref.get(mails), 0)
      const [invitation] = yield* sql<{ id: string }>`
        select id from invitation where organization_id = ${organization}::int and status = 'opened' limit 1`
      yield* (yield* Invitations).resend(operator(organization), invitation?.id ?? "")
      yield* Scenario.invited(yield* Scenario.organization(), "olu@example.com")
      yield* runOnce(queue)
      assert.deepStrictEqual(
        (yield* Ref.get(mails)).map(({ to }) => to),
        ["olu@example.com"],
      )
      assert.deepStrictEqual(yield* valuesOf("email", "provider"), ["mailbox"])
      const queued = yield* sql`select from email where organization_id = ${organization}::int and state = 'queued'`
      assert.lengthOf(queued, 0)
    }),
  )

  it.effect("is the only one: a second cannot be added", () =>
    Effect.gen(function* () {
      const { reason } = yield* Effect.flip((yield* Samples).create).pipe(Effect.orDie)
      assert.strictEqual(reason, "there is a sample organization already: remove it first")
    }),
  )

  it.effect("is removed by an owner or admin only, with all rows, and without those of other organizations", () =>
    Effect.gen(function* () {
      const { organization, owner, recruiter } = yield* Sample
      const { id: other } = yield* Scenario.organization()
      const stranger = yield* signedIn(other)
      const otherRows = yield* Tables.rowsOf(other)
      assert.strictEqual((yield* post("/sample/remove", recruiter.cookie)).status, 403)
      assert.strictEqual((yield* post("/sample/remove", stranger.cookie)).status, 404)
      assert.strictEqual(yield* Tables.count("candidate", organization), 40)
      const removed = yield* post("/sample/remove", owner.cookie)
      assert.deepStrictEqual([removed.status, removed.location], [303, "/"])
      assert.deepStrictEqual(yield* Tables.rowsOf(organization), [])
      const { sql } = yield* Database
      assert.lengthOf(yield* sql`select from webhook_endpoint_hour`, 0)
      assert.deepStrictEqual(yield* Tables.rowsOf(other), otherRows)
      assert.match((yield* Workspace.request("GET", "/home", { cookie: owner.cookie })).location ?? "", /^\/sign-in/)
      assert.isUndefined(yield* (yield* Samples).find)
    }),
  )
})

layer(stage, { timeout: "120 seconds" })("removing a sample organization", (it) => {
  it.effect("deletes the rows of every table that has any", () =>
    Effect.gen(function* () {
      const { organization, owner } = yield* furnished((what) => `The ${what}`)
      const other = yield* furnished((what) => `Another ${what}`)
      const { sql } = yield* Database
      yield* sql`update organization set sample = 'ready' where id = ${organization}::int`
      const before = yield* Tables.rowsOf(other.organization)
      assert.isAbove(new Set((yield* Tables.rowsOf(organization)).map((row) => row.split(" ")[0])).size, 25)
      assert.strictEqual((yield* post("/sample/remove", owner.cookie)).status, 303)
      assert.deepStrictEqual(yield* Tables.rowsOf(organization), [])
      assert.deepStrictEqual(yield* Tables.rowsOf(other.organization), before)
    }),
  )
})
