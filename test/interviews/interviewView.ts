/** Test data: an interview with one question of each type. */
import { noAppearance } from "../../src/accounts/Appearance.ts"
import { type Question, questionModeIds, questionTypeIds } from "../../src/interview-sets/InterviewSet.ts"
import type { SavedAnswer } from "../../src/interviews/AnswerRepository.ts"
import type { InterviewView } from "../../src/interviews/InterviewView.ts"
import { QuestionId, SubmissionId } from "../../src/values/Ids.ts"

export const questionId = (n: number) => QuestionId.make(`00000000-0000-7000-8000-${String(n).padStart(12, "0")}`)

export const question = (n: number, rest: Partial<Question> = {}): Question => ({
  id: questionId(n),
  title: `Question title ${n}`,
  content: null,
  hint: null,
  details: null,
  cfg_question_mode_id: questionModeIds.interview,
  cfg_question_type_id: questionTypeIds.text,
  priority: null,
  options: [],
  allowed_file_types: null,
  attributes: null,
  ...rest,
})

export const option = (id: string | number, title: string | null = `Option ${id}`): Question["options"][number] => ({
  id,
  title,
  titles: null,
  content: null,
  contents: null,
  priority: null,
})

export const answered = (n: number, rest: Partial<SavedAnswer>): readonly [string, SavedAnswer] => [
  questionId(n),
  { question_id: questionId(n), content: null, option_ids: [], file: null, recording: null, revision: 1, ...rest },
]

export const view = (rest: Partial<InterviewView> = {}): InterviewView => ({
  state: "open",
  declineReasons: [],
  submissionId: SubmissionId.make("00000000-0000-7000-8000-0000000000aa"),
  attempt: 1,
  retakesLeft: 0,
  improvableUntil: null,
  contact: null,
  privacyContact: null,
  organizationName: "Acme",
  appearance: noAppearance,
  timeZone: "UTC",
  interviewName: "Backend Engineer",
  position: null,
  description: null,
  candidateName: "Ada",
  minutes: 30,
  expiresAt: new Date("2026-12-21T14:05:00Z"),
  secondsLeft: null,
  completedAt: null,
  ranOut: false,
  language: null,
  languages: [],
  spoken: "en",
  questions: [
    question(1, {
      cfg_question_mode_id: questionModeIds.pre_screening,
      cfg_question_type_id: questionTypeIds.radio,
      options: [option(1), option("b")],
    }),
    question(2, { cfg_question_type_id: questionTypeIds.checkbox, options: [option("x"), option("y")] }),
    question(3),
    question(4, { cfg_question_type_id: questionTypeIds.file }),
  ],
  accommodation: null,
  personReview: null,
  isErased: false,
  hasResult: false,
  hasVoluntaryPage: false,
  hasNotice: false,
  recordingConsent: null,
  offered: [],
  answers: new Map(),
  ...rest,
})
