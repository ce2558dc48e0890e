/** The form of an interview set as it was typed. */
import { Record } from "effect"
import { fileKinds } from "../files/UploadedFile.ts"
import type { Form } from "../platform/http/Forms.ts"
import { storable } from "../values/Fields.ts"
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
import { locationLines } from "./JobLocation.ts"
import { optionLines } from "./OptionLines.ts"
import { answerKinds, rulesOf, spokenKinds, spokenLimits } from "./QuestionRules.ts"

export const parts = ["about", "questions", "requirements", "people"] as const
export type Part = (typeof parts)[number]

/** Limits of the buttons that add rows; sets created by hiring systems can have more. */
export const maxRows = { questions: 60, requirements: 60, people: 200 } as const

const allFiles = fileKinds.join(" ")

/** The fields of a row, and their texts in a new one. */
export const emptyQuestion = {
  /** Empty for a new question. */
  id: "",
  /** Id of the question that a new question was copied from; empty: none. */
  source: "",
  title: "",
  content: "",
  hint: "",
  details: "",
  mode: "interview",
  type: "text",
  /** One per line (OptionLines.ts). */
  options: "",
  /** Kinds of files that candidates may upload, separated by spaces. */
  files: allFiles,
  /** "yes" or empty (QuestionRules.ts). */
  required: "",
  /** Suggested, of a whole number. */
  minutes: "",
  /** The lines of `options` that are knock-out answers, one per line. */
  knockOut: "",
  /** How a text question is answered, separated by spaces. */
  answerWith: "text",
  /** "yes" or empty: typing is not offered. */
  speakingOnly: "",
  /** Of the longest recording; empty: the usual length. */
  maxSeconds: "",
  /** How many recordings a candidate can make; empty: any number. */
  takes: "",
  /** Seconds; empty: none. */
  preparation: "",
}
export type QuestionDraft = Readonly<typeof emptyQuestion>

export const emptyRequirement = { id: "", title: "", content: "", hint: "", importance: "245", skills: "" }
export type RequirementDraft = Readonly<typeof emptyRequirement>

export const emptyAccess = { email: "", fullname: "", firstname: "", lastname: "" }
export type AccessDraft = Readonly<typeof emptyAccess>

const emptyAbout = {
  title: "",
  position: "",
  set_type: "1",
  description: "",
  interview_duration: "30",
  number_of_retakes: "",
  priority: "",
  /** One a line (JobLocation.ts). */
  job_locations: "",
  project_id: "",
  language: "1",
}
export type About = Readonly<typeof emptyAbout>

export interface SetDraft extends About {
  readonly languages: ReadonlyArray<string>
  readonly questions: ReadonlyArray<QuestionDraft>
  readonly requirements: ReadonlyArray<RequirementDraft>
  readonly people: ReadonlyArray<AccessDraft>
}

/** A form without the field allows all kinds. */
const readFiles = (sent: ReadonlyArray<string>): string =>
  sent.length === 0 ? allFiles : fileKinds.filter((kind) => sent.includes(kind)).join(" ")

/** A form without the field is answered in writing. */
const readKinds = (sent: ReadonlyArray<string>): string =>
  sent.length === 0 ? emptyQuestion.answerWith : answerKinds.filter((kind) => sent.includes(kind)).join(" ")

export const isChoice = ({ type }: QuestionDraft): boolean => type === "radio" || type === "checkbox"

export const isSpoken = ({ answerWith, type }: QuestionDraft): boolean =>
  type === "text" && answerWith.split(" ").some((kind) => kind === "audio" || kind === "video")

export const emptyDraft: SetDraft = {
  ...emptyAbout,
  languages: [],
  questions: [emptyQuestion],
  requirements: [emptyRequirement],
  people: [],
}

/** The texts that are not in lists. */
export const aboutOf = ({
  languages: _,
  people: _people,
  questions: _questions,
  requirements: _requirements,
  ...about
}: SetDraft): About => about

const numberText = (value: number | null): string => (value === null ? "" : String(value))
const nameOf = <A extends string>(names: Readonly<Record<A, number>>, id: number): string =>
  Object.entries(names).find(([, one]) => one === id)?.[0] ?? ""

export const questionDraft = (question: Question): QuestionDraft => {
  const rules = rulesOf(question)
  const { isRequired, knockOut, minutes } = rules
  const hasRecordings = spokenKinds(rules).length > 0
  const spoken = (value: number, usual: number) => (hasRecordings && value !== usual ? String(value) : "")
  const options = byPriority(question.options)
  const lines = optionLines(options)
  return {
    id: question.id,
    source: "",
    title: question.title ?? "",
    content: question.content ?? "",
    hint: question.hint ?? "",
    details: question.details ?? "",
    mode: nameOf(questionModeIds, question.cfg_question_mode_id),
    type: nameOf(questionTypeIds, question.cfg_question_type_id),
    options: lines.join("\n"),
    files: (allowedKinds(question.allowed_file_types) ?? fileKinds).join(" "),
    required: isRequired ? "yes" : "",
    minutes: numberText(minutes),
    knockOut: lines.filter((_, i) => knockOut.includes(String(options[i]?.id))).join("\n"),
    answerWith: rules.answerWith.join(" "),
    speakingOnly: rules.isSpeakingOnly ? "yes" : "",
    maxSeconds: spoken(rules.maxSeconds, spokenLimits.max_seconds.usual),
    takes: spoken(rules.takes, spokenLimits.takes.usual),
    preparation: spoken(rules.preparationSeconds, spokenLimits.preparation_seconds.usual),
  }
}

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
  job_locations: locationLines(set.job_locations),
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
const cleaned = (text: string): string => storable(text.replaceAll("\r\n", "\n"))

/** A field that every row of the form has. */
const keyFields = { q: "title", r: "title", a: "email" } as const
export type RowKind = keyof typeof keyFields
const emptyRows = { q: emptyQuestion, r: emptyRequirement, a: emptyAccess } as const
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
  const rows = <Name extends string>(rowKind: RowKind, limit: number, empty: Readonly<Record<Name, string>>) =>
    rowNumbers(form, rowKind)
      .slice(0, limit)
      .map((number) =>
        Record.map(empty, (fallback, name) => {
          const field = `${rowKind}.${number}.${name}`
          if (name === "files") return readFiles(all(field))
          if (name === "answerWith") return readKinds(all(field))
          return name === "knockOut" ? cleaned(all(field).join("\n")) : first(field) || fallback
        }),
      )
  const { languages, people, questions, requirements } = base
  const max = (part: keyof typeof maxRows, limit: number) => Math.max(limit, base[part].length)
  return {
    ...(sent.has("about") ? Record.map(aboutOf(base), (before, name) => first(name) ?? before) : aboutOf(base)),
    languages: sent.has("about") && fields.has("language") ? all("languages").slice(0, 50) : languages,
    questions: sent.has("questions") ? rows("q", max("questions", setLimits.questions), emptyQuestion) : questions,
    requirements: sent.has("requirements")
      ? rows("r", max("requirements", setLimits.requirements), emptyRequirement)
      : requirements,
    people: sent.has("people") ? rows("a", max("people", setLimits.accesses), emptyAccess) : people,
  }
}

/** The fields of a row that differ from those of a new one. */
export const fieldsOfRow = (
  rowKind: RowKind,
  number: number,
  row: object,
): ReadonlyArray<readonly [name: string, value: string]> => {
  const empty: Readonly<Record<string, string>> = emptyRows[rowKind]
  return Object.entries(row).flatMap(
    ([name, text]: readonly [string, string]): ReadonlyArray<readonly [string, string]> => {
      const field = `${rowKind}.${number}.${name}`
      if (text === empty[name] && name !== keyFields[rowKind]) return []
      if (name === "files" || name === "answerWith") return ["", ...text.split(" ")].map((kind) => [field, kind])
      return name === "knockOut" ? text.split("\n").map((line) => [field, line]) : [[field, text]]
    },
  )
}

/** The fields that the form of `shown` parts sends, for pages that carry a draft. */
export const fieldsOfDraft = (
  draft: SetDraft,
  shown: ReadonlyArray<Part>,
): ReadonlyArray<readonly [name: string, value: string]> => {
  const rowFields = (rowKind: RowKind, rows: ReadonlyArray<object>) =>
    rows.flatMap((row, i) => fieldsOfRow(rowKind, i, row))
  const of: Readonly<Record<Part, () => ReadonlyArray<readonly [string, string]>>> = {
    about: () => [...Object.entries(aboutOf(draft)), ...draft.languages.map((id) => ["languages", id] as const)],
    questions: () => rowFields("q", draft.questions),
    requirements: () => rowFields("r", draft.requirements),
    people: () => rowFields("a", draft.people),
  }
  return shown.flatMap((part) => [["part", part] as const, ...of[part]()])
}
