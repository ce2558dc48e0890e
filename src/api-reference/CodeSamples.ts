/** Writes a request as a curl command, as Python with requests, and as TypeScript with the SDK. */
import { literal } from "./Literals.ts"

export interface SampleRequest {
  readonly operationId: string
  readonly method: string
  /** As in OpenAPI: with `{id}`. */
  readonly path: string
  readonly ids: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: unknown
  readonly hasIdempotencyKey: boolean
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
    ...(hasIdempotencyKey ? [`-H 'Idempotency-Key: ${operationId}-1'`] : []),
    ...(body === undefined ? [] : [`-d ${quoted(literal(body, "json"))}`]),
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
    "print(response.json())",
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
    "console.log(response)",
  ].join("\n")
}

const writers = { curl, Python: python, TypeScript: typescript } satisfies Record<Language, unknown>

/** `url`: the API's address. */
export const codeSamples = (request: SampleRequest, url: string): Readonly<Record<Language, string>> => ({
  curl: writers.curl(request, url),
  Python: writers.Python(request, url),
  TypeScript: writers.TypeScript(request, url),
})
