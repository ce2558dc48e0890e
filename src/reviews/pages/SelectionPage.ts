/** The result of an action on selected submissions, and the pages that confirm a decision, a move, a tag and a resend. */
import type { Member } from "../../accounts/members/Member.ts"
import { countText, cut } from "../../accounts/pages/WorkspacePage.ts"
import { recordPage } from "../../interview-sets/pages/RecordPage.ts"
import { type LetterDecision, type LetterDelay, letterDelays } from "../../invitations/FollowUp.ts"
import type { SharedPreview } from "../../invitations/FollowUps.ts"
import type { MessageTemplate } from "../../invitations/MessageTemplate.ts"
import { templatesHref } from "../../invitations/pages/MessageTemplatePage.ts"
import type { Document } from "../../platform/http/Document.ts"
import {
  choice,
  choiceGroup,
  describedBy,
  errorSummary,
  errorText,
  type FieldErrors,
  field,
  select,
  textarea,
} from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { wordIn } from "../../platform/http/PageParts.ts"
import { type Decision, maxDecisionReason } from "../../submissions/Decision.ts"
import type { HiringStage } from "../../submissions/HiringStage.ts"
import {
  decidedNames,
  decisionNames,
  evaluationWarningNames,
  nameOf,
  stageEffects,
  stateOfLine,
} from "../../submissions/pages/SubmissionLabels.ts"
import { isSubmitted } from "../../submissions/Submission.ts"
import type { NamedSubmission } from "../../submissions/Submissions.ts"
import { type TagRef, tagLimits } from "../../submissions/Tag.ts"
import type { AssignableMember } from "../AssignmentRepository.ts"
import { reasonChoice } from "./DecisionSection.ts"
import { sharedPreviews } from "./LetterPage.ts"
import { maxColleagues } from "./ReviewersSection.ts"
import { tagNames, tagSuggestions } from "./TagParts.ts"

/** Maximum number of names in a notice; it shows the number of the others. */
const maxNamed = 10

export const candidatesText = (count: number): string => countText(count, "candidate", "candidates")

const link = (one: NamedSubmission): Html =>
  html`<a href="/submissions/${one.id}" dir="auto">${cut(nameOf(one.candidate), 80)}</a>`

/** Adds the address, which tells candidates with the same name apart. */
const named = (one: NamedSubmission): Html =>
  html`${link(one)}${one.candidate.email === null ? null : html` <span class="quiet">${cut(one.candidate.email, 80)}</span>`}`

export interface Outcome {
  /** A whole sentence; null: nothing was done. */
  readonly done: string | null
  readonly refused: ReadonlyArray<{ readonly submission: NamedSubmission | undefined; readonly reason: string }>
  /** The form that undoes what was done. */
  readonly undo: { readonly id: string; readonly list: string; readonly of: string } | null
  /** The candidates of the decision can be written to. */
  readonly offersLetter: boolean
}

const outcomeForm = (action: string, { id, list, of }: NonNullable<Outcome["undo"]>, name: string): Html =>
  html`<form method="post" action="/submissions/${action}"><input type="hidden" name="id" value="${id}"><input type="hidden" name="list" value="${list}"><input type="hidden" name="of" value="${of}"><button class="link">${name}</button></form>`

export const outcomeNotice = ({ done, offersLetter, refused, undo }: Outcome): Html =>
  html`${
    done === null
      ? null
      : html`<div class="info outcome-notice" role="status"><p>${done}</p>${
          undo === null
            ? null
            : html`${outcomeForm("undo", undo, "Undo")}${offersLetter ? outcomeForm("write", undo, "Write to the candidates…") : null}`
        }</div>`
  }${
    refused.length === 0
      ? null
      : html`<div class="alert" role="alert"><p><strong>Skipped ${candidatesText(refused.length)}:</strong></p><ul>${refused
          .slice(0, maxNamed)
          .map(
            ({ reason, submission }) =>
              html`<li>${submission === undefined ? "A candidate who was deleted or whom you have no access to" : link(submission)}: ${reason}</li>`,
          )}${refused.length > maxNamed ? html`<li>and ${refused.length - maxNamed} more</li>` : null}</ul></div>`
  }`

export const errorNotice = (text: string): Html => html`<p class="alert" role="alert">${text}</p>`

export const progressNotice = (text: string): Html => html`<p class="info" role="status">${text}</p>`

interface Question {
  readonly formId: string
  /** The query string of the list to return to. */
  readonly list: string
  /** `id:decision_changes` as the list sent them; empty when all that match the list's search are chosen. */
  readonly selected: ReadonlyArray<string>
  /** Sent back as `confirmed`. */
  readonly version: string
}

const hrefOf = (list: string): string => (list === "" ? "/submissions" : `/submissions?${list}`)

const confirmation = ({ formId, list, selected, version }: Question): Html =>
  html`<input type="hidden" name="id" value="${formId}"><input type="hidden" name="list" value="${list}"><input type="hidden" name="confirmed" value="${version}">
${selected.map((value) => html`<input type="hidden" name="selected" value="${value}">`)}`

export interface DecisionQuestion extends Question {
  /** Undefined: none is chosen yet; null: clear it. */
  readonly decision: Decision | null | undefined
  readonly reason: string
  readonly rejectReasons: ReadonlyArray<string>
  /** Also written to the candidates; undefined: the decision has no emails. */
  readonly letter: LetterChoice | undefined
  readonly errors: FieldErrors
  /** All that match the list's search are chosen. */
  readonly isEvery: boolean
  /** Since the page was shown, other submissions match, or a decision or the warnings of a score have changed. */
  readonly hasChanged: boolean
}

export interface LetterChoice {
  /** For the decision. */
  readonly templates: ReadonlyArray<MessageTemplate>
  /** The chosen one's id, or `suggested`; empty: no email. */
  readonly template: string
  readonly delay: LetterDelay
  readonly previews: ReadonlyArray<SharedPreview>
}

const suggestedOption = ["suggested", "The suggested text, in each candidate's language"] as const

const namesOf = (all: ReadonlyArray<NamedSubmission>): Html =>
  html`${all.slice(0, maxNamed).map((one, i) => html`${i === 0 ? null : ", "}<bdi>${cut(nameOf(one.candidate), 80)}</bdi>`)}${all.length > maxNamed ? ` and ${all.length - maxNamed} more` : null}`

/** The candidates whom no email reaches, as far as their invitations tell. */
const unreachedNote = (submissions: ReadonlyArray<NamedSubmission>): Html | null => {
  const without = submissions.filter(({ candidate }) => candidate.email === null)
  const failed = submissions.filter(
    ({ candidate, invitation }) => candidate.email !== null && invitation?.status === "failed",
  )
  return without.length + failed.length === 0
    ? null
    : html`<p class="alert warm">${without.length === 0 ? null : html`Without an address, gets no email: ${namesOf(without)}.`} ${failed.length === 0 ? null : html`The last email did not arrive: ${namesOf(failed)}.`}</p>`
}

const letterFields = (
  decision: Decision,
  { delay, template, templates }: LetterChoice,
  submissions: ReadonlyArray<NamedSubmission>,
  count: number,
): Html =>
  html`<fieldset class="picks letter-choice"><legend class="unseen">Email</legend>
${select({ name: "template", label: `Email to ${count === 1 ? "the candidate" : "the candidates"}`, value: template, options: [["", "No email"], ...templates.map(({ id, name }) => [id, cut(name, 100)] as const), suggestedOption] })}
<div class="with-letter">${unreachedNote(submissions)}${select({ name: "delay", label: "When to send", value: delay, options: letterDelays })}
<p><button class="secondary" name="preview" value="${decision}">Preview the email</button></p></div></fieldset>`

/** Candidates that the page names; it shows the number of the others. */
const maxListed = 200

const notSubmitted = (one: NamedSubmission): string | null =>
  isSubmitted(one.status_text) ? null : stateOfLine(one).name

const formOfQuestion = "question"

/** How many candidates have not submitted answers, by state, and the way to leave them out where rows were selected. */
const warningOf = (
  { decision, isEvery }: DecisionQuestion,
  submissions: ReadonlyArray<NamedSubmission>,
): Html | null => {
  const states = submissions.flatMap((one) => notSubmitted(one) ?? [])
  if (states.length === 0) return null
  const counts = [...Map.groupBy(states, (state) => state)]
  const left = submissions.length - states.length
  return html`<div class="alert warm narrowing" role="alert"><p><strong>${
    states.length === submissions.length
      ? "None of these candidates has submitted answers."
      : `${candidatesText(states.length)} of ${submissions.length} ${states.length === 1 ? "has" : "have"} not submitted answers.`
  }</strong> ${counts.map(([state, { length }]) => `${state}: ${length}`).join(" · ")}</p>${
    isEvery || left === 0 || decision == null
      ? null
      : html`<button class="secondary" form="${formOfQuestion}" name="submitted" value="${decision}">${left === 1 ? "Only the one who has submitted" : `Only the ${left} who have submitted`}</button>`
  }</div>`
}

/** Codes of the warnings of a score that the member sees and that was not overridden. */
export const shownWarnings = ({ override_score, score, warnings }: NamedSubmission): ReadonlyArray<string> =>
  override_score === null && score !== null ? warnings : []

/** How many scores may be unreliable, and why. */
const unreliable = (submissions: ReadonlyArray<NamedSubmission>): Html | null => {
  const warned = submissions.map(shownWarnings).filter((warnings) => warnings.length > 0)
  if (warned.length === 0) return null
  const counts = [...Map.groupBy(warned.flat(), (code) => wordIn(evaluationWarningNames, code))]
  return html`<div class="alert warm" role="alert"><p><strong>${countText(warned.length, "score", "scores")} of ${submissions.length} may be unreliable: read the answers first.</strong> ${counts.map(([reason, { length }]) => `${reason}: ${length}`).join(" · ")}</p></div>`
}

interface ChosenColumn {
  readonly name: string
  /** Null: the candidate has none. */
  readonly of: (one: NamedSubmission) => Html | string | null
  /** Wider than the others; on phones below the candidate. */
  readonly isSentence?: boolean
}

const decisionColumn: ChosenColumn = {
  name: "Decision",
  of: ({ decision: { decision } }) => (decision === null ? null : decidedNames[decision]),
}

const stageColumn: ChosenColumn = {
  name: "Stage now",
  of: ({ stage }) => (stage === null ? null : html`<bdi>${stage.name}</bdi>`),
}

const tagsColumn: ChosenColumn = {
  name: "Tags now",
  of: ({ tags }) => (tags.length === 0 ? null : html`<bdi>${tags.map(({ name }) => name).join(", ")}</bdi>`),
}

const reviewersColumn: ChosenColumn = {
  name: "Reviewers now",
  of: ({ reviewers }) => (reviewers.length === 0 ? null : html`<bdi>${reviewers.join(", ")}</bdi>`),
}

/** Those without answers first. */
const chosenTable = (
  submissions: ReadonlyArray<NamedSubmission>,
  count: number,
  column: ChosenColumn = decisionColumn,
  { id, title } = { id: "chosen", title: candidatesText(count) },
): Html => {
  const rows = submissions
    .toSorted((a, b) => Number(isSubmitted(a.status_text)) - Number(isSubmitted(b.status_text)))
    .slice(0, maxListed)
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
<table class="chosen-table${column.isSentence ? " with-reasons" : ""}"><thead><tr><th scope="col">Candidate</th><th scope="col">State</th><th scope="col">${column.name}</th></tr></thead>
<tbody>${rows.map((one) => {
    const { kind, name } = stateOfLine(one)
    return html`<tr><th scope="row">${named(one)}</th><td><span class="state ${kind}">${name}</span></td><td>${column.of(one) ?? html`<span class="quiet">–</span>`}</td></tr>\n`
  })}</tbody></table>${count > rows.length ? html`<p class="note">and ${count - rows.length} more</p>` : null}</section>`
}

const buttons = (decision: Decision | null | undefined, count: number): Html => {
  if (decision === undefined)
    return html`${Object.entries(decisionNames).map(([value, name]) => html`<button class="secondary" name="decision" value="${value}">${name}</button>\n`)}<button class="secondary" name="decision" value="clear">Clear decision</button>`
  return decision === null
    ? html`<button class="primary" name="decision" value="clear">Clear ${countText(count, "decision", "decisions")}</button>`
    : html`<button class="${decision === "reject" ? "danger" : "primary"}" name="decision" value="${decision}">${decisionNames[decision]} ${candidatesText(count)}</button>`
}

export const decisionQuestionPage = (
  member: Member,
  question: DecisionQuestion,
  submissions: ReadonlyArray<NamedSubmission>,
): Document => {
  const { decision, errors, hasChanged, isEvery, list, reason, selected } = question
  const count = isEvery ? submissions.length : selected.length
  const title =
    decision === undefined
      ? `Decide about ${candidatesText(count)}`
      : decision === null
        ? `Clear the decision about ${candidatesText(count)}?`
        : `${decisionNames[decision]} ${candidatesText(count)}?`
  const href = hrefOf(list)
  return recordPage(member, {
    title,
    place: "Submissions",
    back: { href, name: "Submissions" },
    main: html`<header class="lead"><h1>${title}</h1><p class="welcome">Candidates are not notified${question.letter === undefined ? "" : ", unless you choose an email"}. Your hiring system is notified if it subscribes to decisions.</p></header>
${errorSummary(errors, "Nothing was decided.")}
${hasChanged ? html`<p class="alert" role="alert">${isEvery ? "The list has changed meanwhile. These are the candidates that match now, and the warnings of their scores." : "The warnings of a score have changed meanwhile."}</p>` : null}
${decision === null ? null : html`${warningOf(question, submissions)}${decision === "hold" ? null : unreliable(submissions)}`}
<div class="columns"><form method="post" action="/submissions/decide" id="${formOfQuestion}" class="fields" novalidate>
${confirmation(question)}${isEvery ? html`<input type="hidden" name="every" value="yes">` : null}
${
  decision === null
    ? null
    : html`${decision === "reject" && reason === "" ? reasonChoice(question.rejectReasons) : null}
${textarea({
  name: "reason",
  label: "Reason",
  value: reason,
  errors,
  hint: `Visible to members and to your hiring system. At most ${maxDecisionReason} characters.`,
})}`
}
${question.letter === undefined || decision == null ? null : letterFields(decision, question.letter, submissions, count)}
<div class="actions">${buttons(decision, count)} <a class="button secondary" href="${href}">Cancel</a></div>
</form>
<div class="chosen-ones">${question.letter === undefined ? null : sharedPreviews(question.letter.previews)}
${chosenTable(submissions, count)}</div></div>`,
  })
}

export interface LetterQuestion extends Question {
  readonly decision: LetterDecision
  /** The form whose decisions the letter is about. */
  readonly of: string
  readonly letter: LetterChoice
  readonly errors: FieldErrors
}

/** Writes to candidates about whom was decided before. */
export const letterQuestionPage = (
  member: Member,
  { decision, errors, formId, letter, list, of, version }: LetterQuestion,
  submissions: ReadonlyArray<NamedSubmission>,
): Document => {
  const count = candidatesText(submissions.length)
  const href = hrefOf(list)
  return recordPage(member, {
    title: `Write to ${count}`,
    place: "Submissions",
    back: { href, name: "Submissions" },
    main: html`<header class="lead"><h1>Write to ${count}</h1><p class="welcome">An email about the decision “${decidedNames[decision]}”. It can be undone until it has left.</p></header>
${errorSummary(errors, "No email was sent.")}
<div class="columns"><div class="chosen-ones">${sharedPreviews(letter.previews)}
${chosenTable(submissions, submissions.length)}</div>
<form method="post" action="/submissions/write" class="fields" novalidate>
<div class="field-and-button">${select({ name: "template", label: "Email", value: letter.template, options: [...letter.templates.map(({ id, name }) => [id, cut(name, 100)] as const), suggestedOption] })}
<button class="secondary" name="preview" value="yes">Show this email</button></div>
<p class="note">${letter.template === "suggested" ? html`To change the text, <a href="${templatesHref}/new?${new URLSearchParams({ kind: decision }).toString()}">create a template</a>.` : html`The text is that of the template. <a href="${templatesHref}/${letter.template}">Edit it</a>`}</p>
${unreachedNote(submissions)}${select({ name: "delay", label: "When to send", value: letter.delay, options: letterDelays })}
${confirmation({ formId, list, selected: [], version })}<input type="hidden" name="of" value="${of}">
<div class="actions"><button class="primary">Send to ${count}</button> <a class="button secondary" href="${href}">Cancel</a></div>
</form></div>`,
  })
}

export interface MoveQuestion extends Question {
  readonly to: string
  readonly errors: FieldErrors
}

export const moveQuestionPage = (
  member: Member,
  question: MoveQuestion,
  stages: ReadonlyArray<HiringStage>,
  submissions: ReadonlyArray<NamedSubmission>,
): Document => {
  const { errors, list, to } = question
  const count = candidatesText(submissions.length)
  const title = `Move ${count} to a stage`
  const href = hrefOf(list)
  return recordPage(member, {
    title,
    place: "Submissions",
    back: { href, name: "Submissions" },
    main: html`<header class="lead"><h1>${title}</h1><p class="welcome">Candidates are not notified. Your hiring system is notified if it subscribes to stages.</p></header>
${errorSummary(errors, "The candidates were not moved.")}
${stages.some(({ decision }) => decision !== null && decision !== "hold") ? unreliable(submissions) : null}
<div class="columns"><form method="post" action="/submissions/move" class="fields" novalidate>
${choiceGroup(
  "to",
  "Stage",
  errors,
  stages.map(({ decision, id, name }) =>
    choice(
      { name: "to", value: id, isChosen: id === to },
      html`<strong><bdi>${name}</bdi></strong>${decision === null ? null : html` <span class="note">${stageEffects[decision]} the candidates</span>`}`,
    ),
  ),
)}
${confirmation(question)}
<div class="actions"><button class="primary">Move ${count}</button> <a class="button secondary" href="${href}">Cancel</a></div>
</form>
<div class="chosen-ones">${chosenTable(submissions, submissions.length, stageColumn)}</div></div>`,
  })
}

export interface TagQuestion extends Question {
  readonly tag: string
  readonly errors: FieldErrors
}

/** `known`: the organization's tags. */
export const tagQuestionPage = (
  member: Member,
  question: TagQuestion,
  known: ReadonlyArray<TagRef>,
  submissions: ReadonlyArray<NamedSubmission>,
): Document => {
  const { errors, list, tag } = question
  const count = candidatesText(submissions.length)
  const title = `Tag ${count}`
  const href = hrefOf(list)
  return recordPage(member, {
    title,
    place: "Submissions",
    back: { href, name: "Submissions" },
    main: html`<header class="lead"><h1>${title}</h1><p class="welcome">Candidates do not see tags.</p></header>
${errorSummary(errors, "Nothing was changed.")}
<div class="columns"><form method="post" action="/submissions/tag" class="fields" novalidate>
${field({ name: "tag", label: "Tag", value: tag, errors, isRequired: true, hint: `An existing one, or a new one of at most ${tagLimits.name} characters.`, list: "tag-names" })}${tagNames(known)}
${tagSuggestions(known)}
${confirmation(question)}
<div class="actions"><button class="primary" name="do" value="add">Add to ${count}</button> <button class="secondary" name="do" value="remove">Remove from ${count}</button> <a class="button secondary" href="${href}">Cancel</a></div>
</form>
<div class="chosen-ones">${chosenTable(submissions, submissions.length, tagsColumn)}</div></div>`,
  })
}

export interface ResendQuestion extends Question {
  /** Why the invitation of a candidate cannot be sent again, by the submission's id. */
  readonly skipped: ReadonlyMap<string, string>
}

/** Candidates whose invitation can be sent again, and below them those who are skipped. */
export const resendQuestionPage = (
  member: Member,
  question: ResendQuestion,
  submissions: ReadonlyArray<NamedSubmission>,
): Document => {
  const { list, skipped } = question
  const [left = [], sent = []] = [true, false].map((isSkipped) =>
    submissions.filter(({ id }) => skipped.has(id) === isSkipped),
  )
  const count = candidatesText(sent.length)
  const isPossible = sent.length > 0
  const title = isPossible ? `Send the invitation to ${count} again?` : "No invitation can be sent again"
  const href = hrefOf(list)
  const reasons: ChosenColumn = { name: "Why", of: ({ id }) => skipped.get(id) ?? null, isSentence: true }
  return recordPage(member, {
    title,
    place: "Submissions",
    back: { href, name: "Submissions" },
    main: html`<header class="lead"><h1>${title}</h1>${isPossible ? html`<p class="welcome">Each candidate gets another email with the same link.</p>` : null}</header>
<div class="columns"><form method="post" action="/submissions/resend" class="fields" novalidate>
${confirmation(question)}
<div class="actions">${isPossible ? html`<button class="primary">Send to ${count}</button> <a class="button secondary" href="${href}">Cancel</a>` : html`<a class="button secondary" href="${href}">Back to the list</a>`}</div>
</form>
<div class="chosen-ones">${isPossible ? chosenTable(sent, sent.length) : null}
${left.length === 0 ? null : chosenTable(left, left.length, reasons, { id: "skipped", title: `Skipped: ${candidatesText(left.length)}` })}</div></div>`,
  })
}

interface AssignQuestion extends Question {
  readonly isEvery: boolean
  readonly hasChanged: boolean
  /** Chosen so far. */
  readonly colleagues: ReadonlyArray<string>
  readonly errors: FieldErrors
}

export const assignQuestionPage = (
  member: Member,
  question: AssignQuestion,
  submissions: ReadonlyArray<NamedSubmission>,
  all: ReadonlyArray<AssignableMember>,
): Document => {
  const { colleagues, errors, hasChanged, isEvery, list } = question
  const count = submissions.length
  const title = `Ask for reviews of ${candidatesText(count)}`
  const href = hrefOf(list)
  return recordPage(member, {
    title,
    place: "Submissions",
    back: { href, name: "Submissions" },
    main: html`<header class="lead"><h1>${title}</h1><p class="welcome">Each chosen colleague gets one email with a link, unless the colleague has turned these emails off.</p></header>
${hasChanged ? html`<p class="alert" role="alert">The list has changed meanwhile. These are the candidates that match now.</p>` : null}
<div class="columns"><form method="post" action="/submissions/assign" class="fields" novalidate>
<fieldset class="picks"${describedBy("member", errors, null)}><legend>Colleagues</legend>
${all
  .slice(0, maxColleagues)
  .toSorted((a, b) => Number(a.id === member.id) - Number(b.id === member.id))
  .map(
    ({ email, id, name, role }) =>
      html`<label class="pick"><input type="checkbox" name="member" value="${id}"${colleagues.includes(id) ? html` checked` : null}> <span><bdi>${name}</bdi>${name === email ? null : html` <span class="note">${email}</span>`}${role === "reviewer" ? html` <span class="tag">Reviewer</span>` : null}</span></label>\n`,
  )}${errorText("member", errors)}</fieldset>
${all.length > maxColleagues ? html`<p class="note">Only the first ${maxColleagues} by name are shown.</p>` : null}
${confirmation(question)}${isEvery ? html`<input type="hidden" name="every" value="yes">` : null}
<div class="actions"><button class="primary">Ask for reviews</button> <a class="button secondary" href="${href}">Cancel</a></div>
</form>
<div class="chosen-ones">${chosenTable(submissions, count, reviewersColumn)}</div></div>`,
  })
}
