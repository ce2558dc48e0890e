/**
 * The rules of Citus 13 for statements on tables of a schema that lives on one of its nodes (docs/citus.md). Plain Postgres has
 * no such rules. They depend on the volatility of functions, so they read the statement as Postgres analysed it.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"

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

/** All nodes inside; `isEntered` tells of which nodes the children are visited. */
function* nodesIn(values: ReadonlyArray<Value>, isEntered: (node: Node) => boolean = () => true): Generator<Node> {
  for (const value of values) {
    if (isNode(value)) yield value
    if (!isNode(value) || isEntered(value)) yield* nodesIn(elements(value), isEntered)
  }
}

const field = (node: Node, name: string): ReadonlyArray<Value> => node.fields.get(name) ?? []

const atom = (node: Node, name: string): string => String(field(node, name)[0] ?? "")

/** `i` immutable, `s` stable, `v` volatile; by "function 1", "input 2" (of a type) and "output 2". */
export type Volatilities = ReadonlyMap<string, string>

export const readVolatilities = Effect.fnUntraced(function* (sql: PgClient.PgClient) {
  const rows = yield* sql<{ name: string; volatility: string }>`
    select 'function ' || oid as name, provolatile::text as volatility from pg_proc
    union all select 'input ' || t.oid, p.provolatile::text from pg_type t join pg_proc p on p.oid = t.typinput
    union all select 'output ' || t.oid, p.provolatile::text from pg_type t join pg_proc p on p.oid = t.typoutput`
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

/** The `select` of an `insert … select`. */
const ofSelect = (insert: Node): ReadonlyArray<Value> =>
  [...nodesIn(field(insert, "rtable"), () => false)].flatMap((entry) => field(entry, "subquery"))

const commands = new Map([
  ["2", "update"],
  ["3", "insert"],
  ["4", "delete"],
])

/** What Citus refuses in an analysed statement; empty: nothing. */
const refusals = (statement: ReadonlyArray<Value>, volatilities: Volatilities): ReadonlyArray<string> => {
  const has = (node: Node, volatility: "s" | "v"): boolean =>
    (volatility === "s" && node.name === "SQLVALUEFUNCTION") ||
    functionsOf(node).some((name) => volatilities.get(name) === volatility)
  const isVolatile = (values: ReadonlyArray<Value>) => [...nodesIn(values)].some((node) => has(node, "v"))
  const isMutable = (values: ReadonlyArray<Value>) =>
    [...nodesIn(values)].some((node) => has(node, "s") || has(node, "v"))
  const isLazy = ({ name }: Node) => name === "CASEEXPR" || name === "COALESCEEXPR"
  /** Without sub-selects, which Citus does not check, and without the branches of case and coalesce, for which it has a rule of their own. */
  const ofRow = (values: ReadonlyArray<Value>) => [...nodesIn(values, (node) => node.name !== "QUERY" && !isLazy(node))]

  const refusalsOf = (query: Node, command: string): ReadonlyArray<string> => {
    const changes =
      command === "insert"
        ? []
        : [
            ...field(query, "targetList"),
            ...field(query, "jointree").flatMap((tree) => (isNode(tree) ? field(tree, "quals") : [])),
          ]
    const conflict = field(query, "onConflict")
    return [
      ...(command !== "insert" && isVolatile([query]) ? [`${command} with a volatile function`] : []),
      ...(ofRow(changes).some(
        (node) => has(node, "s") && !isLazy(node) && ofRow(elements(node)).some(({ name }) => name === "VAR"),
      )
        ? [`${command} with a stable function of a column in set or where`]
        : []),
      ...(ofRow(changes).some((node) => isLazy(node) && isMutable([node]))
        ? [`${command} with a stable function in case or coalesce in set or where`]
        : []),
      ...(command === "insert" && !isVolatile([query]) && readsTable(ofSelect(query))
        ? ["insert … select that reads a table without a materialized CTE"]
        : []),
      ...(isMutable(field(query, "returningList")) ? ["returning with a stable function"] : []),
      ...(isMutable(conflict) ? ["on conflict with a stable function"] : []),
    ]
  }
  const ctes = new Map(
    [...nodesIn(statement)].flatMap((node) => (node.name === "COMMONTABLEEXPR" ? [[atom(node, "ctename"), node]] : [])),
  )
  /** Postgres and Citus put a CTE into the statement that reads it, unless it is materialized, written or read twice. */
  const isInlined = (cte: Node) =>
    atom(cte, "ctematerialized") !== "1" &&
    atom(cte, "cterefcount") === "1" &&
    field(cte, "ctequery").some((query) => isNode(query) && !commands.has(atom(query, "commandType")))
  const readsTable = (values: ReadonlyArray<Value>): boolean =>
    [...nodesIn(values)].some((node) => {
      if (node.name !== "RTE" && node.name !== "RANGETBLENTRY") return false
      const kind = atom(node, "rtekind")
      if (kind !== "6") return kind === "0"
      const cte = ctes.get(atom(node, "ctename"))
      return cte !== undefined && isInlined(cte) && readsTable(field(cte, "ctequery"))
    })
  return [...nodesIn(statement)].flatMap((node) => {
    const command = node.name === "QUERY" ? commands.get(atom(node, "commandType")) : undefined
    return command === undefined ? [] : refusalsOf(node, command)
  })
}

const isDataStatement = /^\s*(with|select|insert|update|delete)\b/i

/** What Citus refuses in the text of a statement; `sql` is a connection that is inside a transaction. */
export const refusalsOf = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  text: string,
  volatilities: Volatilities,
) {
  if (!isDataStatement.test(text)) return []
  yield* sql.unsafe(`prepare shape as ${text}`).unprepared
  const [prepared] = yield* sql<{ types: string }>`
    select array_to_string(parameter_types, ', ') as types from pg_prepared_statements where name = 'shape'`
  yield* sql.unsafe(`deallocate shape`).unprepared
  yield* sql.unsafe(`create function pg_temp.shape(${prepared?.types ?? ""}) returns void begin atomic ${text}; end`)
    .unprepared
  const [analysed] = yield* sql<{ tree: string }>`select prosqlbody::text as tree from pg_proc where proname = 'shape'`
  yield* sql.unsafe(`drop function pg_temp.shape`).unprepared
  return refusals(parse(analysed?.tree ?? ""), volatilities)
})
