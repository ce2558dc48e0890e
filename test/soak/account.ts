/** Whether everything is accounted for, by what the hiring system was told, what the database has, and what receivers took. */

import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import type { Done } from "./load.ts"
import { type Receivers, tempers } from "./receivers.ts"
import { attempts } from "./stage.ts"

export interface Finding {
  readonly what: string
  readonly count: number
  /** Of `count`; anything else is a loss. */
  readonly expected: number
}

/** Runs a query on the database under test, past the service. */
export const query = <Row extends object>(url: string, statement: string, parameters: ReadonlyArray<unknown> = []) =>
  Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe<Row>(statement, parameters)).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 }), { local: true }),
    Effect.orDie,
  )

/** Rows that still wait in any queue. */
export const waiting = (url: string) =>
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

/** Reads all events through the API, as a receiver that wants to prove that it missed none. */
const eventsByApi = Effect.fnUntraced(function* (pod: string, apiKey: string) {
  const ids: Array<string> = []
  let cursor = ""
  for (;;) {
    const page: { results: ReadonlyArray<{ event_id: string }>; next_cursor: string } = yield* Effect.promise(
      async () => {
        const answer = await fetch(`${pod}/company/integration/events/v1?limit=100${cursor}`, {
          headers: { "x-api-key": apiKey },
        })
        return JSON.parse(await answer.text())
      },
    )
    if (page.results.length === 0) return ids
    ids.push(...page.results.map(({ event_id }) => event_id))
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`
  }
})

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
  const events = yield* query<{ id: string }>(url, "select id from webhook_event")
  const byApi = yield* eventsByApi(pod, apiKey)
  const history = yield* query<{ path: string; event_id: string; state: string; attempts: number }>(
    url,
    `select regexp_replace(e.url, '^.*/', '/') as path, h.event_id, h.state, h.attempts
     from webhook_delivery_history h join webhook_endpoint e on e.id = h.endpoint_id`,
  )
  const delivered = history.filter(({ state }) => state === "delivered")
  const twice = tempers.flatMap(({ path }) => [...receivers.taken(path).values()].filter((times) => times > 1)).length
  const findings: ReadonlyArray<Finding> = [
    {
      what: "submissions in the database, of those answered with 200",
      count: yield* count("submission"),
      expected: unique.size,
    },
    { what: "submissions that were answered for once", count: acknowledged.length, expected: unique.size },
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
    { what: "rows that still wait", count: (yield* waiting(url)).length, expected: 0 },
  ]
  return { findings, events: events.length, failed: history.length - delivered.length, twice }
})
