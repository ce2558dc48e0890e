/** What the candidate's page tells: where the candidate stands, what is asked, what is saved. */
import { Effect, Schema } from "effect"
import { EmailLinks } from "../emails/EmailLinks.ts"
import { askedOrder, type Question } from "../interview-sets/InterviewSet.ts"
import { displayName } from "../submissions/Candidate.ts"
import { type Language, languageOf } from "../texts/Texts.ts"
import type { SubmissionId } from "../values/Ids.ts"
import type { SavedAnswer } from "./AnswerRepository.ts"
import { InterviewRepository, type InterviewRow } from "./InterviewRepository.ts"

/** Nothing stands behind this link: it was never made here, or it is not whole. */
export class LinkUnknown extends Schema.TaggedError<LinkUnknown>()("LinkUnknown", {}) {}

/**
 * Where a candidate stands, as the page tells it. `time_over`: started, and the service is about to submit what is saved;
 * `declined`: the candidate said no; `withdrawn`: somebody else did, other than by cancelling the invitation.
 */
export const InterviewState = Schema.Literals([
  "open",
  "running",
  "time_over",
  "completed",
  "expired",
  "cancelled",
  "declined",
  "withdrawn",
])
export type InterviewState = typeof InterviewState.Type

/** The step can not be made in the state that the interview is in now. */
export class InterviewNotOpen extends Schema.TaggedError<InterviewNotOpen>()("InterviewNotOpen", {
  state: InterviewState,
}) {}

export interface InterviewView {
  readonly state: InterviewState
  readonly submissionId: SubmissionId
  /** 1 is the first; each retake is one more. */
  readonly attempt: number
  /** How often the interview can be submitted again after this attempt, while the improvement window is open. */
  readonly retakesLeft: number
  /** Until then a completed interview can be improved; null: it can not, or not any more. */
  readonly improvableUntil: Date | null
  readonly organizationName: string
  /** The contact for candidates: an email or https address; null: none. */
  readonly contact: string | null
  /** The same for questions about their data. */
  readonly privacyContact: string | null
  readonly interviewName: string
  readonly position: string | null
  readonly description: string | null
  readonly candidateName: string
  /** Minutes for this candidate, with the time factor; null: no limit. */
  readonly minutes: number | null
  /** The interview can be started until then. */
  readonly expiresAt: Date
  /** Of a running interview with a limit. */
  readonly secondsLeft: number | null
  readonly completedAt: Date | null
  /** True when the attempt was submitted because its time was over. */
  readonly ranOut: boolean
  /** BCP 47, the interview's first language; null: not said. */
  readonly language: string | null
  /** BCP 47 tags of the interview's known languages, in its order. */
  readonly languages: ReadonlyArray<string>
  /** What the pages are written in: the first of the interview's languages that texts are translated to. */
  readonly spoken: Language
  /** In the order they are asked: pre-screening first, then by priority. */
  readonly questions: ReadonlyArray<Question>
  /** What is saved, by question id. */
  readonly answers: ReadonlyMap<string, SavedAnswer>
}

/** Finds the interview behind a link. */
export const openInterview = Effect.fnUntraced(function* (token: string) {
  const key = (yield* EmailLinks).open(token)
  const row = key === undefined ? undefined : yield* (yield* InterviewRepository).find(key)
  return row ?? (yield* new LinkUnknown())
})

export const stateOf = (row: InterviewRow): InterviewState => {
  switch (row.status) {
    case "completed":
    case "evaluated":
      return "completed"
    case "withdrawn":
      if (row.declined_at !== null) return "declined"
      // taking the invitation back withdraws the submission
      return row.invitation_status === "cancelled" ? "cancelled" : "withdrawn"
    case "started":
      return row.seconds_left !== null && row.seconds_left <= 0 ? "time_over" : "running"
    case "expired":
      return "expired"
    default:
      if (row.invitation_status === "cancelled") return "cancelled"
      return row.expired || row.invitation_status === "expired" ? "expired" : "open"
  }
}

/** Whole seconds, rounded down like `seconds_left`, so that a submission in the state `time_over` counts as `ranOut`. */
const secondsBetween = (from: Date, until: Date): number => Math.floor((until.getTime() - from.getTime()) / 1000)

/** The first attempt is no retake. */
export const retakesLeftOf = (row: InterviewRow): number =>
  Math.max(0, (row.number_of_retakes ?? 0) - (row.attempt - 1))

export const canImprove = (row: InterviewRow): boolean =>
  stateOf(row) === "completed" && row.improvement_open && retakesLeftOf(row) > 0

export const viewOf = (
  row: InterviewRow,
  questions: ReadonlyArray<Question>,
  answers: ReadonlyArray<SavedAnswer>,
): InterviewView => {
  return {
    state: stateOf(row),
    submissionId: row.submission_id,
    attempt: row.attempt,
    retakesLeft: retakesLeftOf(row),
    improvableUntil: canImprove(row) ? row.improvement_until : null,
    organizationName: row.organization_name,
    contact: row.contact,
    privacyContact: row.privacy_contact,
    interviewName: row.interview_name,
    position: row.position,
    description: row.description,
    candidateName: displayName({
      name: row.candidate_name,
      firstname: row.candidate_firstname,
      lastname: row.candidate_lastname,
      email: row.candidate_email,
    }),
    minutes: row.minutes,
    expiresAt: row.expires_at,
    secondsLeft: row.seconds_left,
    completedAt: row.completed_at,
    ranOut:
      row.completed_at !== null && row.answer_until !== null && secondsBetween(row.completed_at, row.answer_until) <= 0,
    language: row.languages[0] ?? null,
    languages: row.languages,
    spoken: languageOf(row.languages),
    questions: askedOrder(questions),
    answers: new Map(answers.map((answer) => [answer.question_id, answer])),
  }
}
