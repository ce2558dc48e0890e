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
  /** All that came, also with a wrong signature. */
  readonly deliveries: ReadonlyArray<Received>
  /** Until then it answers 503, after which a delivery is sent again. */
  readonly setSecret: (secret: Redacted.Redacted) => void
}

/** Verifies a signature (docs/webhooks.md) without the service's code, so that the demo checks that code. */
export const isGenuine = (secret: Redacted.Redacted, { body, header }: Received): boolean => {
  const [, t = ""] = /(?:^|,)t=(\d{1,12})(?:,|$)/.exec(header) ?? []
  const key = Redacted.value(secret).replace("whsec_", "")
  const expected = Buffer.from(`v1=${createHmac("sha256", key).update(`${t}.`).update(body).digest("hex")}`)
  const isFresh = t !== "" && Math.abs(Date.now() / 1000 - Number(t)) < 300
  const isSigned = header
    .split(",")
    .map((part) => Buffer.from(part))
    .some((part) => part.length === expected.length && timingSafeEqual(part, expected))
  return isFresh && isSigned
}

export const startReceiver = Effect.acquireRelease(
  Effect.callback<Receiver & { readonly close: Effect.Effect<void> }>((resume) => {
    const deliveries: Array<Received> = []
    let secret: Redacted.Redacted | undefined
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        const received = { header: String(request.headers["x-webhook-signature"] ?? ""), body: Buffer.concat(chunks) }
        const status = secret === undefined ? 503 : isGenuine(secret, received) ? 204 : 401
        if (status !== 503) deliveries.push(received)
        response.writeHead(status).end()
      })
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const close = Effect.callback<void>((done) => {
        server.closeAllConnections()
        server.close(() => done(Effect.void))
      })
      const setSecret = (known: Redacted.Redacted) => {
        secret = known
      }
      resume(Effect.succeed({ url: `http://127.0.0.1:${port}/hooks`, deliveries, setSecret, close }))
    })
  }),
  ({ close }) => close,
)
