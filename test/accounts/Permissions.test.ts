/** Permissions.ts is what the pages, the API, the commands and the guides say. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Command } from "effect/cli"
import { OpenApi } from "effect/http-api"
import { Api } from "../../src/Api.ts"
import { type Role, roles } from "../../src/accounts/members/Member.ts"
import {
  type Action,
  actionOfPage,
  installationCommands,
  may,
  permissions,
  type RequiredScopes,
  rolesOf,
} from "../../src/accounts/Permissions.ts"
import type { Document } from "../../src/api-reference/OpenApiDocument.ts"
import { root } from "../../src/main.ts"
import { pageAt } from "../docs/pages.ts"
import * as Contract from "../support/Contract.ts"
import { pathOf, valuesOf } from "../support/Furnished.ts"
import * as Members from "../support/Members.ts"
import { passingTime } from "../support/passingTime.ts"
import { closed, formOf, stage, visit, World } from "../support/Walk.ts"

interface Permission {
  readonly what: string
  readonly pages?: ReadonlyArray<string>
  readonly scopes?: RequiredScopes
  readonly operations?: ReadonlyArray<string>
  readonly commands?: ReadonlyArray<string>
}

const actions = Object.entries(permissions) as ReadonlyArray<readonly [Action, Permission]>

const allOf = (key: "pages" | "operations" | "commands") => actions.flatMap(([, permission]) => permission[key] ?? [])

const namesOf = ({ subcommands }: Command.Command.Any, name = ""): ReadonlyArray<string> => {
  const below = subcommands.flatMap(({ commands }) => commands)
  return below.length === 0 ? [name] : below.flatMap((one) => namesOf(one, `${name} ${one.name}`.trim()))
}

describe("the table of permissions", () => {
  it("has each operation of the contract once, with scopes, and one name for each action", () => {
    assert.sameMembers(
      [...allOf("operations")],
      Contract.endpoints.map(({ name }) => name),
    )
    for (const [action, { operations, scopes }] of actions) {
      assert.strictEqual(operations === undefined, scopes === undefined, action)
    }
    const names = actions.map(([, { what }]) => what)
    assert.lengthOf(new Set(names), names.length)
  })

  it("has each command once", () => {
    assert.sameMembers([...allOf("commands"), ...installationCommands], [...namesOf(root)])
  })

  it("is the table of docs/workspace.md#roles", () => {
    const [, table = ""] = /^\| Action \| Owner.*\n\|.*\n([\s\S]*?)\n\n/m.exec(pageAt("docs/workspace.md")) ?? []
    const expected = actions
      .filter(([action]) => rolesOf(action).length > 0)
      .map(
        ([action, { what }]) =>
          `| ${what} | ${roles.map((role) => (may({ role }, action) ? "yes" : "–")).join(" | ")} |`,
      )
    assert.deepStrictEqual(table.split("\n"), expected)
  })

  it("has the scopes that the descriptions of the operations name", () => {
    const { paths }: Document = JSON.parse(JSON.stringify(OpenApi.fromApi(Api)))
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { description }]) => {
        const [, scopes = ""] = /\bscope (`\w+`(?: or `\w+`)*)/.exec(description) ?? []
        return [`${method.toUpperCase()} ${path}`, scopes.replaceAll("`", "")] as const
      }),
    )
    const required = new Map(
      actions.flatMap(([, { operations = [], scopes = "any" }]) =>
        operations.map((operation) => {
          const { method, path } = Contract.endpointOf(operation)
          const needed = scopes === "any" ? "" : scopes.join(" or ")
          return [`${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`, { operation, needed }] as const
        }),
      ),
    )
    const differences = described.flatMap(([place, scopes]) => {
      const { needed, operation } = required.get(place) ?? assert.fail(`${place} has no action`)
      const [group = "", name] = operation.split(".")
      return scopes === needed
        ? []
        : [`description of "${name}" in the group "${group}" (${place}): "${scopes}", Permissions.ts: "${needed}"`]
    })
    assert.deepStrictEqual(differences, [])
    assert.lengthOf(described, required.size)
  })
})

layer(stage, { timeout: "120 seconds" })("the pages and forms of the workspace", (it) => {
  it.effect("are those of the table", () =>
    Effect.gen(function* () {
      const routes = yield* closed
      const covered = allOf("pages").filter((page) => {
        const [, method, path = "", prefix] = /^(?:(GET|POST) )?(.*?)(\/\*)?$/.exec(page) ?? []
        return routes.some(
          (route) =>
            (method ?? route.method) === route.method &&
            (route.path === path || (prefix !== undefined && route.path.startsWith(`${path}/`))),
        )
      })
      assert.deepStrictEqual(allOf("pages"), covered)
    }),
  )

  it.effect.each([...roles].toReversed())("open to the role %s where the table has it, and only there", (role: Role) =>
    Effect.gen(function* () {
      const { theirs } = yield* World
      const { cookie } = yield* Members.signedIn(theirs.organization, role)
      const faults: Array<string> = []
      const differences: Array<string> = []
      for (const { method, path } of yield* closed) {
        // other routes would then be in the other mode, which is the same for roles
        if (path === "/test-mode/enter" && method === "POST") continue
        const sent = method === "GET" ? {} : formOf({})
        const to = pathOf(path, valuesOf(path, theirs.ids))
        const { answer, first, text, told } = yield* passingTime(visit(faults, method, to, { ...sent, cookie }, false))
        if (first?.startsWith("/sign-in")) faults.push(told)
        const action = actionOfPage(method, path) ?? assert.fail(`${method} ${path} has no action`)
        const isOpen = answer.status !== 403 || !/<h1>This is for [a-z, ]+ only<\/h1>/.test(text)
        if (isOpen !== may({ role }, action)) differences.push(`${method} ${path} is ${isOpen ? "open" : "refused"}`)
      }
      assert.deepStrictEqual(faults, [])
      assert.deepStrictEqual(differences, [])
    }),
  )
})
