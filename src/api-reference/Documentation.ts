/**
 * Makes the API's document of what the contract generates: named parameters, headers and problems, an example of each
 * request, answer and problem, webhooks.
 */

import { Context } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import { guide } from "./Guide.ts"
import type { Document, Generated, MediaType, Operation, Parameter, Reference, Response } from "./OpenApiDocument.ts"
import { headers, headersOf, numbers, parameters } from "./OpenApiParameters.ts"
import { nameOf, schemasOf, tidy } from "./OpenApiSchemas.ts"
import { operationNotes } from "./OperationNotes.ts"
import { problems } from "./ProblemExamples.ts"
import {
  deliveryHeaders,
  EvaluationEvent,
  InterviewStatusEvent,
  InvitationStatusEvent,
  tag,
  webhooks,
} from "./WebhookDocumentation.ts"

const json = "application/json"
const problemJson = "application/problem+json"

const mapValues = <A, B>(record: Readonly<Record<string, A>>, f: (value: A, key: string) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, f(value, key)]))

/** The class of a problem; undefined for a success. */
const problemName = ({ content }: Response): string | undefined => {
  const media = content?.[problemJson]
  return media === undefined ? undefined : nameOf(media.schema)
}

/** The answer that a problem has: what can be wrong with a query is less than what can be wrong with a body. */
const answerName = (problem: string, method: string): string =>
  problem === "Unprocessable" && method === "get" ? "InvalidQuery" : problem

type GeneratedOperation = Generated["paths"][string][string]

interface ProblemAnswer {
  readonly status: number
  readonly problem: string
  readonly name: string
  readonly description: string
}

const problemAnswers = ({ paths }: Generated): ReadonlyArray<ProblemAnswer> => {
  const all = Object.values(paths).flatMap((path) =>
    Object.entries(path).flatMap(([method, { responses }]) =>
      Object.entries(responses).flatMap(([status, response]): ReadonlyArray<ProblemAnswer> => {
        const problem = problemName(response)
        if (problem === undefined) return []
        const { description } = response
        return [{ status: Number(status), problem, name: answerName(problem, method), description }]
      }),
    ),
  )
  const byName = new Map(all.map((answer) => [answer.name, answer]))
  return [...byName.values()].sort((one, other) => one.status - other.status || (one.name < other.name ? 1 : -1))
}

const problemResponse = ({ description, name, status }: ProblemAnswer): Response => ({
  description,
  headers: headersOf(status),
  content: { [problemJson]: { schema: { $ref: "#/components/schemas/Problem" }, examples: problems[name] ?? {} } },
})

const parameter = ({ name, required, schema, ...rest }: Parameter): Parameter => {
  const number = rest.in === "query" ? numbers[name] : undefined
  const { description = "", ...own } = tidy(number ?? schema)
  return { name, in: rest.in, required, description, schema: own }
}

const operation = (generated: GeneratedOperation, method: string): Operation => {
  const { description, operationId, requestBody, responses, security, summary, tags } = generated
  const notes = operationNotes[operationId]
  const isPost = method === "post"
  const body = (media: MediaType | undefined): MediaType => ({
    schema: tidy(media?.schema ?? {}),
    ...(notes?.request === undefined ? {} : { examples: notes.request }),
  })
  return {
    operationId,
    tags,
    summary,
    description,
    security,
    parameters: [
      ...generated.parameters.map(parameter),
      ...(isPost ? [{ $ref: "#/components/parameters/Idempotency-Key" }] : []),
      { $ref: "#/components/parameters/X-Request-Id" },
    ],
    ...(requestBody === undefined
      ? {}
      : { requestBody: { required: requestBody.required, content: { [json]: body(requestBody.content[json]) } } }),
    responses: mapValues(responses, (response, status): Response | Reference => {
      const problem = problemName(response)
      if (problem !== undefined) return { $ref: `#/components/responses/${answerName(problem, method)}` }
      const media = response.content?.[json]
      return {
        description: notes?.success ?? response.description,
        headers: headersOf(Number(status), isPost),
        content: { [json]: { schema: tidy(media?.schema ?? {}), examples: notes?.response ?? {} } },
      }
    }),
  }
}

/** The document without its servers, which a contract does not know. */
export const complete = (generated: Generated, info: Document["info"]): Document => {
  const answers = problemAnswers(generated)
  return {
    openapi: generated.openapi,
    info,
    tags: [...generated.tags, tag],
    paths: mapValues(generated.paths, (path) => mapValues(path, operation)),
    webhooks,
    components: {
      securitySchemes: mapValues(generated.components.securitySchemes, (scheme) => ({
        ...scheme,
        description: "An API key, made with `key create`. A key with scopes may do only what they name",
      })),
      parameters: { ...parameters, ...deliveryHeaders },
      headers,
      responses: Object.fromEntries(answers.map((answer) => [answer.name, problemResponse(answer)])),
      schemas: schemasOf(generated.components.schemas, new Set(answers.map(({ problem }) => problem))),
    },
  }
}

const info = {
  title: "Interview Invitations",
  version: "1.0.0",
  summary: "Asynchronous candidate interviews: create a set, invite candidates, read the evaluation",
  description: guide,
  license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
}

export const documentation = Context.merge(
  OpenApi.annotations({
    transform: ({ components, openapi, paths, tags }) => ({ ...complete({ components, openapi, paths, tags }, info) }),
  }),
  Context.make(HttpApi.AdditionalSchemas, [InvitationStatusEvent, InterviewStatusEvent, EvaluationEvent]),
)
