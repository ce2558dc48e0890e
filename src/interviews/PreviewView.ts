/** What previews of the candidate's pages show of an interview that is not stored. */
import { sampleCandidate } from "../candidates/Candidate.ts"
import { SubmissionId } from "../values/Ids.ts"
import type { InterviewView } from "./InterviewView.ts"

/** The interview has not begun, and the candidate has asked for nothing. */
export const previewedView = {
  state: "open",
  submissionId: SubmissionId.make("00000000-0000-0000-0000-000000000000"),
  attempt: 1,
  improvableUntil: null,
  declineReasons: [],
  candidateName: sampleCandidate.name,
  completedAt: null,
  ranOut: false,
  offered: [],
  answers: new Map(),
  accommodation: null,
  personReview: null,
  isErased: false,
  hasResult: false,
  hasVoluntaryPage: false,
  hasNotice: false,
  recordingConsent: null,
} satisfies Partial<InterviewView>
