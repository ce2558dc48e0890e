/** Nodes of Postgres under Patroni, each on a machine with a watchdog. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Schema } from "effect"
import { parse } from "yaml"
import { codeWith } from "../../docs/pages.ts"
import { type Machine, network, signalAll, user } from "./network.ts"
import { postgresBin, run } from "./programs.ts"
import { answerOf } from "./requests.ts"
import * as Watchdog from "./watchdog.ts"

export const password = "secret"
const scope = "interviews"
/** Of Postgres and of HAProxy, which docs/scale.md names. */
export const postgresPort = 5432
export const apiPort = 8008

/** From the reset of a machine until its Patroni runs again. */
const bootTime = "20 seconds"

export interface Node {
  readonly machine: Machine
  /** Host and port of Postgres. */
  readonly server: string
  /** Kills Patroni and the postmaster. */
  readonly crash: Effect.Effect<void>
}

const decodeDocumented = Schema.decodeUnknownSync(
  Schema.Struct({
    bootstrap: Schema.Record(Schema.String, Schema.Unknown),
    watchdog: Schema.Record(Schema.String, Schema.Unknown),
  }),
)

/** The configuration of docs/scale.md with the soak's addresses and its watchdog. */
const configuration = (machine: Machine, etcd: ReadonlyArray<string>, directory: string, watchdog: string) => {
  const listen = (port: number) => ({
    listen: `${machine.address}:${port}`,
    connect_address: `${machine.address}:${port}`,
  })
  const documented = decodeDocumented(parse(codeWith("docs/scale.md", "bootstrap:")))
  return {
    scope,
    name: machine.name,
    restapi: listen(apiPort),
    etcd3: { hosts: etcd },
    watchdog: { ...documented.watchdog, driver: "testing", device: watchdog },
    bootstrap: { ...documented.bootstrap, initdb: [{ encoding: "UTF8" }, { locale: "C.UTF-8" }] },
    postgresql: {
      ...listen(postgresPort),
      bin_dir: postgresBin,
      data_dir: join(directory, "data"),
      authentication: {
        superuser: { username: "postgres", password },
        replication: { username: "replicator", password },
      },
      pg_hba: [`host all all ${network} scram-sha-256`, `host replication replicator ${network} scram-sha-256`],
      parameters: { unix_socket_directories: directory },
      basebackup: [{ checkpoint: "fast" }],
    },
  }
}

/** Starts Patroni on a machine. When the watchdog resets it, its processes are killed and its network is cut for `bootTime`. */
export const start = Effect.fnUntraced(function* (machine: Machine, etcd: ReadonlyArray<string>, directory: string) {
  const own = join(directory, machine.name)
  const pipe = join(own, "watchdog")
  const file = join(own, "patroni.json")
  mkdirSync(own)
  writeFileSync(file, JSON.stringify(configuration(machine, etcd, own, pipe)))
  yield* run("chown", "--recursive", user, own)
  let patroni = 0
  const boot = Effect.sync(() => {
    patroni = machine.start(`${own}.log`, "patroni", file)
  })
  yield* Watchdog.start(
    pipe,
    Effect.gen(function* () {
      yield* machine.cutOff
      yield* machine.signal("SIGKILL")
      yield* Effect.sleep(bootTime)
      yield* machine.connect
      yield* boot
    }),
  )
  yield* boot
  return {
    machine,
    server: `${machine.address}:${postgresPort}`,
    crash: Effect.suspend(() => {
      const [postmaster] = readFileSync(join(own, "data", "postmaster.pid"), "utf8").split("\n")
      return signalAll([patroni, Number(postmaster)], "SIGKILL")
    }),
  } satisfies Node
})

const Members = Schema.Struct({
  members: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      role: Schema.String,
      state: Schema.String,
      timeline: Schema.optionalKey(Schema.Number),
      lag: Schema.optionalKey(Schema.Union([Schema.Number, Schema.String])),
    }),
  ),
})

/** Members of the cluster, from the first node that answers; empty when none does. */
export const members = Effect.fnUntraced(function* (nodes: ReadonlyArray<Node>) {
  for (const { machine } of nodes) {
    const cluster = yield* answerOf(Members, `http://${machine.address}:${apiPort}/cluster`)
    if (cluster !== undefined) return cluster.members
  }
  return []
})

/** Runs patronictl as an operator does; returns its output. */
export const control = (etcd: ReadonlyArray<string>, directory: string) => {
  const file = join(directory, "patronictl.json")
  writeFileSync(file, JSON.stringify({ scope, etcd3: { hosts: etcd } }))
  return (command: "switchover" | "reinit", ...args: ReadonlyArray<string>) =>
    run("patronictl", "-c", file, command, "--force", scope, ...args)
}
