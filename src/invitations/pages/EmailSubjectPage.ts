/** The form of the subjects of emails of invitations, with a preview. */
import type { Member } from "../../accounts/members/Member.ts"
import { type Outdated, outdatedBox, saveButton } from "../../accounts/pages/OutdatedForm.ts"
import { settingsPage } from "../../accounts/pages/WorkspacePage.ts"
import { recordPage } from "../../interview-sets/pages/RecordPage.ts"
import { setsHref } from "../../interview-sets/pages/SetLabels.ts"
import type { Document } from "../../platform/http/Document.ts"
import { errorSummary, type FieldErrors, field, hasErrors, type Notice } from "../../platform/http/FormControls.ts"
import { html } from "../../platform/http/Html.ts"
import { type HeadedSet, setHead } from "../../submissions/pages/SetHead.ts"
import { maxSubject, type SavedSubjects } from "../EmailSubject.ts"
import type { SubjectPreview } from "../EmailSubjects.ts"
import { insertButtons } from "./InvitationLabels.ts"
import { samplePreview } from "./SamplePreview.ts"

export const organizationSubjectsHref = "/settings/email-subjects"

export const subjectNames = [
  ["invitation", "Subject of invitations"],
  ["reminder", "Subject of reminders"],
] as const

export const subjectLabels = { invitation: "The subject of invitations", reminder: "The subject of reminders" }

/** `set` undefined: the organization. */
export interface SubjectOwner {
  readonly href: `/${string}`
  /** `count`: of its submissions. */
  readonly set: (HeadedSet & { readonly count: number }) | undefined
}

export interface SubjectForm extends SavedSubjects {
  readonly errors: FieldErrors
  readonly notice?: Notice | undefined
  readonly outdated?: Outdated
}

export const emailSubjectPage = (
  member: Member,
  { href, set }: SubjectOwner,
  form: SubjectForm,
  preview: SubjectPreview | undefined,
): Document => {
  const { errors, notice, outdated, version } = form
  const title = `${hasErrors(errors) || outdated !== undefined ? "Not saved – " : ""}Email subjects`
  const inherited =
    set === undefined
      ? "the service's own subject, in the language of each interview set"
      : "the organization's subject, or the service's own"
  const main = html`${
    set === undefined
      ? html`<header class="lead"><h1>Email subjects</h1>
<p class="welcome">Of emails that invite candidates of <bdi>${member.organizationName}</bdi> and remind them. An interview set can have its own, on its page.</p></header>`
      : html`${setHead(set, "Emails", { count: set.count })}
<section><h2>Email subjects</h2>
<p class="note">Of emails that invite candidates to this interview and remind them. Their texts are written when you invite.</p></section>`
  }
${errorSummary(errors, "Nothing was saved.")}
${outdated === undefined ? null : outdatedBox(member, "form", href, outdated)}
<div class="with-live"><form method="post" action="${href}" class="fields" novalidate>
<input type="hidden" name="version" value="${version}">
<button class="unseen" name="do" value="save" tabindex="-1" aria-hidden="true">Save</button>
${subjectNames.map(
  ([name, label]) => html`${field({
    name,
    label,
    value: form[name],
    errors,
    hint: `At most ${maxSubject} characters. Empty: ${inherited}.`,
  })}
${insertButtons(name)}`,
)}
<p class="actions">${saveButton(outdated, "Save subjects")} <noscript><button class="secondary" name="do" value="preview">Preview</button></noscript></p></form>
${
  preview === undefined
    ? null
    : samplePreview(preview.samples, [
        { field: "invitation", label: "Invitation", text: preview.invitation, empty: preview.inherited.invitation },
        { field: "reminder", label: "Reminder", text: preview.reminder, empty: preview.inherited.reminder },
      ])
}</div>`
  return set === undefined
    ? settingsPage(member, {
        title,
        section: "Appearance",
        back: { href: "/settings/appearance", name: "Appearance" },
        notice,
        main,
      })
    : recordPage(member, {
        title,
        place: "Interview sets",
        width: "full",
        back: { href: setsHref, name: "All interview sets" },
        notice,
        main,
      })
}
