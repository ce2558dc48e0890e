/** Applies sql/*.sql to a database. */
import { PgClient } from "@effect/sql-pg"
import { Effect, FileSystem, Layer, Path, Schedule, Schema } from "effect"
import { Migrator, SqlClient, SqlError } from "effect/sql"
import { shortHashOf } from "../crypto/ShortHash.ts"
import { notPermitted, plain, primaryOf, sqlStateOf } from "./Connections.ts"
import { configOf, type DatabaseOptions, DatabaseUnavailable, isMoving, requireReadable } from "./Database.ts"
import { connectingTo } from "./Servers.ts"

export class DatabaseIncompatible extends Schema.TaggedError<DatabaseIncompatible>()("DatabaseIncompatible", {
  message: Schema.String,
}) {}

/** A move of an organization must end before the migration is applied. */
export class MigrationRefused extends Schema.TaggedError<MigrationRefused>()("MigrationRefused", {
  message: Schema.String,
}) {}

const failed = (message: string, cause?: unknown) => new Migrator.MigrationError({ kind: "Failed", message, cause })

const incompatible = "the database was created by a pre-release of this service and cannot be upgraded"

const sqlFiles = new URL("../../../sql", import.meta.url)

/** A hash of the files of sql/. */
export const schemaVersion = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = yield* path.fromFileUrl(sqlFiles)
  const files = (yield* fs.readDirectory(folder)).filter((file) => file.endsWith(".sql")).sort()
  return shortHashOf(yield* Effect.forEach(files, (file) => fs.readFileString(path.join(folder, file))))
})

export const isLocked = (error: SqlError.SqlError | Migrator.MigrationError): boolean => {
  const cause = error._tag === "MigrationError" ? error.cause : error
  return SqlError.isSqlError(cause) && /^(Deadlock|LockTimeout)Error$/.test(cause.reason._tag)
}

/**
 * Applies the new files of `directory`, each in its own transaction, and returns their names. Then runs `afterwards` on
 * the same connection. Pods that start together wait for the migrator's table lock.
 *
 * Pods of the previous version may be running, so a file that waits half a second for a table lock rolls back and is
 * retried. After a second, Postgres would check for deadlocks and could abort a pod's transaction instead.
 */
export const applyMigrations = Effect.fnUntraced(function* (
  { directUrl, schema, url }: Pick<DatabaseOptions, "url" | "directUrl" | "schema">,
  afterwards: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient>,
  directory = sqlFiles,
): Effect.fn.Return<
  ReadonlyArray<string>,
  DatabaseUnavailable | DatabaseIncompatible | MigrationRefused,
  FileSystem.FileSystem | Path.Path
> {
  const applied: Array<string> = []
  yield* requireReadable([url, directUrl])
  const createSchema = Effect.gen(function* () {
    if (schema === undefined) return
    const sql = yield* SqlClient.SqlClient
    // "create schema if not exists" needs the right to create schemas even if the schema exists
    const found = yield* sql`select from pg_namespace where nspname = ${schema}`
    if (found.length > 0) return
    yield* sql`create schema if not exists ${sql(schema)}`.unprepared.pipe(
      Effect.catchIf(
        (error) => sqlStateOf(error) === notPermitted,
        () =>
          failed(
            `the role may not create the schema "${schema}": let an administrator run create schema "${schema}" authorization with the name of the role`,
          ),
      ),
    )
  })
  const apply = Migrator.make({})({ loader: nextFile(directory), table: "schema_migrations" })
  const next = Effect.andThen(createSchema, apply).pipe(
    Effect.retry({
      schedule: Schedule.spaced("200 millis"),
      times: 5,
      // two pods created the schema or the migrator's table at once
      while: (error) => SqlError.isSqlError(error) && error.reason._tag === "UniqueViolation",
    }),
    Effect.tapError((error) =>
      isLocked(error)
        ? Effect.logWarning(`${error.message}: another transaction uses the tables that it locks; trying again`)
        : Effect.void,
    ),
    Effect.retry({ schedule: Schedule.spaced("1 second"), while: isLocked }),
    Effect.tap((files) =>
      Effect.sync(() => applied.push(...files.map(([id, name]) => `${String(id).padStart(2, "0")}_${name}`))),
    ),
  )
  yield* Effect.andThen(Effect.repeat(next, { while: (files) => files.length > 0 }), afterwards).pipe(
    // no statement timeout: another pod's migration may be long
    Effect.provide(
      Layer.unwrap(
        Effect.map(primaryOf(configOf({ schema, url: directUrl ?? url })), (primary) =>
          PgClient.layer({
            ...connectingTo(configOf({ schema, url: primary }), primary),
            maxConnections: 1,
            transformJson: false,
          }),
        ),
      ),
      { local: true },
    ),
    Effect.mapError((error) => {
      if (error.message === incompatible) return new DatabaseIncompatible({ message: incompatible })
      const cause = error._tag === "MigrationError" && error.cause !== undefined ? error.cause : error
      if (cause instanceof MigrationRefused) return cause
      if (isMoving(cause)) return new MigrationRefused({ message: notFinished })
      return new DatabaseUnavailable({ message: `the schema could not be applied: ${plain(cause)}` })
    }),
  )
  return applied
})

const readFiles = (directory: URL): Migrator.Loader<FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const folder = yield* path.fromFileUrl(directory)
    const files = yield* fs.readDirectory(folder)
    return files.sort().flatMap((file) => {
      const match = /^(\d+)_(.+)\.sql$/.exec(file)
      if (match === null) return []
      const [, id, name] = match
      const run = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const text = yield* fs.readFileString(path.join(folder, file))
        yield* sql`set local lock_timeout = '500ms'`.unprepared
        // sql-pg sends one statement per message; EXECUTE runs the whole file
        yield* sql.unsafe(`do $migration$ begin execute $file$${text}$file$; end $migration$`).unprepared
      })
      return [[Number(id), name ?? "", Effect.succeed(run)] as const]
    })
  }).pipe(Effect.mapError((cause) => failed("cannot read the files of sql/", cause)))

/** The guards of a moved organization's rows (sql/11_cells.sql) refuse a migration that writes these rows. */
const notFinished =
  "a migration writes rows of an organization that was moved to another cell: delete them with organization move --finish, and try again"

const nextFile = (directory: URL) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const files = yield* readFiles(directory)
    const applied = yield* sql<{ id: number; name: string }>`
      select migration_id::int as id, name from schema_migrations`.pipe(
      Effect.mapError((cause) => failed("cannot read schema_migrations", cause)),
    )
    const names = new Map(files.map(([id, name]) => [id, name]))
    // a file keeps its name from version 1.0.0 on; a newer version may have applied files that this one lacks
    if (applied.some(({ id, name }) => (names.get(id) ?? name) !== name)) return yield* failed(incompatible)
    const newest = Math.max(0, ...applied.map(({ id }) => id))
    const next = files.filter(([id]) => id > newest).slice(0, 1)
    if (next.length > 0) yield* refuseDuringMove(sql)
    return next
  })

/** The organization whose move has begun, and has neither ended nor been undone. Undefined also before sql/11_cells.sql. */
const openMove = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const [schema] = yield* sql<{ hasMoves: boolean }>`select to_regclass('organization_move') is not null as "hasMoves"`
  if (!schema?.hasMoves) return undefined
  const [move] = yield* sql<{ organization_id: number }>`
    select organization_id from organization_move where ended_at is null`
  return move?.organization_id
})

/** The replication of a move needs the same columns in both cells, and does not copy tables that are added during the move. */
const refuseDuringMove = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const moving = yield* Effect.mapError(openMove(sql), (error) => failed("cannot read organization_move", error))
  if (moving === undefined) return
  const cause = new MigrationRefused({
    message: `organization ${moving} is being moved to or from this database: complete the move with organization move, or undo it with --undo; then apply the new migrations`,
  })
  yield* failed(cause.message, cause)
})
