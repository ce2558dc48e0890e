/** Writes the programs of docs/quickstart/ into docs/quickstart.md, each between its markers. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const docs = join(import.meta.dirname, "../../docs")
const file = join(docs, "quickstart.md")
const languages: Readonly<Record<string, string>> = { py: "python", ts: "ts" }

/** The page with the current programs. */
export const withPrograms = (page: string): string =>
  page.replaceAll(
    /(<!-- ([\w.]+), written by npm run docs -->\n)[\s\S]*?(<!-- the end of it -->)/g,
    (_, begin: string, name: string, end: string) => {
      const language = languages[name.slice(name.lastIndexOf(".") + 1)] ?? ""
      return `${begin}\`\`\`${language}\n${readFileSync(join(docs, "quickstart", name), "utf8")}\`\`\`\n${end}`
    },
  )

if (import.meta.main) writeFileSync(file, withPrograms(readFileSync(file, "utf8")))
