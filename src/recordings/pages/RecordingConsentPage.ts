/** The form of what candidates read before they record, one language at a time. */
import type { Member } from "../../accounts/members/Member.ts"
import { type Outdated, outdatedBox, saveButton } from "../../accounts/pages/OutdatedForm.ts"
import { settingsPage } from "../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../platform/http/Document.ts"
import {
  errorSummary,
  type FieldErrors,
  hasErrors,
  type Notice,
  select,
  textarea,
} from "../../platform/http/FormControls.ts"
import { html } from "../../platform/http/Html.ts"
import { directionOf, type Language, languageNames, textsOf } from "../../texts/Texts.ts"
import { maxConsent, type RecordingConsent } from "../RecordingConsent.ts"

const path = "/settings/recording-consent"

export const consentHref = (language: Language): string => `${path}?language=${language}`

export const consentErrorLabels = { text: "The text" }

export interface ConsentForm {
  readonly language: Language
  readonly text: string
  /** The id of the text that the form was opened with; empty: the service's own. */
  readonly version: string
  readonly errors: FieldErrors
  readonly notice?: Notice | undefined
  readonly outdated?: Outdated
}

const nameOf = (language: Language): string => languageNames.find(([one]) => one === language)?.[1] ?? language

export const consentPage = (
  member: Member,
  own: ReadonlyArray<Pick<RecordingConsent, "language">>,
  { errors, language, notice, outdated, text, version }: ConsentForm,
): Document => {
  const written = new Set(own.map((one) => one.language))
  const title = "What candidates read before they record"
  const byDefault = textsOf(language, "spoken").say("consent", { organization: member.organizationName })
  return settingsPage(member, {
    title: hasErrors(errors) || outdated !== undefined ? `Not saved – ${title}` : title,
    section: "General",
    back: { href: "/settings/organization", name: "Organization" },
    notice,
    main: html`<header class="lead"><h1>${title}</h1>
<p class="welcome">It stands above the first recording of each question. Each recording keeps the text that its candidate saw. When you change it, open pages show the new text before the next recording.</p></header>
${errorSummary(errors, "Nothing was saved.")}
${outdated === undefined ? null : outdatedBox(member, "text", consentHref(language), outdated)}
<form method="get" action="${path}" class="fields with-button">
${select({
  name: "language",
  label: "Language",
  value: language,
  options: languageNames.map(([one, name]) => [one, written.has(one) ? `${name} · own text` : name] as const),
})}
<button class="secondary">Show</button></form>
<form method="post" action="${path}" class="fields" novalidate>
<input type="hidden" name="language" value="${language}"><input type="hidden" name="version" value="${version}">
${textarea({ name: "text", label: `Text in ${nameOf(language)}`, value: text, errors, hint: `Plain text of at most ${maxConsent} characters. Empty: the service's own text.` })}
<p class="note">The service's own text:</p>
<blockquote lang="${language}" dir="${directionOf(language)}">${byDefault}</blockquote>
<p class="actions">${saveButton(outdated, "Save text")}</p></form>`,
  })
}
