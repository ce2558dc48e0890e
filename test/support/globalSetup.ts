/**
 * Creates a template database on the server of DATABASE_URL, else on a temporary embedded one. With POOLER=pgbouncer, the
 * service of the tests connects through PgBouncer in transaction mode; with REPLICA=standby, it also reads from a standby.
 */
import { execFile } from "node:child_process"
import { chown, mkdtemp, rm, stat, statfs } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import type { TestProject } from "vitest/node"
import { embeddedPostgres } from "../../src/dev/EmbeddedPostgres.ts"
import { openCluster } from "../../src/dev/embedded-postgres/Cluster.ts"
import { findInstallation } from "../../src/dev/embedded-postgres/Installation.ts"
import { migrate } from "../../src/migrate.ts"
import { atDatabase, execute, textsOf } from "./databases.ts"
import * as PgBouncer from "./PgBouncer.ts"
import { wrongRows } from "./RowTypes.ts"
import { missingIn, rowStatementsIn } from "./SqlTemplates.ts"
import * as Standby from "./Standby.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** `pooler`: the port of PgBouncer; null: tests connect to the server. `standby`: its port; null: there is none. */
    readonly postgres: {
      readonly url: string
      readonly template: string
      readonly pooler: number | null
      readonly standby: number | null
    }
    /** The program that containers run, which tests of processes start; null: no system test runs. */
    readonly bundle: string | null
    /** Directory of files with the places of the SQL that was checked (Statements.ts). */
    readonly statements: string
  }
}

const root = join(import.meta.dirname, "../..")

const memory = "/dev/shm"

const minFree = 2 * 1024 ** 3

/**
 * Directory for databases in memory, if the machine has enough of it. A copy of the template has 900 files, and ext4 passes
 * over inodes that were deleted in the last minutes: with 2 workers, creating, using and dropping a copy takes 430 ms
 * there and 77 ms in memory.
 */
const memoryDirectory = Effect.acquireRelease(
  Effect.tryPromise(async () => {
    const { bavail, bsize } = await statfs(memory)
    return bavail * bsize < minFree ? undefined : await mkdtemp(join(memory, "interview-test-"))
  }).pipe(Effect.orElseSucceed(() => undefined)),
  (made) => (made === undefined ? Effect.void : Effect.promise(() => rm(made, { recursive: true, force: true }))),
)

const createTablespace = Effect.fn(function* (url: string, directory: string) {
  const [dataDirectory = ""] = yield* textsOf(url, "show data_directory")
  yield* Effect.promise(async () => {
    // under root, the server has a user of its own
    const { uid, gid } = await stat(dataDirectory)
    await chown(directory, uid, gid)
  })
  yield* execute(url, `create tablespace memory location '${directory}'`)
})

const withStandby = process.env["REPLICA"] === "standby"

/** Starts a server. Returns its URL and where to create databases. */
const temporaryServer = Effect.gen(function* () {
  const directory = yield* memoryDirectory
  const dataDir = yield* Effect.promise(() => mkdtemp(join(tmpdir(), "interview-test-")))
  const url = Redacted.value(yield* embeddedPostgres({ dataDir, database: "postgres", temporary: true }))
  if (directory !== undefined) yield* createTablespace(url, directory)
  return { url, dataDir, tablespace: directory === undefined ? "" : "tablespace memory" }
})

/** Returns the port. */
const startStandby = Effect.fnUntraced(function* (url: string, dataDir: string) {
  // commits that are not flushed reach a standby late; only sessions of TestDatabase.ts wait for the standby
  yield* execute(url, "alter role postgres set synchronous_commit = local")
  const standby = yield* Standby.start(url, yield* openCluster(yield* findInstallation, dataDir, true))
  yield* execute(url, "alter system set synchronous_standby_names = '*'")
  yield* execute(url, "select pg_reload_conf()")
  return Number(new URL(standby.url).port)
})

/** Bundles the program as the image has it (build.ts): it needs a third of the sources' CPU time to start. */
const bundle = Effect.gen(function* () {
  const directory = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "interview-bundle-"))),
    (made) => Effect.promise(() => rm(made, { recursive: true, force: true })),
  )
  yield* Effect.tryPromise(() => promisify(execFile)(process.execPath, [join(root, "build.ts"), "pod", directory]))
  return join(directory, "src/main.js")
})

/** Whether all test files ran, and all tests in them. */
const isWhole = async ({ vitest }: TestProject) => {
  const files = vitest.state.getFiles()
  const all = await vitest.globTestSpecifications()
  return files.length === all.length && vitest.config.testNamePattern === undefined
}

export default async function setup(project: TestProject) {
  const scope = Scope.makeUnsafe()
  const template = `interview_template_${process.pid}`
  const run = Effect.gen(function* () {
    const given = process.env["DATABASE_URL"]
    const own = given === undefined ? yield* temporaryServer : undefined
    const { url, tablespace } = own ?? { url: given ?? "", tablespace: "" }
    // copies are in the tablespace of their template
    yield* execute(url, `create database ${template} ${tablespace}`)
    yield* Effect.addFinalizer(() => Effect.ignore(execute(url, `drop database if exists ${template} with (force)`)))
    yield* migrate({ url: Redacted.make(atDatabase(url, template)) })
    const pooler = process.env["POOLER"] === "pgbouncer" ? Number(new URL(yield* PgBouncer.start(url)).port) : null
    const standby = withStandby && own !== undefined ? yield* startStandby(url, own.dataDir) : null
    project.provide("postgres", { url, template, pooler, standby })
    const runsSystemTests = project.vitest.state.getPaths().some((path) => path.startsWith(join(root, "test/system/")))
    project.provide("bundle", runsSystemTests ? yield* bundle : null)
    return atDatabase(url, template)
  })
  const url = await Effect.runPromise(
    run.pipe(Effect.provide(Layer.mergeAll(NodeServices.layer)), Scope.provide(scope)),
  )
  const statements = await mkdtemp(join(tmpdir(), "interview-statements-"))
  project.provide("statements", statements)
  return async () => {
    const whole = await isWhole(project)
    const wrong = await Effect.runPromise(
      (whole ? wrongRows(url, rowStatementsIn(statements)) : Effect.succeed([])).pipe(
        Effect.ensuring(Scope.close(scope, Exit.void)),
      ),
    )
    const missing = whole ? missingIn(statements) : []
    await rm(statements, { recursive: true })
    if (missing.length > 0)
      throw new Error(`no test sends this SQL, so its shape is not checked:\n${missing.join("\n")}`)
    if (wrong.length > 0) throw new Error(`the rows of src are not those of Postgres:\n${wrong.join("\n")}`)
  }
}
