/** The OpenAPI document with the guide. */
import { Context, Effect, type FileSystem, Layer, type Path } from "effect"
import { type HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"
import {
  OperationReference,
  type ReferredDocumentation,
  type ReferredOperation,
} from "../accounts/requests/OperationReference.ts"
import { Config } from "../config/Config.ts"
import { keptSuccess } from "../platform/keptSuccess.ts"
import { literal, type SampleRequest } from "./CodeSamples.ts"
import { readGuide } from "./Guide.ts"
import { type Block, plainText } from "./Markdown.ts"
import type { Document } from "./OpenApiDocument.ts"
import { fillPlaceholders, placeholders } from "./Placeholders.ts"
import { type ApiReference, type DocumentedOperation, makeReference, sampleRequest, scopesOf } from "./Reference.ts"

interface ReadDocument {
  readonly json: string
  readonly reference: ApiReference
}

const makeDocument = Effect.fn("ApiDocument.make")(function* <
  Id extends string,
  Groups extends HttpApiGroup.Constraint,
>(api: HttpApi.HttpApi<Id, Groups>) {
  const config = yield* Config
  const values = yield* placeholders(config)
  const { info, openapi, ...rest } = OpenApi.fromApi(api)
  const json = fillPlaceholders(JSON.stringify({ openapi, info, servers: [{ url: config.apiUrl }], ...rest }), values)
  const document: Document = JSON.parse(json)
  const reference = makeReference(document, scopesOf(api), yield* readGuide(values, config.apiUrl))
  return { json, reference }
})

/** Made once, when it is first read: a process that is never asked for it starts with 0.08 s less CPU time (Node 24.21). */
export class ApiDocument extends Context.Service<ApiDocument, { readonly read: Effect.Effect<ReadDocument> }>()(
  "interview-invitations/api-reference/ApiDocument",
) {
  static readonly layer = <Id extends string, Groups extends HttpApiGroup.Constraint>(
    api: HttpApi.HttpApi<Id, Groups>,
  ) =>
    Layer.effect(
      ApiDocument,
      Effect.gen(function* () {
        const context = yield* Effect.context<Config | FileSystem.FileSystem | Path.Path>()
        return { read: yield* keptSuccess(Effect.provideContext(makeDocument(api), context)) }
      }),
    )
}

/** The rows of the page's table whose column has this heading, by that cell. */
const rowsBy = (
  blocks: ReadonlyArray<Block>,
  heading: string,
): ReadonlyMap<string, Readonly<Record<string, string>>> => {
  for (const block of blocks) {
    if (block.kind !== "table") continue
    const names = block.head.map(plainText)
    if (!names.includes(heading)) continue
    const rows = block.rows.map((row) => Object.fromEntries(row.map((cell, i) => [names[i] ?? "", plainText(cell)])))
    return new Map(rows.map((row) => [row[heading] ?? "", row]))
  }
  return new Map()
}

const bodyOf = ({ body }: SampleRequest): string | undefined => (body === undefined ? undefined : literal(body, "json"))

const operationOf = (slug: string, operation: DocumentedOperation): ReferredOperation => ({
  id: operation.id,
  summary: operation.summary,
  href: `/docs/${slug}#${operation.id}`,
  body: bodyOf(sampleRequest(operation)),
})

const operationReferenceOf = ({ subjects }: ApiReference): ReferredDocumentation => {
  const errors = subjects.find(({ slug }) => slug === "errors")?.blocks ?? []
  const problems = [...rowsBy(errors, "code")].map(
    ([code, row]) =>
      [code, { when: row["When"] ?? "", advice: row["What to do"] ?? "", retry: row["Retry"] ?? "" }] as const,
  )
  const fieldErrors = [...rowsBy(errors, "code in errors")].map(
    ([code, row]) => [code, row["The value is"] ?? ""] as const,
  )
  return {
    operations: subjects.flatMap(({ operations, slug }) => operations.map((one) => operationOf(slug, one))),
    problems: new Map(problems),
    fieldErrors: new Map(fieldErrors),
  }
}

/** For the pages of the request log. */
export const operationReference = Layer.effect(
  OperationReference,
  Effect.gen(function* () {
    const { read } = yield* ApiDocument
    return { read: yield* keptSuccess(Effect.map(read, ({ reference }) => operationReferenceOf(reference))) }
  }),
)
