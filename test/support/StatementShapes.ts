/**
 * The rules of Citus 13 for statements on tables of a schema that is stored on one of its nodes (docs/citus.md). Postgres
 * without Citus has no such rules. They depend on the volatility of functions, so they are checked on the statement as Postgres
 * analysed it.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { Statement } from "effect/sql"

/** An element of Postgres' text form of a parsed statement (pg_node_tree): a node, a list or an atom. */
type Value = Node | ReadonlyArray<Value> | string

interface Node {
  readonly name: string
  readonly fields: ReadonlyMap<string, ReadonlyArray<Value>>
}

const token = /[{}()]|:\w+|"(?:\\.|[^"\\])*"|(?:\\.|[^\s(){}\\])+/g

const parse = (text: string): ReadonlyArray<Value> => {
  const tokens = text.match(token) ?? []
  let at = 0
  const until = (...ends: ReadonlyArray<string>): ReadonlyArray<Value> => {
    const values: Array<Value> = []
    for (;;) {
      const next = tokens[at]
      if (next === undefined || ends.includes(next[0] ?? "")) return values
      at++
      if (next === "{") values.push(node())
      else if (next === "(") {
        values.push(until(")"))
        at++
      } else values.push(next)
    }
  }
  const node = (): Node => {
    const name = tokens[at++] ?? ""
    const fields = new Map<string, ReadonlyArray<Value>>()
    while (tokens[at]?.startsWith(":") === true) {
      const field = tokens[at++] ?? ""
      fields.set(field.slice(1), until(":", "}"))
    }
    at++
    return { name, fields }
  }
  return until()
}

const isNode = (value: Value): value is Node => typeof value !== "string" && "name" in value

const elements = (value: Value): ReadonlyArray<Value> =>
  typeof value === "string" ? [] : isNode(value) ? [...value.fields.values()].flat() : value

/** All nodes inside; `isEntered` decides whether the children of a node are visited. */
function* nodesIn(values: ReadonlyArray<Value>, isEntered: (node: Node) => boolean = () => true): Generator<Node> {
  for (const value of values) {
    if (isNode(value)) yield value
    if (!isNode(value) || isEntered(value)) yield* nodesIn(elements(value), isEntered)
  }
}

const field = (node: Node, name: string): ReadonlyArray<Value> => node.fields.get(name) ?? []

const atom = (node: Node, name: string): string => String(field(node, name)[0] ?? "")

/** `i` immutable, `s` stable, `v` volatile; by "function 1", "input 2" or "output 2" (of a type), "identity 3" (of a table). */
type Volatilities = ReadonlyMap<string, string>

const readVolatilities = Effect.fnUntraced(function* (sql: PgClient.PgClient) {
  const rows = yield* sql<{ name: string; volatility: string }>`
    select 'function ' || oid as name, provolatile::text as volatility from pg_proc
    union all select 'input ' || t.oid, p.provolatile::text from pg_type t join pg_proc p on p.oid = t.typinput
    union all select 'output ' || t.oid, p.provolatile::text from pg_type t join pg_proc p on p.oid = t.typoutput
    union all select distinct 'identity ' || attrelid, 'v' from pg_attribute where attidentity <> ''`
  return new Map(rows.map(({ name, volatility }) => [name, volatility]))
})

const calls = new Map([
  ["AGGREF", "aggfnoid"],
  ["DISTINCTEXPR", "opfuncid"],
  ["FUNCEXPR", "funcid"],
  ["NULLIFEXPR", "opfuncid"],
  ["OPEXPR", "opfuncid"],
  ["SCALARARRAYOPEXPR", "opfuncid"],
  ["WINDOWFUNC", "winfnoid"],
])

/** The fields that hold the type of a node's value. */
const types = [
  "vartype",
  "paramtype",
  "consttype",
  "funcresulttype",
  "opresulttype",
  "resulttype",
  "coalescetype",
  "casetype",
]

const typeOf = (node: Node): string => types.map((name) => atom(node, name)).find((type) => type !== "") ?? ""

const functionsOf = (node: Node): ReadonlyArray<string> => {
  if (node.name === "COERCEVIAIO") {
    const [argument] = field(node, "arg")
    const from = argument !== undefined && isNode(argument) ? [`output ${typeOf(argument)}`] : []
    return [...from, `input ${typeOf(node)}`]
  }
  const call = calls.get(node.name)
  return call === undefined ? [] : [`function ${atom(node, call)}`]
}

const commands = new Map([
  ["2", "update"],
  ["3", "insert"],
  ["4", "delete"],
])

/** The table that a statement writes, by its number in the catalogue. */
const targetOf = (query: Node): string => {
  const [entry] = nodesIn(
    field(query, "rtable")
      .flatMap(elements)
      .slice(Number(atom(query, "resultRelation")) - 1),
  )
  return entry === undefined ? "" : atom(entry, "relid")
}

/** What Citus refuses, or does differently from Postgres, in an analysed statement. */
const refusals = (statement: ReadonlyArray<Value>, volatilities: Volatilities): ReadonlyArray<string> => {
  const has = (node: Node, volatility: "s" | "v"): boolean =>
    (volatility === "s" && node.name === "SQLVALUEFUNCTION") ||
    functionsOf(node).some((name) => volatilities.get(name) === volatility)
  const isVolatile = (values: ReadonlyArray<Value>) => [...nodesIn(values)].some((node) => has(node, "v"))
  const isMutable = (values: ReadonlyArray<Value>) =>
    [...nodesIn(values)].some((node) => has(node, "s") || has(node, "v"))
  const isLazy = ({ name }: Node) => name === "CASEEXPR" || name === "COALESCEEXPR"
  /** Nodes outside sub-selects, which Citus does not check, and outside `case` and `coalesce`. */
  const inRow = (values: ReadonlyArray<Value>) => [...nodesIn(values, (node) => node.name !== "QUERY" && !isLazy(node))]

  const reads = (values: ReadonlyArray<Value>, kind: "0" | "6"): boolean =>
    [...nodesIn(values)].some(
      // RTE: before Postgres 16
      (node) => (node.name === "RTE" || node.name === "RANGETBLENTRY") && atom(node, "rtekind") === kind,
    )
  const readsTable = (values: ReadonlyArray<Value>) => reads(values, "0")
  const readsCte = (values: ReadonlyArray<Value>) => reads(values, "6")

  /** A sub-select of a table that Citus computes as a part of its statement, unlike one with `offset 0`. */
  const isPulledUp = (value: Value): value is Node =>
    isNode(value) &&
    value.name === "QUERY" &&
    readsTable([...field(value, "rtable")]) &&
    [...nodesIn(field(value, "limitOffset"))].length === 0

  const ofInsert = (query: Node): ReadonlyArray<string> => {
    const returning = field(query, "returningList")
    // Citus runs the select apart from the insert
    const isGenerated = isVolatile([query]) || volatilities.has(`identity ${targetOf(query)}`)
    const selects = [...nodesIn(field(query, "rtable"), () => false)].flatMap((entry) => field(entry, "subquery"))
    return [
      ...(readsTable(selects) && !isGenerated ? ["insert … select reads a table: read it in a CTE"] : []),
      ...(isMutable(field(query, "onConflict")) ? ["on conflict with a function that is not immutable"] : []),
      ...([...nodesIn(returning)].some(({ name }) => name === "SUBLINK")
        ? ["insert … returning with a sub-select"]
        : []),
    ]
  }
  const ofChange = (query: Node): ReadonlyArray<string> => {
    const conditions = [...nodesIn(field(query, "jointree"), () => false)].flatMap((tree) => field(tree, "quals"))
    const computed = [...nodesIn(field(query, "rtable"), () => false)].flatMap((entry) =>
      field(entry, "subquery")
        .filter(isPulledUp)
        .flatMap((select) => field(select, "targetList")),
    )
    const nodes = inRow([...field(query, "targetList"), ...conditions, ...computed])
    const isOfColumn = (node: Node) => inRow(elements(node)).some(({ name }) => name === "VAR")
    return [
      ...(isVolatile([query]) ? ["update or delete with a volatile function"] : []),
      ...(nodes.some((node) => has(node, "s") && isOfColumn(node))
        ? ["update or delete with a stable function of a column: see later() in Database.ts"]
        : []),
      ...(nodes.some((node) => isLazy(node) && isMutable([node]))
        ? ["update or delete with a stable function in case or coalesce: see clock() in Database.ts"]
        : []),
    ]
  }
  const written = [...nodesIn(statement)].flatMap((node) => {
    const command = node.name === "QUERY" ? commands.get(atom(node, "commandType")) : undefined
    return command === undefined ? [] : [{ command, query: node, target: targetOf(node) }]
  })
  const inserted = written.flatMap(({ command, target }) => (command === "insert" ? [target] : []))
  return written.flatMap(({ command, query, target }) => [
    ...(command === "insert" ? ofInsert(query) : ofChange(query)),
    ...(isMutable(field(query, "returningList")) ? ["returning with a function that is not immutable"] : []),
    // Citus runs them one after the other, so the second sees the rows of the first
    ...(command !== "insert" && inserted.includes(target) && readsCte([query])
      ? ["changes the table that it inserts into"]
      : []),
  ])
}

export interface Column {
  readonly name: string
  /** As `regtype` writes it. */
  readonly type: string
}

/** The columns that a statement returns. */
export const columnsOf = Effect.fnUntraced(function* (sql: PgClient.PgClient, text: string) {
  // since Postgres 16
  const { results } = yield* typesOf(sql, text)
  const [query] = [...nodesIn(yield* analyse(sql, text))]
  if (query === undefined) return []
  const entries = field(query, atom(query, "commandType") === "1" ? "targetList" : "returningList")
  return entries
    .flatMap(elements)
    .filter((entry) => isNode(entry) && atom(entry, "resjunk") === "false")
    .map((entry, index): Column => ({ name: isNode(entry) ? atom(entry, "resname") : "", type: results[index] ?? "" }))
})

const writes = /\b(insert|update|delete)\b/i

/**
 * The refusals of a statement's text, with the functions and tables of the database of `sql`. Statements that only read have
 * none. `parameters` declares names that are not columns, for statements of functions in PL/pgSQL.
 */
export const makeRefusals = Effect.fnUntraced(function* (sql: PgClient.PgClient) {
  const volatilities = yield* readVolatilities(sql)
  return (text: string, parameters?: string) =>
    writes.test(text)
      ? sql.withTransaction(
          Effect.map(analyse(sql, text, parameters), (statement) => refusals(statement, volatilities)),
        )
      : Effect.succeed([])
})

const typesOf = Effect.fnUntraced(function* (sql: PgClient.PgClient, text: string) {
  yield* sql.unsafe(`prepare shape as ${text}`).unprepared
  const [prepared] = yield* sql<{ parameters: string; results: ReadonlyArray<string> }>`
    select array_to_string(parameter_types, ', ') as parameters, to_jsonb(p) -> 'result_types' as results
    from pg_prepared_statements p where name = 'shape'`
  yield* sql`deallocate shape`.unprepared
  return { parameters: prepared?.parameters ?? "", results: prepared?.results ?? [] }
})

/** Postgres stores the analysed body of an SQL function. */
const analyse = Effect.fnUntraced(
  function* (sql: PgClient.PgClient, text: string, parameters?: string) {
    const given = parameters ?? (yield* typesOf(sql, text)).parameters
    yield* sql.unsafe(`create function pg_temp.shape(${given}) returns void begin atomic ${text}; end`).unprepared
    const [analysed] = yield* sql<{ tree: string }>`
    select prosqlbody::text as tree from pg_proc where proname = 'shape' and pronamespace = pg_my_temp_schema()`
    yield* sql`drop function pg_temp.shape`.unprepared
    return parse((yield* Effect.fromNullishOr(analysed)).tree)
  },
  Effect.provideService(Statement.CurrentTransformer, undefined),
) // these statements are not of the service
