/** The form of a candidate's answers: its field names, and what is made of the fields that come back. */

import type { ByteSize } from "effect"
import { type Question, type QuestionType, questionTypeOf } from "../interview-sets/InterviewSet.ts"
import { type Form, valueOf } from "../platform/http/Forms.ts"
import type { AnswerRow, SavedAnswer } from "./AnswerRepository.ts"

/** The longest text of one answer, in UTF-16 code units, as `maxlength` counts. */
export const maxText = 20_000

/** Bytes that one code unit takes in a form: three in UTF-8, each written as `%E4`. */
const bytesOfUnit = 9
/** Room for the other fields of the form. */
const otherFields = 4096

/** The longest text that fits into a request's body whatever its script is. */
export const textLimit = (maxBody: ByteSize.ByteSize): number =>
  Math.max(1, Math.min(maxText, Math.floor((Number(maxBody) - otherFields) / bytesOfUnit)))

/** How a question is answered. One that offers nothing to choose from is answered in writing. */
export const fieldType = (question: Question): QuestionType => {
  const type = questionTypeOf(question.cfg_question_type_id)
  return (type === "checkbox" || type === "radio") && question.options.length === 0 ? "text" : type
}

/** The field of a question's text. */
export const textField = (question: Question): string => `answer.${question.id}`

/** The field of a question's file. */
export const fileField = (question: Question): string => `file.${question.id}`

/**
 * The field of a question's choice. The form sends it once with an empty value too: that is how a choice that was
 * taken back differs from a question that the form did not hold.
 */
export const optionField = (question: Question): string => `option.${question.id}`

/** The form field with the answer's revision at the time the form was made. */
export const revisionField = (question: Pick<Question, "id">): string => `revision.${question.id}`

/** Whether an answer says something. */
export const isAnswered = (answer: SavedAnswer | undefined): boolean =>
  answer !== undefined && (Boolean(answer.content?.trim()) || answer.option_ids.length > 0 || answer.file !== null)

/**
 * The answers in a form, but files. It may hold any part of the questions; those it does not hold are left out. Fields of
 * other questions and options that the question does not offer are ignored.
 */
export const decodeAnswers = (
  questions: ReadonlyArray<Question>,
  form: Iterable<readonly [string, string]>,
): ReadonlyArray<AnswerRow> => {
  const fields = Map.groupBy(form, ([name]) => name)
  const valuesOf = (name: string) => fields.get(name)?.map(([, value]) => value)
  return questions.flatMap((question): ReadonlyArray<AnswerRow> => {
    const type = fieldType(question)
    if (type === "file") return []
    if (type === "text") {
      const [text] = valuesOf(textField(question)) ?? []
      return text === undefined ? [] : [{ question_id: question.id, content: storedText(text), option_ids: [] }]
    }
    const chosen = valuesOf(optionField(question))
    if (chosen === undefined) return []
    const offered = new Set(question.options.map(({ id }) => String(id)))
    const known = [...new Set(chosen)].filter((id) => id !== "" && offered.has(id))
    return [{ question_id: question.id, content: null, option_ids: type === "radio" ? known.slice(0, 1) : known }]
  })
}

/** Forms send CR LF for a line's end; Postgres stores neither NUL nor half a character. */
const storedText = (text: string): string | null => {
  const kept = text.replaceAll("\r\n", "\n").replaceAll("\0", "").toWellFormed()
  return kept.trim() === "" ? null : kept
}

/** The attempt that the page was made for; a form that does not say means whichever runs. */
export const attemptOf = (form: Form): number | undefined => {
  const attempt = Number(valueOf(form, "attempt"))
  return Number.isInteger(attempt) && attempt > 0 ? attempt : undefined
}

/** The revision of an answer that a form was written on top of; undefined: it does not say. */
export const knownOf = (form: Form, question: Pick<Question, "id">): number | undefined => {
  const revision = valueOf(form, revisionField(question))
  return revision !== undefined && /^\d{1,9}$/.test(revision) ? Number(revision) : undefined
}

/** The answers in a form, and those that are longer than is kept: cutting them would lose what nobody knows of. */
export const answersOf = (questions: ReadonlyArray<Question>, form: Form, limit: number) => {
  const all = decodeAnswers(questions, form)
  const isLong = ({ content }: AnswerRow) => content !== null && content.length > limit
  return { answers: all.filter((answer) => !isLong(answer)), tooLong: all.filter(isLong) }
}
