/** The one error shape for whatever goes wrong around the handlers: schemas, unknown paths, limits, our own faults. */
import { Cause, Clock, Effect, Layer } from "effect"
import { HttpMethod, HttpRouter, HttpServerError, HttpServerRespondable, HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiMiddleware } from "effect/http-api"
import { Api, RequestFaults } from "../api/Api.ts"
import { NotFound, problemOf } from "../api/Problems.ts"
import { faultsOf } from "../domain/Faults.ts"
import { Overloaded } from "../domain/Problem.ts"
import { BlobStoreUnavailable } from "../port/BlobStore.ts"
import { overloadOf, plain } from "../repository/Database.ts"
import * as Body from "./Body.ts"

/** What the schema of a path or a query refuses. A path that can not name a record is a record that is not there. */
export const requestFaults = HttpApiMiddleware.layerSchemaErrorTransform(RequestFaults, (error) => {
  switch (error.kind) {
    case "Params":
      return HttpServerRespondable.toResponse(new NotFound({ detail: "no such record in this organization" }))
    case "Query":
    case "Headers":
      return HttpServerRespondable.toResponse(Body.invalid(faultsOf(error.cause.issue)))
    default:
      return Effect.fail(error) // our own answer does not fit its schema: a 500, and it is reported
  }
})

const answer = (status: number, headers: Record<string, string> = status === 503 ? { "retry-after": "5" } : {}) =>
  HttpServerResponse.jsonUnsafe(problemOf(status), { status, contentType: "application/problem+json", headers })

/** Milliseconds between two log lines about the same limit: a flood must not flood the log. */
const overloadLogInterval = 60_000

/**
 * Answers requests that met a limit of this process, or a database that is away: 503 with Retry-After, logged once a minute
 * for each reason, with the database's message.
 */
const makeOverloadedAnswer = () => {
  const loggedAt = new Map<string, number>()
  return ({ reason, retryAfter }: Overloaded, error?: string) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (now - (loggedAt.get(reason) ?? Number.NEGATIVE_INFINITY) >= overloadLogInterval) {
        loggedAt.set(reason, now)
        yield* Effect.logWarning("requests are refused with 503", { reason, ...(error === undefined ? {} : { error }) })
      }
      return HttpServerResponse.jsonUnsafe(
        { ...problemOf(503), detail: reason },
        { status: 503, contentType: "application/problem+json", headers: { "retry-after": String(retryAfter) } },
      )
    })
}

/** A path of the API that is asked with a method it does not take. */
const methodNotAllowed = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
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

const overloadedAnswer = makeOverloadedAnswer()

const oneShape = HttpRouter.middleware(
  (handler) =>
    handler.pipe(
      Effect.catchCause((cause) => {
        if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
        const defects = cause.reasons.filter(Cause.isDieReason).map(({ defect }) => defect)
        const failures: ReadonlyArray<unknown> = cause.reasons.filter(Cause.isFailReason).map(({ error }) => error)
        const overloaded = [...defects, ...failures].find((one) => one instanceof Overloaded)
        if (overloaded !== undefined) return overloadedAnswer(overloaded)
        for (const defect of defects) {
          const outage = overloadOf(defect)
          if (outage !== undefined) return overloadedAnswer(outage, plain(defect))
        }
        if (defects.some((defect) => defect instanceof BlobStoreUnavailable)) {
          return Effect.as(Effect.logError("the store of files does not answer", cause), answer(503))
        }
        return Effect.flatMap(HttpServerError.causeResponse(cause), ([response]) =>
          Effect.as(
            response.status >= 500 ? Effect.logError("request failed", cause) : Effect.void,
            answer(response.status),
          ),
        )
      }),
      Effect.map((response) =>
        response.status >= 400 && response.body._tag === "Empty" ? answer(response.status) : response,
      ),
    ),
  { global: true },
)

/** Gives every failure of every route the one shape, and logs what is our fault. */
export const layer = Layer.merge(oneShape, methodNotAllowed)
