/** The form of an interview set as it stands: what was typed, row by row, and what the buttons of rows do to it. */

import type { Form } from "../platform/http/Forms.ts"
import {
  askedOrder,
  byPriority,
  type InterviewSet,
  questionModeIds,
  questionTypeIds,
  setLimits,
} from "./InterviewSet.ts"

import { optionLines } from "./SetOptions.ts"

/** The parts of the form, in its order. */
export const parts = ["about", "questions", "requirements", "people"] as const
export type Part = (typeof parts)[number]

export interface QuestionDraft {
  /** Of the question that it was made of; empty: a new one. */
  readonly id: string
  readonly title: string
  readonly content: string
  readonly hint: string
  readonly details: string
  readonly mode: string
  readonly type: string
  /** One a line (Options.ts). */
  readonly options: string
}

export interface RequirementDraft {
  readonly id: string
  readonly title: string
  readonly content: string
  readonly hint: string
  readonly importance: string
  readonly skills: string
}

export interface AccessDraft {
  readonly email: string
  readonly fullname: string
  readonly firstname: string
  readonly lastname: string
}

/** What was typed, as text: judged when it is saved. */
export interface SetDraft {
  readonly title: string
  readonly position: string
  readonly set_type: string
  readonly description: string
  readonly interview_duration: string
  readonly number_of_retakes: string
  readonly priority: string
  readonly project_id: string
  readonly language: string
  readonly languages: ReadonlyArray<string>
  readonly questions: ReadonlyArray<QuestionDraft>
  readonly requirements: ReadonlyArray<RequirementDraft>
  readonly people: ReadonlyArray<AccessDraft>
}

/** Up to how many rows a form offers another one; a set that a hiring system made may have more, which stay. */
export const maxRows = { questions: 60, requirements: 60, people: 200 } as const

type Field = (name: string) => string
const questionRow = (field: Field): QuestionDraft => ({
  id: field("id"),
  title: field("title"),
  content: field("content"),
  hint: field("hint"),
  details: field("details"),
  mode: field("mode") || emptyQuestion.mode,
  type: field("type") || emptyQuestion.type,
  options: field("options"),
})
const requirementRow = (field: Field): RequirementDraft => ({
  id: field("id"),
  title: field("title"),
  content: field("content"),
  hint: field("hint"),
  importance: field("importance"),
  skills: field("skills"),
})
const accessRow = (field: Field): AccessDraft => ({
  email: field("email"),
  fullname: field("fullname"),
  firstname: field("firstname"),
  lastname: field("lastname"),
})

/** Whether candidates choose among options. */
export const isChoice = ({ type }: QuestionDraft): boolean => type === "radio" || type === "checkbox"

const emptyQuestion: QuestionDraft = {
  id: "",
  title: "",
  content: "",
  hint: "",
  details: "",
  mode: "interview",
  type: "text",
  options: "",
}
const emptyRequirement: RequirementDraft = {
  id: "",
  title: "",
  content: "",
  hint: "",
  importance: "245",
  skills: "",
}
const emptyAccess: AccessDraft = { email: "", fullname: "", firstname: "", lastname: "" }

/** What an empty form begins with. */
export const emptyDraft: SetDraft = {
  title: "",
  position: "",
  set_type: "1",
  description: "",
  interview_duration: "30",
  number_of_retakes: "",
  priority: "",
  project_id: "",
  language: "1",
  languages: [],
  questions: [emptyQuestion],
  requirements: [emptyRequirement],
  people: [],
}

const numberText = (value: number | null): string => (value === null ? "" : String(value))
const nameOf = <A extends string>(names: Readonly<Record<A, number>>, id: number): string =>
  Object.entries(names).find(([, one]) => one === id)?.[0] ?? ""

/** A stored set as its form shows it. */
export const draftOf = (set: InterviewSet): SetDraft => ({
  title: set.title,
  position: set.position ?? "",
  set_type: String(set.set_type),
  description: set.description ?? "",
  interview_duration: numberText(set.interview_duration),
  number_of_retakes: numberText(set.number_of_retakes),
  priority: numberText(set.priority),
  project_id: set.com_project_id ?? "",
  language: numberText(set.cfg_lingual_ids[0] ?? null),
  languages: set.cfg_lingual_ids.slice(1).map(String),
  questions: askedOrder(set.iai_questions).map((question) => ({
    id: question.id,
    title: question.title ?? "",
    content: question.content ?? "",
    hint: question.hint ?? "",
    details: question.details ?? "",
    mode: nameOf(questionModeIds, question.cfg_question_mode_id),
    type: nameOf(questionTypeIds, question.cfg_question_type_id),
    options: optionLines(byPriority(question.options)).join("\n"),
  })),
  requirements: byPriority(set.iai_requirements).map((requirement) => ({
    id: requirement.id,
    title: requirement.title ?? "",
    content: requirement.content ?? "",
    hint: requirement.hint ?? "",
    importance: String(requirement.cfg_importance_id),
    skills: requirement.tal_skill_ids.join(", "),
  })),
  people: byPriority(set.com_accesses).map((access) => ({
    email: access.email,
    fullname: access.fullname ?? "",
    firstname: access.firstname ?? "",
    lastname: access.lastname ?? "",
  })),
})

/** What is stored has single line breaks, and nothing that Postgres does not keep. */
const cleaned = (text: string): string => text.replaceAll("\r\n", "\n").replaceAll("\0", "").toWellFormed()

/** The rows of a list, `letter` of which begins their names; one ends the list that has no field `mark`. */
const rowsOf = <A>(
  form: ReadonlyMap<string, string>,
  letter: string,
  mark: string,
  most: number,
  row: (field: Field) => A,
): ReadonlyArray<A> => {
  const rows: Array<A> = []
  for (let i = 0; i < most && form.has(`${letter}.${i}.${mark}`); i++) {
    rows.push(row((name) => form.get(`${letter}.${i}.${name}`) ?? ""))
  }
  return rows
}

/** The parts that a form holds; a part that it does not hold stays as it is. */
export const partsOf = (form: Form): ReadonlySet<Part> =>
  new Set(parts.filter((part) => form.some(([name, value]) => name === "part" && value === part)))

/** What a form says, on top of what was there. */
export const readDraft = (form: Form, base: SetDraft): SetDraft => {
  const fields = new Map(form.toReversed().map(([name, value]) => [name, cleaned(value)]))
  const held = partsOf(form)
  const of = (name: keyof SetDraft & string, before: string) => fields.get(name) ?? before
  return {
    ...base,
    ...(held.has("about")
      ? {
          title: of("title", base.title),
          position: of("position", base.position),
          set_type: of("set_type", base.set_type),
          description: of("description", base.description),
          interview_duration: of("interview_duration", base.interview_duration),
          number_of_retakes: of("number_of_retakes", base.number_of_retakes),
          priority: of("priority", base.priority),
          project_id: of("project_id", base.project_id),
          ...(fields.has("language")
            ? {
                language: fields.get("language") ?? "",
                languages: form.flatMap(([name, value]) => (name === "languages" ? [value] : [])).slice(0, 50),
              }
            : {}),
        }
      : {}),
    ...(held.has("questions")
      ? { questions: rowsOf(fields, "q", "title", Math.max(setLimits.questions, base.questions.length), questionRow) }
      : {}),
    ...(held.has("requirements")
      ? {
          requirements: rowsOf(
            fields,
            "r",
            "title",
            Math.max(setLimits.requirements, base.requirements.length),
            requirementRow,
          ),
        }
      : {}),
    ...(held.has("people")
      ? { people: rowsOf(fields, "a", "email", Math.max(setLimits.accesses, base.people.length), accessRow) }
      : {}),
  }
}

const moved = <A>(rows: ReadonlyArray<A>, from: number, to: number): ReadonlyArray<A> => {
  const row = rows[from]
  return row === undefined || to < 0 || to >= rows.length ? rows : rows.toSpliced(from, 1).toSpliced(to, 0, row)
}

const changed = <A>(rows: ReadonlyArray<A>, step: string, index: number, added: A, most: number): ReadonlyArray<A> => {
  switch (step) {
    case "add":
      return rows.length < most ? [...rows, added] : rows
    case "up":
      return moved(rows, index, index - 1)
    case "down":
      return moved(rows, index, index + 1)
    case "remove":
      return rows.filter((_, i) => i !== index)
    default:
      return rows
  }
}

/** The form after a button of its rows: `q.add`, `r.2.up`, `a.0.remove`; undefined: it is no such button. */
export const press = (draft: SetDraft, button: string): SetDraft | undefined => {
  const [, letter, index = "0", step = ""] = /^([qra])(?:\.(\d{1,3}))?\.(add|up|down|remove)$/.exec(button) ?? []
  switch (letter) {
    case "q":
      return { ...draft, questions: changed(draft.questions, step, Number(index), emptyQuestion, maxRows.questions) }
    case "r":
      return {
        ...draft,
        requirements: changed(draft.requirements, step, Number(index), emptyRequirement, maxRows.requirements),
      }
    case "a":
      return { ...draft, people: changed(draft.people, step, Number(index), emptyAccess, maxRows.people) }
    default:
      return undefined
  }
}
