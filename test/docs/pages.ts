/** README, the guides in docs/ and the map of src, as their readers have them. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "../..")

export interface Page {
  /** Beginning at the root of the repository: "docs/api.md". */
  readonly path: string
  readonly text: string
}

/** README first, then the guides by name, then the map. */
export const pages: ReadonlyArray<Page> = [
  "README.md",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .toSorted()
    .map((name) => `docs/${name}`),
  "src/README.md",
].map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }))

export const pageAt = (path: string): string => pages.find((page) => page.path === path)?.text ?? ""

export interface Block {
  readonly path: string
  /** What stands behind the opening fence. */
  readonly language: string
  readonly code: string
}

/** What stands between fences, in the order of the pages. */
export const blocks: ReadonlyArray<Block> = pages.flatMap(({ path, text }) =>
  [...text.matchAll(/^ *```(.*)\n([\s\S]*?)^ *```$/gm)].map(([, language = "", code = ""]) => ({
    path,
    language,
    code,
  })),
)
