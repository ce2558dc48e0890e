/** JSON texts that tests change: numbers of any notation, duplicate keys, strings that are not Unicode. */
import { Schema } from "effect"

/** A part of a JSON text. The keys of a list's entries are ignored. */
export type Node =
  | { readonly kind: "leaf"; readonly text: string }
  | { readonly kind: "list" | "object"; readonly entries: ReadonlyArray<Entry> }

interface Entry {
  readonly key: string
  readonly node: Node
}

export const read = (value: unknown): Node => {
  const entries = (all: object) => Object.entries(all).map(([key, item]): Entry => ({ key, node: read(item) }))
  if (Array.isArray(value)) return { kind: "list", entries: entries(value) }
  if (typeof value === "object" && value !== null) return { kind: "object", entries: entries(value) }
  return leaf(JSON.stringify(value))
}

/**
 * Replaces what the API always refuses: text that is not Unicode, NUL, and integers that a double cannot hold. Also replaces
 * backslashes in keys, because V8 can read an escaped key as another one that it read before (nodejs/node#63785).
 */
export const storable = (value: unknown): unknown => {
  const kept = (text: string) => text.toWellFormed().replaceAll("\0", "0")
  if (typeof value === "string") return kept(value)
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value) ? 0 : value
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [kept(key).replaceAll("\\", "/"), storable(item)]),
  )
}

const leaf = (text: string): Node => ({ kind: "leaf", text })

export const write = (node: Node): string => {
  switch (node.kind) {
    case "leaf":
      return node.text
    case "list":
      return `[${node.entries.map((entry) => write(entry.node)).join()}]`
    case "object":
      return `{${node.entries.map((entry) => `${JSON.stringify(entry.key)}:${write(entry.node)}`).join()}}`
  }
}

/** Writes a URL's query: strings without quotes, other values as JSON. Percent signs are not encoded. */
export const writeQuery = (node: Node): string => {
  const part = (text: string) => encodeURIComponent(text.toWellFormed()).replaceAll("%25", "%")
  const plain = (text: string) => (text.startsWith('"') ? String(JSON.parse(text)) : text)
  if (node.kind !== "object") return part(plain(write(node)))
  return node.entries.map((entry) => `${part(entry.key)}=${part(plain(write(entry.node)))}`).join("&")
}

const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`

/** JSON texts that a schema, a database or a parser may fail on. */
const values: Record<string, string> = {
  null: "null",
  true: "true",
  zero: "0",
  "minus zero": "-0",
  one: "1",
  "minus one": "-1",
  fraction: "1.5",
  "more than a double": "1e400",
  "less than a double": "1e-400",
  "2^53+1": "9007199254740993",
  "2^31": "2147483648",
  "-2^31-1": "-2147483649",
  "whole with exponent": "3e1",
  empty: '""',
  blank: '" \\t "',
  "U+0000": '"a\\u0000b"',
  "high surrogate": '"a\\ud800"',
  "low surrogate": '"\\udc00b"',
  emoji: '"👩‍👩‍👧‍👦"',
  "right to left": '"\u202eשלום עולם"',
  combining: `"e${"\u0301".repeat(50)}"`,
  huge: `"${"x".repeat(20_000)}"`,
  "number as text": '"1"',
  uuid: '"0190B5A2-7C1E-7DEF-8ABC-0123456789AB"',
  address: '"ada@example.com"',
  link: '"https://cv.example/ada.pdf"',
  "empty list": "[]",
  "empty object": "{}",
  "list of null": "[null]",
  "object of odd keys": '{"":1,"__proto__":{"polluted":true},"constructor":2,"a/b~c":3}',
  "key with U+0000": '{"a\\u0000":1}',
  "key that is half a surrogate pair": '{"\\ud800":1}',
  "a bad number under half a surrogate pair": '{"\\ud800":1e400}',
  "60 levels": deep(60),
  "70 levels": deep(70),
}

/** Keys with a meaning in JavaScript, in a JSON pointer or in the request. */
const keys: Record<string, string> = {
  empty: "",
  prototype: "__proto__",
  constructor: "constructor",
  pointer: "a/b~c",
  "percent sign": "%ZZ",
  "U+0000": "\0",
  "high surrogate": "\ud800",
  long: "k".repeat(5_000),
  title: "title",
  id: "id",
  candidates: "candidates",
}

const names = (all: Record<string, string>) => Schema.Literals(Object.keys(all))

/** One change of a text. `place`, modulo the number of nodes, selects the node. */
export const Mutation = Schema.Struct({
  place: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 999 })),
  change: Schema.Literals([...Array<"replace">(4).fill("replace"), "delete", "duplicate", "rename", "add"]),
  key: names(keys),
  value: names(values),
})
export type Mutation = typeof Mutation.Type

type Path = ReadonlyArray<number>

const places = (node: Node, path: Path = []): ReadonlyArray<Path> =>
  node.kind === "leaf"
    ? [path]
    : [path, ...node.entries.flatMap((entry, i): ReadonlyArray<Path> => places(entry.node, [...path, i]))]

const edit = (node: Node, path: Path, change: (entry: Entry) => ReadonlyArray<Entry>): Node => {
  if (node.kind === "leaf") return node
  const [at, ...rest] = path
  return {
    ...node,
    entries: node.entries.flatMap((entry, i) => {
      if (i !== at) return [entry]
      return rest.length === 0 ? change(entry) : [{ ...entry, node: edit(entry.node, rest, change) }]
    }),
  }
}

/** The root is never deleted, duplicated or renamed, but replaced. */
export const mutate = (root: Node, { change, key, place, value }: Mutation): Node => {
  const all = places(root)
  const path = all[place % all.length] ?? []
  const odd: Entry = { key: keys[key] ?? key, node: leaf(values[value] ?? "null") }
  const apply = (entry: Entry): ReadonlyArray<Entry> => {
    switch (change) {
      case "replace":
        return [{ ...entry, node: odd.node }]
      case "delete":
        return []
      case "duplicate":
        return [entry, { ...odd, key: entry.key }, entry]
      case "rename":
        return [{ ...entry, key: odd.key }]
      case "add":
        return [entry.node.kind === "leaf" ? entry : { ...entry, node: grown(entry.node, odd) }]
    }
  }
  if (path.length > 0) return edit(root, path, apply)
  return change === "add" && root.kind !== "leaf" ? grown(root, odd) : odd.node
}

const grown = (node: Exclude<Node, { kind: "leaf" }>, entry: Entry): Node => ({
  ...node,
  entries: [...node.entries, entry],
})

/** Resolves a JSON pointer in URI fragment form (RFC 6901). "missing key": only the last key is missing in its object. */
export const lookUp = (body: unknown, pointer: string): "there" | "missing key" | "nowhere" => {
  if (pointer === "#") return "there"
  if (!pointer.startsWith("#/")) return "nowhere"
  const path = pointer
    .slice(2)
    .split("/")
    .map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"))
  let at = body
  for (const [i, key] of path.entries()) {
    if (typeof at !== "object" || at === null) return "nowhere"
    if (!Object.hasOwn(at, key)) return i === path.length - 1 && !Array.isArray(at) ? "missing key" : "nowhere"
    at = Reflect.get(at, key)
  }
  return "there"
}
