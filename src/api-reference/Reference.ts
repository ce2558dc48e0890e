/** The OpenAPI document as /docs shows it: operations by tag with resolved references, and the page of each schema. */
import { HttpApi, type HttpApiGroup } from "effect/http-api"
import { type RequiredScopes, requiredScopes } from "../accounts/Permissions.ts"
import { definedOnly } from "../values/definedOnly.ts"
import type { SampleRequest } from "./CodeSamples.ts"
import { ids, resentDelivery } from "./Examples.ts"
import type { Subject } from "./Guide.ts"
import type { Document, Example, Operation, Parameter, Reference, Response, SchemaObject } from "./OpenApiDocument.ts"
import { nameOf } from "./OpenApiSchemas.ts"

export interface OperationError {
  readonly status: number
  readonly code: string
}

export interface DocumentedOperation {
  readonly id: string
  /** In upper case. */
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string
  /** Undefined for webhooks. */
  readonly scopes: RequiredScopes | undefined
  readonly parameters: ReadonlyArray<Parameter>
  readonly request:
    | { readonly schema: SchemaObject; readonly isRequired: boolean; readonly examples: ReadonlyArray<Example> }
    | undefined
  readonly responses: ReadonlyArray<{
    readonly status: string
    readonly description: string
    readonly schema: SchemaObject | undefined
    readonly examples: ReadonlyArray<Example>
  }>
  readonly errors: ReadonlyArray<OperationError>
  /** Of a success, instead of JSON. */
  readonly isFile: boolean
}

export interface DocumentedSubject extends Subject {
  readonly operations: ReadonlyArray<DocumentedOperation>
  readonly webhooks: ReadonlyArray<DocumentedOperation>
  /** Names of the schemas that this page documents. */
  readonly objects: ReadonlyArray<string>
}

export interface ApiReference {
  readonly summary: string
  readonly subjects: ReadonlyArray<DocumentedSubject>
  readonly schema: (name: string) => SchemaObject
  /** The URL of a schema's table. */
  readonly schemaHref: (name: string) => string
  /** Whether a request's body contains the schema. */
  readonly isRequest: (name: string) => boolean
}

const json = "application/json"

/** Scopes by "<method in upper case> <path>". */
export const scopesOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
): ReadonlyMap<string, RequiredScopes> => {
  const scopes = new Map<string, RequiredScopes>()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { identifier, method, path }, group }) => {
      const required = requiredScopes[`${group.identifier}.${identifier}`]
      if (required !== undefined) scopes.set(`${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`, required)
    },
  })
  return scopes
}

const isSuccess = (status: string): boolean => status.startsWith("2")

const isReference = (value: object): value is Reference => "$ref" in value

/** Names of the schemas that a part of the document refers to, in its order. */
const referencesIn = (part: unknown): ReadonlyArray<string> => {
  if (typeof part !== "object" || part === null) return []
  return Object.entries(part).flatMap(([key, value]) => {
    if (key === "discriminator" || key === "examples") return []
    return key === "$ref" && typeof value === "string" ? [nameOf({ $ref: value })] : referencesIn(value)
  })
}

const makeOperation =
  ({ components }: Document, scopes: ReadonlyMap<string, RequiredScopes>) =>
  (path: string, lowerMethod: string, operation: Operation): DocumentedOperation => {
    const method = lowerMethod.toUpperCase()
    const { description, operationId, parameters, requestBody, responses, summary } = operation
    const responseOf = (response: Response | Reference): Response =>
      isReference(response) ? (components.responses[nameOf(response)] ?? { description: "" }) : response
    const media = requestBody?.content[json]
    const all = Object.entries(responses).map(([status, response]) => ({ status, response: responseOf(response) }))
    return {
      id: operationId,
      method,
      path,
      summary,
      // shown as `scopes`
      description: description.replace(/ ?Needs the scope `\w+`(?: or `\w+`)*\./, ""),
      scopes: scopes.get(`${method} ${path}`),
      parameters: parameters.flatMap((each) =>
        isReference(each) ? (components.parameters[nameOf(each)] ?? []) : [each],
      ),
      request:
        media === undefined
          ? undefined
          : {
              schema: media.schema,
              isRequired: requestBody?.required === true,
              examples: Object.values(media.examples ?? {}),
            },
      responses: all
        .filter(({ status }) => isSuccess(status) || status === "default")
        .map(({ response, status }) => ({
          status,
          description: response.description,
          schema: response.content?.[json]?.schema,
          examples: Object.values(response.content?.[json]?.examples ?? {}),
        })),
      errors: all
        .filter(({ status }) => !isSuccess(status))
        .flatMap(({ response: { content } }) =>
          Object.values(content ?? {}).flatMap(({ examples }) =>
            Object.values(examples ?? {}).map(({ value }) => value as OperationError),
          ),
        )
        .map(({ code, status }) => ({ code, status }))
        .filter(({ code }, index, errors) => errors.findIndex((error) => error.code === code) === index),
      isFile: all.some(
        ({ response: { content }, status }) => status === "200" && content !== undefined && !(json in content),
      ),
    }
  }

/** Schemas of whole bodies are shown with the operation: `{ results: … }`. */
const isBody = ({ properties }: SchemaObject): boolean => properties?.["results"] !== undefined

export const makeReference = (
  document: Document,
  scopes: ReadonlyMap<string, RequiredScopes>,
  subjects: ReadonlyArray<Subject>,
): ApiReference => {
  const make = makeOperation(document, scopes)
  const { components, paths, webhooks } = document
  const operationsOf = (items: Document["paths"], tags: ReadonlyArray<string>, pathOf: (name: string) => string) =>
    Object.entries(items).flatMap(([name, item]) =>
      Object.entries(item)
        .filter(([, operation]) => operation.tags.some((tag) => tags.includes(tag)))
        .map(([method, operation]) => make(pathOf(name), method, operation)),
    )
  const schema = (name: string): SchemaObject => components.schemas[name] ?? {}

  const pageOf = new Map<string, string>()
  const claim = (slug: string, names: ReadonlyArray<string>): ReadonlyArray<string> =>
    names.flatMap((name) => {
      if (pageOf.has(name)) return []
      pageOf.set(name, slug)
      const inner = claim(slug, referencesIn(schema(name)))
      return isBody(schema(name)) ? inner : [name, ...inner]
    })
  const known = subjects.map((subject): DocumentedSubject => {
    const { schemas = [], slug, tags = [] } = subject
    const operations = operationsOf(paths, tags, (path) => path)
    const received = operationsOf(webhooks, tags, () => "your URL")
    const used = [...operations, ...received].flatMap(({ parameters, request, responses }) =>
      referencesIn([parameters, request?.schema, responses.map((response) => response.schema)]),
    )
    return { ...subject, operations, webhooks: received, objects: claim(slug, [...schemas, ...used]) }
  })
  const inRequests = new Set<string>()
  const addRequest = (name: string) => {
    if (inRequests.has(name)) return
    inRequests.add(name)
    for (const inner of referencesIn(schema(name))) addRequest(inner)
  }
  for (const { operations } of known)
    for (const { request } of operations) for (const name of referencesIn(request?.schema)) addRequest(name)
  return {
    summary: document.info.summary,
    subjects: known,
    schema,
    schemaHref: (name) => `/docs/${pageOf.get(name)}#${name}`,
    isRequest: (name) => inRequests.has(name),
  }
}

/** Ids in examples for `{id}`, by the segment of the path that names the records. */
const exampleIds: Readonly<Record<string, string>> = {
  "interview-sets": ids.set,
  invitations: ids.adaInvitation,
  submissions: ids.adaSubmission,
  webhooks: ids.endpoint,
  candidates: ids.ada,
  suppressions: ids.suppression,
  members: ids.member,
  projects: ids.project,
  "job-posts": ids.jobPost,
}

/** A request to the operation, by default with its first example. `input`: the body, or the query of a GET. */
export const sampleRequest = (
  { id, isFile, method, parameters, path, request }: DocumentedOperation,
  input?: unknown,
): SampleRequest => {
  const record = path.split("/").find((segment) => Object.hasOwn(exampleIds, segment)) ?? ""
  const hasLimit = parameters.some(({ in: place, name }) => place === "query" && name === "limit")
  const query = method === "GET" ? (input ?? (hasLimit ? { limit: 10 } : undefined)) : undefined
  const body = method === "GET" ? undefined : (input ?? request?.examples[0]?.value)
  return {
    operationId: id,
    method,
    path,
    ids: {
      id: exampleIds[record] ?? "",
      delivery: String(resentDelivery.id),
      question: ids.service,
      request_id: ids.request,
      rehearsal: ids.rehearsal,
    },
    ...definedOnly({ query: query as Record<string, string | number> | undefined, body }),
    hasIdempotencyKey: parameters.some(({ name }) => name === "Idempotency-Key"),
    isFile,
  }
}

/** Names in angle brackets of the guide's requests. */
const exampleNames: Readonly<Record<string, string>> = { "<interview set>": ids.set }

/** The request of code that is one curl command to an operation; undefined for other code. */
export const requestOf = (code: string, { subjects }: ApiReference, apiUrl: string): SampleRequest | undefined => {
  const [, verb, url, data] =
    /^curl -sS (?:-X (\w+) )?'?(http[^\s']+)'?(?:(?!\ncurl)[\s\S])*?(?:-d '([^']*)')?$/.exec(code) ?? []
  if (!url?.startsWith(apiUrl)) return undefined
  const method = verb ?? (data === undefined ? "GET" : "POST")
  const [path = "", query] = url.slice(apiUrl.length).split("?")
  const operation = subjects
    .flatMap(({ operations }) => operations)
    .find((each) => each.method === method && new RegExp(`^${each.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path))
  if (operation === undefined) return undefined
  const body = data?.replaceAll(/<[^>]+>/g, (name) => exampleNames[name] ?? name)
  const input = body === undefined ? query && Object.fromEntries(new URLSearchParams(query)) : JSON.parse(body)
  return sampleRequest(operation, input)
}
