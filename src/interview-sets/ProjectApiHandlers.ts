import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentPrincipal } from "../accounts/api-keys/AuthenticationApi.ts"
import { pageRequest } from "../platform/http/CursorFilters.ts"
import { integrationApi } from "../platform/http/IntegrationApi.ts"
import * as Contract from "./ProjectApi.ts"
import { Projects } from "./Projects.ts"

export const layer = HttpApiBuilder.group(
  integrationApi(Contract.Projects),
  "projects",
  Effect.fnUntraced(function* (handlers) {
    const projects = yield* Projects
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        return yield* projects.list(yield* CurrentPrincipal, yield* pageRequest("projects", query))
      }),
      jobPosts: Effect.fnUntraced(function* ({ query }) {
        return yield* projects.listJobPosts(yield* CurrentPrincipal, query, yield* pageRequest("job-posts", query))
      }),
    })
  }),
)
