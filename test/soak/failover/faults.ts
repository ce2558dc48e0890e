/** Faults of the failover soak. Each ends by itself. */
import { Effect } from "effect"
import type { Cluster } from "./cluster.ts"

export interface Fault {
  readonly name: string
  /** Another node becomes the primary. */
  readonly movesPrimary: boolean
  readonly run: Effect.Effect<unknown>
}

/**
 * Longer than a failover, and longer than the watchdog takes to reset the machine (15 seconds) and the machine to boot
 * (20 seconds, patroni.ts).
 */
const cutFor = "45 seconds"
/** Longer than the lease of Patroni's leader key (`ttl`, 20 seconds), which must survive the cut. */
const etcdCutFor = "30 seconds"
/** Much longer than `ttl`: another node is the primary, and the watchdog has reset the machine. */
const frozenFor = "60 seconds"

export const faultsOf = (cluster: Cluster): ReadonlyArray<Fault> => [
  {
    name: "primary killed",
    movesPrimary: true,
    // the watchdog then resets the machine, because Patroni no longer writes to it
    run: Effect.andThen(
      Effect.flatMap(cluster.primary, ({ crash }) => crash),
      Effect.sleep(cutFor),
    ),
  },
  { name: "switchover by patronictl", movesPrimary: true, run: cluster.switchover },
  {
    name: "network of the primary cut",
    movesPrimary: true,
    run: Effect.flatMap(cluster.primary, ({ machine }) =>
      machine.cutOff.pipe(Effect.andThen(Effect.sleep(cutFor)), Effect.andThen(machine.connect)),
    ),
  },
  {
    name: "network of etcd's leader cut",
    movesPrimary: false,
    run: Effect.flatMap(cluster.etcdLeader, (machine) =>
      machine.cutOff.pipe(Effect.andThen(Effect.sleep(etcdCutFor)), Effect.andThen(machine.connect)),
    ),
  },
  {
    name: "primary frozen",
    movesPrimary: true,
    // the watchdog resets the machine meanwhile, so SIGCONT reaches only processes that started afterwards
    run: Effect.flatMap(cluster.primary, ({ machine }) =>
      machine
        .signal("SIGSTOP")
        .pipe(Effect.andThen(Effect.sleep(frozenFor)), Effect.andThen(machine.signal("SIGCONT"))),
    ),
  },
]
