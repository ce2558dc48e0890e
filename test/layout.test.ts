/** The layout of src, as its imports tell it. */
import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { code, importsOf, wrongArrows } from "./support/imports.ts"

const root = join(import.meta.dirname, "../src")

const files = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(ts|js)$/.test(entry.name))
  .map((entry) => {
    const path = join(entry.parentPath, entry.name)
    return { path: relative(root, path), source: readFileSync(path, "utf8") }
  })

/** Files outside the given places whose text matches. */
const outside = (places: ReadonlyArray<string>, pattern: RegExp) =>
  files.flatMap(({ path, source }) =>
    pattern.test(code(source)) && !places.some((place) => path === place || path.startsWith(`${place}/`)) ? [path] : [],
  )

describe("src", () => {
  it("has no import against the direction of the layout", () => {
    assert.isAbove(files.length, 50)
    assert.deepStrictEqual(
      files.filter(({ path }) => path.endsWith(".ts")).flatMap(({ path, source }) => wrongArrows(path, source)),
      [],
    )
  })

  it("speaks SQL in repositories alone", () => {
    const sql = /\bsql\s*(<[^`]*?>)?\s*`|["'](@effect\/sql-pg|effect\/sql)["']/
    assert.isNotEmpty(files.filter(({ source }) => sql.test(code(source))))
    assert.deepStrictEqual(outside(["repository", "adapter/embeddedPostgres", "adapter/EmbeddedPostgres.ts"], sql), [])
  })

  it("leaves the spans of requests to HTTP and those of statements to sql (Observability.ts)", () => {
    const traced = outside([], /\bEffect\.fn\(/)
    assert.isNotEmpty(traced)
    assert.deepStrictEqual(
      traced.filter((path) => /^(http|repository)\//.test(path)),
      [],
    )
  })

  it("runs effects in main.ts alone", () => {
    assert.deepStrictEqual(outside(["main.ts"], /\brun(Main|Promise|Sync|Fork|Callback)(Exit|With)?\b/), [])
  })
})

describe("the check", () => {
  it("finds every way to import", () => {
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
    `
    assert.deepStrictEqual(
      importsOf(source).map((name) => name.replace(/^\.\/(.)\.ts$/, "$1")),
      ["a", "b", "c", "d", "e", "f", "g", "h", "i", "?"],
    )
  })

  it.each([
    ["domain/Score.ts", "node:crypto"],
    ["domain/Score.ts", "../service/Ids.ts"],
    ["api/Api.ts", "../service/Invite.ts"],
    ["api/Api.ts", "@effect/platform-node"],
    ["port/EmailSender.ts", "../repository/Database.ts"],
    ["repository/Queue.ts", "../Config.ts"],
    ["repository/Queue.ts", "../service/Ids.ts"],
    ["service/invite/Entries.ts", "../../http/Html.ts"],
    ["service/Emails.ts", "../adapter/MailboxEmailSender.ts"],
    ["worker/Worker.ts", "../http/Html.ts"],
    ["http/pages/Parts.ts", "../../worker/Worker.ts"],
    ["adapter/keyword/rate.ts", "../../repository/Database.ts"],
    ["Observability.ts", "./App.ts"],
    ["App.ts", "./commands/Serve.ts"],
    ["commands/Serve.ts", "../adapter/KeywordEvaluator.ts"],
    ["App.ts", "./adapter/KeywordEvaluator.ts"],
    ["Adapters.ts", "./App.ts"],
    ["Adapters.ts", "./http/Html.ts"],
    ["main.ts", "./App.ts"],
    ["index.ts", "./service/Emails.ts"],
    ["App.ts", "./index.ts"],
    ["elsewhere.ts", "effect"],
  ])("refuses %s → %s", (path, name) => {
    for (const source of [
      `import { x } from "${name}"`,
      `import type { X } from "${name}"`,
      `await import("${name}")`,
    ]) {
      assert.lengthOf(wrongArrows(path, source), 1)
    }
  })

  it.each([
    ["domain/Signature.ts", "node:crypto"],
    ["service/invite/Entries.ts", "../../domain/Invite.ts"],
    ["http/pages/Parts.ts", "../Html.ts"],
    ["adapter/keyword/rate.ts", "./text.ts"],
    ["commands/Environment.ts", "../adapter/EmbeddedPostgres.ts"],
    ["Adapters.ts", "./adapter/KeywordEvaluator.ts"],
    ["main.ts", "./commands/demo/Journey.ts"],
    ["index.ts", "./main.ts"],
    ["index.ts", "./adapter/ChildCvReader.ts"],
  ])("allows %s → %s", (path, name) => {
    assert.deepStrictEqual(wrongArrows(path, `import { x } from "${name}"`), [])
  })
})
