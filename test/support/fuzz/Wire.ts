/** Sends requests as bytes on a connection that is kept open, and checks that answers are complete. */
import { connect, type Socket } from "node:net"

export interface WireAnswer {
  readonly status: number
  /** Headers by name in lower case; the last value of a repeated header. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
  /** The server closes the connection after this answer. */
  readonly isLast: boolean
}

export interface Broken {
  readonly broken: string
}

const chunked = (bytes: Buffer): { readonly body: Buffer; readonly length: number } | undefined => {
  const parts: Array<Buffer> = []
  for (let at = 0; ; ) {
    const end = bytes.indexOf("\r\n", at)
    if (end < 0) return undefined
    const size = Number.parseInt(bytes.subarray(at, end).toString("latin1"), 16)
    const next = end + 2 + size + 2
    if (bytes.length < next) return undefined
    if (size === 0) return { body: Buffer.concat(parts), length: next }
    parts.push(bytes.subarray(end + 2, end + 2 + size))
    at = next
  }
}

/** Undefined until the answer is complete. */
const parse = (bytes: Buffer, method: string): { readonly answer: WireAnswer; readonly length: number } | undefined => {
  const end = bytes.indexOf("\r\n\r\n")
  if (end < 0) return undefined
  const [line = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n")
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
  const headers = new Map(
    lines.map((header): [string, string] => {
      const colon = header.indexOf(":")
      return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()]
    }),
  )
  const start = end + 4
  // an interim answer: the real one follows
  if (status >= 100 && status < 200) {
    const rest = parse(bytes.subarray(start), method)
    return rest && { answer: rest.answer, length: start + rest.length }
  }
  const isLast = headers.get("connection")?.toLowerCase() === "close"
  if (method === "HEAD" || status === 204 || status === 304) {
    return { answer: { status, headers, body: "", isLast }, length: start }
  }
  if (headers.get("transfer-encoding") === "chunked") {
    const read = chunked(bytes.subarray(start))
    return read && { answer: { status, headers, body: read.body.toString(), isLast }, length: start + read.length }
  }
  const length = Number(headers.get("content-length"))
  if (bytes.length < start + length) return undefined
  const body = bytes.subarray(start, start + length).toString()
  return { answer: { status, headers, body, isLast }, length: start + length }
}

/** Milliseconds. A request without an answer fails the run. */
const patience = 30_000

/** A connection that is reopened after it was closed; one request at a time. */
export const open = (origin: string) => {
  const { hostname, port } = new URL(origin)
  let kept: Socket | undefined

  const attempt = (method: string, bytes: Buffer, socket: Socket): Promise<WireAnswer | Broken | undefined> =>
    new Promise((resolve) => {
      let received: Buffer = Buffer.alloc(0)
      const settle = (outcome: WireAnswer | Broken | undefined, isOpen: boolean) => {
        clearTimeout(timer)
        socket.removeAllListeners().on("error", () => {})
        if (!isOpen) socket.destroy()
        kept = isOpen ? socket : undefined
        resolve(outcome)
      }
      const fail = (why: string) =>
        settle({ broken: `${why} after ${received.length} bytes: ${received.toString("latin1").slice(0, 300)}` }, false)
      const end = (why: string) => (received.length === 0 ? settle(undefined, false) : fail(why))
      const timer = setTimeout(() => fail("no answer"), patience)
      socket.on("data", (chunk) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
        const parsed = parse(received, method)
        if (parsed === undefined) return
        if (!Number.isInteger(parsed.answer.status)) return fail("no status")
        if (received.length > parsed.length) return fail("more than one answer")
        settle(parsed.answer, !parsed.answer.isLast)
      })
      socket.on("error", (error) => end(String(error)))
      socket.on("close", () => end("the connection ended"))
      socket.write(bytes)
    })

  const fresh = () => connect({ host: hostname, port: Number(port), noDelay: true })

  /** Uses a new connection when the server has closed the kept one. */
  const exchange = async (method: string, bytes: Buffer): Promise<WireAnswer | Broken> => {
    const reused = kept !== undefined && !kept.destroyed ? await attempt(method, bytes, kept) : undefined
    const answer = reused ?? (await attempt(method, bytes, fresh()))
    return answer ?? { broken: "the connection ended without an answer" }
  }

  return { exchange, close: () => kept?.destroy() }
}
