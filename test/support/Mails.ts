/** Reads mails with their links filled in, and registers tokens of links with LogWatch. */
import { Effect } from "effect"
import { EmailLinks, fillLinks } from "../../src/emails/EmailLinks.ts"
import type { EmailKind, RenderedEmail } from "../../src/emails/EmailRepository.ts"
import { Database } from "../../src/platform/database/Database.ts"
import type { EmailId, InvitationId, MemberId, SubmissionId } from "../../src/values/Ids.ts"
import * as LogWatch from "./LogWatch.ts"

interface Mail extends RenderedEmail {
  readonly id: EmailId
  readonly invitation_id: InvitationId | null
  readonly submission_id: SubmissionId | null
  readonly recipient: string
  readonly kind: EmailKind
  readonly member_id: MemberId | null
}

export const watch = ({ html, text }: Pick<RenderedEmail, "html" | "text">): void => {
  for (const [, token = ""] of `${html}${text}`.matchAll(
    /\/(?:i|o|c|unsubscribe|password|notifications)\/([\w-]{20,})/g,
  )) {
    LogWatch.secret(token)
  }
}

/** All rendered mails, oldest first. */
export const written = Effect.gen(function* () {
  const { sql } = yield* Database
  const links = yield* EmailLinks
  const rows = yield* sql<Mail>`
    select m.id, m.invitation_id, m.submission_id, m.recipient, m.kind, m.subject, m.html, m.text, r.id as member_id
    from email m left join member r on lower(r.email) = lower(m.recipient) and r.deactivated_at is null
    where m.subject is not null order by m.created_at, m.id`
  return rows.map((row) => ({ ...row, ...fillLinks(links, row, row) }))
})
