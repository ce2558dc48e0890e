/**
 * Each operation of the API: success, refused bodies and queries, no key, a key without the scope, unknown records, and
 * records of another organization. Fails for an operation or a parameter without values in its table.
 */
import { randomUUID } from "node:crypto"
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { grantsOf, requiredScopes, Scope, scopesText } from "../src/accounts/Permissions.ts"
import { operator } from "../src/accounts/Viewer.ts"
import { EvaluationQueue } from "../src/evaluations/EvaluationQueue.ts"
import { InterviewSets } from "../src/interview-sets/InterviewSets.ts"
import { Projects } from "../src/interview-sets/Projects.ts"
import { Interviews } from "../src/interviews/Interviews.ts"
import { InviteRequest } from "../src/invitations/InviteRequest.ts"
import { Database } from "../src/platform/database/Database.ts"
import { runOnce } from "../src/platform/queue/WorkQueue.ts"
import { Rehearsals } from "../src/webhooks/rehearsals/Rehearsals.ts"
import { pageAt } from "./docs/pages.ts"
import * as Api from "./support/Api.ts"
import * as Contract from "./support/Contract.ts"
import * as Dossier from "./support/Dossier.ts"
import * as Scenario from "./support/Scenario.ts"
import { nobodys } from "./support/Specification.ts"
import * as Tables from "./support/Tables.ts"
import { rounds } from "./support/Webhooks.ts"

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
  const [cy] = yield* Scenario.invite(
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
  // a delivery can be sent again after it was delivered
  yield* rounds
  const { sql } = yield* Database
  const suppressed = `${name}@example.com`
  const suppression_id = randomUUID()
  yield* sql`
    insert into suppression (id, organization_id, email, reason)
    values (${suppression_id}::uuid, ${id}::int, ${suppressed}, 'manual')`
  const member_id = randomUUID()
  yield* sql`
    insert into member (id, organization_id, email, name, role)
    values (${member_id}::uuid, ${id}::int, ${`member@${name}.example`}, ${name}, 'admin')`
  const [ids] = yield* sql<Record<"invitation_id" | "submission_id" | "candidate_id" | "open_invitation_id", string>>`
    select i.id as invitation_id, i.submission_id, i.candidate_id, o.id as open_invitation_id
    from invitation i join candidate c on c.id = i.candidate_id, invitation o join candidate d on d.id = o.candidate_id
    where c.ats_candidate_id = ${ats_candidate_id}::uuid and d.email = ${email}`
  assert(ids)
  const [delivery] = yield* sql<{ id: string }>`
    select id::text as id from webhook_delivery_history where endpoint_id = ${endpoint.id}::uuid order by id limit 1`
  assert(delivery)
  const rehearsals = yield* Rehearsals
  const rehearsal = yield* rehearsals.begin(operator(id), endpoint.id)
  yield* Effect.repeat(rehearsals.stepOne(rehearsal), { while: (done) => done > 0 })
  const tag = randomUUID()
  yield* sql`
    insert into tag (id, organization_id, name, key, created_at) values (${tag}::uuid, ${id}::int, ${name}, ${name}, now())`
  yield* sql`insert into submission_tag (organization_id, submission_id, tag_id)
    values (${id}::int, ${ids.submission_id}::uuid, ${tag}::uuid)`
  const stage = randomUUID()
  yield* sql`insert into hiring_stage (id, organization_id, name, position, created_at)
    values (${stage}::uuid, ${id}::int, ${name}, 100, now())`
  const question_id = set.iai_questions[0]?.id
  assert(question_id)
  yield* sql`
    with made as (
      insert into recording (id, organization_id, submission_id, attempt, question_id, kind, content_type, started_at, received_at,
        ended_at, state)
      values (${randomUUID()}::uuid, ${id}::int, ${ids.submission_id}::uuid, 1, ${question_id}::uuid, 'audio', 'audio/webm',
        now(), now(), now(), 'done') returning id
    ), piece as (
      insert into recording_piece (recording_id, organization_id, ordinal, bytes) select id, ${id}::int, 0, 'sound' from made
    )
    update answer a set recording_id = made.id from made
    where a.submission_id = ${ids.submission_id}::uuid and a.question_id = ${question_id}::uuid`
  const { version: set_version } = yield* (yield* InterviewSets).detail(operator(id), set.id)
  const { id: api_key_id, key } = yield* Api.keyOf(id)
  yield* sql`
    insert into api_request (id, organization_id, api_key_id, request_id, method, operation, path, status, duration_ms,
      has_idempotency_key, is_replayed, created_at)
    select gen_random_uuid(), ${id}::int, ${api_key_id}::uuid, ${`${name}-request`}, 'GET', 'listProjects', '/projects', 200, 1,
      false, false, now() from generate_series(1, 2)`
  const file = yield* Dossier.addFile(id, `${name}'s file`)
  yield* sql`
    update answer set blob_id = ${file}::uuid, file_name = 'file.pdf', file_type = 'application/pdf'
    where submission_id = ${ids.submission_id}::uuid and question_id = ${question_id}::uuid`
  yield* sql`
    insert into cv (id, organization_id, submission_id, link, blob_id, file_type, state, due_at)
    values (${randomUUID()}::uuid, ${id}::int, ${ids.submission_id}::uuid, '', ${yield* Dossier.addFile(id, `${name}'s CV`)}::uuid,
      'application/pdf', 'read', null)`
  const hook = { endpoint_id: String(endpoint.id), delivery_id: delivery.id, rehearsal_id: String(rehearsal) }
  return {
    organization: id,
    name,
    key,
    ids: {
      ...ids,
      api_key_id,
      request_id: `${name}-request`,
      ...hook,
      suppressed,
      suppression_id,
      member_id,
      ats_candidate_id,
      external_id,
      email,
      tag,
      question_id,
      project_id,
      job_post_id,
      interview_set_id: set.id,
      set_version,
      stage,
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

interface Refused {
  readonly json: object
  readonly status: number
  readonly code: string
}

interface Operation {
  /** The record that `:id` names. */
  readonly id?: keyof Ids
  /** Of success; 200 by default. */
  readonly status?: number
  readonly json?: (ids: Ids) => object
  /** Values of parameters, where they are not those of the ids. */
  readonly parameters?: (ids: Ids) => Readonly<Record<string, string>>
  /** A query without ids that finds records of both organizations. */
  readonly query?: string
  /** A body with one validation error, and the error. */
  readonly invalid?: readonly [json: object, error: string]
  /** Bodies with the other organization's ids, alone and beside own ones. */
  readonly foreign?: (theirs: Ids, own: Ids) => ReadonlyArray<Refused>
}

const unknown = (json: object): Refused => ({ json: { candidates, ...json }, status: 404, code: "not_found" })
const refused = (json: object): Refused => ({ json, status: 422, code: "validation_failed" })

/** Successes are requested in this order. */
const operations: Readonly<Record<string, Operation>> = {
  "account.me": {},
  "decisions.decide": {
    id: "submission_id",
    json: () => ({ decision: "advance", version: 0, confirm_warnings: true }),
    invalid: [{ decision: "maybe", version: 0 }, "#/decision not_one_of"],
  },
  "decisions.undo": { id: "submission_id", json: () => ({ version: 1 }), invalid: [{}, "#/version required"] },
  "decisions.move": {
    id: "submission_id",
    json: ({ stage }) => ({ stage_id: stage, version: 0, decision_version: 2 }),
    invalid: [{ stage_id: null, version: 0 }, "#/decision_version required"],
  },
  "decisions.comments": { id: "submission_id" },
  "decisions.stages": {},
  "decisions.tags": {},
  "events.list": {},
  "interviewSets.create": {
    status: 201,
    json: ({ project_id }) => ({ title: "x", project_id }),
    invalid: [{}, "#/title required"],
    foreign: ({ project_id }) => [refused({ title: "x", project_id })],
  },
  "interviewSets.list": { query: "set_type=1" },
  "interviewSets.read": { id: "interview_set_id" },
  "interviewSetChanges.update": {
    id: "interview_set_id",
    json: ({ project_id, set_version }) => ({ version: set_version, title: "changed", project_id }),
    invalid: [{ version: 1 }, "#/version wrong_type"],
  },
  "interviewSetChanges.archive": { id: "interview_set_id" },
  "interviewSetChanges.unarchive": { id: "interview_set_id" },
  "invitations.invite": {
    json: ({ interview_set_id }) => ({ com_interview_set_id: interview_set_id, candidates }),
    invalid: [{ com_interview_set_id: nobodys }, "#/candidates required"],
    foreign: (theirs, own) => [
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
  },
  "invitations.list": { query: "status=pending" },
  "invitations.read": { id: "invitation_id" },
  "invitations.resend": { id: "open_invitation_id" },
  "invitations.correct": {
    id: "open_invitation_id",
    // its address: nothing changes
    json: ({ email }) => ({ email }),
    invalid: [{ email: "ada.example.com" }, "#/email invalid_email"],
  },
  "invitations.extend": {
    id: "open_invitation_id",
    json: () => ({ expires_at: new Date(Date.now() + 300 * 86_400_000).toISOString() }),
    invalid: [{ expires_at: "soon" }, "#/expires_at invalid_date"],
  },
  "invitations.cancel": { id: "open_invitation_id" },
  "requests.list": { query: "status=2xx&operation=listProjects" },
  "requests.read": {},
  "projects.list": {},
  "projects.create": {
    status: 201,
    json: () => ({ name: "x" }),
    invalid: [{}, "#/name required"],
    // the body refers to no record; its id is ignored
    foreign: ({ project_id }) => [refused({ id: project_id, name: " " })],
  },
  "projects.read": { id: "project_id" },
  "projects.rename": {
    id: "project_id",
    json: () => ({ name: "renamed" }),
    invalid: [{ name: 1 }, "#/name wrong_type"],
  },
  "projects.jobPosts": {},
  "projects.createJobPost": {
    status: 201,
    json: ({ project_id }) => ({ project_id, title: "x" }),
    invalid: [{ title: "x" }, "#/project_id required"],
    foreign: ({ project_id }) => [refused({ project_id, title: "x" })],
  },
  "projects.readJobPost": { id: "job_post_id" },
  "projects.updateJobPost": {
    id: "job_post_id",
    json: () => ({ title: "renamed", status: "closed" }),
    invalid: [{ status: "shut" }, "#/status not_one_of"],
  },
  "recordings.read": { id: "submission_id" },
  "submissions.detail": { id: "submission_id" },
  "submissions.list": { query: "status=need_interview" },
  // these keys are live keys; with test keys: test/test-mode/TestModeApi.test.ts
  "testMode.complete": {
    id: "open_invitation_id",
    json: () => ({}),
    invalid: [{ answers: "best" }, "#/answers not_one_of"],
    status: 404,
  },
  "testMode.open": { id: "open_invitation_id", status: 404 },
  "testMode.decline": {
    id: "open_invitation_id",
    json: () => ({}),
    invalid: [{ reason: 1 }, "#/reason wrong_type"],
    status: 404,
  },
  "testMode.expire": { id: "open_invitation_id", status: 404 },
  "testMode.bounce": { id: "open_invitation_id", status: 404 },
  "testMode.complain": { id: "open_invitation_id", status: 404 },
  "testMode.empty": { status: 404, foreign: () => [{ json: {}, status: 404, code: "not_found" }] },
  "webhookEndpoints.create": {
    status: 201,
    json: () => ({ name: "x", url: "https://receiver.example/" }),
    invalid: [{ name: "x" }, "#/url required"],
    // the body refers to no record; its id is ignored
    foreign: ({ endpoint_id }) => [refused({ id: endpoint_id, name: "x", url: "http://10.0.0.1/" })],
  },
  "webhookEndpoints.list": {},
  "webhookEndpoints.read": { id: "endpoint_id" },
  "webhookEndpoints.update": {
    id: "endpoint_id",
    json: () => ({ name: "changed", url: "https://changed.example/" }),
    invalid: [{ status: "off" }, "#/status not_one_of"],
  },
  "webhookEndpoints.rotateSecret": {
    id: "endpoint_id",
    invalid: [{ end_old_secret: 1 }, "#/end_old_secret wrong_type"],
  },
  "webhookEndpoints.test": { id: "endpoint_id", invalid: [{ event: "x" }, "#/event unknown_event"] },
  "webhookDeliveries.list": { id: "endpoint_id" },
  "webhookDeliveries.resend": { id: "endpoint_id" },
  "webhookDeliveries.resendFailed": {
    id: "endpoint_id",
    json: () => ({ since: "2026-01-01T00:00:00Z" }),
    invalid: [{ since: "2h" }, "#/since invalid_date"],
  },
  "webhookRehearsals.list": { id: "endpoint_id" },
  "webhookRehearsals.read": { id: "endpoint_id" },
  "webhookRehearsals.begin": { id: "endpoint_id", status: 202 },
  "files.answer": { id: "submission_id" },
  "files.cv": { id: "submission_id" },
  "suppressions.list": { query: "reason=manual", parameters: ({ suppressed }) => ({ email: suppressed }) },
  "suppressions.suppress": {
    json: () => ({ email: "new@example.com" }),
    invalid: [{ email: "new.example.com" }, "#/email invalid_email"],
    // the body refers to no record; its id is ignored
    foreign: ({ suppression_id }) => [refused({ id: suppression_id, email: "new.example.com" })],
  },
  "suppressions.release": { id: "suppression_id" },
  "members.list": {},
  "members.read": { id: "member_id" },
  "candidates.list": {},
  "candidates.read": { id: "candidate_id" },
  "candidates.export": { id: "candidate_id" },
  "candidates.erase": {
    id: "candidate_id",
    json: ({ candidate_id }) => ({ confirm: candidate_id }),
    invalid: [{}, "#/confirm required"],
  },
  "webhookEndpoints.remove": { id: "endpoint_id" },
}

/** Parameters of lists that are not ids. */
const nameless = [
  "limit",
  "cursor",
  "status",
  "decision",
  "stage",
  "set_type",
  "reason",
  "event_type",
  "operation",
  "problem",
  "since",
  "until",
  "from",
  "state",
  "updated_since",
]

const operationOf = ({ name }: Contract.Endpoint): Operation =>
  operations[name] ?? assert.fail(`${name}: say in operations how to request it`)

const filled = (endpoint: Contract.Endpoint, ids: Ids): string => {
  const { id } = operationOf(endpoint)
  const full = id === undefined ? endpoint.path : endpoint.path.replace(":id", ids[id])
  return full
    .replace(":delivery", ids.delivery_id)
    .replace(":question", ids.question_id)
    .replace(":request_id", ids.request_id)
    .replace(":rehearsal", ids.rehearsal_id)
}

const withUnknownId = ({ path }: Contract.Endpoint) =>
  path
    .replace(":id", nobodys)
    .replace(":delivery", "999999")
    .replace(":question", nobodys)
    .replace(":request_id", nobodys)
    .replace(":rehearsal", nobodys)

const ask = Effect.fnUntraced(function* (endpoint: Contract.Endpoint, key: string, path: string, json?: object) {
  const answer = yield* Api.call(endpoint.method, path, { key, json })
  Contract.documented(endpoint, answer)
  return answer
})

const errorsOf = (answer: Api.Answer) =>
  Contract.problem(answer, 422, "validation_failed").errors?.map(({ code, pointer }) => `${pointer} ${code}`)

/** By method and path, as docs/api.md writes them: `GET /hiring/interview-sets/v1/<>`. */
const documentedName = ({ method, path }: Contract.Endpoint) =>
  `${method} ${path.slice("/company/integration".length).replaceAll(/:\w+/g, "<>")}`

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

/** The scope of each operation in the table of docs/api.md. */
const documentedScopes = (): Readonly<Record<string, string>> => {
  const [, table = ""] = /^\| Operation \| Method.*\n\|.*\n([\s\S]*?)\n\n/m.exec(pageAt("docs/api.md")) ?? []
  return Object.fromEntries(
    table.split("\n").flatMap((row) => {
      const [, , paths = "", scope = ""] = row.split("|").map((cell) => cell.trim())
      let [method = "", start = ""] = ["", ""]
      return [...paths.matchAll(/`(?:([A-Z]+) )?(\S+)`/g)].map(([, other = method, path = ""]) => {
        method = other
        if (!path.startsWith("…")) [start = ""] = /^.*?\/v1/.exec(path) ?? []
        return [`${method} ${path.replace("…", start).replaceAll(/<\w+>/g, "<>")}`, scope.replaceAll("`", "")]
      })
    }),
  )
}

describe("the operations of the API", () => {
  const names = Contract.endpoints.map(({ name }) => name)

  it("have values for requests, and a scope", () => {
    assert.sameMembers(Object.keys(operations), names)
    assert.sameMembers(Object.keys(requiredScopes), names)
  })

  it("require the scopes of docs/api.md", () => {
    const required = Contract.endpoints.map((endpoint) => [
      documentedName(endpoint),
      scopesText(requiredScopes[endpoint.name] ?? assert.fail(endpoint.name)),
    ])
    assert.deepStrictEqual(documentedScopes(), Object.fromEntries(required))
  })

  it("need scopes, which docs/api.md explains with the texts of Permissions.ts", () => {
    const [, table = ""] = /^\| Scope \| Allows.*\n\|.*\n([\s\S]*?)\n\n/m.exec(pageAt("docs/api.md")) ?? []
    const explained = table.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1").split("\n")
    assert.deepStrictEqual(
      explained,
      Scope.literals.map((scope) => `| \`${scope}\` | ${grantsOf(scope)} |`),
    )
  })

  it("require one scope for changes of webhook endpoints and deliveries, and any to read them, as docs/webhook-endpoints.md says", () => {
    const [, scope] = /The scope `(\w+)` allows all of them/.exec(pageAt("docs/webhook-endpoints.md")) ?? []
    assert.isDefined(scope)
    const ofEndpoints = Contract.endpoints.filter(({ name }) => /^webhook(Endpoints|Deliveries)\./.test(name))
    assert.isNotEmpty(ofEndpoints)
    for (const { method, name } of ofEndpoints) {
      assert.deepStrictEqual(scopesText(requiredScopes[name] ?? "any"), method === "GET" ? "any" : scope, name)
    }
  })
})

/** Those that change nothing, at least of what `own` has: the same address, a test event, no failed delivery. */
const notAudited = ["invitations.correct", "webhookEndpoints.test", "webhookDeliveries.resendFailed"]

layer(Both.layer.pipe(Layer.provideMerge(Api.layer({ settings: { RATE_LIMIT: "0" } }))), {
  excludeTestServices: true,
})("the operations of the API", (it) => {
  it.effect("return 401 without an API key", () =>
    Effect.gen(function* () {
      const { own } = yield* Both
      for (const endpoint of Contract.endpoints) {
        Contract.problem(yield* Api.call(endpoint.method, filled(endpoint, own.ids)), 401, "unauthorized")
      }
    }),
  )

  const keys = [
    { title: "an unrestricted key", scopes: [] },
    ...Scope.literals.map((scope) => ({ title: `the scope ${scope}`, scopes: [scope] })),
  ]
  it.effect.each(keys)("return 403 where $title is not enough", ({ scopes }) =>
    Effect.gen(function* () {
      const { own } = yield* Both
      const { key } = yield* Api.keyOf(own.organization, { scopes })
      for (const endpoint of Contract.endpoints) {
        const json = endpoint.hasBody ? {} : undefined
        const answer = yield* ask(endpoint, key, withUnknownId(endpoint), json)
        const required = requiredScopes[endpoint.name] ?? assert.fail(endpoint.name)
        if (scopes.length === 0 || required === "any" || scopes.some((scope) => required.includes(scope))) {
          assert.notInclude([401, 403], answer.status, endpoint.name)
        } else {
          const { detail } = Contract.problem(answer, 403, "missing_scope")
          assert.strictEqual(detail, `the API key lacks the scope ${scopesText(required)}`)
        }
        assert.isNull(answer.headers.get("www-authenticate"), "401 only")
      }
    }),
  )

  it.effect("return 400 for a body that is not JSON, and 422 for an invalid one", () =>
    Effect.gen(function* () {
      const { own } = yield* Both
      for (const endpoint of Contract.endpoints.filter(({ hasBody }) => hasBody)) {
        const { method, name } = endpoint
        const path = filled(endpoint, own.ids)
        const headers = { "content-type": "application/json" }
        Contract.problem(yield* Api.call(method, path, { key: own.key, raw: "{", headers }), 400, "bad_request")
        const [json, error] = operationOf(endpoint).invalid ?? assert.fail(`${name}: say in invalid what is refused`)
        assert.deepStrictEqual(errorsOf(yield* ask(endpoint, own.key, path, json)), [error], name)
      }
    }),
  )

  it.effect("return 422 for an invalid parameter", () =>
    Effect.gen(function* () {
      const { own } = yield* Both
      for (const endpoint of Contract.endpoints.filter(({ parameters }) => parameters.includes("limit"))) {
        const answer = yield* ask(endpoint, own.key, `${filled(endpoint, own.ids)}?limit=0`)
        assert.deepStrictEqual(errorsOf(answer), ["#/limit out_of_range"], endpoint.name)
      }
    }),
  )

  it.effect.each(["0", "%00", "x".repeat(300)])("return 404 for a malformed id: %j, and after an id", (wrong) =>
    Effect.gen(function* () {
      const { own } = yield* Both
      for (const endpoint of Contract.endpoints.filter(({ path }) => path.includes(":id"))) {
        for (const id of [wrong, own.ids.submission_id + wrong]) {
          const path = endpoint.path.replace(":id", id).replace(":delivery", "1").replace(":rehearsal", nobodys)
          Contract.problem(yield* Api.call(endpoint.method, path, { key: own.key }), 404, "not_found")
        }
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
              const body = operationOf(endpoint).json?.(theirs.ids)
              const answer = yield* ask(endpoint, own.key, filled(endpoint, theirs.ids), body)
              Contract.problem(answer, 404, "not_found")
              const nothing = yield* ask(endpoint, own.key, withUnknownId(endpoint), body)
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
          const requests = operationOf(endpoint).foreign?.(theirs.ids, own.ids) ?? []
          assert.isNotEmpty(requests, `${name}: say in foreign how a request names records`)
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
              const { query = "limit=100" } = operationOf(endpoint)
              const answers = yield* Effect.forEach(["", "?limit=1", `?${query}`], (more) =>
                ask(endpoint, own.key, path + more),
              )
              for (const answer of answers) assert.isNotEmpty(resultsOf(answer))
              for (const parameter of named) {
                const id =
                  operationOf(endpoint).parameters?.(theirs.ids)[parameter] ?? theirs.ids[parameter as keyof Ids]
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
          const shown: Readonly<Record<string, unknown>> = {
            "account.me": { id: own.organization, name: own.name },
            "decisions.stages": [{ id: own.ids.stage, name: own.name, decision: null }],
            "decisions.tags": [{ id: own.ids.tag, name: own.name }],
          }
          assert.property(shown, name, "say what this route shows")
          yield* untouched(
            Effect.map(ask(endpoint, own.key, path), (answer) => {
              const { results } = answer.body as { readonly results: Api.Row }
              const found = results["organization"] ?? results
              // the stages of every new organization are before its own
              assert.deepStrictEqual(
                name === "decisions.stages" ? (found as ReadonlyArray<unknown>).slice(-1) : found,
                shown[name],
              )
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

  it.effect("succeed, and each change is in the audit log with the API key", () =>
    Effect.gen(function* () {
      const { own } = yield* Both
      const { sql } = yield* Database
      // an email that waits is not sent again
      yield* sql`update email set state = 'sent', sent_at = now(), due_at = null
        where organization_id = ${own.organization}::int and state = 'queued'`
      const unnoted: Array<string> = []
      let last = "0"
      for (const [name, { json, status = 200 }] of Object.entries(operations)) {
        const endpoint = Contract.endpointOf(name)
        const answer = yield* ask(endpoint, own.key, filled(endpoint, own.ids), json?.(own.ids))
        assert.strictEqual(answer.status, status, `${name} ${JSON.stringify(answer.body)}`)
        if (endpoint.method === "GET" || status >= 400) continue
        const entries = yield* sql<{ id: string }>`
          select id::text from audit_log
          where organization_id = ${own.organization}::int and api_key = ${own.key.split(".")[0]} and id > ${last}::bigint`
        if (entries.length === 0) unnoted.push(name)
        last = entries.at(-1)?.id ?? last
      }
      assert.deepStrictEqual(unnoted, notAudited)
    }),
  )
})
