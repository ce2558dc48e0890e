/** The links of emails: /o/:token (open pixel), /c/:token (click), /unsubscribe/:token. */
import { Effect } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { Assets } from "../platform/http/Assets.ts"
import { pages, seeOther } from "../platform/http/Pages.ts"
import { linkToken, makeUnknownLink } from "../platform/http/UnknownLink.ts"
import { unsubscribePage } from "./pages/UnsubscribePage.ts"
import { MailLinkUnknown, TrackingLinks } from "./TrackingLinks.ts"

const token = linkToken(() => new MailLinkUnknown())

/** HEAD requests of scanners and prefetches of browsers do not count. */
const counts = ({ headers, method }: HttpServerRequest.HttpServerRequest): boolean =>
  method === "GET" && !/prefetch|preview/i.test(`${headers["sec-purpose"]} ${headers["purpose"]} ${headers["x-moz"]}`)

const pixel = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64")

/** For valid and invalid tokens. */
const picture = HttpServerResponse.uint8Array(pixel, {
  contentType: "image/gif",
  headers: { "x-robots-tag": "noindex" },
})

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { href } = yield* Assets
    const trackingLinks = yield* TrackingLinks
    const page = pages(href)
    const unknownLink = yield* makeUnknownLink()
    const unknown = () => unknownLink

    yield* router.add("GET", "/o/:token", (request) =>
      (counts(request) ? Effect.flatMap(token, trackingLinks.opened) : Effect.void).pipe(
        Effect.catchTag("MailLinkUnknown", () => Effect.void),
        Effect.as(picture),
      ),
    )
    yield* router.add("GET", "/c/:token", (request) =>
      Effect.flatMap(token, (link) => trackingLinks.follow(link, counts(request))).pipe(
        Effect.map(seeOther),
        Effect.catchTag("MailLinkUnknown", unknown),
      ),
    )
    yield* router.add(
      "GET",
      "/unsubscribe/:token",
      Effect.flatMap(token, (link) =>
        Effect.map(trackingLinks.subscription(link), (subscription) => page(unsubscribePage(subscription, link))),
      ).pipe(Effect.catchTag("MailLinkUnknown", unknown)),
    )
    // also for one-click unsubscribing (RFC 8058): needs no origin, cookie or body, and does not redirect
    yield* router.add(
      "POST",
      "/unsubscribe/:token",
      Effect.flatMap(token, (link) =>
        Effect.map(trackingLinks.unsubscribe(link), (subscription) => page(unsubscribePage(subscription, link))),
      ).pipe(Effect.catchTag("MailLinkUnknown", unknown)),
    )
  }),
)
