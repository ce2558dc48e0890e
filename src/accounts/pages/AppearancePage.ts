/** Settings → Organization → Appearance. */
import { accentLink, type Document } from "../../platform/http/Document.ts"
import {
  choice,
  describedBy,
  errorSummary,
  errorText,
  type FieldErrors,
  field,
  hasErrors,
  type Notice,
  optional,
  textarea,
} from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { picture } from "../../platform/http/PageParts.ts"
import { contrastOnPages, readColour } from "../../values/Colour.ts"
import { type Appearance, appearanceLimits, logoOf, ratioText } from "../Appearance.ts"
import type { Member } from "../members/Member.ts"
import { livePreview } from "./LivePreview.ts"
import { type Outdated, outdatedBox, saveButton } from "./OutdatedForm.ts"
import { settingsPage } from "./WorkspacePage.ts"

export const appearanceHref = "/settings/appearance"

/** They show the form as it is typed (interviews/AppearancePreviewPages.ts). */
export const emailPreviewHref = `${appearanceHref}/preview/email`
export const firstPagePreviewHref = `${appearanceHref}/preview/page`

export const appearanceLabels = {
  file: "The logo",
  colour: "The colour",
  welcome: "The welcome",
  sender_name: "The sender's name",
  reply_to: "The address for replies",
}

export interface AppearanceForm {
  readonly colour: string
  readonly welcome: string
  readonly sender_name: string
  readonly reply_to: string
  readonly removesLogo: boolean
  /** That the form was opened with. */
  readonly version: string
  readonly errors: FieldErrors
  readonly outdated?: Outdated
  /** A file was chosen, which the refused form cannot keep. */
  readonly lostFile?: boolean
}

const savedLogo = (member: Member, saved: Appearance, removesLogo: boolean): Html | null => {
  const logo = logoOf(saved)
  return logo === undefined
    ? null
    : html`<div class="sample"><p class="label">Saved logo</p>${picture(member.organizationName, logo)}
${choice({ name: "remove_logo", value: "yes", type: "checkbox", isChosen: removesLogo }, "Remove the logo")}</div>`
}

const savedColour = ({ colour }: Appearance): Html | null =>
  colour === null
    ? null
    : html`${accentLink(colour)}<div class="sample branded"><p class="label">Saved colour</p>
<p><span class="swatch"><span class="mark" aria-hidden="true">A</span> Aa</span> <code>${colour}</code>, with a contrast of ${ratioText(contrastOnPages(colour))}:1</p></div>`

export const appearancePage = (
  member: Member,
  saved: Appearance,
  form: AppearanceForm,
  notice: Notice | undefined,
): Document => {
  const { colour, errors, lostFile = false, outdated, removesLogo, reply_to, sender_name, version, welcome } = form
  const { logoBytes, logoPixels, welcome: maxWelcome } = appearanceLimits
  const fileHint = `PNG, JPEG or WebP, at most ${logoBytes / 1_000} KB and ${logoPixels} × ${logoPixels} pixels. Candidates see it instead of the name at the top of their pages and emails.`
  return settingsPage(member, {
    title: hasErrors(errors) || outdated !== undefined ? "Not saved – Appearance" : "Appearance",
    section: "Appearance",
    notice,
    width: "full",
    main: html`<header class="lead"><h1>Appearance</h1>
<p class="welcome">How candidates see <bdi>${member.organizationName}</bdi> on their pages and in emails.</p></header>
${errorSummary(errors, lostFile ? "Nothing was saved. Choose the logo again." : "Nothing was saved.")}
${outdated === undefined ? null : outdatedBox(member, "appearance", appearanceHref, outdated)}
${outdated !== undefined && lostFile ? html`<p class="info">Choose the logo again: a file does not stay in a form that was not saved.</p>` : null}
<div class="with-live"><form method="post" action="${appearanceHref}" id="appearance-form" class="fields" enctype="multipart/form-data" novalidate>
<input type="hidden" name="version" value="${version}">
${savedLogo(member, saved, removesLogo)}
<p><label for="file">${saved.logo === null ? "Logo" : "New logo"}${optional}</label>
<input type="file" id="file" name="file" accept=".png,.jpg,.jpeg,.webp"${describedBy("file", errors, fileHint)}><span class="note" id="file-hint">${fileHint}</span>${errorText("file", errors)}</p>
${savedColour(saved)}
<div class="colour-field">${field({ name: "colour", label: "Colour", value: colour, errors, isMono: true, hint: "Of buttons and links, such as #0b6b5d. Text in it must be readable on a white page; on dark pages it is lightened." })}
<input type="color" class="colour-input" data-fills="colour" aria-label="Choose from a palette" value="${readColour(colour) ?? "#0b6b5d"}" hidden></div>
${textarea({ name: "welcome", label: "Welcome", value: welcome, errors, hint: `Plain text on the first page of each interview, at most ${maxWelcome.toLocaleString("en")} characters.` })}
<h2 class="form-part">Emails</h2>
${field({ name: "sender_name", label: "Sender's name", value: sender_name, errors, hint: `Of emails to candidates, at most ${appearanceLimits.senderName} characters. Without one, it is the organization's name, or the one that your operator has set.` })}
${field({ name: "reply_to", label: "Address for replies", value: reply_to, errors, type: "email", hint: "Receives replies to emails to candidates. Without one, it is the contact, if that is an email address." })}
<p class="note"><a href="/settings/email-subjects">Subjects of invitations and reminders</a></p>
<p class="actions save-row">${saveButton(outdated, "Save")}</p>
</form>
${livePreview({
  form: "appearance-form",
  views: [
    { name: "Preview email", href: emailPreviewHref },
    { name: "Preview first page", href: firstPagePreviewHref },
  ],
})}</div>`,
  })
}
