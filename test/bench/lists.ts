/**
 * Measures every list of the workspace and the API with 100,000 submissions: a page's time and size, and whether a
 * statement scans a large table sequentially.
 */
import { Console, Effect, Redacted } from "effect"
import { migrate } from "../../src/migrate.ts"
import { settings } from "./api/settings.ts"
import { seed } from "./lists/accounts.ts"
import { fill } from "./lists/fill.ts"
import { measure } from "./lists/measure.ts"
import { pagesOf } from "./lists/pages.ts"
import { limits, onlyPages, size } from "./lists/settings.ts"
import { start } from "./support/child.ts"
import * as Postgres from "./support/postgres.ts"
import { atMost, conclusion, digits, lineOf, machineOf } from "./support/report.ts"

export const description = "every list of the workspace and the API with 100,000 submissions"

const columns = ["p50 ms", "p99 ms", "smallest", "KB"]

/** Takes about six minutes; filling the database is half of it. */
export const run = Effect.gen(function* () {
  const postgres = yield* Postgres.server
  const machine = yield* machineOf(postgres)
  const url = yield* Postgres.database(postgres, "lists")
  yield* migrate({ url: Redacted.make(url) })
  const [account, other] = yield* seed(url)
  yield* Console.error("filling the database ...")
  yield* fill(url, [account, other])
  // few connections, so that each reports its table statistics soon (lists/measure.ts)
  const server = yield* start(new URL("./servers/service.ts", import.meta.url), {
    ...settings,
    DATABASE_URL: url,
    DATABASE_POOL: "2",
  })
  const { pages, shared } = yield* pagesOf(url, account.id, account.reader)
  const chosen = pages.filter(({ name }) => name.includes(onlyPages))
  const figures = yield* measure(server, url, account, chosen, shared)
  const max = (of: ReadonlyArray<number>) => Math.max(...of)
  const targets = [
    atMost(`the slowest page's median at most ${limits.millis} ms`, max(figures.map(({ p50 }) => p50)), limits.millis),
    atMost(
      `the largest page at most ${limits.kilobytes} KB`,
      max(figures.filter(({ as }) => as !== "key").map(({ kilobytes }) => kilobytes)),
      limits.kilobytes,
    ),
    atMost(
      "pages that read a large table without an index",
      figures.filter(({ scanned }) => scanned.length > 0).length,
      0,
    ),
  ]
  const text = [
    lineOf(columns, `${digits(size.submissions)} submissions of one organization, a tenth in another`, columns),
    ...figures.map(({ as, kilobytes, name, p50, p99, scanned, smallest }) =>
      lineOf(columns, `  ${as} ${name}`, [
        ...[p50, p99, smallest, kilobytes].map(digits),
        ...(scanned.length > 0 ? [`  scans ${scanned.join(", ")}`] : []),
      ]),
    ),
    ...conclusion(machine, targets),
  ].join("\n")
  return { json: { machine, figures, targets }, text }
}).pipe(Effect.scoped)
