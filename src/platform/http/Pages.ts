/** Pages as answers: what the browser may do with them, and who may make it send a form. */
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { AssetName } from "./Assets.ts"
import { type Document, renderDocument } from "./Document.ts"

export interface PageOptions {
  readonly status?: number
  /** The page shows a mail in a frame. The frame takes over this page's policy, and mails are styled inline. */
  readonly showsMail?: boolean
}

/**
 * No inline script exists on any page, so none may run. Mails are framed from the page's own text (srcdoc), which
 * needs no frame-src.
 */
const policy = (showsMail: boolean) =>
  [
    "default-src 'none'",
    `style-src 'self'${showsMail ? " 'unsafe-inline'" : ""}`,
    "script-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ")

/**
 * Renders pages as answers. The address of a page can contain a candidate's link: Referrer-Policy hides it from other sites,
 * and noindex from search engines. platform/http/SecurityHeaders.ts keeps pages out of caches. The referrer policy is same-origin,
 * because with no-referrer browsers send `Origin: null` with a form (Fetch, 3.2 "Origin" header).
 */
export const pages =
  (href: (name: AssetName) => string) =>
  (document: Document, { showsMail = false, status = 200 }: PageOptions = {}): HttpServerResponse.HttpServerResponse =>
    HttpServerResponse.text(renderDocument(document, href), {
      status,
      contentType: "text/html; charset=utf-8",
      headers: {
        "content-security-policy": policy(showsMail),
        // no other window keeps hold of this one, not even the one that opened it
        "cross-origin-opener-policy": "same-origin",
        "referrer-policy": "same-origin",
        "x-robots-tag": "noindex",
      },
    })

/** Browsers ask for pages by name; scripts and other programs do not. */
export const wantsPage = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  headers["accept"]?.includes("text/html") ?? false

/** Percent-encodes the characters that a URI cannot contain (RFC 3986, 2); encoded characters stay as they are. */
const encoded = (location: string): string => location.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent)

/** Redirects to a GET of the location (303). The only place that writes a Location header. */
export const seeOther = (location: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.redirect(encoded(location), { status: 303 })

/**
 * Whether an Origin header names this service: APP_URL, or the very host that was asked. Where APP_URL is https, a page that
 * came in the clear is not ours: anybody on its way may have written it.
 */
const isOwn = (appUrl: string, { headers }: HttpServerRequest.HttpServerRequest, origin: string): boolean => {
  const own = new URL(appUrl)
  const from = URL.parse(origin)
  if (from === null) return false
  return (
    origin === own.origin ||
    (from.host === headers["host"] && (from.protocol === "https:" || own.protocol === from.protocol))
  )
}

const notFromHere = HttpServerResponse.text("This form was not sent from a page of this service.", { status: 403 })

/**
 * Lets a form through only from a page of this service. A browser names the origin of every POST; where nothing is
 * named, no browser was made to send it.
 */
export const fromOwnPage =
  (appUrl: string) =>
  <E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const origin = request.headers["origin"]
      return origin === undefined || isOwn(appUrl, request, origin) ? handler : Effect.succeed(notFromHere)
    })

/**
 * The same where a cookie says who sends it: what does not name its origin is refused too. Fetch metadata (Sec-Fetch-Site)
 * stands in for an Origin that something on the way took out; it can not be set by a page.
 */
export const onlyFromOwnPage =
  (appUrl: string) =>
  <E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const { origin, "sec-fetch-site": site } = request.headers
      const isOurs = origin === undefined ? site === "same-origin" : isOwn(appUrl, request, origin)
      const isForeign = site !== undefined && site !== "same-origin"
      return isOurs && !isForeign ? handler : Effect.succeed(notFromHere)
    })
