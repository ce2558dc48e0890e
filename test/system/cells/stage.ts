/** Two cells on one server with wal_level = logical, and the command that moves an organization. */
import { assert } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import * as App from "../../../src/App.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import * as Api from "../../support/Api.ts"
import * as cli from "../../support/cli.ts"
import { atDatabase, execute } from "../../support/databases.ts"
import * as Members from "../../support/Members.ts"
import * as OwnPostgres from "../../support/OwnPostgres.ts"
import * as Pod from "../../support/Pod.ts"

/** Milliseconds. */
export const timeout = 240_000

/** A server with one migrated database. */
export const server = Effect.gen(function* () {
  const postgres = yield* OwnPostgres.start
  yield* execute(atDatabase(postgres.url, "postgres"), "alter system set wal_level = 'logical'")
  yield* postgres.restart("fast")
  return postgres
})

/** A source and a target on two servers. */
export const cellsOnTwoServers = Effect.gen(function* () {
  const [from, to] = yield* Effect.all([server, OwnPostgres.start], { concurrency: 2 })
  return { source: yield* cell(from.url, 0), target: yield* cell(to.url, 1) }
})

/** A source and a target, cells 0 and 1. */
export const cells = Effect.gen(function* () {
  const { url } = yield* server
  return { source: yield* cell(url, 0), target: yield* cell(url, 1) }
})

/** A source and a target, each with two installations. */
export const cellsWithSchemas = Effect.fnUntraced(function* (...schemas: ReadonlyArray<string>) {
  const { url } = yield* server
  const [source, target] = [atDatabase(url, "schemas"), atDatabase(url, "other_schemas")]
  yield* execute(atDatabase(url, "postgres"), "create database schemas")
  const run = Effect.fnUntraced(function* (schema: string, url: string, ...args: ReadonlyArray<string>) {
    const { code, stderr } = yield* cli.run({ ...environment(url), DATABASE_SCHEMA: schema }, ...args)
    assert.deepStrictEqual([code, stderr], [0, ""])
  })
  for (const schema of schemas) yield* run(schema, source, "migrate")
  yield* execute(atDatabase(url, "postgres"), "create database other_schemas template schemas")
  for (const schema of schemas) yield* run(schema, target, "cell", "set-number", "--number", "1")
  return { source, target }
})

/** A copy of the server's database with the number of a cell. */
export const cell = Effect.fnUntraced(function* (url: string, number: number) {
  const name = `cell_${number}`
  yield* execute(atDatabase(url, "postgres"), `create database ${name} template app`)
  const own = atDatabase(url, name)
  const { code, stderr } = yield* cli.run(environment(own), "cell", "set-number", "--number", String(number))
  assert.deepStrictEqual([code, stderr], [0, ""])
  return own
})

/** A copy of the database, to which no process is connected: what a restore to this moment has. */
export const copyOf = Effect.fnUntraced(function* (url: string) {
  const name = new URL(url).pathname.slice(1)
  yield* execute(atDatabase(url, "postgres"), `create database ${name}_before template ${name}`)
  return atDatabase(url, `${name}_before`)
})

export const environment = (url: string) => ({ DATABASE_URL: url, SECRET_KEY: cli.secretKey })

/** A cell's services and HTTP server in the test's process, without workers. Closed before the effect ends. */
export const inCell =
  (url: string, ports: Pod.Ports = {}, schema?: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provide(
      Effect.scoped(effect),
      Api.Server.layer.pipe(
        Layer.provide(App.serve(Layer.merge(App.api, App.pages))),
        Layer.provideMerge(Pod.services({ ...ports, settings: { ...Members.settings, ...ports.settings } })),
        Layer.provideMerge(Database.layer({ url: Redacted.make(url), schema, maxConnections: 5 })),
      ),
      { local: true },
    )

/** Records the fingerprint of SECRET_KEY, as the start of a pod does. */
export const started = (url: string) => inCell(url)(Effect.void)

/** The environment and the arguments of `organization move`; `settings` such as MOVE_SOURCE_URL, `flags` such as --undo. */
export const moveCommand = (
  settings: Record<string, string>,
  source: string,
  target: string,
  organization: number,
  ...flags: ReadonlyArray<string>
) =>
  [
    { ...environment(source), MOVE_TARGET_URL: target, ...settings },
    ...["organization", "move", "--organization", String(organization), "--json"],
    ...flags,
  ] as const

const move = (source: string, target: string, organization: number, ...flags: ReadonlyArray<string>) =>
  cli.run(...moveCommand({}, source, target, organization, ...flags))

/** In a process that the test kills. */
export const beginMove = (source: string, target: string, organization: number) =>
  cli.begin(...moveCommand({}, source, target, organization))

/** Moves, and returns the object that the command prints. */
export const moved = (...parameters: Parameters<typeof move>) =>
  Effect.map(move(...parameters), ({ code, stderr, stdout }): Record<string, unknown> => {
    assert.strictEqual(code, 0, stderr)
    return JSON.parse(stdout)
  })

/** Tries a move that is refused, and returns the message. */
export const refused = (...parameters: Parameters<typeof move>) =>
  Effect.map(move(...parameters), ({ code, stderr, stdout }) => {
    assert.deepStrictEqual([code, stdout], [1, ""], stderr)
    return stderr
  })
