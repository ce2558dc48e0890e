/** The OpenAPI document with the guide, built once for a process. */
import { Context, Effect, Layer } from "effect"
import { type HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"
import { OperationReference, type ReferredOperation } from "../accounts/requests/OperationReference.ts"
import { Config } from "../config/Config.ts"
import { literal, type SampleRequest } from "./CodeSamples.ts"
import { readGuide } from "./Guide.ts"
import { type Block, plainText } from "./Markdown.ts"
import type { Document } from "./OpenApiDocument.ts"
import { fillPlaceholders, placeholders } from "./Placeholders.ts"
import { type ApiReference, type DocumentedOperation, makeReference, sampleRequest, scopesOf } from "./Reference.ts"

export class ApiDocument extends Context.Service<
  ApiDocument,
  { readonly json: string; readonly reference: ApiReference }
>()("interview-invitations/api-reference/ApiDocument") {
  static readonly layer = <Id extends string, Groups extends HttpApiGroup.Constraint>(
    api: HttpApi.HttpApi<Id, Groups>,
  ) =>
    Layer.effect(
      ApiDocument,
      Effect.gen(function* () {
        const config = yield* Config
        const values = yield* placeholders(config)
        const { info, openapi, ...rest } = OpenApi.fromApi(api)
        const json = fillPlaceholders(
          JSON.stringify({ openapi, info, servers: [{ url: config.apiUrl }], ...rest }),
          values,
        )
        const document: Document = JSON.parse(json)
        const reference = makeReference(document, scopesOf(api), yield* readGuide(values, config.apiUrl))
        return { json, reference }
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

/** For the pages of the request log. */
export const operationReference = Layer.effect(
  OperationReference,
  Effect.map(ApiDocument, ({ reference: { subjects } }) => {
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
  }),
)
