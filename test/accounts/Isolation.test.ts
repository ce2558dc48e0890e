/**
 * An organization never sees, references or changes records of another one. Tests every route of the API contract, and fails
 * for a new route or parameter that it has no values for.
 */
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { operator } from "../../src/accounts/Viewer.ts"
import { EvaluationQueue } from "../../src/evaluations/EvaluationQueue.ts"
import { InterviewSets } from "../../src/interview-sets/InterviewSets.ts"
import { Projects } from "../../src/interview-sets/Projects.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Invite } from "../../src/invitations/Invite.ts"
import { InviteRequest } from "../../src/invitations/InviteRequest.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import * as Api from "../support/Api.ts"
import * as Contract from "../support/Contract.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Tables from "../support/Tables.ts"

const candidates = [{ email: "ada@example.com", name: "Ada" }]
const invitations = "/company/integration/hiring/invitations/v1"
const cv = "https://cv.example/bo.pdf"

/** An organization with every kind of record, and an id of each. */
const furnished = Effect.fnUntraced(function* (name: string, ats_candidate_id: string) {
  const external_id = `${name}-1`
  const email = `only@${name}.example`
  const { id, set: other } = yield* Scenario.organization({}, name)
  const projects = yield* Projects
  const project_id = yield* projects.create(operator(id), `${name}'s project`)
  const job_post_id = yield* projects.createJobPost(operator(id), project_id, `${name}'s job post`)
  const set = yield* (yield* InterviewSets).create(operator(id), {
    title: `${name}'s set`,
    project_id,
    external_id,
    iai_questions: [{ content: Scenario.question, question_mode: "interview", question_type: "text" }],
    iai_requirements: [{ title: "PostgreSQL" }],
  })
  const endpoint = yield* Scenario.endpoint(id)
  const [cy] = yield* (yield* Invite).invite(
    operator(id),
    InviteRequest.make({
      com_project_id: project_id,
      com_job_post_id: job_post_id,
      candidates: [
        { ats_candidate_id, external_id, email: "cy@example.com" },
        { cv_link: cv },
        { email: "invalid" },
        { email },
      ],
    }),
  )
  const url = cy?.submission?.interview_url ?? ""
  const interviews = yield* Interviews
  const token = url.slice(url.lastIndexOf("/") + 1)
  yield* interviews.start(token)
  const answers = set.iai_questions.map((one) => ({ question_id: one.id, content: Scenario.answer, option_ids: [] }))
  yield* interviews.finish(token, answers)
  yield* runOnce((yield* EvaluationQueue).queue)
  yield* Scenario.invited({ id, set: other })
  const { sql } = yield* Database
  yield* sql`insert into suppression (organization_id, email, reason) values (${id}::int, ${`${name}@example.com`}, 'x')`
  const [ids] = yield* sql<{ invitation_id: string; submission_id: string; candidate_id: string }>`
    select i.id as invitation_id, i.submission_id, i.candidate_id
    from invitation i join candidate c on c.id = i.candidate_id where c.ats_candidate_id = ${ats_candidate_id}::uuid`
  assert(ids)
  const [delivery] = yield* sql<{ id: string }>`
    select id::text as id from webhook_delivery where endpoint_id = ${endpoint.id}::uuid order by id limit 1`
  assert(delivery)
  const hook = { endpoint_id: String(endpoint.id), delivery_id: delivery.id }
  return {
    organization: id,
    name,
    key: (yield* Api.keyOf(id)).key,
    ids: {
      ...ids,
      ...hook,
      ats_candidate_id,
      external_id,
      email,
      project_id,
      job_post_id,
      interview_set_id: set.id,
      other_set_id: other.id,
    },
  }
})

type Furnished = Effect.Success<ReturnType<typeof furnished>>
type Ids = Furnished["ids"]

/** The organization that calls the API, and the other one. */
class Both extends Context.Service<Both, { readonly theirs: Furnished; readonly own: Furnished }>()(
  "interview-invitations/test/Both",
) {
  static readonly layer = Layer.effect(
    Both,
    // the other organization's records are newer, so a list of all would start with them
    Effect.all({
      own: furnished("own", "0190b5a2-7c1e-7def-8abc-000000000002"),
      theirs: furnished("theirs", "0190b5a2-7c1e-7def-8abc-000000000001"),
    }).pipe(Effect.orDie),
  )
}

/** The record that the id in a path names. */
const inPath: Record<string, keyof Ids> = {
  "interviewSets.read": "interview_set_id",
  "invitations.read": "invitation_id",
  "invitations.resend": "invitation_id",
  "invitations.extend": "invitation_id",
  "invitations.cancel": "invitation_id",
  "submissions.detail": "submission_id",
  "webhookEndpoints.read": "endpoint_id",
  "webhookEndpoints.update": "endpoint_id",
  "webhookEndpoints.remove": "endpoint_id",
  "webhookEndpoints.rotateSecret": "endpoint_id",
  "webhookEndpoints.test": "endpoint_id",
  "webhookEndpoints.deliveries": "endpoint_id",
  "webhookEndpoints.resend": "endpoint_id",
}

interface Refused {
  readonly json: object
  readonly status: number
  readonly code: string
}

const unknown = (json: object): Refused => ({ json: { candidates, ...json }, status: 404, code: "not_found" })

/** Bodies of routes with an id in the path. */
const besidePath: Record<string, object> = {
  "invitations.extend": { expires_at: "2999-01-01T00:00:00Z" },
  "webhookEndpoints.update": { name: "taken", url: "https://taken.example/", status: "inactive" },
}

/** Bodies with the other organization's ids, alone and beside own ones. */
const bodies: Record<string, (theirs: Ids, own: Ids) => ReadonlyArray<Refused>> = {
  "interviewSets.create": ({ project_id }) => [
    { json: { title: "x", project_id }, status: 422, code: "validation_failed" },
  ],
  // the body refers to no record; its id is ignored
  "webhookEndpoints.create": ({ endpoint_id }) => [
    { json: { id: endpoint_id, name: "x", url: "http://10.0.0.1/" }, status: 422, code: "validation_failed" },
  ],
  "invitations.invite": (theirs, own) => [
    unknown({ com_interview_set_id: theirs.interview_set_id }),
    unknown({ com_interview_set_id: theirs.other_set_id }),
    unknown({ com_project_id: theirs.project_id }),
    unknown({ com_project_id: theirs.project_id, com_job_post_id: theirs.job_post_id }),
    unknown({ com_project_id: theirs.project_id, com_interview_set_id: theirs.interview_set_id }),
    unknown({ com_project_id: theirs.project_id, com_interview_set_id: own.interview_set_id }),
    unknown({ com_project_id: own.project_id, com_interview_set_id: theirs.interview_set_id }),
    unknown({ com_project_id: own.project_id, com_job_post_id: theirs.job_post_id }),
    unknown({ com_interview_set_id: own.interview_set_id, com_job_post_id: theirs.job_post_id }),
  ],
}

/** Parameters of lists that are not ids. */
const nameless = [
  "limit",
  "cursor",
  "status",
  "decision",
  "set_type",
  "event_type",
  "since",
  "from",
  "state",
  "updated_since",
]

const filled = ({ name, path }: Contract.Endpoint, ids: Ids): string => {
  const which = inPath[name]
  const full = which === undefined ? path : path.replace(":id", ids[which]).replace(":delivery", ids.delivery_id)
  assert.notInclude(full, ":", `${name}: say in inPath what its path names`)
  return full
}

const ask = Effect.fnUntraced(function* (endpoint: Contract.Endpoint, key: string, path: string, json?: object) {
  const answer = yield* Api.call(endpoint.method, path, { key, ...(json === undefined ? {} : { json }) })
  Contract.documented(endpoint, answer)
  return answer
})

const uuids = (text: string): ReadonlyArray<string> => text.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? []

/** Sends requests, then asserts that no row has changed and no response contains an id of the other organization. */
const untouched = Effect.fnUntraced(function* <E, R>(requests: Effect.Effect<ReadonlyArray<Api.Answer>, E, R>) {
  const { own, theirs } = yield* Both
  const rows = Effect.all([Tables.rowsOf(theirs.organization), Tables.rowsOf(own.organization)])
  const before = yield* rows
  const answers = yield* requests
  assert.deepStrictEqual(yield* rows, before)
  const secret = new Set(before[0].flatMap(uuids))
  for (const id of before[1].flatMap(uuids)) secret.delete(id)
  for (const { body } of answers) {
    const text = JSON.stringify(body)
    assert.isFalse(
      uuids(text).some((id) => secret.has(id)),
      text,
    )
    assert.notInclude(text, "theirs")
  }
})

const resultsOf = ({ body }: Api.Answer) => (body as { readonly results: ReadonlyArray<Api.Row> }).results

layer(Both.layer.pipe(Layer.provideMerge(Api.layer())), { excludeTestServices: true })("Isolation", (it) => {
  it.effect("returns 401 without an API key on every route", () =>
    Effect.gen(function* () {
      const { own } = yield* Both
      for (const endpoint of Contract.endpoints) {
        Contract.problem(yield* Api.call(endpoint.method, filled(endpoint, own.ids)), 401, "unauthorized")
      }
    }),
  )

  for (const endpoint of Contract.endpoints) {
    const { method, name, parameters, path } = endpoint
    const title = `${method} ${path}`
    if (path.includes(":")) {
      it.effect(`${title}: returns 404 for another organization's id, as for an unknown one`, () =>
        Effect.gen(function* () {
          const { own, theirs } = yield* Both
          yield* untouched(
            Effect.gen(function* () {
              const body = besidePath[name]
              const answer = yield* ask(endpoint, own.key, filled(endpoint, theirs.ids), body)
              Contract.problem(answer, 404, "not_found")
              const nothing = yield* ask(
                endpoint,
                own.key,
                path.replace(":id", "0190b5a2-7c1e-7def-8abc-0123456789ab").replace(":delivery", "999999"),
                body,
              )
              assert.deepStrictEqual(answer.body, nothing.body)
              return [answer]
            }),
          )
          // so the id exists
          if (method === "GET") {
            assert.strictEqual((yield* ask(endpoint, theirs.key, filled(endpoint, theirs.ids))).status, 200)
          }
        }),
      )
    } else if (method === "POST") {
      it.effect(`${title}: refuses a body with another organization's id`, () =>
        Effect.gen(function* () {
          const { own, theirs } = yield* Both
          const requests = bodies[name]?.(theirs.ids, own.ids) ?? []
          assert.isNotEmpty(requests, `${name}: say in bodies how a request names records`)
          yield* untouched(
            Effect.forEach(requests, ({ code, json, status }) =>
              Effect.tap(ask(endpoint, own.key, path, json), (answer) =>
                Effect.sync(() => Contract.problem(answer, status, code)),
              ),
            ),
          )
        }),
      )
    } else if (parameters.length > 0) {
      it.effect(`${title}: lists own records only, and none for another organization's id`, () =>
        Effect.gen(function* () {
          const { own, theirs } = yield* Both
          const named = parameters.filter((parameter) => !nameless.includes(parameter))
          yield* untouched(
            Effect.gen(function* () {
              const answers = [yield* ask(endpoint, own.key, path), yield* ask(endpoint, own.key, `${path}?limit=1`)]
              for (const answer of answers) assert.isNotEmpty(resultsOf(answer))
              for (const parameter of named) {
                const id = theirs.ids[parameter as keyof Ids]
                assert.isDefined(id, `${name}: give furnished organizations a ${parameter}`)
                const query = `${path}?${parameter}=${id}`
                const found = yield* ask(endpoint, own.key, query)
                assert.deepStrictEqual(resultsOf(found), [], parameter)
                assert.isNotEmpty(resultsOf(yield* ask(endpoint, theirs.key, query)), parameter)
                answers.push(found)
              }
              const first = yield* ask(endpoint, theirs.key, `${path}?limit=1`)
              const { next_cursor } = first.body as { readonly next_cursor: string | null }
              const behind = next_cursor === null ? path : `${path}?cursor=${next_cursor}`
              return [...answers, yield* ask(endpoint, own.key, behind)]
            }),
          )
        }),
      )
    } else {
      it.effect(`${title}: returns the caller's own record`, () =>
        Effect.gen(function* () {
          const { own } = yield* Both
          assert.strictEqual(name, "account.me", "say what this route shows")
          yield* untouched(
            Effect.map(ask(endpoint, own.key, path), (answer) => {
              const { results } = answer.body as { readonly results: Api.Row }
              assert.deepStrictEqual(results["organization"], { id: own.organization, name: own.name })
              return [answer]
            }),
          )
        }),
      )
    }
  }

  it.effect("keeps candidates with the same address, id and CV link apart by organization", () =>
    Effect.gen(function* () {
      const { own, theirs } = yield* Both
      const before = yield* Tables.rowsOf(theirs.organization)
      const { ats_candidate_id } = theirs.ids
      const json = {
        com_interview_set_id: own.ids.interview_set_id,
        candidates: [{ ats_candidate_id, email: "cy@example.com" }, { cv_link: cv }, { email: "theirs@example.com" }],
      }
      const sent = { key: own.key, json }
      const invited = yield* Api.results<ReadonlyArray<Api.Row>>(200, "POST", Api.paths.invite, sent)
      assert.deepStrictEqual(yield* Tables.rowsOf(theirs.organization), before)
      const secret = new Set(before.flatMap(uuids))
      assert.deepStrictEqual(
        uuids(JSON.stringify(invited)).filter((id) => id !== ats_candidate_id && secret.has(id)),
        [],
      )
      const known = yield* Api.call("GET", `${invitations}?ats_candidate_id=${ats_candidate_id}`, { key: own.key })
      assert.deepStrictEqual(
        resultsOf(known).map(({ id }) => id),
        [(invited[0]?.["invitation"] as Api.Row | undefined)?.["id"]],
      )
      // unsubscribing counts for one organization
      assert.deepInclude(invited[2]?.["invitation"], { status_text: "pending" })
    }),
  )

  it.effect("replays an Idempotency-Key only for the API key that sent it", () =>
    Effect.gen(function* () {
      const { own, theirs } = yield* Both
      const second = (yield* Api.keyOf(theirs.organization)).key
      const headers = { "idempotency-key": "the-same" }
      const replayed = Effect.fnUntraced(function* (key: string, title: string) {
        const answer = yield* Api.call("POST", Api.paths.createSet, { key, json: { title }, headers })
        assert.strictEqual(answer.status, 201)
        return answer.headers.get("idempotency-replayed") === "true"
      })
      assert.isFalse(yield* replayed(theirs.key, "x"))
      assert.isTrue(yield* replayed(theirs.key, "x"))
      assert.isFalse(yield* replayed(second, "x"))
      assert.isFalse(yield* replayed(own.key, "x"))
      const third = (yield* Api.keyOf(own.organization)).key
      assert.isFalse(yield* replayed(third, "another request"))
    }),
  )

  it.effect("shows a candidate's link only to keys with invite_candidates", () =>
    Effect.gen(function* () {
      const { own } = yield* Both
      for (const [scopes, isShown] of [
        [[], true],
        [["invite_candidates"], true],
        [["read"], false],
        [["create_set"], false],
      ] as const) {
        const { key } = yield* Api.keyOf(own.organization, { scopes })
        const { body } = yield* Api.call("GET", invitations, { key })
        const listed = (body as { results: ReadonlyArray<Api.Row> }).results
        assert.isNotEmpty(listed)
        const one = yield* Api.results(200, "GET", `${invitations}/${listed[0]?.["id"]}`, { key })
        for (const { interview_url } of [...listed, one]) assert.strictEqual(typeof interview_url === "string", isShown)
      }
    }),
  )
})
