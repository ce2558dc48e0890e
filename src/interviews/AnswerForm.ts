/** The form of a candidate's answers. */
import type { ByteSize } from "effect"
import { type Question, type QuestionType, questionTypeOf } from "../interview-sets/InterviewSet.ts"
import { rulesOf } from "../interview-sets/QuestionRules.ts"
import { type Form, valueOf } from "../platform/http/Forms.ts"
import { transcriptVersion } from "../recordings/Correction.ts"
import type { ShownConsent } from "../recordings/RecordingConsent.ts"
import { parseId, RecordingConsentId, RecordingId } from "../values/Ids.ts"
import type { AnswerRow, SavedAnswer } from "./AnswerRepository.ts"

/** UTF-16 code units, as `maxlength` counts. */
export const maxText = 20_000

/** At most three bytes in UTF-8, each sent as `%E4`. */
const bytesOfUnit = 9
const otherFields = 4096

/** The longest text that fits into a body, in any script. */
export const textLimit = (maxBody: ByteSize.ByteSize): number =>
  Math.max(1, Math.min(maxText, Math.floor((Number(maxBody) - otherFields) / bytesOfUnit)))

export const fieldType = (question: Question): QuestionType => {
  const type = questionTypeOf(question.cfg_question_type_id)
  return (type === "checkbox" || type === "radio") && question.options.length === 0 ? "text" : type
}

export const textField = (question: Question): string => `answer.${question.id}`

export const fileField = (question: Question): string => `file.${question.id}`

/** Also sent empty, to tell a cleared choice from a question that the form lacks. */
export const optionField = (question: Question): string => `option.${question.id}`

export const recordingField = (question: Question): string => `recording.${question.id}`

/** Which text about recordings the page showed. */
export const consentField = (question: Pick<Question, "id">): string => `consent.${question.id}`

export const shownValue = (shown: ShownConsent): string => shown ?? ""

/** Undefined: the form does not say it. */
export const shownOf = (form: Form, name: string): ShownConsent | undefined => {
  const value = valueOf(form, name)
  return value === "" ? null : parseId(RecordingConsentId, value)
}

/** The candidate's text instead of the transcript of a recording. */
export const transcriptField = (recording: RecordingId): string => `transcript.${recording}`

/** The version of the transcript that the page showed. */
export const transcriptKnownField = (recording: RecordingId): string => `known.${recording}`

export interface SentCorrection {
  readonly recording: RecordingId
  readonly text: string
  readonly known: string | undefined
}

/** What the candidate changed in the transcript; undefined: nothing, or the form has none. */
export const correctionOf = (form: Form): SentCorrection | undefined => {
  for (const [name, text] of form) {
    const recording = name.startsWith("transcript.")
      ? parseId(RecordingId, name.slice("transcript.".length))
      : undefined
    if (recording === undefined) continue
    const known = valueOf(form, transcriptKnownField(recording))
    return transcriptVersion(text) === known ? undefined : { recording, text, known }
  }
  return undefined
}

export const revisionField = (question: Pick<Question, "id">): string => `revision.${question.id}`

export const isAnswered = (answer: SavedAnswer | undefined): boolean =>
  answer !== undefined &&
  (Boolean(answer.content?.trim()) || answer.option_ids.length > 0 || answer.file !== null || answer.recording !== null)

/** Ignores files, other questions, unknown options, and texts where typing is not offered. */
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
      if (rulesOf(question).isSpeakingOnly) return []
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

/** Forms send CR LF; Postgres stores neither NUL nor lone surrogates. */
const storedText = (text: string): string | null => {
  const kept = text.replaceAll("\r\n", "\n").replaceAll("\0", "").toWellFormed()
  return kept.trim() === "" ? null : kept
}

/** Undefined: the running attempt. */
export const attemptOf = (form: Form): number | undefined => {
  const attempt = Number(valueOf(form, "attempt"))
  return Number.isInteger(attempt) && attempt > 0 ? attempt : undefined
}

export const knownOf = (form: Form, question: Pick<Question, "id">): number | undefined => {
  const revision = valueOf(form, revisionField(question))
  return revision !== undefined && /^\d{1,9}$/.test(revision) ? Number(revision) : undefined
}

export const answersOf = (questions: ReadonlyArray<Question>, form: Form, limit: number) => {
  const all = decodeAnswers(questions, form)
  const isLong = ({ content }: AnswerRow) => content !== null && content.length > limit
  return { answers: all.filter((answer) => !isLong(answer)), tooLong: all.filter(isLong) }
}
