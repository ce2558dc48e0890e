/** The workspace's pages about invitations, over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import { InterviewSets } from "../../src/interview-sets/InterviewSets.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Invitations } from "../../src/invitations/Invitations.ts"
import { InviteRequest } from "../../src/invitations/InviteRequest.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { Server } from "../support/Api.ts"
import { fieldsOf, get, post, settings, signedIn, withFields } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import { count, memberActions } from "../support/Tables.ts"

const pages = Server.layer.pipe(
  Layer.provide(App.serve(App.pages)),
  Layer.provideMerge(Pod.layer({ settings })),
  Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(Date.parse("2026-11-02T09:42:00Z")))),
)

const start = Effect.fnUntraced(function* (changes: Parameters<typeof Scenario.organization>[0] = {}) {
  const one = yield* Scenario.organization(changes)
  const { cookie, email } = yield* signedIn(one.id)
  return { ...one, cookie, email }
})

layer(pages)("invitations in the workspace", (it) => {
  it.effect("removes extra time until the candidate starts, and sends no email about it", () =>
    Effect.gen(function* () {
      const { id, cookie, set } = yield* start({ interview_duration: 30 })
      const { subject, token } = yield* Scenario.invited({ id, set })
      const interviews = yield* Interviews
      const path = `/invitations/${subject.invitation_id}`
      const page = `/submissions/${subject.submission_id}`
      yield* runOnce((yield* EmailQueue).queue)
      const form = Effect.map(get(page, cookie), ({ text }) => fieldsOf(text, `${path}/extend`))
      const choose = (fields: ReadonlyArray<readonly [string, string]>, factor: string) =>
        post(`${path}/extend`, cookie, withFields(fields, { factor }))
      const old = yield* form
      const given = yield* choose(old, "1.5")
      assert.strictEqual(given.location, `${page}?done=extended`)
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
      assert.strictEqual(removed.location, `${page}?done=restored`)
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
      assert.strictEqual(again.location, `${page}?done=extended`)
      const last = yield* form
      yield* interviews.start(token)
      const late = yield* choose(last, "1")
      assert.strictEqual(late.status, 409)
      assert.include(late.text, "the candidate has started")
      assert.strictEqual((yield* interviews.view(token)).minutes, 60)
      assert.deepStrictEqual(yield* memberActions(id), ["invitation.extend", "invitation.extend", "invitation.extend"])
    }),
  )

  it.effect("shows, resends, extends and cancels an invitation", () =>
    Effect.gen(function* () {
      const { id, cookie, email, set } = yield* start({ interview_duration: 30 })
      const { subject } = yield* Scenario.invited({ id, set })
      const path = `/invitations/${subject.invitation_id}`
      const page = `/submissions/${subject.submission_id}`
      yield* runOnce((yield* EmailQueue).queue)
      const shown = yield* get(page, cookie)
      assert.strictEqual((yield* get(path, cookie)).location, `${page}#invitation`)
      // links to the former list of invitations lead to submissions
      const list = (query: string) => Effect.map(get(`/invitations${query}`, cookie), ({ location }) => location)
      assert.strictEqual(yield* list(`?set=${set.id}`), `/submissions?set=${set.id}`)
      assert.strictEqual(yield* list("?set=x&status=sold&cursor=1"), "/submissions")
      assert.strictEqual(
        yield* list(`?set=${set.id}&status=delivered`),
        `/submissions?set=${set.id}&invitation=delivered`,
      )
      // newest first
      const timeline = shown.text.slice(shown.text.indexOf('id="timeline"'))
      assert.match(
        timeline,
        /Deadline to start[\s\S]*Email delivered[\s\S]*Email sent[\s\S]*Invited at <bdi>ada@example.com<\/bdi>/,
      )
      assert.notMatch(timeline, /Email sent[\s\S]*Email sent/, "the first email is one step")
      assert.include(shown.text, "<dt>Reminder</dt><dd>Before the deadline, if the interview is not started</dd>")
      assert.match(shown.text, /value="http:\/\/localhost:8080\/i\/[\w-]{44}"/)
      assert.isBelow(shown.bytes.length, 60_000)
      const mailed = "The candidate gets an email about a later deadline or more time."
      assert.include(shown.text, mailed)
      assert.notInclude(shown.text, "Save and notify")
      const { sql } = yield* Database
      yield* sql`
        insert into suppression (organization_id, email, reason) values (${id}::int, 'ada@example.com', 'bounced')`
      assert.notInclude((yield* get(page, cookie)).text, mailed)
      yield* sql`delete from suppression where organization_id = ${id}::int`
      for (let i = 0; i < 2; i++)
        assert.strictEqual((yield* post(`${path}/resend`, cookie)).location, `${page}?done=resent`)
      assert.strictEqual(yield* count("email", id), 2, "no mail is queued while one waits")
      // a double click sends one mail, also when the first was sent meanwhile
      yield* runOnce((yield* EmailQueue).queue)
      const form = fieldsOf((yield* get(page, cookie)).text, `${path}/resend`)
      for (let i = 0; i < 2; i++) {
        assert.strictEqual((yield* post(`${path}/resend`, cookie, form)).location, `${page}?done=resent`)
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
      assert.strictEqual(later.location, `${page}?done=extended`)
      const after = yield* get(page, cookie)
      assert.include(after.text, 'value="2026-12-20T10:00"')
      assert.include(after.text, "Current: 1.5× time (45 minutes)")
      const [stored] = yield* sql<{ factor: number; until: Date }>`
        select time_factor::float8 as factor, expires_at as until from submission where id = ${subject.submission_id}::uuid`
      assert.deepStrictEqual(stored, { factor: 1.5, until: new Date("2026-12-20T10:00:00Z") })
      assert.include((yield* get(`${path}/cancel`, cookie)).text, "Cancel the invitation?")
      for (let i = 0; i < 2; i++) {
        assert.strictEqual((yield* post(`${path}/cancel`, cookie)).location, `${page}?done=cancelled`)
      }
      const over = yield* get(page, cookie)
      assert.include(over.text, ">Invite again</a>")
      assert.notInclude(over.text, ">Send the email again<")
      const refused = yield* post(`${path}/resend`, cookie)
      assert.strictEqual(refused.status, 409)
      assert.include(refused.text, "The invitation was not changed: the invitation was cancelled")
      for (const step of ["resend", "extend"])
        assert.strictEqual((yield* get(`${path}/${step}`, cookie)).location, `${page}#invitation`)
      for (const [step, count] of [
        ["Invitation sent again by", 2],
        ["More time given: until", 1],
        ["Invitation cancelled by", 1],
        ["Email “New deadline” is waiting|Email “New deadline” cancelled", 1],
      ] as const) {
        assert.lengthOf(over.text.match(new RegExp(step, "g")) ?? [], count, step)
      }
      assert.match(over.text, new RegExp(`Invitation cancelled by <bdi>${email}</bdi>`))
      assert.deepStrictEqual(yield* memberActions(id), [
        "invitation.resend",
        "invitation.resend",
        "invitation.extend",
        "invitation.cancel",
      ])
    }),
  )

  it.effect("shows the personal message as it was sent", () =>
    Effect.gen(function* () {
      const { cookie, id, set } = yield* start()
      const [result] = yield* Scenario.invite(
        operator(id),
        InviteRequest.make({
          com_interview_set_id: set.id,
          candidates: [{ email: "ada@exmaple.com", name: "Ada Lovelace" }],
          invitation_message: "Dear {{firstname}}, please answer for {{organization}} soon.",
        }),
      )
      const page = `/submissions/${result?.submission?.id}`
      const sent = (yield* get(page, cookie)).text
      assert.include(sent, "Dear Ada, please answer for Acme soon.")
      assert.notInclude(sent, "{{")
    }),
  )

  it.effect("omits the status of the email once the candidate has started", () =>
    Effect.gen(function* () {
      const { id, cookie, set } = yield* start()
      const { subject, token } = yield* Scenario.invited({ id, set })
      const { sql } = yield* Database
      yield* sql`update invitation set status = 'opened' where organization_id = ${id}::int`
      const tag = Effect.map(get(`/submissions/${subject.submission_id}`, cookie), ({ text }) =>
        text.includes('<span class="tag on">Opened</span>'),
      )
      assert.isTrue(yield* tag)
      yield* (yield* Interviews).start(token)
      assert.isFalse(yield* tag)
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
      const redirected = yield* get(`/invitations/${mine.subject.invitation_id}`, cookie)
      assert.strictEqual(redirected.location, `/submissions/${mine.subject.submission_id}#invitation`)
      const steps = ["resend", "cancel", "extend"]
      for (const [subject, status] of [
        [hidden.subject, 403],
        [foreign.subject, 404],
      ] as const) {
        const path = `/invitations/${subject.invitation_id}`
        assert.strictEqual((yield* get(path, cookie)).status, status)
        assert.strictEqual((yield* get(`${path}/cancel`, cookie)).status, status)
        assert.strictEqual((yield* get(`/submissions?set=${subject.interview_set_id}`, cookie)).status, status)
        for (const step of steps) assert.strictEqual((yield* post(`${path}/${step}`, cookie)).status, status, step)
        const invite = `/interview-sets/${subject.interview_set_id}/invite`
        assert.strictEqual((yield* get(invite, cookie)).status, status)
        const fields = { "c.0.email": "new@example.com", do: "invite" }
        assert.strictEqual((yield* post(invite, cookie, fields)).status, status)
      }
      assert.strictEqual((yield* get("/invitations/x", cookie)).status, 404)
      assert.deepStrictEqual(yield* memberActions(one.id), [])
    }),
  )

  it.effect(
    "gives more time to a running interview, but no later deadline to start, and offers no new invitation once submitted",
    () =>
      Effect.gen(function* () {
        const { id, cookie, set } = yield* start({ interview_duration: 30 })
        const { subject, token } = yield* Scenario.invited({ id, set })
        const path = `/invitations/${subject.invitation_id}`
        yield* (yield* Interviews).start(token)
        const page = Effect.map(get(`/submissions/${subject.submission_id}`, cookie), ({ text }) => text)
        assert.match(yield* page, /Give more time[\s\S]*The candidate has started: the clock on the open page/)
        assert.notInclude(yield* page, 'name="until"')
        const refused = yield* post(`${path}/extend`, cookie, { until: "2026-12-20T10:00", factor: "2" })
        assert.strictEqual(refused.status, 409)
        assert.include(refused.text, "the candidate has started")
        const extended = yield* post(`${path}/extend`, cookie, { factor: "2" })
        assert.strictEqual(extended.status, 303, extended.text)
        const told = yield* get(extended.location ?? "", cookie)
        assert.match(told.text, /Saved\.[^<]*No email is sent\./)
        assert.notInclude(told.text, "The candidate gets an email")
        assert.notInclude(told.text, "<dt>Reminder</dt>")
        assert.strictEqual((yield* (yield* Interviews).view(token)).minutes, 60)
        // an invite would skip a candidate who has submitted answers
        yield* (yield* Interviews).finish(token, [])
        assert.include(yield* page, "The interview was submitted without answers.")
        assert.notInclude(yield* page, `/interview-sets/${set.id}/invite`)
      }),
  )
})
