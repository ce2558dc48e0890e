/** The Idempotency-Key header of POST requests (docs/api.md). */
import { Context } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import {
  Conflict,
  ContentTooLarge,
  IdempotencyKeyReused,
  RequestInProgress,
  RequestTimeout,
  Unauthorized,
  Unprocessable,
} from "../../platform/http/ProblemApi.ts"
import type { CurrentPrincipal } from "./AuthenticationApi.ts"

export const idempotencyKey = /^[\x21-\x7e]{1,255}$/

/** Annotates an endpoint whose response contains a secret and is therefore stored encrypted. */
export const HasSecret = Context.Reference<boolean>("interview-invitations/accounts/HasSecret", {
  defaultValue: () => false,
})

/** Endpoints do not declare the header: typed clients would have to send it with every call. */
export class Idempotency extends HttpApiMiddleware.Service<Idempotency, { requires: CurrentPrincipal }>()(
  "interview-invitations/accounts/api-keys/IdempotencyApi",
  {
    error: [
      Unauthorized,
      RequestTimeout,
      ContentTooLarge,
      Conflict,
      RequestInProgress,
      Unprocessable,
      IdempotencyKeyReused,
    ],
  },
) {}
