/**
 * Ashby: partner assessments (developers.ashbyhq.com, "Creating an Assessments Integration", read on 2026-11-26). The user
 * name of HTTP Basic is the connection's key in Ashby's calls, and the Ashby API key in reports.
 */
import { Effect, Result, Schema } from "effect"
import { InterviewSetId } from "../values/Ids.ts"
import { basic, jsonBody, place, type Refusal, readWith, refusedWith, stateNames } from "./CallAnswers.ts"
import type { Connected } from "./Connection.ts"
import type { CallAnswer, CallRequest, Connector, Credentials, Report, VendorRequest } from "./Connector.ts"
import { type OrderState, stateOf } from "./Order.ts"
import type { Orders } from "./Orders.ts"

const optionalText = Schema.optional(Schema.NullOr(Schema.String))

const Start = Schema.Struct({
  assessment_type_id: InterviewSetId,
  candidate: Schema.Struct({
    first_name: optionalText,
    last_name: optionalText,
    email: Schema.String,
    ashby_profile_url: optionalText,
  }),
  application: Schema.Struct({ ashby_id: Schema.String.check(Schema.isMaxLength(200)) }),
  job: Schema.optional(Schema.NullOr(Schema.Struct({ name: optionalText }))),
})

const Cancel = Schema.Struct({ assessment_id: Schema.String })

const readStart = readWith(Schema.decodeUnknownResult(Start, { errors: "all" }))
const readCancel = readWith(Schema.decodeUnknownResult(Cancel, { errors: "all" }))

const answer = (results: Schema.Json): CallAnswer => ({ status: 200, body: { success: true, results } })

const errorBody = (message: string) => ({ success: false, message, errors: [message] })
const refused = refusedWith(errorBody)

/** Ashby shows the `message` of a 422 response only. */
const refusedStart = (refusal: Refusal): CallAnswer =>
  refused({ ...refusal, status: refusal.status === 404 ? 422 : refusal.status })

const list = Effect.fn("AshbyConnector.list")(function* (orders: Orders["Service"], connection: Connected) {
  const sets = yield* orders.offered(connection)
  return answer(sets.map(({ description, id, title }) => ({ assessment_type_id: id, name: title, description })))
})

const start = Effect.fn("AshbyConnector.start")(function* (
  orders: Orders["Service"],
  connection: Connected,
  { body }: CallRequest,
) {
  const read = readStart(body)
  if (Result.isFailure(read)) return refusedStart(read.failure)
  const { application, assessment_type_id, candidate, job } = read.success
  const placed = yield* place(orders, connection, {
    // Ashby's calls contain no order id
    external_id: `${application.ashby_id} ${assessment_type_id}`,
    interview_set_id: assessment_type_id,
    candidate: {
      email: candidate.email,
      first: candidate.first_name,
      last: candidate.last_name,
    },
    profile: candidate.ashby_profile_url,
    job: job?.name,
  })
  if (Result.isFailure(placed)) return refusedStart(placed.failure)
  const { given_id, id } = placed.success
  return { ...answer({ assessment_id: given_id }), order: id }
})

const cancel = Effect.fn("AshbyConnector.cancel")(function* (
  orders: Orders["Service"],
  connection: Connected,
  { body }: CallRequest,
) {
  const read = readCancel(body)
  if (Result.isFailure(read)) return refused(read.failure)
  const { assessment_id } = read.success
  return yield* orders.cancel(connection, assessment_id).pipe(
    Effect.map((order): CallAnswer => ({ ...answer({ assessment_id }), order })),
    Effect.catchTags({
      NotFound: () => Effect.succeed(refused({ status: 404, message: "There is no such assessment." })),
      Conflict: ({ reason }) => Effect.succeed(refused({ status: 422, message: reason })),
    }),
  )
})

const ended: ReadonlySet<OrderState> = new Set(["declined", "cancelled", "expired"])

/** Ashby distinguishes fields by `identifier`. */
const field = (identifier: string, label: string, type: string, value: string | number) => ({
  identifier,
  label,
  type,
  value,
})

const update = ({ at, facts, page }: Report) => {
  const state = stateOf(facts)
  const common = {
    assessment_id: facts.given_id,
    timestamp: at,
    assessment_profile_url: field("profile_url", "Interview", "url", page),
  }
  if (ended.has(state)) {
    return { ...common, cancelled_reason: field("cancelled_reason", "Reason", "string", stateNames[state]) }
  }
  const status = { ...common, assessment_status: field("status", "Status", "string", stateNames[state]) }
  if (facts.evaluation === null || state !== "evaluated") return status
  const { score } = facts.evaluation
  const result =
    score === null
      ? field("score", "Score", "string", "Not scored")
      : { ...field("score", "Score", "numeric_score", score), description: "From 0 to 10" }
  return { ...status, assessment_result: result }
}

const request = ({ vendor }: Credentials, url: string, body: Schema.Json): VendorRequest => ({
  method: "POST",
  url,
  headers: { authorization: basic(vendor["api_key"] ?? ""), "content-type": "application/json" },
  body: jsonBody(body),
})

const isSuccess = Schema.is(Schema.Struct({ success: Schema.Literal(true) }))

export const AshbyConnector: Connector = {
  system: "ashby",
  guide: {
    summary: "Recruiters send an interview from Ashby; the score and a link come back.",
    needs: "the settings of the integration in Ashby, and an API key of Ashby.",
    administrator: [
      "Enter the key in Ashby, in the settings of this integration. Ashby sends it as the user name of HTTP Basic.",
      "In Ashby, under Admin → Integrations → API Keys, create an API key with the permissions candidatesWrite, for reports, and apiKeysRead, for the test.",
      "On the page of the connection, enter this API key and press “Test the credentials”.",
    ],
    operator: ["Give the addresses to Ashby's partner team, which registers the integration."],
  },
  authentication: { _tag: "Basic" },
  credentials: [
    {
      name: "api_key",
      label: "Ashby API key",
      help: "In Ashby: Admin → Integrations → API Keys. The key needs the permissions candidatesWrite, for reports, and apiKeysRead, for the test.",
    },
  ],
  calls: [
    { method: "POST", path: "assessment.list", answer: list },
    { method: "POST", path: "assessment.start", answer: start },
    { method: "POST", path: "assessment.cancel", answer: cancel },
  ],
  api: "https://api.ashbyhq.com",
  hosts: ["api.ashbyhq.com"],
  errorBody,
  report: (report) => request(report.credentials, "/assessment.update", update(report)),
  test: (credentials) => request(credentials, "/apiKey.info", {}),
  // Ashby answers errors with 200 and success: false; a gateway's page or a cut answer is no success either
  isRefused: (body) => !isSuccess(body),
}
