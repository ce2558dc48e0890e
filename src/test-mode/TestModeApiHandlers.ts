import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type { Principal } from "../accounts/api-keys/ApiKey.ts"
import { CurrentPrincipal } from "../accounts/api-keys/AuthenticationApi.ts"
import { conflict, notFound } from "../platform/http/ApiRequests.ts"
import * as Body from "../platform/http/Body.ts"
import { integrationApi } from "../platform/http/IntegrationApi.ts"
import { NotFound } from "../platform/http/ProblemApi.ts"
import { optionalWarnings } from "../values/Warning.ts"
import { TestCandidates } from "./TestCandidates.ts"
import * as Contract from "./TestModeApi.ts"
import { TestSpaces } from "./TestSpaces.ts"

const needsTestKey = () =>
  Effect.fail(
    new NotFound({
      detail:
        "this call is for test keys, which begin with iv_test_: the API key of this request is a live key. See /docs/test-mode",
    }),
  )

export const layer = HttpApiBuilder.group(
  integrationApi(Contract.TestMode),
  "testMode",
  Effect.fnUntraced(function* (handlers) {
    const testCandidates = yield* TestCandidates
    const testSpaces = yield* TestSpaces
    const completion = Body.optionalRequest(Contract.CompleteTestInterview)
    const refusal = Body.optionalRequest(Contract.DeclineTestInterview)

    /** Of an operation without a body. */
    const acting = (action: "open" | "expire" | "bounce" | "complain") =>
      Effect.fnUntraced(
        function* ({ params }: { readonly params: { readonly id: string } }) {
          const warnings = yield* Body.none
          const principal: Principal = yield* CurrentPrincipal
          return { results: yield* testCandidates[action](principal, params.id), ...optionalWarnings(warnings) }
        },
        Effect.catchTags({ Conflict: conflict, NotAllowed: notFound, NotFound: notFound, NotInTestMode: needsTestKey }),
      )

    return handlers
      .handleRaw(
        "complete",
        Effect.fnUntraced(
          function* ({ params }) {
            const { request, warnings } = yield* completion
            const quality = request.answers ?? "good"
            const results = yield* testCandidates.complete(yield* CurrentPrincipal, params.id, quality)
            return { results, ...optionalWarnings(warnings) }
          },
          Effect.catchTags({
            Conflict: conflict,
            NotAllowed: notFound,
            NotFound: notFound,
            NotInTestMode: needsTestKey,
          }),
        ),
      )
      .handleRaw(
        "decline",
        Effect.fnUntraced(
          function* ({ params }) {
            const { request, warnings } = yield* refusal
            const results = yield* testCandidates.decline(yield* CurrentPrincipal, params.id, request.reason ?? "")
            return { results, ...optionalWarnings(warnings) }
          },
          Effect.catchTags({
            Conflict: conflict,
            NotAllowed: notFound,
            NotFound: notFound,
            NotInTestMode: needsTestKey,
          }),
        ),
      )
      .handleAll({
        open: acting("open"),
        expire: acting("expire"),
        bounce: acting("bounce"),
        complain: acting("complain"),
        empty: Effect.fnUntraced(
          function* () {
            const warnings = yield* Body.surplus
            const is_empty = yield* testSpaces.empty(yield* CurrentPrincipal)
            return { results: { is_empty }, ...optionalWarnings(warnings) }
          },
          Effect.catchTags({ NotInTestMode: needsTestKey }),
        ),
      })
  }),
)
