/** The one error shape for whatever goes wrong around the handlers: schemas, unknown paths, limits, our own faults. */
import { Cause, Effect, Layer, Schema, SchemaIssue } from "effect"
import { HttpMethod, HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiMiddleware } from "effect/http-api"
import { Api, RequestFaults } from "../api/Api.ts"
import { BadRequest, NotFound, problemOf, Unprocessable } from "../api/Problems.ts"
import type { Fault } from "../domain/Problem.ts"
import { isOutage } from "../repository/Database.ts"

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1()

const pointer = (path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }>): string =>
  `#${path
    .map((segment) => String(typeof segment === "object" ? segment.key : segment))
    .map((key) => `/${encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"))}`)
    .join("")}`

/** How many faults an answer lists: a body of 2 MiB can have a million. */
const mostFaults = 100

const faults = (issue: SchemaIssue.Issue): ReadonlyArray<Fault> =>
  formatIssues(issue)
    .issues.slice(0, mostFaults)
    .map(({ message, path }) => ({
      pointer: pointer(path ?? []),
      code: message === "Missing key" ? "required" : "invalid",
      message: message === "Missing key" ? "is required" : message.replace(/^Expected/, "must be"),
    }))

const decodeJson = Schema.decodeEffect(Schema.fromJsonString(Schema.Unknown))

const badRequest = Effect.fail(new BadRequest({ code: "bad_request", detail: problemOf(400).detail }))

/** What a request's schema refuses. A path that can not name a record is a record that is not there. */
export const requestFaults = HttpApiMiddleware.layerSchemaErrorTransform(RequestFaults, (error) => {
  const unprocessable = Effect.suspend(() =>
    Effect.fail(
      new Unprocessable({
        code: "validation_failed",
        detail: "the request breaks a rule",
        errors: faults(error.cause.issue),
      }),
    ),
  )
  switch (error.kind) {
    case "Body":
    case "ResponseHeaders":
      return Effect.fail(error) // our own answer does not fit its schema: a 500, and it is reported
    case "Params":
      return Effect.fail(new NotFound({ code: "not_found", detail: "no such record in this organization" }))
    case "Payload":
      // the issue does not tell whether there was JSON to begin with; the text was read before and is kept
      return HttpServerRequest.HttpServerRequest.pipe(
        Effect.flatMap(({ text }) => text),
        Effect.flatMap(decodeJson),
        Effect.matchEffect({ onFailure: () => badRequest, onSuccess: () => unprocessable }),
      )
    default:
      return unprocessable
  }
})

const answer = (status: number, headers: Record<string, string> = status === 503 ? { "retry-after": "5" } : {}) =>
  HttpServerResponse.jsonUnsafe(problemOf(status), { status, contentType: "application/problem+json", headers })

/** A path of the API that is asked with a method it does not take. */
const methodNotAllowed = HttpRouter.use(
  Effect.fn(function* (router) {
    const allowed = new Map<string, ReadonlyArray<string>>()
    HttpApi.reflect(Api, {
      onGroup: () => {},
      onEndpoint: ({ endpoint: { method, path } }) => {
        allowed.set(path, [...(allowed.get(path) ?? []), method, ...(method === "GET" ? ["HEAD"] : [])])
      },
    })
    for (const [path, methods] of allowed) {
      const refuse = Effect.succeed(answer(405, { allow: methods.join(", ") }))
      const others = [...HttpMethod.all].filter((method) => !methods.includes(method))
      yield* router.addAll(others.map((method) => HttpRouter.route(method, `/${path.slice(1)}`, refuse)))
    }
  }),
)

const oneShape = HttpRouter.middleware(
  (handler) =>
    handler.pipe(
      Effect.catchCause((cause) => {
        if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
        if (cause.reasons.some((reason) => Cause.isDieReason(reason) && isOutage(reason.defect))) {
          return Effect.as(Effect.logError("the database does not answer", cause), answer(503))
        }
        return Effect.flatMap(HttpServerError.causeResponse(cause), ([response]) =>
          Effect.as(
            response.status >= 500 ? Effect.logError("request failed", cause) : Effect.void,
            answer(response.status),
          ),
        )
      }),
      Effect.map((response) =>
        response.status >= 400 && (response.body._tag === "Empty" || response.status === 415)
          ? answer(response.status)
          : response,
      ),
    ),
  { global: true },
)

/** Gives every failure of every route the one shape, and logs what is our fault. */
export const layer = Layer.merge(oneShape, methodNotAllowed)
