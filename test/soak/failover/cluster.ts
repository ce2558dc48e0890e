/** Three nodes of Postgres under Patroni, three members of etcd, and HAProxy, each on its own machine (network.ts). */
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, type Duration, Effect, Exit, Redacted, Schedule } from "effect"
import { migrate } from "../../../src/migrate.ts"
import { execute } from "../../support/databases.ts"
import { say } from "../report.ts"
import * as Etcd from "./etcd.ts"
import { type Machine, machines } from "./network.ts"
import * as Patroni from "./patroni.ts"
import * as PrimaryProxy from "./primaryProxy.ts"
import { install } from "./programs.ts"

const database = "app"
/** For members to start, or to join again after a fault. */
const patience = "5 minutes"
/** For Patroni to make a former primary follow the new one. */
const selfRepair = "2 minutes"

export interface Cluster {
  /** URL of the database through HAProxy. */
  readonly proxyUrl: string
  /** URL with the three servers. */
  readonly serversUrl: string
  /** The leader that Patroni names; dies when there is none. */
  readonly primary: Effect.Effect<Patroni.Node>
  readonly etcdLeader: Effect.Effect<Machine>
  readonly switchover: Effect.Effect<string>
  /** Waits until every member runs and two standbys follow the primary, one of them synchronously. */
  readonly whole: Effect.Effect<void>
  /** How often `patronictl reinit` replaced a node's data, because the node did not follow the primary after 2 minutes. */
  readonly reinitialized: () => number
}

const until = <E, R>(condition: Effect.Effect<boolean, E, R>, duration: Duration.Input) =>
  condition.pipe(
    Effect.repeat({ until: (holds) => holds, schedule: Schedule.spaced("500 millis") }),
    Effect.timeout(duration),
    Effect.asVoid,
  )

/** Starts all programs in a temporary directory and migrates the database. Ends them when the scope closes. */
export const start = Effect.gen(function* () {
  yield* install
  const directory = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const made = await mkdtemp(join(tmpdir(), "interview-failover-"))
      await chmod(made, 0o777)
      return made
    }),
    (made, exit) => {
      const hasFailed = process.exitCode === 1 || (Exit.isFailure(exit) && Cause.hasDies(exit.cause))
      if (hasFailed) return say(`logs of the cluster: ${made}`)
      return Effect.promise(() => rm(made, { recursive: true, force: true }))
    },
  )
  const all = yield* machines(["postgres1", "postgres2", "postgres3", "etcd1", "etcd2", "etcd3", "haproxy"])
  const named = (prefix: string) => all.filter(({ name }) => name.startsWith(prefix))
  const etcd = Etcd.start(named("etcd"), directory)
  yield* Effect.orDie(until(etcd.isHealthy, patience))
  const nodes = yield* Effect.forEach(named("postgres"), (machine) => Patroni.start(machine, etcd.endpoints, directory))
  const [proxy = ""] = named("haproxy").map((machine) => PrimaryProxy.start(machine, nodes, directory))

  const members = Patroni.members(nodes)
  const control = Patroni.control(etcd.endpoints, directory)
  /** Names of standbys that do not follow the leader. */
  const stray = Effect.map(members, (found) => {
    const leader = found.find(({ role }) => role === "leader")
    const isFollower = ({ lag, state, timeline }: (typeof found)[number]) =>
      /^(running|streaming)$/.test(state) && timeline === leader?.timeline && typeof lag === "number" && lag < 1_000_000
    return found.filter((one) => one !== leader && !isFollower(one)).map(({ name }) => name)
  })
  const isWhole = Effect.map(
    Effect.all([members, stray, etcd.isHealthy]),
    ([found, stray, isEtcdHealthy]) =>
      isEtcdHealthy &&
      found.length === nodes.length &&
      found.some(({ role, state }) => role === "leader" && state === "running") &&
      found.some(({ role }) => role === "sync_standby") &&
      stray.length === 0,
  )
  let reinitialized = 0
  /** What an operator does when Patroni failed to rewind a former primary. */
  const reinitialize = Effect.gen(function* () {
    for (const name of yield* stray) {
      yield* say(`  ${name} does not follow the primary: patronictl reinit`)
      yield* control("reinit", name)
      reinitialized++
    }
  })
  const started = Effect.orDie(until(isWhole, patience))
  const whole = Effect.catch(until(isWhole, selfRepair), () => Effect.andThen(reinitialize, started))
  yield* started
  const urlAt = (servers: string) => `postgres://postgres:${Patroni.password}@${servers}/${database}`
  const proxyUrl = urlAt(proxy)
  const serversUrl = urlAt(nodes.map(({ server }) => server).join(","))
  yield* execute(proxyUrl.replace(database, "postgres"), `create database ${database}`)
  yield* migrate({ url: Redacted.make(serversUrl) })

  return {
    proxyUrl,
    serversUrl,
    primary: Effect.flatMap(members, (found) => {
      const leader = found.find(({ role }) => role === "leader")
      const node = nodes.find(({ machine }) => machine.name === leader?.name)
      return node === undefined ? Effect.die(new Error("Patroni names no leader")) : Effect.succeed(node)
    }),
    etcdLeader: etcd.leader,
    switchover: control("switchover"),
    whole,
    reinitialized: () => reinitialized,
  } satisfies Cluster
}).pipe(Effect.provide(NodeServices.layer))
