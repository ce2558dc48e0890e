/** For API handlers: requested pages, errors as problems. */
import { createHash } from "node:crypto"
import { Effect, type Schema } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { type ListName, type PageRequest, pageLimit, positionOf } from "../../values/Page.ts"
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

export const cursorRefused = Effect.suspend(() =>
  Effect.fail(
    Body.invalid([
      {
        pointer: "#/cursor",
        code: "invalid_cursor",
        message: "must be a next_cursor of this list with the same filters",
      },
    ]),
  ),
)

interface PageQuery {
  readonly limit?: number
  readonly cursor?: string
}

/** A short hash of the filters; undefined without filters, so these cursors are those of earlier versions. */
export const filtersOf = ({
  cursor: _,
  limit: __,
  ...filters
}: PageQuery & Record<string, unknown>): string | undefined => {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  if (given.length === 0) return undefined
  const text = JSON.stringify(given.toSorted(([one], [other]) => (one < other ? -1 : 1)))
  return createHash("sha256").update(text).digest("base64url").slice(0, 8)
}

/** Fails when the cursor is of another list, or of other filters. */
export const pageRequest = (list: ListName, query: PageQuery) => {
  const filters = filtersOf({ ...query })
  const after = query.cursor === undefined ? undefined : positionOf(list, query.cursor, undefined, filters)
  const page: PageRequest = { filters, limit: query.limit ?? pageLimit.default, after }
  return query.cursor !== undefined && after === undefined ? cursorRefused : Effect.succeed(page)
}
