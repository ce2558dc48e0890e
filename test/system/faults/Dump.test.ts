/** The guide "Backups" (docs/operate.md): its commands dump a database and restore it on another server. */

import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, References, Schedule, Schema } from "effect"
import { ApiKeys } from "../../../src/accounts/api-keys/ApiKeys.ts"
import { operator } from "../../../src/accounts/Viewer.ts"
import { migrate } from "../../../src/migrate.ts"
import { codeWith } from "../../docs/pages.ts"
import * as cli from "../../support/cli.ts"
import * as DebianPostgres from "../../support/DebianPostgres.ts"
import { atDatabase, execute, textsOf } from "../../support/databases.ts"
import type { Pod } from "../../support/Processes.ts"
import * as Receiver from "../../support/Receiver.ts"
import * as Scenario from "../../support/Scenario.ts"
import { on, startPod, stop, timeout, until, untilFinished } from "./stage.ts"

/** Runs commands of the guide in a directory of their own; returns the error's text, or undefined. */
const shell = Effect.map(
  Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "interview-dump-"))),
    (made) => Effect.promise(() => rm(made, { recursive: true, force: true })),
  ),
  (cwd) => (commands: string, environment: Record<string, string>) =>
    Effect.callback<string | undefined>((resume) => {
      const env = { PATH: `${DebianPostgres.bin}:/usr/bin:/bin`, ...environment }
      execFile("sh", ["-ec", commands], { cwd, env }, (error, _, stderr) =>
        resume(Effect.succeed(error === null ? undefined : stderr)),
      )
    }),
)

/** A hash of the rows of each table, and the last value of each sequence. */
const contentOf = Effect.fnUntraced(function* (url: string) {
  const tables = yield* textsOf(url, "select tablename from pg_tables where schemaname = 'public' order by 1")
  const rows = tables.map(
    (name) => `select '${name} ' || count(*) || coalesce(' ' || md5(string_agg(t::text, e'\\n'
    order by t::text)), '') from "${name}" t`,
  )
  const sequences = "select sequencename || coalesce(' ' || last_value, '') from pg_sequences"
  return (yield* textsOf(url, [...rows, sequences].join(" union all "))).toSorted()
})

const Page = Schema.fromJsonString(
  Schema.Struct({ results: Schema.Array(Schema.Struct({ event_id: Schema.String })), next_cursor: Schema.String }),
)

/** Reads a page with at least `count` events: those of open transactions, and later ones, follow when these end. */
const readEvents = Effect.fnUntraced(function* (pod: Pod, key: string, count: number, cursor?: string) {
  const query = cursor === undefined ? "" : `&cursor=${cursor}`
  const page = Effect.promise((signal) =>
    fetch(`${pod.url}/company/integration/events/v1?limit=100${query}`, {
      headers: { "x-api-key": key },
      signal,
    }).then((answer) => answer.text()),
  )
  const { next_cursor, results } = yield* page.pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(Page)),
    Effect.repeat({ until: ({ results }) => results.length >= count, schedule: Schedule.spaced("20 millis") }),
  )
  return { cursor: next_cursor, events: results.map(({ event_id }) => event_id) }
})

describe.skipIf(DebianPostgres.missing !== undefined)(
  ["a dump that is restored with the guide's commands", DebianPostgres.missing ?? []].flat().join(": "),
  () => {
    it.live(
      "on another server, has every row; readers continue with their cursors, and deliveries that were due are sent",
      () =>
        Effect.gen(function* () {
          const [server, otherServer] = yield* Effect.all([DebianPostgres.start, DebianPostgres.start])
          for (const at of [server, otherServer]) yield* execute(at, "create database interviews")
          const [url, restoredUrl] = [atDatabase(server, "interviews"), atDatabase(otherServer, "interviews")]
          const run = yield* shell
          const dump = codeWith("docs/operate.md", "pg_dump --format")
          const restore = codeWith("docs/operate.md", "pg_restore --no-owner")
          const receiver = yield* Receiver.start({ answer: () => Effect.succeed(200) })
          yield* Effect.provide(migrate({ url: Redacted.make(url) }), NodeServices.layer)

          const before = yield* Effect.gen(function* () {
            const organization = yield* Scenario.organization()
            yield* Scenario.endpoint(organization.id, { url: receiver.url, events: ["interview.status.update"] })
            const { value } = yield* (yield* ApiKeys).create(operator(organization.id), {
              name: "ATS",
              scopes: ["read"],
            })
            const key = Redacted.value(value)
            const candidate = yield* Scenario.invited(organization)
            const sent = yield* Scenario.publish(candidate, 3)
            const first = yield* startPod()
            yield* untilFinished(sent.length)
            // an email that is sent publishes an event
            yield* until(
              "the invitation is sent",
              Effect.map(textsOf(url, "select state from email"), ([state]) => state === "sent"),
            )
            const stored = yield* textsOf(url, "select id::text from webhook_event")
            const early = yield* readEvents(first, key, stored.length)
            assert.sameMembers(early.events, stored)
            yield* stop(first)

            const due = yield* Scenario.publish(candidate, 2)
            const content = yield* contentOf(url)
            assert.isUndefined(yield* run(dump, { DATABASE_URL: url }))
            assert.include(yield* run(restore, { NEW_DATABASE_URL: url }), "already exists")
            assert.deepStrictEqual(yield* contentOf(url), content, "a refused restore changes nothing")

            const lost = yield* Scenario.publish(candidate)
            const second = yield* startPod()
            yield* untilFinished(sent.length + due.length + lost.length)
            const late = yield* readEvents(second, key, due.length + lost.length, early.cursor)
            assert.deepStrictEqual(late.events, [...due, ...lost])
            yield* stop(second)
            return { candidate, key, content, early, late, due }
          }).pipe(Effect.scoped, Effect.provide(on(url), { local: true }))

          assert.isUndefined(yield* run(restore, { NEW_DATABASE_URL: restoredUrl }))
          assert.deepStrictEqual(yield* contentOf(restoredUrl), before.content)
          const migrated = yield* cli.run({ DATABASE_URL: restoredUrl }, "migrate")
          assert.deepStrictEqual(migrated, { code: 0, stdout: "the schema is up to date\n", stderr: "" })

          yield* Effect.gen(function* () {
            const received = receiver.receipts.length
            const pod = yield* startPod()
            const published = yield* Scenario.publish(before.candidate)
            const { due, early, key, late } = before
            const ofEarly = yield* readEvents(pod, key, due.length + published.length, early.cursor)
            assert.deepStrictEqual(ofEarly.events, [...due, ...published])
            assert.deepStrictEqual((yield* readEvents(pod, key, published.length, late.cursor)).events, published)
            yield* untilFinished(3 + due.length + published.length)
            const again = receiver.receipts.slice(received).map(({ event }) => event)
            assert.sameMembers(again, [...due, ...published])
            assert.deepStrictEqual(yield* stop(pod), [0])
          }).pipe(Effect.scoped, Effect.provide(on(restoredUrl), { local: true }))
        }).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "None")),
      timeout,
    )
  },
)
