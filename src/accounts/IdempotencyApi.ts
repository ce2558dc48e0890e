/** Repeating a POST safely: the header Idempotency-Key (contract, HTTP conventions). */
import { HttpApiMiddleware } from "effect/http-api"
import { Conflict, ContentTooLarge, RequestTimeout, Unauthorized, Unprocessable } from "../platform/http/ProblemApi.ts"
import type { CurrentPrincipal } from "./AuthenticationApi.ts"

/** The header's value: 1 to 255 visible ASCII characters of the caller's own making; a UUID will do. */
export const idempotencyKey = /^[\x21-\x7e]{1,255}$/

/**
 * Answers a repeated request with the first answer. The header is not among the endpoints' declared ones: a typed
 * client would have to send an empty object for it with every call (api-reference/OpenApiParameters.ts documents it).
 */
export class Idempotency extends HttpApiMiddleware.Service<Idempotency, { requires: CurrentPrincipal }>()(
  "interview-invitations/accounts/IdempotencyApi",
  { error: [Unauthorized, RequestTimeout, ContentTooLarge, Conflict, Unprocessable] },
) {}
