/** Writes the tables of docs/errors.md, between its markers, from src/api-reference/ProblemCatalogue.ts. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fieldCodes, problemCatalogue, warningMeanings } from "../../src/api-reference/ProblemCatalogue.ts"

const file = join(import.meta.dirname, "../../docs/errors.md")
const markers = ["<!-- written by npm run docs -->\n", "<!-- the end of it -->"] as const

const maxBody = "2 MiB (`MAX_BODY`)"

export const errorTables = (): string =>
  [
    "## Problems",
    "",
    "| Status | `code` | When | What to do | Retry |",
    "|---|---|---|---|---|",
    ...problemCatalogue.map(
      ({ code, remedy, retry, status, when }) =>
        `| ${status} | \`${code}\` | ${when.replace("{max_body}", maxBody)} | ${remedy} | ${retry} |`,
    ),
    "",
    "## Validation errors",
    "",
    "| `code` in `errors` | The value is |",
    "|---|---|",
    ...Object.entries(fieldCodes).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`),
    "",
    "## Warnings",
    "",
    "A request with `warnings` beside its `results` was performed ([Rules](api.md#rules)).",
    "",
    "| `code` in `warnings` | Meaning |",
    "|---|---|",
    ...Object.entries(warningMeanings).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`),
    "",
  ].join("\n")

export const errorsPage = () => {
  const text = readFileSync(file, "utf8")
  const [from, to] = [text.indexOf(markers[0]) + markers[0].length, text.indexOf(markers[1])]
  return { before: text.slice(0, from), written: text.slice(from, to), after: text.slice(to) }
}

if (import.meta.main) {
  const { after, before } = errorsPage()
  writeFileSync(file, `${before}\n${errorTables()}\n${after}`)
}
