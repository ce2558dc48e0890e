/** The invite use case: merged entries, expiry, number of statements. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Organizations } from "../../src/accounts/Organizations.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import type { CandidateEntry } from "../../src/candidates/Candidate.ts"
import { InterviewSets } from "../../src/interview-sets/InterviewSets.ts"
import { Projects } from "../../src/interview-sets/Projects.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { InviteRequest } from "../../src/invitations/InviteRequest.ts"
import type { InviteResult } from "../../src/invitations/InviteResult.ts"
import { Database } from "../../src/platform/database/Database.ts"
import type { OrganizationId } from "../../src/values/Ids.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import { counts, none } from "../support/Specification.ts"
import * as Statements from "../support/Statements.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const email = "ada@example.com"
const cv_link = "https://files.example.com/ada.pdf"
const ats_candidate_id = "0190b5a2-7c1e-7def-8abc-0123456789ab"

const acme = Effect.gen(function* () {
  yield* TestClock.setTime(Date.UTC(2026, 0, 1))
  const organization = yield* (yield* Organizations).create("Acme")
  const sets = yield* InterviewSets
  const interviewSet = yield* sets.create(operator(organization), { title: "Backend Engineer" })
  return { organization, sets, set: interviewSet.id }
})

const inviteTo = Effect.fnUntraced(function* (
  organization: OrganizationId,
  request: Omit<Partial<InviteRequest>, "candidates">,
  ...candidates: ReadonlyArray<CandidateEntry>
) {
  return yield* Scenario.invite(operator(organization), InviteRequest.make({ ...request, candidates }))
})

layer(Pod.services().pipe(Layer.provideMerge(TestDatabase.layer)))("Invite", (it) => {
  it.effect("merges three entries of one person, with CV and name", () =>
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

  it.effect("does not match a CV link alone with a candidate who has an address", () =>
    Effect.gen(function* () {
      const { organization, set } = yield* acme
      const project = yield* (yield* Projects).create(operator(organization), "Payments")
      const post = yield* (yield* Projects).createJobPost(operator(organization), project, "Engineer")
      const target = { com_interview_set_id: set, com_job_post_id: post }
      yield* inviteTo(organization, target, { email, cv_link })
      for (const entries of [
        [{ email }, { cv_link }],
        [{ cv_link }, { email }],
      ]) {
        const results = yield* inviteTo(organization, target, ...entries)
        const statuses = results.map(({ submission }) => submission?.status_text)
        assert.sameMembers(statuses, ["need_interview", "cv_processing"])
      }
      const expected = { ...none, candidates: 2, submissions: 2, invitations: 1, mails: 1, cvs: 2 }
      assert.deepStrictEqual(yield* counts(set), expected)
    }),
  )

  it.effect("invites again after an invitation expired, with a working link", () =>
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

  it.effect("sends as many statements for a thousand candidates as for ten", () =>
    Effect.gen(function* () {
      const { organization, sets } = yield* acme
      const statementsFor = Effect.fnUntraced(function* (count: number) {
        const { id: set } = yield* sets.create(operator(organization), { title: `For ${count}` })
        const entries = Array.from({ length: count }, (_, i) => ({
          email: i % 3 === 0 ? `no address ${count} ${i}` : `candidate-${count}-${i}@example.com`,
          cv_link: `${cv_link}?${i}`,
        }))
        const request = inviteTo(organization, { com_interview_set_id: set }, ...entries)
        return [yield* Statements.count(request), yield* Statements.count(request)]
      })
      const few = yield* statementsFor(10)
      // begin, referenced records, known candidates, inserts, CVs, events, commit
      assert.isAtMost(Math.max(...few), 12)
      assert.isAtLeast(Math.min(...few), 5)
      assert.deepStrictEqual(yield* statementsFor(1000), few)
    }),
  )

  it.effect("sends one statement for new candidates", () =>
    Effect.gen(function* () {
      const { organization, sets } = yield* acme
      const { id: set } = yield* sets.create(operator(organization), { title: "Nurse" })
      const statementsFor = (...emails: ReadonlyArray<string>) => {
        const entries = emails.map((email) => ({ email }))
        return Statements.count(inviteTo(organization, { com_interview_set_id: set }, ...entries))
      }
      // after one for the trace
      assert.strictEqual(yield* statementsFor("ada@example.com", "bo@example.com", "ADA@example.com"), 2)
      assert.isAbove(yield* statementsFor("ada@example.com", "cy@example.com"), 3)
    }),
  )
})
