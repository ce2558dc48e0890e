/** Receives webhooks on this machine and verifies each one. */
import { createHmac, timingSafeEqual } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

export function isGenuine(secret: string, header: string, body: Uint8Array, now = Date.now() / 1000): boolean {
  const key = secret.replace(/^whsec_/, "")
  const parts = header.split(",").map((part) => part.trim())
  const t = parts.find((part) => part.startsWith("t="))?.slice(2) ?? ""
  if (key === "" || !/^\d{1,12}$/.test(t) || Math.abs(now - Number(t)) > 300) return false
  const expected = Buffer.from(`v1=${createHmac("sha256", key).update(`${t}.`).update(body).digest("hex")}`)
  return parts
    .map((part) => Buffer.from(part))
    .some((part) => part.length === expected.length && timingSafeEqual(part, expected))
}

const maxBody = 1_000_000 // bytes

export interface Event {
  readonly event_id: string
  readonly event_type: string
  readonly data: { readonly submission_id: string; readonly status?: string; readonly score_status?: string }
}

export const startReceiver = async (port: number) => {
  let secret = ""
  const events = new Map<string, Event>() // by event_id: a delivery can arrive more than once
  const server = createServer(async (request, response) => {
    try {
      const chunks: Array<Buffer> = []
      let size = 0
      for await (const chunk of request) {
        size += chunk.length
        if (size > maxBody) {
          response.writeHead(413, { connection: "close" }).end()
          return
        }
        chunks.push(chunk)
      }
      const body = Buffer.concat(chunks)
      const genuine = isGenuine(secret, String(request.headers["x-webhook-signature"] ?? ""), body)
      if (genuine) {
        const event: Event = JSON.parse(body.toString())
        events.set(event.event_id, event)
      }
      response.writeHead(genuine ? 204 : 401).end()
    } catch {
      response.writeHead(400).end() // the client closed before the end of the body
    }
  })
  server.listen(port, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    setSecret: (text: string) => {
      secret = text
    },
    /** Returns the first event of the submission. Fails after 30 seconds without one. */
    eventOf: async (submission: string): Promise<Event> => {
      for (let waited = 0; waited < 300; waited++) {
        const event = [...events.values()].find(({ data }) => data.submission_id === submission)
        if (event !== undefined) return event
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      throw new Error("no webhook within 30 seconds")
    },
    close: () => server.close(),
  }
}
