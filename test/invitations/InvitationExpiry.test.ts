/** Inviting anew whose invitation has expired, before housekeeping has seen it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Invite } from "../../src/invitations/Invite.ts"
import { InviteRequest } from "../../src/invitations/InviteRequest.ts"
import { Database } from "../../src/platform/database/Database.ts"
import * as Pod from "../support/Pod.ts"
import { many, overtaken } from "../support/races.ts"
import * as Scenario from "../support/Scenario.ts"

/** A candidate who was invited on the first of January; the invitation expires after 30 days. */
const begin = Effect.gen(function* () {
  yield* TestClock.setTime(Date.UTC(2026, 0, 1))
  const organization = yield* Scenario.organization()
  return { ...(yield* Scenario.invited(organization)), again: Scenario.invited(organization) }
})

/** The statuses of all submissions with those of their invitations, oldest first. */
const statuses = Effect.gen(function* () {
  const { sql } = yield* Database
  const rows = yield* sql<{ submission: string; invitation: string }>`
    select b.status as submission, i.status as invitation from submission b left join invitation i on i.submission_id = b.id
    order by b.created_at, b.id`
  return rows.map(({ invitation, submission }) => `${submission} ${invitation}`)
})

describe("an invitation whose time is over and that nobody has ended yet", () => {
  const days = (n: number) => TestClock.setTime(Date.UTC(2026, 0, 1 + n))

  it.effect("does not keep a new one from being made, and ends with that", () =>
    Effect.gen(function* () {
      const { again, subject, token } = yield* begin
      const interviews = yield* Interviews
      yield* days(30)
      const anew = yield* again
      assert.notStrictEqual(anew.subject.invitation_id, subject.invitation_id)
      assert.notStrictEqual(anew.subject.submission_id, subject.submission_id)
      assert.deepStrictEqual(yield* statuses, ["expired expired", "need_interview pending"])
      assert.deepStrictEqual((yield* again).subject, anew.subject)
      assert.strictEqual((yield* interviews.view(token)).state, "expired")
      assert.deepInclude(yield* interviews.view(anew.token), {
        state: "open",
        expiresAt: new Date(Date.UTC(2026, 0, 61)),
      })
      assert.strictEqual(yield* interviews.expireUnstarted, 0)
    }).pipe(Pod.provide()),
  )

  it.effect("a moment before, it is still the one; a running interview is for as long as it runs", () =>
    Effect.gen(function* () {
      const { again, subject, token } = yield* begin
      yield* days(30)
      yield* TestClock.adjust("-1 millis")
      assert.deepStrictEqual((yield* again).subject, subject)
      yield* (yield* Interviews).start(token)
      yield* days(40)
      assert.deepStrictEqual((yield* again).subject, subject)
    }).pipe(Pod.provide()),
  )

  it.effect("other candidates' and other sets' are left to housekeeping", () =>
    Effect.gen(function* () {
      const { again, organization, set } = yield* begin
      yield* Scenario.invited({ id: organization, set }, "bob@example.com")
      yield* days(30)
      yield* again
      assert.deepStrictEqual((yield* statuses).toSorted(), [
        "expired expired",
        "need_interview pending",
        "need_interview pending",
      ])
      assert.strictEqual(yield* (yield* Interviews).expireUnstarted, 1)
    }).pipe(Pod.provide()),
  )

  it.effect("housekeeping that is ending it at this moment is waited for", () =>
    Effect.gen(function* () {
      const { again, subject } = yield* begin
      yield* days(30)
      const anew = yield* overtaken((yield* Interviews).expireUnstarted, again)
      assert.notStrictEqual(Result.getOrThrow(anew).subject.invitation_id, subject.invitation_id)
      assert.deepStrictEqual(yield* statuses, ["expired expired", "need_interview pending"])
    }).pipe(Pod.provide()),
  )

  it.effect("whoever comes first: housekeeping, or many who invite", () =>
    Effect.gen(function* () {
      const { organization, set } = yield* begin
      const interviews = yield* Interviews
      const invite = yield* Invite
      const candidates = ["ada", "bob", "eve"].map((name) => ({ email: `${name}@example.com` }))
      const request = InviteRequest.make({ com_interview_set_id: set.id, candidates })
      for (let round = 1; round <= 10; round++) {
        yield* days(30 * round)
        const [results] = yield* Effect.all(
          [many(invite.invite(operator(organization), request)), many(interviews.expireUnstarted)],
          {
            concurrency: "unbounded",
          },
        )
        const made = new Set(results.flat().map(({ invitation, submission }) => `${submission?.id} ${invitation?.id}`))
        assert.lengthOf([...made], 3, `round ${round}`)
        const living = (yield* statuses).filter((status) => status !== "expired expired")
        assert.deepStrictEqual(
          living,
          Array.from({ length: 3 }, () => "need_interview pending"),
        )
      }
    }).pipe(Pod.provide()),
  )
})
