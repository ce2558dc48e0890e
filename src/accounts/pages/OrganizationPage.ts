/** Settings → Organization → General. */
import type { Document } from "../../platform/http/Document.ts"
import {
  choice,
  errorSummary,
  type FieldErrors,
  field,
  hasErrors,
  type Notice,
  selectField,
} from "../../platform/http/FormControls.ts"
import { html } from "../../platform/http/Html.ts"
import { languageNames } from "../../texts/Texts.ts"
import { timeZones } from "../../values/TimeZone.ts"
import type { Member } from "../members/Member.ts"
import { type Outdated, outdatedBox, saveButton } from "./OutdatedForm.ts"
import { settingsPage } from "./WorkspacePage.ts"

export const organizationHref = "/settings/organization"

export const labels = {
  name: "The name",
  contact: "The contact",
  privacy_contact: "The contact for personal data",
  time_zone: "The time zone",
  language: "The language",
}

export interface OrganizationFields {
  readonly name: string
  readonly contact: string
  readonly privacy_contact: string
  readonly time_zone: string
  readonly language: string
  readonly confirms_receipt: boolean
  readonly hides_reviews: boolean
  readonly hides_scores: boolean
  readonly requires_second_factor: boolean
}

export interface OrganizationForm extends OrganizationFields {
  /** That the form was opened with. */
  readonly version: string
  readonly errors: FieldErrors
  readonly outdated?: Outdated
}

export const organizationPage = (
  member: Member,
  {
    confirms_receipt,
    contact,
    errors,
    hides_reviews,
    hides_scores,
    language,
    name,
    outdated,
    privacy_contact,
    requires_second_factor,
    time_zone,
    version,
  }: OrganizationForm,
  notice: Notice | undefined,
): Document =>
  settingsPage(member, {
    title: hasErrors(errors) || outdated !== undefined ? "Not saved – Organization" : "Organization",
    section: "General",
    notice,
    main: html`<header class="lead"><h1>Organization</h1>
<p class="welcome">What candidates see in emails and on their pages. <a href="/settings/appearance">Logo, colour and sender of emails</a></p></header>
${errorSummary(errors, "Nothing was saved.")}
${outdated === undefined ? null : outdatedBox(member, "organization", organizationHref, outdated)}
<form method="post" action="${organizationHref}" class="fields" novalidate>
<input type="hidden" name="version" value="${version}">
${field({ name: "name", label: "Name", value: name, errors, isRequired: true, hint: "Candidates see it in future emails and on their pages." })}
${field({ name: "contact", label: "Contact", value: contact, errors, hint: "Where candidates can ask questions: an email address, which also receives replies to emails, or an https:// link." })}
${field({ name: "privacy_contact", label: "Contact for personal data", value: privacy_contact, errors, hint: "Where candidates can ask about their data: an email address or an https:// link." })}
<div class="side-by-side">${field({ name: "time_zone", label: "Time zone", value: time_zone, errors, isRequired: true, suggestions: timeZones, hint: "Of times in emails and on pages, such as Europe/Berlin." })}
${selectField({ name: "language", label: "Language", value: language, errors, isRequired: true, options: languageNames, hint: "Of new interview sets, and where a set names none." })}</div>
<p class="note"><a href="/settings/recording-consent">What candidates read before they record</a></p>
<fieldset class="picks"><legend>Emails to candidates</legend>
${choice({ name: "confirms_receipt", value: "yes", type: "checkbox", isChosen: confirms_receipt }, "Confirm to candidates that their answers have arrived")}
<p class="note">To those whom this service has invited by email.</p></fieldset>
<fieldset class="picks"><legend>Reviews of candidates</legend>
${choice({ name: "hides_reviews", value: "yes", type: "checkbox", isChosen: hides_reviews }, "Hide other members' reviews until a member has sent their own")}
${choice({ name: "hides_scores", value: "yes", type: "checkbox", isChosen: hides_scores }, "Hide a candidate's score until a member has sent a review, so that it does not sway the review")}</fieldset>
<fieldset class="picks"><legend>Sign-in of members</legend>
${choice({ name: "requires_second_factor", value: "yes", type: "checkbox", isChosen: requires_second_factor }, "Require a second factor from members who sign in with a password")}
<p class="note">Members without one set it up when they next open a page. <a href="/settings/members">See who has one</a></p></fieldset>
<details class="small"><summary>For the operator's commands</summary><p class="note">The number of this organization is <code>${member.organizationId}</code>.</p></details>
<p class="actions save-row">${saveButton(outdated, "Save")}</p>
</form>`,
  })
