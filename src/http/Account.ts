/** The key that asks, over REST. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { CurrentPrincipal } from "../api/Authentication.ts"
import { ApiKeys } from "../service/ApiKeys.ts"
import { Organizations } from "../service/Organizations.ts"
import { unauthorized } from "./Requests.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "account",
  Effect.fnUntraced(function* (handlers) {
    const keys = yield* ApiKeys
    const organizations = yield* Organizations
    return handlers.handle(
      "me",
      Effect.fnUntraced(
        function* () {
          const { apiKeyId, organizationId } = yield* CurrentPrincipal
          const api_key = yield* keys.show(organizationId, apiKeyId)
          return { results: { organization: yield* organizations.find(organizationId), api_key } }
          // deleted since it was checked, a moment ago
        },
        Effect.catchTag("NotFound", () => unauthorized("the API key is not known")),
      ),
    )
  }),
)
