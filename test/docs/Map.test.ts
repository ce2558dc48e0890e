/** Checks the names that the tables of src/README.md give: each is in a file of its row. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { pageAt } from "./pages.ts"

const root = join(import.meta.dirname, "../..")

const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))

const files = ["src", "sql", "test", "integrations/n8n/nodes", "deploy"].flatMap(filesIn)

const textAt = (path: string): string => {
  const target = join(root, "src", path)
  if (!existsSync(target)) return ""
  const found = statSync(target).isDirectory() ? files.filter((file) => file.startsWith(target)) : [target]
  return found.map((file) => readFileSync(file, "utf8")).join("\n")
}

const isFileName = (text: string): boolean => /\.(ts|js|css|sql|ya?ml|sh)$/.test(text)

/** Names of a row that are in none of its files. A name in capitals is a setting; `table.column` is the column. */
const missingIn = (row: string, settings: string): ReadonlyArray<string> => {
  const linked = [...row.matchAll(/\]\(([^)#\s]+)\)/g)].map(([, path = ""]) => textAt(path))
  const quoted = [...row.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text)
  const named = quoted
    .filter(isFileName)
    .flatMap((name) => files.filter((file) => file.endsWith(`/${name}`)).map((file) => readFileSync(file, "utf8")))
  const text = [...linked, ...named].join("\n")
  if (text === "") return []
  return quoted.filter((quote) => {
    if (!/^\w+(\.\w+)?$/.test(quote) || isFileName(quote)) return false
    const place = /^[A-Z][A-Z0-9_]+$/.test(quote) ? `${settings}\n${text}` : text
    return !new RegExp(`(?<![\\w$])${quote.split(".").at(-1)}(?![\\w$])`).test(place)
  })
}

it("src/README.md names functions, tables and settings that are in the files of their rows", () => {
  const settings = readFileSync(join(root, "src/config/SettingsTable.ts"), "utf8")
  const [, rules = ""] = pageAt("src/README.md").split("## Where the rules are")
  const rows = rules.split("\n").filter((line) => line.startsWith("| "))
  assert.isAbove(rows.length, 200)
  assert.deepStrictEqual(
    rows.flatMap((row) => missingIn(row, settings).map((name) => `${name}, of the row "${row.split("|")[1]?.trim()}"`)),
    [],
  )
})
