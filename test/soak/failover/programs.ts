/** Programs that the failover soak runs, from Debian's packages. */
import { execFile } from "node:child_process"
import { access, readFile, writeFile } from "node:fs/promises"
import { promisify } from "node:util"
import { Effect } from "effect"

export const postgresBin = "/usr/lib/postgresql/15/bin"

/** A file of each package. */
const packages = {
  iproute2: "/usr/sbin/ip",
  "etcd-server": "/usr/bin/etcd",
  patroni: "/usr/bin/patroni",
  "postgresql-15": `${postgresBin}/postgres`,
  haproxy: "/usr/sbin/haproxy",
}

/** Environment of programs. */
export const environment = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LANG: "C.UTF-8" }

/** Runs a program to its end and returns its output; dies when it fails. */
export const run = (program: string, ...args: ReadonlyArray<string>) =>
  Effect.map(
    Effect.promise(() =>
      promisify(execFile)(program, args, { env: { ...environment, DEBIAN_FRONTEND: "noninteractive" } }),
    ),
    ({ stdout }) => stdout,
  )

const isMissing = (file: string) =>
  Effect.promise(() =>
    access(file).then(
      () => false,
      () => true,
    ),
  )

/** Keeps packages from starting their services (invoke-rc.d). */
const withoutServices = Effect.acquireRelease(
  Effect.promise(() =>
    // does not replace an existing policy
    writeFile("/usr/sbin/policy-rc.d", "#!/bin/sh\nexit 101\n", { mode: 0o755, flag: "wx" }).then(
      () => true,
      () => false,
    ),
  ),
  (isOwn) => (isOwn ? run("rm", "/usr/sbin/policy-rc.d") : Effect.void),
)

const createClusters = "/etc/postgresql-common/createcluster.conf"

/** Prevents the package of Postgres from creating and starting a cluster. Restores its setting when the scope closes. */
const withoutCluster = Effect.acquireRelease(
  Effect.promise(async () => {
    const before = await readFile(createClusters, "utf8")
    await writeFile(createClusters, before.replace(/^#?create_main_cluster.*/m, "create_main_cluster = false"))
    return before
  }),
  (before) => Effect.promise(() => writeFile(createClusters, before)),
)

/** Installs missing packages. Dies when not run as root, which namespaces need, too. */
export const install = Effect.gen(function* () {
  const missing = yield* Effect.filter(Object.entries(packages), ([, file]) => isMissing(file))
  const names = missing.map(([name]) => name)
  if (process.getuid?.() !== 0) {
    const hint = names.length === 0 ? "" : ` and install ${names.join(", ")} (Debian's packages)`
    return yield* Effect.die(new Error(`--failover makes network namespaces: run it as root${hint}`))
  }
  if (names.length === 0) return
  const get = (...args: ReadonlyArray<string>) => run("apt-get", "--yes", "--no-install-recommends", ...args)
  yield* Effect.scoped(
    Effect.gen(function* () {
      yield* withoutServices
      yield* get("update")
      yield* get("install", "postgresql-common")
      yield* withoutCluster
      yield* get("install", ...names)
    }),
  )
})
