/** Settings → Organization → General. */

import type { Document } from "../../platform/http/Document.ts"
import { html } from "../../platform/http/Html.ts"
import type { Member } from "../Member.ts"
import { type FieldErrors, faultSummary, field, type Notice, settingsPage } from "./SettingsParts.ts"

export const organizationHref = "/settings/organization"

export const labels = { name: "The name", contact: "The contact", privacy_contact: "The contact for personal data" }

/** As it was typed. */
export interface OrganizationForm {
  readonly name: string
  readonly contact: string
  readonly privacy_contact: string
  readonly faults: FieldErrors
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
<p class="welcome">What candidates read in mails and on their pages. In commands, this is organization ${member.organizationId}.</p></header>
${faultSummary(faults, "Nothing was saved.")}
<form method="post" action="${organizationHref}" class="fields" novalidate>
${field({ name: "name", label: "Name", value: name, faults, isRequired: true, hint: "Candidates see it in mails that are sent from now on, and on their pages." })}
${field({ name: "contact", label: "Contact", value: contact, faults, hint: "Where candidates can ask questions: an e-mail address, which replies to mails go to as well, or an https:// link." })}
${field({ name: "privacy_contact", label: "Contact for personal data", value: privacy_contact, faults, hint: "Where candidates can ask about their data: an e-mail address or an https:// link." })}
<p class="actions"><button class="primary">Save</button></p>
</form>`,
  })
