import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { unauthorized } from "../platform/http/ApiRequests.ts"
import * as Body from "../platform/http/Body.ts"
import { integrationApi } from "../platform/http/IntegrationApi.ts"
import { optionalWarnings } from "../values/Warning.ts"
import * as Contract from "./AccountApi.ts"
import { modeOf } from "./api-keys/ApiKey.ts"
import { ApiKeys } from "./api-keys/ApiKeys.ts"
import { CurrentPrincipal } from "./api-keys/AuthenticationApi.ts"
import { Organizations } from "./Organizations.ts"

export const layer = HttpApiBuilder.group(
  integrationApi(Contract.Account),
  "account",
  Effect.fnUntraced(function* (handlers) {
    const apiKeys = yield* ApiKeys
    const organizations = yield* Organizations
    return handlers.handle(
      "me",
      Effect.fnUntraced(
        function* () {
          const principal = yield* CurrentPrincipal
          const api_key = yield* apiKeys.show(principal, principal.apiKeyId)
          const organization = yield* organizations.find(principal.organizationId)
          const results = { mode: modeOf(api_key.value), organization, api_key }
          return { results, ...optionalWarnings(yield* Body.unknownParameters) }
        },
        // the key was deleted after authentication
        Effect.catchTag("NotFound", () => unauthorized("the API key is not known")),
      ),
    )
  }),
)
