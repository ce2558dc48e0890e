import type { Member } from "../../accounts/members/Member.ts"
import {
  type Difference,
  differenceList,
  type Outdated,
  outdatedBox,
  saveButton,
} from "../../accounts/pages/OutdatedForm.ts"
import type { Document } from "../../platform/http/Document.ts"
import {
  compactField,
  compactSelect,
  errorBox,
  errorSummary,
  type FieldErrors,
  type Notice,
} from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment, wordIn } from "../../platform/http/PageParts.ts"
import type { OfferedLanguage } from "../InterviewSetRepository.ts"
import { nameOf } from "../QuestionName.ts"
import { type About, type AccessDraft, maxRows, type Part, parts, type SetDraft } from "../SetDraft.ts"
import { labelOf } from "../SetFields.ts"
import type { Step } from "../SetSteps.ts"
import { recordPage } from "./RecordPage.ts"
import { addButtons, questionCards, requirementCards, rowButtons, rowInput, stepText } from "./SetCards.ts"
import {
  draftHref,
  draftsHref,
  kindNames,
  setHref,
  setsHref,
  trialsHref,
  typeNames,
  unreadLanguages,
  weightNames,
} from "./SetLabels.ts"
import { templatesHref } from "./SetTemplatesPage.ts"

/** The stored draft of the form (SetDrafts.ts). */
export interface DraftState {
  /** How often it was saved when the form was rendered; 0: there is none. */
  readonly changes: number
  /** When the draft that the form shows was saved. */
  readonly savedAt?: Date | undefined
  /** The draft was saved in another window: what differs, and its number. Without differences, it was deleted. */
  readonly conflict?: { readonly changes: number; readonly differences: ReadonlyArray<Difference> } | undefined
}

export interface SetForm {
  readonly draft: SetDraft
  readonly errors: FieldErrors
  readonly action: string
  /** Undefined: a new set. */
  readonly id: string | undefined
  readonly hidden: ReadonlyArray<readonly [name: string, value: string]>
  readonly parts: ReadonlyArray<Part>
  /** A candidate was invited. */
  readonly used: boolean
  /** Questions and requirements can no longer change. */
  readonly isFixed: boolean
  /** Those of a set that is fixed, which the page shows beside the form. */
  readonly fixed: Pick<SetDraft, "questions" | "requirements"> | undefined
  readonly projects: ReadonlyArray<readonly [id: string, name: string]>
  readonly languages: ReadonlyArray<OfferedLanguage>
  /** Suggested for "Who sees it". */
  readonly recruiters: ReadonlyArray<{ readonly email: string; readonly name: string | null }>
  readonly notice?: Notice | undefined
  readonly step: Step | undefined
  /** The form is too long for the controls of closed cards. */
  readonly isFolded: boolean
  /** Nothing was typed or filled in yet: the page offers templates. */
  readonly isStart: boolean
  /** The form has changes that are not saved. */
  readonly isDraft: boolean
  /** Of the set when the form was opened; empty for a new set. */
  readonly version: string
  readonly outdated: Outdated | undefined
  readonly stored: DraftState
  /** What was typed and can no longer be saved. */
  readonly unsaved: ReadonlyArray<Difference>
  readonly copyId: string
}

const offeredName = ({ isRead, name }: SetForm["languages"][number]): string => (isRead ? name : `${name} – no scores`)

const about = ({ draft, errors, languages, projects, isFixed, used }: SetForm): Html => {
  const input = (name: keyof About) => ({ name, label: labelOf(name), value: draft[name], errors })
  const known = new Set(languages.map(({ id }) => String(id)))
  // languages that this page does not offer stay
  const others = draft.languages.filter((id) => !known.has(id))
  return html`<fieldset class="part"><legend><h2>The interview</h2></legend><input type="hidden" name="part" value="about">
${compactField({ ...input("title"), isRequired: true, hint: "Candidates see it as the interview's name." })}
${compactField(input("position"))}
${used ? html`<input type="hidden" name="set_type" value="${draft.set_type}">` : compactSelect({ ...input("set_type"), choices: kindNames })}
${compactField({ ...input("description"), area: true, hint: "Candidates read it before they start." })}
${compactField({ ...input("job_locations"), area: true, rows: 2, hint: "One per line: city, code of the region, country, such as New York, NY, US. A country alone is enough. It decides which candidates' notices are given." })}
${
  isFixed
    ? null
    : html`<div class="beside">${compactField({ ...input("interview_duration"), isNumber: true, hint: "For all questions together. Empty: no limit." })}
${compactField({ ...input("number_of_retakes"), isNumber: true, hint: "How often candidates can change submitted answers. Empty: none." })}</div>
${compactSelect({ ...input("language"), label: "Language of the candidate's pages", choices: [["", "English (default)"], ...languages.map((one) => [String(one.id), offeredName(one)] as const), ...(known.has(draft.language) || draft.language === "" ? [] : [[draft.language, `Language ${draft.language}`] as const])] })}
<details${draft.languages.length > 0 ? html` open` : null}><summary>Also available in</summary><div class="many">${languages.map(
        (one) =>
          html`<label class="pick"><input type="checkbox" name="languages" value="${one.id}"${draft.languages.includes(String(one.id)) ? html` checked` : null}><span>${offeredName(one)}</span></label>`,
      )}</div></details>${unreadLanguages([draft.language, ...draft.languages].map(Number), languages)}${others.map((id) => html`<input type="hidden" name="languages" value="${id}">`)}`
}
<div class="beside">${compactSelect({ ...input("project_id"), choices: [["", "None"], ...projects, ...(draft.project_id === "" || projects.some(([id]) => id === draft.project_id) ? [] : [[draft.project_id, "Current project"] as const])] })}
${compactField({ ...input("priority"), isNumber: true, hint: "A number that your hiring system can sort by. Empty: none." })}</div></fieldset>`
}

const people = (form: SetForm, member: Member): Html => {
  const { draft, errors, recruiters, step } = form
  const all = draft.people
  const stepTo = step?.rowKind === "a" ? step.to : undefined
  return html`<fieldset class="part" id="people"><legend><h2>Who sees it</h2></legend><input type="hidden" name="part" value="people">
<p class="note">Recruiters listed here see this set and its candidates; owners and admins always do.${member.role === "recruiter" ? " You are added automatically." : ""}</p>
<ul class="entries">${all.map((person, i) => {
    const input = (field: keyof AccessDraft) => rowInput("a", i, person, field, errors)
    return html`<li class="entry" id="a${i}"><div class="entry-head"><h3${stepTo === i && step?.name !== "add" ? html` tabindex="-1" autofocus` : null}>Recruiter ${i + 1}</h3>${rowButtons("a", i, all.length)}</div>
<div class="beside">${compactField({ ...input("email"), type: "email", suggestions: "recruiters", isFocused: stepTo === i && step?.name === "add" })}
${compactField(input("fullname"))}</div>
${
  person.firstname + person.lastname === ""
    ? null
    : html`<div class="beside">${compactField(input("firstname"))}
${compactField(input("lastname"))}</div>`
}</li>`
  })}</ul>
<datalist id="recruiters">${recruiters.map(({ email, name }) => html`<option value="${email}">${name}</option>`)}</datalist>
${addButtons(form, "a", all.length, maxRows.people, "Add a recruiter")}</fieldset>`
}

/** One click makes a copy; `copyId` is its id, so that a form sent twice makes one. */
export const duplicateForm = (id: string, copyId: string, label = "Duplicate"): Html =>
  html`<form method="post" action="${setHref(id)}/duplicate" class="inline"><input type="hidden" name="id" value="${copyId}"><button class="secondary">${label}</button></form>`

const aside = ({ draft, id, parts: shown, isFixed, isStart, used }: SetForm): Html | null => {
  if (id === undefined) {
    const project = draft.project_id === "" ? "" : `?project=${encodeURIComponent(draft.project_id)}`
    return isStart
      ? html`<p class="info">Faster: <a href="${templatesHref}${project}">start from a template</a> for a role, and change it.</p>`
      : null
  }
  if (isFixed) {
    return html`<div class="info"><p>A candidate has started this interview or sent a CV. Questions, requirements, time, retakes and languages can no longer be changed, so that all
candidates are asked and rated in the same way. To change them, duplicate the set and invite candidates to the copy.</p></div>`
  }
  if (shown.length < parts.length) {
    return html`<p class="info">This set is too long for one form, so it is edited part by part. Changes of the other parts are kept in your draft. ${parts.map(
      (part) =>
        html`<button class="link" form="set" name="do" value="part.${part}"${shown.includes(part) ? html` aria-current="true"` : null}>${partNames[part]}</button> `,
    )}</p>`
  }
  return used
    ? html`<p class="info">Candidates have been invited and none has started: they will see what you save here. Emails that were already sent do not change. Once
a candidate starts or sends a CV, questions, requirements, time, retakes and languages are fixed.</p>`
    : null
}

const partNames: Readonly<Record<Part, string>> = {
  about: "The interview",
  questions: "Questions",
  requirements: "Requirements",
  people: "Who sees it",
}

const discardForm = (id: string): Html =>
  html`<form method="post" action="${draftsHref}/delete" class="inline"><input type="hidden" name="id" value="${id}"><button class="secondary">Delete the draft</button></form>`

/** Says that the form shows a draft, or that the draft was saved in another window. */
const draftBox = ({ stored }: SetForm, setId: string): Html | null => {
  const { conflict, savedAt } = stored
  if (conflict !== undefined) {
    return html`${errorBox(html`<strong>Draft not saved: you changed it in another window or on another device.</strong> The form still has everything that you typed.`)}
${
  conflict.differences.length === 0
    ? html`<p class="info">The other draft was deleted.</p>`
    : html`<section class="outdated" aria-labelledby="other-draft"><h2 id="other-draft">The saved draft and what is here</h2>
${differenceList(conflict.differences)}
<p class="note"><a href="${draftHref(setId)}" target="_blank">Open the saved draft<span class="unseen"> in a new tab</span></a></p></section>`
}`
  }
  return savedAt === undefined
    ? null
    : html`<div class="info"><p>This is your draft, saved ${moment(savedAt, "short")}. Only you can see it until you save the set.</p>${discardForm(setId)}</div>`
}

/** Scripts save drafts while the member types, and show what another window saved. */
const draftConflict = html`<div class="alert" role="alert" data-draft-conflict hidden><p><strong>You changed this draft in another window or on another device.</strong> What you typed is still here.</p>
<dl class="differences"></dl>
<p class="actions"><button type="button" class="secondary" data-keep>Keep what is here</button> <button type="button" class="secondary" data-take>Open the other draft</button></p></div>`

/** Scripts count the cards again when one is added or removed. */
const jumps = ({ draft: { questions, requirements } }: SetForm): Html =>
  html`<nav class="jumps" aria-label="Parts of the form"><a href="#questions">Questions <span class="total" data-count="q">${questions.length}</span></a> <a href="#requirements">Requirements <span class="total" data-count="r">${requirements.length}</span></a> <a href="#people">Who sees it</a></nav>
`

/** What can no longer be changed. */
const fixedPart = ({ copyId, fixed, id }: SetForm): Html | null =>
  fixed === undefined || id === undefined
    ? null
    : html`<aside class="beside-form fixed-part" aria-label="Fixed"><h2>Questions <span class="total">${fixed.questions.length}</span></h2>
<ol class="plain-list">${fixed.questions.map((row) => html`<li><span dir="auto">${nameOf(row)}</span> <span class="quiet">${wordIn(typeNames, row.type)}</span></li>\n`)}</ol>
<h2>Requirements <span class="total">${fixed.requirements.length}</span></h2>
<ol class="plain-list">${fixed.requirements.map((row) => html`<li><span dir="auto">${nameOf(row)}</span> <span class="quiet">${wordIn(weightNames, row.importance).split(",")[0]}</span></li>\n`)}</ol>
<div class="actions">${duplicateForm(id, copyId, "Duplicate to change")} <a class="button secondary" href="${trialsHref(id)}">What would change?</a></div>
<p class="note">Before you change requirements or their importance, see how the scores of this set’s candidates would move.</p></aside>`

/** Scripts show the candidate's page of the question that is edited, where there is space beside the form. */
const preview = html`<aside data-question-preview hidden><h2>Preview</h2>
<p class="note" data-preview-note>How candidates will see the question that you are editing.</p></aside>`

export const setFormPage = (member: Member, form: SetForm): Document => {
  const {
    action,
    errors,
    hidden,
    id,
    isDraft,
    isFixed,
    notice,
    outdated,
    parts: shown,
    stored,
    unsaved,
    version,
  } = form
  const setId = id ?? new Map(hidden).get("id") ?? ""
  const title = id === undefined ? "New interview set" : "Edit interview set"
  const isFaulty = Object.keys(errors).length > 0 || outdated !== undefined || stored.conflict !== undefined
  const holds = (part: Part) => shown.includes(part)
  const hasQuestions = holds("questions") && !isFixed
  const fields = [
    ...hidden,
    ["changes", String(stored.changes)],
    ...(id === undefined
      ? []
      : [
          ["version", version],
          ["set", id],
        ]),
  ]
  const page = recordPage(member, {
    title: `${isFaulty ? "Not saved – " : ""}${title}`,
    place: "Interview sets",
    width: "full",
    back:
      id === undefined ? { href: setsHref, name: "All interview sets" } : { href: setHref(id), name: "Interview set" },
    notice,
    main: html`<header class="lead"><h1>${title}</h1></header>
${aside(form)}
${draftBox(form, setId)}
${unsaved.length === 0 ? null : html`<details open><summary>Your changes that can no longer be saved here</summary>${differenceList(unsaved)}</details>`}
${outdated === undefined ? errorSummary(errors, "The set was not saved.") : outdatedBox(member, "set", `${action}?saved`, outdated)}
<div class="${hasQuestions || form.fixed !== undefined ? "editor" : "editor-plain"}"><form method="post" action="${action}" id="set" class="set-form" data-editor data-draft="${draftsHref}" data-open-draft="${draftHref(setId)}"${isDraft ? html` data-dirty` : null}${stored.savedAt === undefined ? null : html` data-kept`} novalidate>
<button class="unseen" name="do" value="save" tabindex="-1" aria-hidden="true">Save</button>
${fields.map(([name = "", value = ""]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${holds("about") ? about(form) : null}
${hasQuestions ? questionCards(form) : null}
${holds("requirements") && !isFixed ? requirementCards(form) : null}
${holds("people") ? people(form, member) : null}
<p class="unseen" role="status" data-said>${stepText(form)}</p>
<div class="save-bar">${draftConflict}<p class="unsaved" role="status" data-unsaved>${isDraft ? "Unsaved changes" : ""}</p>
<p class="actions">${saveButton(outdated, id === undefined ? "Create set" : "Save changes")}
${
  stored.conflict === undefined
    ? html`<button class="secondary" name="do" value="draft" data-save-draft>Save draft</button>`
    : html`<button class="secondary" name="kept" value="${stored.conflict.changes}">Save as the draft anyway</button>`
}
${hasQuestions ? html`<button class="secondary" formaction="/i/preview/draft" formtarget="_blank" data-preview-button>Preview</button>` : null}
<a class="button secondary" href="${id === undefined ? setsHref : setHref(id)}">Cancel</a></p></div>
</form>${hasQuestions ? html`<div class="beside-form">${holds("requirements") && holds("people") ? jumps(form) : null}${preview}</div>` : fixedPart(form)}</div>`,
  })
  return { ...page, styles: [...(page.styles ?? []), "editor.css"], scripts: [...page.scripts, "editor.js"] }
}
