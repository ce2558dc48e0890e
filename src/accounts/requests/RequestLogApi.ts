/** The API of the request log (docs/request-log.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { page, pageQuery, parameter, results } from "../../platform/http/IntegrationApi.ts"
import { NotFound, Unprocessable } from "../../platform/http/ProblemApi.ts"
import { uuid } from "../../values/Fields.ts"
import { Instant } from "../../values/Timestamp.ts"
import { Authentication } from "../api-keys/AuthenticationApi.ts"
import { LoggedRequest, logWord, StatusFilter } from "./LoggedRequest.ts"

const path = "/requests/v1"

const list = HttpApiEndpoint.get("list", path, {
  query: {
    ...pageQuery,
    api_key_id: parameter(uuid, "Only requests with this API key"),
    status: parameter(StatusFilter, "Only responses of this class; `failed`: 4xx and 5xx"),
    operation: parameter(logWord, "Only requests to this operation, by its operationId, such as inviteCandidates"),
    problem: parameter(logWord, "Only requests that failed with this `code`, such as validation_failed"),
    since: parameter(Instant, "Only requests that began at this time or later, such as 2030-01-31T18:00:00Z"),
    until: parameter(Instant, "Only requests that began before this time"),
  },
  success: page(LoggedRequest, "requests"),
  error: Unprocessable,
}).annotateMerge(
  OpenApi.annotations({
    identifier: "listRequests",
    summary: "List requests",
    description:
      "Requests to this API with keys of your organization, newest first: what was called, how it ended and how long it took. Without bodies and personal data. A request is listed about a second after its response. Needs the scope `read`.",
  }),
)

const read = HttpApiEndpoint.get("read", `${path}/:request_id`, {
  params: {
    request_id: Schema.String.annotateKey({ description: "The `X-Request-Id` of the response" }),
  },
  success: results(LoggedRequest, "The request; of several with this id, the newest"),
  error: NotFound,
}).annotateMerge(
  OpenApi.annotations({
    identifier: "getRequest",
    summary: "Read a request",
    description: "By the `X-Request-Id` of its response, about a second after it. Needs the scope `read`.",
  }),
)

export const RequestLogGroup = HttpApiGroup.make("requests")
  .add(list, read)
  .middleware(Authentication)
  .annotateMerge(OpenApi.annotations({ title: "Requests", description: "The log of requests to this API." }))
