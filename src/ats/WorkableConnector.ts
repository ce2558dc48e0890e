/**
 * Workable: assessment providers (workable.readme.io/page/assessment-providers, read on 2026-11-26). The page asks for the two
 * calls below. Its part about the fields of assessments and results could not be read: the fields here are those of two public
 * providers. One of them also offers a link to its results without sign-in, which is no part of Workable's page: a candidate's
 * results are not shown without sign-in.
 */
import { createHash } from "node:crypto"
import { Effect, Result, Schema } from "effect"
import { InterviewSetId } from "../values/Ids.ts"
import { jsonBody, place, type Refusal, readWith, refusedWith, stateNames, toCallback } from "./CallAnswers.ts"
import type { Connected } from "./Connection.ts"
import type { CallAnswer, CallRequest, Connector, Report } from "./Connector.ts"
import { type OrderState, scoreOf, stateOf } from "./Order.ts"
import type { Orders } from "./Orders.ts"

const hosts = ["workable.com", ".workable.com"]

const optionalText = Schema.optional(Schema.NullOr(Schema.String))

const Assessment = Schema.Struct({
  test_id: InterviewSetId,
  callback_url: Schema.String,
  job_title: optionalText,
  candidate: Schema.Struct({
    first_name: optionalText,
    last_name: optionalText,
    email: Schema.String,
    resume_url: optionalText,
    profile_url: optionalText,
  }),
})

const readAssessment = readWith(Schema.decodeUnknownResult(Assessment, { errors: "all" }))

const errorBody = (message: string, status: number) => ({ status, message })

/** Workable's providers document 400, 401, 409 and 422. */
const refused = (refusal: Refusal): CallAnswer =>
  refusedWith(errorBody)({ ...refusal, status: refusal.status === 404 ? 422 : refusal.status })

const tests = Effect.fn("WorkableConnector.tests")(function* (orders: Orders["Service"], connection: Connected) {
  const sets = yield* orders.offered(connection)
  return { status: 200, body: { tests: sets.map(({ id, title }) => ({ id, name: title })) } }
})

const assessments = Effect.fn("WorkableConnector.assessments")(function* (
  orders: Orders["Service"],
  connection: Connected,
  { body }: CallRequest,
) {
  const read = readAssessment(body)
  if (Result.isFailure(read)) return refused(read.failure)
  const { callback_url, candidate, job_title, test_id } = read.success
  const placed = yield* place(orders, connection, {
    // the callback URL is unique to the assessment, but too long for an index
    external_id: createHash("sha256").update(callback_url).digest("base64url"),
    interview_set_id: test_id,
    candidate: {
      email: candidate.email,
      first: candidate.first_name,
      last: candidate.last_name,
      cv: candidate.resume_url,
    },
    callback: { url: callback_url, hosts },
    profile: candidate.profile_url,
    job: job_title,
  })
  if (Result.isFailure(placed)) return refused(placed.failure)
  const { given_id, id } = placed.success
  return { status: 201, body: { assessment_id: given_id }, order: id }
})

const statuses: Readonly<Record<OrderState, "pending" | "completed" | "rejected" | "expired">> = {
  invited: "pending",
  undeliverable: "pending",
  started: "pending",
  completed: "pending",
  evaluated: "completed",
  declined: "rejected",
  cancelled: "rejected",
  expired: "expired",
}

const result = ({ facts, page }: Report) => {
  const state = stateOf(facts)
  const score = scoreOf(facts)
  const summary = score === null ? stateNames[state] : `${score} of 10`
  return {
    status: statuses[state],
    results_url: page,
    assessment: { score: score === null ? null : String(score), summary },
  }
}

export const WorkableConnector: Connector = {
  system: "workable",
  guide: {
    summary: "Recruiters send an interview from Workable; the score and a link come back.",
    needs: "the settings of the integration in Workable, and the token that Workable shows.",
    caveat: "Tested against the part of the documented contract that could be read, not certified by the vendor.",
    administrator: [
      "In Workable, enter the key as the access token of this provider. Workable sends it as a bearer token.",
      "If Workable asks for an address, enter the base address.",
      "Workable shows a token when the integration is created. Enter it on the page of the connection: reports are sent with it.",
      "Workable lists your interview sets as tests: its first call appears on the page of the connection.",
    ],
    operator: ["Give the base address to Workable's partner team, which registers the provider."],
    hasBase: true,
  },
  authentication: { _tag: "Bearer" },
  credentials: [
    {
      name: "token",
      label: "Workable access token",
      help: "Workable issues the token when the integration is created. Reports are sent with the token.",
    },
  ],
  calls: [
    { method: "GET", path: "tests", answer: tests },
    { method: "POST", path: "assessments", answer: assessments },
  ],
  hosts,
  errorBody,
  report: (report) =>
    toCallback(report, {
      method: "PUT",
      headers: {
        authorization: `Bearer ${report.credentials.vendor["token"] ?? ""}`,
        "content-type": "application/json",
      },
      body: jsonBody(result(report)),
    }),
}
