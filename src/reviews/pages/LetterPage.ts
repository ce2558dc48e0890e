/** The form of a letter to a candidate about a decision, with its preview; and what the submission's page says of letters. */
import type { Member } from "../../accounts/members/Member.ts"
import { countText } from "../../accounts/pages/WorkspacePage.ts"
import type { RenderedEmail } from "../../emails/EmailRepository.ts"
import { recordPage } from "../../interview-sets/pages/RecordPage.ts"
import { type LetterDecision, type LetterDelay, letterDelays, letterLimits } from "../../invitations/FollowUp.ts"
import type { Letter } from "../../invitations/FollowUpRepository.ts"
import type { SharedPreview } from "../../invitations/FollowUps.ts"
import type { MessageTemplate } from "../../invitations/MessageTemplate.ts"
import { insertButtons } from "../../invitations/pages/InvitationLabels.ts"
import type { Document } from "../../platform/http/Document.ts"
import {
  errorSummary,
  type FieldErrors,
  field,
  hasErrors,
  type Notice,
  select,
  textarea,
} from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import { decidedNames } from "../../submissions/pages/SubmissionLabels.ts"
import type { SubmissionDetail } from "../../submissions/SubmissionDetail.ts"
import { type Language, languageNames } from "../../texts/Texts.ts"
import { formHref, type SubmissionView, submissionHref } from "./SubmissionView.ts"

export const letterHref = <Id extends string>(id: Id) => `/submissions/${id}/letter` as const

export interface LetterForm {
  readonly subject: string
  readonly text: string
  readonly delay: LetterDelay
  /** The id of the template that the texts come from; empty: none. */
  readonly template: string
  readonly errors: FieldErrors
  /** For this decision. */
  readonly templates: ReadonlyArray<MessageTemplate>
  /** The query string of the list that the member came from. */
  readonly list: string | undefined
}

export interface LetterPreview extends RenderedEmail {
  /** Null: the candidate has none. */
  readonly recipient: string | null
}

interface About {
  readonly detail: SubmissionDetail
  readonly decision: LetterDecision
  /** Of the candidate's pages and emails. */
  readonly language: Language
}

const nameOf = (language: Language): string => languageNames.find(([one]) => one === language)?.[1] ?? language

const templateChoice = (
  { list, template, templates }: LetterForm,
  href: string,
  { decision, language }: Pick<About, "decision" | "language">,
): Html =>
  templates.length === 0
    ? html`<p class="note">There are no templates for this decision yet. The text is a suggestion in the candidate's language, <span lang="${language}">${nameOf(language)}</span>. Change it here, or <a href="/message-templates/new?${new URLSearchParams({ kind: decision, language }).toString()}">create a template from it</a>.</p>`
    : html`<form action="${href}" class="inline-form">${list === undefined ? null : html`<input type="hidden" name="list" value="${list}">`}
${select({ name: "template", label: "Template", value: template, options: templates.map(({ id, name }) => [id, name.slice(0, 100)] as const) })}
<button class="secondary">Use this template</button></form>`

export const letterPreview = (
  { recipient, subject, text }: LetterPreview,
  { id = "preview", title = "Preview" }: { readonly id?: string; readonly title?: string } = {},
): Html =>
  html`<section aria-labelledby="${id}"><h2 id="${id}" class="section">${title}</h2>
<dl class="headers"><div><dt>To</dt><dd><bdi>${recipient ?? "The candidate has no email address"}</bdi></dd></div>
<div><dt>Subject</dt><dd><bdi>${subject}</bdi></dd></div></dl>
<div class="letter written" dir="auto">${text}</div></section>`

export const letterPage = (
  member: Member,
  { decision, detail, language }: About,
  form: LetterForm,
  { notice, preview }: { readonly notice?: Notice; readonly preview?: LetterPreview },
): Document => {
  const { delay, errors, list, subject, template, text } = form
  const query = list === undefined ? "" : `?${new URLSearchParams({ list })}`
  const href = letterHref(detail.id)
  const name = detail.candidate.name ?? detail.candidate.email ?? "the candidate"
  return recordPage(member, {
    title: `${hasErrors(errors) ? "Not sent – " : ""}Write to ${name}`,
    place: "Submissions",
    back: { href: submissionHref(detail.id, { list }), name },
    notice,
    main: html`<header class="lead"><h1>Write to <bdi>${name}</bdi></h1>
<p class="welcome">An email about the decision “${decidedNames[decision]}”. It can be undone until it has left.</p></header>
${errorSummary(errors, "The email was not sent.")}
${templateChoice(form, href, { decision, language })}
<div class="columns"><form method="post" action="${href}${query}" class="fields" novalidate>
<input type="hidden" name="decision" value="${decision}"><input type="hidden" name="template" value="${template}">
${field({ name: "subject", label: "Subject", value: subject, errors, isRequired: true, hint: `At most ${letterLimits.subject} characters.` })}
${textarea({ name: "text", label: "Text", value: text, errors, isRequired: true, hint: "The whole email, with its greeting." })}
${insertButtons("text", true)}
${select({ name: "delay", label: "When to send", value: delay, options: letterDelays })}
<p class="actions"><button class="primary" name="do" value="send">Send</button> <button class="secondary" name="do" value="preview">Preview</button>
<a class="button secondary" href="${submissionHref(detail.id, { list })}">Cancel</a></p></form>
${preview === undefined ? null : letterPreview(preview)}</div>`,
  })
}

/** One for each language that the candidates have, with their number. */
export const sharedPreviews = (previews: ReadonlyArray<SharedPreview>): Html | null =>
  previews.length === 0
    ? null
    : html`<div class="previews">${previews.map((one, index) => {
        const title =
          previews.length < 2
            ? "Preview"
            : `${nameOf(one.language)}: ${countText(one.count, "candidate", "candidates")}`
        return letterPreview(one, { id: index === 0 ? "preview" : `preview-${index + 1}`, title })
      })}</div>`

const letterLine = (view: SubmissionView, letter: Letter): Html => {
  const subject = html`“<bdi>${letter.subject ?? ""}</bdi>”`
  switch (letter.state) {
    case "queued":
      return html`<li>${
        letter.is_claimed || letter.due_at === null
          ? html`The email ${subject} is being sent.`
          : html`The email ${subject} leaves ${moment(new Date(letter.due_at), "short")}.
<form method="post" action="${formHref(view, "letter/undo")}"><input type="hidden" name="letter" value="${letter.id}"><button class="link">Undo<span class="unseen"> the email</span></button></form>`
      }</li>`
    case "sent":
      return html`<li>The email ${subject} was sent${letter.sent_at === null ? null : html`, ${moment(new Date(letter.sent_at), "short")}`}.</li>`
    case "failed":
      return html`<li>The email ${subject} could not be sent${letter.error === null ? null : html`: <bdi>${letter.error.slice(0, 200)}</bdi>`}.</li>`
    default:
      return html`<li class="quiet">The email ${subject} was withdrawn before it left.</li>`
  }
}

/** Null while a letter is waiting, and without a decision that has letters. */
export const letterLink = (view: SubmissionView): Html | null => {
  const { decision } = view.detail.decision
  const isWaiting = view.letters.some(({ state }) => state === "queued")
  const canWrite = !view.facts.is_erased && !isWaiting && (decision === "advance" || decision === "reject")
  return canWrite ? html`<p class="write"><a href="${formHref(view, "letter")}">Write to the candidate</a></p>` : null
}

/** Letters about decisions. A withdrawn one is shown until a later decision or letter. */
export const letterList = (view: SubmissionView): Html | null => {
  const { decided_at, decision } = view.detail.decision
  const isOver = ({ created_at }: Letter) =>
    decision !== null && decided_at !== null && Date.parse(created_at) < Date.parse(decided_at)
  const shown = view.letters.filter((one, index) => one.state !== "cancelled" || (index === 0 && !isOver(one)))
  return shown.length === 0 ? null : html`<ul class="letters">${shown.map((letter) => letterLine(view, letter))}</ul>`
}
