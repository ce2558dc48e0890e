/** Every flow of the invite operation (spec, Invite candidates; contract, Invite). */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Tracer } from "effect"
import { TestClock } from "effect/testing"
import type { InterviewSetId, OrganizationId } from "../../src/domain/Ids.ts"
import { type CandidateEntry, InviteRequest, type InviteResult } from "../../src/domain/Invite.ts"
import { Database } from "../../src/repository/Database.ts"
import { InterviewSets } from "../../src/service/InterviewSets.ts"
import { Interviews } from "../../src/service/Interviews.ts"
import { Invite } from "../../src/service/Invite.ts"
import { Organizations } from "../../src/service/Organizations.ts"
import * as Pod from "../support/Pod.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const email = "ada@example.com"
const cv_link = "https://files.example.com/ada.pdf"
const ats_candidate_id = "0190b5a2-7c1e-7def-8abc-0123456789ab"

const acme = Effect.gen(function* () {
  yield* TestClock.setTime(Date.UTC(2026, 0, 1))
  const organization = yield* (yield* Organizations).create("Acme")
  const sets = yield* InterviewSets
  const interviewSet = yield* sets.create(organization, { title: "Backend Engineer" })
  return { organization, sets, set: interviewSet.id }
})

const inviteTo = Effect.fnUntraced(function* (
  organization: OrganizationId,
  request: Omit<Partial<InviteRequest>, "candidates">,
  ...candidates: ReadonlyArray<CandidateEntry>
) {
  return yield* (yield* Invite).invite(organization, InviteRequest.make({ ...request, candidates }))
})

/** What there is of a set: candidates are those who take part. */
const counts = Effect.fnUntraced(function* (set: InterviewSetId) {
  const { sql } = yield* Database
  const of = (statement: string) => sql.literal(`(select count(*)::int from ${statement})`)
  const rows = yield* sql`
    with b as (select * from submission where interview_set_id = ${set}::uuid),
      i as (select * from invitation where interview_set_id = ${set}::uuid)
    select ${of("(select distinct candidate_id from b) c")} as candidates, ${of("b")} as submissions,
      ${of("i")} as invitations, ${of("email e join i on i.id = e.invitation_id")} as mails,
      ${of("cv join b on b.id = cv.submission_id")} as cvs, ${of("webhook_event e join b on b.id = e.submission_id")} as events`
  return rows[0]
}, Effect.orDie)

const none = { candidates: 0, submissions: 0, invitations: 0, mails: 0, cvs: 0, events: 0 }

const errorsOf = (result: InviteResult | undefined) =>
  Object.fromEntries(Object.entries(result ?? {}).filter(([name]) => name.endsWith("error_message")))

const url = /^http:\/\/localhost:8080\/i\/[\w-]{44}$/

/** Statements that an effect sends to the database. */
const statements = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  let count = 0
  const native = yield* Effect.tracer
  const span: Tracer.Tracer["span"] = (options) => {
    if (options.kind === "client") count++
    return native.span(options)
  }
  yield* Effect.withTracer(effect, Tracer.make({ ...native, span }))
  return count
})

layer(Pod.services().pipe(Layer.provideMerge(TestDatabase.layer)))("Invite", (it) => {
  it.effect("with an address: candidate, invitation, submission, one mail", () =>
    Effect.gen(function* () {
      const { organization, set } = yield* acme
      const [result] = yield* inviteTo(
        organization,
        { com_interview_set_id: set },
        { email, name: "Ada", ats_candidate_id },
      )
      const { invitation, submission, ...rest } = result ?? {}
      assert.deepStrictEqual(rest, { email_address: email, cv_link: null })
      assert.deepInclude(invitation, { email, status_text: "pending" })
      assert.strictEqual(submission?.status_text, "need_interview")
      assert.strictEqual(submission?.interview_url, invitation?.interview_url)
      assert.match(String(invitation?.interview_url), url)
      assert.deepStrictEqual(yield* counts(set), { ...none, candidates: 1, submissions: 1, invitations: 1, mails: 1 })
    }),
  )

  it.effect("with an address and a CV: the same, and the CV is queued", () =>
    Effect.gen(function* () {
      const { organization, set } = yield* acme
      const [result] = yield* inviteTo(organization, { com_interview_set_id: set }, { email, cv_link })
      assert.strictEqual(result?.cv_link, cv_link)
      assert.strictEqual(result?.submission?.status_text, "need_interview")
      const expected = { ...none, candidates: 1, submissions: 1, invitations: 1, mails: 1, cvs: 1 }
      assert.deepStrictEqual(yield* counts(set), expected)
    }),
  )

  it.effect("with a CV alone: it is queued and nobody is invited", () =>
    Effect.gen(function* () {
      const { organization, set } = yield* acme
      const [result] = yield* inviteTo(organization, { com_interview_set_id: set }, { cv_link, email: null })
      const { submission, ...rest } = result ?? {}
      assert.deepStrictEqual(rest, { email_address: null, cv_link, invitation: null })
      assert.deepInclude(submission, { status_text: "cv_processing", interview_url: null })
      assert.deepStrictEqual(yield* counts(set), { ...none, candidates: 1, submissions: 1, cvs: 1 })
    }),
  )

  it.effect("to a CV set: the CV is queued, with or without an address; without a CV it is refused", () =>
    Effect.gen(function* () {
      const { organization, sets } = yield* acme
      const { id: set } = yield* sets.create(organization, { title: "CVs", set_type: 2 })
      const results = yield* inviteTo(
        organization,
        { com_interview_set_id: set },
        { cv_link, email },
        { cv_link: `${cv_link}?2` },
      )
      for (const { invitation, submission } of results) {
        assert.isNull(invitation)
        assert.deepInclude(submission, { status_text: "cv_processing", interview_url: null })
      }
      assert.deepStrictEqual(yield* counts(set), { ...none, candidates: 2, submissions: 2, cvs: 2 })
      for (const nothing of [null, " "]) {
        const refused = inviteTo(
          organization,
          { com_interview_set_id: set },
          { cv_link, email },
          { email, cv_link: nothing },
        )
        const error = yield* Effect.flip(refused)
        assert.deepStrictEqual("errors" in error ? error.errors.map(({ pointer }) => pointer) : error, [
          "#/candidates/1/cv_link",
        ])
      }
    }),
  )

  it.effect("without send_invite: the submission and its link, no invitation, no mail; it can be sent later", () =>
    Effect.gen(function* () {
      const { organization, set } = yield* acme
      const [silent] = yield* inviteTo(organization, { com_interview_set_id: set, send_invite: false }, { email })
      assert.isNull(silent?.invitation)
      assert.strictEqual(silent?.submission?.status_text, "need_interview")
      assert.match(String(silent?.submission?.interview_url), url)
      assert.deepStrictEqual(yield* counts(set), { ...none, candidates: 1, submissions: 1 })
      const [sent] = yield* inviteTo(organization, { com_interview_set_id: set }, { email })
      assert.strictEqual(sent?.submission?.id, silent?.submission?.id)
      assert.strictEqual(sent?.invitation?.status_text, "pending")
      assert.deepStrictEqual(yield* counts(set), { ...none, candidates: 1, submissions: 1, invitations: 1, mails: 1 })
    }),
  )

  it.effect("a repeated request answers the same and mails nobody twice, however many come at once", () =>
    Effect.gen(function* () {
      const { organization, set } = yield* acme
      const request = inviteTo(
        organization,
        { com_interview_set_id: set },
        { email, cv_link },
        { cv_link: `${cv_link}?2` },
        { email: "bo@example.com", ats_candidate_id },
      )
      const [first, ...others] = yield* Effect.all([request, request, request, request], { concurrency: "unbounded" })
      for (const other of [...others, yield* request]) assert.deepStrictEqual(other, first)
      const expected = { ...none, candidates: 3, submissions: 3, invitations: 2, mails: 2, cvs: 2 }
      assert.deepStrictEqual(yield* counts(set), expected)
    }),
  )

  it.effect("the same person thrice in one request is one candidate, and neither CV nor name gets lost", () =>
    Effect.gen(function* () {
      const { organization, set } = yield* acme
      const [first, second, third] = yield* inviteTo(
        organization,
        { com_interview_set_id: set },
        { email: "ADA@example.com" },
        { email, cv_link, name: "Ada" },
        { email, ats_candidate_id },
      )
      for (const other of [second, third]) {
        assert.strictEqual(other?.submission?.id, first?.submission?.id)
        assert.strictEqual(other?.invitation?.id, first?.invitation?.id)
      }
      const expected = { ...none, candidates: 1, submissions: 1, invitations: 1, mails: 1, cvs: 1 }
      assert.deepStrictEqual(yield* counts(set), expected)
      const { sql } = yield* Database
      const known =
        yield* sql`select ats_candidate_id, name from candidate where organization_id = ${organization}::int`
      assert.deepStrictEqual(known, [{ ats_candidate_id, name: "Ada" }])
    }),
  )

  it.effect("who is known by address and by CV can come as both", () =>
    Effect.gen(function* () {
      const { organization, set } = yield* acme
      const project = yield* (yield* Organizations).createProject(organization, "Payments")
      const post = yield* (yield* Organizations).createJobPost(project, "Engineer")
      const target = { com_interview_set_id: set, com_job_post_id: post }
      yield* inviteTo(organization, target, { email, cv_link })
      for (const entries of [
        [{ email }, { cv_link }],
        [{ cv_link }, { email }],
      ]) {
        const results = yield* inviteTo(organization, target, ...entries)
        assert.strictEqual(results[0]?.submission?.id, results[1]?.submission?.id)
      }
      const expected = { ...none, candidates: 1, submissions: 1, invitations: 1, mails: 1, cvs: 1 }
      assert.deepStrictEqual(yield* counts(set), expected)
    }),
  )

  it.effect("an address that is invalid or unsubscribed fails its own invitation alone, with an event", () =>
    Effect.gen(function* () {
      const { organization, set } = yield* acme
      const { sql } = yield* Database
      yield* sql`insert into suppression (organization_id, email, reason) values (${organization}::int, ${email}, 'unsubscribe')`
      const results = yield* inviteTo(
        organization,
        { com_interview_set_id: set },
        { email: "nobody" },
        { email: "Ada@Example.com" },
        { email: "bo@example.com" },
      )
      assert.deepStrictEqual(
        results.map(({ invitation }) => invitation?.status_text),
        ["failed", "failed", "pending"],
      )
      for (const result of results.slice(0, 2)) {
        assert.strictEqual(result.submission?.status_text, "need_interview")
        assert.hasAllKeys(errorsOf(result), ["error_message", "invitation_error_message"])
      }
      assert.deepStrictEqual(errorsOf(results[2]), {})
      const events = yield* sql<{ data: object }>`
        select body::jsonb -> 'data' as data from webhook_event where organization_id = ${organization}::int order by seq`
      const failed = { status: "invitation_email_failed", interview_name: "Backend Engineer" }
      assert.lengthOf(events, 2)
      assert.deepInclude(events[0]?.data, { ...failed, reason: "invalid_email", candidate_email: "nobody" })
      assert.deepInclude(events[1]?.data, { ...failed, reason: "unsubscribed", candidate_email: "Ada@Example.com" })
      const expected = { ...none, candidates: 3, submissions: 3, invitations: 3, mails: 1, events: 2 }
      assert.deepStrictEqual(yield* counts(set), expected)
    }),
  )

  it.effect("who let the invitation expire can be invited again, with a link that works", () =>
    Effect.gen(function* () {
      const { organization, set } = yield* acme
      const interviews = yield* Interviews
      const [first] = yield* inviteTo(organization, { com_interview_set_id: set }, { email })
      yield* TestClock.adjust("30 days")
      yield* interviews.expireUnstarted
      const [second] = yield* inviteTo(organization, { com_interview_set_id: set }, { email })
      assert.notStrictEqual(second?.invitation?.id, first?.invitation?.id)
      assert.notStrictEqual(second?.submission?.id, first?.submission?.id)
      const stateOf = (result: InviteResult | undefined) =>
        Effect.map(
          interviews.view(String(result?.submission?.interview_url).replace(/^.*\//, "")),
          (view) => view.state,
        )
      assert.deepStrictEqual([yield* stateOf(first), yield* stateOf(second)], ["expired", "open"])
    }),
  )

  it.effect("takes as many statements for a thousand candidates as for ten", () =>
    Effect.gen(function* () {
      const { organization, sets } = yield* acme
      const taken = Effect.fnUntraced(function* (count: number) {
        const { id: set } = yield* sets.create(organization, { title: `For ${count}` })
        const entries = Array.from({ length: count }, (_, i) => ({
          email: i % 3 === 0 ? `no address ${i}` : `candidate-${count}-${i}@example.com`,
          cv_link: `${cv_link}?${i}`,
        }))
        const request = inviteTo(organization, { com_interview_set_id: set }, ...entries)
        return [yield* statements(request), yield* statements(request)]
      })
      const few = yield* taken(10)
      assert.isAbove(Math.min(...few), 5)
      assert.deepStrictEqual(yield* taken(1000), few)
    }),
  )
})
