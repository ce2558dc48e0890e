/** What differs between two versions of a set, field by field. */
import type { Difference } from "../../accounts/pages/OutdatedForm.ts"
import { cut } from "../../accounts/pages/WorkspacePage.ts"
import { linesOf } from "../../platform/http/Forms.ts"
import { wordIn } from "../../platform/http/PageParts.ts"
import {
  aboutOf,
  isSpoken,
  type QuestionDraft,
  type RequirementDraft,
  type RowKind,
  type SetDraft,
} from "../SetDraft.ts"
import { labelOf, setFields } from "../SetFields.ts"
import { answerNames, fileNames, kindNames, modeNames, typeNames, weightNames } from "./SetLabels.ts"

export interface Names {
  readonly projects: ReadonlyArray<readonly [id: string, name: string]>
  readonly languages: ReadonlyArray<{ readonly id: number; readonly name: string }>
}

type Row = Readonly<Record<string, string>>

/** `rowKind`: of a row, whose fields have labels such as that of `q.hint`. The difference of its title has its name. */
const fieldDifferences = (saved: Row, own: Row, rowKind?: RowKind, prefix = ""): ReadonlyArray<Difference> =>
  Object.keys(own).flatMap((name) => {
    const field = rowKind === undefined ? name : `${rowKind}.${name}`
    // browsers change line breaks
    const textOf = (row: Row) => linesOf(row[name] ?? "").trim()
    if (!setFields.has(field) || textOf(saved) === textOf(own)) return []
    const label = labelOf(field)
    const shown = prefix === "" ? label : name === "title" ? prefix : `${prefix}, ${label.toLowerCase()}`
    return [{ name: shown, saved: textOf(saved), own: textOf(own) }]
  })

const keyOf = (row: Row): string => row["id"] ?? row["email"]?.toLowerCase() ?? ""
const titleOf = (row: Row): string => cut(row["email"] ?? (row["title"]?.trim() || row["content"]?.trim() || ""), 80)

const rowDifferences = (
  rowKind: RowKind,
  kind: string,
  saved: ReadonlyArray<Row>,
  own: ReadonlyArray<Row>,
): ReadonlyArray<Difference> => {
  const nameOf = (row: Row) => `${kind} “${titleOf(row)}”`
  const isEqual = (one: Row, other: Row) => fieldDifferences(one, other, rowKind).length === 0
  const wholeOf = (row: Row) =>
    Object.entries(row)
      .flatMap(([name, text]) => (text === "" || !setFields.has(`${rowKind}.${name}`) ? [] : [text]))
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
        : fieldDifferences(match, row, rowKind, nameOf(row)),
    ),
    ...[...unmatched].map((row) => ({ name: nameOf(row), saved: wholeOf(row), own: "" })),
    ...(inOwnOrder.every((row, i) => row === inSavedOrder[i])
      ? []
      : [
          {
            name: `Order of the ${labelOf(rowKind).toLowerCase()}`,
            saved: titles(inSavedOrder),
            own: titles(inOwnOrder),
          },
        ]),
  ]
}

const questionOf = (question: QuestionDraft): Row => ({
  ...question,
  mode: wordIn(modeNames, question.mode),
  type: wordIn(typeNames, question.type),
  answerWith: isSpoken(question)
    ? question.answerWith
        .split(" ")
        .map((kind) => wordIn(Object.entries(answerNames), kind))
        .join(", ")
    : "",
  speakingOnly: question.speakingOnly === "" ? "" : "Yes",
  required: question.required === "" ? "" : "Yes",
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

const aboutIn = (draft: SetDraft, names: Names): Row => {
  const about = aboutOf(draft)
  const languages = [about.language, ...draft.languages].flatMap((id) =>
    id === "" ? [] : [names.languages.find((language) => String(language.id) === id)?.name ?? id],
  )
  return {
    ...about,
    set_type: wordIn(kindNames, about.set_type),
    language: languages.join(", "),
    project_id: wordIn(names.projects, about.project_id),
  }
}

/** With the ids of two projects that have the same name. */
const namesFor = (saved: SetDraft, own: SetDraft, names: Names): Names => {
  const ids = [saved.project_id, own.project_id]
  const [one, other] = ids.map((id) => wordIn(names.projects, id))
  if (saved.project_id === own.project_id || one !== other) return names
  return {
    ...names,
    projects: names.projects.map(([id, name]) => [id, ids.includes(id) ? `${name} (${id})` : name] as const),
  }
}

export const differencesOf = (saved: SetDraft, own: SetDraft, names: Names): ReadonlyArray<Difference> => [
  ...fieldDifferences(aboutIn(saved, namesFor(saved, own, names)), aboutIn(own, namesFor(saved, own, names))),
  ...rowDifferences("q", "Question", saved.questions.map(questionOf), own.questions.map(questionOf)),
  ...rowDifferences("r", "Requirement", saved.requirements.map(requirementOf), own.requirements.map(requirementOf)),
  ...rowDifferences("a", "Recruiter", saved.people, own.people),
]
