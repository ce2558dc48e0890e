/** Reads mails with their links filled in, and registers tokens of links with LogWatch. */
import { Effect } from "effect"
import { EmailLinks, fillLinks } from "../../src/emails/EmailLinks.ts"
import type { RenderedEmail } from "../../src/emails/EmailRepository.ts"
import { Database } from "../../src/platform/database/Database.ts"
import type { EmailId, InvitationId } from "../../src/values/Ids.ts"
import * as LogWatch from "./LogWatch.ts"

interface Mail extends RenderedEmail {
  readonly id: EmailId
  readonly invitation_id: InvitationId | null
  readonly recipient: string
  readonly kind: string
}

export const watch = ({ html, text }: Pick<RenderedEmail, "html" | "text">): void => {
  for (const [, token = ""] of `${html}${text}`.matchAll(/\/(?:i|o|c|unsubscribe|password)\/([\w-]{20,})/g)) {
    LogWatch.secret(token)
  }
}

/** All rendered mails, oldest first. */
export const written = Effect.gen(function* () {
  const { sql } = yield* Database
  const links = yield* EmailLinks
  const rows = yield* sql<Mail>`
    select id, invitation_id, recipient, kind, subject, html, text from email where subject is not null order by created_at, id`
  return rows.map((row) => ({ ...row, ...fillLinks(links, row, row) }))
})
