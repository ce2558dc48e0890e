/** The scopes that operations require: the code, docs/api.md, docs/webhook-endpoints.md and the responses agree. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { requiredScopes, Scope } from "../../src/accounts/api-keys/Scopes.ts"
import { pageAt } from "../docs/pages.ts"
import * as Api from "../support/Api.ts"
import * as Contract from "../support/Contract.ts"
import { Caller, nobodys, layer as specification } from "../support/Specification.ts"

const base = "/company/integration"

/** By method and path, as docs/api.md writes them: `GET /hiring/interview-sets/v1/<>`. */
const keyOf = ({ method, path }: Contract.Endpoint) => `${method} ${path.slice(base.length).replaceAll(/:\w+/g, "<>")}`

/** The scope of each operation in the table of docs/api.md. */
const documented = (): Readonly<Record<string, string>> => {
  const [, table = ""] = /^\| Operation \| Method.*\n\|.*\n([\s\S]*?)\n\n/m.exec(pageAt("docs/api.md")) ?? []
  return Object.fromEntries(
    table.split("\n").flatMap((row) => {
      const [, , paths = "", scope = ""] = row.split("|").map((cell) => cell.trim())
      let [method = "", start = ""] = ["", ""]
      return [...paths.matchAll(/`(?:([A-Z]+) )?(\S+)`/g)].map(([, other = method, path = ""]) => {
        method = other
        if (!path.startsWith("…")) [start = ""] = /^.*?\/v1/.exec(path) ?? []
        return [`${method} ${path.replace("…", start).replaceAll(/<\w+>/g, "<>")}`, scope.replaceAll("`", "")]
      })
    }),
  )
}

describe("requiredScopes", () => {
  it("has exactly the operations of the API", () => {
    assert.sameMembers(
      Object.keys(requiredScopes),
      Contract.endpoints.map(({ name }) => name),
    )
  })

  it("is the table of docs/api.md", () => {
    const required = Contract.endpoints.map((endpoint) => [keyOf(endpoint), requiredScopes[endpoint.name]])
    assert.deepStrictEqual(documented(), Object.fromEntries(required))
  })

  it("is what docs/webhook-endpoints.md says about endpoints: every change needs one scope, and any scope reads", () => {
    const [, scope] = /The scope `(\w+)` allows all of them/.exec(pageAt("docs/webhook-endpoints.md")) ?? []
    assert.isDefined(scope)
    const ofEndpoints = Contract.endpoints.filter(({ name }) => name.startsWith("webhookEndpoints."))
    assert.isNotEmpty(ofEndpoints)
    for (const { method, name } of ofEndpoints) {
      assert.strictEqual(requiredScopes[name], method === "GET" ? "any" : scope, name)
    }
  })
})

layer(specification(), { excludeTestServices: true })("An API key", (it) => {
  it.effect.each([undefined, ...Scope.literals])(
    "with the scope %s calls exactly the operations of docs/api.md",
    (scope) =>
      Effect.gen(function* () {
        const { organization } = yield* Caller
        const { key } = yield* Api.keyOf(organization, scope === undefined ? {} : { scopes: [scope] })
        const scopes = documented()
        for (const endpoint of Contract.endpoints) {
          const { method, name } = endpoint
          const path = endpoint.path.replaceAll(/:\w+/g, nobodys)
          const answer = yield* Api.call(method, path, { key, ...(method === "GET" ? {} : { json: {} }) })
          const required = scopes[keyOf(endpoint)]
          if (scope === undefined || required === "any" || required === scope)
            assert.notInclude([401, 403], answer.status, name)
          else Contract.problem(answer, 403, "missing_scope")
        }
      }),
  )
})
