/** The page of an interview set: how far its candidates have come, and what they are asked. */
import type { Member } from "../../accounts/members/Member.ts"
import { may } from "../../accounts/Permissions.ts"
import { cut, factList } from "../../accounts/pages/WorkspacePage.ts"
import { askedOrder, type InterviewSet, questionModeIds } from "../../interview-sets/InterviewSet.ts"
import type { OfferedLanguage } from "../../interview-sets/InterviewSetRepository.ts"
import type { SetRecord } from "../../interview-sets/InterviewSets.ts"
import { placeText } from "../../interview-sets/JobLocation.ts"
import { recordPage } from "../../interview-sets/pages/RecordPage.ts"
import { duplicateForm } from "../../interview-sets/pages/SetFormPage.ts"
import {
  answerKind,
  nothingToAsk,
  ruleTexts,
  setHref,
  setsHref,
  unreadLanguages,
  weightNames,
} from "../../interview-sets/pages/SetLabels.ts"
import { nameOf } from "../../interview-sets/QuestionName.ts"
import { draftOf } from "../../interview-sets/SetDraft.ts"
import type { Document } from "../../platform/http/Document.ts"
import type { Notice } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { icon } from "../../platform/http/Icons.ts"
import { day, wordIn, written } from "../../platform/http/PageParts.ts"
import type { FunnelStep } from "../../submissions/Funnel.ts"
import { setHead } from "../../submissions/pages/SetHead.ts"
import { setReferenceLabels } from "../../values/ExternalReference.ts"
import { funnelStrip } from "./HomeCharts.ts"

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

export interface SetOverview {
  /** Of its submissions, up to `mostCounted`. */
  readonly count: number
  readonly funnel: ReadonlyArray<FunnelStep>
  readonly languages: ReadonlyArray<OfferedLanguage>
  readonly notice: Notice | undefined
  /** Of the copy that "Duplicate" makes. */
  readonly copyId: string
}

export const setPage = (
  member: Member,
  { set, standing }: SetRecord,
  { copyId, count, funnel, languages, notice }: SetOverview,
): Document => {
  const href = setHref(set.id)
  const archived = standing.archived_at !== null
  const isInterview = set.set_type === 1
  const isInvited = (funnel[0]?.count ?? 0) > 0
  const spoken = set.cfg_lingual_ids.flatMap((id) => languages.find((one) => one.id === id) ?? [])
  return recordPage(member, {
    title: set.title,
    place: "Interview sets",
    width: "full",
    back: { href: setsHref, name: "All interview sets" },
    notice,
    main: html`${setHead(set, "Overview", {
      count,
      actions: html`${isInterview ? html`<a class="button secondary" href="/i/preview/${set.id}">Preview</a>` : null}
<a class="button secondary" href="${href}/edit">Edit</a>
${duplicateForm(set.id, copyId)}
${archived ? null : html`<a class="button primary" href="${href}/invite">${icon("person-add")}Invite candidates</a>`}`,
      note: archived ? html`<p class="about"><span class="tag off">Archived</span></p>` : null,
    })}
${archived ? null : nothingToAsk(set)}
${archived ? null : unreadLanguages(set.cfg_lingual_ids, languages)}
${isInvited ? funnelStrip(set.id, funnel) : null}
<div class="overview">${factList([
      [
        "Job locations",
        set.job_locations.length === 0
          ? null
          : html`<bdi>${cut(set.job_locations.map((place) => placeText(place)).join("; "), 200)}</bdi>`,
      ],
      ["Role", set.position?.trim() ? html`<bdi>${cut(set.position, 200)}</bdi>` : null],
      ["Kind", isInterview ? "Interview" : "CV set"],
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
          : set.com_project_id !== null && may(member, "readProjects")
            ? html`<a href="/projects/${set.com_project_id}"><bdi>${standing.project}</bdi></a>`
            : html`<bdi>${standing.project}</bdi>`,
      ],
      ["Created", day(standing.created_at)],
      ...setReferenceLabels.map(({ label, of }) => {
        const value = of(set)
        return [label, value === null ? null : html`<bdi>${value}</bdi>`] as const
      }),
    ])}
${set.description?.trim() ? html`<section><h2>Description</h2>${written(cut(set.description.trim(), 2000))}</section>` : null}
<div class="columns">${questions(
      set,
      spoken.map(({ tag }) => tag),
    )}
${requirements(set)}
${people(set)}</div>
<p class="id-line"><span class="quiet">ID in the API</span> <code id="set-id">${set.id}</code> <button type="button" class="link" data-copy="set-id" hidden>Copy<span class="unseen"> the ID</span></button></p>
<form class="apart" method="post" action="${href}/${archived ? "unarchive" : "archive"}"><p class="note">${
      archived
        ? "Archived sets are hidden from lists. Invited candidates can continue."
        : "Archiving hides the set from lists, and a project's invitations no longer use it. Invited candidates can continue."
    }</p><p><button class="secondary">${archived ? "Unarchive the set" : "Archive the set"}</button></p></form>
${may(member, "managePrivacy") ? html`<p class="note"><a href="/interview-sets/${set.id}/hold">Place a legal hold…</a> keeps the data of all candidates of this set from being deleted or erased.</p>` : null}</div>`,
  })
}
