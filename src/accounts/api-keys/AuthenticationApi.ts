/** Authentication with the X-API-Key header. */
import { Context } from "effect"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { Forbidden, InternalError, TooManyRequests, Unauthorized, Unavailable } from "../../platform/http/ProblemApi.ts"
import type { Principal } from "./ApiKey.ts"

export class CurrentPrincipal extends Context.Service<CurrentPrincipal, Principal>()(
  "interview-invitations/accounts/CurrentPrincipal",
) {}

/** Runs before the body is read. */
export class Authentication extends HttpApiMiddleware.Service<Authentication, { provides: CurrentPrincipal }>()(
  "interview-invitations/accounts/Authentication",
  {
    error: [Unauthorized, Forbidden, TooManyRequests, InternalError, Unavailable],
    security: { apiKey: HttpApiSecurity.apiKey({ key: "X-API-Key", in: "header" }) },
  },
) {}
