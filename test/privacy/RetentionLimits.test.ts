/** What the periods of retention wait for, verified in the tables. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { InviteRequest } from "../../src/invitations/InviteRequest.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { DataRetention } from "../../src/privacy/DataRetention.ts"
import { LegalHolds } from "../../src/privacy/LegalHolds.ts"
import { People } from "../../src/privacy/People.ts"
import { Recordings } from "../../src/recordings/Recordings.ts"
import { CandidateId, InterviewSetId, SubmissionId } from "../../src/values/Ids.ts"
import * as Dossier from "../support/Dossier.ts"
import * as Members from "../support/Members.ts"
import { overtaken } from "../support/races.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Settings from "../support/Settings.ts"

/** An organization with these periods, and a candidate who has answered. */
const world = Effect.fnUntraced(function* (periods: Readonly<Record<string, number>>, retakes = 0) {
  const { sql } = yield* Database
  const organization = yield* Scenario.organization({ number_of_retakes: retakes })
  for (const [kind, days] of Object.entries(periods)) {
    yield* sql`update organization set ${sql(`${kind}_kept_days`)} = ${days}::int where id = ${organization.id}::int`
  }
  const invited = yield* Scenario.invited(organization)
  yield* Scenario.completed(invited, "I kept a lighthouse.")
  const submission = SubmissionId.make(invited.subject.submission_id)
  return { sql, organization, invited, submission, candidate: invited.subject.candidate_id }
})

const step = Effect.flatMap(DataRetention, (retention) => retention.step)

layer(Settings.layer({ evaluate: Dossier.evaluate }))("what retention waits for", (it) => {
  it.effect("keeps answers and candidates while the answers can be opened again", () =>
    Effect.gen(function* () {
      const { invited, sql, submission } = yield* world({ answers: 1, candidates: 1 }, 1)
      yield* Dossier.evaluateAll
      yield* sql`update submission set improvement_until = improvement_until + interval '2 days' where id = ${submission}::uuid`
      yield* TestClock.adjust("2 days")
      assert.strictEqual(yield* step, 0)
      yield* (yield* Interviews).reopen(invited.token)
      assert.lengthOf(yield* sql`select from answer where submission_id = ${submission}::uuid`, 2)
    }),
  )

  it.effect("keeps a CV that replaced an older one until its own days are over", () =>
    Effect.gen(function* () {
      const { organization, sql, submission } = yield* world({ cvs: 10 })
      yield* Dossier.addCv(organization.id, submission, { text: null, error: "not found" })
      yield* Dossier.evaluateAll
      yield* TestClock.adjust("9 days")
      yield* Dossier.addCv(organization.id, submission, { text: "Keeper of a lighthouse" })
      yield* TestClock.adjust("2 days")
      assert.strictEqual(yield* step, 0)
      assert.lengthOf(yield* sql`select from cv where submission_id = ${submission}::uuid`, 2)
      yield* TestClock.adjust("8 days")
      assert.strictEqual(yield* step, 1)
    }),
  )

  it.effect("keeps a candidate who is invited again while the step runs", () =>
    Effect.gen(function* () {
      const { candidate, organization, sql } = yield* world({ candidates: 5 })
      yield* Dossier.evaluateAll
      yield* sql`
        insert into interview_set (id, organization_id, title) select gen_random_uuid(), organization_id, 'Another'
        from interview_set where id = ${organization.set.id}::uuid`
      const [other] = yield* sql<{ id: string }>`
        select id from interview_set where organization_id = ${organization.id}::int and title = 'Another'`
      yield* TestClock.adjust("6 days")
      const invite = Scenario.invite(
        operator(organization.id),
        InviteRequest.make({
          com_interview_set_id: InterviewSetId.make(other?.id ?? ""),
          candidates: [{ email: "ada@example.com" }],
        }),
      )
      yield* overtaken(invite, step)
      assert.lengthOf(yield* sql`select from candidate where id = ${candidate}::uuid and erased_at is null`, 1)
    }),
  )

  it.effect("erases the others when one erasure fails", () =>
    Effect.gen(function* () {
      const { organization, sql, candidate } = yield* world({ candidates: 5 })
      const other = yield* Scenario.invited(organization, "bo@example.com")
      yield* Scenario.completed(other)
      yield* Dossier.evaluateAll
      yield* TestClock.adjust("6 days")
      yield* sql`create function refuse_erasure() returns trigger language plpgsql as $$
        begin if new.id = '${sql.literal(candidate)}' then raise 'refused'; end if; return new; end $$`.unprepared
      yield* sql`create trigger refused before update on candidate for each row execute function refuse_erasure()`
      assert.strictEqual(yield* step, 1)
      yield* sql`drop trigger refused on candidate`
      assert.strictEqual(yield* step, 1)
    }),
  )

  it.effect("lets an erasure and a deletion wait for a hold of the set that is being placed", () =>
    Effect.gen(function* () {
      const { candidate, organization, sql, submission } = yield* world({ answers: 1, candidates: 1 })
      yield* Dossier.evaluateAll
      yield* TestClock.adjust("2 days")
      const owner = yield* Members.signedIn(organization.id)
      const member = Members.viewer(organization.id, owner)
      const place = (yield* LegalHolds).place(
        member,
        { _tag: "InterviewSet", id: InterviewSetId.make(organization.set.id) },
        "Lawsuit 4711/26",
      )
      const erased = yield* overtaken(
        place,
        (yield* People).erase(operator(organization.id), CandidateId.make(candidate)),
      )
      assert.deepInclude(erased, { _tag: "Failure" })
      yield* sql`delete from legal_hold where organization_id = ${organization.id}::int`
      const deleted = yield* overtaken(place, step)
      assert.deepInclude(deleted, { _tag: "Success", success: 0 })
      assert.lengthOf(yield* sql`select from answer where submission_id = ${submission}::uuid`, 1)
    }),
  )

  it.effect("keeps events, the audit log and recordings when a hold is placed while they are deleted", () =>
    Effect.gen(function* () {
      const { candidate, organization, sql, submission } = yield* world({ events: 1, audit: 184, recordings: 1 })
      yield* Dossier.evaluateAll
      yield* sql`
        insert into recording (id, organization_id, submission_id, attempt, question_id, kind, content_type, started_at,
          received_at, received_bytes, ended_at, state)
        select gen_random_uuid(), b.organization_id, b.id, 1, q.id, 'audio', 'audio/webm', b.completed_at, b.completed_at, 5,
          b.completed_at, 'done'
        from submission b join question q on q.interview_set_id = b.interview_set_id where b.id = ${submission}::uuid limit 1`
      yield* TestClock.adjust("185 days")
      const owner = yield* Members.signedIn(organization.id)
      const member = Members.viewer(organization.id, owner)
      const place = (yield* LegalHolds).place(
        member,
        { _tag: "Candidate", id: CandidateId.make(candidate) },
        "Lawsuit 4711/26",
      )
      const before = yield* sql`
        select count(*)::int as count from webhook_event where organization_id = ${organization.id}::int
        union all select count(*)::int from audit_log where organization_id = ${organization.id}::int`
      assert.deepInclude(yield* overtaken(place, step), { _tag: "Success", success: 0 })
      const after = yield* sql`
        select count(*)::int as count from webhook_event where organization_id = ${organization.id}::int
        union all select count(*)::int - 1 from audit_log where organization_id = ${organization.id}::int`
      assert.deepStrictEqual(after, before)
      const { deleteOld } = yield* Recordings
      yield* sql`delete from legal_hold where organization_id = ${organization.id}::int`
      assert.deepInclude(yield* overtaken(place, deleteOld), { _tag: "Success", success: 0 })
      yield* sql`delete from legal_hold where organization_id = ${organization.id}::int`
      assert.strictEqual(yield* deleteOld, 1)
      assert.isAbove(yield* step, 0)
    }),
  )
})
