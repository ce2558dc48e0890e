/** Inviting again after a change of job post, address or state. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Organizations } from "../../src/accounts/Organizations.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import type { CandidateEntry } from "../../src/candidates/Candidate.ts"
import { InterviewSets } from "../../src/interview-sets/InterviewSets.ts"
import { Projects } from "../../src/interview-sets/Projects.ts"
import { Invitations } from "../../src/invitations/Invitations.ts"
import { InviteRequest } from "../../src/invitations/InviteRequest.ts"
import { Database } from "../../src/platform/database/Database.ts"
import * as Pod from "../support/Pod.ts"
import { overtaken } from "../support/races.ts"
import * as Scenario from "../support/Scenario.ts"

/** A project with one interview set, and an invite to it. */
const begin = Effect.gen(function* () {
  yield* TestClock.setTime(Date.UTC(2026, 0, 1))
  const id = yield* (yield* Organizations).create("Acme")
  const project = yield* (yield* Projects).create(operator(id), "Payments")
  const set = yield* (yield* InterviewSets).create(operator(id), { title: "Backend Engineer", project_id: project })
  const invite = (...candidates: ReadonlyArray<CandidateEntry>) =>
    Scenario.invite(operator(id), InviteRequest.make({ com_project_id: project, candidates }))
  return { id, invite, project, set }
})

const mails = Effect.gen(function* () {
  const { sql } = yield* Database
  return (yield* sql<{ recipient: string }>`select recipient from email order by created_at, id`).map(
    ({ recipient }) => recipient,
  )
})

layer(Pod.layer())("Inviting again after a change", (it) => {
  it.effect("adds the application for a later job post, once", () =>
    Effect.gen(function* () {
      const { id, invite, project } = yield* begin
      const { sql } = yield* Database
      const [before] = yield* invite({ email: "ada@example.com" })
      assert.isDefined(before?.application_error_message)
      const post = yield* (yield* Projects).createJobPost(operator(id), project, "Engineer")
      const again = [yield* invite({ email: "ada@example.com" }), yield* invite({ email: "ada@example.com" })]
      for (const [after] of again) {
        assert.isUndefined(after?.error_message)
        assert.strictEqual(after?.submission?.id, before?.submission?.id)
      }
      const applied = yield* sql`
        select a.job_post_id from submission b join application a on a.id = b.application_id
        where b.id = ${before?.submission?.id ?? ""}::uuid`
      assert.deepStrictEqual(applied, [{ job_post_id: post }])
    }),
  )
})

layer(Pod.layer())("Inviting a candidate at a new address", (it) => {
  it.effect("sends nothing while the first invitation is open, with an error", () =>
    Effect.gen(function* () {
      const { invite } = yield* begin
      const ats_candidate_id = crypto.randomUUID()
      const [first] = yield* invite({ ats_candidate_id, email: "ada@old.example" })
      assert.isUndefined(first?.invitation_error_message)
      const [moved] = yield* invite({ ats_candidate_id, email: "ada@new.example" })
      assert.strictEqual(moved?.invitation?.id, first?.invitation?.id)
      assert.strictEqual(moved?.email_address, "ada@new.example")
      assert.strictEqual(moved?.invitation?.email, "ada@old.example")
      assert.include(moved?.invitation_error_message, "ada@old.example")
      assert.include(moved?.error_message, "ada@old.example")
      const [same] = yield* invite({ ats_candidate_id, email: "ADA@old.example" })
      assert.isUndefined(same?.invitation_error_message)
      assert.deepStrictEqual(yield* mails, ["ada@old.example"])
    }),
  )
})

layer(Pod.layer())("Inviting a candidate who has answered", (it) => {
  it.effect.each(["completed", "evaluated"])("%s: sends nothing, with an error", (status) =>
    Effect.gen(function* () {
      const { id, set } = yield* begin
      const { sql } = yield* Database
      const invite = (send_invite: boolean) =>
        Scenario.invite(
          operator(id),
          InviteRequest.make({
            com_interview_set_id: set.id,
            send_invite,
            candidates: [{ email: "ada@example.com" }],
          }),
        )
      yield* invite(false)
      yield* sql`update submission set status = ${status}`
      const [again] = yield* invite(true)
      assert.isNull(again?.invitation)
      assert.strictEqual(again?.submission?.status_text, status)
      assert.include(again?.submission_error_message, `${status} already`)
      assert.strictEqual(again?.error_message, again?.submission_error_message)
      const [result] = yield* invite(false)
      assert.isUndefined(result?.error_message)
      assert.deepStrictEqual(yield* mails, [])
    }),
  )
})

layer(Pod.layer())("Inviting a candidate again while", (it) => {
  const ada = { email: "ada@example.com" }
  const invitedOnce = Effect.gen(function* () {
    const { id, invite } = yield* begin
    const { sql } = yield* Database
    const [first] = yield* invite(ada)
    const invitation = yield* Effect.fromNullishOr(first?.invitation)
    const invitations = yield* Invitations
    const standing = sql<{ standing: string }>`
      select b.status || ' ' || i.status as standing from invitation i join submission b on b.id = i.submission_id
      where i.organization_id = ${id}::int order by i.created_at, i.id`
    return {
      again: invite(ada),
      cancel: invitations.cancel(operator(id), invitation.id),
      invitation,
      standings: Effect.map(standing, (rows) => rows.map((row) => row.standing)),
    }
  })

  it.effect("the first invitation is cancelled creates a new one with an open submission", () =>
    Effect.gen(function* () {
      const { again, cancel, invitation, standings } = yield* invitedOnce
      const [second] = yield* Effect.flatMap(overtaken(cancel, again), Effect.fromResult)
      assert.notStrictEqual(second?.invitation?.id, invitation.id)
      assert.strictEqual(second?.submission?.status_text, "need_interview")
      assert.deepStrictEqual(yield* standings, ["withdrawn cancelled", "need_interview pending"])
      assert.strictEqual((yield* again)[0]?.invitation?.id, second?.invitation?.id)
    }),
  )

  it.effect("a cancel waits returns the first invitation, which is cancelled afterwards", () =>
    Effect.gen(function* () {
      const { again, cancel, standings } = yield* invitedOnce
      const cancelled = yield* Effect.flatMap(overtaken(again, cancel), Effect.fromResult)
      assert.strictEqual(cancelled.status_text, "cancelled")
      assert.deepStrictEqual(yield* standings, ["withdrawn cancelled"])
    }),
  )
})

layer(Pod.layer())("A CV link alone", (it) => {
  it.effect("does not match candidates with an id or address", () =>
    Effect.gen(function* () {
      const { invite } = yield* begin
      const { sql } = yield* Database
      const cv_link = "https://files.example.com/cv.pdf"
      const [named] = yield* invite({ email: "owner@example.com", name: "Owner", cv_link })
      const [alone] = yield* invite({ cv_link, name: "Somebody else" })
      assert.notStrictEqual(alone?.submission?.id, named?.submission?.id)
      assert.strictEqual(alone?.submission?.status_text, "cv_processing")
      assert.strictEqual((yield* invite({ cv_link }))[0]?.submission?.id, alone?.submission?.id)
      const names = yield* sql`select name from candidate order by created_at, id`
      assert.sameDeepMembers([...names], [{ name: "Owner" }, { name: "Somebody else" }])
    }),
  )

  it.effect("does not match them in a CV set either", () =>
    Effect.gen(function* () {
      const { id } = yield* begin
      const set = yield* (yield* InterviewSets).create(operator(id), { title: "CVs", set_type: 2 })
      const invite = (candidate: CandidateEntry) =>
        Scenario.invite(operator(id), InviteRequest.make({ com_interview_set_id: set.id, candidates: [candidate] }))
      const cv_link = "https://files.example.com/shared.pdf"
      const [named] = yield* invite({ email: "named@example.com", cv_link })
      const [alone] = yield* invite({ cv_link })
      assert.notStrictEqual(alone?.submission?.id, named?.submission?.id)
    }),
  )
})
