import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { unauthorized } from "../platform/http/ApiRequests.ts"
import * as Body from "../platform/http/Body.ts"
import { integrationApi } from "../platform/http/IntegrationApi.ts"
import * as Contract from "./AccountApi.ts"
import { modeOf } from "./api-keys/ApiKey.ts"
import { ApiKeys } from "./api-keys/ApiKeys.ts"
import { performed } from "./api-keys/OperationHandlers.ts"
import { Organizations } from "./Organizations.ts"

export const layer = HttpApiBuilder.group(
  integrationApi(Contract.Account),
  "account",
  Effect.fnUntraced(function* (handlers) {
    const apiKeys = yield* ApiKeys
    const organizations = yield* Organizations
    return handlers.handle(
      "me",
      performed(Body.parameters, (principal) =>
        Effect.gen(function* () {
          const api_key = yield* apiKeys.show(principal, principal.apiKeyId)
          const organization = yield* organizations.find(principal.organizationId)
          return { mode: modeOf(api_key.value), organization, api_key }
        }).pipe(
          // the key was deleted after authentication
          Effect.catchTag("NotFound", () => unauthorized("the API key is not known")),
        ),
      ),
    )
  }),
)
