/** One interview set: what is asked and required, who sees it, and what can be done with it. */

import { type Member, maySetUp } from "../../accounts/Member.ts"
import { cut, facts } from "../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../platform/http/Document.ts"
import type { Notice } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment, wordIn, written } from "../../platform/http/PageParts.ts"
import { askedOrder, type InterviewSet, questionModeIds, questionTypeOf } from "../InterviewSet.ts"
import type { SetRecord } from "../InterviewSets.ts"
import { draftOf } from "../SetDraft.ts"
import { recordPage } from "./RecordParts.ts"
import { setHref, setsHref, typeNames, weightNames } from "./SetWords.ts"

/** Of a long list the page shows so many; the form has them all. */
const most = 60

/** Characters of a text on this page; the whole of it stands in the preview and in the form. */
const longest = 160

const more = (count: number): Html | null => (count > most ? html`<p class="note">And ${count - most} more.</p>` : null)

const questions = ({ iai_questions: all, id, set_type }: InterviewSet): Html =>
  html`<section><h2>Questions</h2>${
    all.length === 0
      ? set_type === 2
        ? html`<p class="quiet">A CV set asks nothing.</p>`
        : html`<p class="empty">Nothing is asked yet: candidates could not take part. <a href="${setHref(id)}/edit#q0">Add questions</a></p>`
      : html`<ol class="plain-list">${askedOrder(all)
          .slice(0, most)
          .map((question) => {
            const type = questionTypeOf(question.cfg_question_type_id)
            return html`<li><span dir="auto">${cut(question.title?.trim() || question.content?.trim() || "Without a text", longest)}</span>
<span class="quiet">${wordIn(typeNames, type)}${question.options.length > 0 ? `, ${question.options.length} options` : null}${question.cfg_question_mode_id === questionModeIds.pre_screening ? ", pre-screening" : null}</span></li>`
          })}</ol>${more(all.length)}`
  }</section>`

const requirements = (set: InterviewSet): Html => {
  const all = draftOf(set).requirements
  return html`<section><h2>Requirements</h2>${
    all.length === 0
      ? html`<p class="empty">Nothing is required yet, so there will be no scores. <a href="${setHref(set.id)}/edit#r0">Add requirements</a></p>`
      : html`<ol class="plain-list">${all.slice(0, most).map(
          ({
            content,
            importance,
            title,
          }) => html`<li><span dir="auto">${cut(title.trim() || content.trim() || "Without a text", longest)}</span>
<span class="quiet">${wordIn(weightNames, importance)}</span></li>`,
        )}</ol>${more(all.length)}`
  }</section>`
}

const people = ({ com_accesses: all }: InterviewSet): Html =>
  html`<section><h2>Who sees it</h2><p class="quiet">Owners and admins, and the recruiters named here.</p>${
    all.length === 0
      ? null
      : html`<ul class="plain-list">${all.slice(0, most).map(({ email, fullname }) => html`<li><bdi>${cut(fullname?.trim() || email, longest)}</bdi>${fullname?.trim() ? html` <span class="quiet">${email}</span>` : null}</li>`)}</ul>${more(all.length)}`
  }</section>`

export const setPage = (
  member: Member,
  { set, standing }: SetRecord,
  languages: ReadonlyArray<{ readonly id: number; readonly name: string }>,
  notice: Notice | undefined,
): Document => {
  const href = setHref(set.id)
  const archived = standing.archived_at !== null
  const isInterview = set.set_type === 1
  const spoken = set.cfg_lingual_ids.flatMap((id) => languages.find((one) => one.id === id)?.name ?? [])
  return recordPage(member, {
    title: set.title,
    place: "Interview sets",
    back: { href: setsHref, name: "All interview sets" },
    notice,
    main: html`<header class="lead">${set.position?.trim() ? html`<p class="eyebrow" dir="auto">${cut(set.position, 200)}</p>` : null}
<h1 dir="auto">${cut(set.title, 300)}</h1>
<p class="about">${archived ? html`<span class="tag off">Archived</span> ` : null}<span class="tag">${isInterview ? "Interview" : "CV set"}</span>
<a href="/invitations?set=${set.id}">Invitations</a> <a href="/submissions?set=${set.id}">Submissions</a></p></header>
<div class="actions">${archived ? null : html`<a class="button primary" href="${href}/invite">Invite candidates</a>`}
${isInterview ? html`<a class="button secondary" href="/i/preview/${set.id}">Preview</a>` : null}
<a class="button secondary" href="${href}/edit">Edit</a>
<a class="button secondary" href="${setsHref}/new?from=${set.id}">Duplicate</a></div>
${facts([
  [
    "Time to answer",
    isInterview ? (set.interview_duration === null ? "No limit" : `${set.interview_duration} minutes`) : null,
  ],
  [
    "Retakes",
    isInterview
      ? set.number_of_retakes === null || set.number_of_retakes === 0
        ? "None"
        : String(set.number_of_retakes)
      : null,
  ],
  ["Languages", isInterview ? spoken.join(", ") || "English (default)" : null],
  [
    "Project",
    standing.project === null
      ? null
      : set.com_project_id !== null && maySetUp(member)
        ? html`<a href="/projects/${set.com_project_id}"><bdi>${standing.project}</bdi></a>`
        : html`<bdi>${standing.project}</bdi>`,
  ],
  ["Created", moment(new Date(standing.created_at), "short")],
  ["Id for the API", html`<code>${set.id}</code>`],
])}
${set.description?.trim() ? html`<section><h2>Description</h2>${written(cut(set.description.trim(), 2000))}</section>` : null}
<div class="columns">${questions(set)}
${requirements(set)}
${people(set)}</div>
<form class="apart" method="post" action="${href}/${archived ? "unarchive" : "archive"}"><p class="note">${
      archived
        ? "Archived sets stay as they are and are left out of lists. Candidates who were invited go on."
        : "An archived set is left out of lists, and a project's invitations do not lead to it any more. Candidates who were invited go on."
    }</p><p><button class="secondary">${archived ? "Use it again" : "Archive the set"}</button></p></form>`,
  })
}
