import { Effect, Schema } from "effect"
import { type Appearance, noAppearance } from "../accounts/Appearance.ts"
import { fullName } from "../candidates/Candidate.ts"
import { EmailLinks } from "../emails/EmailLinks.ts"
import { askedOrder, positionBeside, type Question } from "../interview-sets/InterviewSet.ts"
import { rulesOf } from "../interview-sets/QuestionRules.ts"
import type { NewestPersonReview } from "../person-reviews/PersonReview.ts"
import type { RecordingConsent } from "../recordings/RecordingConsent.ts"
import { findLanguage, type Language, languageOf } from "../texts/Texts.ts"
import type { SubmissionId } from "../values/Ids.ts"
import type { Accommodation } from "./Accommodation.ts"
import type { SavedAnswer } from "./AnswerRepository.ts"
import { canImprove, isTimeOver, ranOut, retakesLeft } from "./InterviewClock.ts"
import { InterviewRepository, type InterviewRow } from "./InterviewRepository.ts"

/** An incomplete link, or not from this service. */
export class LinkUnknown extends Schema.TaggedError<LinkUnknown>()("LinkUnknown", {}) {}

/** `time_over`: saved answers are submitted within seconds. `withdrawn`: by the hiring side. */
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

export class InterviewNotOpen extends Schema.TaggedError<InterviewNotOpen>()("InterviewNotOpen", {
  state: InterviewState,
}) {}

export interface InterviewView {
  readonly state: InterviewState
  readonly submissionId: SubmissionId
  readonly attempt: number
  readonly retakesLeft: number
  /** Null: the answers cannot be reopened. */
  readonly improvableUntil: Date | null
  readonly organizationName: string
  readonly appearance: Appearance
  readonly timeZone: string
  readonly contact: string | null
  readonly privacyContact: string | null
  readonly interviewName: string
  readonly position: string | null
  readonly description: string | null
  readonly declineReasons: ReadonlyArray<string>
  /** "": unknown. */
  readonly candidateName: string
  readonly minutes: number | null
  readonly expiresAt: Date
  readonly secondsLeft: number | null
  readonly completedAt: Date | null
  readonly ranOut: boolean
  readonly language: string | null
  /** BCP 47, the candidate's choice first. */
  readonly languages: ReadonlyArray<string>
  /** That the candidate can choose. */
  readonly offered: ReadonlyArray<Language>
  /** Language of the pages. */
  readonly spoken: Language
  readonly questions: ReadonlyArray<Question>
  readonly answers: ReadonlyMap<string, SavedAnswer>
  /** The newest; null: none. */
  readonly accommodation: Accommodation | null
  /** The newest request for a person; null: none. */
  readonly personReview: NewestPersonReview | null
  /** The candidate's personal data, so the candidate can write nothing any more. */
  readonly isErased: boolean
  /** The page with the result is open. */
  readonly hasResult: boolean
  /** The organization asks voluntary questions, or the candidate has answered them. */
  readonly hasVoluntaryPage: boolean
  /** The candidate got a notice about the rating by software. */
  readonly hasNotice: boolean
  /** What the organization says before a recording; null: the service's own text. */
  readonly recordingConsent: RecordingConsent | null
}

/** Whether a question can only be answered by speaking. */
export const asksToSpeak = ({ questions }: Pick<InterviewView, "questions">): boolean =>
  questions.some((question) => rulesOf(question).isSpeakingOnly)

/** The questions in the order of asking. A candidate to whom it was granted may type every answer. */
export const askedQuestions = (
  { typed_answers_allowed }: Pick<InterviewRow, "typed_answers_allowed">,
  questions: ReadonlyArray<Question>,
): ReadonlyArray<Question> => {
  const asked = askedOrder(questions)
  return typed_answers_allowed
    ? asked.map((question) => ({ ...question, attributes: { ...question.attributes, speaking_only: false } }))
    : asked
}

export const makeOpenInterview = Effect.gen(function* () {
  const emailLinks = yield* EmailLinks
  const { find } = yield* InterviewRepository
  return Effect.fnUntraced(function* (token: string) {
    const key = emailLinks.open(token)
    const row = key === undefined ? undefined : yield* find(key)
    return row ?? (yield* new LinkUnknown())
  })
})

export const stateOf = (row: InterviewRow): InterviewState => {
  switch (row.status) {
    case "completed":
    case "evaluated":
      return "completed"
    case "withdrawn":
      if (row.declined_at !== null) return "declined"
      // cancelling an invitation withdraws its submission
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

/** The languages that a candidate can choose: those of the set. */
export const offeredLanguages = ({ languages }: Pick<InterviewRow, "languages">): ReadonlyArray<Language> => [
  ...new Set(languages.flatMap((tag) => findLanguage(tag.split("-")[0]?.toLowerCase() ?? "") ?? [])),
]

/** The candidate's choice first. */
const languagesOfRow = ({ language, languages }: InterviewRow): ReadonlyArray<string> =>
  language === null ? languages : [language, ...languages]

/** The language of the candidate's pages. */
export const pageLanguage = (row: InterviewRow): Language => {
  const languages = languagesOfRow(row)
  return languageOf(languages.length > 0 ? languages : [row.organization_language])
}

export const viewOf = (
  row: InterviewRow,
  questions: ReadonlyArray<Question>,
  answers: ReadonlyArray<SavedAnswer>,
  recordingConsent: RecordingConsent | null,
): InterviewView => {
  return {
    state: stateOf(row),
    submissionId: row.submission_id,
    attempt: row.attempt,
    retakesLeft: retakesLeft(row),
    improvableUntil: canImprove(row) ? row.improvement_until : null,
    organizationName: row.organization_name,
    appearance: row.appearance ?? noAppearance,
    timeZone: row.time_zone,
    contact: row.contact,
    privacyContact: row.privacy_contact,
    interviewName: row.interview_name,
    position: positionBeside(row.interview_name, row.position),
    description: row.description,
    declineReasons: row.decline_reasons,
    candidateName: fullName({
      name: row.candidate_name,
      firstname: row.candidate_firstname,
      lastname: row.candidate_lastname,
    }),
    minutes: row.minutes,
    expiresAt: row.expires_at,
    secondsLeft: row.seconds_left,
    completedAt: row.completed_at,
    ranOut: ranOut(row),
    language: row.languages[0] ?? null,
    languages: languagesOfRow(row),
    offered: offeredLanguages(row),
    spoken: pageLanguage(row),
    questions: askedQuestions(row, questions),
    accommodation: row.accommodation,
    personReview: row.person_review,
    isErased: row.is_erased,
    hasResult: row.has_result,
    hasVoluntaryPage: row.has_voluntary_page,
    hasNotice: row.has_notice,
    recordingConsent,
    answers: new Map(answers.map((answer) => [answer.question_id, answer])),
  }
}
