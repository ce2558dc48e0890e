/**
 * The links that mails hold. Only a GET by somebody who reads counts: not HEAD, by which scanners look, and not what a
 * browser fetches ahead. Whatever is asked here, the interview stays as it is.
 */
import { Effect } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { Assets } from "../platform/http/Assets.ts"
import { pages, seeOther } from "../platform/http/Pages.ts"
import { linkToken, makeUnknownLink } from "../platform/http/UnknownLink.ts"
import { unsubscribePage } from "./pages/UnsubscribePage.ts"
import { MailLinkUnknown, TrackingLinks } from "./TrackingLinks.ts"

const token = linkToken(() => new MailLinkUnknown())

const counts = ({ headers, method }: HttpServerRequest.HttpServerRequest): boolean =>
  method === "GET" && !/prefetch|preview/i.test(`${headers["sec-purpose"]} ${headers["purpose"]} ${headers["x-moz"]}`)

/** One transparent pixel, GIF89a. */
const pixel = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64")

/** The same for every token: whoever guesses one learns nothing. */
const picture = HttpServerResponse.uint8Array(pixel, {
  contentType: "image/gif",
  headers: { "x-robots-tag": "noindex" },
})

/** GET /o/:token, GET /c/:token, GET and POST /unsubscribe/:token. */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { href } = yield* Assets
    const links = yield* TrackingLinks
    const page = pages(href)
    const unknownLink = yield* makeUnknownLink
    const unknown = () => unknownLink

    yield* router.add("GET", "/o/:token", (request) =>
      (counts(request) ? Effect.flatMap(token, links.opened) : Effect.void).pipe(
        Effect.catchTag("MailLinkUnknown", () => Effect.void),
        Effect.as(picture),
      ),
    )
    yield* router.add("GET", "/c/:token", (request) =>
      Effect.flatMap(token, (link) => links.follow(link, counts(request))).pipe(
        Effect.map(seeOther),
        Effect.catchTag("MailLinkUnknown", unknown),
      ),
    )
    yield* router.add(
      "GET",
      "/unsubscribe/:token",
      Effect.flatMap(token, (link) =>
        Effect.map(links.subscription(link), (subscription) => page(unsubscribePage(subscription, link))),
      ).pipe(Effect.catchTag("MailLinkUnknown", unknown)),
    )
    // The page's form and one-click unsubscription (RFC 8058) are the same POST. Whoever holds the link may send it, so it
    // asks for no origin, no cookie and no body, and its answer is no redirect.
    yield* router.add(
      "POST",
      "/unsubscribe/:token",
      Effect.flatMap(token, (link) =>
        Effect.map(links.unsubscribe(link), (subscription) => page(unsubscribePage(subscription, link))),
      ).pipe(Effect.catchTag("MailLinkUnknown", unknown)),
    )
  }),
)
