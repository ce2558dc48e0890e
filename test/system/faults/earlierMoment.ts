/**
 * Puts a server under load before and after it loses the commits since a moment, and checks what must hold (docs/operate.md,
 * "Restore to a moment").
 */

import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import { assert } from "@effect/vitest"
import { Effect, Exit, Fiber, Redacted, References, Schedule, Schema, Scope } from "effect"
import { ApiKeys } from "../../../src/accounts/api-keys/ApiKeys.ts"
import { operator } from "../../../src/accounts/Viewer.ts"
import type { InterviewSet } from "../../../src/interview-sets/InterviewSet.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import { smtpServer } from "../../port/smtpServer.ts"
import { sampleCv } from "../../soak/stage.ts"
import * as cli from "../../support/cli.ts"
import { listen } from "../../support/listen.ts"
import type { Pod } from "../../support/Processes.ts"
import * as Receiver from "../../support/Receiver.ts"
import * as Scenario from "../../support/Scenario.ts"
import { isLarge, on, startProcess, until, untilSync } from "./stage.ts"

/** Invitations after the moment, and after the restore. */
const count = isLarge ? 600 : 20
/** Invitations whose emails are in flight or queued at the moment. */
const held = 20
const callers = 4
const cvEvery = 10
const completedEvery = 5

const Invited = Schema.fromJsonString(
  Schema.Struct({
    results: Schema.Array(
      Schema.Struct({
        submission: Schema.Struct({ id: Schema.String, interview_url: Schema.optional(Schema.NullOr(Schema.String)) }),
      }),
    ),
  }),
)
const Page = Schema.fromJsonString(
  Schema.Struct({ results: Schema.Array(Schema.Struct({ event_id: Schema.String })), next_cursor: Schema.String }),
)

/** A request and its response. */
interface Call {
  readonly key: string
  readonly body: string
  readonly text: string
}

/** A reader of events: its cursor and the ids that it has read. */
interface Reader {
  readonly cursor: string | undefined
  readonly events: ReadonlyArray<string>
}

/** What a hiring system does: invite and poll events. Repeats requests that get 503. */
const clientOf = (apiKey: string, set: InterviewSet, cvLink: string) => (pods: ReadonlyArray<Pod>) => {
  let turn = 0
  const send = (path: string, init: RequestInit = {}) =>
    Effect.promise(async (signal) => {
      const response = await fetch(`${pods[turn++ % pods.length]?.url}/company/integration${path}`, {
        ...init,
        signal,
        headers: { "x-api-key": apiKey, "content-type": "application/json", ...init.headers },
      })
      return { status: response.status, text: await response.text() }
    }).pipe(
      Effect.repeat({ until: ({ status }) => status !== 503, schedule: Schedule.spaced("200 millis") }),
      Effect.map(({ status, text }) => {
        assert.strictEqual(status, 200, text)
        return text
      }),
    )
  const post = (key: string, body: string) =>
    send("/interview/candidate/invite/v1", { method: "POST", body, headers: { "idempotency-key": key } })
  /** Invites a candidate with a number; some candidates complete the interview at once. */
  const invite = Effect.fnUntraced(function* (number: number) {
    const key = randomUUID()
    const candidate =
      number % cvEvery === 0 ? { cv_link: `${cvLink}/${key}` } : { email: `ada-${key}@example.com`, name: "Ada" }
    const body = JSON.stringify({ com_interview_set_id: set.id, candidates: [candidate] })
    const text = yield* post(key, body)
    const { results } = yield* Schema.decodeUnknownEffect(Invited)(text)
    const link = results[0]?.submission.interview_url
    if (number % completedEvery === 1 && link) {
      yield* Scenario.completed({ set, token: link.slice(link.lastIndexOf("/") + 1) })
    }
    const call: Call = { key, body, text }
    return call
  })
  const inviteMany = (numbers: number) =>
    Effect.forEach(
      Array.from({ length: numbers }, (_, at) => at + 1),
      invite,
      { concurrency: callers },
    )
  /** Reads until a page is not full. */
  const follow = Effect.fnUntraced(function* (reader: Reader) {
    const events = [...reader.events]
    let { cursor } = reader
    for (;;) {
      const query = cursor === undefined ? "" : `&cursor=${cursor}`
      const page = yield* Schema.decodeUnknownEffect(Page)(yield* send(`/events/v1?limit=100${query}`))
      events.push(...page.results.map(({ event_id }) => event_id))
      cursor = page.next_cursor
      if (page.results.length < 100) return { cursor, events } satisfies Reader
    }
  })
  return { post, inviteMany, follow }
}

const untilDrained = until(
  "all queues are empty",
  Effect.gen(function* () {
    const { sql } = yield* Database
    const [row] = yield* sql<{ queued: number }>`
      select ((select count(*) from webhook_delivery) + (select count(*) from email where due_at is not null)
        + (select count(*) from cv where due_at is not null)
        + (select count(*) from evaluation where due_at is not null))::int as queued`
    return row?.queued === 0
  }),
)

const cvServer = Effect.suspend(() =>
  listen(
    createServer((request, response) =>
      response.setHeader("content-type", "text/html").end(sampleCv(request.url ?? "")),
    ),
  ),
)

/** Publishes events of one submission until the scope closes. Returns their ids, in their order. */
const publishSteadily = Effect.fnUntraced(function* (candidate: Scenario.Invited, receiver: Receiver.Receiver) {
  const published: Array<string> = []
  yield* Effect.gen(function* () {
    published.push(...(yield* Scenario.publish(candidate)))
    yield* untilSync("the receiver keeps up", () => published.length < receiver.receipts.length + 5)
  }).pipe(Effect.forever, Effect.forkScoped)
  return published
})

/** A server that the test starts, and how it loses all commits since a moment. */
export interface Losing<E> {
  readonly url: string
  /** For the pods; it names all servers. */
  readonly podsUrl: string
  readonly moment: Effect.Effect<void, E>
  /** Loses the commits. Returns the URL of the server that runs afterwards. */
  readonly lose: Effect.Effect<string, E>
}

/**
 * Runs load, loses the commits since the moment, and runs load again. Checks that no reader misses an event and that each
 * request is carried out once.
 *
 * With `podsStay`, the same pods run before and after, and only emails that were queued at the moment are sent again. Otherwise
 * other pods start after the command `email mark-sent`, and no email is sent twice.
 */
export const survive = Effect.fnUntraced(
  function* <E>(server: Losing<E>, { podsStay }: { readonly podsStay: boolean }) {
    const { port, script, taken } = yield* smtpServer()
    const cvLink = yield* cvServer
    const receiver = yield* Receiver.start({ answer: () => Effect.succeed(200) })
    const startPods = (url: string) => {
      const smtp = {
        APP_URL: "http://127.0.0.1:8080",
        EMAIL: "smtp",
        SMTP_URL: `smtp://127.0.0.1:${port}`,
        EMAIL_FROM: "jobs@acme.example",
      }
      const pod = startProcess({ DATABASE_URL: url, ...smtp, RATE_LIMIT: "0" })
      return Effect.all([pod, pod], { concurrency: 2 })
    }
    const formerPods = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
    const pods = yield* startPods(server.podsUrl).pipe(Effect.provideService(Scope.Scope, formerPods))

    const before = yield* Effect.gen(function* () {
      const { sql } = yield* Database
      const organization = yield* Scenario.organization()
      yield* Scenario.endpoint(organization.id, { url: receiver.url })
      const key = yield* (yield* ApiKeys).create(operator(organization.id), {
        name: "ATS",
        scopes: ["invite_candidates"],
      })
      const clientOn = clientOf(Redacted.value(key.value), organization.set, cvLink)
      const client = clientOn(pods)
      const candidate = yield* Scenario.invited(organization)
      const sequence = yield* publishSteadily(candidate, receiver)
      yield* client.inviteMany(count)
      const early = yield* client.follow({ cursor: undefined, events: [] })

      const gate = Promise.withResolvers<void>()
      script.gate = gate.promise
      const [kept] = yield* client.inviteMany(held)
      const waiting = yield* sql<{ id: string }>`select id from email where due_at is not null`
      yield* server.moment
      const load = yield* Effect.forkScoped(client.inviteMany(count))
      const [, lost] = yield* client.inviteMany(2)
      const between = yield* client.follow(early)
      gate.resolve()
      const accepted = taken.length
      yield* untilSync("emails from before the moment are sent after it", () => taken.length >= accepted + held)
      yield* Fiber.join(load)
      const late = yield* client.follow(between)
      return {
        clientOn,
        candidate,
        sequence,
        readers: { early, between, late },
        kept: yield* Effect.fromNullishOr(kept),
        lost: yield* Effect.fromNullishOr(lost),
        waiting: waiting.map(({ id }) => id),
      }
    }).pipe(Effect.scoped, Effect.provide(on(server.url), { local: true }))
    // the scope has interrupted the load
    const { candidate, clientOn, kept, lost, readers, waiting } = before
    if (!podsStay) yield* Scope.close(formerPods, Exit.void)
    const url = yield* server.lose

    // published by a process that was not restarted, before a pod starts
    const atOnce = yield* Scenario.publish(candidate).pipe(Effect.provide(on(url), { local: true }))
    if (!podsStay) {
      const environment = { DATABASE_URL: url, SECRET_KEY: cli.secretKey }
      const list = taken.map(({ messageId }) => messageId).join("\n")
      const marked = yield* cli.pipe(environment, list, "email", "mark-sent", "--json")
      assert.strictEqual(marked.stderr, "")
      // fewer than `held`: emails of candidates who have answered are cancelled
      assert.isAbove(JSON.parse(marked.stdout).marked, held / 2)
    }

    yield* Effect.gen(function* () {
      const { sql } = yield* Database
      const [first] = yield* sql<{ events: number; invitations: number }>`
      select (select count(*)::int from webhook_event) as events, (select count(*)::int from invitation) as invitations`
      const restored = yield* Effect.fromNullishOr(first)
      const received = receiver.receipts.length
      const client = clientOn(podsStay ? pods : yield* startPods(url))

      // a request from before the moment and one from after it, each repeated twice
      const answers = yield* Effect.forEach([kept, kept, lost, lost], ({ body, key }) => client.post(key, body))
      assert.deepStrictEqual([answers[0], answers[1]], [kept.text, kept.text])
      assert.notStrictEqual(answers[2], lost.text)
      assert.strictEqual(answers[2], answers[3])
      const [second] = yield* sql<{ invitations: number }>`select count(*)::int as invitations from invitation`
      assert.strictEqual(second?.invitations, restored.invitations + 1)

      const sequence = yield* Effect.scoped(
        Effect.gen(function* () {
          const published = yield* publishSteadily(candidate, receiver)
          yield* client.inviteMany(count)
          return published
        }),
      )
      yield* untilDrained

      const rows = yield* sql<{ id: string }>`select id from webhook_event order by xid, seq`
      const events = rows.map(({ id }) => id)
      const existing = new Set(events)
      const inOrder = [...before.sequence, ...atOnce, ...sequence].filter((id) => existing.has(id))
      assert.isAbove(events.length, restored.events)
      for (const [name, reader] of Object.entries(readers)) {
        const all = yield* client.follow(reader)
        const read = all.events.filter((id) => existing.has(id))
        assert.deepStrictEqual(read, events, `events that the reader ${name} has read`)
        const ofSubmission = new Set(inOrder)
        assert.deepStrictEqual(
          read.filter((id) => ofSubmission.has(id)),
          inOrder,
        )
        // the other readers have read events that no longer exist
        if (name === "early") assert.strictEqual(all.events.length, events.length)
        else assert.isAbove(all.events.length, events.length)
      }

      const copies = Map.groupBy(taken, ({ messageId }) => messageId)
      const repeated = [...copies].filter(([, { length }]) => length > 1)
      if (podsStay) {
        const wereWaiting = new Set(waiting)
        assert.isEmpty(repeated.filter(([id, { length }]) => length > 2 || !wereWaiting.has(id.slice(1, 37))))
      } else assert.isEmpty(repeated)
      // 'cancelled': the candidate answered before the email was sent
      const unsent = yield* sql`select state, error from email where state not in ('sent', 'cancelled')`
      assert.isEmpty(unsent)

      const again = receiver.receipts.slice(received)
      assert.isEmpty(again.filter(({ event }) => !existing.has(event)))
      const everReceived = new Set(receiver.receipts.map(({ event }) => event))
      assert.isEmpty(events.filter((id) => !everReceived.has(id)))
      const bodies = Map.groupBy(receiver.receipts, ({ event }) => event)
      for (const same of bodies.values()) assert.strictEqual(new Set(same.map(({ body }) => body.toString())).size, 1)
    }).pipe(Effect.scoped, Effect.provide(on(url), { local: true }))
  },
  Effect.provideService(References.MinimumLogLevel, "None"),
)
