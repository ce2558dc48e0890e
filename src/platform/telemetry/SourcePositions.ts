/**
 * Maps stack traces of the bundle (build.ts) to positions in src/. Reads the source map when the first error is logged:
 * Node's --enable-source-maps adds 16 MB to an idle pod and 0.2 s of CPU time to its start (Node 24.21).
 */
import { readFileSync } from "node:fs"
import { SourceMap } from "node:module"

/** True in the bundle, otherwise not defined (build.ts). */
declare const BUNDLED: true | undefined

/** Without colons in paths: messages may repeat `file:///`, and each match then ends at the next. */
const frame = /(file:\/\/\/[^\s():]+\.js):(\d+):(\d+)/g

/** The bundle's own. */
const directory = new URL("../../", import.meta.url).href

const maps = new Map<string, SourceMap>()

/** Undefined for files without a map, and for files elsewhere, which a message may name. */
const mapOf = (file: string): SourceMap | undefined => {
  const { href } = new URL(file)
  if (!href.startsWith(directory)) return undefined
  const known = maps.get(href)
  if (known !== undefined) return known
  try {
    const map = new SourceMap(JSON.parse(readFileSync(new URL(`${href}.map`), "utf8")))
    maps.set(href, map)
    return map
  } catch {
    return undefined
  }
}

/** Keeps positions in packages as they are. */
const mapped = (stack: string): string =>
  stack.replaceAll(frame, (whole, file: string, line: string, column: string) => {
    const entry = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1)
    return entry !== undefined && "originalSource" in entry && entry.originalSource !== undefined
      ? `${new URL(entry.originalSource, file)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
      : whole
  })

/** Replaces positions in the bundle by positions in src/. Changes nothing outside the bundle. */
export const inSources: (stack: string) => string = typeof BUNDLED === "undefined" ? (stack) => stack : mapped
