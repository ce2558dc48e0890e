/** Tests that the service and its peers return the same responses, so the API bench measures the same work. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { inject } from "vitest"
import { isThorough } from "../support/thorough.ts"
import { stage } from "./api.ts"

describe("the bench of the API", () => {
  it.live.skipIf(!isThorough)("sends requests to servers that return the same responses", () =>
    Effect.gen(function* () {
      const { accounts, servers } = yield* stage(inject("postgres").url, { accounts: 1, people: 1 })
      assert.lengthOf(accounts, 1)
      assert.deepStrictEqual(
        servers.map(({ name }) => name),
        ["service", "fastify", "row by row"],
      )
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
  )
})
