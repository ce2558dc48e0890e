/** Provides a command with its settings and database. */
import { randomBytes } from "node:crypto"
import { access, mkdir, readFile, readlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { ConfigProvider, Effect, Layer, type Redacted, Result, Schema } from "effect"
import * as Config from "../config/Config.ts"
import { readDatabaseUrl } from "../config/DatabaseUrl.ts"
import { embeddedPostgres } from "../dev/EmbeddedPostgres.ts"
import { migrate } from "../migrate.ts"
import { Database, type DatabaseOptions, type DatabaseUnavailable } from "../platform/database/Database.ts"
import { type DatabaseIncompatible, type MigrationRefused, schemaVersion } from "../platform/database/Migrations.ts"
import { dropDatabase, isSameSchema } from "../platform/database/SchemaComparison.ts"

/** Ends the command with exit code 1 and this message on stderr. */
export class CommandFailed extends Schema.TaggedError<CommandFailed>()("CommandFailed", { message: Schema.String }) {}

/** Environment variables override `values`. */
export const defaults = (values: Record<string, string>) =>
  Layer.effect(
    ConfigProvider.ConfigProvider,
    Effect.map(ConfigProvider.ConfigProvider, ConfigProvider.orElse(ConfigProvider.fromEnvRecord(values))),
  )

/** Defaults of `npm start`: emails stay in the mailbox, webhooks may reach this machine. */
export const localDefaults = { EMAIL: "mailbox", OUTBOUND_ALLOW: "127.0.0.0/8,::1/128" }

/** The key in `secret.key`, generated on first use. */
const secretKeyOf = (dataDir: string) =>
  Effect.tryPromise({
    try: async () => {
      const file = join(dataDir, "secret.key")
      await mkdir(dataDir, { recursive: true })
      // "wx" fails if the file exists: two commands that start together use one key
      const written = writeFile(file, `${randomBytes(32).toString("base64")}\n`, { flag: "wx", mode: 0o600 })
      await written.catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error
      })
      return (await readFile(file, "utf8")).trim()
    },
    catch: (error) =>
      new CommandFailed({ message: `DATA_DIR: ${error instanceof Error ? error.message : String(error)}` }),
  })

/** Interruption is the regular end of a server: exit code 0. */
export const untilStopped = Effect.onInterrupt(() =>
  Effect.sync(() => {
    process.exitCode = 0
  }),
)

/** `npm start` has run with this DATA_DIR. */
export const wasStarted = (dataDir: string) =>
  Effect.match(
    Effect.tryPromise(() => access(join(dataDir, "secret.key"))),
    { onFailure: () => false, onSuccess: () => true },
  )

const requireStarted = (dataDir: string) =>
  Effect.filterOrFail(
    wasStarted(dataDir),
    (was) => was,
    () =>
      new CommandFailed({
        message: `there is no database in ${dataDir} yet: run npm start first, or set DATABASE_URL or DATA_DIR`,
      }),
  )

type Urls = Pick<DatabaseOptions, "url" | "directUrl" | "replicaUrl" | "schema">

const migrated = (urls: Urls, maxConnections: number) =>
  Database.layer({ ...urls, maxConnections }).pipe(Layer.provide(Layer.effectDiscard(migrate(urls))))

const placeOf = (url: Redacted.Redacted): string =>
  Result.match(readDatabaseUrl(url), {
    onSuccess: ({ database = "", servers, user }) => {
      const hosts = servers.map(({ host, port }) => (host.startsWith("/") ? host : `${host}:${port}`))
      return ` (${hosts.join(",")}/${database}${user === undefined ? "" : `, as ${user}`})`
    },
    onFailure: () => "",
  })

export const namingUrl =
  ({ url }: Urls) =>
  ({ _tag, message }: DatabaseUnavailable | DatabaseIncompatible | MigrationRefused): CommandFailed =>
    new CommandFailed({
      message: `DATABASE_URL${placeOf(url)}: ${message}${poolerAdvice(message) ?? tlsAdvice(message) ?? advice[_tag]}`,
    })

const advice = {
  DatabaseIncompatible: ". Create an empty database and set DATABASE_URL to it.",
  DatabaseUnavailable:
    ". Check that Postgres is running there and that host, port, user, password and database are right.",
  MigrationRefused: "",
} as const

const poolers = "docs/scale.md#connection-poolers"

/** Errors of a server that requires TLS, and of Node when it does not trust the server's certificate. */
const tlsAdvice = (message: string): string | undefined => {
  if (
    /no encryption|SSL off|requires (SSL|TLS|encryption)|SSL (connection )?is required|insecure connection/i.test(
      message,
    )
  )
    return ". The server accepts only encrypted connections: add sslmode=require to the address."
  if (/self-signed certificate|unable to (verify|get).*certificate/.test(message))
    return ". Set sslrootcert in the address to a file with the certificate of the server's authority."
  if (/does not match certificate/.test(message))
    return ". Use the name in the certificate as the host; or, with sslrootcert of an own authority, sslmode=verify-ca."
  return undefined
}

/** PgBouncer's error for a startup parameter. With DATABASE_DIRECT_URL, it can refuse only `options` of the address. */
const startupParameter = /unsupported startup parameter/
const startupOptions = /unsupported startup parameter(: options\b| in options)/

/** Undefined: the error is not of a pooler. `setting`: where the address of Postgres itself belongs. */
export const poolerAdvice = (message: string, setting = "DATABASE_DIRECT_URL"): string | undefined => {
  if (startupOptions.test(message)) {
    return `. The pooler refuses options in the address: remove it, and set its parameters for the role, as ${poolers} says.`
  }
  if (startupParameter.test(message)) {
    return `. This is a connection pooler: set ${setting} to the address of Postgres itself, as ${poolers} says.`
  }
  // Database.ts, which names the statements to run
  return message.startsWith("connections of the pooler") ? `. See ${poolers}.` : undefined
}

export const namedDatabase = (urls: Urls, maxConnections: number) =>
  migrated(urls, maxConnections).pipe(
    Layer.catchTag(["DatabaseUnavailable", "DatabaseIncompatible", "MigrationRefused"], (error) =>
      Layer.effect(Database, Effect.fail(namingUrl(urls)(error))),
    ),
  )

/** For root, `postgres` in DATA_DIR links to the database's directory. */
const oldData = Effect.fnUntraced(function* (dataDir: string) {
  const linked = yield* Effect.option(Effect.tryPromise(() => readlink(join(dataDir, "postgres"))))
  const [what, directories] =
    linked._tag === "Some"
      ? ["the directory and that of its database", `${dataDir} ${linked.value}`]
      : ["the directory", dataDir]
  return yield* new CommandFailed({
    message: `DATA_DIR (${dataDir}): its database was made by an earlier version of this service, whose tables differ, and cannot be upgraded. Delete ${what} (rm -r ${directories}), or move ${dataDir} away to keep its data, and start again.`,
  })
})

/**
 * Before 1.0.0, files of sql/ are changed in place, and those that a database has are not applied again. The file `schema` in
 * DATA_DIR names the version of sql/ that the database agrees with; without it, its tables are compared with those of a new one.
 */
const refuseOldSchema = Effect.fnUntraced(function* (dataDir: string, url: Redacted.Redacted<string>, isNew: boolean) {
  const file = join(dataDir, "schema")
  const version = yield* schemaVersion
  const known = yield* Effect.orElseSucceed(
    Effect.tryPromise(() => readFile(file, "utf8")),
    () => "",
  )
  if (known.trim() === version) return
  const database = `schema_${process.pid}`
  const compare = Effect.gen(function* () {
    const fresh = yield* embeddedPostgres({ dataDir, database })
    yield* Effect.addFinalizer(() => Effect.ignore(dropDatabase(url, database)))
    yield* migrate({ url: fresh })
    return yield* isSameSchema(url, fresh)
  })
  if (!isNew && !(yield* Effect.scoped(compare))) return yield* oldData(dataDir)
  yield* Effect.tryPromise(() => writeFile(file, `${version}\n`))
})

export const embedded = (dataDir: string, settings: Record<string, string>, temporary = false) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const isNew = !(yield* wasStarted(dataDir))
      const key = yield* secretKeyOf(dataDir)
      const url = yield* embeddedPostgres({ dataDir, database: "interview_invitations", temporary })
      const prepared = Effect.andThen(migrate({ url }), temporary ? Effect.void : refuseOldSchema(dataDir, url, isNew))
      return Database.layer({ url, maxConnections: 10 }).pipe(
        Layer.provide(Layer.effectDiscard(prepared)),
        Layer.catchTag("DatabaseIncompatible", () => Layer.effect(Database, oldData(dataDir))),
        Layer.provideMerge(defaults({ ...settings, SECRET_KEY: key })),
      )
    }),
  )

/**
 * The database of DATABASE_URL, else the embedded one in DATA_DIR, started if necessary. The embedded database, and `isDev`
 * (`npm start`) with any database, use the secret key of DATA_DIR and may reach this machine.
 */
export const local = (options: { readonly isDev: boolean }) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const provider = yield* ConfigProvider.ConfigProvider
      const dataDir = yield* Config.dataDir
      if ((yield* provider.load(["DATABASE_URL"])) === undefined) {
        if (!options.isDev) yield* requireStarted(dataDir)
        return embedded(dataDir, localDefaults)
      }
      const urls = yield* Config.databaseUrls
      // the pods of that database have their own SECRET_KEY and OUTBOUND_ALLOW
      const own = options.isDev ? { ...localDefaults, SECRET_KEY: yield* secretKeyOf(dataDir) } : { EMAIL: "mailbox" }
      return namedDatabase(urls, 10).pipe(Layer.provideMerge(defaults(own)))
    }),
  ).pipe(Layer.provide(NodeServices.layer))
