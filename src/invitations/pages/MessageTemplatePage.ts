/** The templates of messages: the list, and the form that creates or changes one. */
import type { Member } from "../../accounts/members/Member.ts"
import { type Outdated, outdatedBox, saveButton } from "../../accounts/pages/OutdatedForm.ts"
import { cut, pager } from "../../accounts/pages/WorkspacePage.ts"
import { recordPage } from "../../interview-sets/pages/RecordPage.ts"
import type { Document } from "../../platform/http/Document.ts"
import {
  compactField,
  compactSelect,
  confirmForm,
  errorSummary,
  type FieldErrors,
  hasErrors,
  type Notice,
} from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import { numberText } from "../../texts/Formats.ts"
import { letterTexts } from "../../texts/Letters.ts"
import { fillTokens, type MessageTokens } from "../Invitation.ts"
import {
  type MessageTemplate,
  mayChange,
  type TemplateKind,
  type TemplateText,
  templateKinds,
  templateLimits,
} from "../MessageTemplate.ts"
import { insertButtons } from "./InvitationLabels.ts"
import { samplePreview } from "./SamplePreview.ts"

export const templatesHref = "/message-templates"
export const templateHref = (id: string): string => `${templatesHref}/${encodeURIComponent(id)}`

const place = "Interview sets"

/** A text to begin with, for members without templates. */
export const startingMessage =
  "Hello {{firstname}}, thank you for your application. We would like to hear more about what you have done: please answer our questions by {{deadline}}."

/** Keep the page below 60 KB with the longest names and texts. */
const perPage = 30
const maxShown = 240

/** Shows the templates of page `number`, or of the nearest page. */
export const templateListPage = (
  member: Member,
  templates: ReadonlyArray<MessageTemplate>,
  number: number,
  samples: MessageTokens,
  notice: Notice | undefined,
): Document => {
  const pages = Math.max(1, Math.ceil(templates.length / perPage))
  const shown = Math.min(Math.max(1, number), pages)
  return recordPage(member, {
    title: "Message templates",
    place,
    back: { href: "/interview-sets", name: "Interview sets" },
    notice,
    main: html`<header class="lead with-action"><div><h1>Message templates</h1>
<p class="welcome">Texts for the personal message of invitations, and emails about decisions. Everyone in ${member.organizationName} can use them.</p></div>
<a class="button primary" href="${templatesHref}/new">New template</a></header>
${
  templates.length === 0
    ? html`<p class="quiet">No templates yet. Begin with one of these texts and change it:</p>
<ul class="rows">${templateKinds.map(
        (kind) => html`<li class="suggested"><div class="row"><span class="row-name">${kindNames[kind]}</span>
<span class="row-text two-lines">${fillTokens(kind === "invitation" ? startingMessage : letterTexts.en[kind].text, samples).replaceAll(/\s+/g, " ")}</span></div>
<a class="button secondary" href="${templatesHref}/new?kind=${kind}&amp;language=en">Use<span class="unseen">: ${kindNames[kind]}</span></a></li>
`,
      )}</ul>`
    : html`<ul class="rows">${templates.slice((shown - 1) * perPage, shown * perPage).map(
        (
          one,
        ) => html`<li><a class="row" href="${templateHref(one.id)}"><span class="row-head of-template"><span class="row-name" dir="auto">${one.name}</span>${moment(one.updated_at, "short")}</span>
<span class="row-text two-lines" dir="auto">${cut(fillTokens(one.text, samples).replaceAll(/\s+/g, " "), maxShown)}</span>
<span class="row-text small">${kindNames[one.kind]} · Created by <bdi>${one.author}</bdi></span></a></li>
`,
      )}</ul>${pager(templatesHref, shown, pages)}`
}`,
  })
}

/** The invite draft that a new template was started from; the form returns to it. */
export interface TemplateOrigin {
  readonly set: string
  readonly draft: string
}

export const kindNames: Readonly<Record<TemplateKind, string>> = {
  invitation: "Personal message of invitations",
  advance: "Email to candidates who advance",
  reject: "Email to candidates who are rejected",
}

export interface TemplateForm extends TemplateText {
  readonly id: string
  /** What the words in double braces become in the preview. */
  readonly samples: MessageTokens
  readonly errors: FieldErrors
  readonly notice?: Notice | undefined
}

const kindChoices = templateKinds.map((kind) => [kind, kindNames[kind]] as const)

const fields = ({
  errors,
  kind,
  name,
  subject,
  text,
}: TemplateForm) => html`${compactSelect({ name: "kind", label: "For", value: kind, errors, choices: kindChoices })}
${compactField({ name: "name", label: "Name", value: name, errors, hint: `At most ${templateLimits.name} characters; only members see it.` })}
<div class="template-subject">${compactField({ name: "subject", label: "Subject", value: subject, errors, hint: `At most ${templateLimits.subject} characters.` })}</div>
${compactField({ name: "text", label: "Text", value: text, errors, area: true, hint: `${templateLimits.minText} to ${numberText("en", templateLimits.text)} characters.`, rows: 8 })}
${insertButtons("text")}`

const textPreview = ({ samples, subject, text }: TemplateForm): Html =>
  samplePreview(samples, [
    { field: "subject", label: "Subject", text: subject, empty: "No subject yet", className: "template-subject" },
    { field: "text", label: "Text", text, empty: "No text yet" },
  ])

export const newTemplatePage = (member: Member, form: TemplateForm, origin: TemplateOrigin | undefined): Document => {
  const back =
    origin === undefined
      ? { href: templatesHref, name: "Message templates" }
      : { href: `/interview-sets/${origin.set}/invite/${origin.draft}/edit`, name: "Invite candidates" }
  return recordPage(member, {
    title: `${hasErrors(form.errors) ? "Not created – " : ""}New template`,
    place,
    back,
    notice: form.notice,
    main: html`<header class="lead"><h1>New template</h1></header>
${errorSummary(form.errors, "The template was not created.")}
<div class="with-live template-form"><form method="post" action="${templatesHref}" class="set-form" novalidate><input type="hidden" name="id" value="${form.id}">
${origin === undefined ? null : html`<input type="hidden" name="set" value="${origin.set}"><input type="hidden" name="draft" value="${origin.draft}">`}
<div class="part">${fields(form)}</div>
<p class="actions"><button class="primary">Create template</button>
<a class="button secondary" href="${back.href}">Cancel</a></p></form>
${textPreview(form)}</div>`,
  })
}

export const templatePage = (
  member: Member,
  template: MessageTemplate,
  form: TemplateForm & { readonly version: number; readonly outdated?: Outdated },
): Document => {
  const href = templateHref(template.id)
  const back = { href: templatesHref, name: "Message templates" }
  const created = html`<p class="note">Created by <bdi>${template.author}</bdi>, last changed ${moment(template.updated_at, "short")}.</p>`
  return recordPage(member, {
    title: `${hasErrors(form.errors) || form.outdated !== undefined ? "Not saved – " : ""}${template.name}`,
    place,
    back,
    notice: form.notice,
    main: mayChange(member, template)
      ? html`<header class="lead"><h1 dir="auto">${template.name}</h1>${created}</header>
${form.outdated === undefined ? errorSummary(form.errors, "The template was not saved.") : outdatedBox(member, "template", href, form.outdated)}
<div class="with-live template-form"><form method="post" action="${href}" class="set-form" novalidate><input type="hidden" name="version" value="${form.version}">
<button class="unseen" name="do" value="save" tabindex="-1" aria-hidden="true">Save</button>
<div class="part">${fields(form)}</div>
<p class="actions">${saveButton(form.outdated, "Save template")}
<a class="button secondary" href="${href}/delete">Delete…</a></p></form>
${textPreview(form)}</div>`
      : html`<header class="lead"><h1 dir="auto">${template.name}</h1>${created}</header>
<p>${kindNames[template.kind]}${template.subject === "" ? null : html`: <bdi>${template.subject}</bdi>`}</p>
<div class="written" dir="auto">${template.text}</div>
<p class="note">Only <bdi>${template.author}</bdi>, an owner or an admin can change or delete this template.</p>`,
  })
}

export const deleteTemplatePage = (member: Member, { id, name }: MessageTemplate): Document =>
  recordPage(member, {
    title: "Delete the template?",
    place,
    back: { href: templateHref(id), name: cut(name, 100) },
    main: html`<header class="lead"><h1>Delete the template?</h1>
<p class="welcome"><bdi>${name}</bdi> can no longer be chosen for new invitations. Invitations that were sent keep their text.</p></header>
${confirmForm({ action: `${templateHref(id)}/delete`, label: "Delete template", cancelHref: templateHref(id) })}`,
  })
