/** `email bounce` with piped messages, up to the webhook event. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { EmailEventProcessor } from "../../src/emails/EmailEventProcessor.ts"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
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
