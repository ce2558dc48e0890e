/** Holistic evaluations: when they are made, from what, and how they are reported. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { EvaluationQueue } from "../../src/evaluations/EvaluationQueue.ts"
import { type Evaluator, EvaluatorUnavailable } from "../../src/evaluations/Evaluator.ts"
import type { CreateInterviewSet } from "../../src/interview-sets/InterviewSet.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { Overrides } from "../../src/reviews/Overrides.ts"
import { Submissions } from "../../src/submissions/Submissions.ts"
import { QuestionId } from "../../src/values/Ids.ts"
import * as Cvs from "../support/Cvs.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const round = Effect.flatMap(EvaluationQueue, ({ queue }) => runOnce(queue))

/** A candidate who has submitted and has no CV yet. */
const begin = Effect.fnUntraced(function* (set?: Partial<CreateInterviewSet>) {
  yield* TestClock.setTime(Date.UTC(2026, 0, 1))
  const candidate = yield* Scenario.invited(yield* Scenario.organization(set))
  yield* Scenario.completed(candidate)
  return candidate
})

/** Type and score of the events, in order. */
const reported = Effect.map(Scenario.dataOf("interview.evaluation.update"), (events) =>
  events.map(({ evaluation_score, evaluation_type }) => [evaluation_type, evaluation_score]),
)

const detailOf = Effect.fnUntraced(function* ({ organization, subject }: Scenario.Invited) {
  return yield* (yield* Submissions).detail(operator(organization), subject.submission_id)
}, Effect.orDie)

const holisticOf = (candidate: Scenario.Invited) =>
  Effect.map(detailOf(candidate), ({ evaluations }) =>
    evaluations.find(({ evaluation_type }) => evaluation_type === "holistic"),
  )

const count = Effect.gen(function* () {
  const { sql } = yield* Database
  const [row] = yield* sql<{ count: number }>`
    select count(*)::int as count from evaluation where evaluation_type = 'holistic'`
  return row?.count
})

/** Rates CVs full and answers partial; unavailable for `unavailable`. */
const byKind =
  (unavailable?: "cv" | "answer"): Evaluator["Service"]["evaluate"] =>
  (input) => {
    const [first] = input.sources
    if (first?.source === unavailable) {
      return Effect.fail(new EvaluatorUnavailable({ reason: "refused", retryable: false }))
    }
    return Effect.map(Pod.strong(input), (output) => ({
      ...output,
      ratings: output.ratings.map((rating) => ({
        ...rating,
        level: first?.source === "cv" ? ("full" as const) : ("partial" as const),
      })),
    }))
  }

describe("a holistic evaluation", () => {
  it.effect("is made when the interview is evaluated last, and reported after it", () =>
    Effect.gen(function* () {
      const candidate = yield* begin()
      // the CV is evaluated before the interview's evaluation is settled
      const { queue } = yield* EvaluationQueue
      const interview = yield* Effect.flatMap(queue.claim(1), Effect.forEach(queue.perform))
      yield* Cvs.read(candidate)
      yield* round
      assert.deepStrictEqual(yield* reported, [["cv", 10]])
      assert.deepInclude(yield* detailOf(candidate), { score: 10, status_text: "completed" })
      yield* queue.settle(interview)
      assert.deepStrictEqual(yield* reported, [
        ["cv", 10],
        ["interview", 5],
        ["holistic", 10],
      ])
      const [requirement] = candidate.set.iai_requirements
      const [question] = candidate.set.iai_questions
      const detail = yield* detailOf(candidate)
      assert.deepInclude(detail, { score: 10, score_status: "scored", status_text: "evaluated" })
      assert.deepStrictEqual(detail.criteria, [
        {
          requirement_id: requirement?.id ?? "",
          title: "PostgreSQL",
          cfg_importance_id: 273,
          weight: 4,
          score: 10,
          score_status: "scored",
          rationale: "CV: It says so.",
          evidence: [
            { quote: Cvs.text, source: "cv", question_id: null },
            { quote: Scenario.answer, source: "answer", question_id: question?.id ?? "" },
          ],
        },
      ])
      assert.deepInclude(yield* holisticOf(candidate), {
        evaluator: "holistic/1",
        evaluated_at: "2026-01-01T00:00:00.000Z",
        held_until: null,
        override: null,
        warnings: [
          { code: "short_cv", message: "The CV has 7 words in total, too few for a reliable rating." },
          {
            code: "short_answer",
            message: "The written answers have 10 words in total, too few for a reliable rating.",
          },
        ],
      })
      const { sql } = yield* Database
      const kept = yield* sql`
        select h.input = jsonb_build_object('interview_title', 'Backend Engineer', 'cv_input_hash', encode(v.input_hash, 'hex'),
            'interview_input_hash', encode(i.input_hash, 'hex')) as input,
          h.input_hash = sha256(convert_to(h.input::text, 'UTF8')) as hashed, h.event_id is not null as linked
        from evaluation h join evaluation v on v.id = h.cv_evaluation_id and v.evaluation_type = 'cv'
          join evaluation i on i.id = h.interview_evaluation_id and i.evaluation_type = 'interview'`
      assert.deepStrictEqual(kept, [{ input: true, hashed: true, linked: true }])
      yield* queue.settle(interview)
      assert.strictEqual(yield* count, 1)
      assert.strictEqual((yield* reported).length, 3)
    }).pipe(Pod.provide({ evaluate: byKind() })),
  )

  it.effect("is made when the CV is evaluated last, or both in one round", () =>
    Effect.gen(function* () {
      const late = yield* begin()
      yield* round
      assert.deepStrictEqual(yield* reported, [["interview", 5]])
      assert.strictEqual(yield* count, 0)
      yield* Cvs.read(late)
      yield* round
      assert.deepStrictEqual((yield* reported).slice(1), [
        ["cv", 10],
        ["holistic", 10],
      ])
      const both = yield* Scenario.invited({ id: late.organization, set: late.set }, "bo@example.com")
      yield* Scenario.completed(both)
      yield* Cvs.read(both)
      yield* round
      assert.deepStrictEqual((yield* reported).slice(3), [
        ["cv", 10],
        ["interview", 5],
        ["holistic", 10],
      ])
      assert.strictEqual(yield* round, 0)
    }).pipe(Pod.provide({ evaluate: byKind() })),
  )

  it.effect("is made once when CV and interview end at the same time in two processes", () =>
    Effect.gen(function* () {
      const first = yield* begin()
      const { organization, set } = first
      yield* round
      const pods = yield* Effect.all([Pod.start({ evaluate: byKind() }), Pod.start({ evaluate: byKind() })])
      const queues = pods.map((pod) => Context.get(pod, EvaluationQueue).queue)
      for (let i = 0; i < 20; i++) {
        const candidate = yield* Scenario.invited({ id: organization, set }, `c${i}@example.com`)
        yield* Scenario.completed(candidate)
        yield* Cvs.read(candidate)
        const outcomes = yield* Effect.forEach(queues, (queue) =>
          Effect.flatMap(queue.claim(1), Effect.forEach(queue.perform)),
        )
        assert.deepStrictEqual(
          outcomes.map((one) => one.length),
          [1, 1],
        )
        yield* Effect.all(
          queues.map((queue, pod) => queue.settle(outcomes[pod] ?? [])),
          { concurrency: "unbounded" },
        )
        assert.deepStrictEqual((yield* detailOf(candidate)).score, 10)
        assert.strictEqual(yield* count, i + 1)
      }
      const types = (yield* reported).map(([type]) => type)
      assert.strictEqual(types.filter((type) => type === "holistic").length, 20)
      assert.strictEqual(types.length, 61)
    }).pipe(Pod.provide({ evaluate: byKind() })),
  )

  it.effect("is made again for another CV or repeated answers, and the older ones are kept", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const candidate = yield* begin()
      yield* Cvs.read(candidate)
      yield* round
      yield* TestClock.adjust("1 hour")
      yield* Cvs.read(candidate, "Another CV.")
      yield* round
      assert.deepStrictEqual((yield* reported).slice(3), [
        ["cv", 10],
        ["holistic", 10],
      ])
      assert.deepStrictEqual((yield* holisticOf(candidate))?.criteria[0]?.evidence[0]?.quote, "Another CV.")
      yield* TestClock.adjust("1 hour")
      yield* (yield* Overrides).evaluateAgain(operator(candidate.organization), candidate.subject.submission_id)
      yield* round
      assert.deepStrictEqual((yield* reported).slice(5), [
        ["cv", 10],
        ["interview", 5],
        ["holistic", 10],
      ])
      assert.deepStrictEqual(
        yield* sql`
          select evaluation_type, count(*)::int as count, count(distinct input_hash)::int as inputs, count(raw)::int as raw
          from evaluation group by 1 order by 1`,
        [
          { evaluation_type: "cv", count: 3, inputs: 2, raw: 3 },
          { evaluation_type: "holistic", count: 3, inputs: 2, raw: 0 },
          { evaluation_type: "interview", count: 2, inputs: 1, raw: 2 },
        ],
      )
      assert.strictEqual((yield* detailOf(candidate)).evaluations.length, 3)
    }).pipe(
      Pod.provide({
        evaluate: (input) => Effect.map(byKind()(input), (output) => ({ ...output, raw: { said: "so" } })),
      }),
    ),
  )

  it.effect("does not use a CV that is evaluated after a newer one, nor is that CV reported", () =>
    Effect.gen(function* () {
      const candidate = yield* begin()
      yield* round
      const { queue } = yield* EvaluationQueue
      yield* Cvs.read(candidate)
      const slow = yield* Effect.flatMap(queue.claim(1), Effect.forEach(queue.perform))
      yield* TestClock.adjust("1 minute")
      yield* Cvs.read(candidate, "Another CV.")
      yield* round
      yield* queue.settle(slow)
      assert.deepStrictEqual((yield* reported).slice(1), [
        ["cv", 10],
        ["holistic", 10],
      ])
      assert.strictEqual((yield* holisticOf(candidate))?.criteria[0]?.evidence[0]?.quote, "Another CV.")
    }).pipe(Pod.provide({ evaluate: byKind() })),
  )

  it.effect("is held with the interview's evaluation, and the CV's is not", () =>
    Effect.gen(function* () {
      const candidate = yield* begin({ number_of_retakes: 1 })
      const { sendHeld } = yield* EvaluationQueue
      yield* Cvs.read(candidate)
      yield* round
      assert.deepStrictEqual(yield* reported, [["cv", 10]])
      const held = { held_until: "2026-01-02T00:00:00.000Z" }
      const { evaluations, ...detail } = yield* detailOf(candidate)
      assert.deepInclude(detail, { score: 10, status_text: "completed" })
      assert.deepStrictEqual(
        evaluations.map(({ evaluation_type, held_until }) => [evaluation_type, held_until]),
        [
          ["cv", null],
          ["holistic", held.held_until],
          ["interview", held.held_until],
        ],
      )
      // another CV while both are held: only the last holistic evaluation is reported
      yield* TestClock.adjust("1 hour")
      yield* Cvs.read(candidate, "Another CV.")
      yield* round
      yield* TestClock.adjust("23 hours")
      // one made between the end of the window and the next run is reported by that run
      yield* Cvs.read(candidate, "A third CV.")
      yield* round
      assert.deepStrictEqual(yield* reported, [
        ["cv", 10],
        ["cv", 10],
        ["cv", 10],
      ])
      assert.strictEqual(yield* sendHeld, 2)
      assert.deepStrictEqual((yield* reported).slice(3), [
        ["interview", 5],
        ["holistic", 10],
      ])
      assert.strictEqual(yield* sendHeld, 0)
      assert.strictEqual(yield* count, 3)
      assert.strictEqual((yield* detailOf(candidate)).status_text, "evaluated")
    }).pipe(Pod.provide({ evaluate: byKind() })),
  )

  it.effect("is superseded by a retake and made again from it", () =>
    Effect.gen(function* () {
      const candidate = yield* begin({ number_of_retakes: 1 })
      const interviews = yield* Interviews
      yield* Cvs.read(candidate)
      yield* round
      yield* interviews.reopen(candidate.token)
      yield* TestClock.adjust("1 minute")
      yield* Cvs.read(candidate, "Another CV.")
      yield* round
      assert.strictEqual(yield* count, 1, "the retake has not ended")
      const [first] = candidate.set.iai_questions
      const second = [{ question_id: QuestionId.make(first?.id ?? ""), content: "PostgreSQL, again.", option_ids: [] }]
      yield* interviews.finish(candidate.token, second)
      yield* round
      yield* TestClock.adjust("48 hours")
      yield* (yield* EvaluationQueue).sendHeld
      assert.deepStrictEqual(yield* reported, [
        ["cv", 10],
        ["cv", 10],
        ["interview", 5],
        ["holistic", 10],
      ])
      assert.deepStrictEqual(
        (yield* holisticOf(candidate))?.criteria[0]?.evidence.map(({ quote }) => quote),
        ["Another CV.", "PostgreSQL, again."],
      )
    }).pipe(Pod.provide({ evaluate: byKind() })),
  )
})

describe("a holistic evaluation with a part that has no score", () => {
  const cases = [
    [
      "has the interview's score when the CV is unreadable",
      null,
      undefined,
      "scored",
      5,
      "interview alone: the CV has no score",
    ],
    [
      "has the interview's score when the evaluator is unavailable for the CV",
      Cvs.text,
      "cv",
      "scored",
      5,
      "interview alone: the CV has no score",
    ],
    [
      "has the CV's score when the evaluator is unavailable for the answers",
      Cvs.text,
      "answer",
      "scored",
      10,
      "CV alone: the interview has no score",
    ],
    [
      "has no score when neither part has one",
      null,
      "answer",
      "cannot_evaluate",
      null,
      "No requirement could be rated",
    ],
  ] as const
  for (const [name, words, unavailable, score_status, score, summary] of cases) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const candidate = yield* begin()
        yield* Cvs.read(candidate, words)
        yield* round
        const holistic = yield* holisticOf(candidate)
        assert.deepInclude(holistic, { score, score_status })
        assert.include(holistic?.summary, summary)
        assert.deepInclude(yield* detailOf(candidate), { score, score_status, status_text: "evaluated" })
        assert.deepStrictEqual((yield* reported).at(-1), ["holistic", score])
      }).pipe(Pod.provide({ evaluate: byKind(unavailable) })),
    )
  }

  it.effect("is not_scored when both parts are", () =>
    Effect.gen(function* () {
      const candidate = yield* begin({ iai_requirements: [] })
      yield* Cvs.read(candidate)
      yield* round
      assert.deepInclude(yield* holisticOf(candidate), { score: null, score_status: "not_scored", criteria: [] })
    }).pipe(Pod.provide({ evaluate: () => Effect.die("asked") })),
  )
})

describe("an evaluation", () => {
  it.effect("of a CV sets a submission of a CV set to evaluated, without a holistic one", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const candidate = yield* begin()
      yield* round
      yield* sql`update submission set flow = 'cv', status = 'cv_processing'`
      yield* sql`delete from evaluation`
      yield* Cvs.read(candidate, null)
      yield* round
      const detail = yield* detailOf(candidate)
      assert.deepInclude(detail, { score: null, score_status: "cannot_evaluate", status_text: "evaluated" })
      assert.strictEqual(detail.criteria[0]?.rationale, Cvs.unread)
      assert.deepInclude(detail.evaluations[0], { evaluation_type: "cv", evaluator: null })
      assert.strictEqual(yield* count, 0)
    }).pipe(
      Pod.provide({ evaluate: (input) => (input.sources.length === 0 ? Effect.die("asked") : Pod.strong(input)) }),
    ),
  )

  it.effect("in an unsupported language is cannot_evaluate with the reason", () =>
    Effect.gen(function* () {
      const candidate = yield* begin({ cfg_lingual_ids: [10] })
      yield* round
      const detail = yield* detailOf(candidate)
      assert.deepInclude(detail, { score: null, score_status: "cannot_evaluate", status_text: "evaluated" })
      assert.strictEqual(detail.criteria[0]?.rationale, "ja is not supported.")
    }).pipe(
      Pod.provide({
        evaluate: (input) =>
          Effect.map(Pod.strong(input), (output) => ({
            ...output,
            ratings: input.requirements.map(({ id }) => ({
              requirement_id: id,
              cannot_evaluate: `${input.language} is not supported.`,
            })),
          })),
      }),
    ),
  )

  const read: Array<string> = []
  it.effect("gets redacted text and quotes the original words", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const candidate = yield* begin()
      yield* round
      yield* Cvs.read(candidate, "Ada ran PostgreSQL. Ask ada@example.com or +49 30 1234567.")
      yield* round
      assert.deepStrictEqual(read, [Scenario.answer, "███ ran PostgreSQL. Ask ███████████████ or ███ ██ ███████."])
      const { evaluations } = yield* detailOf(candidate)
      const quote = "Ada ran PostgreSQL. Ask ada@example.com or +49 30 1234567."
      const evidence = { quote, source: "cv", question_id: null } as const
      assert.deepStrictEqual(evaluations[0]?.criteria[0]?.evidence, [evidence])
      assert.deepStrictEqual(evaluations[1]?.criteria[0]?.evidence[1], evidence)
      const named = yield* sql`select id from evaluation where input::text ~* '\\m(ada|1234567)\\M'`
      assert.deepStrictEqual(named, [])
    }).pipe(
      Pod.provide({
        evaluate: (input) => {
          read.push(...input.sources.map(({ text }) => text))
          return Pod.strong(input)
        },
      }),
    ),
  )

  const asked: Array<unknown> = []
  it.effect("gets an uploaded file's type without its content and name", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      yield* TestClock.setTime(Date.UTC(2026, 0, 1))
      const file = { content: "Your portfolio", question_mode: "interview", question_type: "file" } as const
      const text = { content: "Why?", question_mode: "interview", question_type: "text" } as const
      const organization = yield* Scenario.organization({ iai_questions: [text, file] })
      const give = (candidate: Scenario.Invited) => sql`
        with b as (insert into blob (id, organization_id, size) values (gen_random_uuid(), ${organization.id}::int, 1) returning id)
        insert into answer (organization_id, submission_id, attempt, question_id, blob_id, file_name, file_type)
        select ${organization.id}::int, ${candidate.subject.submission_id}::uuid, 1,
          ${organization.set.iai_questions[1]?.id ?? ""}::uuid, b.id, 'Ada Lovelace.pdf', 'application/pdf' from b`
      const both = yield* Scenario.invited(organization)
      yield* give(both)
      yield* Scenario.completed(both)
      yield* round
      assert.deepStrictEqual(asked, [
        [
          {
            source: "answer",
            question_id: organization.set.iai_questions[0]?.id,
            question: "Why?",
            text: Scenario.answer,
          },
          {
            source: "answer",
            question_id: organization.set.iai_questions[1]?.id,
            question: "Your portfolio",
            text: "",
            file: "application/pdf",
          },
        ],
      ])
      const alone = yield* Scenario.invited(organization, "bo@example.com")
      yield* give(alone)
      const interviews = yield* Interviews
      yield* interviews.start(alone.token)
      yield* interviews.finish(alone.token, [])
      yield* round
      assert.strictEqual(asked.length, 1)
      const detail = yield* detailOf(alone)
      assert.deepInclude(detail, { score: null, score_status: "cannot_evaluate" })
      assert.strictEqual(
        detail.criteria[0]?.rationale,
        "The candidate uploaded files without text. Files are not read.",
      )
      assert.deepStrictEqual(detail.answers, [
        {
          question_id: QuestionId.make(organization.set.iai_questions[1]?.id ?? ""),
          title: "Your portfolio",
          attempt: 1,
          content: null,
          options: [],
          file: {
            name: "Ada Lovelace.pdf",
            type: "application/pdf",
            size: 1,
            url: detail.answers[0]?.file?.url ?? "",
          },
        },
      ])
    }).pipe(
      Pod.provide({
        evaluate: (input) => {
          asked.push(input.sources)
          return Pod.strong(input)
        },
      }),
    ),
  )
})
