/**
 * HiBob: the Assessments API of Bob Hiring for Marketplace partners (apidocs.hibob.com, read in part on 2026-11-29: "Assessments",
 * "Get assessment details", "Update assessment status", "OAuth 2.0", "Managing customer installations"). The URL of tokens and
 * that of installations are those of public integrations. What could not be read, and is inferred here: the request that
 * registers packages, the names of the candidate's and the package's fields, the encoding of the signature. Of the statuses, only
 * completed, passed and failed could be read, so nothing else is reported.
 */
import { createHmac } from "node:crypto"
import { Effect, Option, Result, Schema } from "effect"
import { isSameSecret } from "../platform/crypto/SecretComparison.ts"
import { InterviewSetId } from "../values/Ids.ts"
import { jsonBody, place, type Refusal, readWith, refusedWith, stateNames, unreadable } from "./CallAnswers.ts"
import type { Connected } from "./Connection.ts"
import type { Ask, CallAnswer, CallRequest, Connector, Credentials, Report, VendorRequest } from "./Connector.ts"
import { outcomeOf } from "./HiringSystemClient.ts"
import { type OrderState, scoreOf, stateOf } from "./Order.ts"
import type { Orders } from "./Orders.ts"

const optionalText = Schema.optional(Schema.NullOr(Schema.String))

const Event = Schema.Struct({
  type: Schema.String,
  data: Schema.optional(Schema.Struct({ assessmentRequestId: Schema.optional(Schema.Unknown) })),
})

const Company = Schema.fromJsonString(Schema.Struct({ companyId: Schema.Union([Schema.String, Schema.Finite]) }))

const Details = Schema.Struct({
  candidate: Schema.Struct({
    email: Schema.String,
    firstName: optionalText,
    lastName: optionalText,
    surname: optionalText,
  }),
  package: Schema.Struct({ id: InterviewSetId }),
  jobOpening: Schema.optional(Schema.NullOr(Schema.Struct({ title: optionalText }))),
  requester: Schema.optional(Schema.NullOr(Schema.Struct({ email: optionalText }))),
})

const readEvent = readWith(Schema.decodeUnknownResult(Event, { errors: "all" }))
const readCompany = Schema.decodeUnknownOption(Company)
const readDetails = readWith(Schema.decodeUnknownResult(Schema.fromJsonString(Details), { errors: "all" }))
const readId = Schema.decodeUnknownOption(
  Schema.Union([Schema.String.check(Schema.isPattern(/^[\w-]{1,100}$/)), Schema.Int]),
)

const errorBody = (message: string) => ({ error: message })
const refused = refusedWith(errorBody)

const request = (
  { tokens }: Credentials,
  method: VendorRequest["method"],
  id: string,
  body?: Schema.Json,
): VendorRequest => ({
  method,
  url: `/v1/hiring/assessments/${encodeURIComponent(id)}`,
  headers: {
    authorization: `Bearer ${tokens?.access ?? ""}`,
    accept: "application/json",
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  },
  body: body === undefined ? undefined : jsonBody(body),
})

/** The recruiter sees the reason in Bob. Bob would repeat the event after another status, and get the same refusal. */
const refuseOrder = Effect.fnUntraced(function* (ask: Ask, credentials: Credentials, id: string, refusal: Refusal) {
  yield* ask(request(credentials, "PATCH", id, { status: "failed", comments: refusal.message }))
  return { ...refused(refusal), status: 200, body: {} }
})

const triggered = Effect.fnUntraced(function* (
  orders: Orders["Service"],
  connection: Connected,
  { ask, credentials }: CallRequest,
  id: string,
) {
  const result = yield* ask(request(credentials, "GET", id))
  const { error } = outcomeOf(HiBobConnector, result)
  if (result._tag === "Failed" || error !== null) {
    return refused({ status: 503, message: "The assessment could not be read.", detail: error ?? "no answer" })
  }
  const read = readDetails(result.body)
  if (Result.isFailure(read)) return yield* refuseOrder(ask, credentials, id, read.failure)
  const { candidate, jobOpening, package: chosen, requester } = read.success
  const placed = yield* place(orders, connection, {
    external_id: id,
    interview_set_id: chosen.id,
    candidate: {
      email: candidate.email,
      first: candidate.firstName,
      last: candidate.lastName ?? candidate.surname,
    },
    orderedBy: requester?.email,
    job: jobOpening?.title,
  })
  if (Result.isFailure(placed)) return yield* refuseOrder(ask, credentials, id, placed.failure)
  return { status: 200, body: {}, order: placed.success.id }
})

const cancelled = (orders: Orders["Service"], connection: Connected, id: string) =>
  orders.cancelExternal(connection, id).pipe(
    Effect.map((order): CallAnswer => ({ status: 200, body: {}, order })),
    Effect.catchTags({
      NotFound: () => Effect.succeed({ status: 200, body: {}, error: "There is no such assessment." }),
      Conflict: ({ reason }) => Effect.succeed({ status: 200, body: {}, error: reason }),
    }),
  )

/** Bob repeats events: a repeated one changes nothing. */
const events = Effect.fn("HiBobConnector.events")(function* (
  orders: Orders["Service"],
  connection: Connected,
  call: CallRequest,
) {
  const read = readEvent(call.body)
  if (Result.isFailure(read)) return refused(read.failure)
  const { data, type } = read.success
  if (type !== "assessment.triggered" && type !== "assessment.cancelled") return { status: 200, body: {} }
  const id = Option.getOrUndefined(readId(data?.assessmentRequestId))
  if (id === undefined) {
    return refused({ status: 400, message: unreadable, detail: "data/assessmentRequestId must be an id of HiBob" })
  }
  return type === "assessment.triggered"
    ? yield* triggered(orders, connection, call, String(id))
    : yield* cancelled(orders, connection, String(id))
})

const statuses: Partial<Readonly<Record<OrderState, "completed" | "failed">>> = {
  undeliverable: "failed",
  evaluated: "completed",
  declined: "failed",
  cancelled: "failed",
  expired: "failed",
}

const report = ({ credentials, facts, page }: Report): VendorRequest | undefined => {
  const state = stateOf(facts)
  const status = statuses[state]
  if (status === undefined) return undefined
  const score = scoreOf(facts)
  return request(credentials, "PATCH", facts.external_id, {
    status,
    providerAssessmentId: facts.given_id,
    comments: stateNames[state],
    ...(score === null ? {} : { score }),
    // Bob refuses other addresses
    ...(page.startsWith("https://") ? { resultUrl: page } : {}),
  })
}

const synchronize = Effect.fn("HiBobConnector.synchronize")(function* (
  orders: Orders["Service"],
  connection: Connected,
  credentials: Credentials,
  ask: Ask,
) {
  const sets = yield* orders.offered(connection)
  const packages = sets.map(({ description, id, title }) => ({ id, name: title, description: description || title }))
  return outcomeOf(HiBobConnector, yield* ask(request(credentials, "PUT", "packages", { packages })))
})

export const HiBobConnector: Connector = {
  system: "hibob",
  guide: {
    summary: "Recruiters order an interview in Bob Hiring; the score and a link come back.",
    needs: "an administrator of HiBob, who grants the access, and HiBob's number of your company.",
    isUntried: true,
    caveat:
      "Built from the part of HiBob's documents that could be read, not tried with HiBob and not certified by the vendor: the operator tries it with a Bob Partner account first.",
    administrator: [
      "If it is missing, enter HiBob's number of your company (companyId) on the page of the connection. HiBob's support and the operator know it.",
      "Press “Grant access”, sign in to HiBob as an administrator, and allow the app.",
      "Your interview sets are then sent to Bob as packages.",
    ],
    operator: [
      "In HiBob's Developer Portal, create an app with the scope hiring.integrations:write, the installation mode “Install from your landing page”, and the landing page of this service.",
      "Enter the redirect address, and the address of events as the webhook of assessment.triggered and assessment.cancelled.",
      "The client id, the client secret, the app installation URL and the webhook secret are those of the app.",
    ],
  },
  authentication: {
    _tag: "Signature",
    secret: "webhook_secret",
    account: {
      credential: "company_id",
      of: (body) => {
        const company = Option.getOrUndefined(readCompany(Buffer.from(body).toString("utf8")))
        return company === undefined ? undefined : String(company.companyId)
      },
    },
    isSigned: ({ body, headers }, secret) =>
      isSameSecret(createHmac("sha512", secret).update(body).digest("base64"), headers["bob-signature"] ?? ""),
  },
  oauth: {
    authorizeUrl: ({ install_url }) => install_url ?? "",
    tokenUrl: "https://auth.app.hibob.com/oauth2/v1/apps/token",
    scope: "hiring.integrations:write",
  },
  credentials: [
    {
      name: "company_id",
      label: "HiBob company id",
      isKnown: true,
      help: "HiBob's number of your company (companyId). HiBob's support and the operator know it.",
    },
    {
      name: "client_id",
      label: "HiBob client id",
      isKnown: true,
      isPartner: true,
      help: "In HiBob's Developer Portal, on the page of the app.",
    },
    {
      name: "client_secret",
      label: "HiBob client secret",
      isPartner: true,
      help: "In HiBob's Developer Portal, on the page of the app.",
    },
    {
      name: "install_url",
      label: "HiBob app installation URL",
      isKnown: true,
      isPartner: true,
      help: "In HiBob's Developer Portal, on the page of the app. It begins with https://app.hibob.com/.",
    },
    {
      name: "webhook_secret",
      label: "HiBob webhook secret",
      isPartner: true,
      help: "In HiBob's Developer Portal, under Webhooks. HiBob signs its calls with this secret.",
    },
  ],
  calls: [{ method: "POST", path: "events", answer: events }],
  api: "https://api.hibob.com",
  hosts: ["api.hibob.com", "auth.app.hibob.com", "app.hibob.com"],
  errorBody,
  report,
  synchronize,
}
