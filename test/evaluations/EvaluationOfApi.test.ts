/** The weight of requirements, and the submission detail of the API (docs/api.md). */
import { assert, layer } from "@effect/vitest"
import { Effect, Schema, Stream } from "effect"
import { EvaluationQueue } from "../../src/evaluations/EvaluationQueue.ts"
import type { Evaluator } from "../../src/evaluations/Evaluator.ts"
import { Level } from "../../src/evaluations/Score.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Uploads } from "../../src/interviews/Uploads.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { QuestionId } from "../../src/values/Ids.ts"
import * as Api from "../support/Api.ts"
import { Caller, created, detail, invitedOne, layer as specification } from "../support/Specification.ts"

const narrative = {
  summary: "Knows it.",
  strengths: ["Ran it for years"],
  gaps: ["No backups"],
  recommendations: ["Ask about backups"],
}

/** Rates each requirement as its title says, with the first answer as evidence; other titles are not rated. */
const evaluate: Evaluator["Service"]["evaluate"] = ({ requirements, sources }) =>
  Effect.succeed({
    ...narrative,
    evaluator: "test 1",
    model: null,
    raw: null,
    ratings: requirements.flatMap(({ id, title }) =>
      Schema.is(Level)(title)
        ? [
            {
              requirement_id: id,
              level: title,
              rationale: `It is ${title}.`,
              evidence: sources
                .slice(0, 1)
                .map(({ question_id, source, text }) => ({ quote: text, source, question_id })),
            },
          ]
        : [],
    ),
  })

const read = (id: unknown) => Effect.flatMap(Caller, ({ key }) => Api.results(200, "GET", detail(String(id)), { key }))

/** A candidate who answered the set's first question, uploaded the file for the second one, and was evaluated. */
const evaluated = Effect.fnUntraced(function* (
  iai_requirements: ReadonlyArray<object>,
  { content = "I ran PostgreSQL.", file }: { readonly content?: string; readonly file?: string } = {},
) {
  const question = { title: "Your work", question_mode: "interview", question_type: "text" }
  const set = yield* created({
    title: "Backend Engineer",
    iai_questions: file === undefined ? [question] : [question, { ...question, question_type: "file" }],
    iai_requirements,
  })
  const { submission } = yield* invitedOne({ com_interview_set_id: set["id"] }, { email: "ada@example.com" })
  const interviews = yield* Interviews
  const token = String(submission?.interview_url).replace(/^.*\//, "")
  const { questions } = yield* interviews.view(token)
  yield* interviews.start(token)
  const [text, upload] = questions
  if (upload !== undefined && file !== undefined) {
    const target = { token, question: QuestionId.make(upload.id) }
    yield* (yield* Uploads).attach(target, file, Stream.make(Buffer.from("%PDF-1.7\n%%EOF\n")))
  }
  const answers = text === undefined ? [] : [{ question_id: text.id, content, option_ids: [] }]
  yield* interviews.finish(token, answers)
  while ((yield* runOnce((yield* EvaluationQueue).queue)) > 0);
  return { set, read: yield* read(submission?.id) }
})

const submissions = "/company/integration/hiring/submissions/v1"

const rows = (value: unknown) => value as ReadonlyArray<Api.Row>

layer(specification({ evaluate }), { excludeTestServices: true })("an evaluation", (it) => {
  it.effect.each<readonly [quote: string, importance: string, id: number, weight: number, total: number]>([
    ["weighs Good To Have once", "244", 244, 1, 5],
    ["weighs Important twice", "245", 245, 2, 6.7],
    ["weighs Very Important three times", "272", 272, 3, 7.5],
    ["weighs Must Have four times", "273", 273, 4, 8],
    ["stores another importance as 244", "4", 244, 1, 5],
    ["stores another importance as 244", "999", 244, 1, 5],
  ])("%s and rounds the total to one decimal", ([, importance, id, weight, total]) =>
    Effect.gen(function* () {
      const { read } = yield* evaluated([
        { title: "full", cfg_importance_id: Number(importance) },
        { title: "none", cfg_importance_id: 244 },
        { title: "not rated", cfg_importance_id: 273 },
      ])
      assert.deepInclude(read, { score: total, score_status: "scored", status_text: "evaluated" })
      assert.deepStrictEqual(
        rows(read["criteria"]).map(({ cfg_importance_id, score, weight }) => [cfg_importance_id, weight, score]),
        [
          [id, weight, 10],
          [244, 1, 0],
          [273, 4, null],
        ],
      )
    }),
  )

  it.effect.each([
    "0",
    "1",
    "4",
    "243",
    "274",
    "999",
    "-244",
    "244.5",
    "1e400",
    "-1e400",
    "9007199254740993",
    '"245"',
    '"273"',
    '""',
    "null",
    "true",
    "[]",
    "[273]",
    '{"id": 273}',
    '"\\u0000"',
    '"\\ud800"',
  ])("stores a missing or unknown cfg_importance_id as 244: %s", (value) =>
    Effect.gen(function* () {
      const requirement = `{ "title": "full", "cfg_importance_id": ${value} }`
      const { iai_requirements } = yield* created(`{ "title": "x", "iai_requirements": [${requirement}, {}] }`)
      assert.deepStrictEqual(
        rows(iai_requirements).map((one) => one["cfg_importance_id"]),
        [244, 244],
      )
    }),
  )

  it.effect.each([
    ["none", 0],
    ["weak", 2.5],
    ["partial", 5],
    ["strong", 7.5],
    ["full", 10],
  ] as const)("scores the level %s as %s", ([level, score]) =>
    Effect.gen(function* () {
      const { read } = yield* evaluated([{ title: level, cfg_importance_id: 272 }])
      assert.deepInclude(read, { score, score_status: "scored" })
      assert.deepInclude(rows(read["criteria"])[0], { score, score_status: "scored", rationale: `It is ${level}.` })
    }),
  )

  it.effect("has summary, strengths, gaps, recommendations and criteria with scores", () =>
    Effect.gen(function* () {
      const { read, set } = yield* evaluated([{ title: "strong", cfg_importance_id: 273 }])
      const [question] = rows(set["iai_questions"])
      const [requirement] = rows(set["iai_requirements"])
      const figures = {
        ...narrative,
        score: 7.5,
        score_status: "scored",
        criteria: [
          {
            requirement_id: requirement?.["id"],
            title: "strong",
            cfg_importance_id: 273,
            weight: 4,
            score: 7.5,
            score_status: "scored",
            rationale: "It is strong.",
            evidence: [{ quote: "I ran PostgreSQL.", source: "answer", question_id: question?.["id"] }],
          },
        ],
      }
      assert.deepInclude(read, figures)
      const [evaluation, ...others] = rows(read["evaluations"])
      assert.deepStrictEqual(others, [])
      assert.deepInclude(evaluation, { ...figures, evaluation_type: "interview", evaluator: "test 1", override: null })
    }),
  )

  it.effect.each([
    ["cannot_evaluate when the evaluator rated nothing", [{ title: "not rated" }], "cannot_evaluate"],
    ["not_scored when the set has no requirements", [], "not_scored"],
  ] as const)("has no score: %s", ([, requirements, score_status]) =>
    Effect.gen(function* () {
      const { read } = yield* evaluated(requirements)
      assert.deepInclude(read, { score: null, score_status, status_text: "evaluated" })
      assert.deepInclude(rows(read["evaluations"])[0], { score: null, score_status })
    }),
  )

  it.effect("shows the holistic score at the top, else the interview's, else the CV's", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { read: before } = yield* evaluated([{ title: "strong" }])
      const store = (type: string, score: number) => sql`
        insert into evaluation (id, organization_id, submission_id, evaluation_type, attempt, state, due_at, evaluated_at, result)
        select gen_random_uuid(), organization_id, submission_id, ${type}, 1, 'done', null, evaluated_at,
          result || jsonb_build_object('score', ${score}::float8)
        from evaluation where submission_id = ${String(before["id"])}::uuid and evaluation_type = 'interview'`
      const figures = Effect.map(read(before["id"]), ({ evaluations, score }) => ({
        score,
        types: rows(evaluations).map((one) => one["evaluation_type"]),
      }))
      yield* store("cv", 1)
      assert.deepStrictEqual(yield* figures, { score: 7.5, types: ["cv", "interview"] })
      yield* store("holistic", 9)
      assert.deepStrictEqual(yield* figures, { score: 9, types: ["cv", "holistic", "interview"] })
      yield* sql`delete from evaluation where evaluation_type <> 'cv' and submission_id = ${String(before["id"])}::uuid`
      assert.deepStrictEqual(yield* figures, { score: 1, types: ["cv"] })
    }),
  )

  it.effect("moves the submission through need_interview, initiated, started, completed and evaluated", () =>
    Effect.gen(function* () {
      const interviews = yield* Interviews
      const { id } = yield* created({ title: "x", iai_requirements: [{ title: "none" }] })
      const { submission } = yield* invitedOne({ com_interview_set_id: id }, { email: "ada@example.com" })
      const token = String(submission?.interview_url).replace(/^.*\//, "")
      const state = Effect.map(read(submission?.id), ({ completed_at, initiated_at, started_at, status_text }) => [
        status_text,
        ...[initiated_at, started_at, completed_at].map((at) => typeof at),
      ])
      const [no, yes] = ["object", "string"]
      assert.deepStrictEqual(yield* state, ["need_interview", no, no, no])
      yield* interviews.initiate(token)
      assert.deepStrictEqual(yield* state, ["initiated", yes, no, no])
      yield* interviews.start(token)
      assert.deepStrictEqual(yield* state, ["started", yes, yes, no])
      yield* interviews.finish(token, [])
      assert.deepStrictEqual(yield* state, ["completed", yes, yes, yes])
      while ((yield* runOnce((yield* EvaluationQueue).queue)) > 0);
      assert.deepStrictEqual(yield* state, ["evaluated", yes, yes, yes])
    }),
  )

  it.effect("is found by the submission_id of the webhook and of the invite's result", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { read: found } = yield* evaluated([{ title: "strong" }])
      const [event] = yield* sql<{ data: Api.Row }>`
        select body::jsonb -> 'data' as data from webhook_event
        where event_type = 'interview.evaluation.update' and submission_id = ${String(found["id"])}::uuid`
      assert.deepInclude(event?.data, { evaluation_type: "interview", submission_url: found["submission_url"] })
      assert.deepInclude(event?.data, { evaluation_score: 7.5, score_status: "scored" })
      assert.deepStrictEqual(yield* read(String(event?.data["submission_id"]).toUpperCase()), found)
    }),
  )

  it.effect(
    "has warnings in detail, list and event when the text is short or a file was uploaded, and none otherwise",
    () =>
      Effect.gen(function* () {
        const { sql } = yield* Database
        const { key } = yield* Caller
        const short = {
          code: "short_answer",
          message: "The written answers have 3 words in total, too few for a reliable rating.",
        }
        const unread = { code: "part_not_read", message: "Uploaded files were not read." }
        const long = "I ran PostgreSQL. ".repeat(8)
        for (const [given, expected] of [
          [{}, { warnings: [short] }],
          [{ content: long }, {}],
          [{ content: long, file: "cv.pdf" }, { warnings: [unread] }],
          [{ file: "cv.pdf" }, { warnings: [short, unread] }],
        ] as const) {
          const { read: found, set } = yield* evaluated([{ title: "strong" }], given)
          const list = yield* Api.call("GET", `${submissions}?interview_set_id=${set["id"]}`, { key })
          const [listed] = rows((list.body as Api.Row)["results"])
          const [event] = yield* sql<{ data: Api.Row }>`
          select body::jsonb -> 'data' as data from webhook_event
          where event_type = 'interview.evaluation.update' and submission_id = ${String(found["id"])}::uuid`
          for (const place of [found, rows(found["evaluations"])[0], listed, event?.data]) {
            assert.deepStrictEqual("warnings" in (place ?? {}) ? { warnings: place?.["warnings"] } : {}, expected)
          }
        }
      }),
  )
})
