/** Repeated invites, and unusual data in them. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import type { CandidateEntry } from "../../src/candidates/Candidate.ts"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { InviteRequest } from "../../src/invitations/InviteRequest.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const begin = Effect.fnUntraced(function* (changes: Parameters<typeof Scenario.organization>[0] = {}) {
  yield* TestClock.setTime(Date.UTC(2026, 0, 1))
  const { id, set } = yield* Scenario.organization(changes)
  const invite = (request: Partial<InviteRequest>, ...candidates: ReadonlyArray<CandidateEntry>) =>
    Scenario.invite(operator(id), InviteRequest.make({ com_interview_set_id: set.id, ...request, candidates }))
  return { id, set, invite }
})

const tokenOf = (url: string | null | undefined) => String(url).replace(/^.*\//, "")

layer(Pod.layer())("Inviting again", (it) => {
  it.effect("extends the submission to the newest mail's deadline", () =>
    Effect.gen(function* () {
      const { id, invite } = yield* begin()
      const { sql } = yield* Database
      const interviews = yield* Interviews
      const [before] = yield* invite({ send_invite: false }, { email: "ada@example.com" })
      yield* TestClock.adjust("29 days")
      const [after] = yield* invite({}, { email: "ada@example.com" })
      assert.strictEqual(after?.submission?.id, before?.submission?.id)
      const view = yield* interviews.view(tokenOf(after?.invitation?.interview_url))
      assert.deepStrictEqual(view.expiresAt, new Date(Date.UTC(2026, 0, 60)))
      yield* runOnce((yield* EmailQueue).queue)
      const [mail] = yield* sql<{ text: string }>`select text from email where organization_id = ${id}::int`
      assert.include(mail?.text, "Sunday, 1 March 2026")
    }),
  )

  it.effect("matches addresses regardless of case, in any script", () =>
    Effect.gen(function* () {
      const { id, invite } = yield* begin()
      const { sql } = yield* Database
      const pairs = [
        ["ΑΣ@example.com", "ας@example.com"],
        ["İx@example.com", "i\u0307x@example.com"],
        ["ADA@Example.com", "ada@example.com"],
      ] as const
      for (const [one, other] of pairs) {
        const results = yield* invite({}, { email: one }, { email: other })
        assert.strictEqual(results[0]?.submission?.id, results[1]?.submission?.id, one)
        const [again] = yield* invite({}, { email: other })
        assert.strictEqual(again?.submission?.id, results[0]?.submission?.id, other)
      }
      const [row] = yield* sql`select count(*)::int as n from candidate where organization_id = ${id}::int`
      assert.deepStrictEqual(row, { n: pairs.length })
    }),
  )

  it.effect("accepts the longest duration", () =>
    Effect.gen(function* () {
      const { invite } = yield* begin({ interview_duration: 2147483647 })
      const interviews = yield* Interviews
      const [result] = yield* invite({}, { email: "ada@example.com" })
      const token = tokenOf(result?.submission?.interview_url)
      assert.isAbove(yield* runOnce((yield* EmailQueue).queue), 0)
      yield* interviews.start(token)
      const view = yield* interviews.view(token)
      assert.strictEqual(view.state, "running")
      assert.strictEqual(view.secondsLeft, 2147483647 * 60)
    }),
  )
})
