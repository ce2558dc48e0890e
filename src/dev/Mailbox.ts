/** The mailbox of `npm start` and the demo: sent emails. Reports opened and clicked like an email provider. */
import { Context, Effect, Layer, Schema } from "effect"
import { Config } from "../config/Config.ts"
import type { EmailSignal } from "../emails/EmailEvent.ts"
import { EmailLinks, fillLinks } from "../emails/EmailLinks.ts"
import { EmailRepository, type EmailRow } from "../emails/EmailRepository.ts"
import { InvitationReports } from "../invitations/InvitationReports.ts"
import { linkAt, mailHeaders } from "../test-mode/StoredMail.ts"
import { EmailId, parseId } from "../values/Ids.ts"

export class MailUnknown extends Schema.TaggedError<MailUnknown>()("MailUnknown", {}) {}

export class Mailbox extends Context.Service<Mailbox>()("interview-invitations/dev/Mailbox", {
  make: Effect.gen(function* () {
    const config = yield* Config
    const emailLinks = yield* EmailLinks
    const repository = yield* EmailRepository
    const invitationReports = yield* InvitationReports

    const withLinks = (email: EmailRow) => ({ ...email, ...fillLinks(emailLinks, email, email) })

    /** Emails of the sample organization, or of all others. */
    const list = (ofSample: boolean) => Effect.map(repository.newest(100, ofSample), (newest) => newest.map(withLinks))

    const find = Effect.fn("Mailbox.find")(function* (id: string) {
      const emailId = parseId(EmailId, id)
      const email = emailId === undefined ? undefined : yield* repository.find(emailId)
      return email === undefined ? yield* new MailUnknown() : withLinks(email)
    })

    const headersOf = (email: EmailRow) => mailHeaders(config.email, emailLinks, email)

    const report = Effect.fnUntraced(function* ({ invitation_id, organization_id }: EmailRow, signal: EmailSignal) {
      if (invitation_id === null) return
      yield* invitationReports.report(signal, [{ id: invitation_id, organization_id }])
    })

    /** Also reports the invitation as opened. */
    const open = Effect.fn("Mailbox.open")(function* (id: string) {
      const email = yield* find(id)
      yield* report(email, "opened")
      return email
    })

    /** The address of the n-th link. Also reports the invitation as clicked. */
    const follow = Effect.fn("Mailbox.follow")(function* (id: string, index: number) {
      const email = yield* find(id)
      const link = linkAt(email.html, index)
      if (link === undefined) return yield* new MailUnknown()
      // only the interview link counts as clicked
      const token = link.slice(link.lastIndexOf("/") + 1)
      if (emailLinks.open(token) !== undefined) yield* report(email, "clicked")
      return link
    })

    return { list, headersOf, open, follow }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
