/** For API handlers: responses, errors as problems. */
import { Effect, type Schema } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import type * as Problem from "../../values/Problem.ts"
import { optionalWarnings, type Warning } from "../../values/Warning.ts"
import * as Body from "./Body.ts"
import { Conflict, NotFound, Unauthorized } from "./ProblemApi.ts"
import { projection } from "./Projection.ts"

/** Also when the handler fails. */
export const withHeaders = (headers: Record<string, string>) =>
  HttpEffect.appendPreResponseHandler((_, response) => Effect.succeed(HttpServerResponse.setHeaders(response, headers)))

/**
 * Responds with `results`, projected on their schema instead of encoded (Projection.ts). The text is encoded once: of a
 * string, Node would measure the UTF-8 length several times.
 */
export const answer = <S extends Schema.Top>(schema: S, status = 200) => {
  const project = projection(schema)
  return (results: S["Type"], warnings: ReadonlyArray<Warning> = []) =>
    HttpServerResponse.uint8Array(
      Buffer.from(JSON.stringify({ results: project(results), ...optionalWarnings(warnings) })),
      { status, contentType: "application/json" },
    )
}

export const unprocessable = ({ errors }: Problem.Invalid) => Body.refused(errors)

export const notFound = ({ record }: Pick<Problem.NotFound, "record">) =>
  Effect.fail(new NotFound({ detail: `no such ${record} in this organization` }))

export const conflict = ({ reason }: Problem.Conflict) => Effect.fail(new Conflict({ detail: reason }))

export const unauthorized = (reason: string) => Effect.fail(new Unauthorized({ detail: reason }))
