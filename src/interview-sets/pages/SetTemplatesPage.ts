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

/** Requirements that a card lists. */
const shown = 3

/** The link of the title covers the card. */
const card = ({ key, set, trade }: SetTemplate, values: Readonly<Record<string, string>>): Html => {
  const { iai_questions: questions, iai_requirements: requirements = [], title } = set
  const more = (requirements?.length ?? 0) - shown
  const counts = [
    countText(questions?.length ?? 0, "question", "questions"),
    countText(requirements?.length ?? 0, "requirement", "requirements"),
  ]
  return html`<li class="system template"><div><h2><a href="${newSetHref({ ...values, template: key })}">${title}</a></h2>
<p class="about"><span class="tag">${trade}</span> <span class="quiet">${counts.join(" · ")}</span></p></div>
<ul>${requirements?.slice(0, shown).map((one) => html`<li>${one.title}</li>`)}${more > 0 ? html`<li class="quiet">and ${more} more</li>` : null}</ul>
<p class="use" aria-hidden="true">Use template</p></li>
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
<ul class="systems">${templates.map((template) => card(template, values))}</ul>`,
  })
}
