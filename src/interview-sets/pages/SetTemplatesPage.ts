/** The list of starter templates. */
import type { Member } from "../../accounts/members/Member.ts"
import { countText } from "../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../platform/http/Document.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import type { SetTemplate } from "../SetTemplates.ts"
import { recordPage } from "./RecordPage.ts"
import { setsHref } from "./SetLabels.ts"

export const templatesHref = `${setsHref}/templates`

/** The form of a new set, with the values of its query string. */
const newSetHref = (values: Readonly<Record<string, string>>): string => {
  const query = new URLSearchParams(values).toString()
  return query === "" ? `${setsHref}/new` : `${setsHref}/new?${query}`
}

const row = ({ key, set, trade }: SetTemplate, values: Readonly<Record<string, string>>): Html => {
  const { iai_questions: questions, iai_requirements: requirements, title } = set
  return html`<li><a class="row" href="${newSetHref({ ...values, template: key })}">
<span class="row-head"><span class="row-name">${title}</span><span class="tag">${trade}</span></span>
<span class="row-text">${countText(questions?.length ?? 0, "question", "questions")}, rated against: ${requirements?.map((one) => one.title).join("; ")}.</span></a></li>
`
}

export const setTemplatesPage = (
  member: Member,
  templates: ReadonlyArray<SetTemplate>,
  project: string | undefined,
): Document => {
  const values = project === undefined ? {} : { project }
  return recordPage(member, {
    title: "Start from a template",
    place: "Interview sets",
    back: { href: setsHref, name: "All interview sets" },
    main: html`<header class="lead with-action"><div><h1>Start from a template</h1>
<p class="welcome">A template fills the form of a new set with questions and requirements for a role. You can change all of it before you save.</p></div>
<a class="button secondary" href="${newSetHref(values)}">Start empty</a></header>
<ul class="rows">${templates.map((template) => row(template, values))}</ul>`,
  })
}
