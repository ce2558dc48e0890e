/** Generates load: each connection sends one request at a time over HTTP/1.1 with keep-alive. */
import { Client } from "undici"

export interface Request {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: string
}

export interface Load {
  readonly origin: string
  /** For each connection, a function that builds its next request; building is not measured. */
  readonly connections: ReadonlyArray<() => Request>
  /** Milliseconds in which requests may begin; requests in flight then finish. */
  readonly millis: number
  readonly status: number
}

export interface Round {
  /** Milliseconds from the first request to the last response. */
  readonly elapsed: number
  /** Milliseconds of each request, from the first byte sent to the last received. */
  readonly latencies: ReadonlyArray<number>
}

/** Rejects at the first response with another status than `status`. */
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
          const response = await client.request(request)
          const body = await response.body.bytes()
          latencies.push(performance.now() - sent)
          if (response.statusCode !== status) {
            const text = Buffer.from(body).toString().slice(0, 500)
            throw new Error(`${request.method} ${request.path} returned ${response.statusCode}: ${text}`)
          }
        }
      } finally {
        await client.close()
      }
    }),
  )
  return { elapsed: performance.now() - begin, latencies }
}
