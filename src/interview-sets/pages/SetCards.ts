/**
 * Questions and requirements in the form of a set: cards that open. In a long form, closed cards are folded: their texts are
 * in hidden fields, and editor.js makes their controls from a template when they open. Without scripts, "Edit" does.
 */
import { endingsOf, fileKinds } from "../../files/UploadedFile.ts"
import {
  choice,
  compactField,
  compactSelect,
  errorText,
  type FieldErrors,
  optional,
} from "../../platform/http/FormControls.ts"
import { type Html, type HtmlValue, html } from "../../platform/http/Html.ts"
import { icon } from "../../platform/http/Icons.ts"
import { wordIn } from "../../platform/http/PageParts.ts"
import { linesOf } from "../OptionLines.ts"
import { nameOf } from "../QuestionName.ts"
import { answerKinds, spokenLimits } from "../QuestionRules.ts"
import {
  emptyQuestion,
  emptyRequirement,
  fieldsOfRow,
  isChoice,
  isSpoken,
  maxRows,
  type QuestionDraft,
  type RequirementDraft,
  type RowKind,
  type SetDraft,
} from "../SetDraft.ts"
import { labelOf } from "../SetFields.ts"
import type { Step } from "../SetSteps.ts"
import { answerNames, fileNames, modeNames, takeNames, typeChoices, typeNames, weightNames } from "./SetLabels.ts"

export interface Cards {
  readonly draft: SetDraft
  readonly errors: FieldErrors
  /** The pressed button, whose row gets the focus. */
  readonly step: Step | undefined
  /** The form is too long for the controls of closed cards. */
  readonly isFolded: boolean
  /** False: rows of other sets cannot be added. */
  readonly hasLibrary?: boolean
}

/** Of a row, from 0; "N" in the templates of scripts. */
type RowNumber = number | "N"

export const rowNames: Readonly<Record<RowKind, string>> = { q: "question", r: "requirement", a: "recruiter" }

/** The row that gets the focus. */
const isFocused = ({ step }: Pick<Cards, "step">, rowKind: RowKind, at: number): boolean =>
  step?.rowKind === rowKind && step.to === at

export const focus = (cards: Pick<Cards, "step">, rowKind: RowKind, at: number): Html | null =>
  isFocused(cards, rowKind, at) ? html` autofocus` : null

const stepButton = (rowKind: RowKind, at: RowNumber, step: string, label: string, shown: HtmlValue, isOff = false) =>
  html`<button class="step" name="do" value="${rowKind}.${at}.${step}" title="${label}" aria-label="${label} ${rowNames[rowKind]} ${at === "N" ? 0 : at + 1}"${isOff ? html` disabled` : null}>${shown}</button>`

/** Buttons that send the whole form as a draft. With JavaScript, editor.js moves the rows without a request. */
export const rowButtons = (rowKind: RowKind, at: RowNumber, count: number): Html => {
  const button = (step: string, label: string, shown: HtmlValue, isOff = false) =>
    stepButton(rowKind, at, step, label, shown, isOff)
  // editor.js adds questions and requirements, whose buttons are there from the start
  const isAlone = rowKind === "a" && count === 1
  return html`<div class="steps">${isAlone ? null : html`${button("up", "Move up", "↑", at === 0)}${button("down", "Move down", "↓", at === count - 1)}`}${rowKind === "a" ? null : button("copy", "Duplicate", icon("copy"))}${button("remove", "Remove", icon("trash"))}</div>`
}

export const addButtons = (cards: Cards, rowKind: RowKind, count: number, max: number, text: string): Html => {
  const isFirst = count === 0 && cards.step?.rowKind === rowKind
  return html`<p class="actions"><button class="secondary" name="do" value="${rowKind}.add" data-max="${max}"${isFirst ? html` autofocus` : null}${count < max ? null : html` disabled`}>${text}</button>${
    rowKind === "a" || cards.hasLibrary === false
      ? null
      : html` <button class="secondary" name="do" value="${rowKind}.library"${count < max ? null : html` disabled`}>Add from another set</button>`
  }</p>${count < max ? null : html`<p class="note">A form can have at most ${max}.</p>`}`
}

/** Options of the control for a field of a row. */
export const rowInput = <Name extends string>(
  rowKind: RowKind,
  at: RowNumber,
  row: Readonly<Record<Name, string>>,
  field: Name,
  errors: FieldErrors,
) => ({ name: `${rowKind}.${at}.${field}`, label: labelOf(`${rowKind}.${field}`), value: row[field], errors })

const errorsOf = (errors: FieldErrors, rowKind: RowKind, at: number): ReadonlyArray<readonly [string, string]> =>
  Object.entries(errors).filter(([name]) => name.startsWith(`${rowKind}.${at}.`))

/** Cards with errors that a long form opens. */
const maxOpened = 5

interface Card {
  readonly row: QuestionDraft | RequirementDraft
  readonly isNew: boolean
  readonly title: string
  readonly kind: string
  readonly body: () => Html
}

/** Opens rows with errors, the row that was just added, and, in a short form, new rows that are not copies. */
const openedOf = (cards: Cards, rowKind: "q" | "r", all: ReadonlyArray<Card>): ReadonlySet<number> => {
  const { errors, isFolded, step } = cards
  const places = all.map((_, at) => at)
  const faulty = places.filter((at) => errorsOf(errors, rowKind, at).length > 0)
  const isPressed = ["add", "copy", "show", "speak"].includes(step?.name ?? "")
  return new Set([
    ...places.filter((at) => (isPressed && isFocused(cards, rowKind, at)) || (!isFolded && all[at]?.isNew === true)),
    ...(isFolded ? faulty.slice(0, maxOpened) : faulty),
  ])
}

const card = (
  cards: Cards,
  rowKind: "q" | "r",
  { at, count, isOpen }: { readonly at: number; readonly count: number; readonly isOpen: boolean },
  { body, kind, row, title }: Card,
): Html => {
  const heading = html`<h3>${rowKind === "q" ? "Question" : "Requirement"} ${at + 1}</h3> <span class="card-title" dir="auto" data-title>${title}</span> <span class="quiet" data-kind>${kind}</span>`
  if (cards.isFolded && !isOpen) {
    const fields = fieldsOfRow(rowKind, at, row)
    const focused = isFocused(cards, rowKind, at) ? html` tabindex="-1" autofocus` : null
    return html`<li class="entry card" id="${rowKind}${at}" data-folded${focused}>${heading}${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}${errorsOf(cards.errors, rowKind, at).map(([name, text]) => html`<span class="error" id="${name}">${text}</span>`)}<div class="steps"><button class="step" name="do" value="${rowKind}.${at}.show" aria-label="Edit ${rowNames[rowKind]} ${at + 1}">Edit</button></div></li>
`
  }
  return html`<li class="entry card" id="${rowKind}${at}"><details${isOpen ? html` open` : null}><summary${focus(cards, rowKind, at)}>${heading}</summary>
${body()}</details>${rowButtons(rowKind, at, count)}</li>
`
}

const cardList = (cards: Cards, rowKind: "q" | "r", all: ReadonlyArray<Card>, template: () => Html): Html => {
  const opened = openedOf(cards, rowKind, all)
  return html`<ol class="entries" data-rows="${rowKind}">${all.map((one, at) => card(cards, rowKind, { at, count: all.length, isOpen: opened.has(at) }, one))}</ol>
${cards.isFolded ? html`<template data-card>${template()}${rowButtons(rowKind, "N", 0)}</template>` : null}`
}

/** `number`: of the row, or a placeholder in the template of scripts. */
const fileTypes = (number: RowNumber, { files }: Pick<QuestionDraft, "files">, errors: FieldErrors): Html => {
  const name = `q.${number}.files`
  const chosen = files.split(" ")
  return html`<fieldset class="picks" id="${name}" data-for="file"><legend>Accepted files</legend><input type="hidden" name="${name}" value="">${fileKinds.map(
    (kind) =>
      html`<label class="pick"><input type="checkbox" name="${name}" value="${kind}"${chosen.includes(kind) ? html` checked` : null}><span>${fileNames[kind]} <span class="quiet">${endingsOf([kind]).join(" ")}</span></span></label>`,
  )}${errorText(name, errors)}</fieldset>`
}

/** Styles show the limits of recordings once audio or video is chosen. */
const answers = (at: RowNumber, question: QuestionDraft, errors: FieldErrors): Html => {
  const input = (field: keyof QuestionDraft) => rowInput("q", at, question, field, errors)
  const { label, name } = input("answerWith")
  const chosen = question.answerWith.split(" ")
  return html`<fieldset class="picks spoken" id="${name}" data-for="text"><legend>${label}</legend><input type="hidden" name="${name}" value="">${answerKinds.map(
    (kind) =>
      html`<label class="pick"><input type="checkbox" name="${name}" value="${kind}"${chosen.includes(kind) ? html` checked` : null}><span>${answerNames[kind]}</span></label>`,
  )}${errorText(name, errors)}
<div class="recordings">${choice({ type: "checkbox", name: input("speakingOnly").name, value: "yes", isChosen: question.speakingOnly !== "" }, "Speaking only: typing is not offered, unless you grant it to a candidate who asks")}${errorText(input("speakingOnly").name, errors)}
${compactField({ ...input("maxSeconds"), isNumber: true, hint: `Empty: ${spokenLimits.max_seconds.usual}.` })}
${compactSelect({ ...input("takes"), choices: takeNames })}
${compactField({ ...input("preparation"), isNumber: true, hint: "Before a recording begins. Empty: none." })}</div></fieldset>`
}

/** The options that mark a submission; scripts keep them like the lines above. */
const knockOuts = (number: RowNumber, { knockOut, options }: QuestionDraft, errors: FieldErrors): Html => {
  const name = `q.${number}.knockOut`
  const marked = linesOf(knockOut)
  const lines = linesOf(options)
  const offered = [...new Set([...lines, ...marked])]
  return html`<fieldset class="picks" id="${name}" data-knock-out${offered.length === 0 ? html` hidden` : null}><legend>${labelOf("q.knockOut")}</legend><p class="note">A submission with such an answer is marked for you. It rejects no candidate, and candidates do not see it.</p>${offered.map(
    (line) =>
      html`<label class="pick"><input type="checkbox" name="${name}" value="${line}"${marked.includes(line) ? html` checked` : null}><span dir="auto">${line}</span></label>`,
  )}${errorText(name, errors)}</fieldset>`
}

/** Scripts show it in place of the button that allows spoken answers. */
const answersTemplate = ({ draft, isFolded }: Cards): Html | null =>
  isFolded && !draft.questions.some(isSpoken)
    ? null
    : html`<template data-answers>${answers("N", { ...emptyQuestion, answerWith: "text audio" }, {})}</template>`

/** Scripts show them when "File upload" is chosen. */
export const fileTypesTemplate: Html = html`<template data-files>${fileTypes("N", { files: fileKinds.join(" ") }, {})}</template>`

const questionBody = (at: RowNumber, question: QuestionDraft, errors: FieldErrors): Html => {
  const input = (field: keyof QuestionDraft) => rowInput("q", at, question, field, errors)
  const hasHelp = question.hint !== "" || question.details !== ""
  const isFaulty = errors[input("hint").name] !== undefined || errors[input("details").name] !== undefined
  const hasOptions = isChoice(question)
  return html`<input type="hidden" name="${input("id").name}" value="${question.id}"><input type="hidden" name="${input("source").name}" value="${question.source}">
${compactField(input("title"))}
${compactField({ ...input("content"), label: html`Details${optional}`, area: true })}
<div class="beside">${compactSelect({ ...input("type"), choices: typeChoices })}
${compactSelect({ ...input("mode"), choices: modeNames })}</div>
${
  question.answerWith === emptyQuestion.answerWith
    ? html`<p data-for="text"${question.type === "text" ? null : html` hidden`}><button class="link" name="do" value="q.${at}.speak">Allow spoken answers</button></p>`
    : answers(at, question, errors)
}
<div class="beside">${choice({ type: "checkbox", name: input("required").name, value: "yes", isChosen: question.required !== "" }, "Candidates must answer it to submit")}${compactField({ ...input("minutes"), isNumber: true, hint: "A suggestion, not a limit. Empty: none." })}</div>
<details class="options" data-for="radio checkbox"${hasOptions || errors[input("options").name] !== undefined ? html` open` : null}><summary>Options to choose from${hasOptions ? null : html`<span data-unused> (choice questions only)</span>`}</summary>${compactField({ ...input("options"), label: "One per line. Text after a bar (|) is a note below the option.", area: true })}
${knockOuts(at, question, errors)}<noscript><p><button class="link" name="do" value="q.${at}.show">Mark knock-out answers among new options</button></p></noscript></details>
${question.type === "file" ? fileTypes(at, question, errors) : html`<noscript><p><button class="link" name="do" value="q.${at}.show">Choose accepted files (file uploads only)</button></p></noscript>`}
<details${hasHelp || isFaulty ? html` open` : null} data-help><summary>Help for candidates</summary>
${compactField(input("hint"))}
${compactField({ ...input("details"), label: "Background, shown when candidates open it", area: true })}</details>
<p><button class="link" name="at" value="${at}" formaction="/i/preview/draft" formtarget="_blank">Preview this question</button></p>`
}

/** One button for all spoken questions; each has its own controls, too. */
const typingButton = (questions: ReadonlyArray<QuestionDraft>): Html | null => {
  const spoken = questions.filter(isSpoken)
  if (spoken.length < 2) return null
  const isTyped = spoken.some(({ speakingOnly }) => speakingOnly === "")
  return html`<p><button class="link" name="do" value="${isTyped ? "q.only" : "q.typed"}">${isTyped ? "Speaking only" : "Offer typing"} in all ${spoken.length} spoken questions</button></p>`
}

export const questionCards = (cards: Cards): Html => {
  const { draft, errors } = cards
  const all = draft.questions
  return html`<fieldset class="part" id="questions"><legend><h2>Questions</h2></legend><input type="hidden" name="part" value="questions">
<p class="note">Questions are asked in this order, pre-screening first. Empty questions are not saved.<span data-keys hidden> Keys: ↑ and ↓ go from question to question, Alt with ↑ or ↓ moves one, Enter opens it.</span></p>
${cardList(
  cards,
  "q",
  all.map((row, at) => ({
    row,
    isNew: row.id === "" && row.source === "" && (at === 0 || row.title.trim() === ""),
    title: nameOf(row),
    kind: wordIn(typeNames, row.type),
    body: () => questionBody(at, row, errors),
  })),
  () => questionBody("N", emptyQuestion, {}),
)}
${addButtons(cards, "q", all.length, maxRows.questions, "Add a question")}${typingButton(all)}${fileTypesTemplate}${answersTemplate(cards)}</fieldset>`
}

const requirementBody = (at: RowNumber, requirement: RequirementDraft, errors: FieldErrors): Html => {
  const input = (field: keyof RequirementDraft) => rowInput("r", at, requirement, field, errors)
  return html`<input type="hidden" name="${input("id").name}" value="${requirement.id}">
${compactField(input("title"))}
${compactSelect({ ...input("importance"), choices: weightNames })}
<details${requirement.content + requirement.hint + requirement.skills === "" ? null : html` open`} data-help><summary>More</summary>
${compactField({ ...input("content"), label: html`Details${optional}`, area: true })}
${compactField(input("hint"))}
${compactField({ ...input("skills"), label: "Skill IDs, separated by commas" })}</details>`
}

export const requirementCards = (cards: Cards): Html => {
  const { draft, errors } = cards
  const all = draft.requirements
  return html`<fieldset class="part" id="requirements"><legend><h2>Requirements</h2></legend><input type="hidden" name="part" value="requirements">
<p class="note">What answers and CVs are rated against. Candidates see their titles only if they get a notice or their result.</p>
${cardList(
  cards,
  "r",
  all.map((row, at) => ({
    row,
    isNew: row.id === "" && row.title.trim() === "",
    title: nameOf(row),
    kind: wordIn(weightNames, row.importance).split(",")[0] ?? "",
    body: () => requirementBody(at, row, errors),
  })),
  () => requirementBody("N", emptyRequirement, {}),
)}
${addButtons(cards, "r", all.length, maxRows.requirements, "Add a requirement")}</fieldset>`
}
/** What a pressed button did. */
export const stepText = ({ draft, step }: Pick<Cards, "draft" | "step">): string => {
  if (step === undefined) return ""
  const name = rowNames[step.rowKind]
  const count = { q: draft.questions, r: draft.requirements, a: draft.people }[step.rowKind].length
  switch (step.name) {
    case "up":
    case "down":
      return `Moved: now ${name} ${step.to + 1} of ${count}.`
    case "add":
      return `Added ${name} ${step.to + 1}.`
    case "copy":
      return `Added a copy as ${name} ${step.to + 1}.`
    case "remove":
      return `Removed ${name} ${step.from + 1}.`
    case "show":
      return ""
    case "only":
      return "Typing is not offered in any question that is answered by speaking."
    case "typed":
      return "Typing is offered in every question that is answered by speaking."
    case "speak":
      return `Question ${step.to + 1} can be answered by speaking.`
  }
}
