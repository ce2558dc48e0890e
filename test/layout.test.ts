/** Checks the layout of src (src/README.md) by its imports: the order of subjects, and the order of roles within them. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, normalize, relative } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { code, type Import, importsOf } from "./support/imports.ts"

const root = join(import.meta.dirname, "..")
const { exports }: { exports: Record<string, Record<string, string>> } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
)

/** The files of src by path. */
const files = new Map(
  readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return [relative(join(root, "src"), path), readFileSync(path, "utf8")] as const
    }),
)

/** Each subject may import itself and those before it. `App` is the files directly in src. */
const subjects = [
  "sdk",
  "values",
  "texts",
  "config",
  "platform",
  "files",
  "emails",
  "accounts",
  "candidates",
  "record",
  "webhooks",
  "interview-sets",
  "evaluations",
  "submissions",
  "notices",
  "trial-evaluations",
  "counterfactual",
  "impact",
  "cv",
  "recordings",
  "invitations",
  "person-reviews",
  "interviews",
  "test-mode",
  "ats",
  "reviews",
  "privacy",
  "queues",
  "sample",
  "cells",
  "api-reference",
  "dev",
  "App",
  "cli",
  "main",
]

const subjectOf = (path: string): string => {
  if (path.includes("/")) return path.split("/")[0] ?? ""
  return path === "main.ts" || path === "index.ts" ? "main" : "App"
}

/** The role of a file by its name; undefined for models and services. */
type Role = "contract" | "port" | "repository" | "queue" | "page" | "route"

const ports = new Set(
  Object.entries(exports).flatMap(([name, conditions]) =>
    name.startsWith("./port/") ? [(conditions["@interview-invitations/source"] ?? "").replace("./src/", "")] : [],
  ),
)

const roleOf = (path: string): Role | undefined => {
  if (ports.has(path)) return "port"
  if (path.includes("/pages/")) return "page"
  if (/(ApiHandlers|Pages|Routes)\.ts$/.test(path)) return "route"
  if (/Api\.ts$/.test(path)) return "contract"
  if (/(Repository|Sql)\.ts$/.test(path)) return "repository"
  return /Queue\.ts$/.test(path) ? "queue" : undefined
}

/** Roles that a file may not import. A page may import types of anything, because it renders them. */
const refused: Record<Role | "other", ReadonlyArray<Role>> = {
  contract: ["port", "repository", "queue", "page", "route"],
  port: ["contract", "repository", "queue", "page", "route"],
  repository: ["contract", "port", "queue", "page", "route"],
  other: ["queue", "route"],
  queue: ["contract", "queue", "page", "route"],
  page: ["repository", "queue", "route"],
  route: [],
}

/** Subjects whose files any role may import. */
const ground = ["sdk", "values", "texts", "config", "platform"]

const resolved = (path: string, name: string) => normalize(join(dirname(path), name))

/** Imports of a file that break the order of subjects or roles, as "from → to". */
const wrongArrows = (path: string, imports: ReadonlyArray<Import>): ReadonlyArray<string> =>
  imports.flatMap(({ isType, name }) => {
    if (!name.startsWith(".")) return []
    const target = resolved(path, name)
    const from = subjects.indexOf(subjectOf(path))
    const to = subjects.indexOf(subjectOf(target))
    const role = roleOf(path)
    const targetRole = roleOf(target)
    const isOutside = from < 0 || to < 0 || to > from
    const isOfGround = ground.includes(subjectOf(target)) || subjects.indexOf("App") <= from
    const isRefused =
      !isOfGround &&
      targetRole !== undefined &&
      refused[role ?? "other"].includes(targetRole) &&
      !(isType && (role === "page" || role === undefined))
    return isOutside || isRefused ? [`${path} → ${target}`] : []
  })

/** Files outside the given places whose code matches. */
const outside = (isPlace: (path: string) => boolean, pattern: RegExp) =>
  [...files].flatMap(([path, source]) => (pattern.test(code(source)) && !isPlace(path) ? [path] : []))

describe("src", () => {
  it("has no import against the order of subjects or roles", () => {
    assert.isAbove(files.size, 50)
    assert.deepStrictEqual(
      [...files].flatMap(([path, source]) => wrongArrows(path, importsOf(source))),
      [],
    )
  })

  it("has SQL in repositories, platform/database and platform/queue only", () => {
    const sql = /\bsql\s*(<[^`]*?>)?\s*`|["'](@effect\/sql-pg|effect\/sql)["']/
    const isPlace = (path: string) =>
      roleOf(path) === "repository" ||
      /^(platform\/(database|queue)|dev\/(EmbeddedPostgres|embedded-postgres))\b/.test(path)
    assert.isNotEmpty(outside(() => false, sql))
    assert.deepStrictEqual(outside(isPlace, sql), [])
  })

  it("has Effect.fn spans, and none in routes and repositories (platform/telemetry/Observability.ts)", () => {
    const traced = outside(() => false, /\bEffect\.fn\(/)
    assert.isNotEmpty(traced)
    assert.deepStrictEqual(
      traced.filter((path) => ["route", "repository"].includes(roleOf(path) ?? "")),
      [],
    )
  })

  it("runs effects in main.ts only", () => {
    assert.deepStrictEqual(
      outside((path) => path === "main.ts", /\brun(Main|Promise|Sync|Fork|Callback)(Exit|With)?\b/),
      [],
    )
  })

  it("imports no package but effect in ports, Client.ts and domain.ts", () => {
    const seen = new Set<string>()
    const foreign: Array<string> = []
    const visit = (path: string) => {
      if (seen.has(path)) return
      seen.add(path)
      for (const { name } of importsOf(files.get(path) ?? "")) {
        if (name.startsWith(".")) visit(resolved(path, name))
        else if (!/^effect(\/|$)/.test(name)) foreign.push(`${path} → ${name}`)
      }
    }
    for (const path of ["Client.ts", "domain.ts", ...ports]) visit(path)
    assert.isAbove(seen.size, 40)
    assert.deepStrictEqual(foreign, [])
  })
})

describe("the sdk", () => {
  it("imports its own files only, no package", () => {
    const names = [...files].flatMap(([path, source]) => (subjectOf(path) === "sdk" ? importsOf(source) : []))
    assert.isAbove(names.length, 5)
    assert.isEmpty(names.filter(({ name }) => !name.startsWith("./")))
  })
})

describe("the check of imports", () => {
  it("finds all forms of imports", () => {
    const source = `
      import "./a.ts"
      import * as B from "./b.ts"
      import { type C, c } from './c.ts'
      import type { D } from "./d.ts"
      import {
        E, // from "./not-this.ts"
      } from "./e.ts"
      export { F } from "./f.ts"
      export * from "./g.ts"
      const url = "https://example.com" // import "./nor-this.ts"
      const h = await import("./h.ts")
      type I = import("./i.ts").I
      /** import "./nor-that.ts" */
      const j = await import(name)
      import { type K } from "./k.ts"
    `
    assert.deepStrictEqual(
      importsOf(source).map(({ isType, name }) => `${name.replace(/^\.\/(.)\.ts$/, "$1")}${isType ? " (type)" : ""}`),
      ["a", "b", "c", "d (type)", "e", "f", "g", "k (type)", "h", "i", "?"],
    )
  })

  it.each([
    ["sdk/Requests.ts", "../values/Ids.ts"],
    ["values/Ids.ts", "../accounts/members/Member.ts"],
    ["accounts/members/Members.ts", "../../webhooks/endpoints/Endpoints.ts"],
    ["webhooks/endpoints/Endpoints.ts", "../../App.ts"],
    ["App.ts", "./cli/Serve.ts"],
    ["cli/ServeCommand.ts", "../main.ts"],
    ["webhooks/endpoints/Endpoints.ts", "../../elsewhere/Thing.ts"],
    ["webhooks/events/EventApi.ts", "./EventRepository.ts"],
    ["webhooks/deliveries/WebhookTransport.ts", "./DeliveryRepository.ts"],
    ["webhooks/deliveries/DeliveryRepository.ts", "./WebhookTransport.ts"],
    ["webhooks/endpoints/Endpoints.ts", "../deliveries/DeliveryQueue.ts"],
    ["webhooks/endpoints/Endpoints.ts", "./EndpointPages.ts"],
    ["webhooks/endpoints/pages/EndpointPage.ts", "../EndpointRepository.ts"],
  ])("refuses %s → %s", (path, name) => {
    for (const source of [`import { x } from "${name}"`, `export * from "${name}"`, `await import("${name}")`]) {
      assert.lengthOf(wrongArrows(path, importsOf(source)), 1)
    }
  })

  it.each([
    ["webhooks/endpoints/Endpoints.ts", "../../accounts/members/Member.ts"],
    ["webhooks/endpoints/Endpoints.ts", "./EndpointRepository.ts"],
    ["webhooks/deliveries/DeliveryQueue.ts", "./WebhookTransport.ts"],
    ["webhooks/endpoints/EndpointPages.ts", "./Endpoints.ts"],
    ["webhooks/endpoints/pages/EndpointPage.ts", "../../../platform/http/Html.ts"],
    ["App.ts", "./webhooks/deliveries/DeliveryQueue.ts"],
    ["cli/ServeCommand.ts", "../App.ts"],
    ["index.ts", "./main.ts"],
  ])("allows %s → %s", (path, name) => {
    assert.deepStrictEqual(wrongArrows(path, importsOf(`import { x } from "${name}"`)), [])
  })
})
