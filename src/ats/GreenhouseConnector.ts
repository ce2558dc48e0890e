/**
 * Greenhouse: the Assessment Partner API (developers.greenhouse.io/assessment.html, read on 2026-11-22). The key is the
 * user name of HTTP Basic, in both directions. Greenhouse asks for the status after each empty PATCH to the order's URL.
 */
import { createHash } from "node:crypto"
import { Effect, Result, Schema } from "effect"
import { withoutSecrets } from "../platform/telemetry/LogText.ts"
import { InterviewSetId } from "../values/Ids.ts"
import type { FieldError } from "../values/Problem.ts"
import { fieldErrorsOf } from "../values/ValidationErrors.ts"
import type { Connected } from "./Connection.ts"
import type { CallAnswer, CallRequest, Connector } from "./Connector.ts"
import { type OrderFacts, type OrderState, stateOf } from "./Order.ts"
import { Orders } from "./Orders.ts"

const optionalText = Schema.optional(Schema.NullOr(Schema.String))

const SendTest = Schema.Struct({
  partner_test_id: InterviewSetId,
  candidate: Schema.Struct({
    first_name: Schema.String,
    last_name: Schema.String,
    preferred_name: optionalText,
    email: Schema.String,
    resume_url: optionalText,
    greenhouse_profile_url: optionalText,
  }),
  sent_by: optionalText,
  url: Schema.String.check(Schema.isMaxLength(2048)),
})

const ResponseError = Schema.Struct({
  api_call: Schema.String,
  errors: Schema.Array(Schema.String),
  partner_interview_id: optionalText,
})

const readSendTest = Schema.decodeUnknownResult(SendTest, { errors: "all" })
const readResponseError = Schema.decodeUnknownResult(ResponseError, { errors: "all" })

const maxLogged = 500

const refused = (status: number, error: string): CallAnswer => ({ status, body: { errors: [error] }, error })

const refusedFields = (errors: ReadonlyArray<FieldError>): CallAnswer =>
  refused(422, errors.map(({ message, pointer }) => `${pointer.replace("#/", "")} ${message}`).join("; "))

const listTests = Effect.fn("GreenhouseConnector.listTests")(function* (connection: Connected) {
  const sets = yield* (yield* Orders).offered(connection)
  return { status: 200, body: sets.map(({ id, title }) => ({ partner_test_id: id, partner_test_name: title })) }
})

/** Greenhouse has no id of the order: its URL is the only one of its kind, and is too long for an index. */
const orderId = (url: string): string => createHash("sha256").update(url).digest("base64url")

const sendTest = Effect.fn("GreenhouseConnector.sendTest")(function* (connection: Connected, { body }: CallRequest) {
  const read = readSendTest(body)
  if (Result.isFailure(read)) return refusedFields(fieldErrorsOf(read.failure.issue))
  const { candidate, partner_test_id, sent_by, url } = read.success
  return yield* (yield* Orders)
    .order(connection, {
      external_id: orderId(url),
      interview_set_id: partner_test_id,
      candidate: {
        email: candidate.email,
        firstname: candidate.preferred_name || candidate.first_name,
        lastname: candidate.last_name,
        cv_link: candidate.resume_url ?? null,
      },
      callback_url: url,
      profile_url: candidate.greenhouse_profile_url ?? null,
      ordered_by: sent_by ?? null,
    })
    .pipe(
      Effect.map(
        ({ id, submission_id }): CallAnswer => ({
          status: 200,
          body: { partner_interview_id: submission_id },
          order: id,
        }),
      ),
      Effect.catchTags({
        Invalid: ({ errors }) => Effect.succeed(refusedFields(errors)),
        NotFound: ({ record }) => Effect.succeed(refused(404, `there is no such ${record}`)),
        NotAllowed: ({ record }) => Effect.succeed(refused(404, `there is no such ${record}`)),
        Conflict: ({ reason }) => Effect.succeed(refused(422, reason)),
      }),
    )
})

/** Only "complete" ends a test at Greenhouse; the others are shown as they are. */
const statuses: Readonly<Record<OrderState, string>> = {
  invited: "Invited",
  undeliverable: "The invitation's email could not be delivered",
  started: "Started",
  completed: "Submitted",
  evaluated: "complete",
  declined: "The candidate declined",
  cancelled: "Cancelled",
  expired: "Expired",
}

const statusOf = (facts: OrderFacts, url: string) => ({
  partner_status: statuses[stateOf(facts)],
  partner_profile_url: url,
  partner_score: facts.evaluation?.score ?? null,
  metadata: { interview: facts.set_title, started_at: facts.started_at, submitted_at: facts.completed_at },
})

const testStatus = Effect.fn("GreenhouseConnector.testStatus")(function* (
  connection: Connected,
  { query }: CallRequest,
) {
  const id = query["partner_interview_id"]
  if (id === undefined) return refused(422, "partner_interview_id is required")
  return yield* (yield* Orders).standing(connection, id).pipe(
    Effect.map(({ facts, url }): CallAnswer => ({ status: 200, body: statusOf(facts, url), order: facts.id })),
    Effect.catchTag("NotFound", () => Effect.succeed(refused(404, "this connection has no such test"))),
  )
})

/** Greenhouse tells that it could not use an answer. */
const responseError = Effect.fn("GreenhouseConnector.responseError")((_: Connected, { body }: CallRequest) => {
  const read = readResponseError(body)
  if (Result.isFailure(read)) return Effect.succeed(refusedFields(fieldErrorsOf(read.failure.issue)))
  const { api_call, errors } = read.success
  // the log of exchanges has no personal data
  const error = withoutSecrets(`Greenhouse refused the answer to ${api_call}: ${errors.join("; ")}`.slice(0, maxLogged))
  return Effect.succeed<CallAnswer>({ status: 200, body: {}, error })
})

const basic = (key: string): string => `Basic ${Buffer.from(`${key}:`).toString("base64")}`

export const GreenhouseConnector: Connector = {
  system: "greenhouse",
  calls: [
    { method: "GET", path: "list_tests", answer: listTests },
    { method: "POST", path: "send_test", answer: sendTest },
    { method: "GET", path: "test_status", answer: testStatus },
    { method: "POST", path: "response_error", answer: responseError },
  ],
  hosts: ["greenhouse.io", ".greenhouse.io"],
  report: ({ callback_url }, key) =>
    callback_url === null
      ? undefined
      : { method: "PATCH", url: callback_url, headers: { authorization: basic(key) }, body: undefined },
}
