/** Settings → Organization → Tags. */
import type { Member } from "../../accounts/members/Member.ts"
import { cut, settingsPage } from "../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../platform/http/Document.ts"
import { describedBy, errorSummary, errorText, hasErrors, type Notice } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { countedText } from "../../submissions/pages/SubmissionLabels.ts"
import { tagLimits } from "../../submissions/Tag.ts"
import type { CountedTag } from "../../submissions/TagRepository.ts"
import { cutBytes } from "./SubmissionTable.ts"
import type { TagForm } from "./SubmissionView.ts"
import { taggedHref } from "./TagParts.ts"

export const tagsHref = "/settings/tags"

export const tagHref = (id: string): string => `${tagsHref}/${id}`

/** Of the field for a tag of candidates. */
export const tagLabels = { tag: "The tag" }

export const nameLabels = { name: "The tag" }

const section = "Tags"

/** Bytes of a name in the list: the page with all tags has at most 60 KB. */
const maxName = 80

const candidatesText = (count: number): string => `${countedText(count)} ${count === 1 ? "candidate" : "candidates"}`

const nameHint = `At most ${tagLimits.name} characters, such as “Backend”. Candidates do not see it.`

/** The field for a name, with its button beside it. */
const nameField = ({ errors, tag }: TagForm, label: string, button: Html): Html =>
  html`<div><label for="name">${label}</label>
<div class="in-line"><input type="text" id="name" name="name" value="${tag}" required autocomplete="off" dir="auto"${describedBy("name", errors, nameHint)}>
${button}</div>${errorText("name", errors)}
<p class="note" id="name-hint">${nameHint}</p></div>`

const tagRow = ({ candidates, id, name }: CountedTag): Html =>
  html`<li class="stage-row"><a class="stage-name" href="${tagHref(id)}" dir="auto">${cutBytes(name, maxName)}</a>
<span class="quiet">${candidatesText(candidates)}</span></li>
`

export const tagListPage = (
  member: Member,
  tags: ReadonlyArray<CountedTag>,
  form: TagForm,
  notice: Notice | undefined,
): Document =>
  settingsPage(member, {
    title: hasErrors(form.errors) ? "Not added – Tags" : section,
    section,
    notice,
    main: html`<header class="lead"><h1>Tags</h1>
<p class="welcome">Words by which members mark and find candidates. They are added on a candidate's page or for selected rows of the list, where a new tag can also be typed.</p></header>
${errorSummary(form.errors, "The tag was not added.")}
${tags.length === 0 ? html`<p class="empty">No tags yet.</p>` : html`<ul class="rows stages">${tags.map(tagRow)}</ul>`}
<form method="post" action="${tagsHref}" class="fields spaced" novalidate>
${nameField(form, "New tag", html`<button class="primary">Add tag</button>`)}
</form>`,
  })

const removeText = (candidates: number): string =>
  candidates === 0
    ? "No candidate has this tag."
    : `${candidatesText(candidates)} ${candidates === 1 ? "has" : "have"} this tag, and will no longer have it. This cannot be undone.`

export const tagPage = (member: Member, tag: CountedTag, form: TagForm, notice: Notice | undefined): Document => {
  const { candidates, id, name } = tag
  const seen = html`<input type="hidden" name="seen_name" value="${name}">`
  return settingsPage(member, {
    title: `${hasErrors(form.errors) ? "Not saved – " : ""}${cut(name, 100)}`,
    section,
    back: { href: tagsHref, name: section },
    notice,
    main: html`<header class="lead"><h1 dir="auto">${name}</h1>
<p class="about">${candidatesText(candidates)}${candidates === 0 ? null : html` <a href="${taggedHref(id)}">Show in the list</a>`}</p></header>
${errorSummary(form.errors, "The tag was not renamed.")}
<form method="post" action="${tagHref(id)}" class="fields" novalidate>
${seen}${nameField(form, "Name", html`<button class="primary">Rename tag</button>`)}
</form>
<section class="apart" aria-labelledby="remove"><h2 id="remove">Remove the tag</h2>
<form method="post" action="${tagHref(id)}/remove" class="fields" novalidate>
${seen}<p>${removeText(candidates)} Saved views that filter by it show no candidates.</p>
<p class="actions"><button class="danger">Remove tag</button></p></form></section>`,
  })
}
