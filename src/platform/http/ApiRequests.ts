/** For API handlers: responses, errors as problems. */
import { Effect, type Schema } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import type * as Problem from "../../values/Problem.ts"
import { optionalWarnings, type Warning } from "../../values/Warning.ts"
import * as Body from "./Body.ts"
import { Conflict, NotFound, Unauthorized } from "./ProblemApi.ts"

/** Also when the handler fails. */
export const withHeaders = (headers: Record<string, string>) =>
  HttpEffect.appendPreResponseHandler((_, response) => Effect.succeed(HttpServerResponse.setHeaders(response, headers)))

/**
 * Responds with `results` without encoding them with their schema, which saves CPU time. Only for results that the code
 * builds field by field: TypeScript checks their type. Rows and stored JSON have to be encoded, because encoding removes
 * fields that the contract does not have.
 */
export const answer =
  <S extends Schema.Top>(_: S, status = 200) =>
  (results: S["Encoded"], warnings: ReadonlyArray<Warning> = []) =>
    HttpServerResponse.jsonUnsafe({ results, ...optionalWarnings(warnings) }, { status })

export const unprocessable = ({ errors }: Problem.Invalid) => Effect.fail(Body.invalid(errors))

export const notFound = ({ record }: Pick<Problem.NotFound, "record">) =>
  Effect.fail(new NotFound({ detail: `no such ${record} in this organization` }))

export const conflict = ({ reason }: Problem.Conflict) => Effect.fail(new Conflict({ detail: reason }))

export const unauthorized = (reason: string) => Effect.fail(new Unauthorized({ detail: reason }))
