/** Checks X-API-Key before anything of the request is read. */
import { Context, Effect, Layer, Redacted } from "effect"
import { Authentication, CurrentPrincipal, RequiredScope } from "../api/Authentication.ts"
import { Forbidden, Unauthorized } from "../api/Problems.ts"
import { allows } from "../domain/ApiKey.ts"
import { ApiKeys } from "../service/ApiKeys.ts"

export const layer = Layer.effect(
  Authentication,
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    return Authentication.of({
      apiKey: Effect.fn("Authentication.apiKey")(function* (handler, { credential, endpoint }) {
        if (Redacted.value(credential) === "") {
          return yield* new Unauthorized({ code: "unauthorized", detail: "send the API key in the X-API-Key header" })
        }
        const principal = yield* keys
          .authenticate(credential)
          .pipe(
            Effect.catchTag("KeyRefused", ({ reason }) =>
              Effect.fail(new Unauthorized({ code: "unauthorized", detail: reason })),
            ),
          )
        const scope = Context.get(endpoint.annotations, RequiredScope)
        if (!allows(principal, scope)) {
          return yield* new Forbidden({ code: "missing_scope", detail: `the API key lacks the scope ${scope}` })
        }
        return yield* Effect.provideService(handler, CurrentPrincipal, principal)
      }),
    })
  }),
)
