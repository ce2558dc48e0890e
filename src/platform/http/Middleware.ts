/**
 * Middleware of every route, from the outside in: `requestHead`, `requestId`, `securityHeaders`, `counting`, the error
 * shape (ProblemApiHandlers.ts), `matching`.
 */
import type { IncomingMessage } from "node:http"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Clock, Context, Effect, Exit, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerRespondable, HttpServerResponse } from "effect/http"
import { Config } from "../../config/Config.ts"
import { monotonicMillis } from "../Monotonic.ts"
import { uuids } from "../NewIds.ts"
import { withoutSecrets } from "../telemetry/LogText.ts"
import { Metrics } from "../telemetry/Metrics.ts"
import { BadRequest } from "./ProblemApi.ts"

type Head = Pick<IncomingMessage, "headers" | "httpVersion" | "rawHeaders">

/** Stricter than RFC 3986. */
const hostForm = /^([\w.-]*|\[[0-9a-f:.]+\])(:\d*)?$/i

/** HTTP/1.0 needs no Host header (RFC 9112, 3.2). Node's `headers` keeps only the first of several. */
const hasOneHost = ({ httpVersion, rawHeaders }: Head): boolean => {
  let host: string | undefined
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.length !== 4 || rawHeaders[i]?.toLowerCase() !== "host") continue
    if (host !== undefined) return false
    host = rawHeaders[i + 1] ?? ""
  }
  return host === undefined ? httpVersion === "1.0" : hostForm.test(host)
}

/** RFC 9112, 6.1. */
const isFramed = ({ headers, httpVersion }: Head): boolean => {
  const coding = headers["transfer-encoding"]
  return coding === undefined || (httpVersion !== "1.0" && coding.toLowerCase() === "chunked")
}

const refuse = (detail: string) =>
  Effect.map(
    HttpServerRespondable.toResponse(new BadRequest({ detail })),
    HttpServerResponse.setHeader("connection", "close"),
  )
const refuseHost = refuse("the request must have one valid Host header")
const refuseCoding = refuse("the body must have a Content-Length, or chunked as its only transfer coding")

/** Refuses request heads that a proxy could read differently (request smuggling). */
export const requestHead = HttpRouter.middleware(
  (handler) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const message = NodeHttpServerRequest.toIncomingMessage(request)
      if (!hasOneHost(message)) return refuseHost
      return isFramed(message) ? handler : refuseCoding
    }),
  { global: true },
)

/** Cannot forge a log line. */
const printable = /^[\x21-\x7e]{1,128}$/

const isUsable = (id: string): boolean => printable.test(id) && withoutSecrets(id) === id

/** True for API paths in any encoding. Other paths contain candidates' links. */
const isLogged = (path: string): boolean =>
  /^(https?:\/\/[^/]*)?\/+(c|%63)(o|%6f)(m|%6d)(p|%70)(a|%61)(n|%6e)(y|%79)\//i.test(path)

/** Fields of the line of a request that are known only once it is authenticated. */
export const RequestFields = Context.Reference<Record<string, unknown> | undefined>(
  "interview-invitations/platform/http/RequestFields",
  { defaultValue: () => undefined },
)

/** Adds the X-Request-Id, or a new id, to the response and all log lines. */
export const requestId = HttpRouter.middleware(
  Effect.gen(function* () {
    const uuid = yield* uuids
    const answered = (
      request: HttpServerRequest.HttpServerRequest,
      id: string,
      began: number,
      fields: Record<string, unknown>,
    ) => {
      const [requested = ""] = request.url.split("?")
      const named = HttpServerResponse.setHeader("x-request-id", id)
      if (!isLogged(requested)) return Effect.map(named)
      const path = withoutSecrets(requested)
      return Effect.flatMap((response: HttpServerResponse.HttpServerResponse) =>
        Effect.flatMap(monotonicMillis, (now) =>
          Effect.logInfo("request").pipe(
            Effect.annotateLogs({
              ...fields,
              method: request.method,
              path,
              status: response.status,
              duration_ms: Math.round(now - began),
            }),
            Effect.as(named(response)),
          ),
        ),
      )
    }
    // without generators: they took 39 of the 830 µs of an invite of one candidate
    return (handler) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        const given = request.headers["x-request-id"]
        return Effect.flatMap(given !== undefined && isUsable(given) ? Effect.succeed(given) : uuid, (id) =>
          Effect.flatMap(monotonicMillis, (began) => {
            const fields: Record<string, unknown> = {}
            const answer = Effect.provideService(handler, RequestFields, fields)
            return Effect.annotateLogs(answered(request, id, began, fields)(answer), "request_id", id)
          }),
        )
      })
  }),
  { global: true },
)

const always = { "x-content-type-options": "nosniff", "cache-control": "no-store" }

/** Browsers ignore Strict-Transport-Security (RFC 6797) on plain http. */
export const standardHeaders = (appUrl: string): Readonly<Record<string, string>> =>
  appUrl.startsWith("https:") ? { ...always, "strict-transport-security": "max-age=31536000" } : always

/** Responses may override these headers. */
export const securityHeaders = Layer.unwrap(
  Effect.map(Config, ({ appUrl }) => {
    const defaults = standardHeaders(appUrl)
    return HttpRouter.middleware(
      Effect.map((response: HttpServerResponse.HttpServerResponse) =>
        HttpServerResponse.setHeaders(response, { ...defaults, ...response.headers }),
      ),
      { global: true },
    )
  }),
)

const Matched = Context.Reference<{ route: string | undefined } | undefined>(
  "interview-invitations/platform/http/Matched",
  {
    defaultValue: () => undefined,
  },
)

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/** nginx's status for a client that disconnected. */
const clientGone = 499

/** By route template: paths contain names and links. */
export const counting = HttpRouter.middleware(
  Effect.gen(function* () {
    const { request: count } = yield* Metrics
    const clock = yield* Clock.Clock
    return (handler) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ method }) => {
        const began = clock.monotonicTimeNanosUnsafe()
        const matched: { route: string | undefined } = { route: undefined }
        return Effect.onExit(Effect.provideService(handler, Matched, matched), (exit) => {
          const seconds = Number(clock.monotonicTimeNanosUnsafe() - began) / 1e9
          const status = Exit.isSuccess(exit) ? exit.value.status : clientGone
          count(methods.has(method) ? method : "OTHER", matched.route, status, seconds)
          return Effect.void
        })
      })
  }),
  { global: true },
)

/** The request's share of connections (database/Connections.ts). */
export const routeShare = (services: Context.Context<never>): string | undefined => {
  const found = Context.getOrUndefined(services, HttpRouter.RouteContext)
  return found === undefined ? undefined : `${found.route.method} ${found.route.path}`
}

export const matching = HttpRouter.middleware(
  (handler) =>
    handler.pipe(
      Effect.onExit(() =>
        Effect.withFiber((fiber) => {
          const matched = fiber.getRef(Matched)
          const found = Context.getOrUndefined(fiber.context, HttpRouter.RouteContext)
          if (matched !== undefined && found !== undefined) matched.route = found.route.path
          return Effect.void
        }),
      ),
    ),
  { global: true },
)
