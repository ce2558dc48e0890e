/** What all groups of the integration API share: the path they begin with, and how wrong parameters are reported. */
import { HttpApi, type HttpApiGroup, HttpApiMiddleware } from "effect/http-api"

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
