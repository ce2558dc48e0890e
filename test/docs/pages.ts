/** Reads README, the guides in docs/ and src/README.md. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "../..")

export interface Page {
  /** Relative to the repository: "docs/api.md". */
  readonly path: string
  readonly text: string
}

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
  /** The info string of the opening fence; empty without one. */
  readonly language: string
  readonly code: string
}

export const blocksOf = (path: string, text: string): ReadonlyArray<Block> =>
  [...text.matchAll(/^ *```(.*)\n([\s\S]*?)^ *```$/gm)].map(([, language = "", code = ""]) => ({
    path,
    language,
    code,
  }))

export const blocks: ReadonlyArray<Block> = pages.flatMap(({ path, text }) => blocksOf(path, text))
