/** Commands that create records: one JSON object on stdout, or one line on stderr. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Database } from "../../src/platform/database/Database.ts"
import * as cli from "../support/cli.ts"
import { onFreshDatabase, unknownId, uuid } from "./onFreshDatabase.ts"

const nowhere = { DATABASE_URL: "postgres://a:b@127.0.0.1:1/c" }

describe("commands", () => {
  it.live("create an organization and its records", () =>
    Effect.gen(function* () {
      const { environment, json, refused } = yield* onFreshDatabase
      assert.deepStrictEqual(yield* json("organization", "create", "--name", "Acme"), { id: 1 })
      const of = ["--organization", "1"]

      const update = ["organization", "update", ...of]
      const contacts = ["--contact", "jobs@acme.example", "--privacy-contact", "https://acme.example/privacy"]
      const set = {
        id: 1,
        contact: "jobs@acme.example",
        privacy_contact: "https://acme.example/privacy",
        time_zone: "UTC",
      }
      assert.deepStrictEqual(yield* json(...update, ...contacts), set)
      assert.deepStrictEqual(yield* json(...update, "--contact", ""), { ...set, contact: null })
      assert.strictEqual(
        yield* refused(...update, "--privacy-contact", "javascript:alert(1)"),
        "--privacy-contact must be an email address or an https address",
      )

      assert.deepInclude(yield* json(...update, "--time-zone", "europe/berlin"), { time_zone: "Europe/Berlin" })
      assert.strictEqual(
        yield* refused(...update, "--time-zone", "+07:00"),
        "--time-zone must be the name of a time zone, such as Europe/Berlin; an offset such as UTC+1 is none, because it has no summer time",
      )
      assert.strictEqual(
        yield* refused(...update, "--time-zone", "Berlin"),
        "--time-zone must be the name of a time zone: did you mean Europe/Berlin?",
      )

      const member = ["member", "create", ...of, "--email", "eva@example.com", "--role", "admin"]
      const password = (typed: string, ...args: ReadonlyArray<string>) => cli.pipe(environment, typed, ...args)
      const created = yield* password("long enough\n", ...member, "--json")
      assert.deepInclude(created, { code: 0, stderr: "" })
      const { id: memberId, ...restOfMember } = JSON.parse(created.stdout)
      assert.match(String(memberId), uuid)
      assert.deepStrictEqual(restOfMember, {})
      const copied = member.map((one) => one.replace("eva@example.com", "<eva@example.com>,"))
      const directory = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "interview-password-"))),
        (made) => Effect.sync(() => rmSync(made, { recursive: true })),
      )
      const file = join(directory, "password")
      const fromFile = (content: string, ...args: ReadonlyArray<string>) => {
        writeFileSync(file, content)
        return refused(...args, "--password-file", file)
      }
      assert.include(yield* fromFile("long enough", ...copied), "--email belongs to a member already")
      assert.strictEqual(yield* fromFile("short\r\n", ...member), "the password must have at least 8 characters")
      assert.strictEqual(
        yield* fromFile("long\nenough\n", ...member),
        `${file} has several lines: write only the password`,
      )
      assert.strictEqual(yield* fromFile("a".repeat(20_000), ...member), `${file} has more than 16384 bytes`)
      const none =
        "has no password: write it to stdin, name its file with --password-file, or run the command in a terminal"
      assert.include(yield* fromFile("\n", ...member), `${file} ${none}`)
      assert.include(yield* refused(...member), `stdin ${none}`)
      const missing = yield* refused(...member, "--password-file", `${file}.missing`)
      assert.strictEqual(missing, `--password-file ${file}.missing cannot be read (NotFound)`)

      const { id: projectId } = yield* json("project", "create", ...of, "--name", "Payments")
      assert.match(String(projectId), uuid)
      const { id: postId } = yield* json("job-post", "create", "--project", String(projectId), "--title", "Engineer")
      assert.match(String(postId), uuid)

      const { id: keyId } = yield* json("key", "create", ...of)
      yield* json("key", "update", String(keyId), "--status", "inactive")
      yield* json("key", "delete", String(keyId))
      const hook = ["--url", "https://receiver.example/hooks", "--event", "interview.status.update"]
      const { id: webhookId } = yield* json("webhook", "create", ...of, ...hook)
      for (const step of ["disable", "enable", "regenerate-secret", "remove-old-secret", "delete"]) {
        yield* json("webhook", step, String(webhookId))
      }
      const noted = yield* Effect.gen(function* () {
        const { sql } = yield* Database
        return yield* sql<{ action: string; member_id: string | null }>`
          select action, member_id from audit_log where organization_id = 1 order by id`
      }).pipe(
        Effect.provide(Database.layer({ url: Redacted.make(environment.DATABASE_URL), maxConnections: 1 }), {
          local: true,
        }),
      )
      assert.deepStrictEqual(
        noted.map(({ action }) => action),
        [
          ...["organization.create", ...Array.from({ length: 3 }, () => "organization.update"), "member.create"],
          ...["project.create", "job_post.create", "api_key.create", "api_key.update", "api_key.delete"],
          ...["create", "disable", "enable", "regenerate_secret", "remove_old_secret", "delete"].map(
            (deed) => `webhook_endpoint.${deed}`,
          ),
        ],
      )
      for (const { member_id } of noted) assert.isNull(member_id)

      const people = yield* cli.run(environment, "organization", "create", "--name", "Nordlicht")
      assert.deepStrictEqual(people, { code: 0, stdout: "id: 2\n", stderr: "" })
    }),
  )

  it.live("report invalid arguments in one line, without a database", () =>
    Effect.gen(function* () {
      const line = (...args: ReadonlyArray<string>) =>
        Effect.map(cli.run(nowhere, ...args), ({ code, stderr, stdout }) => {
          assert.deepStrictEqual([code, stdout], [1, ""])
          return stderr
        })
      for (const [args, fault] of [
        [["nonsense"], 'Unknown subcommand "nonsense"'],
        [["serve", "--nope"], "Unrecognized flag: --nope"],
        [["organization", "create"], "Missing required flag: --name"],
        [
          ["webhook", "create", "--organization", "x", "--json"],
          '--organization "x" must be a whole number from 1 to 2147483647',
        ],
        [["webhook", "delete", "x"], '<id> "x" must be a UUID'],
        [["project", "create", "--organization", "99999999999", "--name", "x"], "from 1 to 2147483647"],
        [["webhook", "deliveries", unknownId, "--limit", "-1"], '--limit "-1" must be a whole number from 1 to 1000'],
      ] as const) {
        const stderr = yield* line(...args)
        assert.match(stderr, /^error: [^\n]+ \(try --help\)\n$/)
        assert.include(stderr, fault)
      }
    }),
  )

  it.live("refuse unknown records", () =>
    Effect.gen(function* () {
      const { refused } = yield* onFreshDatabase
      const of = ["--organization", "7"]
      assert.strictEqual(yield* refused("project", "create", ...of, "--name", "x"), "there is no such organization")
      assert.strictEqual(
        yield* refused("webhook", "create", ...of, "--url", "https://example.com/x"),
        "there is no such organization",
      )
      const post = ["job-post", "create", "--project", unknownId, "--title", "x"]
      assert.strictEqual(yield* refused(...post), "there is no such project")
      assert.strictEqual(yield* refused("organization", "create", "--name", " "), "--name must not be blank")
    }),
  )

  it.live("print help with --help and without a command", () =>
    Effect.gen(function* () {
      for (const args of [[], ["organization"], ["webhook", "create", "--help"]]) {
        const { code, stderr, stdout } = yield* cli.run(nowhere, ...args)
        assert.deepStrictEqual([code, stderr], [0, ""])
        assert.match(stdout, /USAGE\n {2}interview-invitations/)
      }
    }),
  )
})
