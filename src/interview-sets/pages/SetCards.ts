/** Questions and requirements in the form of a set: cards that open. */
import { endingsOf, fileKinds } from "../../files/UploadedFile.ts"
import { compactField, compactSelect, errorText, type FieldErrors } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { wordIn } from "../../platform/http/PageParts.ts"
import {
  isChoice,
  maxRows,
  type QuestionDraft,
  type RequirementDraft,
  type RowKind,
  type SetDraft,
} from "../SetDraft.ts"
import { labelOf } from "../SetFields.ts"
import type { Step } from "../SetSteps.ts"
import { fileNames, modeNames, typeNames, weightNames } from "./SetLabels.ts"

export interface Cards {
  readonly draft: SetDraft
  readonly errors: FieldErrors
  /** The pressed button, whose row gets the focus. */
  readonly step: Step | undefined
}

export const rowNames: Readonly<Record<RowKind, string>> = { q: "question", r: "requirement", a: "recruiter" }

/** The row that gets the focus. */
const isFocused = ({ step }: Pick<Cards, "step">, rowKind: RowKind, at: number): boolean =>
  step?.rowKind === rowKind && step.to === at

export const focus = (cards: Pick<Cards, "step">, rowKind: RowKind, at: number): Html | null =>
  isFocused(cards, rowKind, at) ? html` autofocus` : null

/** Buttons that send the whole form as a draft. With JavaScript, editor.js moves the rows without a request. */
export const rowButtons = (rowKind: RowKind, at: number, count: number): Html => {
  const button = (step: string, label: string, shown: string, isOff = false) =>
    html`<button class="step" name="do" value="${rowKind}.${at}.${step}" aria-label="${label} ${rowNames[rowKind]} ${at + 1}"${isOff ? html` disabled` : null}>${shown}</button>`
  return html`<div class="steps">${button("up", "Move up", "↑", at === 0)}${button("down", "Move down", "↓", at === count - 1)}${rowKind === "a" ? null : button("copy", "Duplicate", "Duplicate")}${button("remove", "Remove", "Remove")}</div>`
}

export const addButtons = (cards: Cards, rowKind: RowKind, count: number, max: number, text: string): Html => {
  const isFirst = count === 0 && cards.step?.rowKind === rowKind
  return html`<p class="actions"><button class="secondary" name="do" value="${rowKind}.add" data-max="${max}"${isFirst ? html` autofocus` : null}${count < max ? null : html` disabled`}>${text}</button>${
    rowKind === "a"
      ? null
      : html` <button class="secondary" name="do" value="${rowKind}.library"${count < max ? null : html` disabled`}>Add from another set</button>`
  }</p>${count < max ? null : html`<p class="note">A form can have at most ${max}.</p>`}`
}

/** Options of the control for a field of a row. */
export const rowInput = <Name extends string>(
  rowKind: RowKind,
  at: number,
  row: Readonly<Record<Name, string>>,
  field: Name,
  errors: FieldErrors,
) => ({ name: `${rowKind}.${at}.${field}`, label: labelOf(`${rowKind}.${field}`), value: row[field], errors })

const hasErrors = (errors: FieldErrors, prefix: string): boolean =>
  Object.keys(errors).some((name) => name.startsWith(prefix))

interface Card {
  readonly rowKind: "q" | "r"
  readonly at: number
  readonly count: number
  readonly title: string
  readonly kind: string
  readonly isOpen: boolean
  readonly body: Html
}

const card = (cards: Cards, { at, body, count, isOpen, kind, rowKind, title }: Card): Html => {
  const name = rowKind === "q" ? "Question" : "Requirement"
  return html`<li class="entry card" id="${rowKind}${at}"><details${isOpen ? html` open` : null}><summary${focus(cards, rowKind, at)}><h3>${name} ${at + 1}</h3> <span class="card-title" dir="auto" data-title>${title}</span> <span class="quiet" data-kind>${kind}</span></summary>
${body}</details>${rowButtons(rowKind, at, count)}</li>
`
}

/** Opens new rows that are not copies, rows with errors, and the row that was just added. */
const isOpened = (cards: Cards, rowKind: "q" | "r", at: number, isNew: boolean): boolean =>
  isNew ||
  hasErrors(cards.errors, `${rowKind}.${at}.`) ||
  (isFocused(cards, rowKind, at) && ["add", "copy", "show"].includes(cards.step?.name ?? ""))

const shortOf = (text: string): string => text.trim().slice(0, 120)

/** `number`: of the row, or a placeholder in the template of scripts. */
const fileTypes = (number: string, { files }: Pick<QuestionDraft, "files">, errors: FieldErrors): Html => {
  const name = `q.${number}.files`
  const chosen = files.split(" ")
  return html`<fieldset class="picks" id="${name}" data-for="file"><legend>Accepted files</legend><input type="hidden" name="${name}" value="">${fileKinds.map(
    (kind) =>
      html`<label class="pick"><input type="checkbox" name="${name}" value="${kind}"${chosen.includes(kind) ? html` checked` : null}><span>${fileNames[kind]} <span class="quiet">${endingsOf([kind]).join(" ")}</span></span></label>`,
  )}${errorText(name, errors)}</fieldset>`
}

/** Scripts show them when "File upload" is chosen. */
export const fileTypesTemplate: Html = html`<template data-files>${fileTypes("N", { files: fileKinds.join(" ") }, {})}</template>`

export const questionCards = (cards: Cards): Html => {
  const { draft, errors } = cards
  const all = draft.questions
  return html`<fieldset class="part"><legend><h2>Questions</h2></legend><input type="hidden" name="part" value="questions">
<p class="note">Questions are asked in this order, pre-screening first. Empty questions are not saved.</p>
<ol class="entries" data-rows="q">${all.map((question, at) => {
    const input = (field: keyof QuestionDraft) => rowInput("q", at, question, field, errors)
    const hasHelp = question.hint !== "" || question.details !== ""
    const isFaulty = errors[input("hint").name] !== undefined || errors[input("details").name] !== undefined
    const choice = isChoice(question)
    return card(cards, {
      rowKind: "q",
      at,
      count: all.length,
      title: shortOf(question.title) || shortOf(question.content),
      kind: wordIn(typeNames, question.type),
      isOpen: isOpened(cards, "q", at, question.id === "" && question.source === ""),
      body: html`<input type="hidden" name="${input("id").name}" value="${question.id}"><input type="hidden" name="${input("source").name}" value="${question.source}">
${compactField(input("title"))}
${compactField({ ...input("content"), label: "Details (optional)", area: true })}
<div class="beside">${compactSelect({ ...input("type"), choices: typeNames })}
${compactSelect({ ...input("mode"), choices: modeNames })}</div>
<details class="options" data-for="radio checkbox"${choice || errors[input("options").name] !== undefined ? html` open` : null}><summary>Options to choose from${choice ? null : html`<span data-unused> (choice questions only)</span>`}</summary>${compactField({ ...input("options"), label: "One per line. Text after a bar (|) is a note below the option.", area: true })}</details>
${question.type === "file" ? fileTypes(String(at), question, errors) : html`<noscript><p><button class="link" name="do" value="q.${at}.show">Choose accepted files (file uploads only)</button></p></noscript>`}
<details${hasHelp || isFaulty ? html` open` : null}><summary>Help for candidates</summary>
${compactField(input("hint"))}
${compactField({ ...input("details"), label: "Background (collapsed by default)", area: true })}</details>
<p><button class="link" name="at" value="${at}" formaction="/i/preview/draft" formtarget="_blank">Preview this question</button></p>`,
    })
  })}</ol>
${addButtons(cards, "q", all.length, maxRows.questions, "Add a question")}${fileTypesTemplate}</fieldset>`
}

export const requirementCards = (cards: Cards): Html => {
  const { draft, errors } = cards
  const all = draft.requirements
  return html`<fieldset class="part"><legend><h2>Requirements</h2></legend><input type="hidden" name="part" value="requirements">
<p class="note">What answers and CVs are rated against. Candidates do not see them.</p>
<ol class="entries" data-rows="r">${all.map((requirement, at) => {
    const input = (field: keyof RequirementDraft) => rowInput("r", at, requirement, field, errors)
    return card(cards, {
      rowKind: "r",
      at,
      count: all.length,
      title: shortOf(requirement.title) || shortOf(requirement.content),
      kind: wordIn(weightNames, requirement.importance).split(",")[0] ?? "",
      isOpen: isOpened(cards, "r", at, requirement.id === "" && requirement.title.trim() === ""),
      body: html`<input type="hidden" name="${input("id").name}" value="${requirement.id}">
${compactField(input("title"))}
${compactSelect({ ...input("importance"), choices: weightNames })}
<details${requirement.content + requirement.hint + requirement.skills === "" ? null : html` open`}><summary>More</summary>
${compactField({ ...input("content"), label: "Details (optional)", area: true })}
${compactField(input("hint"))}
${compactField({ ...input("skills"), label: "Skill IDs, separated by commas" })}</details>`,
    })
  })}</ol>
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
  }
}
