/** Labels of submissions and evaluations. */
import type { EvaluationType } from "../../evaluations/Evaluation.ts"
import { countOutcomes, type Outcome, outcomeOf } from "../../evaluations/Score.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import type { evaluationWarningCodes } from "../../values/Warning.ts"
import type { Decision } from "../Decision.ts"
import type { BoardColumn } from "../HiringStage.ts"
import type { InvitationStatus } from "../InvitationStatus.ts"
import { isSubmitted, type Milestone, type SubmissionStatus } from "../Submission.ts"
import { mostCounted, type SubmissionState } from "../SubmissionSearch.ts"
import type { SubmissionLine } from "../SubmissionSearchSql.ts"

export const evaluationNames: Readonly<Record<EvaluationType, string>> = {
  holistic: "CV and interview",
  interview: "Interview",
  cv: "CV",
}

const statuses: Readonly<Record<SubmissionStatus, string>> = {
  need_interview: "Invited",
  cv_processing: "Reading the CV",
  initiated: "Opened, not started",
  started: "Answering",
  completed: "Submitted",
  evaluated: "Evaluated",
  withdrawn: "Cancelled",
  expired: "Expired",
}

/** The state of a submission whose CV alone is evaluated, and could not be read. */
const unreadableCv = "CV not readable"

/** The state of an evaluated submission of which no requirement could be rated. The filter of scores finds these. */
const notScored = "Not scored"

/** The state while the days of the candidate's notice are not over. */
const evaluationWaits = "Evaluation waits"

/** The filter by state; stateOf gives a row one of these names, or `notScored`. */
export const stateNames: ReadonlyArray<readonly [SubmissionState, string]> = [
  ["waiting", "Waiting for review"],
  ["need_interview", statuses.need_interview],
  ["invitation_failed", "Invitation failed"],
  ["initiated", statuses.initiated],
  ["started", statuses.started],
  ["cv_processing", statuses.cv_processing],
  ["being_evaluated", "Being evaluated"],
  ["evaluation_waits", evaluationWaits],
  ["completed", statuses.completed],
  ["evaluated", statuses.evaluated],
  ["cv_unreadable", unreadableCv],
  ["declined", "Declined"],
  ["withdrawn", statuses.withdrawn],
  ["expired", statuses.expired],
]

/** Columns of the board without a stage. */
export const columnNames: Readonly<Record<BoardColumn, string>> = {
  invited: "Invited",
  in_progress: "In progress",
  to_review: "To review",
  advanced: "Advanced",
  ended: "Ended",
}

export const milestoneNames: Readonly<Record<Milestone, string>> = {
  invited: "Invited",
  opened: "Opened",
  started: "Started",
  submitted: "Submitted",
  reviewed: "Reviewed",
  decided: "Decided",
}

export const scoreNames: ReadonlyArray<readonly [string, string]> = [
  ["scored", "With a score"],
  ["cannot_evaluate", "Cannot be evaluated"],
  ["not_scored", "Without a score"],
]

/** Of a submission in which a knock-out answer was chosen. Lists have no room for more. */
export const knockOutMark = html`<em>Knock-out</em>`

/** Why a score may be unreliable, by the warning's code. */
export const evaluationWarningNames: ReadonlyArray<readonly [string, string]> = Object.entries({
  short_answer: "short answers",
  short_cv: "short CV",
  language_not_supported: "language not supported",
  other_language: "other language",
  part_not_read: "partly read",
  read_by_ocr: "CV read by OCR",
  few_rated: "few requirements rated",
  one_part_scored: "CV or interview only",
  readings_disagree: "readings disagree",
} satisfies Record<(typeof evaluationWarningCodes)[number], string>)

/** No email has reached the candidate. */
export const isUnreached = (status: SubmissionStatus, invitation: InvitationStatus | null): boolean =>
  status === "need_interview" && invitation === "failed"

/** Colours of states; each is shown with its word. */
export type StateKind = "waiting" | "running" | "done" | "todo" | "ended" | "failed"

const kindsOfStatus: Readonly<Record<SubmissionStatus, StateKind>> = {
  need_interview: "waiting",
  cv_processing: "running",
  initiated: "waiting",
  started: "running",
  completed: "done",
  evaluated: "done",
  withdrawn: "ended",
  expired: "ended",
}

/** What the state of a submission follows from. */
export interface StateFacts {
  readonly status: SubmissionStatus
  readonly isDeclined: boolean
  /** The status of the newest invitation. */
  readonly invitation: InvitationStatus | null
  /** An evaluation of the submitted answers or the CV is queued. */
  readonly isBeingEvaluated: boolean
  /** It waits for the days of the candidate's notice. */
  readonly waitsForNotice: boolean
  /** Only the CV is evaluated, and it could not be read. */
  readonly isCvUnreadable: boolean
  /** The evaluator could not rate any requirement, and no member gave a score. */
  readonly isNotScored: boolean
}

/** The state's name and its colour. */
export const stateOf = ({
  invitation,
  isBeingEvaluated,
  isCvUnreadable,
  isDeclined,
  isNotScored,
  status,
  waitsForNotice,
}: StateFacts): { readonly name: string; readonly kind: StateKind } => {
  if (isDeclined) return { name: "Declined", kind: "ended" }
  if (waitsForNotice) return { name: evaluationWaits, kind: "waiting" }
  if (isBeingEvaluated) return { name: "Being evaluated", kind: "running" }
  if (isCvUnreadable) return { name: unreadableCv, kind: "failed" }
  if (isUnreached(status, invitation)) return { name: "Invitation failed", kind: "failed" }
  if (isSubmitted(status) && isNotScored) return { name: notScored, kind: "todo" }
  return { name: statuses[status], kind: kindsOfStatus[status] }
}

/** Of a row of the list. */
export const stateOfLine = (
  line: Pick<
    SubmissionLine,
    | "declined_at"
    | "invitation"
    | "is_being_evaluated"
    | "is_cv_unreadable"
    | "override_score"
    | "score_status"
    | "status_text"
    | "waits_for_notice"
  >,
): ReturnType<typeof stateOf> =>
  stateOf({
    status: line.status_text,
    isDeclined: line.declined_at !== null,
    invitation: line.invitation?.status ?? null,
    isBeingEvaluated: line.is_being_evaluated,
    waitsForNotice: line.waits_for_notice,
    isCvUnreadable: line.is_cv_unreadable,
    isNotScored: line.score_status === "cannot_evaluate" && line.override_score === null,
  })

export const decisionNames: Readonly<Record<Decision, string>> = { advance: "Advance", hold: "Hold", reject: "Reject" }

/** The decision after it was made. */
export const decidedNames: Readonly<Record<Decision, string>> = {
  advance: "Advanced",
  hold: "On hold",
  reject: "Rejected",
}

/** What a hiring stage with a decision does to the candidates who are moved to it. */
export const stageEffects: Readonly<Record<Decision, string>> = {
  advance: "Advances",
  hold: "Puts on hold",
  reject: "Rejects",
}

export const outcomeSigns: Readonly<Record<Outcome, string>> = {
  met: "●",
  "partly met": "◐",
  "no match found": "○",
  "not rated": "–",
}

/** A sign for each requirement, in the given order; read aloud as counts of outcomes. */
export const requirementDots = (scores: ReadonlyArray<{ readonly score: number | null }>): Html | null =>
  scores.length === 0
    ? null
    : html`<span class="dots"><span aria-hidden="true">${scores.map(({ score }) => html`<span class="dot ${outcomeOf(score).replaceAll(" ", "-")}">${outcomeSigns[outcomeOf(score)]}</span>`)}</span><span class="unseen">${countOutcomes(scores)}</span></span>`

/** A count up to `mostCounted`. */
export const countedText = (count: number): string => (count < mostCounted ? String(count) : `${mostCounted - 1}+`)

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export const scoreText = (score: number): string => score.toFixed(1)

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

/** The first letters of the first and the last word of a name. */
export const initialsOf = (name: string): string => {
  const words = name.match(/[\p{L}\p{N}][^\s@]*/gu) ?? []
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words.slice(0, 1)
  return ends
    .map((word = "") => [...graphemes.segment(word)][0]?.segment ?? "")
    .join("")
    .toLocaleUpperCase("en")
}

export const nameOf = ({ email, name }: { readonly email: string | null; readonly name: string | null }): string =>
  name?.trim() || email || "Candidate without a name"

const failures: Readonly<Record<string, string>> = {
  invalid_email: "the address takes no email",
  unsubscribed: "the candidate unsubscribed from this organization's emails",
  bounce: "the email bounced",
  dropped: "the provider did not send it",
}

export const failureText = (reason: string | null): string => (reason === null ? "" : (failures[reason] ?? reason))
