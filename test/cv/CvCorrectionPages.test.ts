/** A failed CV is fetched again, or from another link, over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as App from "../../src/App.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { CvNotFetched } from "../../src/cv/CvFetcher.ts"
import { CvQueue } from "../../src/cv/CvQueue.ts"
import { InviteRequest } from "../../src/invitations/InviteRequest.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { People } from "../../src/privacy/People.ts"
import { type CandidateId, type OrganizationId, SubmissionId } from "../../src/values/Ids.ts"
import { Server } from "../support/Api.ts"
import { fieldsOf, get, post, settings, signedIn, withFields } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const link = "https://files.example.com/ada.pdf"
const good = "https://files.example.com/right.pdf"
const work = Effect.flatMap(CvQueue, ({ queue }) => runOnce(queue))

/** Only the good link can be fetched. */
const pages = Server.layer.pipe(
  Layer.provide(App.serve(App.pages)),
  Layer.provideMerge(
    Pod.layer({
      settings,
      fetchCv: (asked) =>
        asked === good
          ? Effect.succeed(new TextEncoder().encode("the file"))
          : Effect.fail(new CvNotFetched({ reason: "The server answered 404", permanent: true })),
      readCv: () =>
        Effect.succeed({
          type: "text/plain",
          text: "I ran PostgreSQL for four years.",
          notes: [],
          contacts: { email: null, phone: null, name: null },
        }),
    }),
  ),
)

const cvs = Effect.fnUntraced(function* (submission: string) {
  const { sql } = yield* Database
  return yield* sql<{ link: string; state: string }>`
    select link, state from cv where submission_id = ${submission}::uuid order by created_at, id`
})

const audit = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { sql } = yield* Database
  return yield* sql`
    select action, detail from audit_log where organization_id = ${organization}::int and member_id is not null order by id`
})

/** A submission whose CV has failed, unless `link` can be fetched. */
const failed = Effect.fnUntraced(function* (cv_link = link) {
  const one = yield* Scenario.organization()
  const request = InviteRequest.make({ com_interview_set_id: one.set.id, candidates: [{ cv_link }] })
  const [result] = yield* Scenario.invite(operator(one.id), request)
  const submission = SubmissionId.make(result?.submission?.id ?? "")
  yield* work
  const path = `/submissions/${submission}/cv`
  return {
    ...one,
    submission,
    path,
    page: `/submissions/${submission}#cv`,
    ...(yield* signedIn(one.id)),
    organization: one.id,
  }
})

layer(pages)("a failed CV", (it) => {
  it.effect("is fetched again, once, also when the form is sent twice", () =>
    Effect.gen(function* () {
      const { cookie, organization, page, path, submission } = yield* failed()
      assert.deepStrictEqual(yield* cvs(submission), [{ link, state: "failed" }])
      const twice = yield* Effect.all([post(`${path}/retry`, cookie), post(`${path}/retry`, cookie)], {
        concurrency: 2,
      })
      assert.deepStrictEqual(
        twice.map(({ location, status }) => [status, location]),
        [
          [303, page],
          [303, page],
        ],
      )
      assert.deepStrictEqual(yield* cvs(submission), [
        { link, state: "failed" },
        { link, state: "queued" },
      ])
      assert.deepStrictEqual(yield* audit(organization), [{ action: "submission.retry_cv", detail: {} }])
      yield* work
      assert.strictEqual((yield* post(`${path}/retry`, cookie)).location, page)
      assert.lengthOf(yield* cvs(submission), 3)
      assert.strictEqual((yield* get(`${path}/retry`, cookie)).location, page)
    }),
  )

  it.effect("is fetched from another link, which is checked as in an invite", () =>
    Effect.gen(function* () {
      const { cookie, organization, page, path, submission } = yield* failed()
      const fields = fieldsOf((yield* get(`${path}/link`, cookie)).text, `${path}/link`)
      assert.deepStrictEqual(fields, [["cv_link", ""]])
      const replace = (cv_link: string) => post(`${path}/link`, cookie, withFields(fields, { cv_link }))
      for (const [typed, fault] of [
        [" ", "The link must not be blank."],
        ["not a link", "This is not a valid URL."],
        ["http://cv.example/a.pdf", "The URL must start with https://."],
        ["https://10.0.0.1/a.pdf", "10.0.0.1"],
        ["https://metadata.google.internal/a", "metadata.google.internal"],
        ["https://user:secret@cv.example/a.pdf", "must not contain a user name"],
        [`https://cv.example/${"a".repeat(3000)}`, "The URL is longer than"],
      ] as const) {
        const answer = yield* replace(typed)
        assert.strictEqual(answer.status, 422, typed)
        assert.match(answer.text, /id="cv_link-error">[^<]+</)
        assert.include(answer.text, fault)
        assert.includeDeepMembers(fieldsOf(answer.text, `${path}/link`), [["cv_link", typed]])
      }
      assert.lengthOf(yield* cvs(submission), 1)
      assert.strictEqual((yield* replace(` ${good} `)).location, page)
      // the same link again: nothing more is queued; another one waits for the result
      assert.strictEqual((yield* replace(good)).location, page)
      const early = yield* replace(`${good}2`)
      assert.strictEqual(early.status, 409)
      assert.include(
        early.text,
        "The CV was not fetched again: the CV is being fetched: replace the link if that fails.",
      )
      assert.include(early.text, `value="${good}2"`)
      yield* work
      assert.deepStrictEqual(yield* cvs(submission), [
        { link, state: "failed" },
        { link: good, state: "read" },
      ])
      assert.deepStrictEqual(yield* audit(organization), [{ action: "submission.replace_cv_link", detail: {} }])
      for (const [to, form] of [
        ["retry", {}],
        ["link", { cv_link: link }],
      ] as const) {
        const late = yield* post(`${path}/${to}`, cookie, form)
        assert.strictEqual(late.status, 409)
        assert.include(late.text, "The CV was not fetched again: the CV has been read.")
      }
    }),
  )

  it.effect("is not fetched again after the person was erased", () =>
    Effect.gen(function* () {
      const { organization, path, submission, cookie } = yield* failed()
      const { sql } = yield* Database
      const [person] = yield* sql<{ id: CandidateId }>`
        select candidate_id as id from submission where id = ${submission}::uuid`
      yield* (yield* People).erase(operator(organization), person?.id ?? assert.fail())
      for (const [to, form] of [
        ["retry", {}],
        ["link", { cv_link: good }],
      ] as const) {
        const refused = yield* post(`${path}/${to}`, cookie, form)
        assert.strictEqual(refused.status, 409)
        assert.include(refused.text, "The CV was not fetched again: the candidate&#39;s data was erased.")
      }
      assert.lengthOf(yield* cvs(submission), 0)
      assert.deepStrictEqual(yield* audit(organization), [])
    }),
  )
})
