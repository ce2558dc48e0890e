/**
 * The data directory of an embedded Postgres: `<dataDir>/postgres`, for root a link to `/var/lib/interview-invitations/…`.
 * One rename or link publishes it with its password after initdb, so it is always complete.
 */
import { chown, lstat, mkdir, readFile, readlink, rename, rm, rmdir, stat, symlink, writeFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { Effect, Redacted } from "effect"
import {
  EmbeddedPostgresError,
  type Installation,
  partial,
  randomHex,
  runTool,
  step,
  sweep,
  unlessMissing,
} from "./Installation.ts"

export interface Cluster {
  readonly bin: string
  /** The real path, not the link. */
  readonly data: string
  /** The user that runs Postgres when this process is root. */
  readonly user: { readonly uid: number; readonly gid: number } | undefined
  readonly password: Redacted.Redacted<string>
  readonly log: string
}

const linkOf = (dataDir: string) => join(dataDir, "postgres")
const logOf = (dataDir: string) => join(dataDir, "postgres.log")
const passwordFile = "password"

/**
 * Undefined before the first start. Refuses a directory of another user, and for root a link that does not lead to
 * root's own directories.
 */
const locate = async (installation: Installation, dataDir: string) => {
  const link = linkOf(dataDir)
  const found = await unlessMissing(lstat(link))
  if (found === undefined) return undefined
  const data = found.isSymbolicLink() ? resolve(dataDir, await readlink(link)) : link
  const owner = await unlessMissing(stat(data))
  if (owner === undefined) {
    throw new Error(`${link} points to ${data}, which is gone; remove the link to start with an empty database`)
  }
  const { asRoot } = installation
  const user = asRoot?.users.find(({ uid }) => uid === owner.uid)
  const trusted = asRoot === undefined ? owner.uid === process.getuid?.() : user && dirname(data) === asRoot.home
  if (process.getuid !== undefined && !trusted) {
    throw new Error(`${link} was made by another user; start as that user, or set another DATA_DIR or DATABASE_URL`)
  }
  return { data, user }
}

/** If another process publishes one first, that one is used. */
const create = Effect.fn("embeddedPostgres.create")(function* (
  installation: Installation,
  dataDir: string,
  temporary: boolean,
) {
  const { asRoot } = installation
  const user = asRoot?.users[0]
  const link = linkOf(dataDir)
  const parent = asRoot?.home ?? dataDir
  const work = partial(join(parent, "data"))
  const newData = join(work, "data")
  const pwfile = join(work, passwordFile)
  yield* step(`cannot prepare ${work}`, async () => {
    await sweep(parent)
    await mkdir(work, { mode: 0o700 })
    await writeFile(pwfile, randomHex(32), { mode: 0o600 })
    if (user !== undefined) for (const path of [work, pwfile]) await chown(path, user.uid, user.gid)
  })
  yield* runTool(
    join(installation.bin, "initdb"),
    [
      ...["-D", newData, "--username=postgres", `--pwfile=${pwfile}`, "--auth=scram-sha-256", "--encoding=UTF8"],
      ...["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"],
      ...(temporary ? ["--no-sync"] : []),
    ],
    user,
  ).pipe(
    Effect.mapError(
      ({ message, cause }) =>
        new EmbeddedPostgresError({
          message: `cannot create the embedded database; fix this error or set DATABASE_URL: ${message}`,
          cause,
        }),
    ),
    Effect.andThen(
      step(`cannot create ${link}`, async () => {
        await rename(pwfile, join(newData, passwordFile))
        const home = asRoot && join(asRoot.home, randomHex(8))
        const publish = async () => {
          if (home === undefined) return await rename(newData, link)
          await rename(newData, home)
          await symlink(home, link)
        }
        await publish().catch(async (cause) => {
          if (home !== undefined) await rm(home, { recursive: true, force: true })
          if ((await unlessMissing(lstat(link))) === undefined) throw cause
        })
      }),
    ),
    Effect.ensuring(Effect.promise(() => rm(work, { recursive: true, force: true }))),
  )
})

/** Fails if the data directory belongs to another Postgres version or user. */
export const openCluster = Effect.fn("embeddedPostgres.openCluster")(function* (
  installation: Installation,
  directory: string,
  temporary: boolean,
) {
  const dataDir = resolve(directory)
  yield* step(`cannot create ${dataDir}`, () => mkdir(dataDir, { recursive: true, mode: 0o700 }))
  const find = step("cannot use the embedded Postgres", () => locate(installation, dataDir))
  let location = yield* find
  if (location === undefined) {
    yield* create(installation, dataDir, temporary)
    location = yield* find
  }
  if (location === undefined) {
    return yield* new EmbeddedPostgresError({ message: `${linkOf(dataDir)} was removed while starting; start again` })
  }
  const { data, user } = location
  const [version, password] = yield* step(
    `${data} is not a data directory of this program; remove it to start with an empty database, or set DATABASE_URL`,
    () => Promise.all(["PG_VERSION", passwordFile].map((name) => readFile(join(data, name), "utf8"))),
  )
  if (version?.trim() !== installation.major) {
    return yield* new EmbeddedPostgresError({
      message:
        `${data} was made by Postgres ${version?.trim()} and the embedded one is ${installation.major}: ` +
        "dump it with that version, or remove it to start with an empty database, or set DATABASE_URL",
    })
  }
  const cluster: Cluster = {
    bin: installation.bin,
    data,
    user,
    password: Redacted.make(password ?? ""),
    log: logOf(dataDir),
  }
  return cluster
})

export const removeCluster = (cluster: Cluster, directory: string): Effect.Effect<void, EmbeddedPostgresError> =>
  step(`cannot remove ${cluster.data}`, async () => {
    const dataDir = resolve(directory)
    for (const path of [cluster.data, linkOf(dataDir), cluster.log]) await rm(path, { recursive: true, force: true })
    await rmdir(dataDir).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== "ENOTEMPTY" && cause.code !== "EEXIST") throw cause
    })
  })
