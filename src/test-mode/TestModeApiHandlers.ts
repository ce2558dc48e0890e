import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { performed, refusals } from "../accounts/api-keys/OperationHandlers.ts"
import * as Body from "../platform/http/Body.ts"
import { integrationApi } from "../platform/http/IntegrationApi.ts"
import { NotFound } from "../platform/http/ProblemApi.ts"
import type { InvitationId } from "../values/Ids.ts"
import { type BodilessAct, type TestActName, type TestActRequests, testActs } from "./TestActs.ts"
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

interface ForOneInvitation {
  readonly params: { readonly id: InvitationId }
}

export const layer = HttpApiBuilder.group(
  integrationApi(Contract.TestMode),
  "testMode",
  Effect.fnUntraced(function* (handlers) {
    const testCandidates = yield* TestCandidates
    const testSpaces = yield* TestSpaces

    const acting = <Name extends TestActName, E, R>(name: Name, read: Body.Read<TestActRequests[Name], E, R>) =>
      performed(read, (principal, request, { params }: ForOneInvitation) =>
        testCandidates
          .act(principal, params.id, name, request)
          .pipe(Effect.catchTags({ ...refusals, NotInTestMode: needsTestKey })),
      )

    const bodiless = {
      open: acting("open", Body.none),
      expire: acting("expire", Body.none),
      bounce: acting("bounce", Body.none),
      complain: acting("complain", Body.none),
    } satisfies Record<BodilessAct, unknown>

    return handlers
      .handleRaw("complete", acting("complete", Body.optionalRequest(testActs.complete.payload)))
      .handleRaw("decline", acting("decline", Body.optionalRequest(testActs.decline.payload)))
      .handleAll({
        ...bodiless,
        empty: performed(Body.surplus, (principal) =>
          testSpaces.empty(principal).pipe(
            Effect.map((is_empty) => ({ is_empty })),
            Effect.catchTags({ NotInTestMode: needsTestKey }),
          ),
        ),
      })
  }),
)
