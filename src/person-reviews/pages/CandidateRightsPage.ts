/** The form of what candidates see of their result, and of the days to answer them. */
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
} from "../../platform/http/FormControls.ts"
import { html } from "../../platform/http/Html.ts"
import { answerDays, type CandidateRights, type ResultPage, resultPages } from "../CandidateRights.ts"
import { personReviewsHref } from "./PersonReviewListPage.ts"

export const candidateRightsHref = "/settings/candidate-rights"

export const rightsErrorLabels = { person_review_days: "The number of days" }

export interface RightsForm extends Omit<CandidateRights, "person_review_days"> {
  /** As typed. */
  readonly days: string
  /** That the form was opened with. */
  readonly version: string
  readonly errors: FieldErrors
  readonly notice?: Notice | undefined
  readonly outdated?: Outdated
}

const pageNames: Readonly<Record<ResultPage, string>> = {
  off: "No",
  evaluation: "After the evaluation, when the answers can no longer be improved",
  decision: "After the decision to advance or reject",
}

const names: ReadonlyArray<readonly [string, (rights: CandidateRights) => string]> = [
  ["Days to answer", ({ person_review_days }) => String(person_review_days)],
  ["Result page", ({ result_page }) => pageNames[result_page]],
  ["Score on it", ({ result_shows_score }) => (result_shows_score ? "shown" : "not shown")],
]

export const rightsDifferences = (saved: CandidateRights, own: CandidateRights): ReadonlyArray<Difference> =>
  names
    .map(([name, textOf]) => ({ name, saved: textOf(saved), own: textOf(own) }))
    .filter((one) => one.saved !== one.own)

export const candidateRightsPage = (
  member: Member,
  { days, errors, notice, outdated, result_page, result_shows_score, version }: RightsForm,
): Document => {
  const title = "Candidates' rights"
  return settingsPage(member, {
    title: hasErrors(errors) || outdated !== undefined ? `Not saved – ${title}` : title,
    section: title,
    notice,
    main: html`<header class="lead"><h1>${title}</h1>
<p class="welcome">Candidates can ask for a <a href="${personReviewsHref}">review by a person</a> at any time. You choose by when they get an
answer, and what they see of their result.</p></header>
${errorSummary(errors, "Nothing was saved.")}
${outdated === undefined ? null : outdatedBox(member, "form", candidateRightsHref, outdated)}
<form method="post" action="${candidateRightsHref}" class="fields" novalidate>
<input type="hidden" name="version" value="${version}">
${field({ name: "person_review_days", label: "Days to answer a request for a person", value: days, errors, isRequired: true, hint: `${answerDays.least} to ${answerDays.most}. The GDPR gives one month. Open requests keep their deadline.` })}
<fieldset class="picks"><legend>Candidates see their result</legend>
${resultPages.map((page) => choice({ name: "result_page", value: page, isChosen: page === result_page }, pageNames[page]))}
<p class="note">For each requirement: found, partly found or not found, with the candidate's own words, and whether a person has read them. Candidates
can correct a fact, add a remark or ask for a person. Those who submit from now on get an email with the link.</p></fieldset>
<fieldset class="picks"><legend>Score</legend>
${choice({ name: "result_shows_score", value: "yes", type: "checkbox", isChosen: result_shows_score }, "Also show the score out of 10")}</fieldset>
<p class="actions save-row">${saveButton(outdated, "Save")}</p>
</form>`,
  })
}
