/** Sends uploaded files as downloads, which browsers never run as part of this site. */
import type { Stream } from "effect"
import { HttpServerResponse } from "effect/http"

/** RFC 6266, RFC 8187. */
const attachment = (name: string): string =>
  `attachment; filename="${name.replace(/[^\w. -]/g, "_")}"; filename*=UTF-8''${encodeURIComponent(
    name.toWellFormed(),
  ).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)}`

export const download = <E>(file: {
  readonly name: string
  readonly type: string
  readonly size?: number
  readonly content: Stream.Stream<Uint8Array, E>
}): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.stream(file.content, {
    contentType: file.type,
    ...(file.size === undefined ? {} : { contentLength: file.size }),
    headers: {
      "content-disposition": attachment(file.name),
      "content-security-policy": "default-src 'none'; sandbox",
      "x-robots-tag": "noindex",
    },
  })
