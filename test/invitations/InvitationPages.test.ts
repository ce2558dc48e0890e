/** The workspace's pages about invitations, over HTTP. */
import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import { InterviewSets } from "../../src/interview-sets/InterviewSets.ts"
import { Projects } from "../../src/interview-sets/Projects.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Invitations } from "../../src/invitations/Invitations.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { People } from "../../src/privacy/People.ts"
import type { CandidateId, OrganizationId } from "../../src/values/Ids.ts"
import { Server } from "../support/Api.ts"
import { fieldsOf, get, post, settings, signedIn, withFields } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const pages = Server.layer.pipe(
  Layer.provide(App.serve(App.pages)),
  Layer.provideMerge(Pod.layer({ settings })),
  Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(Date.parse("2026-11-02T09:42:00Z")))),
)

const hostile = `<script>alert(1)</script>"'&`

const count = Effect.fnUntraced(function* (table: "email" | "invitation" | "candidate", organization: OrganizationId) {
  const { sql } = yield* Database
  const [row] = yield* sql<{ n: number }>`
    select count(*)::int as n from ${sql(table)} where organization_id = ${organization}::int`
  return row?.n ?? 0
})

const audit = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { sql } = yield* Database
  const rows = yield* sql<{ action: string }>`
    select action from audit_log where organization_id = ${organization}::int and member_id is not null order by id`
  return rows.map(({ action }) => action)
})

const start = Effect.fnUntraced(function* (changes: Parameters<typeof Scenario.organization>[0] = {}) {
  const one = yield* Scenario.organization(changes)
  const { cookie, email } = yield* signedIn(one.id)
  const path = `/interview-sets/${one.set.id}/invite`
  const fields = fieldsOf((yield* get(path, cookie)).text, path)
  const send = (changes: Record<string, string>) => post(path, cookie, withFields(fields, { do: "invite", ...changes }))
  /** Sends a new form; returns the page of its redirect, if any. */
  const invite = Effect.fnUntraced(function* (changes: Record<string, string>) {
    const answer = yield* send({ id: randomUUID(), ...changes })
    return answer.location === null ? answer : yield* get(answer.location, cookie)
  })
  return { ...one, cookie, email, path, fields, invite, send }
})

layer(pages)("invitations in the workspace", (it) => {
  it.effect("invites from rows and a table, lists each result, and emails no one twice", () =>
    Effect.gen(function* () {
      const { id, cookie, invite, set } = yield* start()
      const wanted = {
        "c.0.name": "Ada",
        "c.0.email": "ada@example.com",
        table:
          '\ufeffName;E-Mail\r\n"Hopper; Grace";grace@example.com\r\nNobody;gone@example.com\r\nÉva;eva@example.com\r\nGrace;GRACE@example.com\r\n',
        message: "Hello {{firstname}}, welcome.",
      }
      const { sql } = yield* Database
      yield* sql`insert into suppression (organization_id, email, reason) values (${id}::int, 'gone@example.com', 'unsubscribed')`
      const [first, second] = yield* Effect.all([invite(wanted), invite(wanted)], { concurrency: 2 })
      for (const answer of [first, second]) {
        assert.strictEqual(answer.status, 200)
        assert.include(answer.text, "3 of 4 candidates invited")
        assert.include(answer.text, "Line 3: this address has unsubscribed: no invitation was sent")
        assert.include(answer.text, "Line 5: the same as line 2")
      }
      assert.strictEqual(yield* count("email", id), 3)
      assert.strictEqual(yield* count("invitation", id), 4)
      yield* runOnce((yield* EmailQueue).queue)
      const again = yield* invite(wanted)
      assert.include(again.text, "Invited before: delivered")
      assert.include(again.text, "3 candidates had been invited before and got no new email.")
      assert.strictEqual(yield* count("email", id), 3)
      assert.deepStrictEqual(yield* audit(id), ["interview_set.invite"])
      const names = yield* sql<{ name: string; message: string }>`
        select c.name, i.message from invitation i join candidate c on c.id = i.candidate_id
        where i.organization_id = ${id}::int order by c.name collate "C"`
      assert.deepStrictEqual(
        names.map(({ name }) => name),
        ["Ada", "Hopper; Grace", "Nobody", "Éva"],
      )
      assert.strictEqual(names[0]?.message, "Hello {{firstname}}, welcome.")
      const list = yield* get(`/invitations?set=${set.id}`, cookie)
      assert.include(list.text, "Email failed")
      assert.notInclude((yield* get(`/invitations?set=${set.id}&status=delivered`, cookie)).text, "Nobody")
    }),
  )

  it.effect("performs a form once and shows its results at a stable address", () =>
    Effect.gen(function* () {
      const { id, cookie, path, send, set } = yield* start()
      // a corrected form keeps its id
      assert.strictEqual((yield* send({ "c.0.email": "ada@example.com", message: "Short" })).status, 422)
      const { sql } = yield* Database
      yield* sql`insert into suppression (organization_id, email, reason) values (${id}::int, 'gone@example.com', 'unsubscribed')`
      const wanted = { "c.0.email": "ada@example.com", "c.1.email": "gone@example.com" }
      const twice = yield* Effect.all([send(wanted), send(wanted)], { concurrency: 2 })
      assert.deepStrictEqual(
        twice.map(({ status }) => status),
        [303, 303],
      )
      const [href = "", other] = twice.map(({ location }) => location ?? "")
      assert.match(href, new RegExp(`^${path}/[\\w-]{36}$`))
      assert.strictEqual(other, href)
      yield* runOnce((yield* EmailQueue).queue)
      for (let i = 0; i < 2; i++) {
        const shown = yield* get(href, cookie)
        assert.include(shown.text, "1 of 2 candidates invited")
        assert.include(shown.text, "Row 2: this address has unsubscribed")
        assert.notInclude(shown.text, "Invited before")
      }
      // sending the form again shows the same results and invites no one
      assert.strictEqual((yield* send({ ...wanted, "c.1.email": "grace@example.com" })).location, href)
      assert.strictEqual(yield* count("email", id), 1)
      const list = `/invitations?set=${set.id}`
      const { cookie: colleague } = yield* signedIn(id, "admin")
      assert.strictEqual((yield* get(href, colleague)).location, list)
      assert.strictEqual((yield* get(`${path}/x`, cookie)).location, list)
      yield* sql`update form_submission set response = null where organization_id = ${id}::int`
      const running = yield* get(href, cookie)
      assert.include(running.text, "Inviting candidates…")
      assert.include(running.text, 'id="results" data-refresh')
      yield* sql`update form_submission set created_at = created_at - interval '2 minutes' where organization_id = ${id}::int`
      assert.include((yield* get(href, cookie)).text, "The result of this invite is unknown")
      // encrypted responses may name the erased person
      const [person] = yield* sql<{ id: CandidateId }>`
        select id from candidate where organization_id = ${id}::int and email = 'ada@example.com'`
      yield* (yield* People).erase(id, person?.id ?? assert.fail())
      assert.strictEqual((yield* get(href, cookie)).location, list)
    }),
  )

  it.effect("shows errors beside fields and lines, invites no one and keeps the input", () =>
    Effect.gen(function* () {
      const { id, invite } = yield* start()
      const answer = yield* invite({
        "c.0.name": hostile,
        "c.1.email": "grace@example.com",
        "c.2.email": "eva@example",
        table: `name,email,id\nAda,,\nBob,bob@example.com,not-a-uuid\nCid,cid@,\n${hostile.replaceAll(/["',]/g, "")},x@example.com,`,
        message: "Short",
      })
      assert.strictEqual(answer.status, 422)
      assert.include(answer.text, "No candidates were invited")
      assert.include(answer.text, 'id="c.0.email-error">Enter an address or a link to a CV.')
      assert.include(answer.text, 'id="c.2.email-error">The address must be a valid email address.')
      assert.include(answer.text, "Line 2: Enter an address")
      assert.include(answer.text, "Line 3: The id must be a UUID: send any other id as external_id.")
      assert.include(answer.text, "Line 4: The address must be a valid email address.")
      assert.include(answer.text, 'id="message-error">The message must have at least 10 characters.')
      const unknown = yield* invite({ "c.0.email": "ada@example.com", message: "Hello {{vorname}}, welcome." })
      assert.strictEqual(unknown.status, 422)
      assert.include(
        unknown.text,
        'id="message-error">The message must have no words in double braces other than {{name}},',
      )
      assert.include(answer.text, 'value="grace@example.com"')
      assert.include(answer.text, "Bob,bob@example.com,not-a-uuid")
      assert.notInclude(answer.text, "<script>alert")
      for (const [table, fault] of [
        ['a,"b', "Line 1: a quote is opened and not closed."],
        ["name,phone\nAda,1", "Line 1: there is neither an address nor a column named email or cv."],
      ] as const) {
        assert.include((yield* invite({ table })).text, fault)
      }
      assert.include((yield* invite({})).text, "Enter at least one candidate, in a row or in the table.")
      const tooMany = Array.from({ length: 1001 }, (_, i) => `c${i}@example.com`).join("\n")
      const refused = (yield* invite({ table: tooMany })).text
      assert.include(
        refused,
        'id="table-error">These are 1,001 candidates; one form must have at most 1000 candidates. Split the table',
      )
      assert.include(refused, "c1000@example.com", "what was typed stays")
      const tooLong = `ada@example.com,${"x".repeat(400_000)}`
      const long = yield* invite({ table: tooLong })
      assert.strictEqual(long.status, 422)
      assert.include(
        long.text,
        'id="table-error">The table has 400,016 characters; at most 400,000 are read at once. Split it',
      )
      assert.include(long.text, tooLong)
      assert.strictEqual(yield* count("candidate", id), 0)
    }),
  )

  it.effect("invites a thousand candidates and shows a small page", () =>
    Effect.gen(function* () {
      const { id, invite } = yield* start()
      const table = `email,name\n${Array.from({ length: 1000 }, (_, i) => `candidate${i}@example.com,"Name, of ${i}"`).join("\n")}`
      const answer = yield* invite({ table })
      assert.strictEqual(answer.status, 200)
      assert.include(answer.text, "1000 candidates invited")
      assert.isBelow(answer.bytes.length, 60_000)
      assert.strictEqual(yield* count("email", id), 1000)
      const { sql } = yield* Database
      yield* sql`delete from email where organization_id = ${id}::int`
    }),
  )

  it.effect("adds rows, creates links without mails, takes CV links for a CV set, offers job posts", () =>
    Effect.gen(function* () {
      const { id, cookie, fields, invite, path, set } = yield* start()
      const more = yield* post(path, cookie, withFields(fields, { "c.0.name": "Ada", do: "add" }))
      assert.strictEqual(more.status, 200)
      assert.include(more.text, 'name="c.2.email"')
      assert.include(more.text, 'value="Ada"')
      const links = yield* invite({ "c.0.email": "ada@example.com", send: "links" })
      assert.match(links.text, /<code id="link-[\w-]{36}">http:\/\/localhost:8080\/i\/[\w-]{44}<\/code>/)
      assert.strictEqual(yield* count("email", id), 0)
      const project = yield* (yield* Projects).create(operator(id), "Payments")
      const post_ = yield* (yield* Projects).createJobPost(operator(id), project, "Backend, Hamburg")
      const { sql } = yield* Database
      yield* sql`update interview_set set project_id = ${project}::uuid where id = ${set.id}::uuid`
      const offered = yield* get(path, cookie)
      assert.include(offered.text, "Backend, Hamburg")
      yield* invite({ "c.0.email": "ada@example.com", job_post: post_ })
      assert.lengthOf(yield* sql`select from application where organization_id = ${id}::int`, 1)
      const cvs = yield* (yield* InterviewSets).create(operator(id), { title: "CVs", set_type: 2 })
      const cvPath = `/interview-sets/${cvs.id}/invite`
      const missing = yield* post(cvPath, cookie, {
        "c.0.email": "a@example.com",
        "c.0.cv": "",
        "c.0.name": "",
        do: "invite",
      })
      assert.strictEqual(missing.status, 422)
      assert.include(missing.text, 'id="c.0.cv-error">The CV&#39;s link is required for a CV set.')
      const accepted = yield* post(cvPath, cookie, {
        "c.0.email": "",
        "c.0.cv": "https://cv.example/a.pdf",
        "c.0.name": "A",
        do: "invite",
      })
      assert.include((yield* get(accepted.location ?? "", cookie)).text, "CV received")
      yield* post(`/interview-sets/${set.id}/archive`, cookie)
      const archived = yield* invite({ "c.0.email": "late@example.com" })
      assert.strictEqual(archived.status, 409)
      assert.include(archived.text, "the set is archived")
    }),
  )

  it.effect("removes extra time again until the candidate starts, and sends no email about it", () =>
    Effect.gen(function* () {
      const { id, cookie, set } = yield* start({ interview_duration: 30 })
      const { subject, token } = yield* Scenario.invited({ id, set })
      const interviews = yield* Interviews
      const path = `/invitations/${subject.invitation_id}`
      yield* runOnce((yield* EmailQueue).queue)
      const form = Effect.map(get(path, cookie), ({ text }) => fieldsOf(text, `${path}/extend`))
      const choose = (fields: ReadonlyArray<readonly [string, string]>, factor: string) =>
        post(`${path}/extend`, cookie, withFields(fields, { factor }))
      const old = yield* form
      const given = yield* choose(old, "1.5")
      assert.strictEqual(given.location, `${path}?done=extended`)
      assert.strictEqual((yield* interviews.view(token)).minutes, 45)
      // the old form showed "No extra time", and changes nothing
      assert.strictEqual((yield* choose(old, "1")).status, 422)
      assert.strictEqual((yield* interviews.view(token)).minutes, 45)
      const between = yield* choose(yield* form, "1.25")
      assert.strictEqual(between.status, 422)
      assert.include(between.text, "The time must not be less than the current factor, 1.5.")
      const refused = yield* Effect.flip(
        (yield* Invitations).extend(operator(id), subject.invitation_id ?? "", { time_factor: 1 }),
      )
      assert.strictEqual(refused._tag, "Invalid", "a hiring system does not remove it")
      const removed = yield* choose(yield* form, "1")
      assert.strictEqual(removed.location, `${path}?done=restored`)
      assert.include((yield* get(removed.location ?? "", cookie)).text, "The extra time was removed.")
      assert.strictEqual((yield* interviews.view(token)).minutes, 30)
      const { sql } = yield* Database
      const mails = yield* sql<{ mail: string }>`
        select kind || ' ' || state as mail from email where organization_id = ${id}::int order by created_at, kind`
      assert.deepStrictEqual(
        mails.map(({ mail }) => mail),
        ["invitation sent", "invitation_time cancelled"],
      )
      const again = yield* choose(yield* form, "2")
      assert.strictEqual(again.location, `${path}?done=extended`)
      const last = yield* form
      yield* interviews.start(token)
      const late = yield* choose(last, "1")
      assert.strictEqual(late.status, 409)
      assert.include(late.text, "the candidate has started")
      assert.strictEqual((yield* interviews.view(token)).minutes, 60)
      assert.deepStrictEqual(yield* audit(id), ["invitation.extend", "invitation.extend", "invitation.extend"])
    }),
  )

  it.effect("shows, resends, extends and cancels an invitation", () =>
    Effect.gen(function* () {
      const { id, cookie, set } = yield* start({ interview_duration: 30 })
      const { subject } = yield* Scenario.invited({ id, set })
      const path = `/invitations/${subject.invitation_id}`
      yield* runOnce((yield* EmailQueue).queue)
      const shown = yield* get(path, cookie)
      assert.match(
        shown.text,
        /Invited as <bdi>ada@example.com<\/bdi>[\s\S]*Email sent[\s\S]*Email delivered[\s\S]*Last day to start/,
      )
      assert.match(shown.text, /value="http:\/\/localhost:8080\/i\/[\w-]{44}"/)
      assert.isBelow(shown.bytes.length, 60_000)
      for (let i = 0; i < 2; i++)
        assert.strictEqual((yield* post(`${path}/resend`, cookie)).location, `${path}?done=resent`)
      assert.strictEqual(yield* count("email", id), 2, "no mail is queued while one waits")
      // a double click sends one mail, also when the first was sent meanwhile
      yield* runOnce((yield* EmailQueue).queue)
      const form = fieldsOf((yield* get(path, cookie)).text, `${path}/resend`)
      for (let i = 0; i < 2; i++) {
        assert.strictEqual((yield* post(`${path}/resend`, cookie, form)).location, `${path}?done=resent`)
        yield* runOnce((yield* EmailQueue).queue)
      }
      assert.strictEqual(yield* count("email", id), 3)
      const extend = (fields: Record<string, string>) => post(`${path}/extend`, cookie, fields)
      const early = yield* extend({ until: "2026-11-03T10:00", factor: "1" })
      assert.strictEqual(early.status, 422)
      assert.include(
        early.text,
        'id="until-error">The deadline must be later than the current deadline, <time datetime="2026-12-02T09:42:00.000Z"',
      )
      assert.include(early.text, 'value="2026-11-03T10:00"')
      for (const [fields, fault] of [
        [{ until: "soon", factor: "1" }, "The deadline must be an ISO 8601 time"],
        [{ until: "", factor: "99" }, "The time must be from 1 to 10."],
        [{ until: "", factor: "" }, "Choose a later deadline, or more time."],
        [{ until: "2099-01-01T00:00", factor: "1" }, "The deadline must not be later than"],
      ] as const) {
        const refused = yield* extend(fields)
        assert.strictEqual(refused.status, 422)
        assert.include(refused.text, fault)
      }
      const later = yield* extend({ until: "2026-12-20T10:00", factor: "1.5" })
      assert.strictEqual(later.location, `${path}?done=extended`)
      const after = yield* get(path, cookie)
      assert.include(after.text, 'value="2026-12-20T10:00"')
      assert.include(after.text, "As now: 1.5× time")
      const { sql } = yield* Database
      const [stored] = yield* sql<{ factor: number; until: Date }>`
        select time_factor::float8 as factor, expires_at as until from submission where id = ${subject.submission_id}::uuid`
      assert.deepStrictEqual(stored, { factor: 1.5, until: new Date("2026-12-20T10:00:00Z") })
      assert.include((yield* get(`${path}/cancel`, cookie)).text, "Cancel the invitation?")
      for (let i = 0; i < 2; i++) {
        assert.strictEqual((yield* post(`${path}/cancel`, cookie)).location, `${path}?done=cancelled`)
      }
      const over = yield* get(path, cookie)
      assert.include(over.text, "This invitation is closed.")
      const refused = yield* post(`${path}/resend`, cookie)
      assert.strictEqual(refused.status, 409)
      assert.include(refused.text, "Not done: the invitation was cancelled")
      assert.deepStrictEqual(yield* audit(id), [
        "invitation.resend",
        "invitation.resend",
        "invitation.extend",
        "invitation.cancel",
      ])
    }),
  )

  it.effect("lets recruiters see and invite to sets whose access list has them only", () =>
    Effect.gen(function* () {
      const one = yield* Scenario.organization({ title: "Hidden set" })
      const hidden = yield* Scenario.invited(one, "hidden@example.com")
      const own = yield* (yield* InterviewSets).create(operator(one.id), {
        title: "Own set",
        com_accesses: [{ email: "R.Two@example.com" }],
      })
      const mine = yield* Scenario.invited({ id: one.id, set: own }, "mine@example.com")
      const foreign = yield* Effect.flatMap(Scenario.organization(), Scenario.invited)
      const { cookie } = yield* signedIn(one.id, "recruiter", "r.two@example.com")
      const list = yield* get("/invitations", cookie)
      assert.include(list.text, "Own set")
      assert.notInclude(list.text, "Hidden set")
      assert.strictEqual((yield* get(`/invitations/${mine.subject.invitation_id}`, cookie)).status, 200)
      const steps = ["resend", "cancel", "extend"]
      for (const [subject, status] of [
        [hidden.subject, 403],
        [foreign.subject, 404],
      ] as const) {
        const path = `/invitations/${subject.invitation_id}`
        assert.strictEqual((yield* get(path, cookie)).status, status)
        assert.strictEqual((yield* get(`${path}/cancel`, cookie)).status, status)
        assert.strictEqual((yield* get(`/invitations?set=${subject.interview_set_id}`, cookie)).status, status)
        for (const step of steps) assert.strictEqual((yield* post(`${path}/${step}`, cookie)).status, status, step)
        const invite = `/interview-sets/${subject.interview_set_id}/invite`
        assert.strictEqual((yield* get(invite, cookie)).status, status)
        const fields = { "c.0.email": "new@example.com", do: "invite" }
        assert.strictEqual((yield* post(invite, cookie, fields)).status, status)
      }
      assert.strictEqual((yield* get("/invitations/x", cookie)).status, 404)
      assert.deepStrictEqual(yield* audit(one.id), [])
    }),
  )

  it.effect("refuses to extend a started interview, with the reason", () =>
    Effect.gen(function* () {
      const { id, cookie, set } = yield* start({ interview_duration: 30 })
      const { subject, token } = yield* Scenario.invited({ id, set })
      const path = `/invitations/${subject.invitation_id}`
      yield* (yield* Interviews).start(token)
      const shown = yield* get(path, cookie)
      assert.notInclude(shown.text, "Give more time")
      const refused = yield* post(`${path}/extend`, cookie, { until: "2026-12-20T10:00", factor: "2" })
      assert.strictEqual(refused.status, 409)
      assert.include(refused.text, "the candidate has started")
    }),
  )
})
