/** The links that end emails to members: /notifications/:token/:subscribed. They need no session. */
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { Assets } from "../../platform/http/Assets.ts"
import { pages } from "../../platform/http/Pages.ts"
import { linkToken, makeUnknownLink } from "../../platform/http/UnknownLink.ts"
import { NotificationLinkUnknown, Notifications } from "./Notifications.ts"
import { notificationPage } from "./pages/NotificationPage.ts"

const link = Effect.flatMap(
  linkToken(() => new NotificationLinkUnknown()),
  (token) => Effect.map(HttpRouter.params, ({ subscribed = "" }) => ({ token, subscribed })),
)

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { href } = yield* Assets
    const notifications = yield* Notifications
    const page = pages(href)
    const unknownLink = yield* makeUnknownLink()

    yield* router.add(
      "GET",
      "/notifications/:token/:subscribed",
      Effect.flatMap(link, ({ subscribed, token }) =>
        Effect.map(notifications.subscription(token, subscribed), (one) => page(notificationPage(one, token))),
      ).pipe(Effect.catchTag("NotificationLinkUnknown", () => unknownLink)),
    )
    // also for one-click unsubscribing (RFC 8058): needs no origin, cookie or body, and does not redirect
    yield* router.add(
      "POST",
      "/notifications/:token/:subscribed",
      Effect.flatMap(link, ({ subscribed, token }) =>
        Effect.map(notifications.unsubscribe(token, subscribed), (one) => page(notificationPage(one, token))),
      ).pipe(Effect.catchTag("NotificationLinkUnknown", () => unknownLink)),
    )
  }),
)
