/**
 * Recruitee: the Partners API (docs.recruitee.com, "Sending candidates", "Reports", "Partners API Concepts" and "Error
 * handling", read on 2026-11-29). The connection's key is the token that the customer pastes in Recruitee. Reports are sent
 * with the partner's secret. The page of the fields of a report could be read in part: the field for a link to the results
 * could not, so the link is in the subtitle. The request of `urls.cancel`, which cancels a test, could not be read either.
 */
import { Effect, Result, Schema } from "effect"
import { InterviewSetId } from "../values/Ids.ts"
import { jsonBody, place, readWith, refusedWith, stateNames } from "./CallAnswers.ts"
import type { Connected } from "./Connection.ts"
import type { CallRequest, Connector, Report } from "./Connector.ts"
import { type OrderState, scoreOf, stateOf } from "./Order.ts"
import type { Orders } from "./Orders.ts"

const optionalText = Schema.optional(Schema.NullOr(Schema.String))

/**
 * A UUID with at least 62 random bits (RFC 9562, versions 4 and 7), as in Recruitee's documents. Reports are sent with the
 * operator's secret to every organization's report, so an id is the proof that Recruitee gave it to the connection: no
 * organization guesses that of another one. One spelling, so that no other one names the same report.
 */
const ReportId = Schema.String.check(
  Schema.isPattern(/^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/, {
    code: "invalid",
    message: "must be a random UUID in lower case (version 4 or 7)",
  }),
)

const SentCandidate = Schema.Struct({
  report_id: ReportId,
  test_id: InterviewSetId,
  first_name: optionalText,
  last_name: optionalText,
  email: Schema.String,
})

const readCandidate = readWith(Schema.decodeUnknownResult(SentCandidate, { errors: "all" }))

const errorBody = (message: string) => ({ error: message })
const refused = refusedWith(errorBody)

const tests = Effect.fn("RecruiteeConnector.tests")(function* (orders: Orders["Service"], connection: Connected) {
  const sets = yield* orders.offered(connection)
  return { status: 200, body: sets.map(({ id, title }) => ({ id, name: title })) }
})

const sendCandidate = Effect.fn("RecruiteeConnector.sendCandidate")(function* (
  orders: Orders["Service"],
  connection: Connected,
  { body }: CallRequest,
) {
  const read = readCandidate(body)
  if (Result.isFailure(read)) return refused(read.failure)
  const { email, first_name, last_name, report_id, test_id } = read.success
  const placed = yield* place(orders, connection, {
    external_id: report_id,
    isReportedAsPartner: true,
    interview_set_id: test_id,
    candidate: { email, first: first_name, last: last_name },
  })
  return Result.isFailure(placed) ? refused(placed.failure) : { status: 200, body: {}, order: placed.success.id }
})

const statuses: Readonly<Record<OrderState, "sent" | "completed" | "canceled">> = {
  invited: "sent",
  undeliverable: "sent",
  started: "sent",
  completed: "sent",
  evaluated: "completed",
  declined: "canceled",
  cancelled: "canceled",
  expired: "canceled",
}

/** A score that was reported before is taken back with a null. */
const reportOf = ({ facts, page }: Report) => {
  const state = stateOf(facts)
  const score = scoreOf(facts)
  return {
    status: statuses[state],
    score: score === null ? null : `${score}/10`,
    subtitle: `${stateNames[state]}: ${page}`,
    completed_at: state === "evaluated" ? facts.completed_at : null,
  }
}

export const RecruiteeConnector: Connector = {
  system: "recruitee",
  guide: {
    summary: "Recruiters send an interview from a candidate's profile in Recruitee; the score and a link come back.",
    needs: "an administrator of Recruitee, who enters the key.",
    caveat: "Tested against the part of the documented contract that could be read, not certified by the vendor.",
    administrator: [
      "In Recruitee, in the settings of this integration, paste the key as the token.",
      "On a candidate's profile, send a test: Recruitee lists your interview sets, and its first call appears on the page of the connection.",
    ],
    operator: [
      "Register the partner at Recruitee with the addresses: tests is urls.tests, send_candidate is urls.send_candidate.",
      "The codename and the secret are the partner's. When Recruitee promotes the partner to production, make a new secret with regenerate-secret.",
    ],
  },
  authentication: { _tag: "Bearer" },
  credentials: [
    {
      name: "codename",
      label: "Recruitee codename",
      isKnown: true,
      isPartner: true,
      help: "The codename of the partner that the operator registered at Recruitee.",
    },
    {
      name: "secret",
      label: "Recruitee partner secret",
      isPartner: true,
      help: "The secret of the partner that the operator registered at Recruitee. Reports are sent with the secret.",
    },
  ],
  calls: [
    { method: "GET", path: "tests", answer: tests },
    { method: "POST", path: "send_candidate", answer: sendCandidate },
  ],
  api: "https://integrations.recruitee.com",
  hosts: ["integrations.recruitee.com"],
  errorBody,
  report: (report) => {
    const { codename = "", secret = "" } = report.credentials.vendor
    return {
      method: "PATCH",
      url: `/api/p/${encodeURIComponent(codename)}/reports/${encodeURIComponent(report.facts.external_id)}`,
      headers: { "rt-partner-secret": secret, "content-type": "application/json" },
      body: jsonBody(reportOf(report)),
    }
  },
}
