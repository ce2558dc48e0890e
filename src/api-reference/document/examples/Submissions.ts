/** Examples of submissions: what one candidate answered, and its evaluation. */
import type { Criterion } from "../../../evaluations/Evaluation.ts"
import type { SubmissionDetail, SubmissionSummary } from "../../../submissions/SubmissionDetail.ts"
import { adaRef, ids, setRef, submissionUrl, times } from "./Story.ts"

const quoteOf = (quote: string) => ({ quote, source: "answer" as const, question_id: ids.service })

const criteria: ReadonlyArray<typeof Criterion.Encoded> = [
  {
    requirement_id: ids.typescript,
    title: "TypeScript services in production",
    cfg_importance_id: 273,
    weight: 4,
    score: 5,
    score_status: "scored",
    rationale: "1 sentence on: TypeScript, services, production.",
    evidence: [
      quoteOf(
        "For four years I built and ran a TypeScript service in production that delivers notifications for 300 shops.",
      ),
    ],
  },
  {
    requirement_id: ids.postgres,
    title: "PostgreSQL: query plans and indexes",
    cfg_importance_id: 272,
    weight: 3,
    score: 7.5,
    score_status: "scored",
    rationale: "2 sentences on: PostgreSQL, query, plans, indexes.",
    evidence: [
      quoteOf("The query plan showed a sequential scan, so I added a partial index, and it fell to 12 milliseconds."),
      quoteOf("One PostgreSQL query took nine seconds."),
    ],
  },
  {
    requirement_id: ids.mentoring,
    title: "Mentoring colleagues",
    cfg_importance_id: 244,
    weight: 1,
    score: 0,
    score_status: "scored",
    rationale: "No sentence supports this. Looked for: Mentoring, colleagues.",
    evidence: [],
  },
]

const result = {
  score: 5.3,
  score_status: "scored" as const,
  summary:
    "The text supports 1 of 3 requirements well and 1 in part. Well supported: PostgreSQL: query plans and indexes. In part: TypeScript services in production. Little or no support: Mentoring colleagues.",
  strengths: [
    "PostgreSQL: query plans and indexes: “The query plan showed a sequential scan, so I added a partial index, and it fell to 12 milliseconds.”",
  ],
  gaps: ["Mentoring colleagues (Good To Have): no support found"],
  recommendations: [
    "Ask about Mentoring colleagues: nothing was found on it.",
    "Ask for more detail on TypeScript services in production: the text covers only a part.",
  ],
  criteria,
}

const head = {
  id: ids.adaSubmission,
  submission_url: submissionUrl,
  status_text: "evaluated" as const,
  interview_set: setRef,
  candidate: adaRef,
  invitation: { id: ids.adaInvitation, status_text: "clicked" as const },
}

const steps = {
  initiated_at: times.initiated,
  started_at: times.started,
  completed_at: times.completed,
  declined_at: null,
}

export const submissionDetail: typeof SubmissionDetail.Encoded = {
  ...head,
  ...result,
  evaluations: [
    {
      evaluation_type: "interview",
      ...result,
      evaluator: "keyword/1",
      evaluated_at: times.evaluated,
      held_until: null,
      override: {
        score: 6.5,
        reason: "In the call she described in detail how she trains two juniors.",
        member: { id: ids.member, name: "Rita Meyer" },
        at: times.overridden,
      },
    },
  ],
  answers: [
    {
      question_id: ids.based,
      title: "Where are you based?",
      attempt: 1,
      content: null,
      options: [{ id: "1", title: "In the European Union" }],
      file: null,
    },
    {
      question_id: ids.service,
      title: "A service you built",
      attempt: 1,
      content:
        "For four years I built and ran a TypeScript service in production that delivers notifications for 300 shops. One PostgreSQL query took nine seconds. The query plan showed a sequential scan, so I added a partial index, and it fell to 12 milliseconds.",
      options: [],
      file: null,
    },
  ],
  cv_notes: [],
  ...steps,
}

export const submissionSummary: typeof SubmissionSummary.Encoded = {
  ...head,
  score: result.score,
  score_status: result.score_status,
  created_at: times.invited,
  ...steps,
}
