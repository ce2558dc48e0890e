/** Links of README and the guides to each other lead somewhere. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { pageAt, pages } from "./pages.ts"

const root = join(import.meta.dirname, "../..")

/** As GitHub names the heading of a section. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")

it("README and the guides lead to pages and sections that are there, and to every guide", () => {
  const reached = new Set<string>()
  for (const { path, text } of pages) {
    for (const [, target = ""] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue
      const [file = "", section] = target.split("#")
      const there = file === "" ? path : join(path, "..", file)
      assert.isTrue(existsSync(join(root, there)), `${path}: ${target}`)
      if (path === "README.md") reached.add(there)
      if (section === undefined) continue
      const sections = [...pageAt(there).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchorOf(heading))
      assert.include(sections, section, `${path}: ${target}`)
    }
  }
  for (const { path } of pages) if (path !== "README.md") assert.isTrue(reached.has(path), path)
})
