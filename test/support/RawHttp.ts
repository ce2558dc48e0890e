/** Sends HTTP requests as raw bytes, also ones that no client would send. */
import { connect as open, type Socket } from "node:net"
import { Effect } from "effect"
import { type Answer, Server } from "./Api.ts"

/** Undefined until the answer is complete. */
const parse = (bytes: Buffer, hasBody: boolean): { readonly answer: Answer; readonly rest: Buffer } | undefined => {
  const end = bytes.indexOf("\r\n\r\n")
  if (end < 0) return undefined
  const [line = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n")
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
  const headers = new Headers(lines.map((header) => header.split(/:\s*/, 2) as [string, string]))
  const start = end + 4
  const length = hasBody ? Number(headers.get("content-length") ?? 0) : 0
  if (bytes.length < start + length) return undefined
  const text = bytes.subarray(start, start + length).toString()
  const body = text === "" ? undefined : headers.get("content-type")?.includes("json") ? JSON.parse(text) : text
  return { answer: { status, headers, body }, rest: bytes.subarray(start + length) }
}

const reader = (socket: Socket) => {
  const chunks = socket[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  return async (hasBody: boolean): Promise<Answer | undefined> => {
    for (;;) {
      const parsed = parse(rest, hasBody)
      if (parsed !== undefined) {
        rest = parsed.rest
        return parsed.answer
      }
      // a reset ends the answers like a close
      const { done, value } = await chunks.next().catch(() => ({ done: true, value: undefined }))
      if (done) return undefined
      rest = Buffer.concat([rest, value])
    }
  }
}

export const connect = Effect.gen(function* () {
  const { hostname, port } = new URL((yield* Server).url)
  const socket = yield* Effect.acquireRelease(
    Effect.sync(() => open(Number(port), hostname).on("error", () => {})),
    (opened) => Effect.sync(() => opened.destroy()),
  )
  const next = reader(socket)
  return {
    /** Line feeds in `head` are sent as CRLF. */
    send: (head: string, body: string | Uint8Array = "") =>
      Effect.sync(() => {
        socket.write(Buffer.from(head.replaceAll("\n", "\r\n"), "latin1"))
        socket.write(body)
      }),
    /** Undefined when the connection ends without an answer. */
    answer: Effect.promise(() => next(true)),
    head: Effect.promise(() => next(false)),
    /** Sends FIN. */
    end: Effect.sync(() => void socket.end()),
    /** Sends RST. */
    reset: Effect.sync(() => void socket.resetAndDestroy()),
  }
})
