/** What a command runs in: its settings, and its database. */
import { randomBytes } from "node:crypto"
import { access, mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { ConfigProvider, Effect, Layer, Redacted, Schema } from "effect"
import * as Config from "../config/Config.ts"
import { embeddedPostgres } from "../dev/EmbeddedPostgres.ts"
import { migrate } from "../migrate.ts"
import { Database, type DatabaseUnavailable } from "../platform/database/Database.ts"
import type { DatabaseIncompatible } from "../platform/database/Migrations.ts"

/** The command can not go on; the message is all that a person needs. */
export class CommandFailed extends Schema.TaggedError<CommandFailed>()("CommandFailed", { message: Schema.String }) {}

/** Settings that hold where the environment says nothing. */
export const defaults = (values: Record<string, string>) =>
  Layer.effect(
    ConfigProvider.ConfigProvider,
    Effect.map(ConfigProvider.ConfigProvider, ConfigProvider.orElse(ConfigProvider.fromEnvRecord(values))),
  )

/** On somebody's own machine: mails stay in the mailbox, and webhooks may go to this machine. */
export const localDefaults = { EMAIL: "mailbox", OUTBOUND_ALLOW: "127.0.0.0/8,::1/128" }

/** The secret key of a directory, made on first use. */
const secretKeyOf = (dataDir: string) =>
  Effect.tryPromise({
    try: async () => {
      const file = join(dataDir, "secret.key")
      await mkdir(dataDir, { recursive: true })
      // "wx" fails when the file is there: of two commands that start together, one makes the key and both read it
      const made = writeFile(file, `${randomBytes(32).toString("base64")}\n`, { flag: "wx", mode: 0o600 })
      await made.catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error
      })
      return (await readFile(file, "utf8")).trim()
    },
    catch: (error) =>
      new CommandFailed({ message: `DATA_DIR: ${error instanceof Error ? error.message : String(error)}` }),
  })

/** A server runs until it is asked to stop: to be interrupted is how it ends well. */
export const untilStopped = Effect.onInterrupt(() =>
  Effect.sync(() => {
    process.exitCode = 0
  }),
)

/** Commands look at what `npm start` has made: on an empty directory there is nothing to look at. */
const requireStarted = (dataDir: string) =>
  Effect.tryPromise({
    try: () => access(join(dataDir, "secret.key")),
    catch: () =>
      new CommandFailed({
        message: `there is no database in ${dataDir} yet: run npm start first, or set DATABASE_URL (or DATA_DIR)`,
      }),
  })

/** A database with the schema applied. */
const database = (url: Redacted.Redacted, maxConnections: number) =>
  Database.layer({ url, maxConnections }).pipe(Layer.provide(Layer.effectDiscard(migrate({ url }))))

/** Where a database is, without the password. */
const placeOf = (url: Redacted.Redacted): string => {
  // behind an unescaped # / or ? of a password, the password stands where host and database should
  if (/[/?#].*@/.test(Redacted.value(url).replace(/^\w+:\/\//, ""))) return ""
  const { host, pathname, username } = URL.parse(Redacted.value(url)) ?? { host: "", pathname: "", username: "" }
  return host === "" ? "" : ` (${host}${pathname}${username === "" ? "" : `, as ${username}`})`
}

/** Of a database that can not be used, says which setting names it, and what to look at. */
export const namingUrl =
  (url: Redacted.Redacted) =>
  ({ _tag, message }: DatabaseUnavailable | DatabaseIncompatible): CommandFailed => {
    const advice =
      _tag === "DatabaseIncompatible"
        ? "Create an empty database and set DATABASE_URL to it."
        : "If it can not be reached: is Postgres running there, and are host, port, user, password and database right?"
    return new CommandFailed({ message: `DATABASE_URL${placeOf(url)}: ${message}. ${advice}` })
  }

/** The database that DATABASE_URL names. */
export const namedDatabase = (url: Redacted.Redacted, maxConnections: number) =>
  database(url, maxConnections).pipe(
    Layer.catchTag(["DatabaseUnavailable", "DatabaseIncompatible"], (error) =>
      Layer.effect(Database, Effect.fail(namingUrl(url)(error))),
    ),
  )

/** A Postgres of our own in `dataDir`, and settings to go with it. */
export const embedded = (dataDir: string, settings: Record<string, string>, temporary = false) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const key = yield* secretKeyOf(dataDir)
      const url = yield* embeddedPostgres({ dataDir, database: "interview_invitations", temporary })
      return Database.layer({ url, maxConnections: 10 }).pipe(
        Layer.provide(Layer.effectDiscard(migrate({ url }))),
        Layer.catchTag("DatabaseIncompatible", ({ message }) =>
          Layer.effect(
            Database,
            new CommandFailed({
              message: `DATA_DIR (${dataDir}): ${message}. Move the directory away and start again.`,
            }),
          ),
        ),
        Layer.provideMerge(defaults({ ...settings, SECRET_KEY: key })),
      )
    }),
  )

/**
 * The database that DATABASE_URL names, else the one in DATA_DIR, which is started when it is not running. The secret
 * key of DATA_DIR and the freedom to reach this machine go with that one alone, or with a `trial` of the product.
 */
export const local = (options: { readonly trial: boolean }) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const provider = yield* ConfigProvider.ConfigProvider
      const dataDir = yield* Config.dataDir
      if ((yield* provider.load(["DATABASE_URL"])) === undefined) {
        if (!options.trial) yield* requireStarted(dataDir)
        return embedded(dataDir, localDefaults)
      }
      const url = yield* Config.databaseUrl
      // somebody's database is not this machine's: its keys and its networks are what its pods have
      const own = options.trial ? { ...localDefaults, SECRET_KEY: yield* secretKeyOf(dataDir) } : { EMAIL: "mailbox" }
      return namedDatabase(url, 10).pipe(Layer.provideMerge(defaults(own)))
    }),
  ).pipe(Layer.provideMerge(NodeServices.layer))
