/**
 * The mailbox of a machine that somebody tries the product on: it shows the mails that were sent, and reports opened
 * and clicked as a mail provider does. It exists only under `npm start` and in the demo.
 */
import { Context, Effect, Layer, Option, Schema } from "effect"
import { Config } from "../config/Config.ts"
import { EmailLinks } from "../emails/EmailLinks.ts"
import { EmailRepository, type EmailRow } from "../emails/EmailRepository.ts"
import { fillLinks } from "../emails/LinkSlots.ts"
import type { EmailSignal } from "../emails/MailOutcome.ts"
import { replyToOf } from "../invitations/InvitationEmail.ts"
import { Invitations } from "../invitations/Invitations.ts"
import { asciiAddress } from "../values/EmailAddress.ts"
import { EmailId } from "../values/Ids.ts"

/** There is no such mail, or no such link in it. */
export class MailUnknown extends Schema.TaggedError<MailUnknown>()("MailUnknown", {}) {}

/**
 * The web links of a mail, in their order. The only mails here are those that this service wrote: their attributes are
 * always in double quotes, and a text that looks like an attribute has its quotes escaped. So this needs no HTML parser.
 */
const webLink = /href="(https?:[^"]*)"/g

const characters: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" }
const unescaped = (attribute: string) =>
  attribute.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => characters[name] ?? whole)

/** The mail's HTML with its n-th web link replaced by `address(n)`: what a provider that counts clicks makes of it. */
export const rewriteLinks = (html: string, address: (index: number) => string): string => {
  let index = 0
  return html.replace(webLink, () => `href="${address(index++)}"`)
}

/** Where the n-th web link leads. */
export const linkAt = (html: string, index: number): string | undefined => {
  const found = [...html.matchAll(webLink)][index]?.[1]
  return found === undefined ? undefined : unescaped(found)
}

export class Mailbox extends Context.Service<
  Mailbox,
  {
    /** The newest 100 mails, newest first. */
    readonly list: Effect.Effect<ReadonlyArray<EmailRow>>
    /** The headers that a mail has, or would have where mails leave this machine: name and value. */
    readonly headersOf: (email: EmailRow) => ReadonlyArray<readonly [name: string, value: string]>
    /** A mail to be read. The first time, its invitation is reported as opened. */
    readonly open: (id: string) => Effect.Effect<EmailRow, MailUnknown>
    /** The address that the mail's n-th link leads to. The first time, its invitation is reported as clicked. */
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
          // to unsubscribe, or to ask somebody, is not to take part
          const token = link.slice(link.lastIndexOf("/") + 1)
          if (links.open(token) !== undefined) yield* report(email, "clicked")
          return link
        }),
      })
    }),
  )
}
