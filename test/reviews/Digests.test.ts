/** The daily email to members. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { EmailLinks } from "../../src/emails/EmailLinks.ts"
import { Accommodations } from "../../src/interviews/Accommodations.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { People } from "../../src/privacy/People.ts"
import { lastMorning } from "../../src/reviews/Digest.ts"
import { Digests } from "../../src/reviews/Digests.ts"
import type { CandidateId, OrganizationId } from "../../src/values/Ids.ts"
import { Server } from "../support/Api.ts"
import * as Dossier from "../support/Dossier.ts"
import * as Mails from "../support/Mails.ts"
import { post, settings, signedIn } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const pages = Server.layer.pipe(
  Layer.provide(App.serve(App.pages)),
  Layer.provideMerge(Pod.layer({ settings, evaluate: Dossier.evaluate })),
)

const at = (time: string) => TestClock.setTime(Date.parse(time))
const step = Effect.flatMap(Digests, (digests) => digests.step)

/** The daily emails of the organization, oldest first. */
const digests = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { sql } = yield* Database
  const rows = yield* sql<{ id: string }>`
    select id from email where kind = 'member_digest' and organization_id = ${organization}::int`
  return (yield* Mails.written).filter(({ id }) => rows.some((row) => row.id === id))
})

/** An organization in Berlin with members, on 2 November 2026, 10:42 there. */
const furnished = Effect.gen(function* () {
  yield* at("2026-11-02T09:42:00Z")
  const { id, set } = yield* Scenario.organization()
  const { sql } = yield* Database
  yield* sql`delete from member_notice`
  yield* sql`update organization set time_zone = 'Europe/Berlin' where id = ${id}::int`
  return { id, set, owner: yield* signedIn(id), recruiter: yield* signedIn(id, "recruiter") }
})

const submitted = Effect.fnUntraced(function* (
  to: Pick<Effect.Success<typeof furnished>, "id" | "set">,
  email: string,
) {
  const invited = yield* Scenario.invited(to, email)
  yield* Scenario.completed(invited, "My secret answer about billing.")
  return invited.subject.submission_id
})

describe("the moment of the daily email", () => {
  it.each([
    ["2026-11-02T06:59:59Z", "Europe/Berlin", "2026-11-01T07:00:00.000Z"],
    ["2026-11-02T07:00:00Z", "Europe/Berlin", "2026-11-02T07:00:00.000Z"],
    // clocks go forward on 29 March, and back on 25 October 2026
    ["2026-03-28T12:00:00Z", "Europe/Berlin", "2026-03-28T07:00:00.000Z"],
    ["2026-03-29T06:00:00Z", "Europe/Berlin", "2026-03-29T06:00:00.000Z"],
    ["2026-10-25T06:30:00Z", "Europe/Berlin", "2026-10-24T06:00:00.000Z"],
    ["2026-10-25T07:00:00Z", "Europe/Berlin", "2026-10-25T07:00:00.000Z"],
    ["2026-01-01T00:30:00Z", "Asia/Kolkata", "2025-12-31T02:30:00.000Z"],
    ["2026-01-01T12:00:00Z", "nowhere", "2026-01-01T08:00:00.000Z"],
  ])("at %s in %s was last %s", (now, zone, expected) => {
    assert.strictEqual(lastMorning(new Date(now), zone).toISOString(), expected)
  })
})

layer(pages)("the daily email", (it) => {
  it.effect(
    "comes once at 8:00 in the organization's time zone with counts and links, and on no day without news",
    () =>
      Effect.gen(function* () {
        const { id, owner, set } = yield* furnished
        const one = yield* submitted({ id, set }, "ada@example.com")
        yield* submitted({ id, set }, "bo@example.com")
        yield* at("2026-11-03T06:59:59Z")
        yield* step
        assert.isEmpty(yield* digests(id))
        yield* at("2026-11-03T07:00:00Z")
        yield* submitted({ id, set }, "late@example.com")
        yield* Effect.all([step, step, step], { concurrency: "unbounded" })
        yield* step
        const [mail, ...others] = yield* digests(id)
        assert.isEmpty(others)
        assert.strictEqual(mail?.recipient, owner.email)
        assert.strictEqual(mail?.subject, "Acme: 2 submitted")
        assert.include(mail?.text, "Submitted since yesterday\n- Backend Engineer: 2\n")
        assert.include(mail?.text, `/submissions?set=${set.id}&order=last_submitted`)
        assert.notMatch(`${mail?.html}${mail?.text}`, /secret|Ada|@example\.com.*@example|bo@/)
        const links = yield* EmailLinks
        const member = (yield* Mails.written).find(({ id: one }) => one === mail?.id)?.member_id
        assert.include(mail?.text, links.notifications(member ?? assert.fail("no member"), "daily"))
        // what came after 8:00 is in the next one
        yield* at("2026-11-04T07:00:00Z")
        yield* step
        yield* at("2026-11-05T07:00:00Z")
        yield* step
        const all = yield* digests(id)
        assert.deepStrictEqual(
          all.map(({ subject }) => subject),
          ["Acme: 2 submitted", "Acme: 1 submitted"],
        )
        assert.notInclude(all[1]?.text, one ?? "none")
      }),
  )

  it.effect("tells of mentions, comments, assignments, and what waits for the member's review", () =>
    Effect.gen(function* () {
      const { id, owner, set } = yield* furnished
      const admin = yield* signedIn(id, "admin")
      const choices = {
        mails_mentions: "daily",
        mails_comments: "daily",
        mails_assignments: "daily",
        mails_submitted: "off",
      }
      yield* post("/account/notifications", admin.cookie, choices)
      yield* post("/account/notifications", owner.cookie, { mails_submitted: "off" })
      const submission = yield* submitted({ id, set }, "ada@example.com")
      const path = `/submissions/${submission}`
      yield* post(`${path}/reviewers`, owner.cookie, { member: admin.id })
      const comment = (n: number, text: string) =>
        post(`${path}/comments`, owner.cookie, { id: `018f0000-0000-7000-8000-00000000010${n}`, question: "", text })
      yield* comment(1, "First thoughts.")
      yield* comment(2, "Second thoughts.")
      yield* comment(3, `What do you think, @${admin.email}?`)
      yield* at("2026-11-03T07:00:00Z")
      yield* step
      const [mail, ...others] = yield* digests(id)
      assert.isEmpty(others)
      assert.strictEqual(mail?.subject, "Acme: 1 to review, 1 mention, 2 comments")
      for (const line of [
        `Waits for your review\n- ${owner.email} asks you to review a candidate for Backend Engineer\n`,
        "- 1 candidate in your list\n",
        `Mentions\n- ${owner.email} mentioned you, about a candidate for Backend Engineer\n`,
        "Comments\n- 2 comments on a candidate for Backend Engineer\n",
      ])
        assert.include(mail?.text, line)
      assert.notMatch(`${mail?.html}${mail?.text}`, /thoughts|Ada/)
      assert.include(mail?.html, `${path}"`)
    }),
  )

  it.effect("tells of requests of candidates that still wait for an answer", () =>
    Effect.gen(function* () {
      const { id, owner, set } = yield* furnished
      yield* post("/account/notifications", owner.cookie, { mails_accommodations: "daily" })
      const { ask } = yield* Accommodations
      const waiting = yield* Scenario.invited({ id, set }, "ada@example.com")
      const answered = yield* Scenario.invited({ id, set }, "bo@example.com")
      for (const { token } of [waiting, answered]) yield* ask(token, { needs: ["time"], text: "I am dyslexic." })
      const { sql } = yield* Database
      yield* sql`
        update accommodation set answered_at = now(), granted = '{}' where submission_id = ${answered.subject.submission_id}::uuid`
      yield* sql`
        insert into member_notice (organization_id, member_id, kind, submission_id, created_at)
        select ${id}::int, ${owner.id}::uuid, 'remarks', ${waiting.subject.submission_id}::uuid, '2026-11-02T12:00:00Z'
        from generate_series(1, 2)`
      yield* at("2026-11-03T07:00:00Z")
      yield* step
      const [mail] = yield* digests(id)
      assert.strictEqual(mail?.subject, "Acme: 1 request, 2 remarks")
      const line = `Corrections and remarks of candidates\n- 2 texts from a candidate for Backend Engineer\n`
      assert.include(mail?.text, line)
      assert.include(mail?.text, "What candidates need\n- Backend Engineer: 1 request waits for an answer\n")
      assert.include(mail?.text, "/accommodations")
      assert.notMatch(`${mail?.html}${mail?.text}`, /dyslexic|Ada/)
    }),
  )

  it.effect("tells reviewers only of what they are asked to review, and recruiters only of their sets", () =>
    Effect.gen(function* () {
      const { id, owner, recruiter, set } = yield* furnished
      const { sql } = yield* Database
      const reviewer = yield* signedIn(id, "reviewer")
      const removed = yield* signedIn(id, "admin")
      const moved = yield* signedIn(id, "recruiter")
      for (const { email } of [recruiter, moved])
        yield* sql`insert into set_access (id, organization_id, interview_set_id, ordinal, email)
          select gen_random_uuid(), ${id}::int, ${set.id}::uuid, count(*), ${email} from set_access`
      const asked = yield* Scenario.invited({ id, set }, "asked@example.com")
      yield* post("/account/notifications", reviewer.cookie, { mails_assignments: "off" })
      yield* post(`/submissions/${asked.subject.submission_id}/reviewers`, owner.cookie, { member: reviewer.id })
      yield* Scenario.completed(asked)
      yield* submitted({ id, set }, "other@example.com")
      yield* sql`update member set deactivated_at = now() where id = ${removed.id}::uuid`
      yield* sql`delete from set_access where email = ${moved.email}`
      yield* at("2026-11-03T07:00:00Z")
      yield* step
      const all = yield* digests(id)
      assert.sameDeepMembers(
        all.map(({ recipient, subject }) => [recipient, subject]),
        [
          [owner.email, "Acme: 2 submitted"],
          [recruiter.email, "Acme: 2 submitted"],
          [reviewer.email, "Acme: 1 submitted"],
        ],
      )
      const own = all.find(({ recipient }) => recipient === reviewer.email)
      assert.include(own?.text, `/submissions/${asked.subject.submission_id}`)
      assert.isEmpty(yield* sql`select from member_notice`)
    }),
  )

  it.effect("does not tell of what a member has turned off, or of a person who was erased", () =>
    Effect.gen(function* () {
      const { id, owner, set } = yield* furnished
      const admin = yield* signedIn(id, "admin")
      const { sql } = yield* Database
      const submission = yield* submitted({ id, set }, "ada@example.com")
      yield* post("/account/notifications", admin.cookie, { mails_submitted: "off" })
      const members = sql<{ member_id: string }>`select member_id from member_notice`
      assert.deepStrictEqual(yield* members, [{ member_id: owner.id }])
      const [person] = yield* sql<{ candidate_id: CandidateId }>`
        select candidate_id from submission where id = ${submission}::uuid`
      yield* (yield* People).erase(operator(id), person?.candidate_id ?? assert.fail("no candidate"))
      assert.isEmpty(yield* members)
      yield* at("2026-11-03T07:00:00Z")
      yield* step
      assert.isEmpty(yield* digests(id))
    }),
  )
})
