/** The table of scopes. */
import { assert, describe, it } from "@effect/vitest"
import { Api } from "../../src/Api.ts"
import { requiredScopes } from "../../src/accounts/Scopes.ts"

describe("requiredScopes", () => {
  it("has every operation of the API and no other", () => {
    const operations = Object.values(Api.groups).flatMap(({ endpoints, identifier }) =>
      Object.values(endpoints).map((endpoint) => `${identifier}.${endpoint.identifier}`),
    )
    assert.sameMembers(Object.keys(requiredScopes), operations)
  })
})
