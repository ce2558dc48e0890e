/** A free port that stays bound until a server takes it over, so that no other process gets it meanwhile. */
import { createServer, type Server } from "node:net"
import { Context, Effect } from "effect"

export interface HeldPort {
  readonly port: number
  readonly server: Server
}

/**
 * Binds a free port of an address of this machine until the scope closes. Fails with Node's error, such as EADDRNOTAVAIL.
 * Connections are closed until a server takes the port over.
 */
export const holdPort = (host: string) =>
  Effect.acquireRelease(
    Effect.callback<HeldPort, Error>((resume) => {
      const server = createServer((socket) => socket.destroy())
      server.once("error", (error) => resume(Effect.fail(error)))
      server.listen(0, host, () => {
        const address = server.address()
        resume(Effect.succeed({ port: typeof address === "object" ? (address?.port ?? 0) : 0, server }))
      })
    }),
    ({ server }) => Effect.callback<void>((resume) => void server.close(() => resume(Effect.void))),
  )

/** A port that is free now. Until it is bound, another process can take it: then try again with another one. */
export const freePort = Effect.scoped(Effect.map(holdPort("127.0.0.1"), ({ port }) => port))

/** The port that the server of this process takes over; undefined: it binds PORT itself. */
export const Held = Context.Reference<HeldPort | undefined>("interview-invitations/platform/http/HeldPort", {
  defaultValue: () => undefined,
})

/** For `listen`, with the other `options`: Node accepts a listening server, whose port the new one takes over. */
export const takeOver = <Options extends object>({ server }: HeldPort, options: Options): Options & Server =>
  Object.assign({ ...options }, server)
