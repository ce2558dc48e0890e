/** Inviting a candidate again after the deadline, before housekeeping has expired the invitation. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { InviteRequest } from "../../src/invitations/InviteRequest.ts"
import { Database } from "../../src/platform/database/Database.ts"
import * as Pod from "../support/Pod.ts"
import { many, overtaken } from "../support/races.ts"
import * as Scenario from "../support/Scenario.ts"

/** Invites a candidate on January 1; the invitation expires after 30 days. */
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

describe("an overdue invitation", () => {
  const days = (n: number) => TestClock.setTime(Date.UTC(2026, 0, 1 + n))

  it.effect("expires when the candidate is invited again", () =>
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

  it.effect("is returned until the deadline, and while its interview runs", () =>
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

  it.effect("stays open when another candidate or set is invited", () =>
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

  it.effect("waits for housekeeping that is expiring it", () =>
    Effect.gen(function* () {
      const { again, subject } = yield* begin
      yield* days(30)
      const anew = yield* overtaken((yield* Interviews).expireUnstarted, again)
      assert.notStrictEqual(Result.getOrThrow(anew).subject.invitation_id, subject.invitation_id)
      assert.deepStrictEqual(yield* statuses, ["expired expired", "need_interview pending"])
    }).pipe(Pod.provide()),
  )

  it.effect("expires once when housekeeping and many invites run at once", () =>
    Effect.gen(function* () {
      const { organization, set } = yield* begin
      const interviews = yield* Interviews
      const candidates = ["ada", "bob", "eve"].map((name) => ({ email: `${name}@example.com` }))
      const request = InviteRequest.make({ com_interview_set_id: set.id, candidates })
      for (let round = 1; round <= 10; round++) {
        yield* days(30 * round)
        const [results] = yield* Effect.all(
          [many(Scenario.invite(operator(organization), request)), many(interviews.expireUnstarted)],
          {
            concurrency: "unbounded",
          },
        )
        const pairs = new Set(results.flat().map(({ invitation, submission }) => `${submission?.id} ${invitation?.id}`))
        assert.lengthOf([...pairs], 3, `round ${round}`)
        const living = (yield* statuses).filter((status) => status !== "expired expired")
        assert.deepStrictEqual(
          living,
          Array.from({ length: 3 }, () => "need_interview pending"),
        )
      }
    }).pipe(Pod.provide()),
  )
})
