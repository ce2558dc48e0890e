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

/**
 * The code of the only block of a page that contains `text`, for tests that run what the guides say. Throws when no block or
 * several blocks contain it.
 */
export const codeWith = (path: string, text: string): string => {
  const [found, ...others] = blocks.filter((block) => block.path === path && block.code.includes(text))
  if (found === undefined || others.length > 0) {
    throw new Error(`${path} has ${found === undefined ? "no" : "more than one"} block with "${text}"`)
  }
  return found.code
}

/** Replaces all matches of `pattern`, which has the flag g. Throws when there is none. */
export const replaced = (code: string, pattern: RegExp | string, replacement: string): string => {
  const changed = code.replaceAll(pattern, () => replacement)
  if (changed === code) throw new Error(`no ${pattern} in:\n${code}`)
  return changed
}
