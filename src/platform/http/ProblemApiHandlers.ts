/** Turns errors outside of handlers into problem responses; errors of the service (5xx) into pages for browsers. */
import { validateHeaderValue } from "node:http"
import { Cause, Context, Effect, Layer, Pull, References, Stream } from "effect"
import {
  HttpBody,
  HttpMethod,
  HttpRouter,
  HttpServerError,
  HttpServerRequest,
  HttpServerRespondable,
  HttpServerResponse,
} from "effect/http"
import { HttpApi, type HttpApiGroup, HttpApiMiddleware, OpenApi } from "effect/http-api"
import { definedOnly } from "../../values/definedOnly.ts"
import { type FieldError, isOfDependency, Overloaded, outageRetryAfter } from "../../values/Problem.ts"
import { fieldErrorsOf } from "../../values/ValidationErrors.ts"
import { plain } from "../database/Connections.ts"
import { overloadOf } from "../database/Database.ts"
import * as FailureLog from "../queue/FailureLog.ts"
import { sayable } from "../telemetry/LogText.ts"
import { Assets } from "./Assets.ts"
import * as Body from "./Body.ts"
import { errorPage } from "./ErrorPage.ts"
import { RequestErrors, unescapedPlus } from "./IntegrationApi.ts"
import { pages, preferredLanguage, wantsPage } from "./Pages.ts"
import { type Operation, pathSuggestions, type Suggest } from "./PathSuggestions.ts"
import { NotFound, problemOf } from "./ProblemApi.ts"

/** Names the cause of errors that the decoded query does not show: a parameter given twice, a "+" that became a space. */
const queryErrors = (url: string, errors: ReadonlyArray<FieldError>): ReadonlyArray<FieldError> => {
  const given = new URLSearchParams(url.slice(url.indexOf("?") + 1))
  const seen = new Set<string>()
  return errors.flatMap((error) => {
    const name = decodeURIComponent(error.pointer.slice(2))
    const values = given.getAll(name)
    if (error.code === "unknown_parameter") return [error]
    if (values.length > 1) {
      if (seen.has(name)) return []
      seen.add(name)
      const times = values.length === 2 ? "twice" : `${values.length} times`
      return [{ ...error, code: "duplicate" as const, message: `is given ${times}: send it once` }]
    }
    const isUnescaped = error.code === "invalid_date" && values[0]?.includes(" ") === true
    return [isUnescaped ? { ...error, message: `${error.message}; ${unescapedPlus}` } : error]
  })
}

/** An invalid path parameter names no record: 404. */
export const requestErrors = HttpApiMiddleware.layerSchemaErrorTransform(RequestErrors, (error) => {
  switch (error.kind) {
    case "Params": {
      const errors = fieldErrorsOf(error.cause.issue).map(({ message, pointer }) => `${pointer.slice(2)} ${message}`)
      const detail = `no such record in this organization; in the path, ${errors.join(" and ")}`
      return HttpServerRespondable.toResponse(new NotFound({ detail }))
    }
    case "Query":
      return Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) =>
        HttpServerRespondable.toResponse(Body.invalid(queryErrors(url, fieldErrorsOf(error.cause.issue)))),
      )
    case "Headers":
      return HttpServerRespondable.toResponse(Body.invalid(fieldErrorsOf(error.cause.issue)))
    default:
      return Effect.fail(error) // our answer does not fit its schema: 500, logged
  }
})

const answer = (
  status: number,
  headers: Record<string, string> = status === 503 ? { "retry-after": String(outageRetryAfter) } : {},
  hint?: string,
) => {
  const problem = problemOf(status)
  const body = hint === undefined ? problem : { ...problem, detail: `${problem.detail}; ${hint}` }
  return HttpServerResponse.jsonUnsafe(body, { status, contentType: "application/problem+json", headers })
}

interface RequestFailures {
  /** Logs refusals once a minute for each reason; `error` is the cause's text. */
  readonly refused: (reason: string, error?: string) => Effect.Effect<void>
  /** Logs each request, because its id is searched for; the cause's stack at most once a minute for each text. */
  readonly failed: (message: string, cause: Cause.Cause<unknown>) => Effect.Effect<void>
}

const makeRequestFailures = Effect.map(FailureLog.makeUntilQuiet("answering requests"), ({ warn }): RequestFailures => {
  const stacks = FailureLog.make("requests")
  return {
    refused: (reason, error) => warn(reason, "requests are refused with 503", definedOnly({ reason, error })),
    failed: (message, cause) => {
      const error = plain(Cause.squash(sayable(cause)))
      return Effect.flatMap(stacks.count(error), (failures) =>
        failures === undefined ? Effect.logError(message, { error }) : Effect.logError(message, { failures }, cause),
      )
    },
  }
})

const overloadedAnswer = ({ reason, retryAfter }: Overloaded) =>
  HttpServerResponse.jsonUnsafe(
    { ...problemOf(503), detail: `${reason}: try again in ${retryAfter} seconds` },
    { status: 503, contentType: "application/problem+json", headers: { "retry-after": String(retryAfter) } },
  )

const operationsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
): ReadonlyArray<Operation> => {
  const operations: Array<Operation> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { annotations, identifier, method, path } }) => {
      operations.push({ method, path, summary: Context.getOrUndefined(annotations, OpenApi.Summary) ?? identifier })
    },
  })
  return operations
}

const methodNotAllowed = (operations: ReadonlyArray<Operation>, suggest: Suggest) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const allowed = new Map<string, ReadonlyArray<string>>()
      for (const { method, path } of operations) {
        allowed.set(path, [...(allowed.get(path) ?? []), method, ...(method === "GET" ? ["HEAD"] : [])])
      }
      for (const [path, methods] of allowed) {
        const headers = { allow: methods.join(", ") }
        const others = [...HttpMethod.all].filter((method) => !methods.includes(method))
        const refuse = (method: string) => Effect.sync(() => answer(405, headers, suggest(method, path)))
        yield* router.addAll(others.map((method) => HttpRouter.route(method, `/${path.slice(1)}`, refuse(method))))
      }
    }),
  )

/** Headers that Node does not accept become a logged 500 with a body. */
const writable = (failures: RequestFailures) => (response: HttpServerResponse.HttpServerResponse) => {
  for (const [name, value] of Object.entries(response.headers)) validateHeaderValue(name, value)
  return response.body._tag === "Stream" ? begun(response, response.body, failures) : Effect.succeed(response)
}

/**
 * Reads the first bytes of a stream before the headers are written, so that an unavailable blob store gives 503. A
 * later failure breaks the connection.
 */
const begun = Effect.fnUntraced(function* (
  response: HttpServerResponse.HttpServerResponse,
  body: HttpBody.Stream,
  { failed }: RequestFailures,
) {
  const { method } = yield* HttpServerRequest.HttpServerRequest
  if (method === "HEAD") return response
  const annotations = yield* References.CurrentLogAnnotations
  const pull = yield* Stream.toPull(Stream.orDie(body.stream))
  const first = yield* Pull.catchDone(pull, () => Effect.undefined)
  if (first === undefined) return response
  const rest = Stream.fromPull(Effect.succeed(pull)).pipe(
    Stream.tapCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.void
        : Effect.annotateLogs(failed("sending the answer failed", cause), annotations),
    ),
  )
  const whole = Stream.concat(Stream.fromArray(first), rest)
  return HttpServerResponse.setBody(response, HttpBody.stream(whole, body.contentType, body.contentLength))
})

/** Without Content-Length, Node would send an empty chunk. */
const whole = (response: HttpServerResponse.HttpServerResponse, suggestion: () => string | undefined) => {
  if (response.status === 404) return answer(404, {}, suggestion())
  if (response.status >= 400) return answer(response.status)
  const hasNoLength = response.status === 204 || response.status === 304
  return hasNoLength ? response : HttpServerResponse.setHeader(response, "content-length", "0")
}

/** Browsers get a page instead of a problem with status 403, 500 or 503. */
const makeReadable = Effect.map(Assets, ({ href }) => {
  const page = pages(href)
  return (problem: HttpServerResponse.HttpServerResponse) =>
    problem.status < 500 && problem.status !== 403
      ? Effect.succeed(problem)
      : Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
          if (!wantsPage(request)) return problem
          const { status } = problem
          const document = errorPage(status, request.method === "POST", preferredLanguage(request))
          const retryAfter = problem.headers["retry-after"]
          const response = page(document, { status })
          return retryAfter === undefined ? response : HttpServerResponse.setHeader(response, "retry-after", retryAfter)
        })
})

/** Without a body for statuses below 500. */
const problemOfCause = (cause: Cause.Cause<unknown>, { failed, refused }: RequestFailures) => {
  const defects = cause.reasons.filter(Cause.isDieReason).map(({ defect }) => defect)
  const failures: ReadonlyArray<unknown> = cause.reasons.filter(Cause.isFailReason).map(({ error }) => error)
  const overloaded = [...defects, ...failures].find((one) => one instanceof Overloaded)
  if (overloaded !== undefined) return Effect.as(refused(overloaded.reason), overloadedAnswer(overloaded))
  for (const defect of defects) {
    const outage = overloadOf(defect)
    if (outage !== undefined) return Effect.as(refused(outage.reason, plain(defect)), overloadedAnswer(outage))
  }
  const unavailable = defects.find(isOfDependency)
  if (unavailable !== undefined) {
    return Effect.as(refused("the blob store does not answer", plain(unavailable)), answer(503))
  }
  return Effect.flatMap(HttpServerError.causeResponse(cause), ([response]) =>
    response.status >= 500
      ? Effect.as(failed("request failed", cause), answer(response.status))
      : Effect.succeed(HttpServerResponse.empty({ status: response.status })),
  )
}

const oneShape = (suggest: Suggest) =>
  HttpRouter.middleware(
    Effect.gen(function* () {
      const failures = yield* makeRequestFailures
      const readable = yield* makeReadable
      return (handler) =>
        handler.pipe(
          Effect.flatMap(writable(failures)),
          Effect.catchCause((cause) =>
            Cause.hasInterruptsOnly(cause)
              ? Effect.failCause(cause)
              : Effect.flatMap(problemOfCause(cause, failures), readable),
          ),
          Effect.flatMap((response) =>
            response.body._tag === "Empty"
              ? Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ method, url }) =>
                  readable(whole(response, () => suggest(method, url))),
                )
              : Effect.succeed(response),
          ),
        )
    }),
    { global: true },
  )

export const layer = <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) => {
  const operations = operationsOf(api)
  const suggest = pathSuggestions(operations)
  return Layer.merge(oneShape(suggest), methodNotAllowed(operations, suggest))
}
