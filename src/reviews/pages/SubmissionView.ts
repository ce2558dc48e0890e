/** What the page of a submission is made from. */
import { type EvaluationType, EvaluationType as Types } from "../../evaluations/Evaluation.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { type EvaluationDetail, leadingTypes } from "../../submissions/SubmissionDetail.ts"
import type { CvFacts, EvaluationFacts } from "../../submissions/SubmissionRepository.ts"
import type { SubmissionRecord } from "../../submissions/Submissions.ts"

/** The form of a person's own score, as it was typed, with what is wrong with it. */
export interface OverrideForm {
  readonly score: string
  readonly reason: string
  readonly faults: { readonly score?: string; readonly reason?: string }
}

export interface SubmissionView extends SubmissionRecord {
  /** The evaluation that is shown; undefined: there is none. */
  readonly shown: EvaluationDetail | undefined
  readonly shownFacts: EvaluationFacts | undefined
  readonly now: Date
  /** What was done, or could not be, before the page was asked. */
  readonly notice?: { readonly text: string; readonly isFault: boolean } | undefined
  readonly form?: OverrideForm | undefined
}

/** What a question asks or a requirement demands, where the title does not say all of it. */
export const inFull = ({ facts }: SubmissionRecord, id: string, title: string | null): Html | null => {
  const content = facts.contents[id]?.trim() ?? ""
  return content === "" || content === title?.trim() ? null : html`<p class="quiet written" dir="auto">${content}</p>`
}

/** What became so far of a CV that is not read yet. */
export const waitingCv = ({ error }: CvFacts): string =>
  error === null ? "The CV is being fetched and read." : `${error} It is tried again, for about 40 minutes in all.`

/** Leading first. */
export const evaluationsOf = ({ detail }: SubmissionRecord): ReadonlyArray<EvaluationDetail> =>
  leadingTypes.flatMap((type) => detail.evaluations.filter(({ evaluation_type }) => evaluation_type === type))

/** The view of the evaluation that somebody asked for, else of the leading one. */
export const viewOf = (
  record: SubmissionRecord,
  asked: string | undefined,
  rest: Pick<SubmissionView, "now" | "notice" | "form">,
): SubmissionView => {
  const all = evaluationsOf(record)
  const shown = all.find(({ evaluation_type }) => evaluation_type === asked) ?? all[0]
  const shownFacts = record.facts.evaluations.find((one) => one.evaluation_type === shown?.evaluation_type)
  return { ...record, shown, shownFacts, ...rest }
}

export const isEvaluationType = (text: string | undefined): text is EvaluationType =>
  Types.literals.some((type) => type === text)

/** Whether the figures that are shown may still change by themselves: the candidate can improve the answers. */
export const isPreliminary = ({ now, shown }: SubmissionView): boolean =>
  shown !== undefined && shown.held_until !== null && new Date(shown.held_until) > now

/** Whether there is a text that could be evaluated, and nothing waits already. */
export const canBeEvaluated = ({ detail, facts }: SubmissionView): boolean =>
  facts.queued.length === 0 &&
  facts.requirements > 0 &&
  (facts.cv?.state === "read" ||
    (facts.flow === "interview" && (detail.status_text === "completed" || detail.status_text === "evaluated")))
