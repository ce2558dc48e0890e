/** The form of an interview set as it was typed. */
import { fileKinds } from "../files/UploadedFile.ts"
import type { Form } from "../platform/http/Forms.ts"
import {
  allowedKinds,
  askedOrder,
  byPriority,
  type InterviewSet,
  type Question,
  questionModeIds,
  questionTypeIds,
  type Requirement,
  setLimits,
} from "./InterviewSet.ts"
import { optionLines } from "./OptionLines.ts"

export const parts = ["about", "questions", "requirements", "people"] as const
export type Part = (typeof parts)[number]

export interface QuestionDraft {
  /** Empty for a new question. */
  readonly id: string
  /** Id of the question that a new question was copied from; empty: none. */
  readonly source: string
  readonly title: string
  readonly content: string
  readonly hint: string
  readonly details: string
  readonly mode: string
  readonly type: string
  /** One per line (optionLines). */
  readonly options: string
  /** Kinds of files that candidates may upload, separated by spaces. */
  readonly files: string
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

const allFiles = fileKinds.join(" ")

type Field = (name: string) => string
const questionRow = (field: Field, all: (name: string) => ReadonlyArray<string>): QuestionDraft => ({
  id: field("id"),
  source: field("source"),
  title: field("title"),
  content: field("content"),
  hint: field("hint"),
  details: field("details"),
  mode: field("mode") || emptyQuestion.mode,
  type: field("type") || emptyQuestion.type,
  options: field("options"),
  files: readFiles(all("files")),
})
const requirementRow = (field: Field): RequirementDraft => ({
  id: field("id"),
  title: field("title"),
  content: field("content"),
  hint: field("hint"),
  importance: field("importance") || emptyRequirement.importance,
  skills: field("skills"),
})
const accessRow = (field: Field): AccessDraft => ({
  email: field("email"),
  fullname: field("fullname"),
  firstname: field("firstname"),
  lastname: field("lastname"),
})

/** A form without the field allows all kinds. */
const readFiles = (sent: ReadonlyArray<string>): string =>
  sent.length === 0 ? allFiles : fileKinds.filter((kind) => sent.includes(kind)).join(" ")

export const isChoice = ({ type }: QuestionDraft): boolean => type === "radio" || type === "checkbox"

export const emptyQuestion: QuestionDraft = {
  id: "",
  source: "",
  title: "",
  content: "",
  hint: "",
  details: "",
  mode: "interview",
  type: "text",
  options: "",
  files: allFiles,
}
export const emptyRequirement: RequirementDraft = {
  id: "",
  title: "",
  content: "",
  hint: "",
  importance: "245",
  skills: "",
}
export const emptyAccess: AccessDraft = { email: "", fullname: "", firstname: "", lastname: "" }

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

export const questionDraft = (question: Question): QuestionDraft => ({
  id: question.id,
  source: "",
  title: question.title ?? "",
  content: question.content ?? "",
  hint: question.hint ?? "",
  details: question.details ?? "",
  mode: nameOf(questionModeIds, question.cfg_question_mode_id),
  type: nameOf(questionTypeIds, question.cfg_question_type_id),
  options: optionLines(byPriority(question.options)).join("\n"),
  files: (allowedKinds(question.allowed_file_types) ?? fileKinds).join(" "),
})

export const requirementDraft = (requirement: Requirement): RequirementDraft => ({
  id: requirement.id,
  title: requirement.title ?? "",
  content: requirement.content ?? "",
  hint: requirement.hint ?? "",
  importance: String(requirement.cfg_importance_id),
  skills: requirement.tal_skill_ids.join(", "),
})

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
  questions: askedOrder(set.iai_questions).map(questionDraft),
  requirements: byPriority(set.iai_requirements).map(requirementDraft),
  people: byPriority(set.com_accesses).map((access) => ({
    email: access.email,
    fullname: access.fullname ?? "",
    firstname: access.firstname ?? "",
    lastname: access.lastname ?? "",
  })),
})

/** Removes what Postgres cannot store. */
const cleaned = (text: string): string => text.replaceAll("\r\n", "\n").replaceAll("\0", "").toWellFormed()

/** A field that every row of the form has. */
const keyFields = { q: "title", r: "title", a: "email" } as const
export type RowKind = keyof typeof keyFields
export const isRowKind = (text: string): text is RowKind => Object.hasOwn(keyFields, text)

/** Numbers of the rows of `rowKind`, in the order in which they were sent: scripts move rows without renaming fields. */
export const rowNumbers = (form: Form, rowKind: RowKind): ReadonlyArray<string> => {
  const field = new RegExp(`^${rowKind}\\.(\\d{1,4})\\.${keyFields[rowKind]}$`)
  return [...new Set(form.flatMap(([name]) => field.exec(name)?.[1] ?? []))]
}

export const partsOf = (form: Form): ReadonlySet<Part> =>
  new Set(parts.filter((part) => form.some(([name, value]) => name === "part" && value === part)))

export const readDraft = (form: Form, base: SetDraft): SetDraft => {
  const fields = Map.groupBy(form, ([name]) => name)
  const first = (name: string) => {
    const value = fields.get(name)?.[0]?.[1]
    return value === undefined ? undefined : cleaned(value)
  }
  const all = (name: string) => fields.get(name)?.map(([, value]) => value) ?? []
  const sent = partsOf(form)
  const field = (name: keyof SetDraft & string, before: string) => first(name) ?? before
  const rows = <A>(
    rowKind: RowKind,
    max: number,
    row: (field: Field, all: (name: string) => ReadonlyArray<string>) => A,
  ): ReadonlyArray<A> =>
    rowNumbers(form, rowKind)
      .slice(0, max)
      .map((number) =>
        row(
          (name) => first(`${rowKind}.${number}.${name}`) ?? "",
          (name) => all(`${rowKind}.${number}.${name}`),
        ),
      )
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
            ? { language: first("language") ?? "", languages: all("languages").slice(0, 50) }
            : {}),
        }
      : {}),
    ...(sent.has("questions")
      ? { questions: rows("q", Math.max(setLimits.questions, base.questions.length), questionRow) }
      : {}),
    ...(sent.has("requirements")
      ? { requirements: rows("r", Math.max(setLimits.requirements, base.requirements.length), requirementRow) }
      : {}),
    ...(sent.has("people") ? { people: rows("a", Math.max(setLimits.accesses, base.people.length), accessRow) } : {}),
  }
}

/** The fields that the form of `shown` parts sends, for pages that carry a draft. */
export const fieldsOfDraft = (
  draft: SetDraft,
  shown: ReadonlyArray<Part>,
): ReadonlyArray<readonly [name: string, value: string]> => {
  const rowFields = (rowKind: RowKind, rows: ReadonlyArray<object>) =>
    rows.flatMap((row, i) =>
      Object.entries(row).flatMap(
        ([name, text]: readonly [string, string]): ReadonlyArray<readonly [string, string]> => {
          if (name === "files")
            return text === allFiles ? [] : ["", ...text.split(" ")].map((kind) => [`${rowKind}.${i}.files`, kind])
          return text === "" && name !== keyFields[rowKind] ? [] : [[`${rowKind}.${i}.${name}`, text]]
        },
      ),
    )
  const { description, interview_duration, language, languages, number_of_retakes, position, priority, project_id } =
    draft
  const of: Readonly<Record<Part, () => ReadonlyArray<readonly [string, string]>>> = {
    about: () => [
      ...Object.entries({
        title: draft.title,
        position,
        set_type: draft.set_type,
        description,
        interview_duration,
        number_of_retakes,
        priority,
        project_id,
        language,
      }),
      ...languages.map((id) => ["languages", id] as const),
    ],
    questions: () => rowFields("q", draft.questions),
    requirements: () => rowFields("r", draft.requirements),
    people: () => rowFields("a", draft.people),
  }
  return shown.flatMap((part) => [["part", part] as const, ...of[part]()])
}
