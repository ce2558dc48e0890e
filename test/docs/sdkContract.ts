/**
 * Writes src/sdk/Contract.ts from the OpenAPI document of the contract: types of the schemas and operations, and the method
 * and path of each operation. `--print` writes to stdout instead.
 */
import { writeFileSync } from "node:fs"
import { registerHooks } from "node:module"
import { join } from "node:path"
import { ts } from "@ts-morph/common"
import { OpenApi } from "effect/http-api"
import { Api } from "../../src/Api.ts"
import type { Document, Operation, Response } from "../../src/api-reference/OpenApiDocument.ts"

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === "typescript" ? import.meta.resolve("../system/clients/typescript.ts") : specifier, context),
})
const { astToString, default: generate } = await import("openapi-typescript")

const { components, info, openapi, paths }: Document = JSON.parse(JSON.stringify(OpenApi.fromApi(Api)))

const all = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
)

const isSuccess = ([status]: readonly [string, unknown]) => status.startsWith("2")
const withoutHeaders = (response: Operation["responses"][string]) => {
  const { content = {}, description }: Partial<Response> = "$ref" in response ? {} : response
  const media = Object.entries(content).map(([type, { schema }]) => [type, { schema }])
  return { description, content: Object.fromEntries(media) }
}

/** Keeps path and query parameters and success responses: all errors have the schema Problem. */
const ownParts = ({ parameters, responses, ...operation }: Operation) => ({
  ...operation,
  parameters: parameters.filter((parameter) => "in" in parameter && parameter.in !== "header"),
  responses: Object.fromEntries(
    Object.entries(responses)
      .filter(isSuccess)
      .map(([status, response]) => [status, withoutHeaders(response)]),
  ),
})

const document = {
  openapi,
  info,
  paths: Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, ownParts(operation)])),
    ]),
  ),
  components: { schemas: components.schemas },
}

/** `"a" | "b" | (string & {})` for an enum that may grow: editors suggest its values, and later values are accepted. */
const openEnum = (values: ReadonlyArray<unknown>, isNullable: boolean) =>
  ts.factory.createUnionTypeNode([
    ...values.map((value) => ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(String(value)))),
    ts.factory.createIntersectionTypeNode([
      ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
      ts.factory.createTypeLiteralNode([]),
    ]),
    ...(isNullable ? [ts.factory.createLiteralTypeNode(ts.factory.createNull())] : []),
  ])

/** Examples would double the file. The generator passes schemas with `enum` to `transform` only where they are properties, not where they are `items`. */
const simplified = (key: string, value: unknown) => {
  if (key === "examples" && Array.isArray(value)) return undefined
  if (typeof value !== "object" || value === null || !("x-extensible-enum" in value)) return value
  return { ...value, enum: undefined }
}

const nodes = await generate(JSON.parse(JSON.stringify(document, simplified)), {
  immutable: true,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
  transform: (schema) => {
    const values: unknown = schema["x-extensible-enum"]
    const isNullable = Array.isArray(schema.type) && schema.type.includes("null")
    return Array.isArray(values) ? openEnum(values, isNullable) : undefined
  },
})

const isKept = (node: (typeof nodes)[number]) =>
  !/^export (interface|type) (paths|webhooks|\$defs)\b/.test(astToString([node]).trimStart())

const routes = all.map(({ method, operation, path }) => {
  const hasKey = operation.parameters.some((each) => "$ref" in each && each.$ref.endsWith("/Idempotency-Key"))
  const success = Object.entries(operation.responses).filter(([status]) => status.startsWith("2"))
  const isFile = !JSON.stringify(success).includes("application/json")
  const flags = `${hasKey ? ", hasKey: true" : ""}${isFile ? ", isFile: true" : ""}`
  return `  ${operation.operationId}: { method: "${method.toUpperCase()}", path: "${path}"${flags} },\n`
})

const text = `/** Written by npm run docs from /openapi.json: types of the schemas and operations, and the route of each operation. */
${astToString(nodes.filter(isKept))}
/** \`hasKey\`: it takes an Idempotency-Key. \`isFile\`: a success is a file instead of JSON. */
export interface Route {
  readonly method: string
  readonly path: string
  readonly hasKey?: boolean
  readonly isFile?: boolean
}

/** The method and path of each operation. */
export const routes = {
${routes.join("")}} as const satisfies Readonly<Record<string, Route>>
`

if (process.argv.includes("--print")) process.stdout.write(text)
else writeFileSync(join(import.meta.dirname, "../../src/sdk/Contract.ts"), text)
