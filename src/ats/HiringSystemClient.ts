/** Sends requests to hiring systems: only to the vendor's hosts, and through the guard of all outbound requests. */
import { Context, Effect, Layer, Option, Schema } from "effect"
import { Config } from "../config/Config.ts"
import { outboundClient } from "../platform/outbound/OutboundClient.ts"
import type { Answered, Failed } from "../platform/outbound/OutboundResult.ts"
import { userAgent } from "../values/UserAgent.ts"
import type { Ask, Connector, Outcome } from "./Connector.ts"
import { systemNames } from "./HiringSystem.ts"
import { isReportAddress } from "./ReportAddress.ts"

const connectionsPerOrigin = 20
/** Bytes of one item of a response, such as an order with the description of its job. */
const maxItem = 256 * 1024
/** A page of orders has at most this many items. */
const maxItems = 20

export class HiringSystemClient extends Context.Service<HiringSystemClient>()(
  "interview-invitations/ats/HiringSystemClient",
  {
    make: Effect.gen(function* () {
      const { hiringSystemHosts, outboundAllow, outboundProxy, webhookTimeout } = yield* Config
      const send = yield* outboundClient({
        allowed: outboundAllow,
        timeout: webhookTimeout,
        connectionsPerOrigin,
        maxKept: maxItem * maxItems,
        proxy: outboundProxy,
      })
      // in tests, requests to every vendor's API go to the first host
      const [standIn] = [...hiringSystemHosts].map((host) => `http://${host}`)
      return {
        ask:
          ({ api, hosts, oauth, system }: Connector): Ask =>
          (request) => {
            const isOfTokens = standIn !== undefined && request.url === oauth?.tokenUrl
            const path = isOfTokens ? new URL(request.url).pathname : request.url
            const url = path.startsWith("/") ? `${standIn ?? api ?? ""}${path}` : path
            if (isReportAddress(url, hosts, hiringSystemHosts))
              return send({ ...request, url, headers: { "user-agent": userAgent, ...request.headers } })
            const message = `The address does not belong to ${systemNames[system]}`
            return Effect.succeed({ _tag: "Failed", cause: "refused", message, durationMs: 0 })
          },
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}

const text = Schema.optional(Schema.NullOr(Schema.String))
const Reason = Schema.Union([Schema.String, Schema.Struct({ message: text, code: text })])

/** The fields in which hiring systems give their reason. */
const readReasons = Schema.decodeUnknownOption(
  Schema.Struct({
    message: Schema.optional(Schema.Unknown),
    error: Schema.optional(Schema.Unknown),
    errors: Schema.optional(Schema.Unknown),
    errorInfo: Schema.optional(Schema.Unknown),
    detail: Schema.optional(Schema.Unknown),
  }),
)

const readReason = Schema.decodeUnknownOption(Reason)

const maxReason = 300

const reasonsIn = (value: unknown): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.slice(0, 10).flatMap(reasonsIn)
  const reason = Option.getOrUndefined(readReason(value))
  if (reason === undefined) return []
  const given = typeof reason === "string" ? [reason] : [reason.message ?? reason.code ?? ""]
  return given.map((one) => one.trim()).filter((one) => one !== "")
}

const readJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** The reason that the hiring system gives; undefined: none that can be read. */
const reasonOf = (json: unknown): string | undefined => {
  const found = Option.getOrUndefined(readReasons(json))
  if (found === undefined) return undefined
  const reasons = new Set(Object.values(found).flatMap(reasonsIn))
  return reasons.size === 0 ? undefined : [...reasons].join("; ").slice(0, maxReason)
}

const credentialTexts: Readonly<Record<number, string>> = {
  401: "it does not accept the credentials of this connection",
  403: "the credentials of this connection are not allowed to do this",
}

/** The outcome of a request, with an error text for users. */
export const outcomeOf = ({ isRefused, system }: Connector, result: Answered | Failed): Outcome => {
  if (result._tag === "Failed") return { status: null, error: result.message }
  const { body, retryAfter, status } = result
  const name = systemNames[system]
  const json = Option.getOrUndefined(readJson(body))
  const reason = reasonOf(json)
  if (status < 200 || status >= 300) {
    const parts = [`${name} answered ${status}`, credentialTexts[status], reason].filter((part) => part !== undefined)
    return { status, error: parts.join(": "), retryAfter }
  }
  if (isRefused?.(json) !== true) return { status, error: null }
  return {
    status,
    error: `${name} refused the request: ${reason ?? (json === undefined ? "its answer is not JSON" : "no reason was given")}`,
  }
}
