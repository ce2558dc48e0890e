/** Starts the receiver and the service's worker for benches of deliveries. */
import { Effect, Redacted } from "effect"
import { migrate } from "../../../src/migrate.ts"
import { start } from "../support/child.ts"
import { sendCommand } from "../support/control.ts"
import * as Postgres from "../support/postgres.ts"
import { type Account, seed } from "./accounts.ts"
import type { Contestant } from "./measure.ts"
import * as Protocol from "./protocol.ts"
import * as Queues from "./queues.ts"
import { receivers, settings } from "./settings.ts"

export interface Receiver {
  /** Origin for commands. */
  readonly control: string
  /** Origin for POSTs. */
  readonly origin: string
  /** Signing secrets by the number in the path. */
  readonly secrets: ReadonlyArray<string>
}

export interface Stage {
  readonly postgres: string
  readonly receiver: Receiver
  readonly accounts: ReadonlyArray<Account>
  /** URL of a database with the accounts. */
  readonly template: string
}

/** Starts Postgres and the receiver, and creates the template database. */
export const open = Effect.gen(function* () {
  const postgres = yield* Postgres.server
  const control = yield* start(new URL("../servers/receiver.ts", import.meta.url), {})
  const { origin } = yield* sendCommand(control, Protocol.address, {})
  const template = yield* Postgres.database(postgres, "template")
  yield* migrate({ url: Redacted.make(template) })
  const accounts = yield* seed(template, origin, receivers)
  const secrets = accounts.map(({ secret }) => secret)
  return { postgres, receiver: { control, origin, secrets }, accounts, template } satisfies Stage
})

/** Starts a worker on a copy of the template. `prepare` changes the copy first; `own` are additional settings. */
export const service = Effect.fnUntraced(function* <E, R>(
  { accounts, postgres, template }: Stage,
  name: string,
  database: string,
  prepare: (url: string) => Effect.Effect<unknown, E, R>,
  own: Record<string, string> = {},
) {
  const url = yield* Postgres.database(postgres, database, template)
  yield* prepare(url)
  const worker = yield* start(new URL("../servers/worker.ts", import.meta.url), {
    ...settings,
    ...own,
    DATABASE_URL: url,
  })
  const queue = yield* Queues.service(url, accounts)
  return { name, worker, queue, url, slowEvery: 0 } satisfies Contestant
})
