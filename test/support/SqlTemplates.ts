/** The SQL of src: every template with the tag `sql`, statements and fragments. */
import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { ts } from "@ts-morph/common"

const root = join(import.meta.dirname, "../..")

export interface SqlTemplate {
  /** File and line. */
  readonly place: string
  /** The texts between the parameters and fragments. */
  readonly texts: ReadonlyArray<string>
  /** Whether it asserts the type of its rows: `sql<Row>`. */
  readonly hasRow: boolean
}

const textsOf = (template: ts.TemplateLiteral): ReadonlyArray<string> =>
  ts.isNoSubstitutionTemplateLiteral(template)
    ? [template.text]
    : [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)]

const templatesOf = (path: string): ReadonlyArray<SqlTemplate> => {
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest)
  const found: Array<SqlTemplate> = []
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && ts.isIdentifier(node.tag) && node.tag.text === "sql") {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
      found.push({
        place: `${relative(root, path)}:${line + 1}`,
        texts: textsOf(node.template),
        hasRow: node.typeArguments !== undefined,
      })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Moves of organizations replicate tables logically, which does not work with the tables of Citus' workers. */
const isOfMoves = (place: string): boolean => /^src\/cells\/Move\w+Sql\.ts:/.test(place)

export const templates: ReadonlyArray<SqlTemplate> = readdirSync(join(root, "src"), {
  recursive: true,
  withFileTypes: true,
})
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
  .flatMap((entry) => templatesOf(join(entry.parentPath, entry.name)))
  .filter(({ place }) => !isOfMoves(place))

/** The templates of a file that assert the type of their rows. */
export const rowTemplatesIn = (source: ts.SourceFile) => {
  const found: Array<{ readonly template: ts.TaggedTemplateExpression; readonly row: ts.TypeNode }> = []
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && ts.isIdentifier(node.tag) && node.tag.text === "sql") {
      const [row] = node.typeArguments ?? []
      if (row !== undefined) found.push({ template: node, row })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Whether the texts of `template` occur in `sent` in their order. */
export const isIn = ({ texts }: SqlTemplate, sent: string): boolean => {
  let at = 0
  for (const text of texts) {
    const next = sent.indexOf(text, at)
    if (next === -1) return false
    at = next + text.length
  }
  return true
}

/** Whether a statement with these literals can be of `template`: it begins and ends with the template's, the others are between. */
export const isWholeStatement = ({ texts }: SqlTemplate, literals: ReadonlyArray<string>): boolean => {
  const given = texts.filter((text) => text !== "")
  if (texts[0] === "" || literals[0] !== given[0]) return false
  if (texts.at(-1) !== "" && literals.at(-1) !== given.at(-1)) return false
  let at = -1
  for (const text of given) {
    at = literals.indexOf(text, at + 1)
    if (at === -1) return false
  }
  return true
}

/** Whether the text begins like a statement that reads or writes tables. */
export const isStatement = (text: string): boolean => /^[\s(]*(with|select|insert|update|delete)\b/i.test(text)

/** Commands about a session or the definition of tables; the rules are about reads and writes of rows. */
const isCommand = (text: string): boolean =>
  /^\s*(set local|lock table|create table|alter table|drop table)\b/.test(text)

/** The lines that Statements.check wrote in all processes: places of templates, and places with the text of a statement. */
const linesIn = (directory: string): ReadonlyArray<string> =>
  readdirSync(directory).flatMap((file) => readFileSync(join(directory, file), "utf8").split("\n"))

export interface RowStatement {
  /** Of its template. */
  readonly place: string
  readonly text: string
}

/** The statements of all templates that assert the type of their rows: a template of fragments has several. */
export const rowStatementsIn = (directory: string): ReadonlyArray<RowStatement> =>
  [...new Set(linesIn(directory))].flatMap((line) => {
    const [place = "", text] = line.split(/ (.*)/)
    return text === undefined ? [] : [{ place, text: JSON.parse(text) }]
  })

/** Places of the SQL about tables in src that no test sent. */
export const missingIn = (directory: string): ReadonlyArray<string> => {
  const seen = new Set(linesIn(directory))
  return templates.flatMap(({ place, texts }) =>
    /(Repository|Sql)\.ts:|platform\/queue\//.test(place) && !isCommand(texts[0] ?? "") && !seen.has(place)
      ? [place]
      : [],
  )
}
