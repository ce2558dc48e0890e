/** Sends requests to hiring systems: only to the vendor's hosts, and through the guard of all outbound requests. */
import { Context, Effect, Layer } from "effect"
import { Config } from "../config/Config.ts"
import { outboundClient } from "../platform/outbound/OutboundClient.ts"
import type { Answered, Failed } from "../platform/outbound/OutboundResult.ts"
import { userAgent } from "../values/UserAgent.ts"
import type { Ask, Connector, Outcome } from "./Connector.ts"
import { systemNames } from "./HiringSystem.ts"
import { isReportAddress } from "./ReportAddress.ts"

const connectionsPerOrigin = 20
/** Bytes of a response, enough for a page of orders. */
const maxKept = 256 * 1024

export class HiringSystemClient extends Context.Service<
  HiringSystemClient,
  { readonly ask: (connector: Connector) => Ask }
>()("interview-invitations/ats/HiringSystemClient") {
  static readonly layer = Layer.effect(
    HiringSystemClient,
    Effect.gen(function* () {
      const { hiringSystemHosts, outboundAllow, webhookTimeout } = yield* Config
      const send = yield* outboundClient({
        allowed: outboundAllow,
        timeout: webhookTimeout,
        connectionsPerOrigin,
        maxKept,
      })
      // in tests, requests to every vendor's API go to the first host
      const [standIn] = [...hiringSystemHosts].map((host) => `http://${host}`)
      return HiringSystemClient.of({
        ask:
          ({ api, hosts, system }) =>
          (request) => {
            const url = request.url.startsWith("/") ? `${standIn ?? api ?? ""}${request.url}` : request.url
            if (isReportAddress(url, hosts, hiringSystemHosts))
              return send({ ...request, url, headers: { "user-agent": userAgent, ...request.headers } })
            const message = `The address does not belong to ${systemNames[system]}`
            return Effect.succeed({ _tag: "Failed", cause: "refused", message, durationMs: 0 })
          },
      })
    }),
  )
}

/** The outcome of a request, with an error text for users. */
export const outcomeOf = ({ refusal, system }: Connector, result: Answered | Failed): Outcome => {
  if (result._tag === "Failed") return { status: null, error: result.message }
  const { body, retryAfter, status } = result
  const name = systemNames[system]
  if (status === 401 || status === 403) {
    return { status, error: `${name} answered ${status}: it does not accept the credentials of this connection` }
  }
  if (status < 200 || status >= 300) return { status, error: `${name} answered ${status}`, retryAfter }
  const refused = refusal?.(body)
  return { status, error: refused === undefined ? null : `${name} refused the request: ${refused}` }
}
