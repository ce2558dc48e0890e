/** `email bounce` with piped messages, up to the webhook event, and `email mark-sent` with the log of a mail server. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { EmailEventProcessor } from "../../src/emails/EmailEventProcessor.ts"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import { EmailRepository } from "../../src/emails/EmailRepository.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { smtpServer } from "../port/smtpServer.ts"
import { complaint, mailId, others, postfix } from "../support/bounces.ts"
import * as cli from "../support/cli.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import { freshDatabase, urlsOf } from "../support/TestDatabase.ts"

const sent = Effect.gen(function* () {
  const candidate = yield* Scenario.invited(yield* Scenario.organization())
  const { sql } = yield* Database
  yield* sql`update email set id = ${mailId}::uuid`
  yield* runOnce((yield* EmailQueue).queue)
  return candidate
})

/** A process on the same database as the commands. */
const onDatabase = <A, E, R>(
  test: (
    bounce: (message: string, ...args: ReadonlyArray<string>) => Effect.Effect<cli.Output>,
  ) => Effect.Effect<A, E, R>,
) =>
  Effect.gen(function* () {
    const url = yield* freshDatabase
    const pod = Pod.services({ send: () => Effect.succeed({ providerMessageId: null, delivered: false }) }).pipe(
      Layer.provideMerge(Database.layer({ ...urlsOf(url), maxConnections: 3 })),
    )
    const bounce = (message: string, ...args: ReadonlyArray<string>) =>
      cli.pipe({ DATABASE_URL: url }, message, "email", "bounce", ...args)
    return yield* Effect.provide(Effect.scoped(test(bounce)), pod, { local: true })
  }).pipe(Effect.scoped)

const apply = Effect.flatMap(EmailEventProcessor, ({ apply }) => apply)

describe("email bounce", () => {
  it.live("a bounce fails the invitation once, with an event that does not name the interview", () =>
    onDatabase((bounce) =>
      Effect.gen(function* () {
        const { subject } = yield* sent
        for (const applied of [1, 0]) {
          const output = yield* bounce(postfix())
          assert.deepStrictEqual(output, { code: 0, stdout: `email ${mailId}: not delivered (5.1.1)\n`, stderr: "" })
          assert.strictEqual(yield* apply, applied)
        }
        assert.deepStrictEqual(yield* Scenario.dataOf("invitation.status.update"), [
          { ...subject, status: "invitation_email_failed", reason: "bounce" },
        ])
        const { sql } = yield* Database
        assert.deepStrictEqual(yield* sql`select status, failure_reason from invitation`, [
          { status: "failed", failure_reason: "bounce" },
        ])
      }),
    ),
  )

  it.live("a report that does not blame the recipient is no bounce", () =>
    onDatabase((bounce) =>
      Effect.gen(function* () {
        yield* sent
        const refused = "550 5.7.1 Service unavailable; client blocked using Spamhaus"
        yield* bounce(
          postfix({ status: "5.7.1" }).replace(/Diagnostic-Code: .*(\n[ \t].*)*/, `Diagnostic-Code: smtp; ${refused}`),
        )
        yield* apply
        const { sql } = yield* Database
        assert.deepStrictEqual(yield* sql`select status, failure_reason from invitation`, [
          { status: "failed", failure_reason: "dropped" },
        ])
      }),
    ),
  )

  it.live("a complaint marks spam and stops mails; a delivery report marks delivered", () =>
    onDatabase((bounce) =>
      Effect.gen(function* () {
        yield* sent
        yield* bounce(postfix({ action: "delivered", status: "2.0.0" }))
        const { stdout } = yield* bounce(complaint())
        assert.strictEqual(stdout, `email ${mailId}: reported as spam: no more emails go there\n`)
        yield* apply
        const events = yield* Scenario.dataOf("invitation.status.update")
        assert.deepStrictEqual(
          events.map(({ reason, status }) => [status, reason]),
          [
            ["invitation_email_delivered", "delivered"],
            ["invitation_email_spam", "spam"],
          ],
        )
        const { sql } = yield* Database
        assert.deepStrictEqual(yield* sql`select email, reason from suppression`, [
          { email: "ada@example.com", reason: "spam" },
        ])
      }),
    ),
  )

  it.live("prints that a message is not a report, and changes nothing", () =>
    onDatabase((bounce) =>
      Effect.gen(function* () {
        const { stdout } = yield* bounce(others["a reply"] ?? "")
        assert.strictEqual(stdout, "not a report on an email of this service\n")
        const large = `${others["a reply"]}\n${"x".repeat(11 * 1024 * 1024)}`
        assert.deepStrictEqual(yield* bounce(large), {
          code: 0,
          stdout: "ignored, larger than 10 MiB: not a report on an email of this service\n",
          stderr: "",
        })
        const unknown = yield* bounce(postfix(), "--json")
        assert.deepStrictEqual([unknown.code, JSON.parse(unknown.stdout)], [0, { report: null }])
        yield* sent
        const known = yield* bounce(postfix(), "--json")
        assert.deepInclude(JSON.parse(known.stdout).report, { emailId: mailId, kind: "bounce" })
      }),
    ),
  )

  it.live("exits with 75 without the database, so that the mail server retries", () =>
    Effect.gen(function* () {
      const nowhere = { DATABASE_URL: "postgres://user:hidden@127.0.0.1:1/nowhere" }
      const output = yield* cli.pipe(nowhere, postfix(), "email", "bounce")
      assert.strictEqual(output.code, 75)
      assert.match(
        output.stderr,
        /^error: DATABASE_URL \(127\.0\.0\.1:1\/nowhere, as user\): [^\n]*ECONNREFUSED[^\n]+\n$/,
      )
      assert.notInclude(output.stderr, "hidden")
    }),
  )
})

describe("email test", () => {
  it.live("sends one email without a database and SECRET_KEY, and prints the dialogue, or why the server refuses", () =>
    Effect.gen(function* () {
      const { port, script, taken } = yield* smtpServer()
      const settings = {
        APP_URL: "https://jobs.acme.example",
        EMAIL: "smtp",
        EMAIL_FROM: "jobs@acme.example",
        SMTP_URL: `smtp://127.0.0.1:${port}`,
      }
      const test = (address: string, rest: Record<string, string> = {}) =>
        cli.pipe({ ...settings, ...rest }, "", "email", "test", address)
      const sent = yield* test("ada@example.com")
      assert.deepInclude(sent, { code: 0, stderr: "" })
      for (const line of [
        "C: EHLO jobs.acme.example",
        "C: RCPT TO:<ada@example.com>",
        "sent: the provider accepted the email",
      ]) {
        assert.include(sent.stdout.split("\n"), line)
      }
      assert.lengthOf(taken, 1)
      Object.assign(script, { recipient: 554, says: "5.7.1 Relay access denied" })
      const refused = yield* test("ada@example.com")
      assert.strictEqual(refused.code, 1)
      assert.include(refused.stderr, "not sent: 554 5.7.1 Relay access denied")
      assert.include(refused.stderr, "does not relay for this service")
      Object.assign(script, { recipient: undefined, mailFrom: 550, says: "as the test says" })
      assert.strictEqual(
        (yield* test("ada@example.com")).stderr,
        "error: not sent: 550 as the test says\nthe mail server refuses emails: it refuses this service before an email is handed over\n",
      )
      assert.include((yield* test("nobody")).stderr, "must be a valid email address")
      assert.include((yield* test("ada@example.com", { EMAIL: "mailbox" })).stderr, "EMAIL=mailbox sends no emails")
    }).pipe(Effect.scoped),
  )
})

describe("email mark-sent", () => {
  /** Queues four emails: one in flight, one before its first attempt, one to a member, and one that is not in the log. */
  const waiting = Effect.gen(function* () {
    const organization = yield* Scenario.organization()
    yield* Scenario.invited(organization, "flight@example.com")
    const { queue } = yield* EmailQueue
    yield* Effect.forEach(yield* queue.claim(1), queue.perform)
    yield* Scenario.invited(organization, "first@example.com")
    yield* Scenario.invited(organization, "other@example.com")
    const { sql } = yield* Database
    yield* sql`insert into email (id, organization_id, kind, recipient, subject, html, text)
      values (gen_random_uuid(), ${organization.id}::int, 'review_mention', 'member@example.com', 's', 'h', 't')`
    const rows = yield* sql<{ id: string; recipient: string }>`select id, recipient from email`
    return (name: string) => rows.find(({ recipient }) => recipient.startsWith(name))?.id ?? assert.fail(name)
  })
  const states = Effect.gen(function* () {
    const { sql } = yield* Database
    const rows = yield* sql<{ text: string }>`
      select concat_ws(' ', split_part(e.recipient, '@', 1), e.state, i.status) as text
      from email e left join invitation i on i.id = e.invitation_id order by 1`
    return rows.map(({ text }) => text)
  })

  it.live("marks the emails in a mail server's log as sent, once, and no others; the marked emails are not sent", () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase
      const sending: Array<string> = []
      const pod = Pod.services({
        send: ({ to }) => Effect.sync(() => ({ providerMessageId: String(sending.push(to)), delivered: false })),
      }).pipe(Layer.provideMerge(Database.layer({ ...urlsOf(url), maxConnections: 3 })))
      yield* Effect.gen(function* () {
        const idOf = yield* waiting
        const log = `
          postfix/cleanup[7]: 4F1: message-id=<${idOf("flight")}@jobs.acme.example>
          postfix/cleanup[7]: 4F2: message-id=<${idOf("first").toUpperCase()}@localhost>, again=<${idOf("first")}@localhost>
          postfix/cleanup[7]: 4F3: message-id=<20300131180000.7@other.example>
          postfix/cleanup[7]: 4F4: message-id=<0190b5a2-7c1e-7def-8abc-0123456789ab@gone.example>
          {"email_id":"${idOf("member")}","event":"processed"}`
        const mark = cli.pipe({ DATABASE_URL: url, SECRET_KEY: cli.secretKey }, log, "email", "mark-sent")
        assert.deepStrictEqual(yield* mark, { code: 0, stdout: "marked: 3\n", stderr: "" })
        assert.deepStrictEqual(yield* states, [
          "first sent sent",
          "flight sent sent",
          "member sent",
          "other queued pending",
        ])
        assert.strictEqual((yield* mark).stdout, "marked: 0\n")
        // the mailbox lists emails with a text
        const listed = yield* (yield* EmailRepository).newest(10)
        assert.deepStrictEqual(listed.map(({ recipient }) => recipient).toSorted(), [
          "flight@example.com",
          "member@example.com",
        ])
        yield* runOnce((yield* EmailQueue).queue)
        assert.deepStrictEqual(sending, ["flight@example.com", "other@example.com"])
      }).pipe(Effect.scoped, Effect.provide(pod, { local: true }))
    }).pipe(Effect.scoped),
  )

  it.live("refuses a text without a Message-ID of this service", () =>
    Effect.gen(function* () {
      const environment = { DATABASE_URL: yield* freshDatabase, SECRET_KEY: cli.secretKey }
      const output = yield* cli.pipe(environment, "status=sent (250 ok)\n", "email", "mark-sent")
      assert.deepStrictEqual(output, {
        code: 1,
        stdout: "",
        stderr: "error: stdin has no Message-ID of this service\n",
      })
    }).pipe(Effect.scoped),
  )
})
