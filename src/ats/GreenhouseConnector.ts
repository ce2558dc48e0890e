/**
 * Greenhouse: the Assessment Partner API (developers.greenhouse.io/assessment.html, read on 2026-11-26). The connection's key
 * is the user name of HTTP Basic in calls and in reports. A report is an empty PATCH to the order's URL, after which
 * Greenhouse requests the status.
 */
import { createHash } from "node:crypto"
import { Effect, Result, Schema } from "effect"
import { InterviewSetId } from "../values/Ids.ts"
import { basic, place, readWith, refusedWith, stateNames, toCallback } from "./CallAnswers.ts"
import type { Connected } from "./Connection.ts"
import type { CallAnswer, CallRequest, Connector } from "./Connector.ts"
import { type OrderFacts, type OrderState, scoreOf, stateOf } from "./Order.ts"
import type { Orders } from "./Orders.ts"

const hosts = ["greenhouse.io", ".greenhouse.io"]

const optionalText = Schema.optional(Schema.NullOr(Schema.String))

const SendTest = Schema.Struct({
  partner_test_id: InterviewSetId,
  candidate: Schema.Struct({
    first_name: optionalText,
    last_name: optionalText,
    preferred_name: optionalText,
    email: Schema.String,
    resume_url: optionalText,
    greenhouse_profile_url: optionalText,
  }),
  sent_by: optionalText,
  url: Schema.String,
})

const ResponseError = Schema.Struct({
  api_call: Schema.String,
  errors: Schema.Array(Schema.String),
  partner_interview_id: optionalText,
  candidate_email: optionalText,
})

const readSendTest = readWith(Schema.decodeUnknownResult(SendTest, { errors: "all" }))
const readResponseError = readWith(Schema.decodeUnknownResult(ResponseError, { errors: "all" }))

const errorBody = (message: string) => ({ errors: [message] })
const refused = refusedWith(errorBody)

const listTests = Effect.fn("GreenhouseConnector.listTests")(function* (
  orders: Orders["Service"],
  connection: Connected,
) {
  const sets = yield* orders.offered(connection)
  return { status: 200, body: sets.map(({ id, title }) => ({ partner_test_id: id, partner_test_name: title })) }
})

/** Greenhouse's calls contain no order id. The order's URL is unique, but too long for an index. */
const orderId = (url: string): string => createHash("sha256").update(url).digest("base64url")

const sendTest = Effect.fn("GreenhouseConnector.sendTest")(function* (
  orders: Orders["Service"],
  connection: Connected,
  { body }: CallRequest,
) {
  const read = readSendTest(body)
  if (Result.isFailure(read)) return refused(read.failure)
  const { candidate, partner_test_id, sent_by, url } = read.success
  const placed = yield* place(orders, connection, {
    external_id: orderId(url),
    interview_set_id: partner_test_id,
    candidate: {
      email: candidate.email,
      first: candidate.preferred_name || candidate.first_name,
      last: candidate.last_name,
      cv: candidate.resume_url,
    },
    callback: { url, hosts },
    profile: candidate.greenhouse_profile_url,
    orderedBy: sent_by,
  })
  if (Result.isFailure(placed)) return refused(placed.failure)
  const { given_id, id } = placed.success
  return { status: 200, body: { partner_interview_id: given_id }, order: id }
})

/** Only "complete" ends a test in Greenhouse; the other statuses are shown as text. */
const statusName = (state: OrderState): string => (state === "evaluated" ? "complete" : stateNames[state])

const statusOf = (facts: OrderFacts, url: string) => ({
  partner_status: statusName(stateOf(facts)),
  partner_profile_url: url,
  partner_score: scoreOf(facts),
  // people see the keys as they are
  metadata: {
    Interview: facts.set_title,
    "Started at": facts.started_at,
    "Submitted at": facts.completed_at,
    "Score out of 10": scoreOf(facts),
  },
})

const testStatus = Effect.fn("GreenhouseConnector.testStatus")(function* (
  orders: Orders["Service"],
  connection: Connected,
  { query }: CallRequest,
) {
  const id = query["partner_interview_id"]
  if (id === undefined) return refused({ status: 422, message: "The call has no partner_interview_id." })
  return yield* orders.standing(connection, id).pipe(
    Effect.map(({ facts, url }): CallAnswer => ({ status: 200, body: statusOf(facts, url), order: facts.id })),
    Effect.catchTag("NotFound", () => Effect.succeed(refused({ status: 404, message: "There is no such test." }))),
  )
})

/** Greenhouse reports that it could not use an answer of the service. Linked to the order, so that erasing the person removes it. */
const responseError = Effect.fn("GreenhouseConnector.responseError")(function* (
  orders: Orders["Service"],
  connection: Connected,
  { body }: CallRequest,
) {
  const read = readResponseError(body)
  if (Result.isFailure(read)) return refused(read.failure)
  const { api_call, candidate_email, errors, partner_interview_id } = read.success
  const order = yield* orders.mentioned(connection, partner_interview_id ?? null, candidate_email ?? null)
  const error = `Greenhouse refused the answer to ${api_call}: ${errors.join("; ")}`
  return { status: 200, body: {}, error, ...(order === undefined ? {} : { order }) } satisfies CallAnswer
})

export const GreenhouseConnector: Connector = {
  system: "greenhouse",
  guide: {
    summary: "Recruiters send an interview from Greenhouse; the score and a link come back.",
    needs: "your account manager at Greenhouse, who stores the key.",
    administrator: [
      "Give the key to your account manager at Greenhouse, who stores it. Greenhouse has no field for it.",
      "Greenhouse lists your interview sets once the key is stored: the first call appears on the page of the connection.",
    ],
    operator: ["Give the addresses and a key to Greenhouse's partner team, which registers the assessment partner."],
  },
  authentication: { _tag: "Basic" },
  credentials: [],
  calls: [
    { method: "GET", path: "list_tests", answer: listTests },
    { method: "POST", path: "send_test", answer: sendTest },
    { method: "GET", path: "test_status", answer: testStatus },
    { method: "POST", path: "response_error", answer: responseError },
  ],
  hosts,
  errorBody,
  report: (report) =>
    toCallback(report, {
      method: "PATCH",
      headers: { authorization: basic(report.credentials.key) },
      body: undefined,
    }),
}
