/** The integration API's contract: what hiring systems call, without a handler. Clients import it as it is. */
import { HttpApi, HttpApiMiddleware } from "effect/http-api"
import { Account } from "./accounts/AccountApi.ts"
import { documentation } from "./api-reference/Documentation.ts"
import { InterviewSets } from "./interview-sets/InterviewSetApi.ts"
import { Projects } from "./interview-sets/ProjectApi.ts"
import { Invitations } from "./invitations/InvitationApi.ts"
import { Submissions } from "./submissions/SubmissionApi.ts"
import { Events } from "./webhooks/EventApi.ts"

/** Turns what a schema refuses of a path or a query into the one error shape, with an error that the endpoint declares. */
export class RequestFaults extends HttpApiMiddleware.Service<RequestFaults>()("interview-invitations/RequestFaults") {}

export class Api extends HttpApi.make("interview-invitations")
  .add(InterviewSets, Invitations, Submissions, Projects, Events, Account)
  .prefix("/company/integration")
  // last, because it covers only the groups that are there already
  .middleware(RequestFaults)
  .annotate(HttpApi.QueryParseOptions, { errors: "all", onExcessProperty: "error" })
  .annotateMerge(documentation) {}
