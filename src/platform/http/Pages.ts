/** Pages, redirects, checks of a form's origin. */
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { type Language, languageOf } from "../../texts/Texts.ts"
import type { AssetName } from "./Assets.ts"
import { type Document, renderDocument } from "./Document.ts"
import { type Html, html } from "./Html.ts"

export interface PageOptions {
  readonly status?: number
  /** The page frames an email, which has inline styles and inherits the page's policy. */
  readonly showsMail?: boolean
  /** The page frames files or emails of this site. */
  readonly framesFiles?: boolean
  /** The page plays what it has recorded itself. */
  readonly playsOwnRecordings?: boolean
  /** Pages of this site may frame the page. */
  readonly mayBeFramed?: boolean
}

/** srcdoc frames need no frame-src. */
const policy = ({
  framesFiles = false,
  mayBeFramed = false,
  playsOwnRecordings = false,
  showsMail = false,
}: PageOptions) =>
  [
    "default-src 'none'",
    `style-src 'self'${showsMail ? " 'unsafe-inline'" : ""}`,
    "script-src 'self'",
    "img-src 'self' data:",
    `media-src 'self'${playsOwnRecordings ? " blob:" : ""}`,
    "connect-src 'self'",
    ...(framesFiles ? ["frame-src 'self'"] : []),
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${mayBeFramed ? "'self'" : "'none'"}`,
  ].join("; ")

/**
 * Referrer-Policy and noindex hide URLs, which can contain a candidate's link. With no-referrer, browsers would send
 * `Origin: null` with forms (Fetch, 3.2).
 */
export const pages =
  (href: (name: AssetName) => string) =>
  (document: Document, options: PageOptions = {}): HttpServerResponse.HttpServerResponse =>
    HttpServerResponse.text(renderDocument(document, href), {
      status: options.status ?? 200,
      contentType: "text/html; charset=utf-8",
      headers: {
        "content-security-policy": policy(options),
        "cross-origin-opener-policy": "same-origin",
        "referrer-policy": "same-origin",
        "x-robots-tag": "noindex",
      },
    })

const headerLine = (name: string, value: Html): Html =>
  html`<p class="ink" style="margin:0;display:flex;color:#1b211f;"><span class="quiet" style="flex:none;width:72px;color:#565f5b;">${name}</span> <span style="min-width:0;">${value}</span></p>\n`

/**
 * An email's HTML for a frame of this site: with inline styles and pictures, without scripts, links and other sites.
 * `headers` are shown above it, in the classes of emails for the dark (emails/EmailLayout.ts).
 */
export const mailView = (
  mail: string,
  headers: ReadonlyArray<readonly [name: string, value: Html]> = [],
): HttpServerResponse.HttpServerResponse => {
  const above = html`<div class="note" style="padding:12px 20px;border-bottom:1px solid #e1e4df;background-color:#ffffff;font:14px/1.7 sans-serif;overflow-wrap:anywhere;">
${headers.map(([name, value]) => headerLine(name, value))}</div>`
  const shown = headers.length === 0 ? mail : mail.replace(/<body[^>]*>/, (body) => `${body}\n${above}`)
  return HttpServerResponse.text(shown, {
    contentType: "text/html; charset=utf-8",
    headers: {
      "content-security-policy":
        "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'self'; sandbox",
      "referrer-policy": "same-origin",
      "x-robots-tag": "noindex",
    },
  })
}

/** Paths without pages; programs may send any Accept header. */
const programPaths = /^\/(assets|colours|company|health|hiring-systems|hooks|logos|v1)(\/|$)/

/** True for requests of browsers for pages. */
export const wantsPage = ({ headers, url }: HttpServerRequest.HttpServerRequest): boolean =>
  (headers["accept"]?.includes("text/html") ?? false) && !programPaths.test(url)

/** From Accept-Language (RFC 9110, 12.5.4). A weight of 0 excludes a language. */
export const preferredLanguage = ({ headers }: HttpServerRequest.HttpServerRequest): Language => {
  const wanted = (headers["accept-language"] ?? "").split(",").map((part) => {
    const [tag = "", ...parameters] = part.split(";").map((piece) => piece.trim())
    const weight = parameters.find((parameter) => /^q=/i.test(parameter))
    return { tag, weight: weight === undefined ? 1 : Number(weight.slice(2)) }
  })
  return languageOf(
    wanted
      .filter(({ weight }) => weight > 0)
      .toSorted((a, b) => b.weight - a.weight)
      .map(({ tag }) => tag),
  )
}

/** RFC 3986, 2; keeps encoded characters. */
const encoded = (location: string): string => location.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent)

/** The only place that writes a Location header. */
export const seeOther = (location: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.redirect(encoded(location), { status: 303 })

/** With an https APP_URL, plain http is another origin: anyone on the network may have written the page. */
const isOwn = (appUrl: string, { headers }: HttpServerRequest.HttpServerRequest, origin: string): boolean => {
  const own = new URL(appUrl)
  const from = URL.parse(origin)
  if (from === null) return false
  return (
    origin === own.origin ||
    (from.host === headers["host"] && (from.protocol === "https:" || own.protocol === from.protocol))
  )
}

/** Without a body: browsers get the page for 403 (ErrorPage.ts), programs a problem. */
const notFromHere = HttpServerResponse.empty({ status: 403 })

/** Browsers send Origin with every POST. */
export const fromOwnPage =
  (appUrl: string) =>
  <E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const origin = request.headers["origin"]
      return origin === undefined || isOwn(appUrl, request, origin) ? handler : Effect.succeed(notFromHere)
    })

/** With a session cookie: a request without Origin needs Sec-Fetch-Site, which pages cannot set. */
export const onlyFromOwnPage =
  (appUrl: string) =>
  <E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const { origin, "sec-fetch-site": site } = request.headers
      const isOurs = origin === undefined ? site === "same-origin" : isOwn(appUrl, request, origin)
      const isForeign = site !== undefined && site !== "same-origin"
      return isOurs && !isForeign ? handler : Effect.succeed(notFromHere)
    })
