/** The scopes that operations require. */
import { assert, describe, it } from "@effect/vitest"
import { Api } from "../../src/Api.ts"
import { requiredScopes } from "../../src/accounts/Scopes.ts"

describe("requiredScopes", () => {
  it("has exactly the operations of the API", () => {
    const operations = Object.values(Api.groups).flatMap(({ endpoints, identifier }) =>
      Object.values(endpoints).map((endpoint) => `${identifier}.${endpoint.identifier}`),
    )
    assert.sameMembers(Object.keys(requiredScopes), operations)
  })
})
