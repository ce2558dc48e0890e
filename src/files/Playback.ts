/** Sends recordings whole or in ranges (RFC 9110, 13.1.5 and 14). */
import type { Stream } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { ByteRange } from "../values/Bytes.ts"

interface Recorded<E> {
  /** Media type; null: unknown. */
  readonly type: string | null
  readonly size: number
  /** Names the content: another one has another id. */
  readonly id: string
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
  { content, id, size, type }: Recorded<E>,
): HttpServerResponse.HttpServerResponse => {
  const etag = `"${id}"`
  const common = {
    "accept-ranges": "bytes",
    etag,
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; sandbox",
    "content-disposition": "inline",
    "x-robots-tag": "noindex",
  }
  const condition = headers["if-range"]
  const range = condition === undefined || condition === etag ? rangeOf(headers["range"], size) : undefined
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
