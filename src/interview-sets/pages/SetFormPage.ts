import type { Member } from "../../accounts/Member.ts"
import type { Document } from "../../platform/http/Document.ts"
import {
  compactField,
  compactSelect,
  errorSummary,
  type FieldErrors,
  type Notice,
} from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { isChoice, maxRows, type Part, parts, type SetDraft } from "../SetDraft.ts"
import { recordPage } from "./RecordPage.ts"
import { kindNames, modeNames, setHref, setsHref, typeNames, weightNames } from "./SetLabels.ts"

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
  /** A candidate has started. */
  readonly rated: boolean
  readonly projects: ReadonlyArray<readonly [id: string, name: string]>
  readonly languages: ReadonlyArray<{ readonly id: number; readonly name: string }>
  readonly notice?: Notice | undefined
}

/** They send the whole form and return to the row. */
const rowButtons = (action: string, letter: string, at: number, count: number, what: string): Html => {
  const button = (step: string, sign: string, name: string, to: number) =>
    html`<button class="step" name="do" value="${letter}.${at}.${step}" formaction="${action}#${letter}${to}" formnovalidate aria-label="${name} ${what} ${at + 1}" title="${name}">${sign}</button>`
  return html`<span class="steps">${at > 0 ? button("up", "↑", "Move up", at - 1) : null}${at < count - 1 ? button("down", "↓", "Move down", at + 1) : null}${button("remove", "✕", "Remove", Math.max(0, at - 1))}</span>`
}

const about = ({ draft, errors, languages, projects, rated, used }: SetForm): Html => {
  const known = new Set(languages.map(({ id }) => String(id)))
  // languages that this page does not offer stay
  const others = draft.languages.filter((id) => !known.has(id))
  return html`<fieldset class="part"><legend><h2>The interview</h2></legend><input type="hidden" name="part" value="about">
${compactField({ name: "title", label: "Title", value: draft.title, errors, isRequired: true, hint: "Candidates see it as the interview's name." })}
${compactField({ name: "position", label: "Role that you hire for", value: draft.position, errors })}
${used ? html`<input type="hidden" name="set_type" value="${draft.set_type}">` : compactSelect({ name: "set_type", label: "Kind", value: draft.set_type, errors, choices: kindNames })}
${compactField({ name: "description", label: "Description", value: draft.description, errors, area: true, hint: "Candidates read it before they start." })}
${
  rated
    ? null
    : html`<div class="beside">${compactField({ name: "interview_duration", label: "Minutes to answer", value: draft.interview_duration, errors, isNumber: true, hint: "Empty: no time limit." })}
${compactField({ name: "number_of_retakes", label: "Retakes", value: draft.number_of_retakes, errors, isNumber: true, hint: "How often candidates can change submitted answers. Empty: never." })}</div>
${compactSelect({ name: "language", label: "Language of the candidate's pages", value: draft.language, errors, choices: [["", "English (default)"], ...languages.map(({ id, name }) => [String(id), name] as const), ...(known.has(draft.language) || draft.language === "" ? [] : [[draft.language, `Language ${draft.language}`] as const])] })}
<details${draft.languages.length > 0 ? html` open` : null}><summary>Also available in</summary><div class="many">${languages.map(
        ({ id, name }) =>
          html`<label class="pick"><input type="checkbox" name="languages" value="${id}"${draft.languages.includes(String(id)) ? html` checked` : null}><span>${name}</span></label>`,
      )}</div></details>${others.map((id) => html`<input type="hidden" name="languages" value="${id}">`)}`
}
<div class="beside">${compactSelect({ name: "project_id", label: "Project", value: draft.project_id, errors, choices: [["", "None"], ...projects, ...(draft.project_id === "" || projects.some(([id]) => id === draft.project_id) ? [] : [[draft.project_id, "Current project"] as const])] })}
${compactField({ name: "priority", label: "Priority", value: draft.priority, errors, isNumber: true, hint: "A number that your hiring system can sort by." })}</div></fieldset>`
}

const adding = (form: SetForm, letter: "q" | "r" | "a", count: number, max: number, text: string): Html =>
  count < max
    ? html`<p><button class="secondary" name="do" value="${letter}.add" formaction="${form.action}#${letter}${count}" formnovalidate>${text}</button></p>`
    : html`<p class="note">A form can have at most ${max}.</p>`

const questions = (form: SetForm): Html => {
  const { draft, errors } = form
  const all = draft.questions
  return html`<fieldset class="part"><legend><h2>Questions</h2></legend><input type="hidden" name="part" value="questions">
<p class="note">Asked in this order, pre-screening first. Empty ones are not saved.</p>
<ol class="entries">${all.map((question, i) => {
    const name = (field: string) => `q.${i}.${field}`
    const isFaulty = errors[name("hint")] !== undefined || errors[name("details")] !== undefined
    return html`<li class="entry" id="q${i}"><div class="entry-head"><h3>Question ${i + 1}</h3>${rowButtons(form.action, "q", i, all.length, "question")}</div>
<input type="hidden" name="${name("id")}" value="${question.id}">
${compactField({ name: name("title"), label: "Question", value: question.title, errors })}
${compactField({ name: name("content"), label: "More about it (optional)", value: question.content, errors, area: true })}
<div class="beside">${compactSelect({ name: name("type"), label: "Answer type", value: question.type, errors, choices: typeNames })}
${compactSelect({ name: name("mode"), label: "Stage", value: question.mode, errors, choices: modeNames })}</div>
<details class="options"${isChoice(question) || question.options !== "" ? html` open` : null}><summary>Options to choose from</summary>${compactField({ name: name("options"), label: "One per line. Text after a bar (|) is a note below the option.", value: question.options, errors, area: true })}</details>
<details${question.hint !== "" || question.details !== "" || isFaulty ? html` open` : null}><summary>Help for candidates</summary>
${compactField({ name: name("hint"), label: "Hint", value: question.hint, errors })}
${compactField({ name: name("details"), label: "Background, collapsed at first", value: question.details, errors, area: true })}</details></li>`
  })}</ol>
${adding(form, "q", all.length, maxRows.questions, "Add a question")}</fieldset>`
}

const requirements = (form: SetForm): Html => {
  const { draft, errors } = form
  const all = draft.requirements
  return html`<fieldset class="part"><legend><h2>Requirements</h2></legend><input type="hidden" name="part" value="requirements">
<p class="note">What answers and CVs are rated against. Candidates do not see them.</p>
<ol class="entries">${all.map((requirement, i) => {
    const name = (field: string) => `r.${i}.${field}`
    return html`<li class="entry" id="r${i}"><div class="entry-head"><h3>Requirement ${i + 1}</h3>${rowButtons(form.action, "r", i, all.length, "requirement")}</div>
<input type="hidden" name="${name("id")}" value="${requirement.id}">
${compactField({ name: name("title"), label: "Requirement", value: requirement.title, errors })}
${compactSelect({ name: name("importance"), label: "Weight", value: requirement.importance, errors, choices: weightNames })}
<details${requirement.content + requirement.hint + requirement.skills === "" ? null : html` open`}><summary>More</summary>
${compactField({ name: name("content"), label: "More about it (optional)", value: requirement.content, errors, area: true })}
${compactField({ name: name("hint"), label: "Note for the evaluation", value: requirement.hint, errors })}
${compactField({ name: name("skills"), label: "Skill IDs, separated by commas", value: requirement.skills, errors })}</details></li>`
  })}</ol>
${adding(form, "r", all.length, maxRows.requirements, "Add a requirement")}</fieldset>`
}

const people = (form: SetForm, member: Member): Html => {
  const { draft, errors } = form
  const all = draft.people
  return html`<fieldset class="part"><legend><h2>Who sees it</h2></legend><input type="hidden" name="part" value="people">
<p class="note">Recruiters listed here see this set and its candidates; owners and admins always do.${member.role === "recruiter" ? " You are added automatically." : ""}</p>
<ul class="entries">${all.map((person, i) => {
    const name = (field: string) => `a.${i}.${field}`
    return html`<li class="entry" id="a${i}"><div class="entry-head"><h3>Recruiter ${i + 1}</h3>${rowButtons(form.action, "a", i, all.length, "recruiter")}</div>
<div class="beside">${compactField({ name: name("email"), label: "Email address", type: "email", value: person.email, errors })}
${compactField({ name: name("fullname"), label: "Name", value: person.fullname, errors })}</div>
${
  person.firstname + person.lastname === ""
    ? null
    : html`<div class="beside">${compactField({ name: name("firstname"), label: "First name", value: person.firstname, errors })}
${compactField({ name: name("lastname"), label: "Last name", value: person.lastname, errors })}</div>`
}</li>`
  })}</ul>
${adding(form, "a", all.length, maxRows.people, "Add a recruiter")}</fieldset>`
}

const aside = ({ id, parts: shown, rated, used }: SetForm): Html | null => {
  if (id === undefined) return null
  if (rated) {
    return html`<p class="info">A candidate has started this interview, or sent a CV: questions, requirements, time, retakes and languages can no longer change, so that all
candidates are asked and rated alike. To change them, <a href="${setsHref}/new?from=${id}">duplicate the set</a> and invite to the copy.</p>`
  }
  if (shown.length < parts.length) {
    return html`<p class="info">This set is too long for one form. Edit it part by part: ${parts.map(
      (part) =>
        html`<a href="${setHref(id)}/edit?part=${part}"${shown.includes(part) ? html` aria-current="true"` : null}>${partNames[part]}</a> `,
    )}</p>`
  }
  return used
    ? html`<p class="info">Candidates were invited and none has started: they get what you save here. Emails that were already sent do not change.</p>`
    : null
}

const partNames: Readonly<Record<Part, string>> = {
  about: "The interview",
  questions: "Questions",
  requirements: "Requirements",
  people: "Who sees it",
}

export const setFormPage = (member: Member, form: SetForm): Document => {
  const { action, errors, hidden, id, notice, parts: shown, rated } = form
  const title = id === undefined ? "New interview set" : "Edit the interview set"
  const isFaulty = Object.keys(errors).length > 0
  const holds = (part: Part) => shown.includes(part)
  return recordPage(member, {
    title: `${isFaulty ? "Not saved – " : ""}${title}`,
    place: "Interview sets",
    back:
      id === undefined
        ? { href: setsHref, name: "All interview sets" }
        : { href: setHref(id), name: "The interview set" },
    notice,
    main: html`<header class="lead"><h1>${title}</h1></header>
${aside(form)}
${errorSummary(errors, "The set was not saved.")}
<form method="post" action="${action}" class="set-form" novalidate>
<button class="unseen" name="do" value="save" tabindex="-1" aria-hidden="true">Save</button>
${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${holds("about") ? about(form) : null}
${holds("questions") && !rated ? questions(form) : null}
${holds("requirements") && !rated ? requirements(form) : null}
${holds("people") ? people(form, member) : null}
<p class="actions"><button class="primary large" name="do" value="save">${id === undefined ? "Create the set" : "Save the changes"}</button>
<a class="button secondary large" href="${id === undefined ? setsHref : setHref(id)}">Cancel</a></p>
</form>`,
  })
}
