/** Who may call: an API key in the X-API-Key header, the scope that an endpoint asks for, and how often. */
import { Context } from "effect"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { Forbidden, InternalError, TooManyRequests, Unauthorized, Unavailable } from "../platform/http/ProblemApi.ts"
import type { Principal } from "./ApiKey.ts"

/** Whom the request acts for. */
export class CurrentPrincipal extends Context.Service<CurrentPrincipal, Principal>()(
  "interview-invitations/accounts/CurrentPrincipal",
) {}

/** Decided before anything of the request is read. Every endpoint can also fail for reasons of ours. */
export class Authentication extends HttpApiMiddleware.Service<Authentication, { provides: CurrentPrincipal }>()(
  "interview-invitations/accounts/Authentication",
  {
    error: [Unauthorized, Forbidden, TooManyRequests, InternalError, Unavailable],
    security: { apiKey: HttpApiSecurity.apiKey({ key: "X-API-Key", in: "header" }) },
  },
) {}
