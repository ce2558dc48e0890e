/** How the simulator plays each hiring system, as the vendor's contract describes it. */
import { createHmac } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import type { HiringSystem } from "../../src/ats/HiringSystem.ts"
import * as Simulator from "./Simulator.ts"

const candidate = { first_name: "Ada", last_name: "Lovelace", phone: "+49 30 1234" }

const statusAnswer = Schema.decodeUnknownEffect(
  Schema.Struct({
    partner_status: Schema.String,
    partner_score: Schema.NullOr(Schema.Number),
    partner_profile_url: Schema.String,
    // no nested objects
    metadata: Schema.Record(Schema.String, Schema.NullOr(Schema.Union([Schema.String, Schema.Number, Schema.Boolean]))),
  }),
)

const named = (list: unknown, id: string, name: string): Record<string, string> =>
  Object.fromEntries(
    Schema.decodeUnknownSync(Schema.Array(Schema.Record(Schema.String, Schema.Unknown)))(list).map((one) => [
      String(one[id]),
      String(one[name]),
    ]),
  )

const Envelope = Schema.decodeUnknownEffect(Schema.Record(Schema.String, Schema.Unknown))

const decodeErrors = Schema.decodeUnknownSync(Schema.Struct({ errors: Schema.Tuple([Schema.String]) }))
const decodeMessage = Schema.decodeUnknownSync(Schema.Struct({ message: Schema.String }))
const decodeFailure = Schema.decodeUnknownSync(
  Schema.Struct({ success: Schema.Literal(false), message: Schema.String, errors: Schema.Array(Schema.String) }),
)
const decodeProblem = Schema.decodeUnknownSync(Schema.Struct({ status: Schema.Number, message: Schema.String }))

/** Greenhouse receives an empty PATCH and then requests the status. */
export const greenhouse: Simulator.VendorPlay = {
  system: "greenhouse",
  vendor: () => ({}),
  authenticate: (key) => ({ authorization: Simulator.basic(key) }),
  challenge: /^Basic realm=/,
  probe: { method: "GET", path: "list_tests" },
  orderPath: "send_test",
  order: ({ cvLink, email, number, set, url }) => ({
    partner_test_id: set,
    candidate: {
      first_name: "Augusta",
      last_name: "Lovelace",
      preferred_name: "Ada",
      email,
      phone_number: "+49 30 1234",
      resume_url: cvLink,
      greenhouse_profile_url: "https://app.greenhouse.io/people/17?application_id=29",
    },
    sent_by: "recruiter@acme.example",
    url: `${url}/take_home_tests/${number}`,
    something_new: { of: ["Greenhouse"] },
  }),
  fields: {
    set: "partner_test_id",
    email: "candidate.email",
    first: "candidate.first_name",
    last: "candidate.last_name",
    preferred: "candidate.preferred_name",
    id: "url",
    texts: ["sent_by", "candidate.greenhouse_profile_url"],
    phone: "candidate.phone_number",
    cv: "candidate.resume_url",
    unread: "candidate.something",
  },
  stored: {
    profile_url: "https://app.greenhouse.io/people/17?application_id=29",
    ordered_by: "recruiter@acme.example",
    job: null,
  },
  goneStatus: 404,
  sentence: (body) => decodeErrors(body).errors[0],
  callback: "url",
  about: (id) => ({ method: "GET", path: `test_status?partner_interview_id=${id}` }),
  sets: (play) => Effect.map(Simulator.probe(play), ({ body }) => named(body, "partner_test_id", "partner_test_name")),
  isReportOf: ({ path }, { number }) => path === `/take_home_tests/${number}`,
  told: Effect.fnUntraced(function* (play, { given }, request) {
    assert.deepStrictEqual(
      [request.method, request.headers.authorization, request.body],
      ["PATCH", Simulator.basic(play.key), ""],
    )
    const { body } = yield* Simulator.call(play, "GET", `test_status?partner_interview_id=${given}`)
    const answer = yield* statusAnswer(body)
    const { metadata, partner_profile_url: link, partner_score: score, partner_status: state } = answer
    // people see the names
    assert.deepStrictEqual(Object.keys(metadata), ["Interview", "Started at", "Submitted at", "Score out of 10"])
    assert.strictEqual(metadata["Score out of 10"], score)
    return { state, score, link }
  }),
  evaluated: () => "complete",
}

const ashbyField = <S extends Schema.Top>(identifier: string, type: string, value: S) =>
  Schema.Struct({ identifier: Schema.Literal(identifier), label: Schema.String, type: Schema.Literal(type), value })

const ashbyUpdate = Schema.decodeUnknownEffect(
  Schema.fromJsonString(
    Schema.Struct({
      assessment_id: Schema.String,
      timestamp: Schema.Number,
      assessment_status: Schema.optional(ashbyField("status", "string", Schema.String)),
      cancelled_reason: Schema.optional(ashbyField("cancelled_reason", "string", Schema.String)),
      assessment_profile_url: ashbyField("profile_url", "url", Schema.String),
      assessment_result: Schema.optional(ashbyField("score", "numeric_score", Schema.Number)),
    }),
  ),
)

export const ashby: Simulator.VendorPlay = {
  system: "ashby",
  vendor: (account) => ({ api_key: `ashby-api-key-${account}` }),
  authenticate: (key) => ({ authorization: Simulator.basic(key) }),
  challenge: /^Basic realm=/,
  probe: { method: "POST", path: "assessment.list" },
  orderPath: "assessment.start",
  order: ({ email, number, set }) => ({
    assessment_type_id: set,
    candidate: { ...candidate, ashby_id: "c-17", email, ashby_profile_url: "https://app.ashbyhq.com/candidates/17" },
    application: { ashby_id: `application-${number}`, status: "Active" },
    job: { ashby_id: "j-1", name: "Engineer", req_id: null, ashby_job_url: "https://app.ashbyhq.com/jobs/1" },
    additional_fields: [{ of: "Ashby" }],
  }),
  fields: {
    set: "assessment_type_id",
    email: "candidate.email",
    first: "candidate.first_name",
    last: "candidate.last_name",
    id: "application.ashby_id",
    texts: ["job.name", "candidate.ashby_profile_url"],
    phone: "candidate.phone",
    unread: "candidate.something",
  },
  stored: { profile_url: "https://app.ashbyhq.com/candidates/17", ordered_by: null, job: "Engineer" },
  about: (id) => ({ method: "POST", path: "assessment.cancel", json: { assessment_id: id } }),
  goneStatus: 422,
  sentence: (body) => decodeFailure(body).message,
  sets: Effect.fnUntraced(function* (play) {
    const { results, success } = yield* Envelope((yield* Simulator.probe(play)).body)
    assert.isTrue(success)
    return named(results, "assessment_type_id", "name")
  }),
  isReportOf: ({ body, path }, { given }) =>
    path === "/assessment.update" && Simulator.jsonOf(body)["assessment_id"] === given,
  told: Effect.fnUntraced(function* ({ vendor }, _, { body, headers, method }) {
    assert.deepStrictEqual([method, headers.authorization], ["POST", Simulator.basic(vendor["api_key"] ?? "")])
    const update = yield* ashbyUpdate(body)
    const isEnded = ["The candidate declined", "Cancelled", "Expired"].includes(update.cancelled_reason?.value ?? "")
    assert.notStrictEqual(update.assessment_status === undefined, !isEnded)
    return {
      state: (update.assessment_status ?? update.cancelled_reason)?.value,
      score: update.assessment_result?.value ?? null,
      link: update.assessment_profile_url.value,
    }
  }),
  evaluated: () => "Evaluated",
}

const komboSignature = (secret: string, body: string) => createHmac("sha256", secret).update(body).digest("base64url")

const komboResult = Schema.decodeUnknownEffect(
  Schema.fromJsonString(
    Schema.Struct({
      status: Schema.Literals(["OPEN", "COMPLETED", "CANCELLED"]),
      result_url: Schema.String,
      completed_at: Schema.optional(Schema.String),
      score: Schema.optional(Schema.Number),
      max_score: Schema.optional(Schema.Literal(10)),
      attributes: Schema.Tuple([
        Schema.Struct({ type: Schema.Literal("TEXT"), label: Schema.Literal("Status"), value: Schema.String }),
      ]),
    }),
  ),
)

const komboStatus: Readonly<Record<string, string>> = {
  Started: "OPEN",
  Submitted: "OPEN",
  Evaluated: "COMPLETED",
  "The candidate declined": "CANCELLED",
  Cancelled: "CANCELLED",
  Expired: "CANCELLED",
}

/** The data of an order from Kombo, without integration_id. */
const komboOrder = ({ email, number, set }: { email: string; number: number; set: string }) => ({
  id: `order-${number}`,
  package_id: set,
  status: "OPEN",
  candidate: { ...candidate, remote_id: "17", email },
  application: { remote_id: "29" },
  job: {
    remote_id: "1",
    name: "Engineer",
    job_code: null,
    hiring_team: [{ email: null }, { email: "recruiter@acme.example", hiring_team_roles: ["RECRUITER"] }],
  },
})

/** Kombo signs its calls, and the service sends the interview sets to Kombo. */
export const kombo: Simulator.VendorPlay = {
  system: "kombo",
  vendor: (account) => ({
    region: "eu",
    api_key: `kombo-api-key-${account}`,
    integration_id: `workday:${account}`,
    webhook_secret: `kombo-secret-${account}`,
  }),
  authenticate: (key, body) => ({ "x-kombo-signature": komboSignature(key, body) }),
  challenge: /^Signature realm=/,
  probe: {
    method: "POST",
    path: "order-received",
    body: {
      data: {
        ...komboOrder({ email: "eve@example.com", number: 0, set: "00000000-0000-4000-8000-000000000000" }),
        integration_id: "workday:other",
      },
    },
  },
  orderPath: "order-received",
  order: (wanted) => ({ id: "event-1", type: "assessment:order-received", data: komboOrder(wanted) }),
  fields: {
    set: "data.package_id",
    email: "data.candidate.email",
    first: "data.candidate.first_name",
    last: "data.candidate.last_name",
    id: "data.id",
    texts: ["data.job.name", "data.job.hiring_team.1.email"],
    phone: "data.candidate.phone",
    unread: "data.job.description",
  },
  stored: { profile_url: null, ordered_by: "recruiter@acme.example", job: "Engineer" },
  goneStatus: 422,
  sentence: (body) => decodeMessage(body).message,
  sets: Effect.fnUntraced(function* () {
    // the change of the sets queued a synchronization
    yield* Simulator.report
    const pushed = (yield* Simulator.Simulator).received.findLast(({ path }) => path === "/v1/assessment/packages")
    return named(Simulator.jsonOf(pushed?.body)["packages"], "id", "name")
  }),
  isReportOf: ({ path }, { number }) => path === `/v1/assessment/orders/order-${number}/result`,
  told: Effect.fnUntraced(function* ({ vendor }, _, { body, headers, method }) {
    assert.deepStrictEqual(
      [method, headers.authorization, headers["x-integration-id"]],
      ["PUT", `Bearer ${vendor["api_key"]}`, vendor["integration_id"]],
    )
    const result = yield* komboResult(body)
    const state = result.attributes[0].value
    assert.strictEqual(result.completed_at === undefined, result.status === "OPEN")
    if (result.completed_at !== undefined) assert.isFalse(Number.isNaN(Date.parse(result.completed_at)))
    assert.strictEqual(result.status, komboStatus[state])
    assert.strictEqual(result.max_score, result.score === undefined ? undefined : 10)
    return { state, score: result.score ?? null, link: result.result_url }
  }),
  evaluated: () => "Evaluated",
}

const workableResult = Schema.decodeUnknownEffect(
  Schema.fromJsonString(
    Schema.Struct({
      status: Schema.Literals(["pending", "completed", "rejected", "expired"]),
      results_url: Schema.String,
      assessment: Schema.Struct({ score: Schema.NullOr(Schema.String), summary: Schema.String }),
    }),
  ),
)

const workableStatus: Readonly<Record<string, string>> = {
  "The candidate declined": "rejected",
  Cancelled: "rejected",
  Expired: "expired",
}

export const workable: Simulator.VendorPlay = {
  system: "workable",
  vendor: (account) => ({ token: `workable-token-${account}` }),
  authenticate: (key) => ({ authorization: `Bearer ${key}` }),
  challenge: /^Bearer realm=/,
  probe: { method: "GET", path: "tests" },
  orderPath: "assessments",
  order: ({ cvLink, email, number, set, url }) => ({
    test_id: set,
    job_shortcode: "ABC",
    job_title: "Engineer",
    callback_url: `${url}/assessments/${number}`,
    candidate: { ...candidate, email, resume_url: cvLink, profile_url: "https://acme.workable.com/candidates/17" },
    something_new: ["of Workable"],
  }),
  fields: {
    set: "test_id",
    email: "candidate.email",
    first: "candidate.first_name",
    last: "candidate.last_name",
    id: "callback_url",
    texts: ["job_title", "candidate.profile_url"],
    phone: "candidate.phone",
    cv: "candidate.resume_url",
    unread: "candidate.something",
  },
  stored: { profile_url: "https://acme.workable.com/candidates/17", ordered_by: null, job: "Engineer" },
  goneStatus: 422,
  sentence: (body, status) => {
    const problem = decodeProblem(body)
    assert.strictEqual(problem.status, status)
    return problem.message
  },
  callback: "callback_url",
  sets: Effect.fnUntraced(function* (play) {
    return named((yield* Envelope((yield* Simulator.probe(play)).body))["tests"], "id", "name")
  }),
  isReportOf: ({ path }, { number }) => path === `/assessments/${number}`,
  told: Effect.fnUntraced(function* ({ vendor }, _, { body, headers, method }) {
    assert.deepStrictEqual([method, headers.authorization], ["PUT", `Bearer ${vendor["token"]}`])
    const { assessment, results_url: link, status } = yield* workableResult(body)
    const expected = assessment.score === null ? (workableStatus[assessment.summary] ?? "pending") : "completed"
    assert.strictEqual(status, expected)
    return { state: assessment.summary, score: assessment.score, link }
  }),
  evaluated: (score) => `${score} of 10`,
}

const byName: Readonly<Record<HiringSystem, Simulator.VendorPlay>> = { greenhouse, ashby, kombo, workable }

export const systems = Object.values(byName)
