import { readdirSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { pageAt } from "./pages.ts"
import { withPrograms } from "./quickstart.ts"

it("docs/quickstart.md shows every program of docs/quickstart/ as it is", () => {
  const page = pageAt("docs/quickstart.md")
  assert.strictEqual(page, withPrograms(page), "run npm run docs")
  for (const name of readdirSync(join(import.meta.dirname, "../../docs/quickstart"))) {
    if (name.includes(".")) assert.include(page, `<!-- ${name}, written by npm run docs -->`)
  }
})
