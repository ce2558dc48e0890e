/**
 * Measures orders from a hiring system on two pods with one Postgres: the time from an order to its invitation email, the time
 * from a published evaluation to the first attempt of its report, and concurrent repetitions of an order.
 */
import { PgClient } from "@effect/sql-pg"
import { ConfigProvider, Console, Effect, Layer, Redacted, Schedule } from "effect"
import * as App from "../../src/App.ts"
import { Organizations } from "../../src/accounts/Organizations.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { HiringSystemConnections } from "../../src/ats/HiringSystemConnections.ts"
import { Config } from "../../src/config/Config.ts"
import { InterviewSets } from "../../src/interview-sets/InterviewSets.ts"
import { migrate } from "../../src/migrate.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { limits, repeated, settingsOf, single } from "./orders/settings.ts"
import { order, type Vendor, vendor } from "./orders/vendor.ts"
import { BenchFailed } from "./support/BenchFailed.ts"
import { start } from "./support/child.ts"
import { sharedMillis } from "./support/clock.ts"
import * as Postgres from "./support/postgres.ts"
import { atMost, conclusion, digits, lineOf, machineOf } from "./support/report.ts"
import { percentile } from "./support/statistics.ts"

export const description = "orders from a hiring system: time to the email, time to the report, concurrent repetitions"

const columns = ["p50 ms", "p99 ms"]

const connect = (url: string, settings: Record<string, string>) =>
  Effect.gen(function* () {
    const organization = yield* (yield* Organizations).create("Acme")
    const set = yield* (yield* InterviewSets).create(operator(organization), { title: "Backend Engineer" })
    const { key } = yield* (yield* HiringSystemConnections).create(operator(organization), {
      system: "greenhouse",
      name: "Greenhouse of Acme",
    })
    return { organization, set: set.id, key: Redacted.value(yield* Effect.fromNullishOr(key)) }
  }).pipe(
    Effect.provide(
      App.foundation.pipe(
        Layer.provideMerge(Database.layer({ url: Redacted.make(url), maxConnections: 3 })),
        Layer.provideMerge(Config.layer),
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(settings))),
      ),
      { local: true },
    ),
  )

const pathOf = (n: number) => `/single/${n}`

/** Runs `step` for 0 … `count` - 1 at a steady rate. */
const steadily = Effect.fnUntraced(function* <A>(count: number, step: (n: number) => Effect.Effect<A>) {
  const begun = sharedMillis()
  return yield* Effect.forEach(
    Array.from({ length: count }, (_, n) => n),
    (n) =>
      Effect.suspend(() => Effect.sleep(Math.max(0, begun + (n * 1000) / single.perSecond - sharedMillis()))).pipe(
        Effect.andThen(step(n)),
      ),
    { concurrency: "unbounded" },
  )
})

/** Waits until `pending` is 0, at most a minute. */
const until = (what: string, pending: Effect.Effect<number, unknown>) =>
  pending.pipe(
    Effect.orDie,
    Effect.repeat({ until: (left) => left === 0, schedule: Schedule.spaced("200 millis") }),
    Effect.timeout("1 minute"),
    Effect.mapError(() => new BenchFailed({ message: `${what} did not end within a minute` })),
  )

const countOf = (url: string, rows: string) =>
  Effect.map(Postgres.query<{ n: number }>(url, `select count(*)::int as n from ${rows}`), ({ n }) => n)

const placed = Effect.fnUntraced(function* (answers: ReadonlyArray<{ readonly status: number; readonly id: string }>) {
  const refused = answers.filter(({ status }) => status !== 200)
  if (refused.length > 0)
    yield* new BenchFailed({ message: `${refused.length} orders were refused: ${refused[0]?.status}` })
  return answers.map(({ id }) => id)
})

/** Milliseconds from storing an order to the provider's acceptance of its email, both by the database's clock. */
const mailed = Effect.fnUntraced(function* (url: string) {
  yield* until("sending emails", countOf(url, "email where sent_at is null"))
  const { took } = yield* Postgres.query<{ took: ReadonlyArray<number> }>(
    url,
    `select array_agg(extract(epoch from e.sent_at - o.created_at)::float8 * 1000) as took
     from ats_order o join invitation i on i.submission_id = o.submission_id join email e on e.invitation_id = i.id`,
  )
  return took
})

/** Milliseconds from the commit of an evaluation's event to the first attempt of the order's report. */
const reported = Effect.fnUntraced(function* (submissions: ReadonlyArray<string>, { reports }: Vendor) {
  const sql = yield* PgClient.PgClient
  const published = new Map<string, number>()
  yield* steadily(submissions.length, (n) =>
    sql`
      insert into webhook_event (id, organization_id, xid, event_type, status, body, submission_id)
      select gen_random_uuid(), organization_id, pg_current_xact_id(), 'interview.evaluation.update', 'scored', '{}', id
      from submission where id = ${submissions[n] ?? ""}::uuid`.pipe(
      Effect.orDie,
      Effect.andThen(Effect.sync(() => published.set(pathOf(n), sharedMillis()))),
    ),
  )
  const left = Effect.sync(() => [...published.keys()].filter((path) => !reports.has(path)).length)
  yield* until("reporting", left)
  return [...published].map(([path, at]) => Math.max(0, (reports.get(path) ?? Number.NaN) - at))
})

/** Sends each order many times at once; returns the number of surplus invitations. */
const repeatedOrders = Effect.fnUntraced(function* (
  url: string,
  send: (n: number, name: string, pod: number) => ReturnType<typeof order>,
) {
  const before = yield* countOf(url, "invitation")
  for (let n = 0; n < repeated.orders; n++) {
    const answers = yield* Effect.forEach(
      Array.from({ length: repeated.times }, (_, pod) => pod),
      (pod) => send(n, "repeated", pod),
      { concurrency: "unbounded" },
    )
    const ids = new Set(yield* placed(answers))
    if (ids.size !== 1) yield* new BenchFailed({ message: `an order got ${ids.size} different answers` })
  }
  return (yield* countOf(url, "invitation")) - before - repeated.orders
})

/** Takes about three minutes. */
export const run = Effect.gen(function* () {
  const postgres = yield* Postgres.server
  const machine = yield* machineOf(postgres)
  const url = yield* Postgres.database(postgres, "orders")
  yield* migrate({ url: Redacted.make(url) })
  const system = yield* vendor
  const settings = settingsOf(url, system.origin)
  const { key, set } = yield* connect(url, settings)
  const program = new URL("./servers/workingPod.ts", import.meta.url)
  const pods = [yield* start(program, settings), yield* start(program, settings)]
  const send = (n: number, name: string, pod: number) =>
    order(pods[pod % pods.length] ?? "", key, set, `${system.origin}/${name}/${n}`, `${name}${n}@example.com`)

  yield* Console.error("ordering ...")
  const submissions = yield* placed(yield* steadily(single.orders, (n) => send(n, "single", n)))
  const toMail = yield* mailed(url)
  yield* Console.error("reporting ...")
  const toReport = yield* Effect.provide(
    reported(submissions, system),
    PgClient.layer({ url: Redacted.make(url), maxConnections: 2 }),
  )
  yield* Console.error("repeating orders ...")
  const extra = yield* repeatedOrders(url, send)

  const p99 = (values: ReadonlyArray<number>) => percentile(values, 0.99)
  const line = (name: string, values: ReadonlyArray<number>) =>
    lineOf(columns, `  ${name}`, [percentile(values, 0.5), p99(values)].map(digits))
  const calls = repeated.orders * repeated.times
  const targets = [
    atMost(`p99 from an order to its email at most ${limits.mail} ms`, p99(toMail), limits.mail),
    atMost(`p99 from an evaluation to its report at most ${limits.report} ms`, p99(toReport), limits.report),
    atMost(`surplus invitations after ${digits(calls)} repeated orders`, extra, 0),
  ]
  const text = [
    lineOf(columns, `${digits(single.orders)} orders, ${single.perSecond}/s, two pods`, columns),
    line("from the order to the email", toMail),
    line("from the evaluation to the report", toReport),
    ...conclusion(machine, targets),
  ].join("\n")
  return { json: { machine, targets }, text }
}).pipe(Effect.scoped)
