/** HAProxy in front of the nodes, which sends connections to the one whose Patroni says that it is the primary. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { codeWith, replaced } from "../../docs/pages.ts"
import type { Machine } from "./network.ts"
import { apiPort, type Node, postgresPort } from "./patroni.ts"

/** The configuration of docs/scale.md with the soak's nodes. */
const configuration = (nodes: ReadonlyArray<Node>) => {
  const servers = nodes.map(({ machine, server }) => `  server ${machine.name} ${server} check port ${apiPort}`)
  return replaced(codeWith("docs/scale.md", "listen primary"), /(^ +server .*\n)+/gm, `${servers.join("\n")}\n`)
}

/** Starts HAProxy on a machine; returns the host and port where clients connect. */
export const start = (machine: Machine, nodes: ReadonlyArray<Node>, directory: string): string => {
  const file = join(directory, "haproxy.cfg")
  writeFileSync(file, configuration(nodes))
  machine.start(join(directory, "haproxy.log"), "haproxy", "-db", "-f", file)
  return `${machine.address}:${postgresPort}`
}
