/** Handlers of API operations: the principal of the API key, what the operation reads of its request, results and warnings. */
import { Effect } from "effect"
import { conflict, notFound, unprocessable } from "../../platform/http/ApiRequests.ts"
import * as Body from "../../platform/http/Body.ts"
import { pageRequest } from "../../platform/http/CursorFilters.ts"
import type { ListName, PageRequest } from "../../values/Cursor.ts"
import type * as Problem from "../../values/Problem.ts"
import { optionalWarnings, type Warning } from "../../values/Warning.ts"
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

/** As `performed`, with a response of `respond`, such as `answer` of ApiRequests.ts. */
export const performedAs = <A, Response, Input, BodyE, BodyR, Request, E, R>(
  respond: (results: A, warnings: ReadonlyArray<Warning>) => Response,
  read: Body.Read<Input, BodyE, BodyR>,
  perform: (principal: Principal, input: Input, request: Request) => Effect.Effect<A, E, R>,
) =>
  Effect.fnUntraced(function* (request: Request) {
    const principal = yield* CurrentPrincipal
    const { request: input, warnings } = yield* read
    return respond(yield* perform(principal, input, request), warnings)
  })

const plain = <A>(results: A, warnings: ReadonlyArray<Warning>) => ({ results, ...optionalWarnings(warnings) })

/** Responds with what `perform` returns for the input that `read` reads, and with warnings about what was ignored. */
export const performed = <A, Input, BodyE, BodyR, Request, E, R>(
  read: Body.Read<Input, BodyE, BodyR>,
  perform: (principal: Principal, input: Input, request: Request) => Effect.Effect<A, E, R>,
) => performedAs(plain<A>, read, perform)

/** As `found`, with a response of `respond`. */
export const foundAs = <A, Response, Request, R>(
  respond: (results: A, warnings: ReadonlyArray<Warning>) => Response,
  load: (principal: Principal, request: Request) => Effect.Effect<A, Problem.NotFound, R>,
) =>
  performedAs(respond, Body.parameters, (principal, _, request: Request) =>
    Effect.catchTag(load(principal, request), "NotFound", notFound),
  )

/** Responds with the record that `load` reads, or 404. */
export const found = <A, Request, R>(
  load: (principal: Principal, request: Request) => Effect.Effect<A, Problem.NotFound, R>,
) => foundAs(plain<A>, load)

/** For `Effect.catchTags`: what a change of a record fails with. A record that the principal may not see is not there. */
export const refusals = { Conflict: conflict, NotAllowed: notFound, NotFound: notFound }

/** The same of a change whose input the service checks too. */
export const inputRefusals = { ...refusals, Invalid: unprocessable }
