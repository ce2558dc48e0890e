/** Handlers of API operations that read: the principal of the API key, pages of lists, warnings about parameters. */
import { Effect } from "effect"
import { notFound } from "../../platform/http/ApiRequests.ts"
import * as Body from "../../platform/http/Body.ts"
import { pageRequest } from "../../platform/http/CursorFilters.ts"
import type { ListName, PageRequest } from "../../values/Cursor.ts"
import type * as Problem from "../../values/Problem.ts"
import { optionalWarnings } from "../../values/Warning.ts"
import type { Principal } from "./ApiKey.ts"
import { CurrentPrincipal } from "./AuthenticationApi.ts"

interface ListRequest {
  readonly query: { readonly limit?: number; readonly cursor?: string }
}

/** Responds with the page of a list that `load` reads; 422 for a cursor of another list or of other filters. */
export const listed = <Request extends ListRequest, A, E, R>(
  list: ListName,
  load: (principal: Principal, request: Request, page: PageRequest) => Effect.Effect<A, E, R>,
) =>
  Effect.fnUntraced(function* (request: Request) {
    return yield* load(yield* CurrentPrincipal, request, yield* pageRequest(list, request.query))
  })

/** Responds with the record that `load` reads, or 404. */
export const found = <Request, A, R>(
  load: (principal: Principal, request: Request) => Effect.Effect<A, Problem.NotFound, R>,
) =>
  Effect.fnUntraced(
    function* (request: Request) {
      const results = yield* load(yield* CurrentPrincipal, request)
      return { results, ...optionalWarnings(yield* Body.unknownParameters) }
    },
    Effect.catchTag("NotFound", notFound),
  )
