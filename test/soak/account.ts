/** Whether everything is accounted for, by what the hiring system was told, what the database has, and what receivers took. */
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted, Schedule } from "effect"
import * as Events from "./events.ts"
import type { Done } from "./load.ts"
import { type Receivers, tempers } from "./receivers.ts"
import { type Finding, say } from "./report.ts"
import { attempts } from "./stage.ts"

/** Runs a query on the database under test, past the service. */
export const query = <Row extends object>(url: string, statement: string, parameters: ReadonlyArray<unknown> = []) =>
  Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe<Row>(statement, parameters)).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 }), { local: true }),
    Effect.orDie,
  )

/** Rows that still wait in any queue. */
const waiting = (url: string) =>
  Effect.map(
    query<{ queue: string; count: number }>(
      url,
      `select 'deliveries' as queue, count(*)::int as count from webhook_delivery
       union all select 'emails', count(*)::int from email where state = 'queued'
       union all select 'cvs', count(*)::int from cv where state = 'queued'
       union all select 'evaluations', count(*)::int from evaluation where state = 'queued'`,
    ),
    (rows) => rows.filter(({ count }) => count > 0),
  )

/** Long enough for retries. Other pods take over the jobs of killed pods within seconds. */
const patience = "15 minutes"

/** Waits until no row waits in any queue, or gives up. */
export const settled = (url: string, done: Done) =>
  Effect.andThen(
    say(`${done.submissions.length} candidates invited; waiting for the remaining jobs ...`),
    waiting(url).pipe(
      Effect.tap((rows) => say(rows.map(({ count, queue }) => `${count} ${queue}`).join(", ") || "nothing waits")),
      Effect.repeat({ until: (rows) => rows.length === 0, schedule: Schedule.spaced("5 seconds") }),
      Effect.timeoutOption(patience),
    ),
  )

export const account = Effect.fnUntraced(function* (
  url: string,
  pod: string,
  apiKey: string,
  done: Done,
  receivers: Receivers,
) {
  const count = (statement: string, ...parameters: ReadonlyArray<unknown>) =>
    Effect.map(
      query<{ count: number }>(url, `select count(*)::int as count from ${statement}`, parameters),
      ([row]) => row?.count ?? -1,
    )
  const acknowledged = done.submissions
  const unique = new Set(acknowledged.map(({ id }) => id))
  const mails = acknowledged.filter(({ kind }) => kind === "mail").length
  const cvs = acknowledged.length - mails
  const stored = new Set((yield* query<{ id: string }>(url, "select id from submission")).map(({ id }) => id))
  const events = yield* query<{ id: string }>(url, "select id from webhook_event")
  const eventIds = new Set(events.map(({ id }) => id))
  const byApi = yield* Events.readAll(pod, apiKey)
  const history = yield* query<{ path: string; event_id: string; state: string; attempts: number }>(
    url,
    `select regexp_replace(e.url, '^.*/', '/') as path, h.event_id, h.state, h.attempts
     from webhook_delivery_history h join webhook_endpoint e on e.id = h.endpoint_id`,
  )
  const delivered = history.filter(({ state }) => state === "delivered")
  const twice = tempers.flatMap(({ path }) => [...receivers.taken(path).values()].filter((times) => times > 1)).length
  const findings: ReadonlyArray<Finding> = [
    {
      what: "submissions answered with 200 that the database does not have",
      count: [...unique].filter((id) => !stored.has(id)).length,
      expected: 0,
    },
    { what: "submissions in the database", count: stored.size, expected: unique.size },
    { what: "submissions that responses with 200 named once", count: acknowledged.length, expected: unique.size },
    {
      what: "mails sent, one to each candidate with an address",
      count: yield* count("email where state = 'sent'"),
      expected: mails,
    },
    {
      what: "mails reported as delivered, once each",
      count: yield* count("webhook_event where event_type = 'invitation.status.update'"),
      expected: mails,
    },
    {
      what: "CVs evaluated, once each",
      count: yield* count("webhook_event where event_type = 'interview.evaluation.update'"),
      expected: cvs,
    },
    { what: "events read back through the API", count: new Set(byApi).size, expected: events.length },
    { what: "events read back twice", count: byApi.length - new Set(byApi).size, expected: 0 },
    {
      what: "deliveries that ended, of each event to each webhook",
      count: history.length,
      expected: events.length * tempers.length,
    },
    {
      what: "deliveries said to be delivered that no receiver took",
      count: delivered.filter(({ event_id, path }) => !receivers.taken(path).has(event_id)).length,
      expected: 0,
    },
    {
      what: "deliveries given up before the last attempt",
      count: history.filter((row) => row.state === "failed" && row.attempts < attempts).length,
      expected: 0,
    },
    {
      what: "deliveries lost to the receiver that takes everything",
      count: events.length - receivers.taken("/sound").size,
      expected: 0,
    },
    {
      what: "events that a receiver took and the database does not have",
      count: new Set(tempers.flatMap(({ path }) => [...receivers.taken(path).keys()].filter((id) => !eventIds.has(id))))
        .size,
      expected: 0,
    },
    { what: "rows that still wait in a queue", count: (yield* waiting(url)).length, expected: 0 },
  ]
  return { findings, events: byApi, failed: history.length - delivered.length, twice }
})
