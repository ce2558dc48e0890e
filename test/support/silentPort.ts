/** The port of a server that accepts connections and never answers, like a machine whose Postgres hangs. */
import { once } from "node:events"
import { createServer, type Socket } from "node:net"
import { Effect } from "effect"

export const silentPort = Effect.acquireRelease(
  Effect.promise(async () => {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => void sockets.add(socket))
    await once(server.listen(0, "127.0.0.1"), "listening")
    return { server, sockets }
  }),
  ({ server, sockets }) =>
    Effect.sync(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    }),
).pipe(
  Effect.map(({ server }) => {
    const address = server.address()
    return typeof address === "object" ? (address?.port ?? 0) : 0
  }),
)
