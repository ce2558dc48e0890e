/** The demo's webhook receiver: a plain HTTP server. */
import { createHmac, timingSafeEqual } from "node:crypto"
import { createServer } from "node:http"
import { Effect, Redacted } from "effect"

export interface Received {
  readonly header: string
  readonly body: Buffer
}

export interface Receiver {
  readonly url: string
  readonly deliveries: ReadonlyArray<Received>
}

export const startReceiver = Effect.acquireRelease(
  Effect.callback<Receiver & { readonly close: Effect.Effect<void> }>((resume) => {
    const deliveries: Array<Received> = []
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        deliveries.push({ header: String(request.headers["x-webhook-signature"]), body: Buffer.concat(chunks) })
        response.writeHead(204).end()
      })
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const close = Effect.callback<void>((done) => {
        server.closeAllConnections()
        server.close(() => done(Effect.void))
      })
      resume(Effect.succeed({ url: `http://127.0.0.1:${port}/hooks`, deliveries, close }))
    })
  }),
  ({ close }) => close,
)

/** Verifies a signature (docs/webhooks.md) without the service's code, so that the demo checks that code. */
export const isGenuine = (secret: Redacted.Redacted, { body, header }: Received): boolean => {
  const [, t = "", digest = ""] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? []
  const key = Redacted.value(secret).replace("whsec_", "")
  const expected = createHmac("sha256", key).update(`${t}.`).update(body).digest("hex")
  const isFresh = Math.abs(Date.now() / 1000 - Number(t)) < 300
  return isFresh && digest.length === expected.length && timingSafeEqual(Buffer.from(digest), Buffer.from(expected))
}
