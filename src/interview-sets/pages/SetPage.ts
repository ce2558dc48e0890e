import { type Member, maySetUp } from "../../accounts/members/Member.ts"
import { cut, factList } from "../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../platform/http/Document.ts"
import type { Notice } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment, wordIn, written } from "../../platform/http/PageParts.ts"
import type { Page } from "../../values/Cursor.ts"
import { setReferenceLabels } from "../../values/ExternalReference.ts"
import { askedOrder, type InterviewSet, questionModeIds } from "../InterviewSet.ts"
import type { SetLine, SpokenLanguage } from "../InterviewSetRepository.ts"
import type { SetRecord, SetSearch } from "../InterviewSets.ts"
import { nameOf } from "../QuestionName.ts"
import { draftOf } from "../SetDraft.ts"
import type { DraftLine } from "../SetDraftRepository.ts"
import { listPager, recordPage } from "./RecordPage.ts"
import { duplicateForm } from "./SetFormPage.ts"
import {
  answerKind,
  boardHref,
  draftHref,
  draftsHref,
  nothingToAsk,
  ruleTexts,
  setHref,
  setsHref,
  submissionsHref,
  weightNames,
} from "./SetLabels.ts"
import { templatesHref } from "./SetTemplatesPage.ts"

const counted = (number: number, one: string): string => `${number} ${one}${number === 1 ? "" : "s"}`

const draftList = (drafts: ReadonlyArray<DraftLine>): Html | null =>
  drafts.length === 0
    ? null
    : html`<section class="drafts" aria-labelledby="drafts"><h2 id="drafts">Continue your draft${drafts.length === 1 ? "" : "s"}</h2>
<ul>${drafts.map(({ id, saved_at, set_title, title }) => {
        const name = cut(title.trim() || "Untitled interview set", 120)
        return html`<li><span><a href="${draftHref(id)}" dir="auto">${name}</a> <span class="quiet">${set_title === null ? "new set" : title.trim() === set_title ? "changes" : html`changes of <bdi>${cut(set_title, 120)}</bdi>`}, saved ${moment(saved_at, "short")}</span></span>
<form method="post" action="${draftsHref}/delete"><input type="hidden" name="id" value="${id}"><button class="link">Delete<span class="unseen"> the draft ${name}</span></button></form></li>
`
      })}</ul></section>`

interface ListState {
  /** The rows open the invite of their sets. */
  readonly isForInvite: boolean
  /** The member's. */
  readonly drafts: ReadonlyArray<DraftLine>
  readonly isFirst: boolean
  readonly notice: Notice | undefined
}

const setRow = (set: SetLine, at: number, isForInvite: boolean, archived: boolean): Html => {
  const href = setHref(set.id)
  const about = [set.role, set.project].filter(Boolean).join(" · ")
  return html`<li><a class="row" href="${href}${isForInvite ? "/invite" : ""}"><span><span class="row-name" id="s${at}" dir="auto">${cut(set.title, 120)}</span>${set.set_type === 2 ? html` <span class="tag">CV set</span>` : null}
${about === "" ? null : html`<span class="row-text small"><bdi>${cut(about, 120)}</bdi></span>`}</span>
<span class="row-text small">${set.set_type === 2 ? null : html`${counted(set.questions, "question")}, `}${counted(set.requirements, "requirement")}</span></a>${
    isForInvite || archived
      ? null
      : html`<span class="row-links"><a href="${href}/invite" aria-describedby="s${at}">Invite</a> <a href="${boardHref(set.id)}" aria-describedby="s${at}">Board</a></span>`
  }</li>
`
}

export const setListPage = (
  member: Member,
  { text, archived }: SetSearch,
  { next_cursor, results }: Page<SetLine>,
  { drafts, isFirst, isForInvite, notice }: ListState,
): Document => {
  const query = [
    ...(isForInvite ? [["for", "invite"] as const] : []),
    ...(text === "" ? [] : [["q", text] as const]),
    ...(archived ? [["state", "archived"] as const] : []),
  ]
  const empty = () => {
    if (!isFirst) return html`No older sets.`
    if (text !== "") {
      return html`No ${archived ? "archived" : "active"} set matches your search. <a href="${setsHref}${archived ? "?state=archived" : ""}">Show all</a>`
    }
    if (archived) return html`No archived sets.`
    return member.role === "recruiter"
      ? html`No sets are shared with you yet. <a href="${templatesHref}">Start from a template</a>, or ask a colleague to add your address to a set.`
      : html`No interview sets yet. <a href="${templatesHref}">Start from a template</a>, or let your hiring system create sets through <a href="/docs">the API</a>.`
  }
  const header = isForInvite
    ? html`<header class="lead"><h1>Invite candidates: choose an interview set</h1>
<p class="welcome">On the next page, you enter the candidates or upload a list of them.</p></header>`
    : html`<header class="lead with-action"><div><h1>Interview sets</h1>
<p class="welcome">What candidates are asked, and what their answers are rated against. <a href="/message-templates">Message templates</a></p></div>
<p class="actions"><a class="button secondary" href="${templatesHref}">Start from a template</a>
<a class="button primary" href="${setsHref}/new">New interview set</a></p></header>`
  return recordPage(member, {
    title: "Interview sets",
    place: "Interview sets",
    notice,
    main: html`${header}
${draftList(drafts)}
<form class="narrow" action="${setsHref}" role="search">${isForInvite ? html`<input type="hidden" name="for" value="invite">` : null}<label class="grow"><span class="unseen">Search by title or role</span>
<input type="search" name="q" value="${text}" placeholder="Title or role"></label>
<label><span class="unseen">State</span><select name="state"><option value="">Active</option><option value="archived"${archived ? html` selected` : null}>Archived</option></select></label>
<button class="secondary">Search</button></form>
${
  results.length === 0
    ? html`<p class="empty">${empty()}</p>`
    : html`<ul class="rows set-rows">${results.map((set, at) => setRow(set, at, isForInvite, archived))}</ul>`
}
${listPager(setsHref, query, isFirst, next_cursor)}`,
  })
}

/** Items shown. */
const maxItems = 60

/** Characters shown. */
const maxLength = 160

const more = (count: number): Html | null =>
  count > maxItems ? html`<p class="note">And ${count - maxItems} more.</p>` : null

/** `languages`: BCP 47, in the set's order. */
const questions = ({ iai_questions: all, id, set_type }: InterviewSet, languages: ReadonlyArray<string>): Html =>
  html`<section><h2>Questions</h2>${
    all.length === 0
      ? set_type === 2
        ? html`<p class="quiet">A CV set has no questions.</p>`
        : html`<p class="empty">No questions yet: candidates cannot take part. <a href="${setHref(id)}/edit#q0">Add questions</a></p>`
      : html`<ol class="plain-list">${askedOrder(all)
          .slice(0, maxItems)
          .map(
            (question) =>
              html`<li><span dir="auto">${nameOf(question, maxLength) || "Untitled"}</span>
<span class="quiet">${question.cfg_question_mode_id === questionModeIds.pre_screening ? "Pre-screening · " : null}${answerKind(question, languages)}${ruleTexts(question, languages)}</span></li>`,
          )}</ol>${more(all.length)}`
  }</section>`

const requirements = (set: InterviewSet): Html => {
  const all = draftOf(set).requirements
  return html`<section><h2>Requirements</h2>${
    all.length === 0
      ? html`<p class="empty">No requirements yet, so there are no scores. <a href="${setHref(set.id)}/edit#r0">Add requirements</a></p>`
      : html`<ol class="plain-list">${all.slice(0, maxItems).map(
          ({
            content,
            importance,
            title,
          }) => html`<li><span dir="auto">${nameOf({ content, title }, maxLength) || "Untitled"}</span>
<span class="quiet">${wordIn(weightNames, importance)}</span></li>`,
        )}</ol>${more(all.length)}`
  }</section>`
}

const people = ({ com_accesses: all }: InterviewSet): Html =>
  html`<section><h2>Who sees it</h2><p class="quiet">Owners and admins, and the recruiters named here.</p>${
    all.length === 0
      ? null
      : html`<ul class="plain-list">${all.slice(0, maxItems).map(({ email, fullname }) => html`<li><bdi>${cut(fullname?.trim() || email, maxLength)}</bdi>${fullname?.trim() ? html` <span class="quiet">${email}</span>` : null}</li>`)}</ul>${more(all.length)}`
  }</section>`

export const setPage = (
  member: Member,
  { set, standing }: SetRecord,
  languages: ReadonlyArray<SpokenLanguage>,
  notice: Notice | undefined,
  copyId: string,
): Document => {
  const href = setHref(set.id)
  const archived = standing.archived_at !== null
  const isInterview = set.set_type === 1
  const spoken = set.cfg_lingual_ids.flatMap((id) => languages.find((one) => one.id === id) ?? [])
  return recordPage(member, {
    title: set.title,
    place: "Interview sets",
    back: { href: setsHref, name: "All interview sets" },
    notice,
    main: html`<header class="lead with-action"><div>${set.position?.trim() ? html`<p class="eyebrow" dir="auto">${cut(set.position, 200)}</p>` : null}
<h1 dir="auto">${cut(set.title, 300)}</h1>
<p class="about">${archived ? html`<span class="tag off">Archived</span> ` : null}<span class="tag">${isInterview ? "Interview" : "CV set"}</span></p></div>
<div class="actions">${isInterview ? html`<a class="button secondary" href="/i/preview/${set.id}">Preview</a>` : null}
<a class="button secondary" href="${href}/edit">Edit</a>
${duplicateForm(set.id, copyId)}
${archived ? null : html`<a class="button primary" href="${href}/invite">Invite candidates</a>`}</div></header>
<nav class="tabs" aria-label="Interview set"><a href="${href}" aria-current="page">Overview</a>
<a href="${submissionsHref(set.id)}">Submissions</a> <a href="${boardHref(set.id)}">Board</a>${isInterview ? html` <a href="${href}/email-subjects">Email subjects</a>` : null}</nav>
${archived ? null : nothingToAsk(set)}
${factList([
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
  ["Languages", isInterview ? spoken.map(({ name }) => name).join(", ") || "English (default)" : null],
  [
    "Project",
    standing.project === null
      ? null
      : set.com_project_id !== null && maySetUp(member)
        ? html`<a href="/projects/${set.com_project_id}"><bdi>${standing.project}</bdi></a>`
        : html`<bdi>${standing.project}</bdi>`,
  ],
  ["Created", moment(new Date(standing.created_at), "short")],
  ...setReferenceLabels.map(({ label, of }) => {
    const value = of(set)
    return [label, value === null ? null : html`<bdi>${value}</bdi>`] as const
  }),
  [
    "ID in the API",
    html`<code id="set-id">${set.id}</code> <button type="button" class="link" data-copy="set-id" hidden>Copy<span class="unseen"> the ID</span></button>`,
  ],
])}
${set.description?.trim() ? html`<section><h2>Description</h2>${written(cut(set.description.trim(), 2000))}</section>` : null}
<div class="columns">${questions(
      set,
      spoken.map(({ tag }) => tag),
    )}
${requirements(set)}
${people(set)}</div>
<form class="apart" method="post" action="${href}/${archived ? "unarchive" : "archive"}"><p class="note">${
      archived
        ? "Archived sets are hidden from lists. Invited candidates can continue."
        : "Archiving hides the set from lists, and a project's invitations no longer use it. Invited candidates can continue."
    }</p><p><button class="secondary">${archived ? "Unarchive the set" : "Archive the set"}</button></p></form>`,
  })
}
