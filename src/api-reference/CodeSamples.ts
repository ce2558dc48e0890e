/** Writes a request as a curl command, as Python with requests, and as TypeScript with the SDK. */

interface Notation {
  readonly null: string
  readonly true: string
  readonly false: string
  readonly key: (name: string) => string
  /** Inside the braces of an object in one line. */
  readonly space: string
  /** After the last item of several lines. */
  readonly lastComma: string
  readonly indent: string
}

const json: Notation = {
  null: "null",
  true: "true",
  false: "false",
  key: (name) => JSON.stringify(name),
  space: "",
  lastComma: "",
  indent: "  ",
}

const notations = {
  json,
  python: { ...json, null: "None", true: "True", false: "False", lastComma: ",", indent: "    " },
  typescript: {
    ...json,
    key: (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)),
    space: " ",
    lastComma: ",",
  },
} satisfies Record<string, Notation>

const maxWidth = 88

/** `indent`: of the line that the value begins in; `column`: where it begins. */
const print = (value: unknown, notation: Notation, indent: string, column: number): string => {
  if (value === null) return notation.null
  if (typeof value === "boolean") return value ? notation.true : notation.false
  if (typeof value !== "object") return JSON.stringify(value)
  const isList = Array.isArray(value)
  const entries = Object.entries(value).map(([name, each]) => ({
    prefix: isList ? "" : `${notation.key(name)}: `,
    item: each as unknown,
  }))
  const [open, close] = isList ? ["[", "]"] : ["{", "}"]
  if (entries.length === 0) return `${open}${close}`
  const space = isList ? "" : notation.space
  const all = entries.map(({ item, prefix }) => `${prefix}${print(item, notation, "", Number.NEGATIVE_INFINITY)}`)
  const line = `${open}${space}${all.join(", ")}${space}${close}`
  if (column + line.length <= maxWidth) return line
  const inner = `${indent}${notation.indent}`
  const lines = entries.map(({ item, prefix }) => {
    const text = print(item, notation, inner, inner.length + prefix.length)
    return `${inner}${prefix}${text}`
  })
  return `${open}\n${lines.join(",\n")}${notation.lastComma}\n${indent}${close}`
}

/** A JSON value with each list and object in one line if it fits. `indent`: of the line that the value begins in. */
export const literal = (
  value: unknown,
  notation: keyof typeof notations,
  indent = "",
  column = indent.length,
): string => print(value, notations[notation], indent, column)

export interface SampleRequest {
  readonly operationId: string
  readonly method: string
  /** As in OpenAPI: with `{id}`. */
  readonly path: string
  readonly ids: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: unknown
  readonly hasIdempotencyKey: boolean
  /** The response is a file: of curl stored, of the others its bytes are counted. */
  readonly isFile?: boolean
}

export const languages = ["curl", "Python", "TypeScript"] as const
export type Language = (typeof languages)[number]

/** In single quotes for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const pathOf = ({ ids, path }: SampleRequest): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? ""))

const curl = (request: SampleRequest, url: string): string => {
  const { body, hasIdempotencyKey, method, operationId, query } = request
  const parameters = Object.entries(query ?? {}).map(([name, value]): [string, string] => [name, String(value)])
  const search = parameters.length === 0 ? "" : `?${new URLSearchParams(parameters)}`
  const isImplied = method === "GET" || (method === "POST" && body !== undefined)
  return [
    `curl -sS ${isImplied ? "" : `-X ${method} `}${quoted(`${url}${pathOf(request)}${search}`)}`,
    `-H "X-API-Key: $API_KEY"`,
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'"]),
    // another key each second, so that a corrected command is another request
    ...(hasIdempotencyKey ? [`-H "Idempotency-Key: ${operationId}-$(date +%s)"`] : []),
    ...(body === undefined ? [] : [`-d ${quoted(literal(body, "json"))}`]),
    ...(request.isFile === true ? ["-o file"] : []),
  ].join(" \\\n  ")
}

const python = (request: SampleRequest, url: string): string => {
  const { body, hasIdempotencyKey, method, query } = request
  const key = hasIdempotencyKey ? `, "Idempotency-Key": str(uuid.uuid4())` : ""
  const argument = (name: string, value: unknown) =>
    value === undefined ? [] : [`    ${name}=${literal(value, "python", "    ", name.length + 6)},`]
  return [
    "import os",
    ...(hasIdempotencyKey ? ["import uuid"] : []),
    "",
    "import requests",
    "",
    `response = requests.${method.toLowerCase()}(`,
    `    ${JSON.stringify(`${url}${pathOf(request)}`)},`,
    `    headers={"X-API-Key": os.environ["API_KEY"]${key}},`,
    ...argument("params", query),
    ...argument("json", body),
    "    timeout=30,",
    "    allow_redirects=False,",
    ")",
    "response.raise_for_status()",
    request.isFile === true ? "print(len(response.content))" : "print(response.json())",
  ].join("\n")
}

const typescript = (request: SampleRequest, url: string): string => {
  const { body, ids, operationId, path, query } = request
  const values = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ids[name] ?? "")
  const opening = `const response = await client.${operationId}(`
  const before = values.map((value) => JSON.stringify(value)).join(", ")
  const input = body ?? query
  const separator = before === "" ? "" : ", "
  const column = opening.length + before.length + separator.length
  const written = input === undefined ? "" : `${separator}${literal(input, "typescript", "", column)}`
  return [
    'import { createClient } from "@interview-invitations/sdk"',
    "",
    `const client = createClient({ url: ${JSON.stringify(url)}, apiKey: process.env.API_KEY ?? "" })`,
    "",
    `${opening}${before}${written})`,
    request.isFile === true ? "console.log(response.size)" : "console.log(response)",
  ].join("\n")
}

const writers = { curl, Python: python, TypeScript: typescript } satisfies Record<Language, unknown>

/** `url`: the API's address. */
export const codeSamples = (request: SampleRequest, url: string): Readonly<Record<Language, string>> => ({
  curl: writers.curl(request, url),
  Python: writers.Python(request, url),
  TypeScript: writers.TypeScript(request, url),
})
