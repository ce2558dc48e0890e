/** The detail of a submission, over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { EvaluationQueue } from "../../src/evaluations/EvaluationQueue.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { Overrides } from "../../src/reviews/Overrides.ts"
import * as Api from "../support/Api.ts"
import * as Cvs from "../support/Cvs.ts"
import * as Members from "../support/Members.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Workspace from "../support/Workspace.ts"

const { createSet, detail, invite } = Api.paths
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

layer(Api.layer(), { excludeTestServices: true })("Submission detail", (it) => {
  it.effect("shows a submission before and after the interview, to its organization only", () =>
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
      assert.deepStrictEqual(Object.keys(candidate as Api.Row), [
        "id",
        "ats_candidate_id",
        "external_id",
        "metadata",
        "email",
        "name",
      ])
      const empty = {
        summary: null,
        strengths: [],
        gaps: [],
        recommendations: [],
        criteria: [],
        evaluations: [],
        answers: [],
        cv_notes: [],
        cv_file: null,
      }
      const pending = { id: invitation["id"], status_text: "pending" }
      assert.deepStrictEqual(common, {
        id,
        submission_url: `http://localhost:8080/submissions/${id}`,
        status_text: "need_interview",
        interview_set: { id: set["id"], title: "Backend Engineer", external_id: null },
        invitation: pending,
        score: null,
        score_status: "not_scored",
        decision: { decision: null, reason: null, decided_by: null, decided_at: null },
        stage: null,
        decision_version: 0,
        stage_version: 0,
        has_knock_out: false,
        tags: [],
        ...empty,
        initiated_at: null,
        started_at: null,
        completed_at: null,
        declined_at: null,
        decline_reason: null,
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
      yield* runOnce((yield* EvaluationQueue).queue)
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
      const warning = {
        code: "short_answer",
        message: "The written answers have 5 words in total, too few for a reliable rating.",
      }
      const figures = {
        score: 7.5,
        score_status: "scored",
        summary: "Good.",
        criteria: [criterion],
        warnings: [warning],
      }
      const { answers, completed_at, evaluations, initiated_at, started_at, ...rest } = after
      for (const at of [initiated_at, started_at, completed_at]) assert.match(String(at), timestamp)
      assert.deepStrictEqual(rest, {
        id,
        submission_url: `http://localhost:8080/submissions/${id}`,
        status_text: "evaluated",
        interview_set: { id: set["id"], title: "Backend Engineer", external_id: null },
        candidate,
        invitation: pending,
        decision: { decision: null, reason: null, decided_by: null, decided_at: null },
        stage: null,
        decision_version: 0,
        stage_version: 0,
        has_knock_out: false,
        tags: [],
        ...figures,
        strengths: [],
        gaps: [],
        recommendations: [],
        cv_notes: [],
        cv_file: null,
        declined_at: null,
        decline_reason: null,
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
          options: [{ id: "2", title: "There", is_knock_out: false }],
          file: null,
        },
      ])
    }),
  )

  it.effect("shows three evaluations, a held event, an override and a file", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const organization = yield* Scenario.organization({
        number_of_retakes: 1,
        iai_questions: [
          { content: Scenario.question, question_mode: "interview", question_type: "text" },
          { title: "Portfolio", question_mode: "interview", question_type: "file" },
        ],
      })
      const candidate = yield* Scenario.invited(organization)
      const { submission_id } = candidate.subject
      const { key } = yield* Api.keyOf(organization.id)
      const portfolio = organization.set.iai_questions[1]?.id ?? ""
      yield* sql`
        with b as (insert into blob (id, organization_id, size) values (gen_random_uuid(), ${organization.id}::int, 7) returning id)
        insert into answer (organization_id, submission_id, attempt, question_id, blob_id, file_name, file_type)
        select ${organization.id}::int, ${submission_id}::uuid, 1, ${portfolio}::uuid, b.id, 'work.pdf', 'application/pdf' from b`
      yield* Scenario.completed(candidate)
      yield* Cvs.read(candidate)
      while ((yield* runOnce((yield* EvaluationQueue).queue)) > 0);
      const account = yield* Workspace.member(organization.id, "rita@acme.example", "recruiter")
      const rita = Members.viewer(organization.id, account)
      const reason = "She explained the plan."
      yield* (yield* Overrides).override(rita, {
        submission: submission_id,
        evaluation_type: "holistic",
        score: 9.3,
        reason,
      })
      const found = yield* Api.results(200, "GET", detail(submission_id), { key })
      const { answers, evaluations, ...figures } = found
      const [cv = {}, holistic = {}, interview = {}] = evaluations as ReadonlyArray<Api.Row>
      for (const one of [cv, holistic, interview]) {
        assert.sameMembers(Object.keys(one), [
          "warnings",
          "evaluation_type",
          "score",
          "score_status",
          "summary",
          "strengths",
          "gaps",
          "recommendations",
          "criteria",
          "evaluator",
          "evaluated_at",
          "held_until",
          "override",
        ])
        assert.match(String(one["evaluated_at"]), timestamp)
      }
      assert.deepInclude(cv, { evaluation_type: "cv", evaluator: "test 1", held_until: null, override: null })
      assert.deepInclude(interview, { evaluation_type: "interview", evaluator: "test 1", override: null })
      assert.deepInclude(holistic, { evaluation_type: "holistic", evaluator: "holistic/1" })
      assert.match(String(holistic["held_until"]), timestamp)
      assert.strictEqual(holistic["held_until"], interview["held_until"])
      const { at, ...own } = holistic["override"] as Api.Row
      assert.match(String(at), timestamp)
      assert.deepStrictEqual(own, { score: 9.3, reason, member: { id: rita.id, name: "rita@acme.example" } })
      const { criteria, gaps, recommendations, score, score_status, strengths, summary } = holistic
      assert.deepInclude(figures, { criteria, gaps, recommendations, score, score_status, strengths, summary })
      assert.deepInclude(figures, { score: 7.5, score_status: "scored", status_text: "completed" })
      const first = (criteria as ReadonlyArray<Api.Row>)[0]?.["evidence"]
      assert.deepStrictEqual(first, [
        { quote: Scenario.answer, source: "answer", question_id: organization.set.iai_questions[0]?.id },
        { quote: Cvs.text, source: "cv", question_id: null },
      ])
      assert.deepStrictEqual((answers as ReadonlyArray<Api.Row>)[1], {
        question_id: portfolio,
        title: "Portfolio",
        attempt: 1,
        content: null,
        options: [],
        file: {
          name: "work.pdf",
          type: "application/pdf",
          size: 7,
          url: `http://localhost:0/company/integration/hiring/submissions/${submission_id}/answers/${portfolio}/file/v1?attempt=1`,
        },
      })
      assert.notMatch(JSON.stringify(found), /"(raw|input|input_hash|model|error|cv_evaluation_id)"/)
    }),
  )
})
