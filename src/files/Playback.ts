/** Sends recordings to players, whole or in ranges (RFC 9110, 14). */
import type { Stream } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { ByteRange } from "../values/Bytes.ts"

interface Recorded<E> {
  /** Media type; null: unknown. */
  readonly type: string | null
  readonly size: number
  readonly content: (range?: ByteRange) => Stream.Stream<Uint8Array, E>
}

/** Undefined: no header, or one to ignore, such as of several ranges. Null: nothing of it is there. */
const rangeOf = (header: string | undefined, size: number): ByteRange | null | undefined => {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "") ?? []
  if (first === "" && last === "") return undefined
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === "" || last === "" ? size : Math.min(size, Number(last) + 1)
  if (first !== "" && last !== "" && Number(last) < start) return undefined
  return start < end ? { start, end } : null
}

/** Browsers play the types of recordings without running scripts of the file. */
export const playback = <E>(
  { headers }: Pick<HttpServerRequest.HttpServerRequest, "headers">,
  { content, size, type }: Recorded<E>,
): HttpServerResponse.HttpServerResponse => {
  const common = {
    "accept-ranges": "bytes",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; sandbox",
    "content-disposition": "inline",
    "x-robots-tag": "noindex",
  }
  const range = rangeOf(headers["range"], size)
  if (range === null)
    return HttpServerResponse.text("", { status: 416, headers: { ...common, "content-range": `bytes */${size}` } })
  const contentType = type ?? "application/octet-stream"
  if (range === undefined)
    return HttpServerResponse.stream(content(), { contentType, contentLength: size, headers: common })
  return HttpServerResponse.stream(content(range), {
    status: 206,
    contentType,
    contentLength: range.end - range.start,
    headers: { ...common, "content-range": `bytes ${range.start}-${range.end - 1}/${size}` },
  })
}
