/** What a hiring system reads of a submission (contract, Submission detail), over real HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Evaluations } from "../../src/service/Evaluations.ts"
import { Interviews } from "../../src/service/Interviews.ts"
import { runOnce } from "../../src/service/WorkQueue.ts"
import * as Api from "../support/Api.ts"

const { createSet, detail, invite } = Api.paths
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

layer(Api.layer(), { excludeTestServices: true })("Submission detail", (it) => {
  it.effect("the detail of a submission, before and after the interview, for its own organization alone", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const set = yield* Api.results(201, "POST", createSet, {
        key,
        json: {
          title: "Backend Engineer",
          iai_questions: [
            { title: "Your work", question_mode: "interview", question_type: "text" },
            {
              title: "Where",
              question_mode: "pre_screening",
              question_type: "radio",
              options: [{ title: "Here" }, { title: "There" }],
            },
          ],
          iai_requirements: [{ title: "PostgreSQL", cfg_importance_id: 273 }],
        },
      })
      const ats = "0190b5a2-7c1e-7def-8abc-0123456789ab"
      const [invited] = yield* Api.results<ReadonlyArray<Api.Row>>(200, "POST", invite, {
        key,
        json: {
          com_interview_set_id: set["id"],
          candidates: [{ ats_candidate_id: ats, email: "ada@example.com", firstname: "Ada", lastname: "Lovelace" }],
        },
      })
      const submission = invited?.["submission"] as Api.Row
      const invitation = invited?.["invitation"] as Api.Row
      const id = String(submission["id"])
      const before = yield* Api.results(200, "GET", detail(id.toUpperCase()), { key })
      const { candidate, ...common } = before
      assert.deepInclude(candidate as Api.Row, {
        ats_candidate_id: ats,
        email: "ada@example.com",
        name: "Ada Lovelace",
      })
      assert.deepStrictEqual(Object.keys(candidate as Api.Row), ["id", "ats_candidate_id", "email", "name"])
      const empty = {
        summary: null,
        strengths: [],
        gaps: [],
        recommendations: [],
        criteria: [],
        evaluations: [],
        answers: [],
        cv_notes: [],
      }
      const pending = { id: invitation["id"], status_text: "pending" }
      assert.deepStrictEqual(common, {
        id,
        submission_url: `http://localhost:8080/submissions/${id}`,
        status_text: "need_interview",
        interview_set: { id: set["id"], title: "Backend Engineer" },
        invitation: pending,
        score: null,
        score_status: "not_scored",
        ...empty,
        initiated_at: null,
        started_at: null,
        completed_at: null,
        declined_at: null,
      })

      const interviews = yield* Interviews
      const token = String(submission["interview_url"]).replace(/^.*\//, "")
      const { questions } = yield* interviews.view(token)
      yield* interviews.start(token)
      yield* interviews.finish(
        token,
        questions.map(({ id, options }) => ({
          question_id: id,
          content: options.length > 0 ? null : "I ran PostgreSQL for years.",
          option_ids: options.slice(1).map((one) => String(one.id)),
        })),
      )
      yield* runOnce((yield* Evaluations).queue)
      const after = yield* Api.results(200, "GET", detail(id), { key })
      const [work, where] = set["iai_questions"] as readonly [Api.Row, Api.Row]
      const [rated] = set["iai_requirements"] as readonly [Api.Row]
      const criterion = {
        requirement_id: rated["id"],
        title: "PostgreSQL",
        cfg_importance_id: 273,
        weight: 4,
        score: 7.5,
        score_status: "scored",
        rationale: "It says so.",
        evidence: [{ quote: "I ran PostgreSQL for years.", source: "answer", question_id: work["id"] }],
      }
      const figures = { score: 7.5, score_status: "scored", summary: "Good.", criteria: [criterion] }
      const { answers, completed_at, evaluations, initiated_at, started_at, ...rest } = after
      for (const at of [initiated_at, started_at, completed_at]) assert.match(String(at), timestamp)
      assert.deepStrictEqual(rest, {
        id,
        submission_url: `http://localhost:8080/submissions/${id}`,
        status_text: "evaluated",
        interview_set: { id: set["id"], title: "Backend Engineer" },
        candidate,
        invitation: pending,
        ...figures,
        strengths: [],
        gaps: [],
        recommendations: [],
        cv_notes: [],
        declined_at: null,
      })
      const [evaluation] = evaluations as readonly [Api.Row]
      const { evaluated_at, ...found } = evaluation
      assert.match(String(evaluated_at), timestamp)
      assert.deepInclude(found, {
        evaluation_type: "interview",
        evaluator: "test 1",
        held_until: null,
        override: null,
        ...figures,
      })
      assert.deepStrictEqual(answers, [
        {
          question_id: work["id"],
          title: "Your work",
          attempt: 1,
          content: "I ran PostgreSQL for years.",
          options: [],
          file: null,
        },
        {
          question_id: where["id"],
          title: "Where",
          attempt: 1,
          content: null,
          options: [{ id: "2", title: "There" }],
          file: null,
        },
      ])

      const foreign = yield* Api.account
      assert.strictEqual((yield* Api.call("GET", detail(id), foreign)).status, 404)
      assert.strictEqual((yield* Api.call("GET", detail(String(invitation["id"])), { key })).status, 404)
      const json = { com_interview_set_id: set["id"], candidates: [{ email: "ada@example.com" }] }
      assert.strictEqual((yield* Api.call("POST", invite, { key: foreign.key, json })).status, 404)
    }),
  )
})
