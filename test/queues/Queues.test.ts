/** The console of the queues over HTTP, verified in the tables. */
import { assert, layer } from "@effect/vitest"
import { Clock, Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import { EmailNotSent } from "../../src/emails/EmailSender.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { QueueActivity } from "../../src/platform/queue/QueueActivity.ts"
import { queueTables } from "../../src/platform/queue/QueueSql.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { QueueConsole } from "../../src/queues/QueueConsole.ts"
import { jobStates } from "../../src/queues/QueuedJob.ts"
import type { OrganizationId } from "../../src/values/Ids.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Settings from "../support/Settings.ts"

const href = "/settings/queues"

/** The cells of a queue: running, due, waiting, paused, failed. */
const countsOf = (page: string, queue: string): ReadonlyArray<string> => {
  const [, row] = new RegExp(`<tr><th scope="row">${queue}([\\s\\S]*?)</tr>`).exec(page) ?? assert.fail(`no ${queue}`)
  return [...(row ?? "").matchAll(/<td[^>]*>(?:<[^>]*>)*(\d+)/g)].map(([, count]) => count ?? "").slice(0, 5)
}

const emails = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { sql } = yield* Database
  return yield* sql<{ id: string; state: string; error: string | null; minutes: number | null }>`
    select id, state, error, extract(epoch from due_at - ${new Date(yield* Clock.currentTimeMillis)}::timestamptz)::float8 / 60 as minutes from email
    where organization_id = ${organization}::int order by id`
})

const round = Effect.flatMap(EmailQueue, ({ queue }) => runOnce(queue))

let isAway = true
layer(
  Settings.layer({
    send: () =>
      isAway
        ? Effect.fail(new EmailNotSent({ reason: "451 ada@example.com: try later", permanent: false }))
        : Effect.succeed({ providerMessageId: null, delivered: true }),
  }),
)("queues", (it) => {
  it.effect("show what is due, waits and failed, of one's own organization and without addresses", () =>
    Effect.gen(function* () {
      isAway = true
      const { foreigner, organization, other, owner, recruiter } = yield* Settings.begin
      yield* Scenario.invited(organization)
      yield* Scenario.invited(other, "bo@example.com")
      const browser = Settings.as(owner)
      assert.deepStrictEqual(countsOf((yield* browser.get(href)).text, "Emails"), ["0", "1", "0", "0", "0"])
      yield* round
      const shown = yield* browser.get(`${href}?queue=email&state=waiting`)
      assert.deepStrictEqual(countsOf(shown.text, "Emails"), ["0", "0", "1", "0", "0"])
      assert.include(shown.text, "451 …: try later")
      assert.notInclude(shown.text, "ada@example.com")
      const { sql } = yield* Database
      yield* sql`
        update email set state = 'failed', due_at = null, error = ${Settings.hostile} where organization_id = ${organization.id}::int`
      const failed = yield* browser.get(`${href}?queue=email&state=failed`)
      assert.deepStrictEqual(countsOf(failed.text, "Emails"), ["0", "0", "0", "0", "1"])
      assert.include(failed.text, "/submissions/")
      assert.deepStrictEqual(countsOf((yield* Settings.as(foreigner).get(href)).text, "Emails"), [
        "0",
        "0",
        "1",
        "0",
        "0",
      ])
      assert.strictEqual((yield* Settings.as(recruiter).get(href)).status, 403)
    }),
  )

  it.effect("are tried at once, or cancelled after a question; only one's own, and never what runs", () =>
    Effect.gen(function* () {
      isAway = true
      const { foreigner, organization, other, owner, recruiter } = yield* Settings.begin
      yield* Scenario.invited(organization)
      yield* Scenario.invited(other, "bo@example.com")
      yield* round
      const [own] = yield* emails(organization.id)
      const [theirs] = yield* emails(other.id)
      const browser = Settings.as(owner)
      const fields = { queue: "email", state: "waiting", job: own?.id ?? "" }
      assert.isAbove((yield* emails(organization.id))[0]?.minutes ?? 0, 0)
      assert.strictEqual((yield* Settings.as(recruiter).post(href, { ...fields, do: "makeDue" })).status, 403)
      const foreign = yield* Settings.as(foreigner).post(href, { ...fields, do: "makeDue" })
      assert.include(foreign.headers.get("location"), "count=0")
      const tried = yield* browser.post(href, { ...fields, do: "makeDue" })
      assert.include(tried.headers.get("location"), "count=1")
      assert.strictEqual((yield* emails(organization.id))[0]?.minutes, 0)
      assert.isAbove((yield* emails(other.id))[0]?.minutes ?? 0, 0)
      const question = yield* browser.post(href, { ...fields, do: "cancel" })
      assert.include(question.text, "Cancel 1 job?")
      const { sql } = yield* Database
      const claimed = sql`update email set claim_id = gen_random_uuid(), leased_until = now() + interval '100 years'`
      yield* claimed
      const running = yield* browser.post(href, { ...fields, do: "cancel", confirmed: "yes" })
      assert.include(running.headers.get("location"), "count=0")
      assert.deepStrictEqual(countsOf((yield* browser.get(href)).text, "Emails"), ["1", "0", "0", "0", "0"])
      yield* sql`update email set claim_id = null`
      yield* browser.post(href, [
        ...Object.entries({ ...fields, do: "cancel", confirmed: "yes" }),
        ["job", theirs?.id ?? ""],
        ["job", "7; drop table email"],
      ])
      isAway = false
      yield* round
      assert.deepInclude((yield* emails(organization.id))[0], { state: "failed", error: "It was cancelled." })
      assert.deepInclude((yield* emails(other.id))[0], { state: "queued" })
      const log = yield* Settings.audit(organization.id)
      assert.deepStrictEqual(
        log.filter(({ action }) => action.endsWith("_jobs")).map(({ action, detail }) => [action, detail]),
        [
          ["organization.try_jobs", { queue: "email", count: 1 }],
          ["organization.cancel_jobs", { queue: "email", count: 1 }],
        ],
      )
      const nothing = yield* browser.post(href, { queue: "email", state: "waiting", do: "makeDue" })
      assert.strictEqual(nothing.status, 422)
    }),
  )

  it.effect("do not try an evaluation that a candidate's notice still forbids", () =>
    Effect.gen(function* () {
      isAway = false
      const { organization, owner } = yield* Settings.begin
      yield* Scenario.completed(yield* Scenario.invited(organization))
      const { sql } = yield* Database
      yield* sql`update submission set notice_until = now() + interval '100 years'`
      yield* sql`update evaluation set due_at = now() + interval '100 years'`
      const [evaluation] = yield* sql<{ id: string }>`select id from evaluation`
      const browser = Settings.as(owner)
      const fields = { queue: "evaluation", state: "waiting", job: evaluation?.id ?? "" }
      const shown = yield* browser.get(`${href}?queue=evaluation&state=waiting`)
      assert.include(shown.text, "notice period")
      const tried = yield* browser.post(href, { ...fields, do: "makeDue" })
      assert.include(tried.headers.get("location"), "count=0")
      yield* sql`update submission set notice_until = null, score_unused = true`
      assert.include((yield* browser.post(href, { ...fields, do: "makeDue" })).headers.get("location"), "count=0")
      yield* sql`update submission set score_unused = false`
      assert.include((yield* browser.post(href, { ...fields, do: "makeDue" })).headers.get("location"), "count=1")
    }),
  )

  it.effect("have a list for each state", () =>
    Effect.gen(function* () {
      const { owner } = yield* Settings.begin
      const browser = Settings.as(owner)
      for (const queue of queueTables) {
        for (const state of jobStates) {
          const { status, text } = yield* browser.get(`${href}?queue=${queue}&state=${state}`)
          assert.strictEqual(status, 200)
          assert.include(text, 'id="jobs"')
        }
      }
      assert.notInclude((yield* browser.get(`${href}?queue=members&state=due`)).text, 'id="jobs"')
    }),
  )

  it.effect("show stopped queues, attempts, and the last run of each step", () =>
    Effect.gen(function* () {
      const { owner } = yield* Settings.begin
      const queueConsole = yield* QueueConsole
      const { attempt, failed, flush, ran } = yield* QueueActivity
      yield* queueConsole.pause("cv", "The reader is being replaced.")
      for (const outcome of ["sent", "sent", "failed"]) attempt("email", outcome)
      ran("sending reminders", Duration.minutes(1), 12, 3)
      yield* flush
      attempt("email", "sent")
      yield* TestClock.adjust("2 minutes")
      failed("sending reminders", Duration.minutes(1), "no row of ada@other.example")
      yield* flush
      const browser = Settings.as(owner)
      const shown = (yield* browser.get(href)).text
      assert.include(shown, "The reader is being replaced.")
      assert.match(shown, /Emails[\s\S]*3 sent, 1 failed/)
      assert.match(shown, /sending reminders<\/th>\s*<td[^>]*>1 minute<\/td>\s*<td[^>]*>2 minutes ago, 12 ms, 3 done/)
      assert.match(shown, /Failing<\/span> [^<]*ago</)
      assert.notInclude(shown, "no row of", "the error may be another organization's")
      const { steps } = yield* queueConsole.readOf(undefined)
      assert.strictEqual(steps.find(({ name }) => name === "sending reminders")?.error, "no row of …")
      yield* queueConsole.resume("cv")
      assert.notInclude((yield* browser.get(href)).text, "The reader is being replaced.")
      assert.strictEqual((yield* Effect.flip(queueConsole.resume("cv")))._tag, "Conflict")
    }),
  )
})
