/** Lists and details of invitations. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import type { CandidateEntry } from "../../src/candidates/Candidate.ts"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import { InterviewSets } from "../../src/interview-sets/InterviewSets.ts"
import { Invitations } from "../../src/invitations/Invitations.ts"
import { InviteRequest } from "../../src/invitations/InviteRequest.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { emptyReference } from "../../src/values/ExternalReference.ts"
import { InvitationId } from "../../src/values/Ids.ts"
import * as Pod from "../support/Pod.ts"
import { assertPaging, fewRuns, firstPage, Sizes } from "../support/pages.ts"
import * as Scenario from "../support/Scenario.ts"

const ats = "0190b5a2-7c1e-7def-8abc-0123456789ab"

const begin = Effect.gen(function* () {
  yield* TestClock.setTime(Date.UTC(2026, 0, 1))
  const { id, set } = yield* Scenario.organization()
  const other = yield* (yield* InterviewSets).create(operator(id), { title: "Other" })
  const invitations = yield* Invitations
  const invite = Effect.fnUntraced(function* (target: typeof set, candidate: CandidateEntry) {
    const request = InviteRequest.make({ com_interview_set_id: target.id, candidates: [candidate] })
    const [result] = yield* Scenario.invite(operator(id), request)
    return yield* Effect.fromNullishOr(result?.invitation)
  })
  const ids = (filter: Parameters<typeof invitations.list>[1], organization = id) =>
    Effect.map(
      invitations.list(operator(organization), filter, firstPage),
      ({ results }) => new Set(results.map((one) => one.id)),
    )
  return { id, set, other, invite, invitations, ids }
})

layer(Pod.layer())("Invitations", (it) => {
  it.effect("show the candidate and the status", () =>
    Effect.gen(function* () {
      const { id, invitations, invite, set } = yield* begin
      const first = yield* invite(set, {
        ats_candidate_id: ats,
        email: "Ada@example.com",
        firstname: "Ada",
        lastname: "Lovelace",
      })
      yield* TestClock.adjust("2 seconds")
      yield* runOnce((yield* EmailQueue).queue)
      const { results } = yield* invitations.list(operator(id), {}, firstPage)
      const [shown] = results
      assert.deepStrictEqual<unknown>(results, [
        {
          id: first.id,
          status_text: "delivered",
          email: "Ada@example.com",
          interview_url: first.interview_url,
          email_status: null,
          failure_reason: null,
          interview_set: { id: set.id, title: "Backend Engineer", external_id: null },
          candidate: {
            id: shown?.candidate.id,
            ats_candidate_id: ats,
            ...emptyReference,
            email: "Ada@example.com",
            name: "Ada Lovelace",
          },
          submission: { id: shown?.submission.id, status_text: "need_interview" },
          expires_at: "2026-01-31T00:00:00.000Z",
          time_factor: 1,
          sent_at: "2026-01-01T00:00:02.000Z",
          delivered_at: "2026-01-01T00:00:02.000Z",
          opened_at: null,
          clicked_at: null,
          failed_at: null,
          cancelled_at: null,
          declined_at: null,
          mails_stopped: false,
          created_at: "2026-01-01T00:00:00.000Z",
          updated_at: shown?.updated_at,
        },
      ])
      assert.deepStrictEqual(
        yield* invitations.find(operator(id), InvitationId.make(String(first.id).toUpperCase())),
        shown,
      )
      const refused = yield* invite(set, { email: "nobody" })
      assert.deepInclude(yield* invitations.find(operator(id), refused.id), {
        status_text: "failed",
        failure_reason: "invalid_email",
        sent_at: null,
        failed_at: "2026-01-01T00:00:02.000Z",
      })
    }),
  )

  it.effect("are filtered by the time of their last change", () =>
    Effect.gen(function* () {
      const { id, ids, invite, set } = yield* begin
      const ada = yield* invite(set, { email: "ada@example.com" })
      const bob = yield* invite(set, { email: "bob@example.com" })
      const { sql } = yield* Database
      yield* sql`update invitation set updated_at = '2026-01-01T00:00:00Z' where organization_id = ${id}::int`
      assert.deepStrictEqual(yield* ids({ updated_since: "2026-01-01T00:00:00Z" }), new Set([ada.id, bob.id]))
      assert.deepStrictEqual(yield* ids({ updated_since: "2026-01-01T00:00:00.001Z" }), new Set())
      yield* TestClock.adjust("2 seconds")
      yield* runOnce((yield* EmailQueue).queue)
      yield* sql`update invitation set updated_at = '2026-01-01T00:00:00Z' where id = ${bob.id}::uuid`
      assert.deepStrictEqual(yield* ids({ updated_since: "2026-01-01T00:00:00.001Z" }), new Set([ada.id]))
    }),
  )

  it.effect("are filtered by set, status, candidate, ats_candidate_id, submission, or several of them", () =>
    Effect.gen(function* () {
      const { id, ids, invitations, invite, other, set } = yield* begin
      const ada = yield* invite(set, { ats_candidate_id: ats, email: "ada@example.com" })
      const bob = yield* invite(set, { email: "bob@example.com" })
      const nobody = yield* invite(set, { email: "nobody" })
      const again = yield* invite(other, { ats_candidate_id: ats, email: "ada@example.com" })
      const all = [ada.id, bob.id, nobody.id, again.id]
      const { candidate, submission } = yield* invitations.find(operator(id), ada.id)
      const expected: ReadonlyArray<readonly [Parameters<typeof ids>[0], ReadonlyArray<string>]> = [
        [{}, all],
        [{ interview_set_id: null, status: undefined, candidate_id: null, ats_candidate_id: null }, all],
        [{ interview_set_id: set.id }, [ada.id, bob.id, nobody.id]],
        [{ interview_set_id: other.id.toUpperCase() }, [again.id]],
        [{ status: "failed" }, [nobody.id]],
        [{ status: "opened" }, []],
        [{ candidate_id: candidate.id }, [ada.id, again.id]],
        [{ ats_candidate_id: ats.toUpperCase() }, [ada.id, again.id]],
        [{ ats_candidate_id: candidate.id }, []],
        [{ email: "ADA@Example.com" }, [ada.id, again.id]],
        [{ email: "mailto:ADA@example.com," }, [ada.id, again.id]],
        [{ email: "ada@example.org" }, []],
        [{ submission_id: submission.id }, [ada.id]],
        [{ interview_set_id: other.id, ats_candidate_id: ats }, [again.id]],
        [{ interview_set_id: set.id, status: "failed", ats_candidate_id: ats }, []],
      ]
      for (const [filter, found] of expected) {
        assert.deepStrictEqual(yield* ids(filter), new Set(found), JSON.stringify(filter))
      }
    }),
  )

  it.effect.prop(
    "are read page by page without gaps or repetitions",
    [Sizes],
    ([sizes]) =>
      Effect.gen(function* () {
        const { id, invitations, invite, set } = yield* begin
        let n = 0
        const add = Effect.suspend(() => invite(set, { email: `c${n++}@example.com` }))
        yield* Effect.replicateEffect(add, 9)
        for (const filter of [{}, { interview_set_id: set.id }, { status: "pending" } as const]) {
          const list = (page: typeof firstPage) => invitations.list(operator(id), filter, page)
          yield* assertPaging("invitation", id, list, sizes, add)
        }
        // all of one candidate
        const { sql } = yield* Database
        yield* sql`
          update invitation set status = 'cancelled', candidate_id = (
            select candidate_id from invitation where organization_id = ${id}::int order by id limit 1)
          where organization_id = ${id}::int`
        const [first] = (yield* invitations.list(operator(id), {}, firstPage)).results
        const { candidate } = yield* Effect.fromNullishOr(first)
        const list = (page: typeof firstPage) => invitations.list(operator(id), { candidate_id: candidate.id }, page)
        yield* assertPaging("invitation", id, list, sizes, Effect.void)
      }),
    fewRuns,
  )
})
