/** Checks the relative links of README and the guides, and what messages, pages and comments of the code name of them. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { anchorOf } from "../../src/api-reference/Markdown.ts"
import { pageAt, pages } from "./pages.ts"

const root = join(import.meta.dirname, "../..")

const sectionsOf = (path: string): ReadonlyArray<string> =>
  [...pageAt(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchorOf(heading))

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
      assert.include(sectionsOf(linked), section, `${path}: ${target}`)
    }
  }
  for (const { path } of pages) if (path !== "README.md") assert.isTrue(reached.has(path), path)
})

it("messages, pages and comments name existing guides and sections", () => {
  const files = ["src", "sql"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile() && !file.name.endsWith(".md"))
      .map((file) => join(file.parentPath, file.name)),
  )
  let named = 0
  for (const file of files) {
    const text = readFileSync(file, "utf8")
    // the service serves the guides under /docs, without the ending
    for (const [target, name = "", ofFile, ofPage] of text.matchAll(
      /\bdocs\/([\w-]+)(?:\.md(?:#([\w-]+))?|#([\w-]+))/g,
    )) {
      named += 1
      const path = `docs/${name}.md`
      assert.isTrue(existsSync(join(root, path)), `${file}: ${target}`)
      const section = ofFile ?? ofPage
      if (section !== undefined) assert.include(sectionsOf(path), section, `${file}: ${target}`)
    }
  }
  assert.isAbove(named, 50)
})
