/**
 * Kombo: the Assessment API for many hiring systems (docs.kombo.dev, read on 2026-11-22 and 2026-11-25). Orders arrive by
 * webhook, and open orders are fetched. The signature, HMAC-SHA-256 of the body in base64url, is not verified with the vendor.
 */
import { createHmac } from "node:crypto"
import { Clock, Duration, Effect, Option, Result, Schema } from "effect"
import { InterviewSetId } from "../values/Ids.ts"
import { jsonBody, place, type Refusal, readWith, stateNames } from "./CallAnswers.ts"
import type { Connected } from "./Connection.ts"
import type {
  Ask,
  CallAnswer,
  CallRequest,
  Connector,
  Credentials,
  Outcome,
  Report,
  VendorRequest,
} from "./Connector.ts"
import { outcomeOf } from "./HiringSystemClient.ts"
import type { OrderState } from "./Order.ts"
import { scoreOf, stateOf } from "./Order.ts"
import { Orders } from "./Orders.ts"

const optionalText = Schema.optional(Schema.NullOr(Schema.String))

const Order = Schema.Struct({
  id: Schema.String.check(Schema.isMaxLength(200)),
  package_id: InterviewSetId,
  integration_id: optionalText,
  candidate: Schema.Struct({ email: Schema.String, first_name: optionalText, last_name: optionalText }),
  job: Schema.optional(
    Schema.NullOr(
      Schema.Struct({
        name: optionalText,
        hiring_team: Schema.optional(Schema.NullOr(Schema.Array(Schema.Struct({ email: optionalText })))),
      }),
    ),
  ),
})

const OrderReceived = Schema.Struct({ data: Order })

const Orders200 = Schema.Struct({
  data: Schema.Struct({ results: Schema.Array(Schema.Unknown), next: optionalText }),
})

const readOrderReceived = readWith(Schema.decodeUnknownResult(OrderReceived, { errors: "all" }))
const readOrder = readWith(Schema.decodeUnknownResult(Order, { errors: "all" }))
const readOrders = Schema.decodeUnknownOption(Schema.fromJsonString(Orders200))

/** A page must fit into what is kept of an answer (HiringSystemClient). */
const pageSize = 20
/** Limits one synchronization. */
const maxPages = 200
/** Ends before the lease of the job does, which is at least a minute longer than one request. */
const maxDuration = Duration.seconds(20)

const refused = ({ message, status }: Refusal): CallAnswer => ({ status, body: { error: message }, error: message })

const placeOrder = (connection: Connected, { candidate, id, job, package_id }: typeof Order.Type) =>
  place(connection, {
    external_id: id,
    interview_set_id: package_id,
    candidate: {
      email: candidate.email,
      firstname: candidate.first_name ?? "",
      lastname: candidate.last_name ?? "",
      cv_link: null,
    },
    callback_url: null,
    callback_hosts: [],
    profile_url: null,
    ordered_by: job?.hiring_team?.find(({ email }) => email != null)?.email ?? null,
    job: job?.name ?? null,
  })

/** All integrations of a Kombo account may share one address: orders of other integrations are accepted and ignored. */
const isOfOther = ({ integration_id }: typeof Order.Type, { vendor }: CallRequest) =>
  integration_id != null && integration_id !== vendor["integration_id"]

/** Without the id, the connection's own orders cannot be told from others. A webhook that is answered with 503 is repeated. */
const isIncomplete = ({ vendor }: CallRequest) => vendor["integration_id"] === undefined
const incomplete = refused({ status: 503, message: "the integration id has not been entered yet" })

const orderReceived = Effect.fn("KomboConnector.orderReceived")(function* (connection: Connected, call: CallRequest) {
  const read = readOrderReceived(call.body)
  if (Result.isFailure(read)) return refused(read.failure)
  const { data } = read.success
  if (isIncomplete(call)) return incomplete
  if (isOfOther(data, call)) {
    return { status: 200, body: {}, error: "ignored an order of another integration" } satisfies CallAnswer
  }
  const placed = yield* placeOrder(connection, data)
  if (Result.isFailure(placed)) return refused(placed.failure)
  return { status: 200, body: {}, order: placed.success.id }
})

/** Answers with the link to which the hiring system leads the candidate. The invitation email is sent too. */
const inlineOrderReceived = Effect.fn("KomboConnector.inlineOrderReceived")(function* (
  connection: Connected,
  call: CallRequest,
) {
  const read = readOrderReceived(call.body)
  if (Result.isFailure(read)) return refused(read.failure)
  const { data } = read.success
  if (isIncomplete(call)) return incomplete
  if (isOfOther(data, call)) return refused({ status: 404, message: "the order belongs to another integration" })
  const placed = yield* placeOrder(connection, data)
  if (Result.isFailure(placed)) return refused(placed.failure)
  const { id, submission_id } = placed.success
  const link = yield* Effect.option((yield* Orders).linkOf(connection, submission_id))
  if (Option.isNone(link)) return refused({ status: 422, message: "the candidate's link is no longer valid" })
  return { status: 200, body: { assessment_url: link.value }, order: id }
})

/** Relative URLs refer to Kombo's API in the EU. */
const request = (
  { vendor }: Credentials,
  method: VendorRequest["method"],
  path: string,
  body?: Schema.Json,
): VendorRequest => ({
  method,
  url: `${vendor["region"] === "us" ? "https://api.us.kombo.dev" : ""}/v1/assessment/${path}`,
  headers: {
    authorization: `Bearer ${vendor["api_key"] ?? ""}`,
    "x-integration-id": vendor["integration_id"] ?? "",
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  },
  body: body === undefined ? undefined : jsonBody(body),
})

const statuses: Readonly<Record<OrderState, "OPEN" | "COMPLETED" | "CANCELLED">> = {
  invited: "OPEN",
  undeliverable: "OPEN",
  started: "OPEN",
  completed: "OPEN",
  evaluated: "COMPLETED",
  declined: "CANCELLED",
  cancelled: "CANCELLED",
  expired: "CANCELLED",
}

const resultOf = ({ facts, page }: Report) => {
  const state = stateOf(facts)
  const score = scoreOf(facts)
  return {
    status: statuses[state],
    result_url: page,
    ...(facts.completed_at === null ? {} : { completed_at: facts.completed_at }),
    ...(score === null ? {} : { score, max_score: 10 }),
    attributes: [{ type: "TEXT", label: "Status", value: stateNames[state] }],
  }
}

const pushPackages = Effect.fnUntraced(function* (connection: Connected, credentials: Credentials, ask: Ask) {
  const sets = yield* (yield* Orders).offered(connection)
  const packages = sets.map(({ id, title }) => ({ id, type: "VIDEO_INTERVIEW", name: title, description: title }))
  return outcomeOf(KomboConnector, yield* ask(request(credentials, "PUT", "packages", { packages })))
})

/** Fetches and places open orders. Returns the first error; the other orders are placed. Known orders change nothing. */
const fetchOrders = Effect.fnUntraced(function* (connection: Connected, credentials: Credentials, ask: Ask) {
  let refusal: string | undefined
  let cursor: string | null | undefined
  let done: Outcome = { status: null, error: null }
  const end = (yield* Clock.currentTimeMillis) + Duration.toMillis(maxDuration)
  for (let page = 0; page === 0 || (cursor && page < maxPages); page++) {
    const from = cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""
    const result = yield* ask(request(credentials, "GET", `orders?statuses=OPEN&page_size=${pageSize}${from}`))
    done = outcomeOf(KomboConnector, result)
    if (result._tag === "Failed" || done.error !== null) return done
    const read = Option.getOrUndefined(readOrders(result.body))
    if (read === undefined) return { ...done, error: "Kombo's list of orders could not be read" }
    for (const one of read.data.results) {
      const order = readOrder(one)
      const placed = Result.isFailure(order) ? Result.fail(order.failure) : yield* placeOrder(connection, order.success)
      if (Result.isFailure(placed)) refusal ??= placed.failure.message
    }
    cursor = read.data.next
    if (cursor && (yield* Clock.currentTimeMillis) > end) {
      return { ...done, warning: "Kombo answered slowly: not all open orders were fetched" }
    }
  }
  return refusal === undefined ? done : { ...done, warning: `An order could not be accepted: ${refusal}` }
})

const synchronize = Effect.fn("KomboConnector.synchronize")(function* (
  connection: Connected,
  credentials: Credentials,
  ask: Ask,
) {
  const pushed = yield* pushPackages(connection, credentials, ask)
  return pushed.error === null ? yield* fetchOrders(connection, credentials, ask) : pushed
})

export const KomboConnector: Connector = {
  system: "kombo",
  authentication: {
    _tag: "Signature",
    header: "x-kombo-signature",
    secret: "webhook_secret",
    sign: (secret, body) => createHmac("sha256", secret).update(body).digest("base64url"),
  },
  credentials: [
    { name: "region", label: "Region", help: "The region of the Kombo account.", options: ["eu", "us"] },
    { name: "api_key", label: "Kombo API key", help: "In Kombo's dashboard, under Secrets." },
    {
      name: "integration_id",
      label: "Integration id",
      isKnown: true,
      help: "In Kombo's dashboard. It begins with the hiring system's name and a colon.",
    },
    {
      name: "webhook_secret",
      label: "Webhook secret",
      help: "In Kombo's dashboard, under Webhooks. Kombo signs its calls with this secret.",
    },
  ],
  calls: [
    { method: "POST", path: "order-received", name: "assessment:order-received", answer: orderReceived },
    {
      method: "POST",
      path: "inline-order-received",
      name: "inline-assessment:order-received",
      answer: inlineOrderReceived,
    },
  ],
  api: "https://api.kombo.dev",
  hosts: ["api.kombo.dev", "api.us.kombo.dev"],
  report: (report) =>
    request(
      report.credentials,
      "PUT",
      `orders/${encodeURIComponent(report.facts.external_id)}/result`,
      resultOf(report),
    ),
  test: (credentials) => request(credentials, "GET", "packages"),
  synchronize,
}
