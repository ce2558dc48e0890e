/**
 * Ashby: partner assessments (developers.ashbyhq.com, "Creating an Assessments Integration", read on 2026-11-22). The user
 * name of HTTP Basic is the connection's key in Ashby's calls, and the Ashby API key in reports.
 */
import { Effect, Option, Result, Schema } from "effect"
import { InterviewSetId } from "../values/Ids.ts"
import { basic, jsonBody, place, type Refusal, readWith, stateNames } from "./CallAnswers.ts"
import type { Connected } from "./Connection.ts"
import type { CallAnswer, CallRequest, Connector, Report } from "./Connector.ts"
import { type OrderState, stateOf } from "./Order.ts"
import { Orders } from "./Orders.ts"

const Start = Schema.Struct({
  assessment_type_id: InterviewSetId,
  candidate: Schema.Struct({
    first_name: Schema.String,
    last_name: Schema.String,
    email: Schema.String,
    ashby_profile_url: Schema.optional(Schema.NullOr(Schema.String)),
  }),
  application: Schema.Struct({ ashby_id: Schema.String.check(Schema.isMaxLength(200)) }),
  job: Schema.optional(Schema.NullOr(Schema.Struct({ name: Schema.String }))),
})

const Cancel = Schema.Struct({ assessment_id: Schema.String })

const readStart = readWith(Schema.decodeUnknownResult(Start, { errors: "all" }))
const readCancel = readWith(Schema.decodeUnknownResult(Cancel, { errors: "all" }))

const answer = (results: Schema.Json): CallAnswer => ({ status: 200, body: { success: true, results } })

/** Ashby shows the `message` of a 422 response. */
const refused = ({ message, status }: Refusal): CallAnswer => ({
  status,
  body: { success: false, message, errors: [message] },
  error: message,
})

const list = Effect.fn("AshbyConnector.list")(function* (connection: Connected) {
  const sets = yield* (yield* Orders).offered(connection)
  return answer(sets.map(({ id, title }) => ({ assessment_type_id: id, name: title, description: "" })))
})

const start = Effect.fn("AshbyConnector.start")(function* (connection: Connected, { body }: CallRequest) {
  const read = readStart(body)
  if (Result.isFailure(read)) return refused(read.failure)
  const { application, assessment_type_id, candidate, job } = read.success
  const placed = yield* place(connection, {
    // Ashby's calls contain no order id
    external_id: `${application.ashby_id} ${assessment_type_id}`,
    interview_set_id: assessment_type_id,
    candidate: {
      email: candidate.email,
      firstname: candidate.first_name,
      lastname: candidate.last_name,
      cv_link: null,
    },
    callback_url: null,
    callback_hosts: [],
    profile_url: candidate.ashby_profile_url ?? null,
    ordered_by: null,
    job: job?.name ?? null,
  })
  if (Result.isFailure(placed)) return refused(placed.failure)
  const { id, submission_id } = placed.success
  return { ...answer({ assessment_id: submission_id }), order: id }
})

const cancel = Effect.fn("AshbyConnector.cancel")(function* (connection: Connected, { body }: CallRequest) {
  const read = readCancel(body)
  if (Result.isFailure(read)) return refused(read.failure)
  return yield* (yield* Orders).cancel(connection, read.success.assessment_id).pipe(
    Effect.map((order): CallAnswer => ({ ...answer({}), order })),
    Effect.catchTags({
      NotFound: () => Effect.succeed(refused({ status: 404, message: "this connection has no such assessment" })),
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
    assessment_id: facts.submission_id,
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

const readAnswer = Schema.decodeUnknownOption(
  Schema.fromJsonString(
    Schema.Struct({ success: Schema.Boolean, errors: Schema.optional(Schema.Array(Schema.String)) }),
  ),
)

export const AshbyConnector: Connector = {
  system: "ashby",
  authentication: { _tag: "Basic" },
  credentials: [
    {
      name: "api_key",
      label: "Ashby API key",
      help: "In Ashby: Admin → Integrations → API Keys. The API key needs the permission candidatesWrite.",
    },
  ],
  calls: [
    { method: "POST", path: "assessment.list", answer: list },
    { method: "POST", path: "assessment.start", answer: start },
    { method: "POST", path: "assessment.cancel", answer: cancel },
  ],
  api: "https://api.ashbyhq.com",
  hosts: ["api.ashbyhq.com"],
  report: (report) => ({
    method: "POST",
    url: "/assessment.update",
    headers: {
      authorization: basic(report.credentials.vendor["api_key"] ?? ""),
      "content-type": "application/json",
    },
    body: jsonBody(update(report)),
  }),
  // Ashby answers errors with 200 and success: false
  refusal: (body) => {
    const read = Option.getOrUndefined(readAnswer(body))
    return read?.success === false ? read.errors?.join("; ") || "no reason was given" : undefined
  },
}
