/** Measures a scenario on all servers. Rounds alternate, so that other load on the machine affects all alike. */
import { Console, Effect } from "effect"
import { execute } from "../../support/databases.ts"
import { BenchFailed } from "../support/BenchFailed.ts"
import { type Round, run } from "../support/load.ts"
import * as Postgres from "../support/postgres.ts"
import { median, percentile } from "../support/statistics.ts"
import type { Account } from "./accounts.ts"
import { type Scenario, type Table, tables } from "./scenarios.ts"

export interface Server {
  readonly name: string
  readonly origin: string
  /** URL of its database. */
  readonly url: string
  readonly scenarios: ReadonlyArray<Scenario>
}

export interface Figures {
  readonly server: string
  /** Median of the rounds. */
  readonly requestsPerSecond: number
  readonly candidatesPerSecond: number
  /** Milliseconds, over all requests of all rounds. With fewer than 100 requests, p99 is the maximum. */
  readonly p50: number
  readonly p99: number
  /** Requests/s of the first server divided by those of this one; median of the rounds. */
  readonly ratio: number
}

export interface Measurement {
  readonly scenario: Scenario
  readonly figures: ReadonlyArray<Figures>
}

const rounds = 5
const roundMillis = 1000
/** Load before the first round, so that V8 has compiled the code, as in a process that runs for days. */
const warmUpMillis = 2000

const countRows = (url: string) =>
  Postgres.query<Record<Table, number>>(
    url,
    `select ${tables.map((table) => `(select count(*)::int from ${table}) as ${table}`).join(", ")}`,
  )

/** Fails unless the server wrote exactly the expected rows. */
const round = Effect.fnUntraced(function* (
  scenario: Scenario,
  server: Server,
  accounts: ReadonlyArray<Account>,
  millis: number,
) {
  const before = yield* countRows(server.url)
  const done = yield* Effect.tryPromise({
    try: () =>
      run({
        origin: server.origin,
        connections: accounts.slice(0, scenario.connections).map((account) => () => scenario.request(account)),
        millis,
        status: scenario.status,
      }),
    catch: (error) => new BenchFailed({ message: `${server.name}, ${scenario.name}: ${String(error)}` }),
  })
  const after = yield* countRows(server.url)
  for (const table of tables) {
    const expected = done.latencies.length * (scenario.writes[table] ?? 0)
    const written = after[table] - before[table]
    if (written !== expected) {
      const message = `${server.name}, ${scenario.name}: ${written} rows in ${table}, expected ${expected}`
      return yield* new BenchFailed({ message })
    }
  }
  return done
})

const perSecond = ({ elapsed, latencies }: Round) => (latencies.length / elapsed) * 1000

/**
 * Skips servers that do not support the scenario. Vacuums, analyzes and flushes first, so that what the scenario before
 * wrote costs none of the servers anything.
 */
export const measure = Effect.fnUntraced(function* (
  scenario: Scenario,
  all: ReadonlyArray<Server>,
  accounts: ReadonlyArray<Account>,
) {
  const servers = all.filter(({ scenarios }) => scenarios.includes(scenario))
  yield* Console.error(`measuring ${scenario.name} ...`)
  yield* Effect.forEach(servers, ({ url }) =>
    Effect.forEach(["vacuum analyze", "checkpoint"], (statement) => execute(url, statement)),
  )
  yield* Effect.forEach(servers, (server) => round(scenario, server, accounts, warmUpMillis))
  const measured = yield* Effect.forEach(Array.from({ length: rounds }), () =>
    Effect.forEach(servers, (server) => round(scenario, server, accounts, roundMillis)),
  )
  const figures = servers.map(({ name }, s): Figures => {
    const own = measured.flatMap((one) => one[s] ?? [])
    const latencies = own.flatMap((one) => one.latencies)
    const requestsPerSecond = median(own.map(perSecond))
    return {
      server: name,
      requestsPerSecond,
      candidatesPerSecond: requestsPerSecond * scenario.candidates,
      p50: percentile(latencies, 0.5),
      p99: percentile(latencies, 0.99),
      ratio: median(
        own.flatMap((one, i) => measured[i]?.slice(0, 1).map((first) => perSecond(first) / perSecond(one)) ?? []),
      ),
    }
  })
  return { scenario, figures } satisfies Measurement
})
