/** Sends a small request to each server every few milliseconds and records the longest response time. */
import { setTimeout as sleep } from "node:timers/promises"
import { Client } from "undici"
import * as Protocol from "../hostile/protocol.ts"
import { handleCommands, on } from "../support/control.ts"

/** Milliseconds between a response and the next request. */
const pauseMillis = 3
const timeoutMillis = 120_000

interface Watched {
  longest: number
  answers: number
  failed: number
}

const clients = new Map<string, Client>()
let isOver = true
let watched: ReadonlyArray<Watched> = []
let loops: ReadonlyArray<Promise<void>> = []

const clientOf = (origin: string): Client => {
  const known = clients.get(origin)
  if (known !== undefined) return known
  const client = new Client(origin, { headersTimeout: timeoutMillis, keepAliveTimeout: 600_000 })
  clients.set(origin, client)
  return client
}

const loop = async (address: string, into: Watched) => {
  const { origin, pathname } = new URL(address)
  const client = clientOf(origin)
  do {
    const sent = performance.now()
    try {
      const { body } = await client.request({ method: "GET", path: pathname })
      await body.dump()
      into.answers++
    } catch {
      into.failed++
    }
    into.longest = Math.max(into.longest, performance.now() - sent)
    await sleep(pauseMillis)
  } while (!isOver)
}

handleCommands([
  on(Protocol.watch, ({ addresses }) => {
    isOver = false
    watched = addresses.map(() => ({ longest: 0, answers: 0, failed: 0 }))
    loops = watched.map((into, i) => loop(addresses[i] ?? "", into))
    return {}
  }),
  on(Protocol.stop, async () => {
    isOver = true
    await Promise.all(loops)
    return watched
  }),
])
