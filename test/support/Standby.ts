/** A streaming standby of a server. Tests can stop, start and promote it, and pause its replay of the log. */
import { appendFile, chown, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Schedule } from "effect"
import type { Cluster } from "../../src/dev/embedded-postgres/Cluster.ts"
import { runTool } from "../../src/dev/embedded-postgres/Installation.ts"
import { baseBackup } from "./baseBackup.ts"
import { execute, textsOf } from "./databases.ts"
import { onFreePort } from "./onFreePort.ts"

/** Waits until the standby has replayed the primary's log. */
export const catchUp = Effect.fnUntraced(function* (primary: string, standby: string) {
  const [position = ""] = yield* textsOf(primary, "select pg_current_wal_flush_lsn()::text")
  yield* Effect.repeat(textsOf(standby, `select (pg_last_wal_replay_lsn() >= '${position}')::text`), {
    until: ([isThere]) => isThere === "true",
    schedule: Schedule.spaced("10 millis"),
  })
})

type Files = Pick<Cluster, "data" | "user">

/** Makes a stopped server a standby of the primary with this URL. */
export const follow = ({ data, user }: Files, primary: string) =>
  Effect.promise(async () => {
    const { hostname, password, port } = new URL(primary)
    const signal = join(data, "standby.signal")
    await writeFile(signal, "")
    if (user !== undefined) await chown(signal, user.uid, user.gid)
    await appendFile(
      join(data, "postgresql.auto.conf"),
      `\nprimary_conninfo = 'host=${hostname} port=${port} user=postgres password=${password}'\n`,
    )
  })

/** `url`: of a database of the primary. Returns after the standby has replayed the primary's log. */
export const start = Effect.fnUntraced(function* (url: string, { bin, data, user }: Pick<Cluster, "bin"> & Files) {
  const parent = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const made = await mkdtemp(join(tmpdir(), "interview-standby-"))
      if (user !== undefined) await chown(made, user.uid, user.gid)
      return made
    }),
    (made) => Effect.promise(() => rm(made, { recursive: true, force: true })),
  )
  const directory = join(parent, "data")
  yield* execute(url, "select from pg_create_physical_replication_slot('standby', true)")
  yield* baseBackup(url, data, directory)
  yield* follow({ data: directory, user }, url)
  yield* Effect.promise(() =>
    appendFile(
      join(directory, "postgresql.auto.conf"),
      "primary_slot_name = 'standby'\nwal_receiver_status_interval = '100ms'\n",
    ),
  )
  if (user !== undefined) yield* runTool("/bin/chown", ["-R", `${user.uid}:${user.gid}`, directory], undefined)
  const control = (act: string, ...options: ReadonlyArray<string>) =>
    runTool(
      join(bin, "pg_ctl"),
      [act, "-D", directory, ...options, "--wait", "--silent", "-l", join(parent, "log")],
      user,
    )
  const settings =
    "-c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=200 -c fsync=off -c timezone=UTC -c max_standby_streaming_delay=100ms"
  const startOn = (port: number) => control("start", "-o", `-c port=${port} ${settings}`)
  const stop = control("stop", "--mode=fast")
  const port = yield* Effect.acquireRelease(onFreePort(startOn), () => Effect.ignore(stop))
  const own = Object.assign(new URL(url), { hostname: "127.0.0.1", port: String(port) }).href
  const setReplay = (what: "pause" | "resume") =>
    Effect.gen(function* () {
      yield* execute(own, `select from pg_wal_replay_${what}()`)
      const isPaused = textsOf(own, "select pg_get_wal_replay_pause_state()")
      const wanted = what === "pause" ? "paused" : "not paused"
      yield* Effect.repeat(isPaused, { until: ([state]) => state === wanted, schedule: Schedule.spaced("10 millis") })
    })
  yield* catchUp(url, own)
  return {
    url: own,
    catchUp: catchUp(url, own),
    pause: setReplay("pause"),
    resume: setReplay("resume"),
    stop,
    start: startOn(port),
    promote: control("promote"),
    files: { data: directory, user },
  }
})
