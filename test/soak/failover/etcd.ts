/** The etcd cluster in which Patroni keeps the leader key. */
import { join } from "node:path"
import { Effect, Schema } from "effect"
import type { Machine } from "./network.ts"
import { answerOf } from "./requests.ts"

export interface Etcd {
  /** Addresses with ports. */
  readonly endpoints: ReadonlyArray<string>
  readonly leader: Effect.Effect<Machine>
  readonly isHealthy: Effect.Effect<boolean>
}

const Status = Schema.Struct({ header: Schema.Struct({ member_id: Schema.String }), leader: Schema.String })
const Health = Schema.Struct({ health: Schema.Literals(["true"]) })

/** Starts a member on each machine. */
export const start = (machines: ReadonlyArray<Machine>, directory: string): Etcd => {
  const client = ({ address }: Machine) => `http://${address}:2379`
  const peer = ({ address }: Machine) => `http://${address}:2380`
  for (const machine of machines) {
    const options = {
      name: machine.name,
      "data-dir": join(directory, machine.name),
      "listen-client-urls": client(machine),
      "advertise-client-urls": client(machine),
      "listen-peer-urls": peer(machine),
      "initial-advertise-peer-urls": peer(machine),
      "initial-cluster": machines.map((one) => `${one.name}=${peer(one)}`).join(","),
      // a member that comes back does not start an election, during which Patroni would demote the primary
      "pre-vote": "true",
    }
    machine.start(
      join(directory, `${machine.name}.log`),
      "etcd",
      ...Object.entries(options).map(([name, value]) => `--${name}=${value}`),
    )
  }
  const isLeader = Effect.fnUntraced(function* (machine: Machine) {
    const status = yield* answerOf(Status, `${client(machine)}/v3/maintenance/status`, { method: "POST", body: "{}" })
    return status !== undefined && status.header.member_id === status.leader
  })
  return {
    endpoints: machines.map(({ address }) => `${address}:2379`),
    leader: Effect.flatMap(Effect.filter(machines, isLeader), ([one]) =>
      one === undefined ? Effect.die(new Error("etcd has no leader")) : Effect.succeed(one),
    ),
    isHealthy: Effect.map(
      Effect.forEach(machines, (machine) => answerOf(Health, `${client(machine)}/health`)),
      (answers) => answers.every((answer) => answer !== undefined),
    ),
  }
}
