/** The mailbox of `npm start` and the demo: sent emails. Reports opened and clicked like an email provider. */
import { Context, Effect, Layer, Option, Schema } from "effect"
import { Config } from "../config/Config.ts"
import type { EmailSignal } from "../emails/EmailEvent.ts"
import { EmailLinks, fillLinks } from "../emails/EmailLinks.ts"
import { EmailRepository, type EmailRow } from "../emails/EmailRepository.ts"
import { replyToOf } from "../invitations/InvitationEmailTemplate.ts"
import { Invitations } from "../invitations/Invitations.ts"
import { asciiAddress } from "../values/EmailAddress.ts"
import { EmailId } from "../values/Ids.ts"

export class MailUnknown extends Schema.TaggedError<MailUnknown>()("MailUnknown", {}) {}

/** Enough for HTML of this service: attributes in double quotes, quotes in text escaped. */
const webLink = /href="(https?:[^"]*)"/g

const characters: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" }
const unescaped = (attribute: string) =>
  attribute.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => characters[name] ?? whole)

export const rewriteLinks = (html: string, address: (index: number) => string): string => {
  let index = 0
  return html.replace(webLink, () => `href="${address(index++)}"`)
}

export const linkAt = (html: string, index: number): string | undefined => {
  const found = [...html.matchAll(webLink)][index]?.[1]
  return found === undefined ? undefined : unescaped(found)
}

export class Mailbox extends Context.Service<
  Mailbox,
  {
    /** The 100 newest, newest first. */
    readonly list: Effect.Effect<ReadonlyArray<EmailRow>>
    readonly headersOf: (email: EmailRow) => ReadonlyArray<readonly [name: string, value: string]>
    /** Also reports the invitation as opened. */
    readonly open: (id: string) => Effect.Effect<EmailRow, MailUnknown>
    /** The address of the n-th link. Also reports the invitation as clicked. */
    readonly follow: (id: string, index: number) => Effect.Effect<string, MailUnknown>
  }
>()("interview-invitations/dev/Mailbox") {
  static readonly layer = Layer.effect(
    Mailbox,
    Effect.gen(function* () {
      const { email: settings } = yield* Config
      const emails = yield* EmailRepository
      const invitations = yield* Invitations
      const links = yield* EmailLinks

      const filled = (email: EmailRow): EmailRow => ({ ...email, ...fillLinks(links, email, email) })

      const find = Effect.fn("Mailbox.find")(function* (id: string) {
        const emailId = Schema.decodeOption(EmailId)(id)
        const email = Option.isSome(emailId) ? yield* emails.find(emailId.value) : undefined
        return email === undefined ? yield* new MailUnknown() : filled(email)
      })

      const report = ({ invitation_id, organization_id }: EmailRow, signal: EmailSignal) =>
        invitation_id === null ? Effect.void : invitations.report(signal, [{ id: invitation_id, organization_id }])

      return Mailbox.of({
        list: Effect.map(emails.newest(100), (all) => all.map(filled)),
        headersOf: (email) => {
          const from = "from" in settings ? settings.from : null
          const replyTo = replyToOf(email.organization_contact)
          const name = from?.name ?? email.organization_name
          const address = `<${from?.address ?? "EMAIL_FROM"}>`
          return [
            ["From", name === null ? address : `${name} ${address}`],
            ["To", asciiAddress(email.recipient)],
            ...(replyTo === null ? [] : [["Reply-To", asciiAddress(replyTo)] as const]),
            ...(email.invitation_id === null
              ? []
              : [["List-Unsubscribe", `<${links.mail("Unsubscribe", email.invitation_id)}>`] as const]),
            ...(email.message_id === null ? [] : [["Message-ID", `<${email.message_id}>`] as const]),
          ]
        },
        open: Effect.fn("Mailbox.open")(function* (id) {
          const email = yield* find(id)
          yield* report(email, "opened")
          return email
        }),
        follow: Effect.fn("Mailbox.follow")(function* (id, index) {
          const email = yield* find(id)
          const link = linkAt(email.html, index)
          if (link === undefined) return yield* new MailUnknown()
          // links to unsubscribe or to a contact do not count as clicked
          const token = link.slice(link.lastIndexOf("/") + 1)
          if (links.open(token) !== undefined) yield* report(email, "clicked")
          return link
        }),
      })
    }),
  )
}
