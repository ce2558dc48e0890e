/** What differs between two versions of a set, field by field. */
import type { Difference } from "../../accounts/pages/OutdatedForm.ts"
import { cut } from "../../accounts/pages/WorkspacePage.ts"
import { linesOf } from "../../platform/http/Forms.ts"
import { wordIn } from "../../platform/http/PageParts.ts"
import type { AccessDraft, QuestionDraft, RequirementDraft, SetDraft } from "../SetDraft.ts"
import { fileNames, kindNames, modeNames, typeNames, weightNames } from "./SetLabels.ts"

export interface Names {
  readonly projects: ReadonlyArray<readonly [id: string, name: string]>
  readonly languages: ReadonlyArray<{ readonly id: number; readonly name: string }>
}

/** Texts by field. */
type Row = Readonly<Record<string, string>>

const fieldLabels: Row = {
  title: "Title",
  position: "Role that you hire for",
  set_type: "Kind",
  description: "Description",
  interview_duration: "Minutes to answer",
  number_of_retakes: "Retakes",
  language: "Language of the candidate's pages",
  languages: "Also available in",
  project_id: "Project",
  priority: "Priority",
}

/** The difference of a title has the name of its row. */
const questionLabels: Row = {
  title: "",
  content: "details",
  type: "answer type",
  mode: "stage",
  options: "options",
  files: "accepted files",
  hint: "hint",
  details: "background",
}
const requirementLabels: Row = {
  title: "",
  importance: "weight",
  content: "details",
  hint: "note for the evaluation",
  skills: "skill IDs",
}
const accessLabels: Row = { fullname: "name", firstname: "first name", lastname: "last name" }

const fieldDifferences = (labels: Row, saved: Row, own: Row, prefix = ""): ReadonlyArray<Difference> =>
  Object.entries(labels).flatMap(([name, label]) => {
    // browsers change line breaks
    const textOf = (row: Row) => linesOf(row[name] ?? "").trim()
    return textOf(saved) === textOf(own)
      ? []
      : [{ name: [prefix, label].filter(Boolean).join(", "), saved: textOf(saved), own: textOf(own) }]
  })

const keyOf = (row: Row): string => row["id"] ?? row["email"]?.toLowerCase() ?? ""
const titleOf = (row: Row): string => cut(row["email"] ?? (row["title"]?.trim() || row["content"]?.trim() || ""), 80)

const rowDifferences = (
  kind: string,
  labels: Row,
  saved: ReadonlyArray<Row>,
  own: ReadonlyArray<Row>,
): ReadonlyArray<Difference> => {
  const nameOf = (row: Row) => `${kind} “${titleOf(row)}”`
  const isEqual = (one: Row, other: Row) => fieldDifferences(labels, one, other).length === 0
  const wholeOf = (row: Row) =>
    ["email", ...Object.keys(labels)]
      .map((name) => row[name])
      .filter(Boolean)
      .join("\n")
  const unmatched = new Set(saved)
  const byKey = new Map(saved.map((row) => [keyOf(row), row]))
  for (const row of own) {
    const match = byKey.get(keyOf(row))
    if (match !== undefined) unmatched.delete(match)
  }
  const matches = own.map((row) => {
    // new rows have other ids when a form is sent twice
    const match = byKey.get(keyOf(row)) ?? [...unmatched].find((one) => isEqual(one, row))
    if (match !== undefined) unmatched.delete(match)
    return { row, match }
  })
  const inOwnOrder = matches.flatMap(({ match }) => (match === undefined ? [] : [match]))
  const inSavedOrder = saved.filter((row) => inOwnOrder.includes(row))
  const titles = (rows: ReadonlyArray<Row>) => rows.map(titleOf).join("\n")
  return [
    ...matches.flatMap(({ match, row }) =>
      match === undefined
        ? [{ name: nameOf(row), saved: "", own: wholeOf(row) }]
        : fieldDifferences(labels, match, row, nameOf(row)),
    ),
    ...[...unmatched].map((row) => ({ name: nameOf(row), saved: wholeOf(row), own: "" })),
    ...(inOwnOrder.every((row, i) => row === inSavedOrder[i])
      ? []
      : [{ name: `Order of the ${kind.toLowerCase()}s`, saved: titles(inSavedOrder), own: titles(inOwnOrder) }]),
  ]
}

const questionOf = (question: QuestionDraft): Row => ({
  ...question,
  mode: wordIn(modeNames, question.mode),
  type: wordIn(typeNames, question.type),
  files:
    question.type === "file"
      ? question.files
          .split(" ")
          .map((kind) => wordIn(Object.entries(fileNames), kind))
          .join(", ")
      : "",
})
const requirementOf = (requirement: RequirementDraft): Row => ({
  ...requirement,
  importance: wordIn(weightNames, requirement.importance),
})
const accessOf = (access: AccessDraft): Row => ({ ...access })

export const differencesOf = (saved: SetDraft, own: SetDraft, names: Names): ReadonlyArray<Difference> => {
  const language = (id: string) => names.languages.find((one) => String(one.id) === id)?.name ?? id
  const fieldsOf = ({ people: _, questions: _questions, requirements: _requirements, ...fields }: SetDraft): Row => ({
    ...fields,
    set_type: wordIn(kindNames, fields.set_type),
    language: language(fields.language),
    languages: fields.languages.map(language).join(", "),
    project_id: wordIn(names.projects, fields.project_id),
  })
  return [
    ...fieldDifferences(fieldLabels, fieldsOf(saved), fieldsOf(own)),
    ...rowDifferences("Question", questionLabels, saved.questions.map(questionOf), own.questions.map(questionOf)),
    ...rowDifferences(
      "Requirement",
      requirementLabels,
      saved.requirements.map(requirementOf),
      own.requirements.map(requirementOf),
    ),
    ...rowDifferences("Recruiter", accessLabels, saved.people.map(accessOf), own.people.map(accessOf)),
  ]
}
