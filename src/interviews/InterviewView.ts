/** What a candidate's pages show: the state of the interview, its questions and the saved answers. */
import { Effect, Schema } from "effect"
import { EmailLinks } from "../emails/EmailLinks.ts"
import { askedOrder, type Question } from "../interview-sets/InterviewSet.ts"
import { displayName } from "../submissions/Candidate.ts"
import { type Language, languageOf } from "../texts/Texts.ts"
import type { SubmissionId } from "../values/Ids.ts"
import type { SavedAnswer } from "./AnswerRepository.ts"
import { canImprove, isTimeOver, ranOut, retakesLeft } from "./InterviewClock.ts"
import { InterviewRepository, type InterviewRow } from "./InterviewRepository.ts"

/** The link was not made by this service, or is incomplete. */
export class LinkUnknown extends Schema.TaggedError<LinkUnknown>()("LinkUnknown", {}) {}

/**
 * The state of an interview for its candidate. `time_over`: started, and the service submits the saved answers within seconds.
 * `declined`: by the candidate. `withdrawn`: by the hiring side, except by cancelling the invitation.
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

/** The step is not possible in the current state of the interview. */
export class InterviewNotOpen extends Schema.TaggedError<InterviewNotOpen>()("InterviewNotOpen", {
  state: InterviewState,
}) {}

export interface InterviewView {
  readonly state: InterviewState
  readonly submissionId: SubmissionId
  /** The number of the attempt, from 1. */
  readonly attempt: number
  /** The number of times that the answers can be reopened after this attempt. */
  readonly retakesLeft: number
  /** Until then the submitted answers can be reopened; null: they cannot. */
  readonly improvableUntil: Date | null
  readonly organizationName: string
  /** The contact for candidates: an email or https address; null: none. */
  readonly contact: string | null
  /** The contact for questions about personal data. */
  readonly privacyContact: string | null
  readonly interviewName: string
  readonly position: string | null
  readonly description: string | null
  readonly candidateName: string
  /** The minutes of an attempt for this candidate; null: no limit. */
  readonly minutes: number | null
  /** The deadline for starting. */
  readonly expiresAt: Date
  /** Null: no limit, or not started. */
  readonly secondsLeft: number | null
  readonly completedAt: Date | null
  /** Whether the attempt was submitted because its time was over. */
  readonly ranOut: boolean
  /** The interview's first language (BCP 47); null: none is set. */
  readonly language: string | null
  /** BCP 47 tags of the interview's known languages, in its order. */
  readonly languages: ReadonlyArray<string>
  /** The language of the pages: the first of the interview's languages that texts are translated to. */
  readonly spoken: Language
  /** In the order of `askedOrder`. */
  readonly questions: ReadonlyArray<Question>
  /** The saved answers by question id. */
  readonly answers: ReadonlyMap<string, SavedAnswer>
}

/** Finds the interview of a link's token; fails with LinkUnknown. */
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
      // Cancelling an invitation withdraws its submission.
      return row.invitation_status === "cancelled" ? "cancelled" : "withdrawn"
    case "started":
      return isTimeOver(row) ? "time_over" : "running"
    case "expired":
      return "expired"
    default:
      if (row.invitation_status === "cancelled") return "cancelled"
      return row.expired || row.invitation_status === "expired" ? "expired" : "open"
  }
}

export const viewOf = (
  row: InterviewRow,
  questions: ReadonlyArray<Question>,
  answers: ReadonlyArray<SavedAnswer>,
): InterviewView => {
  return {
    state: stateOf(row),
    submissionId: row.submission_id,
    attempt: row.attempt,
    retakesLeft: retakesLeft(row),
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
    ranOut: ranOut(row),
    language: row.languages[0] ?? null,
    languages: row.languages,
    spoken: languageOf(row.languages),
    questions: askedOrder(questions),
    answers: new Map(answers.map((answer) => [answer.question_id, answer])),
  }
}
