/** Routes of the mailbox: GET /mailbox, /mailbox/sample, /mailbox/:id and /mailbox/:id/links/:index. */
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { Config } from "../config/Config.ts"
import { Assets } from "../platform/http/Assets.ts"
import { pages, seeOther } from "../platform/http/Pages.ts"
import { Mailbox } from "./Mailbox.ts"
import { mailboxPage, mailPage, sampleMailboxPage, unknownMailPage } from "./pages/MailboxPage.ts"

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { href } = yield* Assets
    const { email } = yield* Config
    const mailbox = yield* Mailbox
    const page = pages(href)
    const unknown = () => Effect.succeed(page(unknownMailPage, { status: 404 }))

    yield* router.add(
      "GET",
      "/mailbox",
      Effect.map(mailbox.list(false), (emails) => page(mailboxPage(emails, email._tag !== "mailbox"))),
    )
    yield* router.add(
      "GET",
      "/mailbox/sample",
      Effect.map(mailbox.list(true), (emails) => page(sampleMailboxPage(emails))),
    )
    yield* router.add(
      "GET",
      "/mailbox/:id",
      HttpRouter.params.pipe(
        Effect.flatMap(({ id = "" }) => mailbox.open(id)),
        Effect.map((mail) => page(mailPage(mail, mailbox.headersOf(mail)), { showsMail: true })),
        Effect.catchTag("MailUnknown", unknown),
      ),
    )
    yield* router.add(
      "GET",
      "/mailbox/:id/links/:index",
      HttpRouter.params.pipe(
        Effect.flatMap(({ id = "", index = "" }) => mailbox.follow(id, Number(index))),
        Effect.map(seeOther),
        Effect.catchTag("MailUnknown", unknown),
      ),
    )
  }),
)
