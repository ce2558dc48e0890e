/** A failed invitation is sent to a corrected address, from Home and from the page of its submission. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { InvitationReports } from "../../src/invitations/InvitationReports.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import type { EmailId } from "../../src/values/Ids.ts"
import * as Api from "../support/Api.ts"
import { fieldsOf, get, post, signedIn, withFields } from "../support/Members.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Settings from "../support/Settings.ts"

/** An organization with an invitation that failed at `wrong`. */
const begin = Effect.fnUntraced(function* (wrong = "ada@exmaple.com") {
  yield* TestClock.setTime(Date.parse("2026-11-02T09:42:00Z"))
  const organization = yield* Scenario.organization()
  const { cookie } = yield* signedIn(organization.id)
  const { subject, token } = yield* Scenario.invited(organization, wrong)
  const { sql } = yield* Database
  yield* runOnce((yield* EmailQueue).queue)
  const fail = sql`
    update invitation set status = 'failed', failure_reason = 'bounce', failed_at = '2026-11-02T09:42:00Z'
    where id = ${subject.invitation_id}::uuid`
  yield* fail
  const page = `/submissions/${subject.submission_id}`
  const action = `/invitations/${subject.invitation_id}/address`
  const form = Effect.map(get(page, cookie), ({ text }) => fieldsOf(text, action))
  const send = (fields: ReadonlyArray<readonly [string, string]>, email: string, by = cookie) =>
    post(action, by, withFields(fields, { email }))
  const stored = Effect.map(
    sql<{ row: string }>`
      select concat_ws(' ', i.status, i.email, c.email, c.email_key, b.status) as row
      from invitation i join candidate c on c.id = i.candidate_id join submission b on b.id = i.submission_id
      where i.organization_id = ${organization.id}::int order by i.created_at, i.id`,
    (rows) => rows.map(({ row }) => row),
  )
  const recipients = Effect.map(
    sql<{ mail: string }>`
      select concat_ws(' ', kind, state, recipient) as mail from email
      where organization_id = ${organization.id}::int order by created_at, id`,
    (rows) => rows.map(({ mail }) => mail),
  )
  return { ...organization, cookie, subject, token, page, action, form, send, stored, recipients, fail }
})

const corrected = "pending ada@example.com ada@example.com ada@example.com need_interview"

layer(Settings.layer())("the address of a failed invitation", (it) => {
  it.effect("is corrected on the page of the submission: same link, same submission, one more email", () =>
    Effect.gen(function* () {
      const { cookie, form, id, page, recipients, send, stored, subject, token } = yield* begin()
      const { sql } = yield* Database
      const until = sql<{ at: Date }>`select expires_at as at from invitation where organization_id = ${id}::int`
      const before = yield* until
      const fields = yield* form
      assert.deepInclude(fields, ["email", "ada@exmaple.com"])
      const done = yield* send(fields, " <Ada@example.com> ")
      assert.strictEqual(done.location, `${page}?done=corrected`)
      assert.deepStrictEqual(yield* stored, ["pending Ada@example.com Ada@example.com ada@example.com need_interview"])
      // a double click
      assert.strictEqual((yield* send(fields, "Ada@example.com")).location, done.location)
      yield* runOnce((yield* EmailQueue).queue)
      assert.deepStrictEqual(yield* recipients, ["invitation sent ada@exmaple.com", "invitation sent Ada@example.com"])
      assert.deepStrictEqual(yield* until, before)
      yield* (yield* Interviews).start(token)
      const { text } = yield* get(`${page}?done=corrected`, cookie)
      assert.include(text, "The address was corrected.")
      assert.include(text, "Address corrected from <bdi>ada@exmaple.com</bdi> to <bdi>Ada@example.com</bdi> by")
      const log = (yield* Settings.audit(id)).filter(({ record_id }) => record_id === subject.invitation_id)
      assert.deepStrictEqual(
        log.map(({ action, detail }) => [action, detail]),
        [["invitation.correct_address", { email: "Ada@example.com", previous_email: "ada@exmaple.com" }]],
      )
    }),
  )

  it.effect("is corrected by a hiring system: the audit log and the timeline name its API key", () =>
    Effect.gen(function* () {
      const { cookie, id, page, stored, subject } = yield* begin()
      const { key } = yield* Api.keyOf(id)
      const path = `/company/integration/hiring/invitations/v1/${subject.invitation_id}/correct`
      const answers = [1, 2].map(() => Api.call("POST", path, { key, json: { email: "ada@example.com" } }))
      for (const answer of answers) assert.strictEqual((yield* answer).status, 200)
      assert.deepStrictEqual(yield* stored, [corrected])
      const log = (yield* Settings.audit(id)).filter(({ record_id }) => record_id === subject.invitation_id)
      assert.deepStrictEqual(
        log.map(({ action, detail, member_id }) => [action, member_id, detail]),
        [["invitation.correct_address", null, { email: "ada@example.com", previous_email: "ada@exmaple.com" }]],
      )
      const name = key.slice(0, key.indexOf("."))
      const changed = "Address corrected from <bdi>ada@exmaple.com</bdi> to <bdi>ada@example.com</bdi>"
      assert.include((yield* get(page, cookie)).text, `${changed} by <bdi>${name}</bdi>`)
      assert.include((yield* get("/settings/audit", cookie)).text, name)
    }),
  )

  it.effect("is corrected on Home, also where no email left because the address is not valid", () =>
    Effect.gen(function* () {
      const { action, cookie, form, page, recipients, stored } = yield* begin("ada@example")
      const { text } = yield* get("/home", cookie)
      const home = fieldsOf(text, action)
      assert.deepInclude(home, ["email", "ada@example"])
      const wrong = yield* post(action, cookie, withFields(home, { email: "ada.example.com" }))
      assert.strictEqual(wrong.status, 422)
      assert.include(wrong.text, "The address must be a valid email address: it has no @.")
      assert.deepInclude(fieldsOf(wrong.text, action), ["email", "ada.example.com"])
      const same = yield* post(action, cookie, withFields(home, { email: "ADA@example" }))
      assert.strictEqual(same.status, 422)
      const done = yield* post(action, cookie, withFields(home, { email: "ada@example.com" }))
      assert.strictEqual(done.location, "/home?done=corrected")
      const after = (yield* get("/home?done=corrected", cookie)).text
      assert.include(after, "The address was corrected.")
      assert.notInclude(after, action)
      assert.notInclude((yield* get(page, cookie)).text, action)
      assert.isEmpty(yield* form)
      assert.deepStrictEqual(yield* stored, [corrected])
      assert.deepStrictEqual(yield* recipients, ["invitation queued ada@example.com"])
    }),
  )

  it.effect("is refused in an outdated form, and what was typed stays", () =>
    Effect.gen(function* () {
      const { action, fail, form, send, stored } = yield* begin()
      const fields = yield* form
      yield* send(fields, "ada@example.com")
      for (const again of [Effect.void, fail]) {
        yield* again
        const refused = yield* send(fields, "lovelace@example.com")
        assert.strictEqual(refused.status, 409)
        assert.include(refused.text, "the address has been corrected meanwhile")
        assert.deepInclude(fieldsOf(refused.text, action), ["email", "lovelace@example.com"])
      }
      assert.deepStrictEqual(yield* stored, [corrected.replace("pending", "failed")])
    }),
  )

  it.effect("is corrected by one of two members at once", () =>
    Effect.gen(function* () {
      const { form, recipients, send } = yield* begin()
      const fields = yield* form
      const answers = yield* Effect.all([send(fields, "ada@example.com"), send(fields, "lovelace@example.com")], {
        concurrency: 2,
      })
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [303, 409])
      assert.lengthOf(
        (yield* recipients).filter((mail) => mail.startsWith("invitation queued")),
        1,
      )
    }),
  )

  it.effect(
    "is refused when the new one is invited to the set, belongs to another candidate, or has unsubscribed",
    () =>
      Effect.gen(function* () {
        const { form, id, send, set, stored } = yield* begin()
        const { sql } = yield* Database
        const fields = yield* form
        const refused = Effect.fnUntraced(function* (email: string, reason: string) {
          const answer = yield* send(fields, email)
          assert.strictEqual(answer.status, 409)
          assert.include(answer.text, reason)
        })
        const other = yield* Scenario.invited({ id, set }, "grace@example.com")
        yield* refused("GRACE@example.com", "this address is already invited to the interview set")
        yield* sql`update invitation set status = 'expired' where id = ${other.subject.invitation_id}::uuid`
        yield* sql`update submission set status = 'expired' where id = ${other.subject.submission_id}::uuid`
        yield* refused("grace@example.com", "another candidate has this address")
        yield* sql`
        insert into suppression (organization_id, email, reason, created_at)
        values (${id}::int, 'no@example.com', 'unsubscribed', now())`
        yield* refused("no@example.com", "this address has unsubscribed")
        assert.include((yield* stored)[0], "failed ada@exmaple.com")
      }),
  )

  it.effect(
    "is not changed by another organization or a recruiter without access, or when the invitation has ended",
    () =>
      Effect.gen(function* () {
        const { form, id, send, stored, subject } = yield* begin()
        const { sql } = yield* Database
        const fields = yield* form
        const stranger = yield* begin()
        assert.strictEqual((yield* send(fields, "ada@example.com", stranger.cookie)).status, 404)
        const recruiter = yield* signedIn(id, "recruiter")
        assert.strictEqual((yield* send(fields, "ada@example.com", recruiter.cookie)).status, 403)
        yield* sql`update submission set status = 'withdrawn' where id = ${subject.submission_id}::uuid`
        assert.strictEqual((yield* send(fields, "ada@example.com")).status, 409)
        assert.include((yield* stored)[0], "failed ada@exmaple.com")
      }),
  )

  it.effect("keeps the address that the hiring system gave the candidate since, and late reports change nothing", () =>
    Effect.gen(function* () {
      const { form, id, recipients, send, stored, subject } = yield* begin()
      const { sql } = yield* Database
      yield* sql`
        update candidate set email = 'new@example.com', email_key = 'new@example.com' where organization_id = ${id}::int`
      yield* send(yield* form, "ada@example.com")
      const row = "pending ada@example.com new@example.com new@example.com need_interview"
      assert.deepStrictEqual(yield* stored, [row])
      assert.lengthOf(yield* recipients, 2)
      const [old] = yield* sql<{ id: EmailId }>`
        select id from email where organization_id = ${id}::int and recipient = 'ada@exmaple.com'`
      const report = {
        id: subject.invitation_id ?? assert.fail(),
        organization_id: id,
        email_id: old?.id ?? assert.fail(),
      }
      yield* (yield* InvitationReports).report("bounce", [report])
      assert.deepStrictEqual(yield* stored, [row])
    }),
  )

  it.effect("that was wrong is erased with the person, also from the audit log", () =>
    Effect.gen(function* () {
      const { cookie, form, id, send, subject } = yield* begin("zelda.quillfeather@exmaple.com")
      yield* send(yield* form, "zelda@example.com")
      yield* post(`/settings/people/${subject.candidate_id}/erase`, cookie, { confirm: "erase" })
      const { sql } = yield* Database
      const [{ left } = { left: -1 }] = yield* sql<{ left: number }>`
        select ((select count(*) from audit_log where organization_id = ${id}::int and detail::text ilike '%zelda%')
          + (select count(*) from email where organization_id = ${id}::int and recipient ilike '%zelda%')
          + (select count(*) from invitation where organization_id = ${id}::int and email ilike '%zelda%'))::int as left`
      assert.strictEqual(left, 0)
    }),
  )
})
