/**
 * Machines of the failover soak: network namespaces on a bridge. Each has an address, processes and a link that can be cut;
 * pods reach them from the root namespace.
 */
import { spawn } from "node:child_process"
import { closeSync, openSync } from "node:fs"
import { Effect, Schedule } from "effect"
import { environment, run } from "./programs.ts"

/** Name of the bridge, and prefix of the names of links and namespaces. */
const bridge = "soak"
export const network = "10.213.7.0/24"
const addressOf = (last: number) => network.replace("0/24", String(last))

/** The user that runs the programs, because Postgres refuses to run as root. */
export const user = "postgres"

export interface Machine {
  readonly name: string
  readonly address: string
  /** Starts a program in the background, with its output in the file `log`; returns its process id. */
  readonly start: (log: string, program: string, ...args: ReadonlyArray<string>) => number
  /** Sends a signal to every process. */
  readonly signal: (signal: NodeJS.Signals) => Effect.Effect<void>
  /**
   * Packets in either direction are lost until each `cutOff` has been followed by a `connect`: a fault and the watchdog may cut
   * the network at the same time.
   */
  readonly cutOff: Effect.Effect<void>
  readonly connect: Effect.Effect<void>
}

/** Sends a signal to processes, some of which may have ended. */
export const signalAll = (pids: ReadonlyArray<number>, signal: NodeJS.Signals) =>
  Effect.sync(() => {
    for (const pid of pids) {
      try {
        process.kill(pid, signal)
      } catch {
        // it has ended
      }
    }
  })

const processesOf = (namespace: string) =>
  Effect.map(run("ip", "netns", "pids", namespace), (pids) => pids.split(/\s+/).filter(Boolean).map(Number))

const kill = (namespace: string) =>
  Effect.gen(function* () {
    const pids = yield* processesOf(namespace)
    yield* signalAll(pids, "SIGKILL")
    return pids.length
  }).pipe(Effect.repeat({ until: (running) => running === 0, schedule: Schedule.spaced("50 millis") }))

/** Ends all processes of all machines; removes the machines and the bridge. */
const remove = Effect.gen(function* () {
  const namespaces = (yield* run("ip", "netns", "list"))
    .split("\n")
    .flatMap((line) => line.split(" ")[0] ?? [])
    .filter((name) => name.startsWith(`${bridge}-`))
  for (const namespace of namespaces) {
    yield* kill(namespace)
    // the kernel removes links of a deleted namespace some time later, and their names stay taken until then
    yield* Effect.ignoreCause(run("ip", "link", "delete", namespace))
    yield* run("ip", "netns", "delete", namespace)
  }
  yield* run("ip", "link", "delete", bridge)
})

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** The process that created the existing bridge: its id is the bridge's alias. Undefined without a bridge. */
const owner = Effect.map(run("ip", "link", "show"), (links) => {
  const found = new RegExp(`: ${bridge}: [^]*?alias (\\d+)`).exec(links)
  return found === null ? undefined : Number(found[1])
})

/** A bridge with the root namespace on it, until the scope closes. Removes what a killed soak left. */
const bridged = Effect.acquireRelease(
  Effect.gen(function* () {
    const other = yield* owner
    if (other !== undefined && isRunning(other)) {
      return yield* Effect.die(new Error(`process ${other} runs soak --failover: only one at a time is possible`))
    }
    if (other !== undefined) yield* remove
    yield* run("ip", "link", "add", bridge, "type", "bridge")
    yield* run("ip", "link", "set", bridge, "alias", String(process.pid))
    yield* run("ip", "address", "add", `${addressOf(1)}/24`, "dev", bridge)
    yield* run("ip", "link", "set", bridge, "up")
  }),
  () => remove,
)

/** Machines with these names, until the scope closes. */
export const machines = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
  yield* bridged
  return yield* Effect.forEach(
    names,
    Effect.fnUntraced(function* (name, index) {
      const namespace = `${bridge}-${name}`
      const address = addressOf(11 + index)
      const inside = (...args: ReadonlyArray<string>) => run("ip", "-netns", namespace, ...args)
      yield* run("ip", "netns", "add", namespace)
      yield* run("ip", "link", "add", namespace, "type", "veth", "peer", "name", "eth0", "netns", namespace)
      yield* run("ip", "link", "set", namespace, "master", bridge, "up")
      yield* inside("link", "set", "lo", "up")
      yield* inside("address", "add", `${address}/24`, "dev", "eth0")
      yield* inside("link", "set", "eth0", "up")
      let cuts = 0
      const addCuts = (more: number) =>
        Effect.suspend(() => {
          cuts += more
          return Effect.asVoid(run("ip", "link", "set", namespace, cuts > 0 ? "down" : "up"))
        })
      return {
        name,
        address,
        start: (log, program, ...args) => {
          const file = openSync(log, "a")
          // a higher priority than the pods', which would not slow it down on a machine of its own
          const enter = [
            "netns",
            "exec",
            namespace,
            "nice",
            "--10",
            "setpriv",
            "--reuid",
            user,
            "--regid",
            user,
            "--init-groups",
          ]
          // detached: Ctrl-C goes to the soak only, which ends its processes itself
          const child = spawn("ip", [...enter, program, ...args], {
            env: environment,
            stdio: ["ignore", file, file],
            detached: true,
          })
          closeSync(file)
          if (child.pid === undefined) throw new Error(`${program} did not start: see ${log}`)
          return child.pid
        },
        signal: (signal) => Effect.flatMap(processesOf(namespace), (pids) => signalAll(pids, signal)),
        cutOff: addCuts(1),
        connect: addCuts(-1),
      } satisfies Machine
    }),
  )
})
