/** A submission with a CV, answers and evaluations with quotes. */
import { randomUUID } from "node:crypto"
import { Effect, Stream } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { EvaluationQueue } from "../../src/evaluations/EvaluationQueue.ts"
import type { Evaluator } from "../../src/evaluations/Evaluator.ts"
import type { Level } from "../../src/evaluations/Score.ts"
import { BlobStore } from "../../src/files/BlobStore.ts"
import type { CreateInterviewSet } from "../../src/interview-sets/InterviewSet.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { ids } from "../../src/platform/NewIds.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { People } from "../../src/privacy/People.ts"
import { Overrides } from "../../src/reviews/Overrides.ts"
import { BlobId, type CandidateId, CvId, type OrganizationId, SubmissionId } from "../../src/values/Ids.ts"
import * as Scenario from "./Scenario.ts"

export const set = {
  title: "Backend Engineer",
  position: "Senior Backend Engineer, Payments",
  number_of_retakes: 1,
  iai_questions: [
    { title: "A service you built", question_mode: "interview", question_type: "text" },
    {
      title: "What have you run in production?",
      question_mode: "pre_screening",
      question_type: "checkbox",
      options: [{ title: "PostgreSQL" }, { title: "Kubernetes" }],
    },
    { title: "A database problem", question_mode: "interview", question_type: "text" },
    { title: "Your portfolio", question_mode: "interview", question_type: "file" },
  ],
  iai_requirements: [
    { title: "TypeScript services in production", cfg_importance_id: 273 },
    { title: "PostgreSQL: query plans and indexes", cfg_importance_id: 272 },
    { title: "Mentoring colleagues", cfg_importance_id: 245 },
    { title: "Speaks Vietnamese" },
  ],
} satisfies Partial<CreateInterviewSet>

export const texts = {
  built:
    "I built the payment gateway of a shop platform in TypeScript and ran it for four years: 300 shops, 40 requests a second.\n\nI was on call every third week.",
  problem:
    "A report took 40 seconds. EXPLAIN ANALYZE showed a sequential scan; a partial index made it 80 ms. I checked with pg_stat_statements that it stayed so.",
  cv: "Ada Lovelace\nSenior Backend Engineer\n\n2021 – 2026  Nordwind Payments, Hamburg\n  Led the payment gateway, TypeScript on Node.js, PostgreSQL 12 to 16.\n  Mentored two juniors, who both lead teams today.\n\n2017 – 2021  Harbour Logistics\n  Query plans and indexes of a 2 TB PostgreSQL database.\n\nLanguages: English, German",
}

/** By the title of the requirement. */
const quotes: Readonly<Record<string, { readonly level: Level; readonly quotes: ReadonlyArray<string> }>> = {
  "TypeScript services in production": {
    level: "full",
    quotes: [
      "I built the payment gateway of a shop platform in TypeScript and ran it for four years",
      "ran it for four years: 300 shops, 40 requests a second.",
      "Led the payment gateway, TypeScript on Node.js, PostgreSQL 12 to 16.",
    ],
  },
  "PostgreSQL: query plans and indexes": {
    level: "strong",
    quotes: [
      "EXPLAIN ANALYZE showed a sequential scan; a partial index made it 80 ms.",
      "Query plans and indexes of a 2 TB PostgreSQL database.",
      "TypeScript on Node.js, PostgreSQL 12 to 16.",
    ],
  },
  "Mentoring colleagues": { level: "partial", quotes: ["Mentored two juniors, who both lead teams today."] },
}

/** Rates requirements with entries in `quotes`; cannot evaluate others. */
export const evaluate: Evaluator["Service"]["evaluate"] = ({ requirements, sources }) =>
  Effect.succeed({
    evaluator: "words 2",
    model: "example-model-7",
    raw: null,
    summary:
      "Ran a payment service in TypeScript for four years and knows PostgreSQL well enough to read a plan. Little is said about working with others.",
    strengths: [
      "Four years of running a service with real load",
      "Finds out why a query is slow, and checks that it stays fast",
    ],
    gaps: ["Nothing about tests"],
    recommendations: ["Ask how a release was rolled back", "Ask for an example of a disagreement in a code review"],
    ratings: requirements.map(({ id, title }) => {
      const known = quotes[title ?? ""]
      if (known === undefined)
        return { requirement_id: id, cannot_evaluate: "Nothing in the texts says anything about it." }
      return {
        requirement_id: id,
        level: known.level,
        rationale: "What was done, for how long and with what result stands in the text.",
        evidence: known.quotes.flatMap((quote) =>
          sources
            .filter(({ text }) => text.includes(quote))
            .map(({ question_id, source }) => ({ quote, source, question_id })),
        ),
      }
    }),
  })

/** `text` is null for a CV that could not be read. */
export const addCv = Effect.fnUntraced(function* (
  organization: OrganizationId,
  submission: string,
  {
    error = null,
    notes = [],
    text,
  }: { readonly text: string | null; readonly error?: string | null; readonly notes?: ReadonlyArray<string> },
) {
  const { now, sql } = yield* Database
  const newId = yield* ids
  const file = yield* newId(BlobId)
  yield* sql`insert into blob (id, organization_id, size, sha256) values (${file}::uuid, ${organization}::int, 8, '\\x00')`
  yield* (yield* BlobStore).put({ organization, id: file }, Stream.make(Buffer.from("%PDF-1.7")), 100)
  yield* sql`
    insert into cv (id, organization_id, submission_id, link, text, error, blob_id, read_at, created_at, notes, file_type,
      state, due_at)
    values (${yield* newId(CvId)}::uuid, ${organization}::int, ${submission}::uuid, 'https://cv.example/ada.pdf', ${text},
      ${error}, ${file}::uuid, ${yield* now}, ${yield* now},
      ${JSON.stringify(notes)}::text::jsonb, 'application/pdf', ${text === null ? "failed" : "read"}, null)`
}, Effect.orDie)

export const evaluateAll = Effect.gen(function* () {
  const { queue } = yield* EvaluationQueue
  for (let round = 0; round < 5; round++) yield* runOnce(queue)
})

export const answerAll = Effect.fnUntraced(function* (
  { token }: Scenario.Invited,
  { built = texts.built, problem = texts.problem }: { readonly built?: string; readonly problem?: string } = {},
) {
  const interviews = yield* Interviews
  const { questions } = yield* interviews.view(token)
  yield* interviews.finish(
    token,
    questions.flatMap(({ id, options, title }) => {
      if (title === "Your portfolio") return []
      const content = title === "A service you built" ? built : title === "A database problem" ? problem : null
      return [{ question_id: id, content, option_ids: options.slice(0, 1).map((one) => String(one.id)) }]
    }),
  )
}, Effect.orDie)

/** Invites a candidate, answers, adds a CV, and runs all evaluations. */
export const whole = Effect.fnUntraced(function* (changes: Partial<CreateInterviewSet> = {}) {
  const invited = yield* Scenario.invited(yield* Scenario.organization({ ...set, ...changes }, "Nordlicht"))
  const submission = SubmissionId.make(invited.subject.submission_id)
  yield* TestClock.adjust("1 hour")
  yield* (yield* Interviews).start(invited.token)
  yield* TestClock.adjust("20 minutes")
  yield* answerAll(invited)
  yield* addCv(invited.organization, submission, { text: texts.cv })
  yield* TestClock.adjust("1 minute")
  yield* evaluateAll
  yield* TestClock.adjust("1 minute")
  yield* (yield* Overrides).evaluateAgain(operator(invited.organization), submission)
  yield* evaluateAll
  return { ...invited, submission }
})

/** Stores a file; returns its id. */
export const addFile = Effect.fnUntraced(function* (organization: OrganizationId, content: string) {
  const { sql } = yield* Database
  const id = randomUUID()
  yield* sql`
    with made as (
      insert into blob (id, organization_id, size, sha256) values (${id}::uuid, ${organization}::int, octet_length(${content}::text), '')
      returning id
    )
    insert into blob_chunk (blob_id, organization_id, ordinal, bytes, is_last)
    select id, ${organization}::int, 0, convert_to(${content}::text, 'UTF8'), true from made`
  return id
})

/** The candidate's exported data. */
export const exported = Effect.fnUntraced(function* (organization: OrganizationId, candidate: CandidateId) {
  return JSON.parse(yield* Stream.mkString(yield* (yield* People).everything(operator(organization), candidate)))
})
