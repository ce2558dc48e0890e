/** Buttons of the form that add, move, copy and remove rows. */
import type { Form } from "../platform/http/Forms.ts"
import {
  emptyAccess,
  emptyQuestion,
  emptyRequirement,
  isRowKind,
  isSpoken,
  maxRows,
  type QuestionDraft,
  type RowKind,
  rowNumbers,
  type SetDraft,
} from "./SetDraft.ts"

const moved = <A>(rows: ReadonlyArray<A>, from: number, to: number): ReadonlyArray<A> => {
  const row = rows[from]
  return row === undefined || to < 0 || to >= rows.length ? rows : rows.toSpliced(from, 1).toSpliced(to, 0, row)
}

const copyOf = <A extends object>(row: A): A => ({
  ...row,
  ...("id" in row ? { id: "" } : {}),
  ...("id" in row && "source" in row ? { source: row.source || row.id } : {}),
})

const stepNames = ["add", "up", "down", "copy", "remove", "show", "speak", "only", "typed"] as const
export type StepName = (typeof stepNames)[number]

/** Whether candidates may type the answer of each question that is answered by speaking. */
const withTyping = (questions: ReadonlyArray<QuestionDraft>, mayType: boolean): ReadonlyArray<QuestionDraft> =>
  questions.map((one) => {
    if (!isSpoken(one)) return one
    const kinds = one.answerWith.split(" ").filter((kind) => kind !== "text")
    return { ...one, answerWith: (mayType ? ["text", ...kinds] : kinds).join(" "), speakingOnly: mayType ? "" : "yes" }
  })

const changed = <A extends object>(
  rows: ReadonlyArray<A>,
  step: StepName,
  at: number,
  added: A,
  max: number,
): readonly [rows: ReadonlyArray<A>, at: number] => {
  const row = rows[at]
  switch (step) {
    case "add":
      return rows.length < max ? [[...rows, added], rows.length] : [rows, rows.length - 1]
    case "up":
      return [moved(rows, at, at - 1), Math.max(0, at - 1)]
    case "down":
      return [moved(rows, at, at + 1), Math.min(rows.length - 1, at + 1)]
    case "copy":
      return row === undefined || rows.length >= max ? [rows, at] : [rows.toSpliced(at + 1, 0, copyOf(row)), at + 1]
    case "remove":
      return [rows.filter((_, i) => i !== at), Math.max(0, at - 1)]
    case "show":
    case "only":
    case "typed":
      return [rows, at]
    case "speak":
      return [rows.map((one, i) => (i === at && "answerWith" in one ? { ...one, answerWith: "text audio" } : one)), at]
  }
}

/** A pressed button, and the rows before and after it, from 0. */
export interface Step {
  readonly rowKind: RowKind
  readonly name: StepName
  readonly from: number
  readonly to: number
}

const isStep = (text: string): text is StepName => stepNames.some((name) => name === text)

/** Applies `q.add`, `r.2.up`, `a.0.remove` and the like, whose numbers are those of `form`; undefined: another button. */
export const press = (
  form: Form,
  draft: SetDraft,
  button: string,
): { readonly draft: SetDraft; readonly step: Step } | undefined => {
  const [, rowKind = "", number, name = ""] = /^([qra])(?:\.(\d{1,4}))?\.([a-z]+)$/.exec(button) ?? []
  if (!isStep(name) || !isRowKind(rowKind)) return undefined
  const from = number === undefined ? -1 : rowNumbers(form, rowKind).indexOf(number)
  const pressed = (next: SetDraft, place: number) => ({ draft: next, step: { rowKind, name, from, to: place } })
  if (rowKind === "q" && (name === "only" || name === "typed")) {
    const questions = withTyping(draft.questions, name === "typed")
    return pressed({ ...draft, questions }, questions.findIndex(isSpoken))
  }
  if (rowKind === "q") {
    const [questions, to] = changed(draft.questions, name, from, emptyQuestion, maxRows.questions)
    return pressed({ ...draft, questions }, to)
  }
  if (rowKind === "r") {
    const [requirements, to] = changed(draft.requirements, name, from, emptyRequirement, maxRows.requirements)
    return pressed({ ...draft, requirements }, to)
  }
  const [people, to] = changed(draft.people, name, from, emptyAccess, maxRows.people)
  return pressed({ ...draft, people }, to)
}
