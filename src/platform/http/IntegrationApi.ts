/** Shared by all groups of the integration API. */
import { Schema } from "effect"
import { HttpApi, type HttpApiGroup, HttpApiMiddleware } from "effect/http-api"
import { pageLimit } from "../../values/Cursor.ts"
import { Instant } from "../../values/Timestamp.ts"
import { Warning } from "../../values/Warning.ts"

export class RequestErrors extends HttpApiMiddleware.Service<RequestErrors>()(
  "interview-invitations/platform/http/RequestFaults",
) {}

/** Api.ts builds the whole API in the same way, so handlers of a part fit. */
export const integrationApi = <
  const Groups extends readonly [HttpApiGroup.Constraint, ...Array<HttpApiGroup.Constraint>],
>(
  ...groups: Groups
) =>
  HttpApi.make("interview-invitations")
    .add(...groups)
    .prefix("/company/integration")
    // last: covers only groups added before
    .middleware(RequestErrors)
    .annotate(HttpApi.QueryParseOptions, { errors: "all", onExcessProperty: "error" })

/** A success response. */
export const results = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.Struct({
    results: schema,
    warnings: Schema.optionalKey(Schema.Array(Warning)).annotateKey({
      description: "What was ignored in the request, or not needed; absent without warnings",
    }),
  }).annotate({ description })

export const page = <S extends Schema.Top>(item: S, records: string) =>
  Schema.Struct({
    results: Schema.Array(item),
    next_cursor: Schema.NullOr(Schema.String).annotate({
      description: "The cursor of the next page; null on the last one",
    }),
  }).annotate({ description: `One page of ${records}` })

export const parameter = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optionalKey(schema).annotateKey({ description })

/** Ends the message of an error about a value with a space. */
export const unescapedPlus = 'a "+" in a URL is a space: send it as %2B'

/** `records`: what the list contains. */
export const updatedSince = (records: string) =>
  parameter(Instant, `Only ${records} that changed at or after this time, such as 2030-01-31T18:00:00Z`)

export const pageQuery = {
  limit: parameter(
    Schema.String.check(Schema.isPattern(/^[0-9]{1,9}$/, { code: "wrong_type", message: "must be a whole number" }))
      .pipe(Schema.decodeTo(Schema.NumberFromString))
      .check(
        Schema.isInt(),
        Schema.isBetween(
          { minimum: pageLimit.min, maximum: pageLimit.max },
          { code: "out_of_range", message: `must be from ${pageLimit.min} to ${pageLimit.max}` },
        ),
      ),
    `Records on a page, ${pageLimit.min} to ${pageLimit.max}; ${pageLimit.default} by default`,
  ),
  cursor: parameter(Schema.String, "next_cursor of the previous page"),
}
