/** Settings → Organization → Tags. */
import type { Member } from "../../accounts/members/Member.ts"
import { cut, settingsPage } from "../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../platform/http/Document.ts"
import { errorSummary, field, hasErrors, type Notice } from "../../platform/http/FormControls.ts"
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

const tagField = ({ errors, tag }: TagForm): Html =>
  field({
    name: "name",
    label: "Tag",
    value: tag,
    errors,
    isRequired: true,
    hint: `At most ${tagLimits.name} characters, such as “Backend”. Candidates do not see it.`,
  })

const tagRow = ({ candidates, id, name }: CountedTag): Html =>
  html`<li class="stage-row"><a href="${tagHref(id)}" dir="auto">${cutBytes(name, maxName)}</a>
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
${tags.length === 0 ? html`<p class="empty">No tags yet.</p>` : html`<ul class="rows stages">${tags.map(tagRow)}</ul>`}
<section class="apart" aria-labelledby="add"><h2 id="add">Add a tag</h2>
${errorSummary(form.errors, "The tag was not added.")}
<form method="post" action="${tagsHref}" class="fields" novalidate>
${tagField(form)}
<p class="actions"><button class="primary">Add tag</button></p>
</form></section>`,
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
${seen}${tagField(form)}
<p class="actions"><button class="primary">Rename tag</button></p>
</form>
<section class="apart" aria-labelledby="remove"><h2 id="remove">Remove the tag</h2>
<form method="post" action="${tagHref(id)}/remove" class="fields" novalidate>
${seen}<p>${removeText(candidates)} Saved views that filter by it show no candidates.</p>
<p class="actions"><button class="danger">Remove tag</button></p></form></section>`,
  })
}
