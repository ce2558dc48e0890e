/** What all groups of the integration API share: the path they begin with, and how wrong parameters are reported. */
import { Schema } from "effect"
import { HttpApi, type HttpApiGroup, HttpApiMiddleware } from "effect/http-api"
import { pageLimit } from "../../values/Page.ts"

/** Reports what a schema refuses in a path or a query as a problem that the endpoint declares. */
export class RequestErrors extends HttpApiMiddleware.Service<RequestErrors>()(
  "interview-invitations/platform/http/RequestFaults",
) {}

/**
 * Groups as a part of the integration API. Handlers implement the part of their subject; the whole (Api.ts) is made of all
 * parts in the same way, so that a handler of a part is a handler of the whole.
 */
export const integrationApi = <
  const Groups extends readonly [HttpApiGroup.Constraint, ...Array<HttpApiGroup.Constraint>],
>(
  ...groups: Groups
) =>
  HttpApi.make("interview-invitations")
    .add(...groups)
    .prefix("/company/integration")
    // last, because it covers only the groups that are there already
    .middleware(RequestErrors)
    .annotate(HttpApi.QueryParseOptions, { errors: "all", onExcessProperty: "error" })

/** A success body. */
export const results = <S extends Schema.Top>(schema: S) => Schema.Struct({ results: schema })

/** One page of a list. */
export const page = <S extends Schema.Top>(item: S) =>
  Schema.Struct({
    results: Schema.Array(item),
    next_cursor: Schema.NullOr(Schema.String).annotate({
      description: "Send it as cursor for the next page; null: this is the last one",
    }),
  })

/** A query parameter that may be left out. */
export const parameter = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optionalKey(schema).annotateKey({ description })

/** Query parameters of every list. */
export const pageQuery = {
  limit: parameter(
    Schema.String.check(Schema.isPattern(/^[0-9]{1,9}$/, { code: "wrong_type", message: "must be a whole number" }))
      .pipe(Schema.decodeTo(Schema.NumberFromString))
      .check(
        Schema.isInt(),
        Schema.isBetween(
          { minimum: pageLimit.least, maximum: pageLimit.most },
          { code: "out_of_range", message: `must be from ${pageLimit.least} to ${pageLimit.most}` },
        ),
      ),
    `Records on a page, ${pageLimit.least} to ${pageLimit.most}; ${pageLimit.usual} when left out`,
  ),
  cursor: parameter(Schema.String, "next_cursor of the page before"),
}
