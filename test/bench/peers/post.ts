/** Sends the peers' POSTs with `undici.request`, signed by the service's function with precomputed keys. */
import { Agent, request } from "undici"
import { signatureHeaders, signingKey } from "../../../src/webhooks/deliveries/Signature.ts"
import type { Job } from "../deliveries/jobs.ts"

const { RECEIVER = "", SECRETS = "" } = process.env
const keys = SECRETS.split(",").map(signingKey)

export const origin = RECEIVER

export const signed = ({ body, id, receiver }: Job) => {
  const bytes = Buffer.from(body)
  const timestamp = Math.floor(Date.now() / 1000)
  const signature = signatureHeaders({ eventId: id, timestamp, body: bytes, keys: keys.slice(receiver, receiver + 1) })
  return {
    path: `/${receiver}`,
    method: "POST" as const,
    headers: { "content-type": "application/json", "user-agent": "bench/1", ...signature },
    body: bytes,
  }
}

/** The returned function rejects when the status is not 2xx. */
export const poster = (connections: number) => {
  const dispatcher = new Agent({ connections, headersTimeout: 10_000, bodyTimeout: 10_000 })
  return async (job: Job): Promise<void> => {
    const { body, statusCode } = await request(origin, { ...signed(job), dispatcher })
    const text = await body.text()
    if (statusCode < 200 || statusCode > 299) throw new Error(`the receiver returned ${statusCode}: ${text}`)
  }
}
