/** The form of an interview set: typed text, and buttons that change rows. */

import type { Form } from "../platform/http/Forms.ts"
import {
  askedOrder,
  byPriority,
  type InterviewSet,
  type QuestionOption,
  questionModeIds,
  questionTypeIds,
  type StoredOption,
  setLimits,
} from "./InterviewSet.ts"

export const parts = ["about", "questions", "requirements", "people"] as const
export type Part = (typeof parts)[number]

export interface QuestionDraft {
  /** Empty for a new question. */
  readonly id: string
  readonly title: string
  readonly content: string
  readonly hint: string
  readonly details: string
  readonly mode: string
  readonly type: string
  /** One per line (optionLines). */
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

/** Limits of the buttons that add rows; sets created by hiring systems can have more. */
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

const oneLine = (text: string | null): string => (text ?? "").replace(/\s+/gu, " ").trim()
const bar = (text: string): string => text.replaceAll("|", "\\|")

/** "title | note" */
export const optionLines = (options: ReadonlyArray<StoredOption>): ReadonlyArray<string> =>
  options.map(({ content, id, title }) => {
    const note = oneLine(content)
    const name = oneLine(title) || (note === "" ? String(id) : "")
    return note === "" ? bar(name) : `${bar(name)} | ${bar(note)}`
  })

const splitLine = (line: string) => {
  const at = /(?<!\\)\|/.exec(line)?.index
  const of = (text: string) => text.replaceAll("\\|", "|").trim() || null
  return at === undefined
    ? { title: of(line), content: null }
    : { title: of(line.slice(0, at)), content: of(line.slice(at + 1)) }
}

/**
 * An unchanged line keeps its option. If the number of lines is the same, changed lines keep the other ids, in order.
 */
export const optionsOf = (text: string, known: ReadonlyArray<StoredOption>): ReadonlyArray<QuestionOption> => {
  const lines = text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]))
  // refused later; comparing each line would take long
  if (lines.length > Math.max(setLimits.options, known.length)) return lines.map(splitLine)
  const before = optionLines(known)
  const taken = new Set<number>()
  const same = lines.map((line) => {
    const at = before.findIndex((one, i) => one === line && !taken.has(i))
    if (at >= 0) taken.add(at)
    return at
  })
  const missing = lines.length === known.length ? known.flatMap((_, i) => (taken.has(i) ? [] : [i])) : []
  let next = 0
  return lines.map((line, i) => {
    const at = same[i] ?? -1
    const option = known[at >= 0 ? at : (missing[next++] ?? -1)]
    if (option !== undefined && at >= 0) return option
    const { content, title } = splitLine(line)
    return option === undefined ? { title, content } : { id: option.id, title, content }
  })
}

const numberText = (value: number | null): string => (value === null ? "" : String(value))
const nameOf = <A extends string>(names: Readonly<Record<A, number>>, id: number): string =>
  Object.entries(names).find(([, one]) => one === id)?.[0] ?? ""

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

/** Removes what Postgres cannot store. */
const cleaned = (text: string): string => text.replaceAll("\r\n", "\n").replaceAll("\0", "").toWellFormed()

/** Reads rows of `letter` until one has no field `mark`. */
const rowsOf = <A>(
  form: ReadonlyMap<string, string>,
  letter: string,
  mark: string,
  max: number,
  row: (field: Field) => A,
): ReadonlyArray<A> => {
  const rows: Array<A> = []
  for (let i = 0; i < max && form.has(`${letter}.${i}.${mark}`); i++) {
    rows.push(row((name) => form.get(`${letter}.${i}.${name}`) ?? ""))
  }
  return rows
}

export const partsOf = (form: Form): ReadonlySet<Part> =>
  new Set(parts.filter((part) => form.some(([name, value]) => name === "part" && value === part)))

export const readDraft = (form: Form, base: SetDraft): SetDraft => {
  const fields = new Map(form.toReversed().map(([name, value]) => [name, cleaned(value)]))
  const sent = partsOf(form)
  const field = (name: keyof SetDraft & string, before: string) => fields.get(name) ?? before
  return {
    ...base,
    ...(sent.has("about")
      ? {
          title: field("title", base.title),
          position: field("position", base.position),
          set_type: field("set_type", base.set_type),
          description: field("description", base.description),
          interview_duration: field("interview_duration", base.interview_duration),
          number_of_retakes: field("number_of_retakes", base.number_of_retakes),
          priority: field("priority", base.priority),
          project_id: field("project_id", base.project_id),
          ...(fields.has("language")
            ? {
                language: fields.get("language") ?? "",
                languages: form.flatMap(([name, value]) => (name === "languages" ? [value] : [])).slice(0, 50),
              }
            : {}),
        }
      : {}),
    ...(sent.has("questions")
      ? { questions: rowsOf(fields, "q", "title", Math.max(setLimits.questions, base.questions.length), questionRow) }
      : {}),
    ...(sent.has("requirements")
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
    ...(sent.has("people")
      ? { people: rowsOf(fields, "a", "email", Math.max(setLimits.accesses, base.people.length), accessRow) }
      : {}),
  }
}

const moved = <A>(rows: ReadonlyArray<A>, from: number, to: number): ReadonlyArray<A> => {
  const row = rows[from]
  return row === undefined || to < 0 || to >= rows.length ? rows : rows.toSpliced(from, 1).toSpliced(to, 0, row)
}

const changed = <A>(rows: ReadonlyArray<A>, step: string, index: number, added: A, max: number): ReadonlyArray<A> => {
  switch (step) {
    case "add":
      return rows.length < max ? [...rows, added] : rows
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

/** Applies `q.add`, `r.2.up`, `a.0.remove` and the like; undefined: another button. */
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
