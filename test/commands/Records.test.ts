/** The commands that set up records, as scripts use them: one JSON object on stdout, or one line on stderr. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as cli from "../support/cli.ts"
import { onFreshDatabase, unknownId, uuid } from "./onFreshDatabase.ts"

describe("commands", () => {
  it.live("set up an organization with everything in it", () =>
    Effect.gen(function* () {
      const { environment, json, refused } = yield* onFreshDatabase
      assert.deepStrictEqual(yield* json("organization", "create", "--name", "Acme"), { id: 1 })
      const of = ["--organization", "1"]

      const member = ["member", "create", ...of, "--email", "eva@example.com", "--role", "admin"]
      const { id: memberId, ...restOfMember } = yield* json(...member, "--password", "long enough")
      assert.match(String(memberId), uuid)
      assert.deepStrictEqual(restOfMember, {})
      assert.include(yield* refused(...member, "--password", "long enough"), "--email belongs to a member already")
      assert.strictEqual(yield* refused(...member, "--password", "short"), "--password must have at least 8 characters")

      const { id: projectId } = yield* json("project", "create", ...of, "--name", "Payments")
      assert.match(String(projectId), uuid)
      const { id: postId } = yield* json("job-post", "create", "--project", String(projectId), "--title", "Engineer")
      assert.match(String(postId), uuid)

      const people = yield* cli.run(environment, "organization", "create", "--name", "Nordlicht")
      assert.deepStrictEqual(people, { code: 0, stdout: "id: 2\n", stderr: "" })
    }),
  )

  it.live("set up and watch webhook endpoints", () =>
    Effect.gen(function* () {
      const { environment, json, refused } = yield* onFreshDatabase
      yield* json("organization", "create", "--name", "Acme")
      const create = ["webhook", "create", "--organization", "1", "--url"]
      const url = "https://receiver.example.com/hook"
      const { id, secret, ...rest } = yield* json(
        ...[...create, url, "--event", "interview.status.update", "--event", "interview.evaluation.update.scored"],
      )
      assert.match(String(id), uuid)
      assert.match(String(secret), /^whsec_[0-9a-f]{64}$/)
      assert.deepStrictEqual(rest, {})
      const { created_at, ...shown } = yield* json("webhook", "show", String(id))
      assert.isString(created_at)
      assert.deepInclude(shown, {
        id,
        url,
        name: "webhook",
        status: "active",
        consecutive_failures: 0,
        events: ["interview.status.update", "interview.evaluation.update.scored"],
      })
      assert.notMatch(JSON.stringify(shown), /whsec_|"secret"|"previous_secret"/)
      assert.deepStrictEqual(yield* json("webhook", "enable", String(id)), { id, status: "active" })
      assert.deepStrictEqual(yield* json("webhook", "delete", String(id)), { id, deleted: true })
      assert.strictEqual(yield* refused("webhook", "show", String(id)), "there is no such webhook endpoint")

      // a database that was named is somebody's: what its pods may reach is what they are told
      const here = "http://127.0.0.1:9000/hook"
      assert.match(yield* refused(...create, here), /^--url The URL must start with https/)
      const allowing = yield* cli.run({ ...environment, OUTBOUND_ALLOW: "127.0.0.0/8" }, ...create, here, "--json")
      assert.hasAllKeys(JSON.parse(allowing.stdout), ["id", "secret"])
      assert.match(yield* refused(...create, "http://example.com/hook"), /^--url The URL must start with https/)
      assert.match(yield* refused(...create, url, "--event", "nothing"), /^--events? nothing is not an event/)

      const { SECRET_KEY: _, ...unsealed } = environment
      const { stderr } = yield* cli.run(unsealed, ...create, url)
      assert.match(stderr, /^error: SECRET_KEY: is required: base64 of 32 bytes[^\n]*\n$/)
    }),
  )

  it.live("say in one line what is wrong with them, before they look for a database", () =>
    Effect.gen(function* () {
      const line = (...args: ReadonlyArray<string>) =>
        Effect.map(cli.run({ DATABASE_URL: "postgres://a:b@127.0.0.1:1/c" }, ...args), ({ code, stderr, stdout }) => {
          assert.deepStrictEqual([code, stdout], [1, ""])
          return stderr
        })
      for (const [args, fault] of [
        [["nonsense"], 'Unknown subcommand "nonsense"'],
        [["serve", "--nope"], "Unrecognized flag: --nope"],
        [["organization", "create"], "Missing required flag: --name"],
        [["webhook", "create", "--organization", "x", "--json"], 'Invalid value for flag --organization: "x"'],
        [["webhook", "delete", "x"], 'Invalid value for argument <id>: "x"'],
      ] as const) {
        const stderr = yield* line(...args)
        assert.match(stderr, /^error: [^\n]+ \(try --help\)\n$/)
        assert.include(stderr, fault)
      }
    }),
  )

  it.live("refuse records that are not there", () =>
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

  it.live("show help to whoever asks, and to whoever names no command", () =>
    Effect.gen(function* () {
      for (const args of [[], ["organization"], ["webhook", "create", "--help"]]) {
        const { code, stderr, stdout } = yield* cli.run({}, ...args)
        assert.deepStrictEqual([code, stderr], [0, ""])
        assert.match(stdout, /USAGE\n {2}interview-invitations/)
      }
    }),
  )
})
