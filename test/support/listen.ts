import type { Server } from "node:http"
import { Effect } from "effect"

/** Listens on a free port of 127.0.0.1 until the scope closes; returns the URL. */
export const listen = (server: Server) =>
  Effect.acquireRelease(
    Effect.callback<string>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" ? (address?.port ?? 0) : 0
        resume(Effect.succeed(`http://127.0.0.1:${port}`))
      })
    }),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      }),
  )
