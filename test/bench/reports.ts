/** Measures each report about 100,000 submissions: impact ratios, record, retention, oversight, audit log, requests for a person. */
import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { mkdtemp } from "node:fs/promises"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { finished } from "node:stream/promises"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { ConfigProvider, Console, Effect, FileSystem, Layer, Redacted } from "effect"
import { Client } from "undici"
import * as App from "../../src/App.ts"
import { Config } from "../../src/config/Config.ts"
import { migrate } from "../../src/migrate.ts"
import { ResultOffers } from "../../src/person-reviews/ResultOffers.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { verifyContent } from "../../src/record/RecordFile.ts"
import { RecordSealer } from "../../src/record/RecordSealer.ts"
import { settings } from "./api/settings.ts"
import { seed } from "./lists/accounts.ts"
import { fill } from "./lists/fill.ts"
import { signIn } from "./lists/measure.ts"
import { size } from "./lists/settings.ts"
import { fillReports } from "./reports/fill.ts"
import { BenchFailed } from "./support/BenchFailed.ts"
import { start } from "./support/child.ts"
import * as Postgres from "./support/postgres.ts"
import { atMost, conclusion, digits, lineOf, machineOf } from "./support/report.ts"
import { percentile } from "./support/statistics.ts"

export const description = "each report about 100,000 submissions"

/** Counted requests for each page, after an uncounted one: from the sixth on, Postgres may use a generic plan. */
const counted = 8

/** Milliseconds of the slowest page's median: a page that members open, not a file. */
const limit = 1_000

const columns = ["p50 ms", "slowest", "KB", "load"]

interface Figure {
  readonly name: string
  readonly p50: number
  readonly slowest: number
  readonly kilobytes: number
  /** Mean number of runnable processes of the machine in the last minute. */
  readonly load: number
}

const attempt = <A>(run: () => Promise<A>) =>
  Effect.tryPromise({ try: run, catch: (why) => new BenchFailed({ message: String(why) }) })

const timed = <A, E, R>(name: string, times: number, run: Effect.Effect<A, E, R>, kilobytes: (last: A) => number) =>
  Effect.gen(function* () {
    const millis: Array<number> = []
    let last = yield* run
    for (let i = 0; i < times; i++) {
      const begin = performance.now()
      last = yield* run
      millis.push(performance.now() - begin)
    }
    const figure: Figure = {
      name,
      p50: percentile(millis, 0.5),
      slowest: Math.max(...millis),
      kilobytes: kilobytes(last),
      load: loadavg()[0] ?? 0,
    }
    yield* Console.error(`${name}: ${figure.p50.toFixed(0)} ms, load ${figure.load.toFixed(1)}`)
    return figure
  })

/** Once, without a request before. */
const runOnce = <A, E, R>(name: string, run: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const begin = performance.now()
    const result = yield* run
    const millis = performance.now() - begin
    const figure: Figure = { name, p50: millis, slowest: millis, kilobytes: 0, load: loadavg()[0] ?? 0 }
    yield* Console.error(`${name}: ${millis.toFixed(0)} ms, load ${figure.load.toFixed(1)}`)
    return { figure, result }
  })

/** Takes about ten minutes; filling the database is half of it. */
export const run = Effect.gen(function* () {
  const postgres = yield* Postgres.server
  const machine = yield* machineOf(postgres)
  const url = yield* Postgres.database(postgres, "reports")
  yield* migrate({ url: Redacted.make(url) })
  const [account, other] = yield* seed(url)
  yield* Console.error("filling the database ...")
  yield* fill(url, [account, other])
  yield* fillReports(url, account.id)
  const services = App.foundation.pipe(
    Layer.provideMerge(Database.layer({ url: Redacted.make(url), maxConnections: 5 })),
    Layer.provideMerge(Config.layer),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(settings))),
  )
  const inService = yield* Effect.gen(function* () {
    const { step } = yield* RecordSealer
    const sealing = yield* runOnce("sealing all entries", Effect.repeat(step, { until: (sealed) => sealed === 0 }))
    const offers = yield* ResultOffers
    const offering = yield* timed("a step of the emails about results", 3, offers.step, () => 0)
    return [sealing.figure, offering]
  }).pipe(Effect.provide(services, { local: true }))
  const server = yield* start(new URL("./servers/service.ts", import.meta.url), { ...settings, DATABASE_URL: url })
  const headers = yield* attempt(() => signIn(server, account.owner))
  const client = yield* Effect.acquireRelease(
    Effect.sync(() => new Client(server, { pipelining: 1, bodyTimeout: 600_000, headersTimeout: 600_000 })),
    (client) => Effect.promise(() => client.destroy()),
  )
  const request = (path: string, fields?: Readonly<Record<string, string>>, file?: string) =>
    attempt(async () => {
      const response = await client.request({
        path,
        headers,
        method: fields === undefined ? "GET" : "POST",
        ...(fields === undefined ? {} : { body: new URLSearchParams(fields).toString() }),
      })
      if (response.statusCode >= 400) throw new Error(`${path} returned ${response.statusCode}`)
      const target = file === undefined ? undefined : createWriteStream(file)
      let bytes = 0
      for await (const chunk of response.body) {
        bytes += Buffer.byteLength(chunk)
        if (target !== undefined && !target.write(chunk)) await once(target, "drain")
      }
      if (target !== undefined) await finished(target.end())
      return bytes
    })
  const page = (name: string, path: string, fields?: Readonly<Record<string, string>>) =>
    timed(name, counted, request(path, fields), (bytes) => bytes / 1000)
  const { set, notice } = yield* Postgres.query<{ set: string; notice: string }>(
    url,
    `select v.interview_set_id as set, v.notice_id as notice
     from submission_notice g join notice_version v on v.id = g.notice_version_id
     where g.organization_id = ${account.id} group by 1, 2 order by count(*) desc limit 1`,
  )
  const { month, from } = yield* Postgres.query<{ month: string; from: string }>(
    url,
    `select to_char(now() - interval '1 month', 'YYYY-MM') as month, to_char(now() - interval '11 months', 'YYYY-MM') as "from"`,
  )
  const periods = { recordings: "90", cvs: "90", answers: "90", candidates: "180", events: "20", audit: "184" }
  const count = { ...periods, from: "decision", version: "1", do: "count" }
  const report = (outcome: string) => ({ set: "", from, to: month, outcome })
  const pages = [
    yield* page("impact ratios: form and list", "/settings/impact-ratios"),
    yield* page("impact ratios: report of 11 months, by score", "/settings/impact-ratios", report("scored")),
    yield* page("impact ratios: report of 11 months, by decision", "/settings/impact-ratios", report("advanced")),
    yield* page("oversight", "/settings/oversight"),
    yield* page("retention: count of all kinds", "/settings/retention", count),
    yield* page("audit log", "/settings/audit"),
    yield* page("audit log: one action", "/settings/audit?type=submission.decide"),
    yield* page("audit log: a year ago", `/settings/audit?to=${from}-15`),
    yield* page("audit log: without a member", "/settings/audit?who=none"),
    yield* page("requests for a person", "/person-reviews"),
    yield* page("home", "/home"),
    yield* page("decision record", "/settings/record"),
    yield* page("counterfactual audits", "/settings/counterfactual-audit"),
    yield* page("queues", "/settings/queues"),
    yield* page("submissions: evaluation waits", "/submissions?status=evaluation_waits"),
    yield* page("submissions: being evaluated", "/submissions?status=being_evaluated"),
    yield* page("public notice with its versions", `/notices/${notice}?set=${set}`),
  ]
  const directory = yield* attempt(() => mkdtemp(join(tmpdir(), "interview-record-")))
  const file = join(directory, "record.jsonl")
  const exporting = yield* runOnce("record: export", request("/settings/record/export", {}, file))
  const audit = yield* runOnce("audit log: CSV of all entries", request("/settings/audit.csv"))
  const verifying = yield* runOnce(
    "record: verification of the export",
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const result = yield* verifyContent(files.stream(file), { keys: [], head: undefined })
      yield* files.remove(directory, { recursive: true })
      return result
    }).pipe(Effect.provide(NodeFileSystem.layer)),
  )
  if (!verifying.result.isValid || verifying.result.entries !== size.submissions)
    return yield* new BenchFailed({ message: `the export is not valid: ${JSON.stringify(verifying.result.faults)}` })
  const figures = [
    ...inService,
    ...pages,
    { ...exporting.figure, kilobytes: exporting.result / 1000 },
    { ...audit.figure, kilobytes: audit.result / 1000 },
    verifying.figure,
  ]
  const targets = [
    atMost(`the slowest page's median at most ${limit} ms`, Math.max(...pages.map(({ p50 }) => p50)), limit),
  ]
  const text = [
    lineOf(columns, `${digits(size.submissions)} submissions of one organization, a tenth in another`, columns),
    ...figures.map(({ kilobytes, load, name, p50, slowest }) =>
      lineOf(columns, `  ${name}`, [...[p50, slowest, kilobytes].map(digits), load.toFixed(1)]),
    ),
    ...conclusion(machine, targets),
  ].join("\n")
  return { json: { machine, figures, targets }, text }
}).pipe(Effect.scoped)
