/** The form of the voluntary questions that candidates get after their interview. */
import type { Member } from "../../accounts/members/Member.ts"
import { type Difference, type Outdated, outdatedBox, saveButton } from "../../accounts/pages/OutdatedForm.ts"
import { settingsPage } from "../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../platform/http/Document.ts"
import {
  choice,
  errorSummary,
  type FieldErrors,
  field,
  hasErrors,
  type Notice,
  textarea,
} from "../../platform/http/FormControls.ts"
import { html } from "../../platform/http/Html.ts"
import {
  type SelfIdentificationForm,
  type SelfIdentificationList,
  selfIdentificationLimits,
  selfIdentificationLists,
} from "../SelfIdentification.ts"

export const impactRatiosHref = "/settings/impact-ratios"

export const voluntaryQuestionsHref = `${impactRatiosHref}/questions`

export const questionErrorLabels = {
  text: "The text",
  own_question: "The question",
  own_categories: "The list of answers",
}

export interface QuestionForm extends SelfIdentificationForm {
  /** That the form was opened with. */
  readonly version: string
  readonly errors: FieldErrors
  readonly notice?: Notice | undefined
  readonly outdated?: Outdated
}

const listNames: Readonly<Record<SelfIdentificationList, string>> = {
  sex: "Sex: female, male, another",
  ethnicity: "Race or ethnicity: the seven categories of EEO-1",
  own: "A question of your own, with the answers below",
}

const names: ReadonlyArray<readonly [string, (form: SelfIdentificationForm) => string]> = [
  ["Questions", ({ asks }) => asks.map((list) => listNames[list]).join("\n")],
  ["Text", ({ text }) => text],
  ["Your question", ({ own_question }) => own_question],
  ["Answers", ({ own_categories }) => own_categories.join("\n")],
]

export const questionDifferences = (
  saved: SelfIdentificationForm,
  own: SelfIdentificationForm,
): ReadonlyArray<Difference> =>
  names
    .map(([name, textOf]) => ({ name, saved: textOf(saved), own: textOf(own) }))
    .filter((one) => one.saved !== one.own)

export const voluntaryQuestionPage = (
  member: Member,
  { asks, errors, notice, outdated, own_categories, own_question, text, version }: QuestionForm,
): Document => {
  const title = "Voluntary questions"
  const limits = selfIdentificationLimits
  return settingsPage(member, {
    title: hasErrors(errors) || outdated !== undefined ? `Not saved – ${title}` : title,
    section: "Impact ratios",
    back: { href: impactRatiosHref, name: "Impact ratios" },

    notice,
    main: html`<header class="lead"><h1>${title}</h1>
<p class="welcome">Candidates are asked after they have submitted their interview, on a page of its own. They may skip each question, and
withdraw their answers at any time. Members see only the counts in impact ratios, never a candidate's answer.</p></header>
${errorSummary(errors, "Nothing was saved.")}
${outdated === undefined ? null : outdatedBox(member, "form", voluntaryQuestionsHref, outdated)}
<form method="post" action="${voluntaryQuestionsHref}" class="fields" novalidate>
<input type="hidden" name="version" value="${version}">
<fieldset class="picks"><legend>Ask about</legend>
${selfIdentificationLists.map((list) => choice({ name: "asks", value: list, type: "checkbox", isChosen: asks.includes(list) }, listNames[list]))}
<p class="note">None: candidates are not asked. Answers that were given stay until their candidates withdraw them, or are erased.</p></fieldset>
${textarea({ name: "text", label: "Text above the questions", value: text, errors, hint: `In your words, for example where the statistics are published; at most ${limits.text} characters. The service's own text, in the candidate's language, says that answers are voluntary, are not seen by those who decide, and may be withdrawn.` })}
${field({ name: "own_question", label: "Your own question", value: own_question, errors, hint: "Such as “Are you a veteran?”. Candidates read it as it is here, in all languages." })}
${textarea({ name: "own_categories", label: "Its answers", value: own_categories.join("\n"), errors, hint: `One a line, 2 to ${limits.ownCategories}. “I prefer not to say” is added. A removed answer stays in reports while candidates have it.` })}
<p class="actions save-row">${saveButton(outdated, "Save")}</p>
</form>`,
  })
}
