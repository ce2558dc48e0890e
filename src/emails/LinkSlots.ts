/**
 * Slots for the links in the stored text of a mail. A link opens an interview or sets a password for anyone who has it, so the
 * database stores none. The stored text has a slot for each link, and the link is signed when the mail is sent or shown. A slot
 * is an address that never resolves (RFC 2606) with the mail's id, so text written before the mail cannot imitate it.
 */

import { html } from "../platform/http/Html.ts"
import type { EmailId, InvitationId } from "../values/Ids.ts"
import type { EmailLinks } from "./EmailLinks.ts"
import type { RenderedEmail } from "./EmailRepository.ts"

type LinkName = "interview" | "opened" | "password" | "unsubscribe"

/** The slot of this link in the stored text of a mail. */
export const linkSlot = (id: EmailId, name: LinkName): string => `https://link.invalid/${id}/${name}`

/** The mail's text with its slots replaced by links. */
export const fillLinks = (
  links: EmailLinks["Service"],
  { id, invitation_id }: { readonly id: EmailId; readonly invitation_id: InvitationId | null },
  { html: page, subject, text }: RenderedEmail,
): RenderedEmail => {
  const all: ReadonlyArray<readonly [LinkName, string]> =
    invitation_id === null
      ? [["password", links.password(id)]]
      : [
          ["interview", links.interview({ _tag: "Invitation", id: invitation_id })],
          ["opened", links.mail("Opened", invitation_id)],
          ["unsubscribe", links.mail("Unsubscribe", invitation_id)],
        ]
  const filled = (template: string, escape: (url: string) => string) =>
    all.reduce((before, [name, url]) => before.replaceAll(linkSlot(id, name), () => escape(url)), template)
  return { subject, html: filled(page, (url) => html`${url}`.toString()), text: filled(text, (url) => url) }
}
