/**
 * Teamtailor: the Partner API (partner.teamtailor.com/partners and its source, github.com/Teamtailor/tt-partner-docs at f757495,
 * read on 2026-11-29). A trigger of a job sends the candidate to `webhook`; its form has the fields that `config` names. Calls
 * have a JSON Web Token as bearer token: the values that the administrator entered when the integration was activated, signed
 * with the partner's API key. One of them is the connection's key.
 */
import { createHmac } from "node:crypto"
import { Effect, Option, Result, Schema } from "effect"
import { isSameSecret } from "../platform/crypto/SecretComparison.ts"
import { InterviewSetId } from "../values/Ids.ts"
import { jsonBody, place, readWith, refusedWith, stateNames, toCallback } from "./CallAnswers.ts"
import type { Connected } from "./Connection.ts"
import type { CallAnswer, CallRequest, Connector, Report } from "./Connector.ts"
import { type OrderState, scoreOf, stateOf } from "./Order.ts"
import type { Orders } from "./Orders.ts"

const hosts = ["teamtailor.com", ".teamtailor.com"]

const apiVersion = "20180828"

const optionalText = Schema.optional(Schema.NullOr(Schema.String))

const Event = Schema.Struct({
  "partner-event": Schema.Struct({
    "webhook-data": Schema.Struct({ test: InterviewSetId }),
    "partner-result": Schema.Struct({
      id: Schema.String.check(Schema.isMaxLength(200)),
      "update-url": Schema.String,
    }),
    candidate: Schema.Struct({
      "first-name": optionalText,
      "last-name": optionalText,
      email: Schema.String,
      job: Schema.optional(
        Schema.NullOr(
          Schema.Struct({
            title: optionalText,
            "triggered-by": Schema.optional(Schema.NullOr(Schema.Struct({ email: optionalText }))),
          }),
        ),
      ),
      resume: Schema.optional(Schema.NullOr(Schema.Struct({ url: optionalText }))),
    }),
  }),
})

/** What a button sends: the order's event again. */
const Pressed = Schema.Struct({
  "partner-event": Schema.Struct({
    "partner-result": Schema.Struct({ id: Schema.String.check(Schema.isMaxLength(200)) }),
  }),
})

const readEvent = readWith(Schema.decodeUnknownResult(Event, { errors: "all" }))
const readPressed = readWith(Schema.decodeUnknownResult(Pressed, { errors: "all" }))

/** Teamtailor shows an answer that is a text, not JSON. */
const errorBody = (message: string) => message
const refused = refusedWith(errorBody)

const config = Effect.fn("TeamtailorConnector.config")(function* (orders: Orders["Service"], connection: Connected) {
  const sets = yield* orders.offered(connection)
  const test = {
    id: "test",
    type: "select",
    label: "Interview",
    placeholder: "Choose an interview",
    required: true,
    options: sets.map(({ id, title }) => ({ id, label: title })),
  }
  return { status: 200, body: { config: { fields: [test] } } }
})

const webhook = Effect.fn("TeamtailorConnector.webhook")(function* (
  orders: Orders["Service"],
  connection: Connected,
  { body }: CallRequest,
) {
  const read = readEvent(body)
  if (Result.isFailure(read)) return refused(read.failure)
  const { candidate, "partner-result": result, "webhook-data": chosen } = read.success["partner-event"]
  const placed = yield* place(orders, connection, {
    external_id: result.id,
    interview_set_id: chosen.test,
    candidate: {
      email: candidate.email,
      first: candidate["first-name"],
      last: candidate["last-name"],
      cv: candidate.resume?.url,
    },
    callback: { url: result["update-url"], hosts },
    orderedBy: candidate.job?.["triggered-by"]?.email,
    job: candidate.job?.title,
    isReportedAtOnce: true,
  })
  if (Result.isFailure(placed)) return refused(placed.failure)
  return { status: 200, body: { partner_result_attributes: { status: "sent" } }, order: placed.success.id }
})

/** A button of the result in Teamtailor. */
const button = (press: "withdraw" | "resend") =>
  Effect.fn(`TeamtailorConnector.${press}`)(function* (
    orders: Orders["Service"],
    connection: Connected,
    { body }: CallRequest,
  ) {
    const read = readPressed(body)
    if (Result.isFailure(read)) return refused(read.failure)
    const { id } = read.success["partner-event"]["partner-result"]
    return yield* orders[press](connection, id).pipe(
      Effect.map((order): CallAnswer => ({ status: 200, body: {}, order })),
      Effect.catchTags({
        NotFound: () => Effect.succeed(refused({ status: 404, message: "There is no such interview." })),
        Conflict: ({ reason }) => Effect.succeed(refused({ status: 422, message: reason })),
      }),
    )
  })

const resendButton = { buttonText: "Send the invitation again", endpoint: "resend" }
const cancelButton = { buttonText: "Cancel the interview", endpoint: "cancel" }

/** An empty list removes the buttons. */
const actionsOf = (state: OrderState) => {
  switch (state) {
    case "invited":
    case "undeliverable":
      return [resendButton, cancelButton]
    case "started":
      return [cancelButton]
    default:
      return []
  }
}

const statuses: Readonly<Record<OrderState, "sent" | "pending" | "completed" | "failed">> = {
  invited: "sent",
  undeliverable: "failed",
  started: "pending",
  completed: "pending",
  evaluated: "completed",
  declined: "failed",
  cancelled: "failed",
  expired: "failed",
}

const attributesOf = ({ facts, page }: Report) => {
  const state = stateOf(facts)
  const score = scoreOf(facts)
  return {
    status: statuses[state],
    summary: score === null ? stateNames[state] : `${stateNames[state]}: ${score} of 10`,
    url: page,
    // whole numbers from 0 to 100, as in all examples
    ...(score === null ? {} : { assessment: { score: Math.round(score * 10) } }),
    details: { Interview: facts.set_title, Status: stateNames[state] },
    actions: actionsOf(state),
  }
}

const algorithms: Readonly<Record<string, string>> = { HS256: "sha256", HS384: "sha384", HS512: "sha512" }

const decodePart = (schema: Schema.Codec<{ readonly [name: string]: unknown }, unknown>) => {
  const decode = Schema.decodeUnknownOption(Schema.fromJsonString(schema))
  return (part: string) => Option.getOrUndefined(decode(Buffer.from(part, "base64url").toString("utf8")))
}

const readHeader = decodePart(Schema.Struct({ alg: Schema.String }))
const readClaims = decodePart(Schema.Struct({ token: Schema.String }))

/** The value of the activation's field `token` in a JSON Web Token (RFC 7519). */
const keyOf = (token: string): string | undefined => {
  const key = readClaims(token.split(".")[1] ?? "")?.["token"]
  return typeof key === "string" ? key.trim() : undefined
}

const isSigned = (token: string, apiKey: string): boolean => {
  const [head = "", claims = "", signature = "", ...rest] = token.split(".")
  const algorithm = algorithms[String(readHeader(head)?.["alg"])]
  if (algorithm === undefined || rest.length > 0) return false
  return isSameSecret(createHmac(algorithm, apiKey).update(`${head}.${claims}`).digest("base64url"), signature)
}

export const TeamtailorConnector: Connector = {
  system: "teamtailor",
  guide: {
    summary: "A trigger of a job in Teamtailor sends an interview; the score and a link come back.",
    needs: "an administrator of Teamtailor, who activates the integration with the key.",
    administrator: [
      "In Teamtailor, under Marketplace, activate this integration, and paste the key in the field Key.",
      "In a job, add the trigger of this integration to a stage, and choose the interview that it sends.",
      "Teamtailor lists your interview sets in the trigger: its first call appears on the page of the connection.",
    ],
    operator: [
      "In Teamtailor's Integrations Hub, create the integration with the base address.",
      "As its activation form, enter one required field of the type password with the id token and the label Key.",
      "The API key is on the page of the integration in the Integrations Hub. It verifies Teamtailor's calls, and reports are sent with it.",
    ],
    hasBase: true,
  },
  authentication: { _tag: "Bearer", token: { secret: "api_key", keyOf, isSigned } },
  credentials: [
    {
      name: "api_key",
      label: "Teamtailor API key",
      isPartner: true,
      help: "In Teamtailor's Integrations Hub, on the page of this integration.",
    },
  ],
  calls: [
    { method: "GET", path: "config", answer: config },
    { method: "POST", path: "webhook", answer: webhook },
    { method: "POST", path: resendButton.endpoint, answer: button("resend") },
    { method: "POST", path: cancelButton.endpoint, answer: button("withdraw") },
  ],
  hosts,
  errorBody,
  report: (report) =>
    toCallback(report, {
      method: "PUT",
      headers: {
        authorization: `Token ${report.credentials.vendor["api_key"] ?? ""}`,
        "content-type": "application/vnd.api+json",
        "x-api-version": apiVersion,
      },
      body: jsonBody({
        data: { type: "partner-results", id: report.facts.external_id, attributes: attributesOf(report) },
      }),
    }),
}
