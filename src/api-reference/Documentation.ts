/** The OpenAPI document: adds headers, problem responses, examples and webhooks to what effect generates. */
import { Context } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import { definedOnly } from "../values/definedOnly.ts"
import { catalogue, eventTypes } from "../webhooks/events/WebhookEvent.ts"
import type { Document, Generated, MediaType, Operation, Parameter, Reference, Response } from "./OpenApiDocument.ts"
import { headers, headersOf, numericQueryParameters, parameters } from "./OpenApiParameters.ts"
import { bodyReference, nameOf, schemasOf, simplify } from "./OpenApiSchemas.ts"
import { operationNotes } from "./OperationNotes.ts"
import { problems } from "./ProblemExamples.ts"
import { deliveryHeaders, tag, webhooks } from "./WebhookDocumentation.ts"

const json = "application/json"
const problemJson = "application/problem+json"

const mapValues = <A, B>(record: Readonly<Record<string, A>>, f: (value: A, key: string) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, f(value, key)]))

/** The error classes of a response; empty for a success. */
const problemNames = ({ content }: Response): ReadonlyArray<string> => {
  const media = content?.[problemJson]
  if (media === undefined) return []
  return (media.schema.anyOf ?? [media.schema]).map(nameOf)
}

/** Those of a repeated Idempotency-Key share the response of the other errors with their status. */
const ofRepetitions = ["RequestInProgress", "IdempotencyKeyReused"]

const problemName = (response: Response): string | undefined =>
  problemNames(response).find((name) => !ofRepetitions.includes(name))

/** Requests with a body have more kinds of validation errors than GET. */
const responseName = (problem: string, method: string): string =>
  problem === "Unprocessable" && method === "get" ? "InvalidQuery" : problem

type GeneratedOperation = Generated["paths"][string][string]

interface ProblemKind {
  readonly status: number
  readonly problem: string
  readonly name: string
  readonly description: string
}

const problemResponses = ({ paths }: Generated): ReadonlyArray<ProblemKind> => {
  const all = Object.values(paths).flatMap((path) =>
    Object.entries(path).flatMap(([method, { responses }]) =>
      Object.entries(responses).flatMap(([status, response]): ReadonlyArray<ProblemKind> => {
        const problem = problemName(response)
        if (problem === undefined) return []
        const { description } = response
        return [{ status: Number(status), problem, name: responseName(problem, method), description }]
      }),
    ),
  )
  const byName = new Map(all.map((answer) => [answer.name, answer]))
  return [...byName.values()].sort((one, other) => one.status - other.status || (one.name < other.name ? 1 : -1))
}

const problemResponse = ({ description, name, status }: ProblemKind): Response => ({
  description,
  headers: headersOf(status),
  content: { [problemJson]: { schema: { $ref: "#/components/schemas/Problem" }, examples: problems[name] ?? {} } },
})

const parameter = ({ name, required, schema, ...rest }: Parameter): Parameter => {
  const number = rest.in === "query" ? numericQueryParameters[name] : undefined
  const { description = "", ...own } = simplify(number ?? schema)
  return { name, in: rest.in, required, description, schema: own }
}

const operation = (generated: GeneratedOperation, method: string): Operation => {
  const { description, operationId, requestBody, responses, security, summary, tags } = generated
  const notes = operationNotes[operationId]
  const isReplayable = method === "post" && notes?.ignoresIdempotencyKey !== true
  const body = (media: MediaType | undefined): MediaType =>
    definedOnly({ schema: simplify(media?.schema ?? {}), examples: notes?.request })
  return definedOnly({
    operationId,
    tags,
    summary,
    description,
    security,
    parameters: [
      ...generated.parameters.map(parameter),
      ...(isReplayable ? [{ $ref: "#/components/parameters/Idempotency-Key" }] : []),
      { $ref: "#/components/parameters/X-Request-Id" },
    ],
    requestBody: requestBody && {
      required: requestBody.required && notes?.isBodyOptional !== true,
      content: { [json]: body(requestBody.content[json]) },
    },
    responses: mapValues(responses, (response, status): Response | Reference => {
      const problem = problemName(response)
      if (problem !== undefined) return { $ref: `#/components/responses/${responseName(problem, method)}` }
      const media = response.content?.[json]
      const file = notes?.files?.[status]
      if (file !== undefined)
        return {
          description: file,
          headers: headersOf(Number(status)),
          content: mapValues(response.content ?? {}, () => ({ schema: { type: "string", format: "binary" } })),
        }
      return definedOnly({
        description: response.description,
        headers: headersOf(Number(status), isReplayable),
        content: media && { [json]: { schema: bodyReference(media.schema), examples: notes?.response ?? {} } },
      })
    }),
  })
}

/** Without `servers`: the API's address is a setting. */
export const complete = (generated: Generated, info: Document["info"]): Document => {
  const answers = problemResponses(generated)
  return {
    openapi: generated.openapi,
    info,
    tags: [...generated.tags, tag],
    paths: mapValues(generated.paths, (path) => mapValues(path, operation)),
    webhooks,
    components: {
      securitySchemes: mapValues(generated.components.securitySchemes, (scheme) => ({
        ...scheme,
        description:
          "An API key, created with `key create`. A key with scopes may call only the operations that they allow",
      })),
      parameters: { ...parameters, ...deliveryHeaders },
      headers,
      responses: Object.fromEntries(answers.map((answer) => [answer.name, problemResponse(answer)])),
      schemas: schemasOf(generated, new Set([...answers.map(({ problem }) => problem), ...ofRepetitions])),
    },
  }
}

const documentInfo = {
  title: "Interview Invitations",
  version: "1.0.0",
  summary: "Asynchronous candidate interviews: create a set, invite candidates, read the evaluation",
  description:
    "Hiring systems use this API to create interview sets, invite candidates and read evaluations. The guide is at [{api_url}/docs]({api_url}/docs).",
  license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
}

export const documentation = Context.merge(
  OpenApi.annotations({
    transform: ({ components, openapi, paths, tags }) => ({
      ...complete({ components, openapi, paths, tags }, documentInfo),
    }),
  }),
  Context.make(
    HttpApi.AdditionalSchemas,
    eventTypes.map((type) => catalogue[type].schema),
  ),
)
