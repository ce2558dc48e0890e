/** Commands that list mails, send failed ones again, and remove suppressions. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { operator } from "../../src/accounts/Viewer.ts"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import { EmailNotSent, type OutgoingEmail } from "../../src/emails/EmailSender.ts"
import { Invitations } from "../../src/invitations/Invitations.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import * as cli from "../support/cli.ts"
import * as Pod from "../support/Pod.ts"
import { overtaken } from "../support/races.ts"
import * as Scenario from "../support/Scenario.ts"
import { freshDatabase, urlsOf } from "../support/TestDatabase.ts"
import { unknownId } from "./onFreshDatabase.ts"

type Run = (...args: ReadonlyArray<string>) => Effect.Effect<cli.Output>

/** A process on the same database as the commands. While `script.fails`, its mails are rejected permanently. */
const onDatabase = <A, E, R>(
  test: (run: Run, script: { fails: boolean }, sent: ReadonlyArray<OutgoingEmail>) => Effect.Effect<A, E, R>,
) =>
  Effect.gen(function* () {
    const url = yield* freshDatabase
    const script = { fails: true }
    const sent: Array<OutgoingEmail> = []
    const pod = Pod.services({
      send: (mail) => {
        if (script.fails) return Effect.fail(new EmailNotSent({ reason: "554 no relay today", permanent: true }))
        sent.push(mail)
        return Effect.succeed({ providerMessageId: `sg-${sent.length}`, delivered: false })
      },
    }).pipe(Layer.provideMerge(Database.layer({ ...urlsOf(url), maxConnections: 5 })))
    const run: Run = (...args) => cli.run({ DATABASE_URL: url, SECRET_KEY: cli.secretKey }, ...args)
    return yield* Effect.provide(Effect.scoped(test(run, script, sent)), pod, { local: true })
  }).pipe(Effect.scoped)

const send = Effect.flatMap(EmailQueue, ({ queue }) => runOnce(queue))
const of = ["--organization", "1"]
const listed = ({ stdout }: cli.Output) =>
  JSON.parse(stdout) as { results: ReadonlyArray<Record<string, unknown>>; next_before: string | null }

describe("email commands", () => {
  it.live("list mails with their states, and show one without its text", () =>
    onDatabase((run, script) =>
      Effect.gen(function* () {
        const organization = yield* Scenario.organization()
        const { token } = yield* Scenario.invited(organization, "ada@example.com")
        yield* send
        script.fails = false
        yield* Scenario.invited(organization, "bo@example.com")
        yield* send
        yield* Scenario.invited(organization, "cy@example.com")
        yield* Scenario.invited(yield* Scenario.organization({}, "Others"), "dee@example.com")

        const all = listed(yield* run("email", "list", ...of, "--json"))
        assert.deepStrictEqual(
          all.results.map(({ error, recipient, state }) => [recipient, state, error]),
          [
            ["cy@example.com", "queued", null],
            ["bo@example.com", "sent", null],
            ["ada@example.com", "failed", "554 no relay today"],
          ],
        )
        const page = listed(yield* run("email", "list", ...of, "--limit", "2", "--json"))
        assert.deepStrictEqual(page.results, all.results.slice(0, 2))
        const rest = yield* run("email", "list", ...of, "--before", page.next_before ?? "", "--json")
        assert.deepStrictEqual(listed(rest), { results: all.results.slice(2), next_before: null })
        const failed = yield* run("email", "list", ...of, "--state", "failed", "--since", "2h", "--json")
        assert.deepStrictEqual(listed(failed).results, all.results.slice(2))
        const future = yield* run("email", "list", ...of, "--since", "2999-01-01")
        assert.deepStrictEqual(future, { code: 0, stdout: "no emails\n", stderr: "" })
        const people = yield* run("email", "list", ...of, "--state", "failed")
        assert.match(
          people.stdout,
          /^id +state +kind .*\n.* failed +invitation .* ada@example\.com +554 no relay today\n$/,
        )

        const id = String(all.results[1]?.["id"])
        const { sql } = yield* Database
        yield* sql`insert into email_event (organization_id, email_id, provider, provider_event_id, kind, body, created_at)
          values (1, ${id}::uuid, 'test', '1', 'spamreport', '{}', '2026-01-01T00:00:00Z')`
        const shown = yield* run("email", "show", id)
        for (const line of [
          `id: ${id}`,
          "to: bo@example.com",
          "subject: Interview invitation: Backend Engineer",
          "provider's id: sg-1",
          `Message-ID: ${id}@localhost`,
          "2026-01-01T00:00:00.000Z reported as spam: no more emails go there",
        ]) {
          assert.include(shown.stdout.split("\n"), line)
        }
        const json = yield* run("email", "show", id, "--json")
        assert.deepInclude(JSON.parse(json.stdout), { id, state: "sent" })
        for (const { stdout } of [shown, json]) assert.notInclude(stdout, token)

        for (const [args, fault] of [
          [["show", unknownId], "there is no such email"],
          [["list", "--organization", "9"], "there is no such organization"],
          [["resend-failed", "--organization", "9", "--since", "2h"], "there is no such organization"],
        ] as const) {
          assert.deepStrictEqual(yield* run("email", ...args), { code: 1, stdout: "", stderr: `error: ${fault}\n` })
        }
      }),
    ),
  )

  it.live("send failed invitations again once, except expired, cancelled and suppressed ones", () =>
    onDatabase((run, script, sent) =>
      Effect.gen(function* () {
        const { sql } = yield* Database
        const organization = yield* Scenario.organization()
        const names = ["ada", "cancelled", "expired", "declined", "unwanted", "invalid", "done"]
        const ids = new Map<string, string | null>()
        for (const name of names) {
          const { subject } = yield* Scenario.invited(organization, `${name}@example.com`)
          ids.set(name, subject.invitation_id)
        }
        yield* send
        yield* sql`update invitation set status = 'cancelled' where email ~ '^(cancelled|declined)@'`
        yield* sql`update invitation set expires_at = now() - interval '1 day' where email ~ '^expired@'`
        yield* sql`update invitation set failure_reason = 'invalid_email' where email ~ '^invalid@'`
        yield* sql`update submission b set status = 'completed' from invitation i
          where i.submission_id = b.id and i.email ~ '^done@'`
        yield* sql`update submission b set status = 'withdrawn', declined_at = now() from invitation i
          where i.submission_id = b.id and i.email ~ '^declined@'`
        yield* sql`insert into suppression (organization_id, email, reason)
          values (1, 'unwanted@example.com', 'unsubscribed')`
        const other = yield* Scenario.organization({}, "Others")
        yield* Scenario.invited(other, "dee@example.com")
        yield* send
        script.fails = false

        const none = yield* run("email", "resend-failed", ...of, "--since", "2999-01-01")
        assert.deepStrictEqual(none, { code: 0, stdout: "queued: 0\n", stderr: "" })
        const { code, stderr, stdout } = yield* run("email", "resend-failed", ...of, "--since", "2h", "--json")
        assert.deepStrictEqual([code, stderr], [0, ""])
        const refused = {
          cancelled: "the invitation was cancelled: invite the candidate again",
          expired: "the invitation has expired: invite the candidate again",
          declined: "the candidate has declined the interview: invite the candidate again if this was a mistake",
          unwanted: "this address has unsubscribed: invite the candidate at another one",
          invalid:
            "the email address is not valid: correct it on the submission, or invite the candidate at another one",
          done: "the interview is completed: there is nothing left to answer",
        }
        assert.deepStrictEqual(JSON.parse(stdout), {
          organization: 1,
          queued: 1,
          refused: Object.entries(refused).map(([name, reason]) => ({ invitation_id: ids.get(name), reason })),
        })
        yield* send
        assert.deepStrictEqual(
          sent.map(({ to }) => to),
          ["ada@example.com"],
        )
        const again = yield* run("email", "resend-failed", ...of, "--since", "2h")
        assert.include(again.stdout, "queued: 0\n")
        assert.include(again.stdout, `invitation ${ids.get("done")} not sent: the interview is completed`)
        assert.deepStrictEqual(yield* sql`select status from invitation where email = 'ada@example.com'`, [
          { status: "sent" },
        ])
      }),
    ),
  )
})

describe("sending failed mails again", () => {
  it.live("queues no mail that another run has sent since the list was read", () =>
    onDatabase((_, script) =>
      Effect.gen(function* () {
        const { sql } = yield* Database
        const organization = yield* Scenario.organization()
        const { subject } = yield* Scenario.invited(organization, "ada@example.com")
        yield* send
        script.fails = false
        const id = subject.invitation_id
        // the other run's changes until its email is sent
        const other = Effect.gen(function* () {
          yield* sql`select id from invitation where id = ${id}::uuid for update`
          yield* sql`update invitation set status = 'sent', failure_reason = null, failed_at = null where id = ${id}::uuid`
          yield* sql`insert into email (id, organization_id, invitation_id, kind, recipient, created_at, due_at, sent_at, state)
            values (gen_random_uuid(), 1, ${id}::uuid, 'invitation', 'ada@example.com', now(), null, now(), 'sent')`
        })
        const resend = Effect.flatMap(Invitations, (invitations) =>
          invitations.resendFailed(operator(organization.id), new Date(0)),
        )
        const outcome = yield* overtaken(other, resend)
        assert.deepStrictEqual(yield* sql`select state from email order by created_at, id`, [
          { state: "failed" },
          { state: "sent" },
        ])
        assert.deepStrictEqual(outcome, Result.succeed({ queued: 0, refused: [] }))
      }),
    ),
  )
})

describe("suppression commands", () => {
  it.live("list addresses, and remove one", () =>
    onDatabase((run, script, sent) =>
      Effect.gen(function* () {
        const { sql } = yield* Database
        script.fails = false
        const organization = yield* Scenario.organization()
        yield* Scenario.organization({}, "Others")
        yield* sql`insert into suppression (organization_id, email, reason, created_at) values
          (1, 'ada@xn--bcher-kva.example', 'unsubscribed', '2026-01-01T00:00:00Z'),
          (1, 'bo@example.com', 'spam', '2026-01-02T00:00:00Z'), (2, 'ada@xn--bcher-kva.example', 'spam', now())`
        const list = yield* run("suppression", "list", ...of)
        assert.deepStrictEqual(list.stdout.split("\n"), [
          "email                      reason        since",
          "ada@xn--bcher-kva.example  unsubscribed  2026-01-01T00:00:00.000Z",
          "bo@example.com             spam          2026-01-02T00:00:00.000Z",
          "",
        ])
        const page = yield* run("suppression", "list", ...of, "--limit", "1", "--json")
        assert.strictEqual(JSON.parse(page.stdout).next_after, "ada@xn--bcher-kva.example")
        const rest = yield* run("suppression", "list", ...of, "--after", "ada@bücher.example", "--json")
        assert.deepStrictEqual(JSON.parse(rest.stdout), {
          results: [{ email: "bo@example.com", reason: "spam", created_at: "2026-01-02T00:00:00.000Z" }],
          next_after: null,
        })
        yield* Scenario.invited(organization, "Ada@Bücher.example")
        yield* send
        assert.lengthOf(sent, 0)
        const remove = ["suppression", "remove", ...of, "--email", "ADA@bücher.example"]
        assert.deepStrictEqual(yield* run(...remove), {
          code: 0,
          stdout: "email: ada@xn--bcher-kva.example\nreason: unsubscribed\ncreated_at: 2026-01-01T00:00:00.000Z\n",
          stderr: "",
        })
        const twice = yield* run(...remove)
        assert.deepStrictEqual([twice.code, twice.stderr], [1, "error: there is no such suppressed address\n"])
        yield* Scenario.invited(organization, "Ada@Bücher.example")
        yield* send
        assert.deepStrictEqual(
          sent.map(({ to }) => to),
          ["Ada@Bücher.example"],
        )
        assert.deepStrictEqual(yield* sql`select organization_id, email from suppression order by 1`, [
          { organization_id: 1, email: "bo@example.com" },
          { organization_id: 2, email: "ada@xn--bcher-kva.example" },
        ])
      }),
    ),
  )
})
