/** The load: connections that each send one request after the other, over HTTP/1.1 with keep-alive. */
import { Client } from "undici"

export interface Request {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: string
}

export interface Load {
  readonly origin: string
  /** For each connection, what makes its next request; making it is not measured. */
  readonly connections: ReadonlyArray<() => Request>
  /** No request begins after that; those under way are waited for. */
  readonly millis: number
  /** Any other answer ends the run. */
  readonly status: number
}

export interface Round {
  /** Milliseconds from the first request to the last answer. */
  readonly elapsed: number
  /** Of each request, in milliseconds: from the first byte sent to the last received. */
  readonly latencies: ReadonlyArray<number>
}

/** Rejects at the first answer that is not what it should be. */
export const run = async ({ connections, millis, origin, status }: Load): Promise<Round> => {
  const latencies: Array<number> = []
  const begin = performance.now()
  await Promise.all(
    connections.map(async (next) => {
      const client = new Client(origin, { pipelining: 1, keepAliveTimeout: 60_000 })
      try {
        while (performance.now() - begin < millis) {
          const request = next()
          const sent = performance.now()
          const answer = await client.request(request)
          const body = await answer.body.bytes()
          latencies.push(performance.now() - sent)
          if (answer.statusCode !== status) {
            const text = Buffer.from(body).toString().slice(0, 500)
            throw new Error(`${request.method} ${request.path} was answered ${answer.statusCode}: ${text}`)
          }
        }
      } finally {
        await client.close()
      }
    }),
  )
  return { elapsed: performance.now() - begin, latencies }
}
