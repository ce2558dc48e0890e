import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { findWebhookFault } from "../../src/webhooks/deliveries/WebhookVerification.ts"
import { subscriptions } from "../../src/webhooks/events/WebhookEvent.ts"
import * as cli from "../support/cli.ts"
import { onFreshDatabase, uuid } from "./onFreshDatabase.ts"

/** A receiver that responds with 418 and records its requests. */
const receiver = Effect.acquireRelease(
  Effect.callback<{ readonly url: string; readonly got: Array<{ header: string; body: string }>; close: () => void }>(
    (resume) => {
      const got: Array<{ header: string; body: string }> = []
      const server = createServer((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => {
          got.push({ header: String(request.headers["x-webhook-signature"]), body: Buffer.concat(chunks).toString() })
          response.writeHead(418).end("a teapot")
        })
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}/hook`, got, close: () => void server.close() }))
      })
    },
  ),
  ({ close }) => Effect.sync(close),
)

describe("webhook commands", () => {
  it.live("report how to start when there is no database", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* cli.run({}, "webhook", "list", "--organization", "1")
      assert.deepStrictEqual([code, stdout], [1, ""])
      assert.match(stderr, /^error: there is no database in \.data yet: run npm start first[^\n]*\n$/)
    }),
  )

  it.live("create, list, show, enable and delete webhook endpoints", () =>
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
      assert.deepStrictEqual(yield* json("webhook", "enable", String(id)), { id, status: "active", parked: 0 })
      assert.deepStrictEqual(yield* json("webhook", "delete", String(id)), { id, deleted: true })
      assert.strictEqual(yield* refused("webhook", "show", String(id)), "there is no such webhook endpoint")

      // with DATABASE_URL only OUTBOUND_ALLOW allows private addresses, as for pods
      const here = "http://127.0.0.1:9000/hook"
      assert.strictEqual(yield* refused(...create, here), "--url 127.0.0.1 is a loopback address")
      const allowing = yield* cli.run({ ...environment, OUTBOUND_ALLOW: "127.0.0.0/8" }, ...create, here, "--json")
      assert.hasAllKeys(JSON.parse(allowing.stdout), ["id", "secret"])
      assert.match(yield* refused(...create, "http://example.com/hook"), /^--url The URL must start with https/)
      const misnamed = yield* cli.run(environment, ...create, url, "--event", "completed", "--event", "nothing")
      assert.deepStrictEqual([misnamed.code, misnamed.stdout], [1, ""])
      const [fault, ...listed] = misnamed.stderr.trimEnd().split("\n")
      assert.strictEqual(
        fault,
        "error: --event completed is not an event or sub-event; did you mean interview.status.update.completed?; --event nothing is not an event or sub-event",
      )
      assert.deepStrictEqual(
        listed
          .slice(1)
          .map((line) => line.trim().split(" ")[0])
          .toSorted(),
        [...subscriptions].toSorted(),
      )

      const { SECRET_KEY: _, ...unsealed } = environment
      const { stderr } = yield* cli.run(unsealed, ...create, url)
      assert.match(stderr, /^error: SECRET_KEY: is required: base64 of 32 bytes[^\n]*\n$/)
    }),
  )

  it.live("exit with 130 when a test is interrupted", () =>
    Effect.gen(function* () {
      const { environment, json } = yield* onFreshDatabase
      yield* json("organization", "create", "--name", "Acme")
      const requested = Promise.withResolvers<void>()
      const silent = yield* Effect.acquireRelease(
        Effect.callback<ReturnType<typeof createServer>>((resume) => {
          const server = createServer(() => requested.resolve())
          server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
        }),
        (server) => Effect.sync(() => server.close()),
      )
      const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`
      const allowing = { ...environment, OUTBOUND_ALLOW: "127.0.0.0/8" }
      const created = yield* cli.run(allowing, "webhook", "create", "--organization", "1", "--url", url, "--json")
      const { ended, kill } = yield* cli.begin(allowing, "webhook", "test", JSON.parse(created.stdout).id)
      yield* Effect.promise(() => requested.promise)
      kill("SIGINT")
      assert.deepStrictEqual(yield* ended, { code: 130, stdout: "", stderr: "" })
    }),
  )

  it.live("change, disable, enable, test and delete an endpoint", () =>
    Effect.gen(function* () {
      const { environment, json: plain, refused } = yield* onFreshDatabase
      yield* plain("organization", "create", "--name", "Acme")
      const { got, url } = yield* receiver
      const json = (...args: ReadonlyArray<string>) =>
        Effect.map(
          cli.run({ ...environment, OUTBOUND_ALLOW: "127.0.0.0/8" }, "webhook", ...args, "--json"),
          ({ stdout }) => {
            assert.match(stdout, /^\{[^\n]*\}\n$/)
            return JSON.parse(stdout)
          },
        )
      const { id, secret } = yield* json("create", "--organization", "1", "--url", url)
      const updated = yield* json("update", id, "--name", "ATS", "--event", "interview.status.update")
      assert.deepInclude(updated, { id, url, name: "ATS", events: ["interview.status.update"] })
      assert.include(updated["events_before"], "invitation.status.update")
      assert.deepStrictEqual(
        updated["events_removed"],
        updated["events_before"].filter((event: string) => event !== "interview.status.update"),
      )
      assert.deepStrictEqual(updated["events_added"], [])
      assert.notProperty(yield* json("update", id, "--name", "ATS"), "events_before")
      assert.match(yield* refused("webhook", "update", id), /^nothing to change: give --url/)
      assert.match(yield* refused("webhook", "update", id, "--url", "http://10.0.0.1/"), /^--url /)

      const event = "interview.evaluation.update.scored"
      const tested = yield* json("test", id, "--event", event, "--log-level", "debug")
      assert.deepInclude(tested, { id, event, delivered: false, status: 418, answer: "a teapot" })
      const [request] = got
      assert.strictEqual(tested.body, request?.body)
      // the subscribed event by default; exit code 1 when not delivered
      const allowing = { ...environment, OUTBOUND_ALLOW: "127.0.0.0/8" }
      const again = yield* cli.run(allowing, "webhook", "test", id)
      assert.deepStrictEqual([again.code, again.stderr], [1, "error: not delivered: The receiver answered 418\n"])
      assert.match(again.stdout, /^event: interview\.status\.update\.initiated$/m)
      assert.match(again.stdout, /^at: \d{4}-[\d:.TZ-]+$/m)
      const mistaken = { ...allowing, SECRET_KEY: Buffer.alloc(32, 9).toString("base64") }
      const unopened = yield* cli.run(mistaken, "webhook", "test", id)
      assert.match(unopened.stderr, /^error: SECRET_KEY is not the key that this database was used with[^\n]*\n$/)
      const { data, is_test } = JSON.parse(request?.body ?? "{}")
      assert.deepStrictEqual([is_test, data.score_status], [true, "scored"])
      const now = Date.now() / 1000
      const body = new TextEncoder().encode(request?.body)
      assert.isUndefined(findWebhookFault({ secrets: [secret], header: request?.header ?? "", body, now }))

      const regenerated = yield* json("regenerate-secret", id)
      assert.match(regenerated.secret, /^whsec_[0-9a-f]{64}$/)
      assert.notStrictEqual(regenerated.secret, secret)
      assert.isString(regenerated.previous_secret_until)
      assert.match(
        yield* refused("webhook", "regenerate-secret", id),
        / or with the command webhook remove-old-secret$/,
      )
      assert.deepStrictEqual(yield* json("remove-old-secret", id), { id, removed: true, previous_secret_until: null })
      assert.deepStrictEqual(yield* json("remove-old-secret", id), { id, removed: false, previous_secret_until: null })

      assert.deepStrictEqual(yield* json("disable", id), { id, status: "inactive", parked: 0 })
      assert.match(yield* refused("webhook", "resend-failed", id, "--since", "2h"), /is inactive: enable it first/)
      assert.deepStrictEqual(yield* json("enable", id, "--send-parked"), { id, status: "active", queued: 0, parked: 0 })
      assert.deepStrictEqual(yield* json("resend-failed", id, "--since", "2026-01-01"), { id, queued: 0 })
      assert.deepStrictEqual(yield* json("deliveries", id), { results: [], next_before: null })
      assert.strictEqual(yield* refused("webhook", "delivery", "7"), "there is no such delivery")
      assert.strictEqual(yield* refused("webhook", "resend", "7"), "there is no such delivery")
      const { results } = yield* json("list", "--organization", "1")
      assert.strictEqual(results.length, 1)
      const listed = yield* cli.run(environment, "webhook", "list", "--organization", "1")
      assert.match(listed.stdout, /^id +status +failures +last success +last error +url +name +events\n/)
      yield* json("delete", id)
      assert.deepStrictEqual(yield* json("list", "--organization", "1"), { results: [] })
    }),
  )
})
