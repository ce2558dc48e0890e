/**
 * Compares the integration API with the same operations on Fastify: one statement per step (peers/fastify.ts), and row
 * by row (peers/rowByRow.ts). Each server is a process with its own copy of one database. Each connection uses another
 * organization. One server is under load at a time.
 */
import { availableParallelism, loadavg } from "node:os"
import { Effect, Redacted } from "effect"
import { migrate } from "../../src/migrate.ts"
import { seed } from "./api/accounts.ts"
import { checkAgreement } from "./api/agreement.ts"
import { addHistory } from "./api/history.ts"
import { measure, type Server } from "./api/measure.ts"
import { toJson, toText } from "./api/report.ts"
import { accountsNeeded, type Scenario, scenarios } from "./api/scenarios.ts"
import { settings } from "./api/settings.ts"
import { start } from "./support/child.ts"
import * as Postgres from "./support/postgres.ts"

const programs: ReadonlyArray<{ name: string; program: URL; scenarios: ReadonlyArray<Scenario> }> = [
  { name: "service", program: new URL("./servers/service.ts", import.meta.url), scenarios },
  { name: "fastify", program: new URL("./peers/fastify.ts", import.meta.url), scenarios },
  {
    name: "row by row",
    program: new URL("./peers/rowByRow.ts", import.meta.url),
    scenarios: scenarios.filter(({ candidates }) => candidates > 0),
  },
]

export const description = "the integration API compared with Fastify and node-postgres"

/** Starts the servers on databases with `accounts` organizations, each with `people` candidates invited earlier. */
export const stage = Effect.fnUntraced(function* (postgres: string, size: { accounts: number; people: number }) {
  const template = yield* Postgres.database(postgres, "template")
  yield* migrate({ url: Redacted.make(template) })
  const accounts = yield* seed(template, size.accounts)
  yield* addHistory(template, size.people)
  const servers = yield* Effect.forEach(programs, ({ name, program, scenarios }) =>
    Effect.gen(function* () {
      const url = yield* Postgres.database(postgres, name.replaceAll(" ", "_"), template)
      const origin = yield* start(program, { ...settings, DATABASE_URL: url })
      return { name, origin, url, scenarios } satisfies Server
    }),
  )
  const [account] = accounts
  if (account !== undefined) yield* checkAgreement(servers, account)
  return { accounts, servers }
})

/** Takes about two minutes. */
export const run = Effect.gen(function* () {
  const [load = 0] = loadavg()
  const postgres = yield* Postgres.server
  const { accounts, servers } = yield* stage(postgres, { accounts: accountsNeeded, people: 1000 })
  const measurements = yield* Effect.forEach(scenarios, (scenario) => measure(scenario, servers, accounts))
  const machine = {
    cores: availableParallelism(),
    node: process.versions.node,
    postgres: yield* Postgres.version(postgres),
    load,
  }
  return { json: toJson(machine, measurements), text: toText(machine, measurements) }
}).pipe(Effect.scoped)
