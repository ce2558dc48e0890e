/** HAProxy, which sends connections to the node whose Patroni says that it is the primary. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Machine } from "./network.ts"
import { apiPort, type Node } from "./patroni.ts"

const port = 5432

/** With the section `listen` of docs/scale.md. */
const configuration = (nodes: ReadonlyArray<Node>) => `
defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
  timeout check 2s
listen primary
  bind :${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ machine, server }) => `  server ${machine.name} ${server} check port ${apiPort}`).join("\n")}
`

/** Starts HAProxy on a machine; returns the host and port where clients connect. */
export const start = (machine: Machine, nodes: ReadonlyArray<Node>, directory: string): string => {
  const file = join(directory, "haproxy.cfg")
  writeFileSync(file, configuration(nodes))
  machine.start(join(directory, "haproxy.log"), "haproxy", "-db", "-f", file)
  return `${machine.address}:${port}`
}
