/** Stored emails as a mailbox shows them: their headers and links. */
import type { EmailSettings } from "../config/EmailSettings.ts"
import type { EmailLinks } from "../emails/EmailLinks.ts"
import type { EmailRow } from "../emails/EmailRepository.ts"
import { replyToOf } from "../invitations/InvitationEmailTemplate.ts"
import { asciiAddress } from "../values/EmailAddress.ts"

/** This service's HTML has attributes in double quotes and escapes quotes in text. */
const webLink = /href="(https?:[^"]*)"/g

const characters: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" }
const unescaped = (attribute: string) =>
  attribute.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => characters[name] ?? whole)

export const rewriteLinks = (html: string, address: (index: number) => string): string => {
  let index = 0
  return html.replace(webLink, () => `href="${address(index++)}"`)
}

/** The n-th web link, counted from 0. */
export const linkAt = (html: string, index: number): string | undefined => {
  const found = [...html.matchAll(webLink)][index]?.[1]
  return found === undefined ? undefined : unescaped(found)
}

/** Sender shown if EMAIL_FROM is not set, because no emails are sent. */
const sampleSender = "interviews@example.com"

/** As the recipient's mail program would show them. */
export const mailHeaders = (
  settings: EmailSettings,
  emailLinks: EmailLinks["Service"],
  email: EmailRow,
): ReadonlyArray<readonly [name: string, value: string]> => {
  const from = "from" in settings ? settings.from : null
  const replyTo = email.reply_to ?? replyToOf(email.organization_contact)
  const name = email.sender_name ?? from?.name ?? email.organization_name
  const address = `<${from?.address ?? sampleSender}>`
  return [
    ["From", `${name} ${address}`],
    ["To", asciiAddress(email.recipient)],
    ...(replyTo === null ? [] : [["Reply-To", asciiAddress(replyTo)] as const]),
    ...(email.invitation_id === null
      ? []
      : [["List-Unsubscribe", `<${emailLinks.mail("Unsubscribe", email.invitation_id)}>`] as const]),
    ...(email.message_id === null ? [] : [["Message-ID", `<${email.message_id}>`] as const]),
  ]
}
