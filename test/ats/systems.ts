/** How the simulator plays each hiring system, as the vendor's contract describes it. */
import { createHmac } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
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

const isObject = Schema.is(Schema.Record(Schema.String, Schema.Unknown))

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

const teamtailorResult = Schema.decodeUnknownEffect(
  Schema.fromJsonString(
    Schema.Struct({
      data: Schema.Struct({
        type: Schema.Literal("partner-results"),
        id: Schema.String,
        attributes: Schema.Struct({
          status: Schema.Literals(["sending", "sent", "pending", "completed", "failed"]),
          summary: Schema.String,
          url: Schema.String,
          assessment: Schema.optional(
            Schema.Struct({ score: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 })) }),
          ),
          actions: Schema.Array(Schema.Struct({ buttonText: Schema.String, endpoint: Schema.String })),
          // at most 2 levels
          details: Schema.Record(Schema.String, Schema.String),
        }),
      }),
    }),
  ),
)

const teamtailorConfig = Schema.decodeUnknownEffect(
  Schema.Struct({
    config: Schema.Struct({
      fields: Schema.Tuple([
        Schema.Struct({
          id: Schema.Literal("test"),
          type: Schema.Literal("select"),
          label: Schema.String,
          options: Schema.Array(Schema.Struct({ id: Schema.String, label: Schema.String })),
        }),
      ]),
    }),
  }),
)

const teamtailorStatus: Readonly<Record<string, string>> = {
  Started: "pending",
  Submitted: "pending",
  Evaluated: "completed",
  "The candidate declined": "failed",
  Cancelled: "failed",
  Expired: "failed",
}

const segment = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url")

/** The form of the activation as a JSON Web Token, which Teamtailor signs with the partner's API key. */
export const activationToken = (
  form: object,
  apiKey: string,
  header: object = { alg: "HS256", typ: "JWT" },
): string => {
  const signed = `${segment(header)}.${segment(form)}`
  return `${signed}.${createHmac("sha256", apiKey).update(signed).digest("base64url")}`
}

const teamtailorKey = "teamtailor-api-key"

/** Teamtailor's calls have a signed token that contains the connection's key. The API key is the partner's, for all accounts. */
export const teamtailor: Simulator.VendorPlay = {
  system: "teamtailor",
  vendor: () => ({ api_key: teamtailorKey }),
  authenticate: (key) => ({ authorization: `Bearer ${activationToken({ token: key, iat: 1 }, teamtailorKey)}` }),
  challenge: /^Bearer realm=/,
  probe: { method: "GET", path: "config" },
  orderPath: "webhook",
  order: ({ cvLink, email, number, set, url }) => ({
    "partner-event": {
      id: `event-${number}`,
      "webhook-data": { test: set, threshold: "75" },
      "partner-result": {
        id: `result-${number}`,
        status: "sending",
        "update-url": `${url}/partner/v1/partner-results/result-${number}`,
      },
      candidate: {
        id: 54321,
        "first-name": "Ada",
        "last-name": "Lovelace",
        email,
        phone: "+49 30 1234",
        tags: ["developer"],
        job: {
          id: 12345,
          title: "Engineer",
          stage: "After Interview",
          "triggered-by": { id: 31, email: "recruiter@acme.example", name: "Champlin" },
        },
        "custom-fields": [{ "has-driver-license": { value: true, type: "boolean" } }],
        resume: { "file-name": "cv.pdf", url: cvLink },
      },
    },
    company: { uuid: "vAXspNm0J2Y", name: "Acme" },
  }),
  fields: {
    set: "partner-event.webhook-data.test",
    email: "partner-event.candidate.email",
    first: "partner-event.candidate.first-name",
    last: "partner-event.candidate.last-name",
    id: "partner-event.partner-result.id",
    texts: ["partner-event.candidate.job.title", "partner-event.candidate.job.triggered-by.email"],
    phone: "partner-event.candidate.phone",
    cv: "partner-event.candidate.resume.url",
    unread: "partner-event.candidate.questions",
  },
  stored: { profile_url: null, ordered_by: "recruiter@acme.example", job: "Engineer" },
  goneStatus: 404,
  sentence: (body) => Schema.decodeUnknownSync(Schema.String)(body),
  callback: "partner-event.partner-result.update-url",
  isToldOfInvitations: true,
  sets: Effect.fnUntraced(function* (play) {
    const { body } = yield* Simulator.probe(play)
    const { config } = yield* teamtailorConfig(body)
    return named(config.fields[0].options, "id", "label")
  }),
  isReportOf: ({ path }, { number }) => path === `/partner/v1/partner-results/result-${number}`,
  told: Effect.fnUntraced(function* (_, { number }, { body, headers, method }) {
    assert.deepStrictEqual(
      [method, headers.authorization, headers["content-type"], headers["x-api-version"]],
      ["PUT", `Token ${teamtailorKey}`, "application/vnd.api+json", "20180828"],
    )
    const { data } = yield* teamtailorResult(body)
    assert.strictEqual(data.id, `result-${number}`)
    const { assessment, details, status, summary, url } = data.attributes
    const state = details["Status"] ?? ""
    assert.strictEqual(status, teamtailorStatus[state])
    const score = /: ([\d.]+) of 10$/.exec(summary)?.[1]
    assert.strictEqual(assessment?.score, score === undefined ? undefined : Math.round(Number(score) * 10))
    return { state, score: score ?? null, link: url }
  }),
  evaluated: () => "Evaluated",
}

const recruiteeReport = Schema.decodeUnknownEffect(
  Schema.fromJsonString(
    Schema.Struct({
      status: Schema.Literals(["sent", "completed", "failed", "canceled"]),
      score: Schema.NullOr(Schema.String),
      subtitle: Schema.String,
      completed_at: Schema.NullOr(Schema.String),
    }),
  ),
)

const recruiteeStatus: Readonly<Record<string, string>> = {
  Started: "sent",
  Submitted: "sent",
  Evaluated: "completed",
  "The candidate declined": "canceled",
  Cancelled: "canceled",
  Expired: "canceled",
}

/** The id of Recruitee's report: a random UUID. */
export const reportId = (number: number): string => `bb83dc83-91b2-46a5-8a21-${String(number).padStart(12, "0")}`

const decodeError = Schema.decodeUnknownSync(Schema.Struct({ error: Schema.String }))

export const recruitee: Simulator.VendorPlay = {
  system: "recruitee",
  vendor: (account) => ({ codename: "interviews", secret: `recruitee-secret-${account}` }),
  authenticate: (key) => ({ authorization: `Bearer ${key}` }),
  challenge: /^Bearer realm=/,
  probe: { method: "GET", path: "tests" },
  orderPath: "send_candidate",
  order: ({ email, number, set }) => ({
    first_name: "Ada",
    last_name: "Lovelace",
    email,
    phone: "+49 30 1234",
    candidate_id: 1,
    company_id: 1,
    report_id: reportId(number),
    test_id: set,
    test_name: "Backend Engineer",
  }),
  fields: {
    set: "test_id",
    email: "email",
    first: "first_name",
    last: "last_name",
    id: "report_id",
    texts: [],
    phone: "phone",
    unread: "test_name",
  },
  stored: { profile_url: null, ordered_by: null, job: null },
  goneStatus: 404,
  sentence: (body) => decodeError(body).error,
  sets: Effect.fnUntraced(function* (play) {
    return named((yield* Simulator.probe(play)).body, "id", "name")
  }),
  isReportOf: ({ path }, { number }) => path === `/api/p/interviews/reports/${reportId(number)}`,
  told: Effect.fnUntraced(function* ({ vendor }, _, { body, headers, method }) {
    assert.deepStrictEqual([method, headers["rt-partner-secret"]], ["PATCH", vendor["secret"]])
    const { completed_at, score, status, subtitle } = yield* recruiteeReport(body)
    const [, state = "", link] = /^(.+?): (http\S+)$/.exec(subtitle) ?? []
    assert.strictEqual(status, recruiteeStatus[state])
    assert.strictEqual(completed_at === null, status !== "completed")
    return { state, score: score?.replace("/10", "") ?? null, link }
  }),
  evaluated: () => "Evaluated",
}

const hibobReport = Schema.decodeUnknownEffect(
  Schema.fromJsonString(
    Schema.Struct({
      status: Schema.Literals(["completed", "failed"]),
      providerAssessmentId: Schema.String,
      comments: Schema.String,
      score: Schema.optional(Schema.Finite),
      resultUrl: Schema.String.check(Schema.isPattern(/^https:/)),
    }),
  ),
)

/** What HiBob has of assessments, by the access to them and their path: the details, and why the service refused one. */
const hibobDetails = new Map<string, string>()
const hibobRefusals = new Map<string, string>()

const hibobPath = (id: unknown) => `/v1/hiring/assessments/${encodeURIComponent(String(id).toWellFormed())}`

/** Tokens contain the connection's id, which is the code of its grant, and the number of renewals. */
const hibobTokens = (form: URLSearchParams) => {
  const [, connection = "", renewals = "0"] = /^refresh (\S+) (\d+)$/.exec(form.get("refresh_token") ?? "") ?? []
  const of = `${form.get("code") ?? connection} ${form.has("code") ? 1 : Number(renewals) + 1}`
  return { access_token: `access ${of}`, refresh_token: `refresh ${of}`, expires_in: 3600, token_type: "Bearer" }
}

const accessOf = (authorization = "") => authorization.split(" ")[2] ?? ""

/**
 * HiBob's events have ids only: the service fetches the details of an assessment, and refuses it by a status. An administrator
 * grants access to them.
 */
export const hibob: Simulator.VendorPlay = {
  system: "hibob",
  vendor: (account) => ({
    company_id: account,
    client_id: "client-1",
    client_secret: `client-secret-${account}`,
    install_url: "https://app.hibob.com/app-marketplace/install/app-1",
    webhook_secret: `webhook-secret-${account}`,
  }),
  authenticate: (key, body) => ({ "bob-signature": createHmac("sha512", key).update(body).digest("base64") }),
  challenge: /^Signature realm=/,
  probe: {
    method: "POST",
    path: "events",
    body: (vendor) => ({ companyId: vendor["company_id"], type: "employee.updated", data: {} }),
  },
  orderPath: "events",
  serve: ({ body, headers, method, path }) => {
    if (path === "/oauth2/v1/apps/token") return hibobTokens(new URLSearchParams(body))
    const of = `${accessOf(headers.authorization)} ${path}`
    if (method === "GET") return hibobDetails.get(of)
    const { comments, providerAssessmentId } = Simulator.jsonOf(body)
    if (method !== "PATCH" || providerAssessmentId !== undefined) return undefined
    hibobRefusals.set(of, String(comments))
    return {}
  },
  deliver: Effect.fnUntraced(function* ({ id: connection, vendor }, body, send) {
    const known = Result.getOrUndefined(Result.try((): unknown => JSON.parse(body)))
    // bodies that are no object have the id 0
    const { assessmentRequestId, ...details } =
      known === undefined || !isObject(known) ? { assessmentRequestId: 0 } : known
    const of = `${connection} ${hibobPath(assessmentRequestId)}`
    hibobDetails.set(of, known !== undefined && isObject(known) ? JSON.stringify(details) : body)
    hibobRefusals.delete(of)
    const answer = yield* send(
      JSON.stringify({
        companyId: vendor["company_id"],
        type: "assessment.triggered",
        data: { assessmentRequestId },
      }),
    )
    const error = hibobRefusals.get(of)
    if (error === undefined) return answer
    assert.strictEqual(answer.status, 200)
    return { ...answer, status: error.startsWith("The order could not be read") ? 400 : 422, body: { error } }
  }),
  isToldOfEndsOnly: true,
  order: ({ email, number, set }) => ({
    assessmentRequestId: number,
    candidate: { id: 17, firstName: "Ada", lastName: "Lovelace", email, phone: "+49 30 1234" },
    package: { id: set, name: "Backend Engineer" },
    jobOpening: { id: 3, title: "Engineer" },
    requester: { id: "9", email: "recruiter@acme.example" },
  }),
  fields: {
    set: "package.id",
    email: "candidate.email",
    first: "candidate.firstName",
    last: "candidate.lastName",
    id: "assessmentRequestId",
    texts: ["jobOpening.title", "requester.email"],
    phone: "candidate.phone",
    hasNumericId: true,
    unread: "jobOpening.description",
  },
  stored: { profile_url: null, ordered_by: "recruiter@acme.example", job: "Engineer" },
  goneStatus: 422,
  sentence: (body) => decodeError(body).error,
  sets: Effect.fnUntraced(function* () {
    // the change of the sets queued a synchronization
    yield* Simulator.report
    const pushed = (yield* Simulator.Simulator).received.findLast(({ path }) => path === hibobPath("packages"))
    assert.strictEqual(pushed?.method, "PUT")
    return named(Simulator.jsonOf(pushed?.body)["packages"], "id", "name")
  }),
  isReportOf: ({ path }, { number }) => path === hibobPath(number),
  told: Effect.fnUntraced(function* ({ id }, { given }, { body, headers, method }) {
    assert.deepStrictEqual([method, accessOf(headers.authorization)], ["PATCH", id])
    const { comments, providerAssessmentId, resultUrl, score, status } = yield* hibobReport(body)
    assert.deepStrictEqual([status, providerAssessmentId], [comments === "Evaluated" ? "completed" : "failed", given])
    return { state: comments, score: score ?? null, link: resultUrl }
  }),
  evaluated: () => "Evaluated",
}

/** Those that show the states of an interview before its end: not HiBob. */
const byName: Readonly<Record<Exclude<HiringSystem, "hibob">, Simulator.VendorPlay>> = {
  greenhouse,
  ashby,
  kombo,
  workable,
  teamtailor,
  recruitee,
}

export const systems = Object.values(byName)
