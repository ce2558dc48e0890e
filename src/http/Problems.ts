/** The one error shape for whatever goes wrong around the handlers: schemas, unknown paths, limits, our own faults. */
import { Cause, Effect, SchemaIssue } from "effect"
import { HttpRouter, HttpServerError, HttpServerResponse } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import { RequestFaults } from "../api/Api.ts"
import { NotFound, problemOf, Unprocessable } from "../api/Problems.ts"
import type { Fault } from "../domain/Problem.ts"
import { isOutage } from "../repository/Database.ts"

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1()

const pointer = (path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }>): string =>
  `#${path
    .map((segment) => String(typeof segment === "object" ? segment.key : segment))
    .map((key) => `/${encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"))}`)
    .join("")}`

const faults = (issue: SchemaIssue.Issue): ReadonlyArray<Fault> =>
  formatIssues(issue).issues.map(({ message, path }) => ({
    pointer: pointer(path ?? []),
    code: message === "Missing key" ? "required" : "invalid",
    message: message === "Missing key" ? "is required" : message.replace(/^Expected/, "must be"),
  }))

/** What a request's schema refuses. A path that can not name a record is a record that is not there. */
export const requestFaults = HttpApiMiddleware.layerSchemaErrorTransform(RequestFaults, (error) => {
  switch (error.kind) {
    case "Body":
    case "ResponseHeaders":
      return Effect.fail(error) // our own answer does not fit its schema: a 500, and it is reported
    case "Params":
      return Effect.fail(new NotFound({ code: "not_found", detail: "no such record in this organization" }))
    default:
      return Effect.fail(
        new Unprocessable({
          code: "validation_failed",
          detail: "the request breaks a rule",
          errors: faults(error.cause.issue),
        }),
      )
  }
})

const answer = (status: number) =>
  HttpServerResponse.jsonUnsafe(problemOf(status), {
    status,
    contentType: "application/problem+json",
    ...(status === 503 ? { headers: { "retry-after": "5" } } : {}),
  })

/** Gives every failure of every route the one shape, and logs what is our fault. */
export const layer = HttpRouter.middleware(
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
