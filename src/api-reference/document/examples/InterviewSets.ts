/** Examples of interview sets: one that is created, and how it is read back. */
import type { CreateInterviewSet, InterviewSet, InterviewSetSummary } from "../../../interview-sets/InterviewSet.ts"
import { ids, times } from "./Story.ts"

export const createInterviewSet: typeof CreateInterviewSet.Encoded = {
  title: "Backend Engineer",
  position: "Senior Backend Engineer",
  description: "Two short questions about how you work. Answer in your own words.",
  interview_duration: 30,
  cfg_lingual_ids: [1],
  number_of_retakes: 0,
  iai_questions: [
    {
      title: "Where are you based?",
      question_mode: "pre_screening",
      question_type: "radio",
      options: [{ title: "In the European Union" }, { title: "Elsewhere" }],
    },
    {
      title: "A service you built",
      content: "Tell us about a TypeScript service that you built and ran. What was your part?",
      hint: "What it did, how much load it took, what you decided.",
      question_mode: "interview",
      question_type: "text",
      attributes: { source: "ats", question: 17 },
    },
  ],
  iai_requirements: [
    { title: "TypeScript services in production", cfg_importance_id: 273 },
    { title: "PostgreSQL: query plans and indexes", cfg_importance_id: 272 },
    { title: "Mentoring colleagues" },
  ],
  com_accesses: [{ email: "mira@nordlicht.example", fullname: "Mira Lindqvist" }],
}

export const createCvSet: typeof CreateInterviewSet.Encoded = {
  title: "Backend Engineer, CVs",
  set_type: 2,
  iai_requirements: [{ title: "TypeScript services in production", cfg_importance_id: 273 }],
}

const option = (id: string, title: string) => ({
  id,
  title,
  titles: null,
  content: null,
  contents: null,
  priority: null,
})

const requirement = (id: string, title: string, cfg_importance_id: number) => ({
  id,
  title,
  content: null,
  hint: null,
  cfg_importance_id,
  tal_skill_ids: [],
  priority: null,
  attributes: null,
})

export const interviewSet: typeof InterviewSet.Encoded = {
  id: ids.set,
  title: "Backend Engineer",
  position: "Senior Backend Engineer",
  set_type: 1,
  description: "Two short questions about how you work. Answer in your own words.",
  interview_duration: 30,
  cfg_lingual_ids: [1],
  number_of_retakes: 0,
  priority: null,
  com_project_id: null,
  iai_questions: [
    {
      id: ids.based,
      title: "Where are you based?",
      content: null,
      hint: null,
      details: null,
      cfg_question_mode_id: 247,
      cfg_question_type_id: 252,
      priority: null,
      options: [option("1", "In the European Union"), option("2", "Elsewhere")],
      attributes: null,
    },
    {
      id: ids.service,
      title: "A service you built",
      content: "Tell us about a TypeScript service that you built and ran. What was your part?",
      hint: "What it did, how much load it took, what you decided.",
      details: null,
      cfg_question_mode_id: 248,
      cfg_question_type_id: 250,
      priority: null,
      options: [],
      attributes: { source: "ats", question: 17 },
    },
  ],
  iai_requirements: [
    requirement(ids.typescript, "TypeScript services in production", 273),
    requirement(ids.postgres, "PostgreSQL: query plans and indexes", 272),
    requirement(ids.mentoring, "Mentoring colleagues", 244),
  ],
  com_accesses: [
    {
      id: ids.access,
      email: "mira@nordlicht.example",
      fullname: "Mira Lindqvist",
      firstname: null,
      lastname: null,
      priority: null,
      attributes: null,
    },
  ],
}

export const interviewSetSummary: typeof InterviewSetSummary.Encoded = {
  id: ids.set,
  title: "Backend Engineer",
  position: "Senior Backend Engineer",
  set_type: 1,
  description: "Two short questions about how you work. Answer in your own words.",
  interview_duration: 30,
  number_of_retakes: 0,
  priority: null,
  com_project_id: null,
  archived_at: null,
  created_at: times.setMade,
}
