/** Middleware of every route, from the outside in: `requests`, the error shape (ProblemApiHandlers.ts), `matching`. */
import type { IncomingMessage } from "node:http"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Clock, Context, Effect, Exit, Layer, References } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerRespondable, HttpServerResponse } from "effect/http"
import { Config } from "../../config/Config.ts"
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
/** For request heads that a proxy could read differently (request smuggling). */
const refuseHost = refuse("the request must have one valid Host header")
const refuseCoding = refuse("the body must have a Content-Length, or chunked as its only transfer coding")

/** Cannot forge a log line. */
const printable = /^[\x21-\x7e]{1,128}$/

const isUsable = (id: string): boolean => printable.test(id) && withoutSecrets(id) === id

/** True for API paths in any encoding. Other paths contain candidates' links. */
const isLogged = (path: string): boolean =>
  /^(https?:\/\/[^/]*)?\/+(c|%63)(o|%6f)(m|%6d)(p|%70)(a|%61)(n|%6e)(y|%79)\//i.test(path)

/** The end of a request. Without a response: the client disconnected. */
export interface RequestEnd {
  readonly id: string
  readonly request: HttpServerRequest.HttpServerRequest
  readonly response: HttpServerResponse.HttpServerResponse | undefined
  readonly durationMs: number
}

/** What is known of a request later: fields of its log line and who logs its end, once it is authenticated; its route. */
interface RequestRecord {
  readonly fields: Record<string, unknown>
  route: string | undefined
  log: ((end: RequestEnd) => void) | undefined
}

export const CurrentRequest = Context.Reference<RequestRecord | undefined>(
  "interview-invitations/platform/http/CurrentRequest",
  { defaultValue: () => undefined },
)

const always = { "x-content-type-options": "nosniff", "cache-control": "no-store" }

/** Browsers ignore Strict-Transport-Security (RFC 6797) on plain http. */
export const standardHeaders = (appUrl: string): Readonly<Record<string, string>> =>
  appUrl.startsWith("https:") ? { ...always, "strict-transport-security": "max-age=31536000" } : always

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/** nginx's status for a client that disconnected. */
const clientGone = 499

/**
 * Around every request: refuses ambiguous heads; adds the standard headers, which responses may override, and the
 * X-Request-Id, or a new id, which all log lines have; logs API requests; counts requests by route template, because paths
 * contain names and links.
 *
 * One effect, which sets the services of a request once: as four it took 48 of the 311 µs of a request without statements.
 */
export const requests = Layer.unwrap(
  Effect.map(Config, ({ appUrl }) => {
    const defaults = standardHeaders(appUrl)
    return HttpRouter.middleware(
      Effect.gen(function* () {
        const uuid = yield* uuids
        const { request: count } = yield* Metrics
        const clock = yield* Clock.Clock

        const ended = (
          id: string,
          request: HttpServerRequest.HttpServerRequest,
          began: bigint,
          { fields, log, route }: RequestRecord,
          exit: Exit.Exit<HttpServerResponse.HttpServerResponse, unknown>,
        ) => {
          const { method, url } = request
          const nanos = Number(clock.monotonicTimeNanosUnsafe() - began)
          const status = Exit.isSuccess(exit) ? exit.value.status : clientGone
          count(methods.has(method) ? method : "OTHER", route, status, nanos / 1e9)
          log?.({ id, request, response: Exit.isSuccess(exit) ? exit.value : undefined, durationMs: nanos / 1e6 })
          const [path = ""] = url.split("?")
          if (!isLogged(path) || !Exit.isSuccess(exit)) return Effect.void
          const duration_ms = Math.round(nanos / 1e6)
          const line = { ...fields, method, path: withoutSecrets(path), status, duration_ms }
          return Effect.annotateLogs(Effect.logInfo("request"), line)
        }

        return (handler) =>
          Effect.withFiber((fiber) => {
            const { context } = fiber
            const request = Context.getUnsafe(context, HttpServerRequest.HttpServerRequest)
            const message = NodeHttpServerRequest.toIncomingMessage(request)
            const answer = !hasOneHost(message) ? refuseHost : isFramed(message) ? handler : refuseCoding
            const began = clock.monotonicTimeNanosUnsafe()
            const record: RequestRecord = { fields: {}, route: undefined, log: undefined }
            const respond = (id: string) => {
              const services = context.pipe(
                Context.add(CurrentRequest, record),
                Context.add(References.CurrentLogAnnotations, {
                  ...fiber.getRef(References.CurrentLogAnnotations),
                  request_id: id,
                }),
              )
              return Effect.map(answer, (response) =>
                HttpServerResponse.setHeaders(response, { ...defaults, ...response.headers, "x-request-id": id }),
              ).pipe(
                Effect.onExit((exit) => ended(id, request, began, record, exit)),
                Effect.updateContext((_: Context.Context<never>) => services),
              )
            }
            const given = request.headers["x-request-id"]
            return given !== undefined && isUsable(given) ? respond(given) : Effect.flatMap(uuid, respond)
          })
      }),
      { global: true },
    )
  }),
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
          const record = fiber.getRef(CurrentRequest)
          const found = Context.getOrUndefined(fiber.context, HttpRouter.RouteContext)
          if (record !== undefined && found !== undefined) record.route = found.route.path
          return Effect.void
        }),
      ),
    ),
  { global: true },
)
