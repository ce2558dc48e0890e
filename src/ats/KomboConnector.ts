/**
 * Kombo: the Assessment API for many hiring systems (docs.kombo.dev, read on 2026-11-26). Orders arrive by webhook, and open
 * orders are fetched. The signature is HMAC-SHA-256 of the body in base64url without padding, as public clients verify it.
 */
import { createHmac } from "node:crypto"
import { Duration, Effect, Option, Result, Schema } from "effect"
import { isSameSecret } from "../platform/crypto/SecretComparison.ts"
import { monotonicMillis } from "../platform/Monotonic.ts"
import { InterviewSetId } from "../values/Ids.ts"
import { jsonBody, place, type Refusal, readWith, refusedWith, stateNames } from "./CallAnswers.ts"
import { type Connected, otherIntegration } from "./Connection.ts"
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
import type { Orders } from "./Orders.ts"

const optionalText = Schema.optional(Schema.NullOr(Schema.String))

const Order = Schema.Struct({
  id: Schema.String.check(Schema.isMaxLength(200)),
  package_id: InterviewSetId,
  integration_id: optionalText,
  status: optionalText,
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

/** Orders of a page. An order can have kilobytes of a job's description (HiringSystemClient `maxItem`). */
const pageSize = 20
/** Limits one synchronization. */
const maxPages = 200
/** Ends before the lease of the job does, which is at least a minute longer than one request. */
const maxDuration = Duration.seconds(20)

const errorBody = (message: string) => ({ message })

/** 422 with a message ends the order in Kombo. After other statuses, the order stays open. */
const refused = (refusal: Refusal): CallAnswer =>
  refusedWith(errorBody)({ ...refusal, status: refusal.status === 404 ? 422 : refusal.status })

const placeOrder = (
  orders: Orders["Service"],
  connection: Connected,
  { candidate, id, job, package_id }: typeof Order.Type,
) =>
  place(orders, connection, {
    external_id: id,
    interview_set_id: package_id,
    candidate: {
      email: candidate.email,
      first: candidate.first_name,
      last: candidate.last_name,
    },
    orderedBy: job?.hiring_team?.find(({ email }) => email != null)?.email,
    job: job?.name,
  })

/**
 * All integrations of a Kombo account may share one address: orders of other integrations are accepted and ignored. In an account
 * of the operator, an order that names no integration may be that of any organization.
 */
const isOfOther = ({ integration_id }: typeof Order.Type, { credentials: { isOfOperator, vendor } }: CallRequest) =>
  integration_id == null ? isOfOperator === true : integration_id !== vendor["integration_id"]

const isOpen = ({ status }: typeof Order.Type) => status == null || status === "OPEN"

const ignored = (error: string): CallAnswer => ({ status: 200, body: {}, error })

/** In an account of the operator, the other integration is of another organization. */
const ofOther = ({ credentials: { isOfOperator = false } }: CallRequest) => ({ isOfOther: isOfOperator })

/** Without the id, the connection's own orders cannot be told from others. A webhook that is answered with 503 is repeated. */
const isIncomplete = ({ credentials: { vendor } }: CallRequest) => vendor["integration_id"] === undefined
const incomplete = refused({ status: 503, message: "The integration id has not been entered yet." })

const orderReceived = Effect.fn("KomboConnector.orderReceived")(function* (
  orders: Orders["Service"],
  connection: Connected,
  call: CallRequest,
) {
  const read = readOrderReceived(call.body)
  if (Result.isFailure(read)) return refused(read.failure)
  const { data } = read.success
  if (isIncomplete(call)) return incomplete
  if (isOfOther(data, call)) return { ...ignored(`${otherIntegration}${data.integration_id}`), ...ofOther(call) }
  if (!isOpen(data)) return ignored(`ignored an order that is ${data.status}`)
  const placed = yield* placeOrder(orders, connection, data)
  if (Result.isFailure(placed)) return refused(placed.failure)
  return { status: 200, body: {}, order: placed.success.id }
})

/** Answers with the link to which the hiring system leads the candidate. The invitation email is sent too. */
const inlineOrderReceived = Effect.fn("KomboConnector.inlineOrderReceived")(function* (
  orders: Orders["Service"],
  connection: Connected,
  call: CallRequest,
) {
  const read = readOrderReceived(call.body)
  if (Result.isFailure(read)) return refused(read.failure)
  const { data } = read.success
  if (isIncomplete(call)) return incomplete
  if (isOfOther(data, call)) {
    const detail = `${otherIntegration}${data.integration_id}`
    // not 422, which would end an order of another provider's connection
    const answer = refusedWith(errorBody)({ status: 404, message: "The order belongs to another integration.", detail })
    return { ...answer, ...ofOther(call) }
  }
  if (!isOpen(data)) return refused({ status: 422, message: "The order is no longer open." })
  const placed = yield* placeOrder(orders, connection, data)
  if (Result.isFailure(placed)) return refused(placed.failure)
  const { given_id, id } = placed.success
  const link = yield* Effect.option(orders.linkOf(connection, given_id))
  if (Option.isNone(link)) return refused({ status: 422, message: "The candidate's link is no longer valid." })
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

const resultOf = ({ at, facts, page }: Report) => {
  const state = stateOf(facts)
  const status = statuses[state]
  // Kombo wants it with CANCELLED too
  const completedAt = status === "OPEN" ? null : (facts.ended_at ?? facts.completed_at ?? new Date(at).toISOString())
  const score = scoreOf(facts)
  return {
    status,
    result_url: page,
    ...(completedAt === null ? {} : { completed_at: completedAt }),
    ...(score === null ? {} : { score, max_score: 10 }),
    attributes: [{ type: "TEXT", label: "Status", value: stateNames[state] }],
  }
}

const pushPackages = Effect.fnUntraced(function* (
  orders: Orders["Service"],
  connection: Connected,
  credentials: Credentials,
  ask: Ask,
) {
  const sets = yield* orders.offered(connection)
  const packages = sets.map(({ description, id, title }) => ({
    id,
    // candidates write their answers
    type: "SKILLS_TEST",
    name: title,
    description: description || title,
  }))
  return outcomeOf(KomboConnector, yield* ask(request(credentials, "PUT", "packages", { packages })))
})

/** Fetches and places open orders. Returns the first error; the other orders are placed. Known orders change nothing. */
const fetchOrders = Effect.fnUntraced(function* (
  orders: Orders["Service"],
  connection: Connected,
  credentials: Credentials,
  ask: Ask,
) {
  let refusal: string | undefined
  let cursor: string | null | undefined
  let done: Outcome = { status: null, error: null }
  let size = pageSize
  const end = (yield* monotonicMillis) + Duration.toMillis(maxDuration)
  let isLast = false
  for (let page = 0; !isLast && page < maxPages; page++) {
    const from = cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""
    const result = yield* ask(request(credentials, "GET", `orders?statuses=OPEN&page_size=${size}${from}`))
    done = outcomeOf(KomboConnector, result)
    if (result._tag === "Failed" || done.error !== null) return done
    const read = Option.getOrUndefined(readOrders(result.body))
    if (read === undefined && result.truncated && size > 1) {
      size = Math.floor(size / 2)
      continue
    }
    if (read === undefined) return { ...done, error: "Kombo's list of orders could not be read" }
    for (const one of read.data.results) {
      const order = readOrder(one)
      if (Result.isSuccess(order) && !isOpen(order.success)) continue
      const placed = Result.isFailure(order)
        ? Result.fail(order.failure)
        : yield* placeOrder(orders, connection, order.success)
      if (Result.isFailure(placed)) refusal ??= placed.failure.detail ?? placed.failure.message
    }
    cursor = read.data.next
    isLast = !cursor
    if (cursor && (yield* monotonicMillis) > end) {
      return { ...done, warning: "Kombo answered slowly: not all open orders were fetched" }
    }
  }
  return refusal === undefined ? done : { ...done, warning: `An order could not be accepted: ${refusal}` }
})

const synchronize = Effect.fn("KomboConnector.synchronize")(function* (
  orders: Orders["Service"],
  connection: Connected,
  credentials: Credentials,
  ask: Ask,
) {
  const pushed = yield* pushPackages(orders, connection, credentials, ask)
  return pushed.error === null ? yield* fetchOrders(orders, connection, credentials, ask) : pushed
})

export const KomboConnector: Connector = {
  system: "kombo",
  guide: {
    summary: "For the hiring systems that Kombo connects. They order interviews; the score and a link come back.",
    needs: "Kombo Connect, and the integration id from the operator of this service.",
    administrator: [
      "Connect your hiring system through Kombo Connect, with the link of this service's operator.",
      "Ask the operator for the integration id of the new connection: it is entered on the page of the connection, unless the operator enters it.",
      "Press “Test the credentials” there.",
      "Behind Kombo, Workday needs each interview set entered by hand.",
    ],
    operator: [
      "In Kombo's dashboard, under Secrets, create an API key. It and the webhook secret are those of your Kombo account, for all organizations.",
      "In Kombo's dashboard, under Webhooks, enter the addresses. Kombo signs its calls with the webhook secret, so no key is needed.",
      "In Kombo's dashboard, find the integration id of the organization's connection.",
    ],
    account: "hiring system",
    repeated: "The webhooks are needed for each connection, the rest once for all.",
  },
  authentication: {
    _tag: "Signature",
    secret: "webhook_secret",
    isSigned: ({ body, headers }, secret) => {
      const signature = createHmac("sha256", secret).update(body).digest("base64url")
      // RFC 4648 allows base64url with and without padding
      return isSameSecret(signature, headers["x-kombo-signature"]?.replace(/=+$/, "") ?? "")
    },
  },
  credentials: [
    {
      name: "region",
      label: "Region",
      isPartner: true,
      help: "The region of the Kombo account.",
      options: ["eu", "us"],
    },
    { name: "api_key", label: "Kombo API key", isPartner: true, help: "In Kombo's dashboard, under Secrets." },
    {
      name: "integration_id",
      label: "Integration id",
      isKnown: true,
      isAssigned: true,
      help: "The operator of this service finds it in Kombo's dashboard. It begins with the hiring system's name and a colon.",
    },
    {
      name: "webhook_secret",
      label: "Webhook secret",
      isPartner: true,
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
  errorBody,
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
