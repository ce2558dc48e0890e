/** The integration API's contract: what hiring systems call, without a handler. Clients import it as it is. */
import { HttpApi, HttpApiMiddleware } from "effect/http-api"
import { Account } from "./Account.ts"
import { documentation } from "./Documentation.ts"
import { Events } from "./Events.ts"
import { InterviewSets } from "./InterviewSets.ts"
import { Invitations } from "./Invitations.ts"
import { Projects } from "./Projects.ts"
import { Submissions } from "./Submissions.ts"

/** Turns what a schema refuses of a path or a query into the one error shape, with an error that the endpoint declares. */
export class RequestFaults extends HttpApiMiddleware.Service<RequestFaults>()(
  "interview-invitations/api/RequestFaults",
) {}

export class Api extends HttpApi.make("interview-invitations")
  .add(InterviewSets, Invitations, Submissions, Projects, Events, Account)
  .prefix("/company/integration")
  // last, because it covers only the groups that are there already
  .middleware(RequestFaults)
  .annotate(HttpApi.QueryParseOptions, { errors: "all", onExcessProperty: "error" })
  .annotateMerge(documentation) {}
