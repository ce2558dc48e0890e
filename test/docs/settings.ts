/** Writes the tables of docs/settings.md, between its markers, from src/config/SettingsTable.ts. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { table } from "../../src/config/SettingsTable.ts"

const file = join(import.meta.dirname, "../../docs/settings.md")
const markers = ["<!-- written by npm run docs -->\n", "<!-- the end of it -->"] as const

interface Row {
  readonly default?: string
  readonly otherwise?: string
  readonly what: string
}

export const settingsTables = (): string =>
  Object.entries<Record<string, Row>>(table)
    .map(([section, settings]) => {
      const rows = Object.entries(settings).map(
        ([name, row]) => `| \`${name}\` | ${row.otherwise ?? `\`${row.default}\``} | ${row.what} |`,
      )
      return [`## ${section}`, "", "| Setting | Default | |", "|---|---|---|", ...rows, ""].join("\n")
    })
    .join("\n")

export const settingsPage = () => {
  const text = readFileSync(file, "utf8")
  const [from, to] = [text.indexOf(markers[0]) + markers[0].length, text.indexOf(markers[1])]
  return { before: text.slice(0, from), written: text.slice(from, to), after: text.slice(to) }
}

if (import.meta.main) {
  const { after, before } = settingsPage()
  writeFileSync(file, `${before}\n${settingsTables()}\n${after}`)
}
