/**
 * Compares the rows that src asserts, as in `sql<{ id: string }>`, with the columns that Postgres describes: TypeScript cannot
 * see that a statement names a column otherwise, or returns another type. Statements.ts records the statements.
 */
import { join, relative } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { getLibFiles, libFolderInMemoryPath, ts } from "@ts-morph/common"
import { Effect, Redacted } from "effect"
import { type RowStatement, rowTemplatesIn } from "./SqlTemplates.ts"
import { type Column, columnsOf } from "./StatementShapes.ts"

const root = join(import.meta.dirname, "../..")

/** How PgTypes decodes a type; undefined: JSON of any shape, or not known (before Postgres 16). */
const decoded = (type: string): string | undefined => {
  if (type.endsWith("[]")) return "list"
  if (/^(smallint|integer|real|double precision|oid)$/.test(type)) return "number"
  if (type === "boolean") return "boolean"
  if (/^timestamp|^date$/.test(type)) return "Date"
  if (type === "bytea") return "Uint8Array"
  return /^(jsonb?|)$/.test(type) ? undefined : "string"
}

interface AssertedColumn {
  readonly name: string
  readonly isOptional: boolean
  /** Without null; empty: any value. */
  readonly kinds: ReadonlyArray<string>
}

const kindsOf = (checker: ts.TypeChecker, type: ts.Type): ReadonlyArray<string> => {
  const members = type.isUnion() ? type.types : [type]
  const kinds = members.flatMap((member) => {
    if ((member.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) !== 0) return []
    if ((member.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0) return "any"
    // a brand is an intersection with a primitive type
    const parts = member.isIntersection() ? member.types : [member]
    const is = (flags: ts.TypeFlags) => parts.some((part) => (part.flags & flags) !== 0)
    if (is(ts.TypeFlags.StringLike)) return "string"
    if (is(ts.TypeFlags.NumberLike)) return "number"
    if (is(ts.TypeFlags.BooleanLike)) return "boolean"
    if (checker.isArrayType(member) || checker.isTupleType(member)) return "list"
    const name = member.getSymbol()?.name ?? ""
    return name === "Date" || name === "Uint8Array" ? name : "object"
  })
  return kinds.includes("any") ? [] : [...new Set(kinds)]
}

/** The rows of all templates of `files`, by place. */
const assertedRows = (files: ReadonlyArray<string>): ReadonlyMap<string, ReadonlyArray<AssertedColumn>> => {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(root, "tsconfig.json"),
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} },
  )
  const options = { ...config?.options, types: ["node"] }
  const libraries = new Map(getLibFiles().map(({ fileName, text }) => [join(libFolderInMemoryPath, fileName), text]))
  const host = ts.createCompilerHost(options)
  const { fileExists, getSourceFile, readFile } = host
  const program = ts.createProgram(
    files.map((file) => join(root, file)),
    options,
    {
      ...host,
      getDefaultLibLocation: () => libFolderInMemoryPath,
      getDefaultLibFileName: (given) => join(libFolderInMemoryPath, ts.getDefaultLibFileName(given)),
      fileExists: (path) => libraries.has(path) || fileExists(path),
      readFile: (path) => libraries.get(path) ?? readFile(path),
      getSourceFile: (path, target) => {
        const text = libraries.get(path)
        return text === undefined ? getSourceFile(path, target) : ts.createSourceFile(path, text, target)
      },
    },
  )
  const checker = program.getTypeChecker()
  return new Map(
    files.flatMap((file) => {
      const source = program.getSourceFile(join(root, file))
      if (source === undefined) return []
      return rowTemplatesIn(source).map(({ row, template }) => {
        const { line } = source.getLineAndCharacterOfPosition(template.getStart(source))
        const columns = checker.getPropertiesOfType(checker.getTypeFromTypeNode(row)).map((property) => ({
          name: property.name,
          isOptional: (property.flags & ts.SymbolFlags.Optional) !== 0,
          kinds: kindsOf(checker, checker.getTypeOfSymbol(property)),
        }))
        return [`${relative(root, source.fileName)}:${line + 1}`, columns] as const
      })
    }),
  )
}

/** What the asserted row and the described columns disagree about. Columns that the row omits are not read. */
const disagreements = (
  asserted: ReadonlyArray<AssertedColumn>,
  described: ReadonlyArray<Column>,
): ReadonlyArray<string> => {
  const types = new Map(described.map(({ name, type }) => [name, type]))
  return asserted.flatMap(({ isOptional, kinds, name }) => {
    const type = types.get(name)
    if (type === undefined) return isOptional ? [] : [`no column ${name}`]
    const kind = decoded(type)
    return kind === undefined || kinds.length === 0 || kinds.every((each) => each === kind)
      ? []
      : [`${name} is ${type}, which is decoded as ${kind}, not ${kinds.join(" | ")}`]
  })
}

/** `url`: of a database with the schema. */
export const wrongRows = Effect.fnUntraced(function* (url: string, statements: ReadonlyArray<RowStatement>) {
  const rows = assertedRows([...new Set(statements.map(({ place }) => place.replace(/:\d+$/, "")))])
  const found = yield* Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    return yield* Effect.forEach(statements, ({ place, text }) => {
      const row = rows.get(place)
      if (row === undefined) return Effect.succeed({ place, problems: [`${place}: no template`] })
      return sql.withTransaction(columnsOf(sql, text)).pipe(
        Effect.map((columns) => ({
          place,
          problems: disagreements(row, columns).map((problem) => `${place}: ${problem}`),
        })),
        Effect.orElseSucceed(() => ({ place, problems: undefined, text })),
      )
    })
  }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })))
  // the largest statements are too long to be described; of each template, another one is
  const described = new Set(found.flatMap(({ place, problems }) => (problems === undefined ? [] : [place])))
  const problems = found.flatMap((one) => {
    if (one.problems !== undefined) return one.problems
    return described.has(one.place) ? [] : [`${one.place}: Postgres cannot describe this:\n${one.text}`]
  })
  return [...new Set(problems)]
})
