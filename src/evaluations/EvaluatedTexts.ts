/** A candidate's texts and a set's requirements as the database has them, and the input of evaluators made of them. */
import type { StoredOption } from "../interview-sets/InterviewSet.ts"
import { chosenOptions, optionText } from "../interview-sets/OptionText.ts"
import { definedOnly } from "../values/definedOnly.ts"
import { type EvaluationWarning, evaluationWarning } from "../values/Warning.ts"
import type { EvaluationInput, EvaluationRequirement } from "./Evaluation.ts"
import type { Person } from "./Redaction.ts"
import { shortTextRemarks } from "./ShortText.ts"

export interface AnsweredQuestion {
  readonly question_id: string
  readonly question: string | null
  readonly options: ReadonlyArray<StoredOption>
  readonly content: string | null
  readonly option_ids: ReadonlyArray<string>
  readonly file_type: string | null
  /** It was spoken, and there is no transcript. */
  readonly is_unheard: boolean
}

export interface EvaluatedTexts {
  readonly interview_name: string
  readonly position: string | null
  readonly languages: ReadonlyArray<string>
  readonly requirements: ReadonlyArray<EvaluationRequirement>
  readonly answers: ReadonlyArray<AnsweredQuestion>
  readonly cv_text: string | null
  /** Of reading the CV. */
  readonly cv_warnings: ReadonlyArray<EvaluationWarning>
  readonly cv_error: string | null
  readonly person: Person
}

const textOf = ({ content, option_ids, options }: AnsweredQuestion, languages: ReadonlyArray<string>): string => {
  const chosen = chosenOptions(options, option_ids).map((option) => optionText(option, languages).title)
  return [content, ...chosen].filter((part) => part?.trim()).join("\n")
}

const missingOf = ({ answers, cv_error, cv_text }: EvaluatedTexts): string | undefined => {
  if (cv_text !== null) return undefined
  const isSpoken = answers.some(({ is_unheard }) => is_unheard)
  return cv_error ?? (isSpoken ? "The answers are recordings without a transcript. Listen to them." : undefined)
}

/** Not redacted. */
export const inputOf = (texts: EvaluatedTexts): EvaluationInput => ({
  interview_title: texts.interview_name,
  position: texts.position,
  language: texts.languages[0] ?? null,
  requirements: texts.requirements,
  ...definedOnly({ missing: missingOf(texts) }),
  sources: [
    ...texts.answers.map((answer) => ({
      source: "answer" as const,
      question_id: answer.question_id,
      question: answer.question,
      text: textOf(answer, texts.languages),
      ...definedOnly({ file: answer.file_type ?? undefined }),
    })),
    ...(texts.cv_text === null
      ? []
      : [{ source: "cv" as const, question_id: null, question: null, text: texts.cv_text }]),
  ],
})

/** Of the answers in writing, without chosen options; of the CV; and of files. */
export const textWarningsOf = ({ answers, cv_text, cv_warnings }: EvaluatedTexts): ReadonlyArray<EvaluationWarning> => {
  const written = answers.filter(({ file_type, options }) => file_type === null && options.length === 0)
  const ofAnswers = shortTextRemarks(
    "interview",
    written.map(({ content }) => content ?? ""),
  )
  const ofCv = shortTextRemarks("cv", cv_text === null ? [] : [cv_text])
  return [
    ...ofAnswers.map((remark) => evaluationWarning("short_answer", remark)),
    ...ofCv.map((remark) => evaluationWarning("short_cv", remark)),
    ...cv_warnings,
    ...(answers.some(({ file_type }) => file_type !== null)
      ? [evaluationWarning("part_not_read", "Uploaded files were not read.")]
      : []),
    ...(answers.some(({ is_unheard }) => is_unheard)
      ? [evaluationWarning("part_not_read", "Recordings without a transcript were not read: listen to them.")]
      : []),
  ]
}
