/** Settings → Organization → General. */
import type { Member } from "../../../domain/Member.ts"
import { html } from "../../../service/Html.ts"
import type { Document } from "../Document.ts"
import { type FieldFaults, faultSummary, field, type Notice, settingsPage } from "./Parts.ts"

export const organizationHref = "/settings/organization"

export const labels = { name: "The name", contact: "The contact", privacy_contact: "The contact for personal data" }

/** As it was typed. */
export interface OrganizationForm {
  readonly name: string
  readonly contact: string
  readonly privacy_contact: string
  readonly faults: FieldFaults
}

export const organizationPage = (
  member: Member,
  { contact, faults, name, privacy_contact }: OrganizationForm,
  notice: Notice | undefined,
): Document =>
  settingsPage(member, {
    title: `${Object.keys(faults).length > 0 ? "Not saved – " : ""}Organization`,
    section: "General",
    notice,
    main: html`<header class="lead"><h1>Organization</h1>
<p class="welcome">What candidates read in mails and on their pages. Its number, for commands, is ${member.organizationId}.</p></header>
${faultSummary(faults, "Nothing was saved.")}
<form method="post" action="${organizationHref}" class="fields" novalidate>
${field({ name: "name", label: "Name", value: name, faults, isRequired: true, hint: "Mails that are sent from now on carry it." })}
${field({ name: "contact", label: "Contact", value: contact, faults, hint: "Whom candidates may ask: an e-mail address, or an address that begins with https. Replies to mails go there when it is an e-mail address." })}
${field({ name: "privacy_contact", label: "Contact for personal data", value: privacy_contact, faults, hint: "Whom candidates may ask what is kept of them: an e-mail address, or an address that begins with https." })}
<p class="actions"><button class="primary">Save</button></p>
</form>`,
  })
