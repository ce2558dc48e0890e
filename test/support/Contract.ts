/** The API's endpoints with their schemas, and checks that an answer has a schema that its endpoint declares. */
import { assert } from "@effect/vitest"
import { Arbitrary, Result, Schema, SchemaAST } from "effect"
import { HttpApi } from "effect/http-api"
import { Api } from "../../src/Api.ts"
import { FieldError, fieldErrorCodes } from "../../src/values/Problem.ts"
import type { Answer } from "./Api.ts"

export interface Endpoint {
  /** Group and endpoint: `invitations.list`. */
  readonly name: string
  readonly method: string
  /** With parameters as `:id`. */
  readonly path: string
  readonly query: Schema.Top | undefined
  readonly parameters: ReadonlyArray<string>
  readonly hasBody: boolean
  readonly forms: ReadonlyMap<number, ReadonlyArray<Schema.Top>>
}

const parametersOf = (query: Schema.Top | undefined): ReadonlyArray<string> =>
  query !== undefined && SchemaAST.isObjects(query.ast)
    ? query.ast.propertySignatures.map(({ name }) => String(name))
    : []

export const endpoints: ReadonlyArray<Endpoint> = (() => {
  const all: Array<Endpoint> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, errors, group, successes }) => {
      const { identifier, method, path, payload, query } = endpoint
      const forms = new Map<number, ReadonlyArray<Schema.Top>>([...successes, ...errors])
      all.push({
        name: `${group.identifier}.${identifier}`,
        method,
        path,
        query,
        parameters: parametersOf(query),
        hasBody: payload.size > 0,
        forms,
      })
    },
  })
  return all
})()

/** Generates valid queries, encoded as in a URL. */
export const queries = ({ query = Schema.Struct({}) }: Endpoint): Arbitrary.Arbitrary<unknown> => {
  const codec = query as Schema.Codec<unknown, unknown> // needs no services
  return Arbitrary.map(Arbitrary.schema(codec), Schema.encodeSync(codec))
}

export const endpointOf = (name: string): Endpoint => {
  const found = endpoints.find((endpoint) => endpoint.name === name)
  assert(found, `the contract has no ${name}`)
  return found
}

const Problem = Schema.Struct({
  type: Schema.TemplateLiteral(["/docs/errors#", Schema.NonEmptyString]),
  title: Schema.NonEmptyString,
  status: Schema.Int,
  detail: Schema.NonEmptyString,
  code: Schema.NonEmptyString,
  errors: Schema.optionalKey(
    Schema.Array(Schema.Struct({ ...FieldError.fields, code: Schema.Literals(fieldErrorCodes) })),
  ),
})

const described = ({ body, status }: Answer): string => `${status} ${JSON.stringify(body ?? null).slice(0, 500)}`

/** Checks and returns a problem (RFC 9457). */
export const problem = (answer: Answer, status: number, code: string): typeof Problem.Type => {
  assert.strictEqual(answer.status, status, described(answer))
  assert.strictEqual(answer.headers.get("content-type"), "application/problem+json")
  const body = Schema.decodeUnknownSync(Problem, { onExcessProperty: "error" })(answer.body)
  assert.deepInclude(body, { status, code })
  return body
}

const fits = (form: Schema.Top, body: unknown): boolean => {
  const codec = Schema.toCodecJson(form as Schema.Codec<unknown, unknown>) // needs no services
  return Result.isSuccess(Schema.decodeUnknownResult(codec, { onExcessProperty: "error" })(body))
}

/** Their successes are no JSON. */
const ofFiles: ReadonlySet<string> = new Set(["files.answer", "files.cv", "recordings.read"])

/**
 * Checks that an answer has a schema that the endpoint declares for its status, without undeclared fields, and that its
 * status is below 500. Returns the validation errors of the answer.
 */
export const documented = ({ forms, name }: Endpoint, answer: Answer): ReadonlyArray<FieldError> => {
  const { body, headers, status } = answer
  const message = `${name} answered ${described(answer)}`
  assert.isBelow(status, 500, message)
  // the HTTP server answers 431 before it chooses an endpoint
  if (status === 431) return problem(answer, 431, "headers_too_large").errors ?? []
  if (status < 400 && ofFiles.has(name)) {
    assert.include([200, 206], status, message)
    return []
  }
  assert.isTrue(
    (forms.get(status) ?? []).some((form) => fits(form, body)),
    message,
  )
  const type = status < 400 ? "application/json" : "application/problem+json"
  assert.strictEqual(headers.get("content-type"), type, message)
  if (status < 400) return []
  return problem(answer, status, String((body as { readonly code: unknown }).code)).errors ?? []
}
