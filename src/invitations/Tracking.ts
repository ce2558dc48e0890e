/**
 * Tracks opens and clicks of a mail with a picture and a link, both signed and served by this service, unless the provider
 * tracks them itself (docs/mails.md). The link that a candidate reads and may copy is the plain one.
 */

import { type EmailLinks, linkSlot } from "../emails/EmailLinks.ts"
import type { RenderedEmail } from "../emails/EmailRepository.ts"
import type { OutgoingEmail } from "../emails/EmailSender.ts"
import { html } from "../platform/http/Html.ts"
import { isEmailAddress } from "../values/EmailAddress.ts"
import type { EmailId } from "../values/Ids.ts"
import type { InvitationLinks } from "./InvitationEmail.ts"
import type { InvitationView } from "./InvitationRepository.ts"

type Addressed = Pick<OutgoingEmail, "html" | "fromName" | "replyTo" | "unsubscribeUrl">

/** Where replies go: to the organization's contact when that is an e-mail address, else to the sender. */
export const replyToOf = (contact: string | null): string | null =>
  contact !== null && isEmailAddress(contact) ? contact : null

const href = (url: string) => html`href="${url}"`.toString()

/** `providerTracks`: the provider counts opens and clicks itself. */
export const trackingOf = (links: EmailLinks["Service"], providerTracks: boolean) => {
  return {
    /** The slots of the mail's links. */
    slotsOf: (id: EmailId): InvitationLinks => ({
      interviewUrl: linkSlot(id, "interview"),
      unsubscribeUrl: linkSlot(id, "unsubscribe"),
      ...(providerTracks ? {} : { openPixelUrl: linkSlot(id, "opened") }),
    }),
    /** The fields of the outgoing mail beside its plain text. In HTML, links to the interview lead through the click link. */
    addressed: (invitation: InvitationView, content: RenderedEmail): Addressed => ({
      html: providerTracks
        ? content.html
        : content.html.replaceAll(
            href(links.interview({ _tag: "Invitation", id: invitation.id })),
            href(links.mail("Clicked", invitation.id)),
          ),
      fromName: invitation.organization_name,
      replyTo: replyToOf(invitation.organization_contact),
      unsubscribeUrl: links.mail("Unsubscribe", invitation.id),
    }),
  }
}
