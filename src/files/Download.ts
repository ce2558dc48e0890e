/** Sends uploaded files with headers that keep browsers from running them as part of this site. */
import type { Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { viewOf } from "./FileType.ts"

/** RFC 6266, RFC 8187. */
const attachment = (name: string): string =>
  `attachment; filename="${name.replace(/[^\w. -]/g, "_")}"; filename*=UTF-8''${encodeURIComponent(
    name.toWellFormed(),
  ).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)}`

const cvEndings: Readonly<Record<string, string>> = {
  "application/pdf": ".pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
  "application/vnd.oasis.opendocument.text": ".odt",
  "application/rtf": ".rtf",
  "text/html": ".html",
  "text/plain": ".txt",
  "image/png": ".png",
  "image/jpeg": ".jpg",
}

/** CVs are stored without a name. */
export const cvFileName = (type: string | null): string => `CV${cvEndings[type ?? ""] ?? ""}`

interface SentFile<E> {
  readonly name: string
  readonly type: string
  readonly size?: number
  readonly content: Stream.Stream<Uint8Array, E>
}

export const download = <E>(file: SentFile<E>): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.stream(file.content, {
    contentType: file.type,
    contentLength: file.size,
    headers: {
      "content-disposition": attachment(file.name),
      "content-security-policy": "default-src 'none'; sandbox",
      "x-robots-tag": "noindex",
    },
  })

export const isPdf = (type: string | null): boolean => viewOf(type) === "pdf"

export const isImage = (type: string | null): boolean => viewOf(type) === "image"

/** Types that browsers show without running scripts of the file. */
export const isViewable = (type: string | null): type is string => viewOf(type) !== undefined

/**
 * Sends a file for viewing in the browser. The caller has checked that the type is viewable. PDFs are not in a sandbox, because
 * Chromium's viewer does not open in one; the viewer runs the file in a process of its own.
 */
export const view = <E>(file: SentFile<E>): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setHeaders(download(file), {
    "content-disposition": attachment(file.name).replace(/^attachment/, "inline"),
    "content-security-policy": `default-src 'none'; ${
      isPdf(file.type) ? "frame-ancestors 'self'" : "frame-ancestors 'none'; sandbox"
    }`,
  })
