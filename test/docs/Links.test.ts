/** Checks the relative links of README and the guides. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { anchorOf } from "../../src/api-reference/Markdown.ts"
import { pageAt, pages } from "./pages.ts"

const root = join(import.meta.dirname, "../..")

it("README and the guides link to existing files and sections, and README links to every guide", () => {
  const reached = new Set<string>()
  for (const { path, text } of pages) {
    for (const [, target = ""] of text.matchAll(/\]\(([^)\s]+)(?:\s+"\w+")?\)/g)) {
      if (/^https?:/.test(target)) continue
      const [file = "", section] = target.split("#")
      const linked = file === "" ? path : join(path, "..", file)
      assert.isTrue(existsSync(join(root, linked)), `${path}: ${target}`)
      if (path === "README.md") reached.add(linked)
      if (section === undefined) continue
      const sections = [...pageAt(linked).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchorOf(heading))
      assert.include(sections, section, `${path}: ${target}`)
    }
  }
  for (const { path } of pages) if (path !== "README.md") assert.isTrue(reached.has(path), path)
})
