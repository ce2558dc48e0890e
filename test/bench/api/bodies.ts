/** Request bodies of the API bench. */
import { randomUUID } from "node:crypto"
import type { CreateInterviewSet } from "../../../src/interview-sets/InterviewSet.ts"

export const interviewSet: CreateInterviewSet = {
  title: "Senior Backend Engineer",
  position: "Backend Engineer",
  description: "How you build, run and repair services. Answer in your own words.",
  interview_duration: 45,
  cfg_lingual_ids: [1],
  iai_questions: Array.from({ length: 10 }, (_, i) => ({
    title: `A system that you ran (${i + 1})`,
    content: "Tell us about a service that you built and ran: what it did, how much load it took, what was your part?",
    hint: "Name the numbers that you remember, and what you would do otherwise today.",
    question_mode: "interview",
    question_type: "text",
    priority: i,
  })),
  iai_requirements: Array.from({ length: 10 }, (_, i) => ({
    title: `PostgreSQL in production (${i + 1})`,
    content: "Finds slow queries, reads query plans, adds the index that is missing.",
    cfg_importance_id: [244, 245, 272, 273][i % 4] ?? 244,
    tal_skill_ids: [i, i + 10],
    priority: i,
  })),
}

/** An invite request of new candidates. */
export const invite = (interviewSetId: string, candidates: number) => ({
  com_interview_set_id: interviewSetId,
  invitation_message: "Dear {{name}}, thank you for your application. We look forward to your answers.",
  candidates: Array.from({ length: candidates }, () => {
    const id = randomUUID()
    return { ats_candidate_id: id, email: `candidate.${id}@example.com`, firstname: "Ada", lastname: `Lovelace ${id}` }
  }),
})
